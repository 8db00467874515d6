package claims

import "rmwbench/internal/resp"

func init() {
	All.Add("script-flush-forgets", Claim{
		Says:   "After SCRIPT FLUSH an EVALSHA that worked before meets NOSCRIPT.",
		Source: evalIntro, Needs: Leave,
		Check: func(c *Case) Answer {
			a := c.Conn("A")
			sum := load(a)
			a.Do("SCRIPT", "FLUSH")
			return judgeScript(a.Try("EVALSHA", sum, "0"), false)
		},
	})
	All.Add("script-restart-forgets", Claim{
		Says:   "Scripts do not survive a restart, persistence or not: EVALSHA meets NOSCRIPT.",
		Source: evalIntro, Needs: OwnServer,
		Check: func(c *Case) Answer {
			server, sum := persistentWith(c, load)
			return judgeScript(server.Conn("after the restart").Try("EVALSHA", sum, "0"), false)
		},
	})
	All.Add("script-survives-flushall", Claim{
		Says:   "FLUSHALL leaves scripts alone: EVALSHA still works.",
		Source: docs + "commands/flushall/", Needs: OwnServer,
		Check: func(c *Case) Answer {
			a := c.Start().Conn("A")
			sum := load(a)
			flushAll(c, a)
			return judgeScript(a.Try("EVALSHA", sum, "0"), true)
		},
	})
}

// load loads a script, sees it work, and answers its SHA1.
func load(a *Client) (sum string) {
	sum = a.Do("SCRIPT", "LOAD", "return 'found'").Str
	a.Do("EVALSHA", sum, "0")
	return sum
}

// judgeScript judges EVALSHA's reply by whether the script was to be there.
func judgeScript(reply resp.Reply, there bool) Answer {
	switch {
	case reply.Class() == "NOSCRIPT":
		return judge(!there, "EVALSHA answered %s", short(reply))
	case reply.Kind == resp.Error:
		return notChecked("EVALSHA answered %s", reply)
	}
	return judge(there, "EVALSHA answered %s", reply)
}

// flushAll removes all keys, and sees that it did.
func flushAll(c *Case, a *Client) {
	key := "n"
	a.Do("SET", key, "1")
	a.Do("FLUSHALL")
	if left := a.Do("EXISTS", key); left.Int != 0 {
		c.giveUp("FLUSHALL left a key behind")
	}
}

// persistentWith prepares a server that writes all to its append-only file and
// restarts it.
func persistentWith(c *Case, prepare func(*Client) string) (*Machine, string) {
	server := c.Start("--appendonly", "yes", "--appendfsync", "always")
	a := server.Conn("A")
	a.Do("SET", "kept", "1")
	what := prepare(a)
	server.Restart()
	if kept := server.Conn("after the restart").Do("GET", "kept"); c.going() && kept.Str != "1" {
		c.giveUp("the server did not even keep a key over the restart")
	}
	return server, what
}
