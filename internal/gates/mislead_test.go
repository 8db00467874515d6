package gates

import (
	"math"
	"testing"

	"rmwbench/results"
)

// Where 1/(1-p) and p^m mislead: conflicts are not independent, and the
// simulator shows by how much. The figures are the independent simulation's.

// moreThan is the share of committed ops that took more than n attempts.
func moreThan(run *results.Run, n int) float64 {
	most := 0.0
	for i := 1; i <= n; i++ {
		most += float64(run.AttemptsHistogram.At(i))
	}
	return 1 - most/float64(run.Committed)
}

// atAttempt is the conflict probability of an op's nth attempt.
func atAttempt(run *results.Run, n int) float64 {
	return float64(run.ConflictsByAttempt.At(n)) / float64(run.AttemptsByAttempt.At(n))
}

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	t.Logf("%s: %.4f, reference %v", what, got, want)
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.4f, want %v +- %v", what, got, want, tolerance)
	}
}

// First attempts promise 1.26 attempts for a commit where 7 happen, because
// failures sit on the hot keys.
func TestFirstAttemptsMislead(t *testing.T) {
	w := way{point{1000, 1000, 0.99, 64}, "watch-pipelined", "none"}
	run := simulate(t, w.plan(200_000, 6_000_000*longer()), 0, jittered)
	p1 := atAttempt(run, 1)
	within(t, "p of first attempts", p1, 0.21, 0.01)
	within(t, "attempts by first attempts", 1/(1-p1), 1.26, 0.02)
	within(t, "attempts", float64(run.Attempts)/float64(run.Committed), 7, 0.2)
	within(t, "p of eighth attempts", atAttempt(run, 8), 0.97, 0.01)
	within(t, "more than five attempts", moreThan(run, 5), 0.12, 0.01)
	within(t, "p^5", math.Pow(found(run).p, 5), 0.46, 0.02)
}

// With two clients and full jitter the winner returns while the loser waits,
// and giving up after five attempts is twenty times as likely as p^5.
func TestWinnersReturn(t *testing.T) {
	w := way{point{1000, 1, 0, 2}, "watch-pipelined", "full"}
	run := simulate(t, w.plan(1_000_000, 60_000_000*longer()), 0, jittered)
	within(t, "p^5", math.Pow(found(run).p, 5), 0.0016, 0.0002)
	within(t, "more than five attempts", moreThan(run, 5), 0.032, 0.003)
}
