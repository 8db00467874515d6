package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"rmwbench/internal/resp"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// values are states that a key may be in, the awkward ones included.
var values = []string{
	"0", "1", "-1", "7", "10", "100", "-100", "999999999", "1099511627776", "-1099511627776",
	"9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740992", "-9007199254740993",
	"9223372036854775807", "-9223372036854775808", "9223372036854775808", "99999999999999999999",
	"00", "-0", "+1", "01", "1.0", "3.5", "1e3", "0x10", " 1", "1 ", "", "many", "inf", "nan", "NULL",
}

var amounts = []string{"0", "2", "9", "100"}

// state makes a random state of a workload's keys: one that its ops lead to,
// mostly spoilt.
func state(t *testing.T, rng *rand.Rand, s strategies.Session, workload workloads.Workload, base string) {
	t.Helper()
	do(t, s, append(resp.Cmd{"DEL"}, workload.Keys(base)...))
	do(t, s, workload.Setup(base)...)
	for n := range rng.IntN(6) {
		step, _ := reference(t, s, workload, workload.Next(rng, n, base))
		do(t, s, step.Cmds...)
	}
	for _, key := range workload.Keys(base) {
		switch rng.IntN(9) {
		case 0:
			do(t, s, resp.Cmd{"DEL", key})
		case 1:
			do(t, s, resp.Cmd{"DEL", key}, resp.Cmd{"RPUSH", key, "a"})
		case 2, 3:
			spoil(t, rng, s, key)
			do(t, s, resp.Cmd{"EXPIRE", key, "1000"})
		case 4, 5, 6:
			spoil(t, rng, s, key)
		}
	}
}

// spoil puts an awkward value into a key, in a place that is in use.
func spoil(t *testing.T, rng *rand.Rand, s strategies.Session, key string) {
	t.Helper()
	value := values[rng.IntN(len(values))]
	switch kind := do(t, s, resp.Cmd{"TYPE", key})[0].Str; kind {
	case "none", "string":
		length := do(t, s, resp.Cmd{"STRLEN", key})[0].Int
		if length > 0 && rng.IntN(2) == 0 {
			do(t, s, resp.Cmd{"SETRANGE", key, strconv.FormatInt(rng.Int64N(length), 10), value})
			return
		}
		do(t, s, resp.Cmd{"SET", key, value})
	case "hash":
		var fields []string
		for i, e := range do(t, s, resp.Cmd{"HGETALL", key})[0].Elems {
			if i%2 == 0 {
				fields = append(fields, e.Str)
			}
		}
		slices.Sort(fields)
		field := fields[rng.IntN(len(fields))]
		do(t, s, []resp.Cmd{{"HSET", key, field, value}, {"HDEL", key, field}}[rng.IntN(4)/3])
	case "set":
		members := do(t, s, resp.Cmd{"SMEMBERS", key})[0].Elems
		slices.SortFunc(members, func(a, b resp.Reply) int { return strings.Compare(a.Str, b.Str) })
		do(t, s, resp.Cmd{"SREM", key, members[rng.IntN(len(members))].Str}, resp.Cmd{"SADD", key, value})
	case "zset":
		member := do(t, s, resp.Cmd{"ZRANGE", key, "0", "0"})[0].Elems[0].Str
		s.Exchange(resp.Cmd{"ZADD", key, value, member}) // not every value is a score
	default:
		t.Fatalf("%s holds a %s, which nobody spoils", key, kind)
	}
}

// seen is the state a key is left in. Time to live to the second: the pair is
// played a moment apart.
func seen(t *testing.T, s strategies.Session, key string) string {
	r := do(t, s, resp.Cmd{"TYPE", key}, resp.Cmd{"TTL", key})
	kind, expires := r[0].Str, r[1].Int > 0
	if kind == "none" {
		return kind
	}
	read := map[string]resp.Cmd{
		"string": {"GET", key}, "list": {"LRANGE", key, "0", "-1"}, "hash": {"HGETALL", key},
		"set": {"SMEMBERS", key}, "zset": {"ZRANGE", key, "0", "-1", "WITHSCORES"},
	}[kind]
	held := do(t, s, read)[0]
	if kind == "set" {
		slices.SortFunc(held.Elems, func(a, b resp.Reply) int { return strings.Compare(a.Str, b.Str) })
	}
	return fmt.Sprintf("%s %v expires=%v", kind, held, expires)
}

// differentialOps counts the ops that differential has played.
var differentialOps atomic.Uint64

// differential plays the same random ops on the same random states through two
// strategies and compares verdict, answer and the state they leave, unless the
// outcomes are excused.
func differential(t *testing.T, w world, plays int, workload workloads.Workload, one, other strategies.Strategy, excused func(one, other strategies.Outcome) bool) {
	session := w.dial(t, 1)
	seeds := rand.New(rand.NewPCG(11, 12))
	compared := map[strategies.Verdict]int{}
	if w.embedded {
		plays /= 2 // its Lua is slow
	}
	for i := range plays {
		seed := seeds.Uint64()
		var outs [2]strategies.Outcome
		var before, after [2]string
		var op workloads.Op
		for j, strategy := range []strategies.Strategy{one, other} {
			rng := rand.New(rand.NewPCG(seed, seed))
			base := fmt.Sprintf("differential:%d", j)
			state(t, rng, session, workload, base)
			op = workload.Next(rng, rng.IntN(100), base)
			op.ID = differentialOps.Add(1) // a token that is there already would answer
			op.Args = slices.Clone(op.Args)
			for k, arg := range op.Args {
				if _, err := strconv.Atoi(arg); err == nil && rng.IntN(2) == 0 {
					op.Args[k] = amounts[rng.IntN(len(amounts))]
				}
			}
			for _, key := range workload.Keys(base) {
				before[j] += seen(t, session, key) + "\n"
			}
			outs[j] = strategy.Attempt(session, workload, op)
			for _, key := range workload.Keys(base) {
				after[j] += seen(t, session, key) + "\n"
			}
		}
		if before[0] != before[1] {
			t.Fatalf("%d: two states instead of one:\n%s%s", i, before[0], before[1])
		}
		if excused(outs[0], outs[1]) {
			continue
		}
		compared[outs[0].Verdict]++
		if outs[0].Verdict != outs[1].Verdict || outs[0].Answer != outs[1].Answer || after[0] != after[1] {
			t.Errorf("%d: %v on\n%s%v %q %s leaves\n%sand %v %q %s leaves\n%s", i, op.Args, before[0],
				outs[0].Verdict, outs[0].Answer, outs[0].Error, after[0], outs[1].Verdict, outs[1].Answer, outs[1].Error, after[1])
		}
		if w.embedded {
			continue // its errors have their own words
		}
		if a, b := outs[0].Class(), outs[1].Class(); a != b {
			t.Errorf("%d: %v on\n%sclass %q and class %q", i, op.Args, before[0], a, b)
		}
	}
	if compared[strategies.Committed] == 0 || compared[strategies.Failed] == 0 && plays >= 100 {
		t.Errorf("compared %v: too few", compared)
	}
}

func never(_, _ strategies.Outcome) bool { return false }

// bolder says that a command dares what the workload does not: it has an answer
// in a state that the workload does not understand, as INCRBY counts to 2^63
// where the workload counts to 2^53; or it says no without looking at a type.
func bolder(command, workload strategies.Outcome) bool {
	if workload.Verdict != strategies.Failed || workload.Effect != workloads.EffectNone {
		return false
	}
	return command.Verdict == strategies.Rejected || command.Verdict == strategies.Committed && workload.Class() != "WRONGTYPE"
}

// sizes are ones of a value: the least, an odd one, one that is not its
// workload's own, and one that comes in several segments.
var sizes = []int{workloads.MinSize, 101, 20_000}

// Every script does what its twin in Go decides, in every state.
func TestScriptsAgainstTheirTwins(t *testing.T) {
	everyProtocol(t, func(t *testing.T, w world) {
		lua, _ := strategies.All.Get("lua")
		watch, _ := strategies.All.Get("watch-pipelined")
		for _, name := range workloads.Ungrouped() {
			workload, _ := workloads.All.Get(name)
			if _, ok := workload.(workloads.Scripted); !ok {
				continue
			}
			t.Run(name, func(t *testing.T) {
				differential(t, w, 200, workload, lua.Strategy, watch.Strategy, never)
			})
			if sized, ok := workload.(workloads.Sized); ok {
				for _, bytes := range sizes {
					t.Run(fmt.Sprintf("%s of %d bytes", name, bytes), func(t *testing.T) {
						differential(t, w, 200, sized.WithSize(bytes), lua.Strategy, watch.Strategy, never)
					})
				}
			}
		}
	})
}

// Every single command does what the workload decides, where both understand
// the state. The embedded server counts on from 007 and +1 and is left out.
func TestCommandsAgainstWorkloads(t *testing.T) {
	faithfulWorlds(t, func(t *testing.T, w world) {
		atomic, _ := strategies.All.Get("atomic")
		watch, _ := strategies.All.Get("watch-pipelined")
		for _, name := range workloads.Ungrouped() {
			workload, _ := workloads.All.Get(name)
			if _, ok := workload.(workloads.Atomic); !ok {
				continue
			}
			t.Run(name, func(t *testing.T) {
				differential(t, w, 200, workload, atomic.Strategy, watch.Strategy, bolder)
			})
		}
	})
}
