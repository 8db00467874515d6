package claims

import "rmwbench/internal/resp"

func init() {
	All.Add("replica-lacks-scripts", Claim{
		Says:   "A replica does not hold its primary's scripts: after a failover EVALSHA meets NOSCRIPT.",
		Source: evalIntro, Needs: OwnServer,
		Check: func(c *Case) Answer {
			replica, sum := replicated(c, load)
			return judgeScript(replica.Try("EVALSHA", sum, "0"), false)
		},
	})
	All.Add("replica-holds-functions", Claim{
		Says:   "A replica holds its primary's functions.",
		Source: functions, Needs: OwnServer,
		Check: func(c *Case) Answer {
			replica, name := replicated(c, loadFunction)
			return judgeFunction(replica.Try("FCALL_RO", name, "0"), true)
		},
	})
}

// replicated prepares a primary that has a replica, waits until the replica has
// all of it, and answers a connection to the replica.
func replicated(c *Case, prepare func(*Client) string) (replica *Client, what string) {
	port := c.Port()
	primary := c.Start("--port", port, "--bind", "127.0.0.1", "--repl-diskless-sync-delay", "0").Conn("primary")
	second := c.Start("--replicaof", "127.0.0.1 "+port)
	wait := func() {
		primary.Do("SET", "n", "1")
		if caughtUp := primary.Do("WAIT", "1", "8000"); c.going() && caughtUp.Int < 1 {
			c.giveUp("the replica did not catch up in 8 s")
		}
	}
	wait()
	what = prepare(primary)
	wait()
	replica = second.Conn("replica")
	if n := replica.Do("GET", "n"); c.going() && n.Kind == resp.Nil {
		c.giveUp("the replica lacks even a key")
	}
	return replica, what
}
