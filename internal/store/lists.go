package store

import (
	"slices"

	"rmwbench/internal/resp"
)

func init() {
	add("LPUSH", -3, func(c *Conn, cmd resp.Cmd) resp.Reply { return push(c, cmd, (*list).pushLeft) })
	add("RPUSH", -3, func(c *Conn, cmd resp.Cmd) resp.Reply { return push(c, cmd, (*list).pushRight) })
	add("LPOP", -2, func(c *Conn, cmd resp.Cmd) resp.Reply { return pop(c, cmd, "lpop", (*list).popLeft) })
	add("RPOP", -2, func(c *Conn, cmd resp.Cmd) resp.Reply { return pop(c, cmd, "rpop", (*list).popRight) })
	add("LLEN", 2, lLen)
}

// list is a double-ended queue: left in reverse order, then right. An end that
// runs dry is refilled with half of the other.
type list struct{ left, right []string }

func (l *list) len() int { return len(l.left) + len(l.right) }

func (l *list) at(i int) string {
	if i < len(l.left) {
		return l.left[len(l.left)-1-i]
	}
	return l.right[i-len(l.left)]
}

func (l *list) pushLeft(element string)  { l.left = append(l.left, element) }
func (l *list) pushRight(element string) { l.right = append(l.right, element) }

func (l *list) popLeft() string {
	if len(l.left) == 0 {
		l.left, l.right = halve(l.right)
	}
	return popLast(&l.left)
}

func (l *list) popRight() string {
	if len(l.right) == 0 {
		l.right, l.left = halve(l.left)
	}
	return popLast(&l.right)
}

// halve turns the older half of one end, at least one element, into the other.
func halve(end []string) (other, rest []string) {
	half := (len(end) + 1) / 2
	other = slices.Clone(end[:half])
	slices.Reverse(other)
	return other, slices.Clone(end[half:])
}

func popLast(end *[]string) string {
	last := len(*end) - 1
	element := (*end)[last]
	(*end)[last] = ""
	*end = (*end)[:last]
	return element
}

// list returns the list at a key; without one, an empty one that is not kept.
// right is false if the key holds another kind.
func (db *DB) list(key string) (l *list, s *slot, right bool) {
	s, right = db.lookupKind(key, kindList)
	switch {
	case !right:
		return nil, s, false
	case s == nil:
		return new(list), nil, true
	}
	return s.value.(*list), s, true
}

func push(c *Conn, cmd resp.Cmd, onto func(*list, string)) resp.Reply {
	l, s, right := c.db.list(cmd[1])
	if !right {
		return wrongType
	}
	if s == nil {
		s = c.db.create(cmd[1], kindList, l)
	}
	for _, element := range cmd[2:] {
		onto(l, element)
	}
	s.version++
	return count(l.len())
}

func pop(c *Conn, cmd resp.Cmd, name string, from func(*list) string) resp.Reply {
	if len(cmd) > 3 {
		return wrongArity(name)
	}
	wanted := int64(1)
	if len(cmd) == 3 {
		var valid bool
		if wanted, valid = integer(cmd[2]); !valid || wanted < 0 {
			return resp.Fault("ERR value is out of range, must be positive")
		}
	}
	l, s, right := c.db.list(cmd[1])
	switch {
	case !right:
		return wrongType
	case s == nil:
		return null
	}
	reply := c.db.array(int(min(wanted, int64(l.len()))))
	for i := range reply.Elems {
		reply.Elems[i] = resp.Text(from(l))
	}
	c.db.shrunk(s, len(reply.Elems), l.len())
	if len(cmd) == 2 {
		return reply.Elems[0]
	}
	return reply
}

func lLen(c *Conn, cmd resp.Cmd) resp.Reply {
	l, _, right := c.db.list(cmd[1])
	if !right {
		return wrongType
	}
	return count(l.len())
}
