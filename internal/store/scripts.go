package store

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"
	"sync"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
	"rmwbench/workloads"
)

func init() {
	addPart("SCRIPT", "LOAD", 3, scriptLoad)
	addPart("SCRIPT", "EXISTS", -3, scriptExists)
	addPart("SCRIPT", "FLUSH", -2, scriptFlush)
	add("EVAL", -3, eval).noScript = true
	add("EVALSHA", -3, evalSHA).noScript = true
}

// script is what the server keeps of a body.
type script struct {
	name string // in errors
	decider
}

// decider does in Go what a script does.
type decider struct {
	twin  workloads.Twin // nil: none
	spins bool           // after it has kept the server busy
}

var noScript = resp.Fault("NOSCRIPT No matching script. Please use EVAL.")

// deciders holds them by the script's SHA1. A spinning variant decides as the
// script itself.
var deciders = sync.OnceValue(func() map[string]decider {
	bySHA1 := map[string]decider{}
	enter := func(s scripts.Script, twin workloads.Twin) {
		bySHA1[s.SHA1] = decider{twin: twin}
		bySHA1[s.Spinning().SHA1] = decider{twin: twin, spins: true}
	}
	for _, name := range workloads.All.Names() {
		workload, _ := workloads.All.Get(name)
		if scripted, is := workload.(workloads.Scripted); is {
			enter(scripted.Script(), workload)
			enter(scripted.Script().Once(), workloads.Once(workload))
		}
	}
	for _, name := range workloads.Twins.Names() {
		twin, _ := workloads.Twins.Get(name)
		enter(scripts.MustGet(name), twin)
	}
	return bySHA1
})

// keep stores a body.
func (db *DB) keep(body string) (sum string) {
	digest := sha1.Sum([]byte(body))
	sum = hex.EncodeToString(digest[:])
	db.scripts[sum] = script{sum, deciders()[sum]}
	return sum
}

// Restart is what a server that keeps its data forgets when it ends: scripts.
// Its connections end too, which is for their owner to do.
func (db *DB) Restart() { db.flushScripts() }

func (db *DB) flushScripts() { db.scripts = map[string]script{} }

func scriptLoad(c *Conn, cmd resp.Cmd) resp.Reply { return resp.Text(c.db.keep(cmd[2])) }

func scriptExists(c *Conn, cmd resp.Cmd) resp.Reply {
	reply := c.db.array(len(cmd) - 2)
	for i, sum := range cmd[2:] {
		_, known := c.db.scripts[strings.ToLower(sum)]
		reply.Elems[i] = truth(known)
	}
	return reply
}

func scriptFlush(c *Conn, cmd resp.Cmd) resp.Reply {
	if !flushMode(cmd[2:]) {
		return resp.Fault("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
	}
	c.db.flushScripts()
	return ok
}

func eval(c *Conn, cmd resp.Cmd) resp.Reply {
	op, fault, valid := opOf(cmd, notInteger)
	if !valid {
		return fault
	}
	return c.run(c.db.scripts[c.db.keep(cmd[1])], op)
}

func evalSHA(c *Conn, cmd resp.Cmd) resp.Reply {
	if len(cmd[1]) != 2*sha1.Size {
		return noScript
	}
	op, fault, valid := opOf(cmd, notInteger)
	if !valid {
		return fault
	}
	s, known := c.db.scripts[cmd[1]]
	if !known {
		if s, known = c.db.scripts[strings.ToLower(cmd[1])]; !known {
			return noScript
		}
	}
	return c.run(s, op)
}

// opOf reads a script call back as an op. notNumber is the error for a number
// of keys that is none.
func opOf(cmd resp.Cmd, notNumber resp.Reply) (op workloads.Op, fault resp.Reply, valid bool) {
	keys, is := integer(cmd[2])
	rest := cmd[3:]
	switch {
	case !is:
		return op, notNumber, false
	case keys > int64(len(rest)):
		return op, resp.Fault("ERR Number of keys can't be greater than number of args"), false
	case keys < 0:
		return op, resp.Fault("ERR Number of keys can't be negative"), false
	}
	return workloads.Op{Keys: rest[:keys], Args: rest[keys:]}, null, true
}

// run lets the script's twin decide the op and answers as the script does. As
// there, an error ends it and what it has written stays. The op is one that
// the script's user made: the twin may panic on another.
func (c *Conn) run(s script, op workloads.Op) resp.Reply {
	if s.twin == nil {
		return resp.Fault("ERR the simulator has no Go twin of this script")
	}
	if s.spins && !c.spin(&op) {
		return resp.Fault("ERR the script does not say how often it spins script: " + s.name)
	}
	body := s.twin.Begin(op)
	step := body.Next(nil)
	for ; step.Kind == workloads.Read; step = body.Next(c.db.results) {
		if failed := c.callAll(step.Cmds, s.name); failed.Kind == resp.Error {
			return failed
		}
	}
	switch step.Kind {
	case workloads.Fail:
		return resp.Fault(step.Error)
	case workloads.Commit, workloads.Reject:
		if failed := c.callAll(step.Cmds, s.name); failed.Kind == resp.Error {
			return failed
		}
	}
	reply := c.db.array(2)
	reply.Elems[0], reply.Elems[1] = truth(step.Kind == workloads.Commit), resp.Text(step.Answer)
	return reply
}

// spin takes the iterations of a spinning script off its arguments and tells how
// many there are.
func (c *Conn) spin(op *workloads.Op) (said bool) {
	last := len(op.Args) - 1
	if last < 0 {
		return false
	}
	n, is := integer(op.Args[last])
	op.Args = op.Args[:last]
	if is && c.db.Spun != nil {
		c.db.Spun(max(n, 0))
	}
	return is
}

// callAll runs the commands of one step and leaves their replies in results.
// The first error ends it, with the script's name as the server adds it; the
// line of Lua is left out.
func (c *Conn) callAll(cmds []resp.Cmd, name string) (failed resp.Reply) {
	c.db.results = c.db.results[:0]
	for _, cmd := range cmds {
		reply := c.call(cmd)
		if reply.Kind == resp.Error {
			return resp.Fault(reply.Str + " script: " + name)
		}
		c.db.results = append(c.db.results, reply)
	}
	return null
}

// call runs one command of a script.
func (c *Conn) call(cmd resp.Cmd) resp.Reply {
	spec, refusal := find(cmd)
	switch {
	case spec == nil && strings.HasPrefix(refusal.Str, "ERR unknown"):
		return resp.Fault("ERR Unknown Redis command called from script")
	case spec == nil:
		return resp.Fault("ERR Wrong number of args calling Redis command from script")
	case spec.noScript:
		return resp.Fault("ERR This Redis command is not allowed from script")
	}
	return c.execute(spec, cmd, true)
}
