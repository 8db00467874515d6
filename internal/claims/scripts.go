package claims

import (
	"rmwbench/internal/resp"
)

func init() {
	All.Add("script-error-keeps-writes", Claim{
		Says:   "A script that fails half-way keeps the writes it has made: there is no rollback.",
		Source: evalIntro,
		Check:  scriptErrorKeepsWrites,
	})
	All.Add("script-numbers-are-doubles", Claim{
		Says:   "Numbers above 2^53 are lost in Lua: at 2^53 a script's n + 1 stands still, while INCR counts on.",
		Source: luaAPI,
		Check:  scriptNumbers,
	})
	All.Add("set-clears-ttl", Claim{
		Says:   "A plain SET takes a key's time to live away.",
		Source: docs + "commands/set/",
		Check:  setClearsTTL,
	})
}

func scriptErrorKeepsWrites(c *Case) Answer {
	a, key := c.Conn("A"), c.Key("n")
	reply := a.Try("EVAL", "redis.call('SET', KEYS[1], 'written before') "+
		"redis.call('LPUSH', KEYS[1], 'x') "+
		"redis.call('SET', KEYS[1], 'written after')", "1", key)
	stored := a.Do("GET", key)
	if reply.Kind != resp.Error {
		return notChecked("the script that was to fail answered %s", reply)
	}
	return judge(stored.Str == "written before", "the script failed at its second command, and the key holds %s", stored)
}

// scriptNumbers increments 2^53 both ways.
func scriptNumbers(c *Case) Answer {
	a, key := c.Conn("A"), c.Key("n")
	const start, next = "9007199254740992", "9007199254740993"
	a.Do("SET", key, start)
	script := a.Do("EVAL", "local n = tonumber(redis.call('GET', KEYS[1])) + 1 return string.format('%.0f', n)", "1", key)
	a.Do("INCR", key)
	command := a.Do("GET", key)
	return judge(script.Str == start && command.Str == next, "from %s a script came to %s, and INCR to %s", start, script, command)
}

func setClearsTTL(c *Case) Answer {
	a, key := c.Conn("A"), c.Key("lease")
	a.Do("SET", key, "1", "EX", "1000")
	if before := a.Do("TTL", key); before.Int <= 0 {
		return notChecked("the key got no time to live: TTL answers %s", before)
	}
	a.Do("SET", key, "2")
	after := a.Do("TTL", key)
	return judge(after.Int == -1, "TTL answers %s after SET (-1: none)", after)
}
