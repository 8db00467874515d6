package claims

import (
	"time"

	"rmwbench/internal/resp"
)

// A watched key and what happens between WATCH and EXEC. The connection A
// watches, B is somebody else.
func init() {
	for _, w := range []struct {
		name, says string
		between    func(c *Case, a, b *Client, key string)
		breaks     bool // EXEC is to answer nil
	}{
		{"watch-other-write", "Another client's write to a watched key breaks the watch: EXEC answers nil.",
			func(_ *Case, _, b *Client, key string) { b.Do("SET", key, "theirs") }, true},
		{"watch-same-value", "Another client's write breaks the watch even if it writes the value that is there already.",
			func(_ *Case, _, b *Client, key string) { b.Do("SET", key, watchedValue) }, true},
		{"watch-own-write", "The watching client's own write between WATCH and MULTI breaks its watch too.",
			func(_ *Case, a, _ *Client, key string) { a.Do("SET", key, "mine") }, true},
		{"watch-expire-command", "Another client's EXPIRE breaks the watch although the value stays.",
			func(_ *Case, _, b *Client, key string) { b.Do("EXPIRE", key, "1000") }, true},
		{"watch-read-only-key", "A key that was read but not watched does not break the transaction.",
			func(c *Case, a, b *Client, _ string) {
				other := c.Key("read")
				a.Do("GET", other)
				b.Do("SET", other, "theirs")
			}, false},
		{"watch-unwatch", "UNWATCH clears the watch: EXEC goes through although the key was written.",
			func(_ *Case, a, b *Client, key string) {
				b.Do("SET", key, "theirs")
				a.Do("UNWATCH")
			}, false},
		{"watch-exec-ends", "EXEC ends the watch even when it answers nil: a retry without a new WATCH is unprotected.",
			func(c *Case, a, b *Client, key string) {
				b.Do("SET", key, "theirs")
				if first := a.exec("SET", key, "mine"); first.Kind != resp.Nil {
					c.giveUp("the first EXEC was to answer nil and answered %s", first)
				}
				b.Do("SET", key, "theirs again")
			}, false},
	} {
		All.Add(w.name, Claim{Says: w.says, Source: transactions, Check: func(c *Case) Answer {
			a, b, key := c.Conn("A"), c.Conn("B"), c.Key("stock")
			b.Do("SET", key, watchedValue)
			a.Do("WATCH", key)
			w.between(c, a, b, key)
			return judgeExec(a.exec("SET", key, "mine"), w.breaks)
		}})
	}
	All.Add("watch-reconnect", Claim{
		Says:   "A reconnect forgets the watch: EXEC on the new connection goes through although the key was written.",
		Source: docs + "commands/watch/", Check: watchReconnect,
	})
	All.Add("watch-expiry", Claim{
		Says:   "A watched key that expires breaks the watch.",
		Source: transactions, Check: watchExpiry,
	})
}

const watchedValue = "5"

// judgeExec judges EXEC's reply by whether the watch was to be broken.
func judgeExec(exec resp.Reply, breaks bool) Answer {
	switch exec.Kind {
	case resp.Nil:
		return judge(breaks, "EXEC answered (nil): nothing was applied")
	case resp.Array:
		return judge(!breaks, "EXEC answered %s: the transaction was applied", exec)
	}
	return notChecked("EXEC answered %s", exec)
}

func watchReconnect(c *Case) Answer {
	a, b, key := c.Conn("A"), c.Conn("B"), c.Key("stock")
	b.Do("SET", key, watchedValue)
	a.Do("WATCH", key)
	a.Cut()
	again := c.Conn("A, reconnected")
	b.Do("SET", key, "theirs")
	return judgeExec(again.exec("SET", key, "mine"), false)
}

// watchExpiry has the key expire while it is watched. WATCH comes in the same
// write as the key, lest it find the key expired already.
func watchExpiry(c *Case) Answer {
	a, key := c.Conn("A"), c.Key("lease")
	const life = 100 * time.Millisecond
	a.Pipe(resp.Cmd{"SET", key, "held", "PX", "100"}, resp.Cmd{"WATCH", key})
	a.Hold(life + life/2)
	exec := a.exec("PING")
	if left := a.Do("PTTL", key); left.Int >= 0 || left.Int == -1 {
		return notChecked("the key did not expire in time: PTTL answers %s", left)
	}
	return judgeExec(exec, true)
}
