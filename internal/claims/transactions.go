package claims

import "rmwbench/internal/resp"

func init() {
	All.Add("exec-applies-rest", Claim{
		Says:   "EXEC applies the other commands when one of them fails: there is no rollback.",
		Source: transactions,
		Check:  execAppliesRest,
	})
	All.Add("exec-noscript-applies-rest", Claim{
		Says:   "An EVALSHA that meets NOSCRIPT inside MULTI does not keep EXEC from applying its neighbours.",
		Source: docs + "commands/evalsha/",
		Check:  execNoScript,
	})
	All.Add("exec-refused-after-queue-error", Claim{
		Says:   "A command that is refused while it is queued makes EXEC refuse the whole transaction.",
		Source: transactions,
		Check:  execRefused,
	})
}

func execAppliesRest(c *Case) Answer {
	a, key := c.Conn("A"), c.Key("n")
	a.Do("MULTI")
	a.Do("SET", key, "1")
	a.Do("LPUSH", key, "x")
	a.Do("INCR", key)
	return applied(a, key, a.Try("EXEC"), "2")
}

func execNoScript(c *Case) Answer {
	a, key := c.Conn("A"), c.Key("n")
	a.Do("MULTI")
	a.Do("INCR", key)
	a.Do("EVALSHA", unknownSHA1, "0")
	a.Do("INCR", key)
	return applied(a, key, a.Try("EXEC"), "2")
}

// unknownSHA1 is the digest of no script that anybody loads.
const unknownSHA1 = "ffffffffffffffffffffffffffffffffffffffff"

// applied judges a transaction whose second of three commands fails.
func applied(a *Client, key string, exec resp.Reply, want string) Answer {
	stored := a.Do("GET", key)
	if exec.Kind == resp.Array && elem(exec, 1).Kind != resp.Error {
		return notChecked("the command that was to fail inside EXEC did not: %s", exec)
	}
	return judge(exec.Kind == resp.Array && stored.Str == want,
		"EXEC answered %s, and the key that the others wrote holds %s", short(exec), stored)
}

func execRefused(c *Case) Answer {
	a, key := c.Conn("A"), c.Key("n")
	a.Do("MULTI")
	a.Do("SET", key, "1")
	if refusal := a.Try("INCR"); refusal.Kind != resp.Error {
		return notChecked("INCR without a key was not refused but answered with %s", refusal)
	}
	exec := a.Try("EXEC")
	stored := a.Do("GET", key)
	return judge(exec.Class() == "EXECABORT" && stored.Kind == resp.Nil,
		"EXEC answered %s, and the key holds %s", short(exec), stored)
}
