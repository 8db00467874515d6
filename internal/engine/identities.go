package engine

import (
	"fmt"
	"math"
	"time"

	"rmwbench/results"
)

// spent is where one client's time in the window went, and what attempts it
// took that ended there.
type spent struct {
	attempts, waits, rests time.Duration // as far as they lie in the window

	count   int64
	whole   time.Duration // of attempts that ended in the window, their beginnings before it included
	longest time.Duration // attempt
}

// attempt enters an attempt from start to end.
func (s *spent) attempt(w window, start, end time.Duration) {
	s.attempts += w.part(start, end)
	s.longest = max(s.longest, end-start)
	if w.holds(end) {
		s.count++
		s.whole += end - start
	}
}

// part is how much of the time from start to end lies in the window.
func (w window) part(start, end time.Duration) time.Duration {
	return max(min(end, w.to)-max(start, w.from), 0)
}

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
	var inferred int64
	for _, c := range clients {
		inferred += c.inferred
	}
	others := run.Verdicts[results.Rejected.String()] + run.Verdicts[results.Failed.String()] + run.Verdicts[results.Unknown.String()]
	switch {
	case sum != run.Attempts || run.AttemptsByAttempt.Total() != run.Attempts:
		return fmt.Errorf("%d attempts, %d verdicts, %d attempts by number", run.Attempts, sum, run.AttemptsByAttempt.Total())
	case run.Conflicts != run.Verdicts[results.Conflict.String()] || run.ConflictsByAttempt.Total() != run.Conflicts:
		return fmt.Errorf("%d conflicts, %d by verdict, %d by number", run.Conflicts, run.Verdicts[results.Conflict.String()], run.ConflictsByAttempt.Total())
	case run.Attempts-run.Conflicts-others+inferred != run.Committed:
		return fmt.Errorf("%d ops committed, but %d attempts did, and %d ops seem to have", run.Committed, run.Attempts-run.Conflicts-others, inferred)
	case run.Latency.Count() != run.Committed:
		return fmt.Errorf("%d latencies of %d committed ops", run.Latency.Count(), run.Committed)
	}
	if s := run.Series; s != nil {
		var all results.Point
		for _, p := range s.Points {
			all.Committed += p.Committed
			all.Rejected += p.Rejected
			all.Attempts += p.Attempts
			all.Conflicts += p.Conflicts
		}
		if want := (results.Point{Committed: run.Committed, Rejected: run.Rejected, Attempts: run.Attempts, Conflicts: run.Conflicts}); all != want {
			return fmt.Errorf("the points of the series come to %+v of %+v", all, want)
		}
	}
	for _, c := range clients {
		s := &c.spent
		if there, sum := l.window.part(c.came, c.left), s.attempts+s.waits+s.rests; there != sum {
			return fmt.Errorf("client %d was there for %v and spent %v", c.id, there, sum)
		}
	}
	if err := t.little(clients); err != nil {
		return err
	}
	return t.popularity(l.perKey)
}

// little is Little's law for attempts: attempts/s x A is how many are under way
// on average, as the clients' own time says. Attempts are counted at their ends,
// so that each client may have one more or less than fits into the window.
func (t *trial) little(clients []*client) error {
	run := &t.run
	var all spent
	for _, c := range clients {
		all.attempts += c.spent.attempts
		all.count += c.spent.count
		all.whole += c.spent.whole
		all.longest = max(all.longest, c.spent.longest)
	}
	if all.count != run.Attempts {
		return fmt.Errorf("%d attempts were recorded, clients made %d", run.Attempts, all.count)
	}
	if edge := time.Duration(len(clients)) * all.longest; (all.whole - all.attempts).Abs() > edge {
		return fmt.Errorf("attempts of %v were counted, clients spent %v in attempts", all.whole, all.attempts)
	}
	// The recorder's histogram has three digits, and ends at a minute.
	if mean := float64(run.AttemptLatency.Mean()) * float64(all.count); run.AttemptLatency.Clamped() == 0 && math.Abs(mean-float64(all.whole)) > 0.01*float64(all.whole)+float64(all.count) {
		return fmt.Errorf("attempts of %v were recorded, clients made %v", time.Duration(mean), all.whole)
	}
	return nil
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
