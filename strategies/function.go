package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/scripts"
	"rmwbench/workloads"
)

func init() {
	All.Add("function", Kind{
		Summary:   "FCALL; where the function is missing, and only then, FUNCTION LOAD + FCALL",
		Scripts:   true,
		Exchanges: once,
		Applies:   needsFunctions,
		Strategy:  function{},
	})
}

// function runs the op as one function on the server, of the library that the
// scripts package makes of all scripts. Another library that owns one of its
// functions keeps it: loading fails then, with the server's words. The library
// is data: the server keeps it, and FUNCTION DELETE removes it.
// https://redis.io/docs/latest/develop/programmability/functions-intro/
type function struct{}

func (function) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	script, args := scriptOf(w, op)
	call := scriptCall("FCALL", script.Function, op.Keys, args)
	reply, failed := single(s, call)
	if failed != nil || !unknownScript(reply) {
		return scripted(reply, nil, failed)
	}
	// REPLACE concerns our own library alone, also one of another version.
	reply, failed = loaded(s, resp.Cmd{"FUNCTION", "LOAD", "REPLACE", scripts.Library()}, call)
	return scripted(reply, []Note{NoteNoFunction}, failed)
}

func needsFunctions(w workloads.Workload, f Facts) string {
	switch reason := needsScript(w, f); {
	case reason != "":
		return reason
	case f.Embedded:
		return "the embedded server has no functions"
	case f.Product == "redis" && f.before(7, 0):
		return "functions came with Redis 7.0; this is " + f.Version
	}
	return ""
}
