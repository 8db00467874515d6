package report

import (
	"rmwbench/results"
	"rmwbench/strategies"
)

// Joined is several settings as one, for what is compared across them. cell is
// what they have in common: the axes in which they differ are zero in it. It
// needs a setting.
func Joined(cell results.Cell, settings ...*Setting) *Setting {
	first := settings[0]
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
	return s.achieved(row, row.ScriptTimeNS, func(a results.Achieved) *results.Spread { return a.ScriptTimeNS })
}

// Decision is the mean time that the clients of a row spent deciding, in
// seconds, as ScriptTime is that of the server.
func (s *Setting) Decision(row *results.Summary) float64 {
	return s.achieved(row, row.DecisionNS, func(a results.Achieved) *results.Spread { return a.DecisionNS })
}

func (s *Setting) achieved(row *results.Summary, asked int64, which func(results.Achieved) *results.Spread) float64 {
	if asked == 0 {
		return 0
	}
	sum, n := 0.0, 0
	for _, r := range s.RunsOf(row) {
		if a := which(r.Achieved); a != nil && a.Mean > 0 {
			sum += float64(a.Mean)
			n++
		}
	}
	if n == 0 {
		return float64(asked) / 1e9
	}
	return sum / float64(n) / 1e9
}

// RoundTrip is the mean time that an exchange spends outside of an idle server,
// in seconds: the network, by the profile or else by the pings before the load,
// and the injected delay as achieved.
func (s *Setting) RoundTrip() float64 {
	network := s.network
	if network == 0 {
		network = float64(s.Server.PingNS) / 1e9
	}
	sum, n := 0.0, 0
	for i := range s.Rows {
		if s.Rows[i].Trials > 0 {
			sum += s.achieved(&s.Rows[i], s.RTTNS, func(a results.Achieved) *results.Spread { return a.RTTNS })
			n++
		}
	}
	return network + sum/float64(max(n, 1))
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
