package report

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// EmbeddedWarning is what every table and picture of the embedded server says.
const EmbeddedWarning = "EMBEDDED SERVER: it shows shapes only. Its scripts run in a Go interpreter, " +
	"so its ranking of strategies is not Redis's."

// Short is a duration with three digits.
func Short(d time.Duration) string {
	v, unit := float64(d), "ns"
	switch {
	case d >= time.Second:
		v, unit = d.Seconds(), "s"
	case d >= time.Millisecond:
		v, unit = v/1e6, "ms"
	case d >= time.Microsecond:
		v, unit = v/1e3, "µs"
	default:
		return fmt.Sprintf("%d ns", d)
	}
	digits := 2
	switch {
	case v >= 99.95:
		digits = 0
	case v >= 9.995:
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, v, unit)
}

// About says what was run on what: a line or two for each run.
func About(h results.Header) (lines []string) {
	env := verdict.Count(h.Environment.Cores, "core")
	if h.Environment.CPU != "" {
		env += " (" + h.Environment.CPU + ")"
	}
	what := fmt.Sprintf("on %s, ping %s, RESP%d, %s",
		ServerName(h.Server), Short(time.Duration(h.Server.PingNS)), h.Server.Protocol, env)
	if h.Source == results.SourceSimulated {
		what = "SIMULATED, no server: costs of the profile " + h.Server.Address
	}
	lines = append(lines, fmt.Sprintf("rmwbench %s %s", h.Version, what),
		fmt.Sprintf("%s, %s of %s, seed %d", loop(h), verdict.Count(h.Trials, "trial"), length(h), h.Seed))
	if text := PingCeiling(h.Pings); text != "" {
		lines = append(lines, text)
	}
	if h.Source != results.SourceSimulated && h.Profile != nil {
		lines = append(lines, "Predictions: simulated from costs that were measured just before, and from the waits that each cell achieved.")
	}
	switch h.ScriptTime {
	case results.ScriptTimeAsked:
		lines = append(lines, "Script time: as asked for with --script-time. A script keeps its server busy for so long, beyond its own work.")
	case results.ScriptTimeDecision:
		lines = append(lines, "Script time: that of each row's decision, which a script makes on its server. Nothing else was asked for (--script-time).")
	}
	switch {
	case h.Source == results.SourceSimulated:
	case h.Server.Embedded:
		lines = append(lines, EmbeddedWarning)
	case h.Server.Product == "unknown":
		lines = append(lines, "The server does not answer INFO: its version, its counts of commands and its own time are missing.")
	}
	return lines
}

// ServerName is the product and version of a server, and whose it is.
func ServerName(f results.ServerFacts) string {
	s := f.Product
	if f.Version != "" {
		s += " " + f.Version
	}
	switch {
	case f.Embedded:
		return s + " (embedded)"
	case f.Started:
		return s + " (throw-away)"
	}
	return s + " at " + f.Address
}

// loop says where ops come from.
func loop(h results.Header) string {
	open := slices.ContainsFunc(h.Cells, func(c results.Cell) bool { return c.Rate > 0 })
	closed := slices.ContainsFunc(h.Cells, func(c results.Cell) bool { return c.Rate == 0 })
	switch {
	case open && closed:
		return "closed and open loops"
	case open:
		return "open loop: ops arrive at random times, whoever is ready, and latencies count from then"
	}
	return "closed loop"
}

func length(h results.Header) string {
	switch {
	case h.Ops == 0 && h.DurationNS == 0:
		return "one op of each client, all at once"
	case h.Ops > 0 && h.DurationNS > 0:
		return fmt.Sprintf("%d ops or %v", h.Ops, time.Duration(h.DurationNS))
	case h.Ops > 0:
		return fmt.Sprintf("%d ops", h.Ops)
	}
	return fmt.Sprintf("%v after %v of warm-up", time.Duration(h.DurationNS), time.Duration(h.WarmupNS))
}

// Load says what all rows of the setting do: workload and keys, whose number a
// joined setting may not have.
func (s *Setting) Load() string {
	keys := "1 key"
	if s.Keys != 1 {
		keys = "several numbers of keys, " + s.Dist
		if s.Keys > 1 {
			keys = fmt.Sprintf("%d keys, %s", s.Keys, s.Dist)
		}
		switch {
		case s.Hot != "":
			keys += " " + s.Hot
		case s.Skew != 0:
			keys += fmt.Sprintf(" %v", s.Skew)
		}
	}
	what := s.Workload
	if s.ValueBytes > 0 {
		what += fmt.Sprintf(" of %d bytes", s.ValueBytes)
	}
	return what + " on " + keys
}

// Title is the load and the times that were injected, as asked for and as
// achieved.
func (s *Setting) Title() string {
	t := s.Load() + ", network delay " + s.asked(s.RTTNS, func(a results.Achieved) *results.Spread { return a.RTTNS })
	if s.DecisionNS > 0 {
		t += ", decision " + s.asked(s.DecisionNS, func(a results.Achieved) *results.Spread { return a.DecisionNS }) +
			" by the client"
		if s.hasScriptTime() {
			t += " (by a script on the server, as its row says; a single command decides in no time)"
		} else {
			t += " (a script or single command decides in no time)"
		}
	}
	if s.ThinkNS > 0 {
		t += fmt.Sprintf(", think %v", time.Duration(s.ThinkNS))
	}
	if s.Rate > 0 {
		t += ", open loop of " + strconv.FormatFloat(s.Rate, 'f', -1, 64) + "/s"
	}
	if s.Fault != "" {
		t += ", " + s.Fault + " of exchanges"
	}
	if b, ok := s.burst(); ok {
		t += fmt.Sprintf(", %s from %v on", burstOf(b), b.From)
	}
	if s.Herd {
		t += ", a herd"
	}
	t += besideOf(s.Cell)
	if s.Shards > 1 {
		t += fmt.Sprintf(", %d servers", s.Shards)
	}
	if s.ServerSpeed != 0 {
		t += fmt.Sprintf(", servers at %v times the profile's speed", s.ServerSpeed)
	}
	switch {
	case s.Source == results.SourceSimulated:
		t += ", SIMULATED"
	case s.Server.Embedded:
		t += ", EMBEDDED SERVER"
	}
	return t
}

// asked is an injected time and what it came to: the range of the medians of
// the trials.
func (s *Setting) asked(ns int64, which func(results.Achieved) *results.Spread) string {
	if ns == 0 {
		return "not injected"
	}
	var lo, hi int64
	for i := range s.runs {
		a := which(s.runs[i].Achieved)
		if a == nil {
			continue
		}
		if lo == 0 || a.P50 < lo {
			lo = a.P50
		}
		hi = max(hi, a.P50)
	}
	if hi == 0 {
		return time.Duration(ns).String()
	}
	if s.Source == results.SourceSimulated {
		return fmt.Sprintf("%v on average", time.Duration(ns))
	}
	return fmt.Sprintf("%v (achieved %s to %s)", time.Duration(ns), Short(time.Duration(lo)), Short(time.Duration(hi)))
}

// Remarks says in words what makes rows void and what did not go well.
func (s *Setting) Remarks() (lines []string) {
	if s.Unreached > 0 {
		lines = append(lines, fmt.Sprintf("%d of %d cells were not reached.", s.Unreached, s.Unreached+len(s.Rows)))
	}
	for i := range s.Rows {
		row := &s.Rows[i]
		who := Who(row.Cell)
		switch {
		case row.Audit.Void():
			lines = append(lines, fmt.Sprintf("VOID %s: %s.", who, row.Audit))
		case row.Audit.Unknown > 0:
			lines = append(lines, fmt.Sprintf("%s: audit %s.", who, row.Audit))
		}
		if text := rateMissed(row); text != "" {
			lines = append(lines, fmt.Sprintf("%s: %s", who, text))
		}
		for _, n := range []struct {
			count int64
			what  string
		}{{row.GaveUp, "gave up"}, {row.Failed, "failed"}, {row.Unknown, "ended unknown"}} {
			if n.count > 0 {
				lines = append(lines, fmt.Sprintf("%s: %s %s.", who, verdict.Count(int(n.count), "op"), n.what))
			}
		}
		if row.BystanderFailed > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s of bystanders failed.", who, verdict.Count(int(row.BystanderFailed), "read")))
		}
		if row.Partial > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s cut short and left out of the figures.", who, verdict.Count(row.Partial, "trial")))
		}
	}
	lines = append(lines, s.warnings()...)
	for _, text := range []string{s.invalid(), s.nearPings(), s.cutOff()} {
		if text != "" {
			lines = append(lines, text)
		}
	}
	if text := s.unpriced(); text != "" {
		lines = append(lines, text)
	}
	return lines
}

// unpriced says that a simulation has no price for the size of values, or "".
func (s *Setting) unpriced() string {
	what := "Predictions are"
	switch {
	case s.ValueBytes == 0 || s.Source != results.SourceSimulated && s.Predicted == nil:
		return ""
	case s.Source == results.SourceSimulated:
		what = "Figures are"
	}
	return what + " those of short values: a profile has no cost of a byte, so that large values come out too fast."
}

// cutOff says of which rows many ops were still running when their trial
// ended, or "".
func (s *Setting) cutOff() string {
	who := s.who(func(row *results.Summary) bool { return row.CutOff() && !row.Audit.Void() && row.Trials > 0 })
	if who == "" {
		return ""
	}
	return "Cut off (>): more than a tenth of the ops were still running when their trial ended, so latencies lack the longest, " +
		"and goodput may be that of a beginning (longer --warmup and --duration help): " + who + "."
}

// Witness says whether the server's own counts of commands bear ours out.
func (r *Report) Witness() string {
	if r.Source == results.SourceSimulated {
		return "Witness: none; every figure is simulated."
	}
	var agree, differ, unknown int
	for i := range r.Runs {
		switch run := &r.Runs[i]; {
		case run.Source != r.Source:
		case !run.Witnessed():
			unknown++
		case len(run.Disagreements()) > 0:
			differ++
		default:
			agree++
		}
	}
	text := "Witness: the server's own counts of commands "
	switch {
	case agree == 0 && differ == 0:
		return "Witness: none; the server tells no counts of commands, or replies were lost."
	case differ == 0 && unknown == 0 && agree == 1:
		text += "equal ours in the one trial."
	case differ == 0 && unknown == 0:
		text += fmt.Sprintf("equal ours in all %s.", verdict.Count(agree, "trial"))
	case differ == 0:
		text += fmt.Sprintf("equal ours in %d of %s; %d could not be compared.", agree, verdict.Count(agree+unknown, "trial"), unknown)
	default:
		text += fmt.Sprintf("differ from ours in %d of %s: somebody else used the server.", differ, verdict.Count(agree+differ+unknown, "trial"))
	}
	return text
}

// NotApplicable says which combinations cannot run, and why.
func (r *Report) NotApplicable() (lines []string) {
	seen := map[results.NotApplicable]bool{}
	for _, h := range r.Headers {
		for _, n := range h.NA {
			if !seen[n] {
				seen[n] = true
				lines = append(lines, fmt.Sprintf("%s x %s: n/a, %s.", n.Strategy, n.Workload, n.Reason))
			}
		}
	}
	return lines
}
