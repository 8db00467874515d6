// Package store owns what a server keeps and how it answers: an in-memory key
// space that answers commands as redis-server 7.0 does, texts of errors
// included. It has neither a network nor a clock: the caller says what time it
// is. It has no Lua either: a script is run by its twin in Go, the workload
// that decides the same.
//
// All answers are a function of the commands before: nothing depends on the
// order in which Go walks through a map.
//
// https://redis.io/docs/latest/commands/
package store

import (
	"time"

	"rmwbench/internal/resp"
)

// Epoch is the unix time at which a server's time is 0.
var Epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

var epochMillis = Epoch.UnixMilli()

// DB is one server's data: keys, scripts and functions. It is used by one
// goroutine at a time.
type DB struct {
	// Served, if set, is told the name of each command that is executed, as
	// INFO commandstats counts them: "get", "script|load". A queued command is
	// told when EXEC runs it; nested says that a script called it.
	Served func(name string, nested bool)
	// Spun, if set, is told how many iterations a spinning script has spun.
	Spun func(iterations int64)

	now       time.Duration
	keys      keySpace
	scripts   map[string]script // by SHA1
	libraries map[string][]string
	functions map[string]function
	results   []resp.Reply // replies of the commands that a script runs, used again
	spare     []resp.Reply // to be handed out by elems
}

// New returns a server without data.
func New() *DB {
	db := &DB{keys: newKeySpace()}
	db.flushScripts()
	db.flushFunctions()
	return db
}

// Dial connects a client.
func (db *DB) Dial() *Conn { return &Conn{db: db} }

// unixMillis is the server's time since 1970.
func (db *DB) unixMillis() int64 { return epochMillis + int64(db.now/time.Millisecond) }

// elems hands out room for the elements of a reply. Small rooms are cut from
// one piece, so that few replies cost an allocation.
func (db *DB) elems(n int) []resp.Reply {
	const piece = 128
	if n > piece/8 {
		return make([]resp.Reply, n)
	}
	if len(db.spare) < n {
		db.spare = make([]resp.Reply, piece)
	}
	room := db.spare[:n:n]
	db.spare = db.spare[n:]
	return room
}

// array is a reply with room for n elements.
func (db *DB) array(n int) resp.Reply { return resp.Reply{Kind: resp.Array, Elems: db.elems(n)} }

// Conn is the state of one connection: the keys it watches and its open
// transaction.
type Conn struct {
	db      *DB
	watches []watch
	open    bool // between MULTI and EXEC
	refused bool // a command of the open transaction was refused
	queue   []queued
	words   []string // of the queued commands
}

// Do executes one command at the server's time now, which never goes back.
// The command has at least its name, and may be used again after Do; the reply
// is the caller's.
func (c *Conn) Do(now time.Duration, cmd resp.Cmd) resp.Reply {
	c.db.now = now
	spec, refusal := find(cmd)
	switch {
	case spec == nil:
		return c.refuse(cmd, refusal)
	case c.open && !spec.immediate:
		return c.enqueue(spec, cmd)
	}
	return c.execute(spec, cmd, false)
}

// execute runs a command that find has accepted.
func (c *Conn) execute(spec *command, cmd resp.Cmd, nested bool) resp.Reply {
	if c.db.Served != nil {
		c.db.Served(spec.name, nested)
	}
	return spec.do(c, cmd)
}

// Close forgets the watches and the transaction.
func (c *Conn) Close() {
	c.unwatch()
	c.discard()
}
