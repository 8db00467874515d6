package store

import (
	"strings"

	"rmwbench/internal/resp"
)

func init() {
	add("GET", 2, get)
	add("SETNX", 3, setNX)
	add("SETEX", 4, func(c *Conn, cmd resp.Cmd) resp.Reply { return setWithExpiry(c, cmd, "setex", inSeconds) })
	add("PSETEX", 4, func(c *Conn, cmd resp.Cmd) resp.Reply { return setWithExpiry(c, cmd, "psetex", inMillis) })
	add("GETSET", 3, getSet)
	add("GETDEL", 2, getDel)
	add("MGET", -2, mGet)
	add("MSET", -3, mSet)
	add("SETRANGE", 4, setRange)
	add("GETRANGE", 4, getRange)
	add("APPEND", 3, appendString)
	add("STRLEN", 2, strLen)
}

// maxString is the server's proto-max-bulk-len.
const maxString = 512 << 20

// read is the reply of GET, and whether the key exists and is no error.
func (db *DB) read(key string) (reply resp.Reply, s *slot, failed bool) {
	s, right := db.lookupKind(key, kindString)
	switch {
	case !right:
		return wrongType, s, true
	case s == nil:
		return null, nil, false
	}
	return resp.Text(s.text), s, false
}

func get(c *Conn, cmd resp.Cmd) resp.Reply {
	reply, _, _ := c.db.read(cmd[1])
	return reply
}

func setNX(c *Conn, cmd resp.Cmd) resp.Reply {
	if c.db.lookup(cmd[1]) != nil {
		return truth(false)
	}
	c.db.write(cmd[1], cmd[2])
	return truth(true)
}

func setWithExpiry(c *Conn, cmd resp.Cmd, name string, as expiryForm) resp.Reply {
	expires, valid := c.db.deadline(cmd[2], as)
	if !valid.ok {
		return valid.fault(name)
	}
	c.db.write(cmd[1], cmd[3]).expires = expires
	return ok
}

func getSet(c *Conn, cmd resp.Cmd) resp.Reply {
	reply, _, failed := c.db.read(cmd[1])
	if !failed {
		c.db.write(cmd[1], cmd[2]).expires = 0
	}
	return reply
}

func getDel(c *Conn, cmd resp.Cmd) resp.Reply {
	reply, s, failed := c.db.read(cmd[1])
	if s != nil && !failed {
		c.db.remove(s)
	}
	return reply
}

func mGet(c *Conn, cmd resp.Cmd) resp.Reply {
	reply := c.db.array(len(cmd) - 1)
	for i, key := range cmd[1:] {
		if value, _, failed := c.db.read(key); !failed {
			reply.Elems[i] = value
		}
	}
	return reply
}

func mSet(c *Conn, cmd resp.Cmd) resp.Reply {
	if len(cmd)%2 == 0 {
		return wrongArity("mset")
	}
	for i := 1; i < len(cmd); i += 2 {
		c.db.write(cmd[i], cmd[i+1]).expires = 0
	}
	return ok
}

func setRange(c *Conn, cmd resp.Cmd) resp.Reply {
	offset, valid := integer(cmd[2])
	switch {
	case !valid:
		return notInteger
	case offset < 0:
		return resp.Fault("ERR offset is out of range")
	}
	reply, s, failed := c.db.read(cmd[1])
	with := cmd[3]
	switch {
	case failed:
		return reply
	case with == "":
		return count(len(reply.Str))
	case offset > maxString || int(offset)+len(with) > maxString:
		return stringTooBig
	}
	text := make([]byte, max(len(reply.Str), int(offset)+len(with)))
	copy(text, reply.Str)
	copy(text[offset:], with)
	if s == nil {
		s = c.db.create(cmd[1], kindString, nil)
	}
	s.text = string(text)
	s.version++
	return count(len(text))
}

func getRange(c *Conn, cmd resp.Cmd) resp.Reply {
	start, valid1 := integer(cmd[2])
	end, valid2 := integer(cmd[3])
	if !valid1 || !valid2 {
		return notInteger
	}
	reply, _, failed := c.db.read(cmd[1])
	if failed {
		return reply
	}
	length := int64(len(reply.Str))
	if start < 0 && end < 0 && start > end {
		return resp.Text("")
	}
	if start < 0 {
		start += length
	}
	if end < 0 {
		end += length
	}
	start, end = max(start, 0), min(max(end, 0), length-1)
	if start > end {
		return resp.Text("")
	}
	return resp.Text(reply.Str[start : end+1])
}

func appendString(c *Conn, cmd resp.Cmd) resp.Reply {
	reply, _, failed := c.db.read(cmd[1])
	switch {
	case failed:
		return reply
	case len(reply.Str)+len(cmd[2]) > maxString:
		return stringTooBig
	}
	text := strings.Join([]string{reply.Str, cmd[2]}, "")
	c.db.write(cmd[1], text)
	return count(len(text))
}

func strLen(c *Conn, cmd resp.Cmd) resp.Reply {
	reply, _, failed := c.db.read(cmd[1])
	if failed {
		return reply
	}
	return count(len(reply.Str))
}
