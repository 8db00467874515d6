package store

import (
	"strings"

	"rmwbench/internal/resp"
)

func init() {
	execCommand = add("EXEC", 1, exec)
	for _, spec := range []*command{
		execCommand, add("MULTI", 1, multi), add("DISCARD", 1, discard), add("WATCH", -2, watchKeys),
	} {
		spec.immediate, spec.noScript = true, true
	}
	add("UNWATCH", 1, unwatch).noScript = true
}

var execCommand *command

// watch is a key as it was when the connection began to watch it.
type watch struct {
	slot    *slot
	version uint64
}

// queued is one command of a transaction.
type queued struct {
	spec *command
	cmd  resp.Cmd
}

var (
	queuedReceipt = resp.Text("QUEUED")
	execAbort     = resp.Fault("EXECABORT Transaction discarded because of previous errors.")
)

// enqueue keeps a command for EXEC. The words are copied, since the caller may
// use its command again.
func (c *Conn) enqueue(spec *command, cmd resp.Cmd) resp.Reply {
	start := len(c.words)
	c.words = append(c.words, cmd...)
	c.queue = append(c.queue, queued{spec, c.words[start:]})
	return queuedReceipt
}

// refuse notes that a command cannot be executed. EXEC will not execute the
// transaction then; where it is EXEC itself, nor does it wait for another.
func (c *Conn) refuse(cmd resp.Cmd, refusal resp.Reply) resp.Reply {
	if commands[upper(cmd[0])] == execCommand {
		c.discard()
		c.unwatch()
		return resp.Fault("EXECABORT Transaction discarded because of: " + strings.TrimPrefix(refusal.Str, "ERR "))
	}
	c.refused = c.open
	return refusal
}

// discard ends the transaction.
func (c *Conn) discard() {
	c.open, c.refused = false, false
	c.queue, c.words = c.queue[:0], c.words[:0]
}

func multi(c *Conn, _ resp.Cmd) resp.Reply {
	if c.open {
		return resp.Fault("ERR MULTI calls can not be nested")
	}
	c.open = true
	return ok
}

func discard(c *Conn, _ resp.Cmd) resp.Reply {
	if !c.open {
		return resp.Fault("ERR DISCARD without MULTI")
	}
	c.discard()
	c.unwatch()
	return ok
}

func exec(c *Conn, _ resp.Cmd) resp.Reply {
	if !c.open {
		return resp.Fault("ERR EXEC without MULTI")
	}
	defer c.discard()
	touched := c.touched()
	c.unwatch()
	switch {
	case c.refused:
		return execAbort
	case touched:
		return null
	}
	reply := c.db.array(len(c.queue))
	for i, q := range c.queue {
		reply.Elems[i] = c.execute(q.spec, q.cmd, false)
	}
	return reply
}

// touched says whether any watched key has changed or expired.
func (c *Conn) touched() bool {
	for _, w := range c.watches {
		if w.slot.version != w.version || c.db.expired(w.slot) {
			return true
		}
	}
	return false
}

func watchKeys(c *Conn, cmd resp.Cmd) resp.Reply {
	if c.open {
		return resp.Fault("ERR WATCH inside MULTI is not allowed")
	}
	for _, key := range cmd[1:] {
		c.watch(key)
	}
	return ok
}

// watch begins to watch a key; one already watched stays as it was then. A key
// whose time is over is gone before.
func (c *Conn) watch(key string) {
	for _, w := range c.watches {
		if w.slot.key == key {
			return
		}
	}
	keys := &c.db.keys
	s := keys.slots[key]
	if s != nil && c.db.expired(s) {
		c.db.remove(s)
		s = keys.slots[key] // another may watch it
	}
	if s == nil {
		s = &slot{key: key, kind: absent}
		keys.slots[key] = s
	}
	s.watchers++
	c.watches = append(c.watches, watch{s, s.version})
}

func unwatch(c *Conn, _ resp.Cmd) resp.Reply {
	c.unwatch()
	return ok
}

// unwatch ends all watches.
func (c *Conn) unwatch() {
	for _, w := range c.watches {
		w.slot.watchers--
		c.db.keys.release(w.slot)
	}
	c.watches = c.watches[:0]
}
