package store

import (
	"strconv"
	"time"

	"rmwbench/internal/resp"
)

func init() {
	add("PING", -1, ping)
	add("ECHO", 2, func(_ *Conn, cmd resp.Cmd) resp.Reply { return resp.Text(cmd[1]) })
	add("SELECT", 2, selectDB)
	add("TIME", 1, timeOfDay)
	add("DBSIZE", 1, func(c *Conn, _ resp.Cmd) resp.Reply { return count(c.db.keys.living) })
	add("FLUSHALL", -1, flush)
	add("FLUSHDB", -1, flush)
}

func ping(_ *Conn, cmd resp.Cmd) resp.Reply {
	switch len(cmd) {
	case 1:
		return resp.Text("PONG")
	case 2:
		return resp.Text(cmd[1])
	}
	return wrongArity("ping")
}

// selectDB accepts the one database there is.
func selectDB(_ *Conn, cmd resp.Cmd) resp.Reply {
	n, valid := integer(cmd[1])
	switch {
	case !valid:
		return notInteger
	case n != 0:
		return resp.Fault("ERR DB index is out of range")
	}
	return ok
}

func timeOfDay(c *Conn, _ resp.Cmd) resp.Reply {
	micros := epochMillis*1000 + int64(c.db.now/time.Microsecond)
	return resp.List(
		resp.Text(strconv.FormatInt(micros/1e6, 10)),
		resp.Text(strconv.FormatInt(micros%1e6, 10)),
	)
}

// flush deletes all keys. Scripts and functions stay.
func flush(c *Conn, cmd resp.Cmd) resp.Reply {
	if !flushMode(cmd[1:]) {
		return syntaxError
	}
	c.db.flush()
	return ok
}

// flushMode accepts SYNC, ASYNC or nothing.
func flushMode(words []string) bool {
	if len(words) == 0 {
		return true
	}
	mode := upper(words[0])
	return len(words) == 1 && (mode == "SYNC" || mode == "ASYNC")
}
