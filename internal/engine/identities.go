package engine

import (
	"fmt"
	"math"
	"time"

	"rmwbench/results"
)

// spent is where one client's time went, over the whole load phase.
type spent struct{ attempts, waits, rests time.Duration }

func (s spent) total() time.Duration { return s.attempts + s.waits + s.rests }

// identities holds a run in virtual time against what must be true of every
// run; a difference is a fault of this program, and the run is worth nothing.
// Nothing but attempts, waits and rests takes a client's time there, so that
// all of it must be accounted for to the nanosecond.
func (t *trial) identities(l *load, clients []*client) error {
	run := &t.run
	var sum int64
	for _, n := range run.Verdicts {
		sum += n
	}
	others := run.Verdicts[results.Rejected.String()] + run.Verdicts[results.Failed.String()] + run.Verdicts[results.Unknown.String()]
	switch {
	case sum != run.Attempts || run.AttemptsByAttempt.Total() != run.Attempts:
		return fmt.Errorf("%d attempts, %d verdicts, %d attempts by number", run.Attempts, sum, run.AttemptsByAttempt.Total())
	case run.Conflicts != run.Verdicts[results.Conflict.String()] || run.ConflictsByAttempt.Total() != run.Conflicts:
		return fmt.Errorf("%d conflicts, %d by verdict, %d by number", run.Conflicts, run.Verdicts[results.Conflict.String()], run.ConflictsByAttempt.Total())
	case run.Attempts-run.Conflicts-others != run.Committed:
		return fmt.Errorf("%d ops committed, but %d attempts did", run.Committed, run.Attempts-run.Conflicts-others)
	case run.Latency.Count() != run.Committed:
		return fmt.Errorf("%d latencies of %d committed ops", run.Latency.Count(), run.Committed)
	}
	for _, c := range clients {
		if spent := c.spent.total(); spent != c.left-c.came {
			return fmt.Errorf("client %d was there for %v and spent %v", c.id, c.left-c.came, spent)
		}
	}
	if err := t.little(clients); err != nil {
		return err
	}
	return t.popularity(l.perKey)
}

// little is Little's law for the clients: attempts/s x (A + wait and rest per
// attempt) = C. Attempts are counted at their ends, so that each client may
// have one more or less than fits into the window.
func (t *trial) little(clients []*client) error {
	run := &t.run
	if run.Attempts == 0 || run.ElapsedNS == 0 {
		return nil
	}
	var all spent
	for _, c := range clients {
		all.attempts += c.spent.attempts
		all.waits += c.spent.waits
		all.rests += c.spent.rests
	}
	busy := float64(all.attempts) / float64(max(all.total(), 1)) // share of the clients' time that attempts take
	length := float64(run.AttemptLatency.Mean())
	got := float64(run.Attempts) / float64(run.ElapsedNS) * length
	want := busy * float64(len(clients))
	edge := float64(len(clients)) * float64(run.AttemptLatency.Max()+t.longestWait()) / float64(run.ElapsedNS)
	if t.cell.Herd || t.Plan.Ops > 0 {
		edge = math.Inf(1) // clients end one by one, so that there is no C
	}
	if math.Abs(got-want) > 0.01*want+2*edge {
		return fmt.Errorf("%.4g attempts are under way on average, and clients have time for %.4g", got, want)
	}
	return nil
}

// longestWait bounds one wait or rest of a client.
func (t *trial) longestWait() time.Duration {
	return time.Duration(max(t.cell.BackoffCapNS, t.cell.ThinkNS))
}

// popularity: key k commits at q_k X, where every op is answered. At either end
// of the window each client may have an op under way that is not counted.
func (t *trial) popularity(perKey []int64) error {
	if t.run.GaveUp+t.run.FailedOps()+t.run.Unknown > 0 {
		return nil
	}
	var total int64
	for _, n := range perKey {
		total += n
	}
	for k, n := range perKey {
		expected := t.dist.Mass(k) * float64(total)
		if math.Abs(float64(n)-expected) > 6*math.Sqrt(expected)+2*float64(t.cell.Clients)+10 {
			return fmt.Errorf("key %d was answered %d times of %d, its share is %.4g", k, n, total, t.dist.Mass(k))
		}
	}
	return nil
}
