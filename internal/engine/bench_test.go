package engine

import (
	"sync/atomic"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// instant is a world whose server answers every command at once, so that what
// a benchmark measures is the engine itself.
type instant struct {
	clockwork
	replies []resp.Reply
}

func (w *instant) Session(string) (strategies.Session, error) { return w, nil }

func (w *instant) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	w.now++
	return w.replies[:len(cmds)], nil
}

// BenchmarkOp is what the engine adds to one op of the atomic strategy.
func BenchmarkOp(b *testing.B) {
	kind, _ := strategies.All.Get("atomic")
	workload, _ := workloads.All.Get("counter")
	dist, err := newDist(results.Cell{Dist: "uniform", Keys: 1})
	if err != nil {
		b.Fatal(err)
	}
	w := &instant{replies: []resp.Reply{resp.Integer(1 << 20)}}
	sh := newShards(1)
	sh.reset(1, workload, 0, false)
	l := &load{
		world: w, strategy: kind.Strategy, workload: workload, dist: dist, bases: []string{"rmwbench:0123456789ab:{0}"},
		retry: contention.Retry{}, window: window{0, time.Hour}, opsLeft: new(atomic.Int64),
	}
	l.opsLeft.Store(int64(b.N))
	c := newClient(l, 0, w, 1, sh[0])
	b.ReportAllocs()
	b.ResetTimer()
	c.run()
}
