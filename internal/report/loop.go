package report

import (
	"rmwbench/contention"
	"rmwbench/internal/model"
	"rmwbench/results"
	"rmwbench/strategies"
)

// Loop is what one attempt of a row takes, in seconds, as measured.
func (s *Setting) Loop(row *results.Summary) (model.Loop, bool) {
	var length, decision, attempts, exchanges float64
	for _, run := range s.Trials(row.Cell) {
		n := float64(run.Attempts)
		if run.AttemptLatency == nil || n == 0 {
			continue
		}
		attempts += n
		exchanges += float64(run.Exchanges)
		length += n * run.AttemptLatency.Mean().Seconds()
		if d := run.Achieved.DecisionNS; d != nil {
			decision += n * float64(d.P50) / 1e9
		}
	}
	if attempts == 0 || exchanges == 0 {
		return model.Loop{}, false
	}
	return model.LoopOf(length/attempts, decision/attempts, exchanges/attempts), true
}

// Popularity is how ops are spread over the setting's keys; ok is false for a
// distribution that this version does not know.
func (s *Setting) Popularity() (keys model.Keys, ok bool) {
	dist, err := contention.New(s.Dist, s.Keys, s.Skew, s.Hot)
	if err != nil {
		return nil, false
	}
	return model.KeysOf(dist), true
}

// LoadNumber is the rate of ops on the hottest key times the window in which
// another success kills an attempt; ok is false for a way without a window.
func (s *Setting) LoadNumber(row *results.Summary) (l float64, ok bool) {
	kind, err := strategies.All.Get(row.Strategy)
	if err != nil || !kind.Watches || row.Elapsed <= 0 {
		return 0, false
	}
	loop, ok := s.Loop(row)
	if !ok {
		return 0, false
	}
	keys, ok := s.Popularity()
	if !ok {
		return 0, false
	}
	rate := float64(row.Committed+row.Rejected) / row.Elapsed.Seconds()
	return model.LoadNumber(rate, keys[0].Mass, loop.Window), true
}
