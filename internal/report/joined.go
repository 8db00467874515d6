package report

import (
	"slices"

	"rmwbench/results"
	"rmwbench/strategies"
)

// Joined is several settings as one, for what is compared across them. cell is
// what they have in common, with zero for keys, decision and rate where these may
// differ; those that do not are put back. It needs a setting.
func Joined(cell results.Cell, settings ...*Setting) *Setting {
	first := settings[0]
	alike := func(equal func(s *Setting) bool) bool {
		return !slices.ContainsFunc(settings, func(s *Setting) bool { return !equal(s) })
	}
	if alike(func(s *Setting) bool { return s.Keys == first.Keys }) {
		cell.Keys = first.Keys
	}
	if alike(func(s *Setting) bool { return s.DecisionNS == first.DecisionNS }) {
		cell.DecisionNS = first.DecisionNS
	}
	if alike(func(s *Setting) bool { return s.Rate == first.Rate }) {
		cell.Rate = first.Rate
	}
	joined := &Setting{Cell: cell, Server: first.Server, Source: first.Source, network: first.network}
	for _, s := range settings {
		joined.Rows = append(joined.Rows, s.Rows...)
		joined.Predicted = append(joined.Predicted, s.Predicted...)
		joined.Unreached += s.Unreached
		joined.runs = append(joined.runs, s.runs...)
		joined.predictedRuns = append(joined.predictedRuns, s.predictedRuns...)
	}
	return joined
}

// RunsOf are the whole runs that a row is made of: one of Rows or one of
// Predicted.
func (s *Setting) RunsOf(row *results.Summary) (runs []results.Run) {
	if row.Source == s.Source {
		return s.Trials(row.Cell)
	}
	for _, r := range s.predictedRuns {
		if r.Cell == row.Cell && !r.Partial {
			runs = append(runs, r)
		}
	}
	return runs
}

// ScriptTime is the mean time that the server spent in each script of a row, in
// seconds: as achieved, or as asked for where nobody measured it; 0 for a row
// without script time.
func (s *Setting) ScriptTime(row *results.Summary) float64 {
	if row.ScriptTimeNS == 0 {
		return 0
	}
	mean, ok := s.achieved(row, func(a results.Achieved) *results.Spread { return a.ScriptTimeNS })
	if !ok {
		return float64(row.ScriptTimeNS) / 1e9
	}
	return mean
}

// Decision is the mean time that the clients of a row spent deciding, in seconds;
// 0 for a way that leaves it to the server.
func (s *Setting) Decision(row *results.Summary) float64 {
	mean, _ := s.achieved(row, func(a results.Achieved) *results.Spread { return a.DecisionNS })
	return mean
}

// achieved is the mean of a time in a trial, in seconds, the middle one of a
// row's trials, as goodput is; ok is false where nobody measured it.
func (s *Setting) achieved(row *results.Summary, which func(results.Achieved) *results.Spread) (seconds float64, ok bool) {
	var means []float64
	for _, r := range s.RunsOf(row) {
		if a := which(r.Achieved); a != nil && a.Mean > 0 {
			means = append(means, float64(a.Mean)/1e9)
		}
	}
	return results.Median(means).Center, means != nil
}

// RoundTrip is the mean time that an exchange spends outside of an idle server,
// in seconds: the network, by the profile or else by the pings before the load,
// and the injected delay as achieved, or as asked for where nobody measured it.
func (s *Setting) RoundTrip() float64 {
	network := s.network
	if network == 0 {
		network = float64(s.Server.PingNS) / 1e9
	}
	injected, n := 0.0, 0
	for i := range s.Rows {
		if mean, ok := s.achieved(&s.Rows[i], func(a results.Achieved) *results.Spread { return a.RTTNS }); ok {
			injected += mean
			n++
		}
	}
	if n == 0 {
		return network + float64(s.RTTNS)/1e9
	}
	return network + injected/float64(n)
}

// commandsOfWatch are those of an attempt that reads and writes once: WATCH,
// GET, MULTI, SET, EXEC.
const commandsOfWatch = 5

// Command is the server's time for one command, in seconds, from its time for
// the attempts of WATCH loops; ok is false where it does not tell, or where
// there are none.
func (s *Setting) Command() (seconds float64, ok bool) {
	var server, attempts float64
	for i := range s.Rows {
		kind, err := strategies.All.Get(s.Rows[i].Strategy)
		if err != nil || !kind.Watches || kind.Control {
			continue
		}
		for _, run := range s.Trials(s.Rows[i].Cell) {
			if run.Server != nil && run.Server.CPUNS != nil {
				server += float64(*run.Server.CPUNS) / 1e9
				attempts += float64(run.Whole.Attempts)
			}
		}
	}
	if attempts == 0 || server <= 0 {
		return 0, false
	}
	return server / attempts / commandsOfWatch, true
}
