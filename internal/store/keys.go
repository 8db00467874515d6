package store

import "rmwbench/internal/resp"

func init() {
	add("DEL", -2, del)
	add("UNLINK", -2, del)
	add("EXISTS", -2, exists)
	add("TYPE", 2, typeOf)
}

func del(c *Conn, cmd resp.Cmd) resp.Reply {
	deleted := 0
	for _, key := range cmd[1:] {
		if s := c.db.lookup(key); s != nil {
			c.db.remove(s)
			deleted++
		}
	}
	return count(deleted)
}

func exists(c *Conn, cmd resp.Cmd) resp.Reply {
	found := 0
	for _, key := range cmd[1:] {
		if c.db.lookup(key) != nil {
			found++
		}
	}
	return count(found)
}

func typeOf(c *Conn, cmd resp.Cmd) resp.Reply {
	if s := c.db.lookup(cmd[1]); s != nil {
		return resp.Text(string(s.kind))
	}
	return resp.Text(string(absent))
}
