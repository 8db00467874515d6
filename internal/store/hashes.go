package store

import (
	"strconv"

	"rmwbench/internal/resp"
)

func init() {
	add("HSET", -4, hSet)
	add("HSETNX", 4, hSetNX)
	add("HGET", 3, hGet)
	add("HMGET", -3, hMGet)
	add("HGETALL", 2, hGetAll)
	add("HDEL", -3, hDel)
	add("HINCRBY", 4, hIncrBy)
	add("HEXISTS", 3, hExists)
	add("HLEN", 2, hLen)
}

type hash = table[string]

// hash returns the hash at a key; without one, an empty one that is not kept.
// right is false if the key holds another kind.
func (db *DB) hash(key string) (h *hash, s *slot, right bool) {
	s, right = db.lookupKind(key, kindHash)
	switch {
	case !right:
		return nil, s, false
	case s == nil:
		return new(hash), nil, true
	}
	return s.value.(*hash), s, true
}

// makeHash is hash for writing: it creates the key.
func (db *DB) makeHash(key string) (h *hash, s *slot, right bool) {
	h, s, right = db.hash(key)
	if right && s == nil {
		h = newTable[string]()
		s = db.create(key, kindHash, h)
	}
	return h, s, right
}

func hSet(c *Conn, cmd resp.Cmd) resp.Reply {
	if len(cmd)%2 == 1 {
		return wrongArity("hset")
	}
	h, s, right := c.db.makeHash(cmd[1])
	if !right {
		return wrongType
	}
	added := 0
	for i := 2; i < len(cmd); i += 2 {
		if h.put(cmd[i], cmd[i+1]) {
			added++
		}
	}
	s.version++
	return count(added)
}

func hSetNX(c *Conn, cmd resp.Cmd) resp.Reply {
	h, s, right := c.db.makeHash(cmd[1])
	if !right {
		return wrongType
	}
	if _, found := h.get(cmd[2]); found {
		return truth(false)
	}
	h.put(cmd[2], cmd[3])
	s.version++
	return truth(true)
}

// field is a field's value, or nil.
func field(h *hash, name string) resp.Reply {
	if value, found := h.get(name); found {
		return resp.Text(value)
	}
	return null
}

func hGet(c *Conn, cmd resp.Cmd) resp.Reply {
	h, _, right := c.db.hash(cmd[1])
	if !right {
		return wrongType
	}
	return field(h, cmd[2])
}

func hMGet(c *Conn, cmd resp.Cmd) resp.Reply {
	h, _, right := c.db.hash(cmd[1])
	if !right {
		return wrongType
	}
	reply := c.db.array(len(cmd) - 2)
	for i, name := range cmd[2:] {
		reply.Elems[i] = field(h, name)
	}
	return reply
}

func hGetAll(c *Conn, cmd resp.Cmd) resp.Reply {
	h, _, right := c.db.hash(cmd[1])
	if !right {
		return wrongType
	}
	reply := c.db.array(2 * h.len())
	i := 0
	for name, value := range h.all() {
		reply.Elems[i], reply.Elems[i+1] = resp.Text(name), resp.Text(value)
		i += 2
	}
	return reply
}

func hDel(c *Conn, cmd resp.Cmd) resp.Reply {
	h, s, right := c.db.hash(cmd[1])
	if !right {
		return wrongType
	}
	deleted := 0
	for _, name := range cmd[2:] {
		if h.remove(name) {
			deleted++
		}
	}
	c.db.shrunk(s, deleted, h.len())
	return count(deleted)
}

// shrunk notes that elements were taken out of a collection. An empty one is
// deleted.
func (db *DB) shrunk(s *slot, taken, left int) {
	switch {
	case taken == 0:
	case left == 0:
		db.remove(s)
	default:
		s.version++
	}
}

func hIncrBy(c *Conn, cmd resp.Cmd) resp.Reply {
	by, valid := integer(cmd[3])
	if !valid {
		return notInteger
	}
	h, s, right := c.db.makeHash(cmd[1])
	if !right {
		return wrongType
	}
	var old int64
	if value, found := h.get(cmd[2]); found {
		if old, valid = integer(value); !valid {
			return resp.Fault("ERR hash value is not an integer")
		}
	}
	sum, fits := plus(old, by)
	if !fits {
		return overflow
	}
	h.put(cmd[2], strconv.FormatInt(sum, 10))
	s.version++
	return resp.Integer(sum)
}

func hExists(c *Conn, cmd resp.Cmd) resp.Reply {
	h, _, right := c.db.hash(cmd[1])
	if !right {
		return wrongType
	}
	_, found := h.get(cmd[2])
	return truth(found)
}

func hLen(c *Conn, cmd resp.Cmd) resp.Reply {
	h, _, right := c.db.hash(cmd[1])
	if !right {
		return wrongType
	}
	return count(h.len())
}
