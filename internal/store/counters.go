package store

import (
	"math"
	"strconv"

	"rmwbench/internal/resp"
)

func init() {
	add("INCR", 2, func(c *Conn, cmd resp.Cmd) resp.Reply { return increment(c, cmd[1], 1) })
	add("DECR", 2, func(c *Conn, cmd resp.Cmd) resp.Reply { return increment(c, cmd[1], -1) })
	add("INCRBY", 3, incrBy)
	add("DECRBY", 3, decrBy)
}

func increment(c *Conn, key string, by int64) resp.Reply {
	reply, s, failed := c.db.read(key)
	if failed {
		return reply
	}
	var old int64
	if s != nil {
		var valid bool
		if old, valid = integer(s.text); !valid {
			return notInteger
		}
	} else {
		s = c.db.create(key, kindString, nil)
	}
	sum, fits := plus(old, by)
	if !fits {
		return overflow
	}
	s.text = strconv.FormatInt(sum, 10)
	s.version++
	return resp.Integer(sum)
}

func incrBy(c *Conn, cmd resp.Cmd) resp.Reply {
	by, valid := integer(cmd[2])
	if !valid {
		return notInteger
	}
	return increment(c, cmd[1], by)
}

func decrBy(c *Conn, cmd resp.Cmd) resp.Reply {
	by, valid := integer(cmd[2])
	switch {
	case !valid:
		return notInteger
	case by == math.MinInt64:
		return resp.Fault("ERR decrement would overflow")
	}
	return increment(c, cmd[1], -by)
}
