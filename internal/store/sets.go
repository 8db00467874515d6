package store

import "rmwbench/internal/resp"

func init() {
	add("SADD", -3, sAdd)
	add("SREM", -3, sRem)
	add("SMOVE", 4, sMove)
	add("SISMEMBER", 3, sIsMember)
	add("SCARD", 2, sCard)
	add("SMEMBERS", 2, sMembers)
}

type set = table[struct{}]

// set returns the set at a key; without one, an empty one that is not kept.
// right is false if the key holds another kind.
func (db *DB) set(key string) (members *set, s *slot, right bool) {
	s, right = db.lookupKind(key, kindSet)
	switch {
	case !right:
		return nil, s, false
	case s == nil:
		return new(set), nil, true
	}
	return s.value.(*set), s, true
}

// makeSet is set for writing: it creates the key.
func (db *DB) makeSet(key string) (members *set, s *slot, right bool) {
	members, s, right = db.set(key)
	if right && s == nil {
		members = newTable[struct{}]()
		s = db.create(key, kindSet, members)
	}
	return members, s, right
}

func sAdd(c *Conn, cmd resp.Cmd) resp.Reply {
	members, s, right := c.db.makeSet(cmd[1])
	if !right {
		return wrongType
	}
	added := 0
	for _, member := range cmd[2:] {
		if members.put(member, struct{}{}) {
			added++
		}
	}
	if added > 0 {
		s.version++
	}
	return count(added)
}

func sRem(c *Conn, cmd resp.Cmd) resp.Reply {
	members, s, right := c.db.set(cmd[1])
	if !right {
		return wrongType
	}
	removed := 0
	for _, member := range cmd[2:] {
		if members.remove(member) {
			removed++
		}
	}
	c.db.shrunk(s, removed, members.len())
	return count(removed)
}

func sMove(c *Conn, cmd resp.Cmd) resp.Reply {
	from, s, right := c.db.set(cmd[1])
	_, target, rightTarget := c.db.set(cmd[2])
	member := cmd[3]
	switch {
	case right && s == nil:
		return truth(false)
	case !right || !rightTarget:
		return wrongType
	case s == target:
		_, found := from.get(member)
		return truth(found)
	case !from.remove(member):
		return truth(false)
	}
	c.db.shrunk(s, 1, from.len())
	to, target, _ := c.db.makeSet(cmd[2])
	if to.put(member, struct{}{}) {
		target.version++
	}
	return truth(true)
}

func sIsMember(c *Conn, cmd resp.Cmd) resp.Reply {
	members, _, right := c.db.set(cmd[1])
	if !right {
		return wrongType
	}
	_, found := members.get(cmd[2])
	return truth(found)
}

func sCard(c *Conn, cmd resp.Cmd) resp.Reply {
	members, _, right := c.db.set(cmd[1])
	if !right {
		return wrongType
	}
	return count(members.len())
}

// sMembers answers in the order in which the members came; the server's own
// order is that of its hash table.
func sMembers(c *Conn, cmd resp.Cmd) resp.Reply {
	members, _, right := c.db.set(cmd[1])
	if !right {
		return wrongType
	}
	reply := c.db.array(members.len())
	i := 0
	for member := range members.all() {
		reply.Elems[i] = resp.Text(member)
		i++
	}
	return reply
}
