package workloads

import (
	"rmwbench/internal/registry"
	"rmwbench/internal/resp"
)

// Twin decides in Go what a script decides in Lua: the op is a call of it, its
// KEYS and ARGV, and Commit and Reject stand for {1, answer} and {0, answer}.
// Every workload is the twin of its own script.
type Twin interface {
	Begin(op Op) Body
}

// Twins holds, by the script's name, the twins of scripts that belong to no
// workload.
var Twins = registry.New[Twin]("twin")

// TwinFunc is a twin that is one function.
type TwinFunc func(op Op) Body

// Begin calls it.
func (f TwinFunc) Begin(op Op) Body { return f(op) }

// ReadOnce is a body that reads once, by one command, and then knows.
func ReadOnce(read resp.Cmd, then func(reply resp.Reply) Step) Body {
	return &readOnce{read: read, then: then}
}

type readOnce struct {
	read  resp.Cmd
	then  func(reply resp.Reply) Step
	asked bool
}

func (b *readOnce) Next(replies []resp.Reply) Step {
	if !b.asked {
		b.asked = true
		return Step{Kind: Read, Cmds: []resp.Cmd{b.read}}
	}
	return b.then(replies[0])
}
