package conformance

import (
	"fmt"
	"math/rand/v2"
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

var amounts = []string{"0", "1", "2", "9", "100", "1099511627777"}

// state makes a random state of a key: missing, a value, a value that will
// expire, or another type.
func state(rng *rand.Rand, key string) []resp.Cmd {
	clear := resp.Cmd{"DEL", key}
	value := values[rng.IntN(len(values))]
	switch rng.IntN(8) {
	case 0:
		return []resp.Cmd{clear}
	case 1:
		return []resp.Cmd{clear, {"RPUSH", key, value}}
	case 2, 3:
		return []resp.Cmd{clear, {"SET", key, value, "EX", "1000"}}
	}
	return []resp.Cmd{clear, {"SET", key, value}}
}

// seen is the state a key is left in. Time to live to the second: the pair is
// played a moment apart.
func seen(t *testing.T, s strategies.Session, key string) string {
	r := do(t, s, resp.Cmd{"TYPE", key}, resp.Cmd{"GET", key}, resp.Cmd{"TTL", key})
	expires := r[2].Int > 0
	return fmt.Sprintf("%s %v expires=%v", r[0].Str, r[1], expires)
}

// differential plays the same random ops on the same random states through two
// strategies and compares verdict, answer and the state they leave.
func differential(t *testing.T, w world, workload workloads.Workload, one, other strategies.Strategy, inDomain func(stored string) bool) {
	session := w.dial(t, 1)
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range 600 {
		seed := rng.Uint64()
		args := []string{amounts[rng.IntN(len(amounts))]}
		var outs [2]strategies.Outcome
		var states [2]string
		var stored string
		for j, strategy := range []strategies.Strategy{one, other} {
			key := fmt.Sprintf("differential:%d", j)
			do(t, session, state(rand.New(rand.NewPCG(seed, seed)), key)...)
			stored = do(t, session, resp.Cmd{"GET", key})[0].Str
			outs[j] = strategy.Attempt(session, workload, workloads.Op{Keys: []string{key}, Args: args})
			states[j] = seen(t, session, key)
		}
		if !inDomain(stored) {
			continue
		}
		if outs[0].Verdict != outs[1].Verdict || outs[0].Answer != outs[1].Answer || states[0] != states[1] {
			t.Errorf("%d: %v on %q: %v %q leaves %s, and %v %q leaves %s", i, args, stored,
				outs[0].Verdict, outs[0].Answer, states[0], outs[1].Verdict, outs[1].Answer, states[1])
		}
		if w.embedded {
			continue // its errors have their own words
		}
		if a, b := outs[0].Class(), outs[1].Class(); a != b {
			t.Errorf("%d: %v on %q: class %q and class %q", i, args, stored, a, b)
		}
	}
}

func anything(string) bool { return true }

// Every script does what its twin in Go decides, in every state.
func TestScriptsAgainstTheirTwins(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		lua, _ := strategies.All.Get("lua")
		watch, _ := strategies.All.Get("watch-pipelined")
		for _, name := range workloads.All.Names() {
			workload, _ := workloads.All.Get(name)
			if _, ok := workload.(workloads.Scripted); !ok {
				continue
			}
			t.Run(name, func(t *testing.T) {
				differential(t, w, workload, lua.Strategy, watch.Strategy, anything)
			})
		}
	})
}

// Every single command does what the workload decides, where both understand
// the state: the command counts to 2^63, the workload to 2^53. The embedded
// server counts on from 007 and +1 and is left out.
func TestCommandsAgainstWorkloads(t *testing.T) {
	faithfulWorlds(t, func(t *testing.T, w world) {
		atomic, _ := strategies.All.Get("atomic")
		watch, _ := strategies.All.Get("watch-pipelined")
		for _, name := range workloads.All.Names() {
			workload, _ := workloads.All.Get(name)
			if _, ok := workload.(workloads.Atomic); !ok {
				continue
			}
			t.Run(name, func(t *testing.T) {
				differential(t, w, workload, atomic.Strategy, watch.Strategy, func(stored string) bool {
					return len(stored) < len("9007199254740991")
				})
			})
		}
	})
}
