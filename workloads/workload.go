// Package workloads owns what a read-modify-write means: what an operation
// reads, what it decides and writes, the script and the single command that do
// the same, and the ledger that proves afterwards that no effect was lost. It
// is pure: it never talks to a server and never looks at a clock.
//
// A workload is one file that registers itself. Each renews itself, so that
// the last second of a run contends like the first.
package workloads

import (
	"math/rand/v2"
	"time"

	"rmwbench/internal/registry"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/scripts"
)

// All holds every workload by name.
var All = registry.New[Workload]("workload")

// Op is one operation a user wants done. Keys and Args are KEYS and ARGV of
// the workload's script, so that a script call can be read back as an Op.
type Op struct {
	ID       uint64 // unique within a trial; see OpID
	Attempt  int    // number of the attempt, from 1: with ID, unique too
	Keys     []string
	Args     []string
	Decision time.Duration // what a client spends between its last read and its write
	Token    time.Duration // how long a token of the op lives, for strategies that leave one; 0: an hour
	Spin     int64         // iterations that a script keeps the server busy with first; 0: it does not
}

// OpID is the ID of the n-th op of a client.
func OpID(client, n int) uint64 { return uint64(client)<<40 | uint64(n) }

// client is who does the op.
func (o Op) client() uint64 { return o.ID >> 40 }

// number is which of the client's ops it is.
func (o Op) number() uint64 { return o.ID & (1<<40 - 1) }

// Workload says what an op does. Keys of one op are made from one base name,
// which carries a hash tag, so that they share a slot in a cluster; the first
// key is the base itself. All ops that commit read and write as many commands
// in as many steps, and so do all that are rejected.
type Workload interface {
	Summary() string
	// Keys lists every key that ops on the base may touch.
	Keys(base string) []string
	// Setup is the state every trial starts from, after the keys are removed.
	Setup(base string) []resp.Cmd
	// Next draws the n-th op of a client (n from 0) on the base.
	Next(rng *rand.Rand, n int, base string) Op
	// Begin starts the decision of one attempt.
	Begin(op Op) Body
}

// Body is one attempt at deciding an op. It is driven by replies: the first
// call gets nil, each later call the replies to the reads of the step before.
type Body interface {
	Next(replies []resp.Reply) Step
}

// StepKind says what a body wants.
type StepKind uint8

// Read and Do are one more exchange; the others end the body.
const (
	Read   StepKind = iota
	Do              // of commands that write, as they stand; by Stepped bodies only
	Commit          // apply Cmds, all of them at once
	Reject          // the business rule says no: an answer, not an error
	Fail            // the state is not one the workload understands
)

// Step is what a body wants next.
type Step struct {
	Kind   StepKind
	Cmds   []resp.Cmd // reads for Read, writes for Do and Commit; for Reject, what a twin writes all the same
	Answer string     // for Commit and Reject
	Error  string     // for Fail: the text of the error, class first
}

// Effect says how much of an attempt reached the stored state.
type Effect uint8

// EffectPart is an attempt of which some commands failed and others may have
// been applied; EffectMaybe is one whose reply was lost.
const (
	EffectNone Effect = iota
	EffectAll
	EffectPart
	EffectMaybe
)

// Scripted is a workload whose op can run as one script on the server.
type Scripted interface {
	Script() scripts.Script
}

// Atomic is a workload whose op one command of the server can express.
type Atomic interface {
	// Form names the command, and behind a semicolon the one that prepares the
	// next op where the same cannot: "INCRBY", "GETDEL; SET NX to issue".
	Form() string
	Command(op Op) resp.Cmd
	// Judge reads the command's reply, which is no error.
	Judge(op Op, reply resp.Reply) (committed bool, answer string)
}

// Already is a workload whose command is refused where the op was done before.
type Already interface {
	// Already reports whether an error reply says so: an answer, not a failure.
	Already(reply resp.Reply) bool
}

// Stepped is a workload whose op can be done as a sequence of exchanges that
// nothing holds together: the client may be lost between any two of them.
type Stepped interface {
	// Steps starts one attempt. Its Cmds travel as they stand, those of Commit
	// as a last exchange; it may say Commit without any.
	Steps(op Op) Body
}

// Linking is a workload with payloads and pointers to them: a set at Pointer
// whose members have a payload each.
type Linking interface {
	Pointer(base string) string
	Payload(base, member string) string
}

// Tokened is a workload whose steps leave the op's token behind.
type Tokened interface{ Tokened() }

// NotAtomic is a workload that can say why no single command expresses it.
type NotAtomic interface {
	NotAtomic() string
}

// Shrinking is a workload whose writes take one of several fields out of a
// hash, a change that not every server's WATCH sees.
type Shrinking interface {
	Shrinking()
}

// ReadBack is a workload of whose ops the stored state can be asked whether
// they were applied. What it says is a guess: others may have written since.
type ReadBack interface {
	// ReadBack are the commands whose replies Applied wants.
	ReadBack(op Op) []resp.Cmd
	Applied(op Op, replies []resp.Reply) bool
}

// Ledger keeps what clients were told during one trial, from its first
// exchange to the last drained op, warm-up included, and holds it against the
// stored state. It is plain data; its user guards it.
type Ledger interface {
	Note(op Op, effect Effect, answer string)
	// Merge adds the notes of another ledger of the same workload.
	Merge(Ledger)
	// Reads are the commands whose replies Check wants for one base.
	Reads(base string) []resp.Cmd
	Check(base string, replies []resp.Reply, audit *results.Audit)
}

// Audited is a workload that keeps a ledger.
type Audited interface {
	NewLedger() Ledger
}

// ScriptVerdict reads the convention of all scripts: {1, answer} wrote and
// {0, answer} was rejected. ok is false for any other reply.
func ScriptVerdict(reply resp.Reply) (committed bool, answer string, ok bool) {
	if reply.Kind != resp.Array || len(reply.Elems) != 2 {
		return false, "", false
	}
	status, text := reply.Elems[0], reply.Elems[1]
	if status.Kind != resp.Int || text.Kind != resp.String {
		return false, "", false
	}
	return status.Int == 1, text.Str, true
}
