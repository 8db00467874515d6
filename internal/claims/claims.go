// Package claims owns what people say about WATCH, transactions, scripts and
// functions, and a check of each: a short dialogue with a server that can come
// out either way, and whose commands and replies are the evidence.
//
// A check works on keys of its own, which are removed. What it needs beyond
// that it says, and the server that somebody else uses is not given to it
// without leave; servers that are to be killed, emptied or joined are started
// for the purpose. How servers are reached and started is behind Server and
// Lab, so that a test can stand in a server that answers otherwise.
package claims

import (
	"fmt"

	"rmwbench/internal/registry"
)

// Verdict is what a check comes to.
type Verdict string

// The verdicts.
const (
	Holds      Verdict = "holds"
	Differs    Verdict = "differs"
	NotChecked Verdict = "not checked"
)

// Answer is a verdict and, in words, what it rests on: what was seen, or why
// nothing was checked.
type Answer struct {
	Verdict Verdict
	Seen    string
}

// judge is the answer of a check that came to its end.
func judge(holds bool, format string, args ...any) Answer {
	verdict := Differs
	if holds {
		verdict = Holds
	}
	return Answer{verdict, fmt.Sprintf(format, args...)}
}

// notChecked is the answer of a check that could not tell.
func notChecked(format string, args ...any) Answer {
	return Answer{NotChecked, fmt.Sprintf(format, args...)}
}

// Need says what a check takes.
type Need uint8

// The needs.
const (
	// OwnKeys: harmless commands on keys of its own.
	OwnKeys Need = iota
	// Leave: it touches what others use - the script cache, the function
	// libraries, a moment of the server's only thread.
	Leave
	// OwnServer: it empties, blocks, kills or restarts servers, or joins two.
	OwnServer
)

// Claim is one thing that people say.
type Claim struct {
	Says   string // one sentence
	Source string // where the server's documentation speaks of it
	Needs  Need
	Check  func(*Case) Answer
}

// All holds the claims by name. A name begins with what the claim is about.
var All = registry.New[Claim]("claim")

// Where the documentation speaks of it.
const (
	docs         = "https://redis.io/docs/latest/"
	transactions = docs + "develop/using-commands/transactions/"
	evalIntro    = docs + "develop/programmability/eval-intro/"
	functions    = docs + "develop/programmability/functions-intro/"
	luaAPI       = docs + "develop/programmability/lua-api/"
	clusterSpec  = docs + "operate/oss_and_stack/reference/cluster-spec/"
)
