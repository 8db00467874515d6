package cli

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"rmwbench/internal/report"
	"rmwbench/results"
)

// column is one figure of a summary, as text; empty where there is none.
type column struct {
	name string
	text func(s *results.Summary) string
}

func optional(v float64, ok bool) string {
	if !ok {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

func quantile(q float64) func(*results.Summary) string {
	return func(s *results.Summary) string {
		d, ok := s.Latency.Quantile(q)
		if !ok {
			return ""
		}
		return strconv.FormatInt(int64(d), 10)
	}
}

// columns are the figures of the CSV table. Names are those of the results
// file, with units.
var columns = []column{
	{"strategy", func(s *results.Summary) string { return s.Strategy }},
	{"workload", func(s *results.Summary) string { return s.Workload }},
	{"clients", func(s *results.Summary) string { return strconv.Itoa(s.Clients) }},
	{"keys", func(s *results.Summary) string { return strconv.Itoa(s.Keys) }},
	{"dist", func(s *results.Summary) string { return s.Dist }},
	{"skew", func(s *results.Summary) string { return fmt.Sprint(s.Skew) }},
	{"hot", func(s *results.Summary) string { return s.Hot }},
	{"decision_ns", func(s *results.Summary) string { return fmt.Sprint(s.DecisionNS) }},
	{"rtt_ns", func(s *results.Summary) string { return fmt.Sprint(s.RTTNS) }},
	{"think_ns", func(s *results.Summary) string { return fmt.Sprint(s.ThinkNS) }},
	{"backoff", func(s *results.Summary) string { return s.Backoff }},
	{"max_tries", func(s *results.Summary) string { return strconv.Itoa(s.MaxTries) }},
	{"trials", func(s *results.Summary) string { return strconv.Itoa(s.Trials) }},
	{"elapsed_ns", func(s *results.Summary) string { return fmt.Sprint(int64(s.Elapsed / time.Nanosecond)) }},
	{"committed", func(s *results.Summary) string { return fmt.Sprint(s.Committed) }},
	{"rejected", func(s *results.Summary) string { return fmt.Sprint(s.Rejected) }},
	{"gave_up", func(s *results.Summary) string { return fmt.Sprint(s.GaveUp) }},
	{"failed", func(s *results.Summary) string { return fmt.Sprint(s.Failed) }},
	{"unknown", func(s *results.Summary) string { return fmt.Sprint(s.Unknown) }},
	{"unfinished", func(s *results.Summary) string { return fmt.Sprint(s.Unfinished) }},
	{"goodput_per_s", func(s *results.Summary) string {
		return goodput(s, func(i results.Interval) float64 { return i.Center })
	}},
	{"goodput_lo_per_s", func(s *results.Summary) string { return goodput(s, func(i results.Interval) float64 { return i.Lo }) }},
	{"goodput_hi_per_s", func(s *results.Summary) string { return goodput(s, func(i results.Interval) float64 { return i.Hi }) }},
	{"attempts_per_op", func(s *results.Summary) string { return optional(s.AttemptsPerOp()) }},
	{"conflict_rate", func(s *results.Summary) string { return optional(s.ConflictRate()) }},
	{"exchanges_per_op", func(s *results.Summary) string { return optional(s.ExchangesPerOp()) }},
	{"latency_p50_ns", quantile(0.5)},
	{"latency_p99_ns", quantile(0.99)},
	{"latency_p999_ns", quantile(0.999)},
	{"audit", func(s *results.Summary) string { return s.Audit.Verdict }},
	{"lost", func(s *results.Summary) string { return fmt.Sprint(s.Audit.Lost) }},
	{"extra", func(s *results.Summary) string { return fmt.Sprint(s.Audit.Extra) }},
}

func goodput(s *results.Summary, part func(results.Interval) float64) string {
	return optional(part(s.Goodput()), s.Trials > 0)
}

// printCSV prints one line for each cell. Void rows keep their figures here,
// with the audit's verdict beside them.
func printCSV(w io.Writer, r *report.Report) error {
	out := csv.NewWriter(w)
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = c.name
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for _, s := range r.Settings {
		for i := range s.Rows {
			for j, c := range columns {
				line[j] = c.text(&s.Rows[i])
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}
