package cli

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/report"
	"rmwbench/results"
)

// column is one figure of a summary, as text; empty where there is none.
type column struct {
	name string
	text func(s *results.Summary) string
	// figure says that the text is void when the row is.
	figure bool
}

func optional(v float64, ok bool) string {
	if !ok {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

func quantile(q float64) func(*results.Summary) string {
	return func(s *results.Summary) string { return nanoseconds(s.Latency, q) }
}

func bystanderQuantile(q float64) func(*results.Summary) string {
	return func(s *results.Summary) string { return nanoseconds(s.Bystander, q) }
}

func nanoseconds(h *results.Histogram, q float64) string {
	d, ok := h.Quantile(q)
	if !ok {
		return ""
	}
	return strconv.FormatInt(int64(d), 10)
}

// columns are the figures of the CSV table. Names are those of the results
// file, with units.
var columns = []column{
	{"strategy", func(s *results.Summary) string { return s.Strategy }, false},
	{"workload", func(s *results.Summary) string { return s.Workload }, false},
	{"clients", func(s *results.Summary) string { return strconv.Itoa(s.Clients) }, false},
	{"keys", func(s *results.Summary) string { return strconv.Itoa(s.Keys) }, false},
	{"dist", func(s *results.Summary) string { return s.Dist }, false},
	{"skew", func(s *results.Summary) string { return fmt.Sprint(s.Skew) }, false},
	{"hot", func(s *results.Summary) string { return s.Hot }, false},
	{"decision_ns", func(s *results.Summary) string { return fmt.Sprint(s.DecisionNS) }, false},
	{"rtt_ns", func(s *results.Summary) string { return fmt.Sprint(s.RTTNS) }, false},
	{"script_time_ns", func(s *results.Summary) string { return fmt.Sprint(s.ScriptTimeNS) }, false},
	{"think_ns", func(s *results.Summary) string { return fmt.Sprint(s.ThinkNS) }, false},
	{"backoff", func(s *results.Summary) string { return s.Backoff }, false},
	{"max_tries", func(s *results.Summary) string { return strconv.Itoa(s.MaxTries) }, false},
	{"fault", func(s *results.Summary) string { return s.Fault }, false},
	{"on_unknown", func(s *results.Summary) string { return cmp.Or(s.OnUnknown, engine.PolicyStop) }, false},
	{"on_failed", func(s *results.Summary) string { return cmp.Or(s.OnFailed, engine.PolicyStop) }, false},
	{"conn", func(s *results.Summary) string { return s.Conn }, false},
	{"value_bytes", func(s *results.Summary) string { return strconv.Itoa(s.ValueBytes) }, false},
	{"herd", func(s *results.Summary) string { return strconv.FormatBool(s.Herd) }, false},
	{"shards", func(s *results.Summary) string { return strconv.Itoa(s.Shards) }, false},
	{"server_speed", func(s *results.Summary) string { return fmt.Sprint(s.ServerSpeed) }, false},
	{"source", func(s *results.Summary) string { return s.Source }, false},
	{"trials", func(s *results.Summary) string { return strconv.Itoa(s.Trials) }, false},
	{"elapsed_ns", func(s *results.Summary) string { return fmt.Sprint(int64(s.Elapsed / time.Nanosecond)) }, false},
	{"committed", func(s *results.Summary) string { return fmt.Sprint(s.Committed) }, true},
	{"rejected", func(s *results.Summary) string { return fmt.Sprint(s.Rejected) }, true},
	{"gave_up", func(s *results.Summary) string { return fmt.Sprint(s.GaveUp) }, true},
	{"failed", func(s *results.Summary) string { return fmt.Sprint(s.Failed) }, true},
	{"unknown", func(s *results.Summary) string { return fmt.Sprint(s.Unknown) }, true},
	{"unfinished", func(s *results.Summary) string { return fmt.Sprint(s.Unfinished) }, true},
	{"goodput_per_s", func(s *results.Summary) string {
		return goodput(s, func(i results.Interval) float64 { return i.Center })
	}, true},
	{"goodput_lo_per_s", func(s *results.Summary) string { return goodput(s, func(i results.Interval) float64 { return i.Lo }) }, true},
	{"goodput_hi_per_s", func(s *results.Summary) string { return goodput(s, func(i results.Interval) float64 { return i.Hi }) }, true},
	{"attempts_per_op", func(s *results.Summary) string { return optional(s.AttemptsPerOp()) }, true},
	{"conflict_rate", func(s *results.Summary) string { return optional(s.ConflictRate()) }, true},
	{"exchanges_per_op", func(s *results.Summary) string { return optional(s.ExchangesPerOp()) }, true},
	{"latency_p50_ns", quantile(0.5), true},
	{"latency_p99_ns", quantile(0.99), true},
	{"latency_p999_ns", quantile(0.999), true},
	{"rate", func(s *results.Summary) string { return fmt.Sprint(s.Rate) }, false},
	{"burst", func(s *results.Summary) string { return s.Burst }, false},
	{"offered", func(s *results.Summary) string { return fmt.Sprint(s.Arrivals.Offered) }, true},
	{"late", func(s *results.Summary) string { return fmt.Sprint(s.Arrivals.Late) }, true},
	{"unserved", func(s *results.Summary) string { return fmt.Sprint(s.Arrivals.Unserved) }, true},
	{"exchanges_per_s", func(s *results.Summary) string { return optional(s.ExchangeRate()) }, true},
	{"client_load", func(s *results.Summary) string { return optional(s.ClientLoad()) }, false},
	{"server_load", func(s *results.Summary) string { return optional(s.ServerLoad()) }, false},
	{"invalid", func(s *results.Summary) string { return strconv.FormatBool(s.Invalid()) }, false},
	{"service_p99_ns", func(s *results.Summary) string { return nanoseconds(s.Service, 0.99) }, true},
	{"bystanders", func(s *results.Summary) string { return strconv.Itoa(s.Bystanders) }, false},
	{"bystanders_closed", func(s *results.Summary) string { return strconv.FormatBool(s.BystandersClosed) }, false},
	{"bystander_reads_per_s", func(s *results.Summary) string { return optional(s.BystanderRate()) }, true},
	{"bystander_failed", func(s *results.Summary) string { return fmt.Sprint(s.BystanderFailed) }, true},
	{"bystander_p50_ns", bystanderQuantile(0.5), true},
	{"bystander_p99_ns", bystanderQuantile(0.99), true},
	{"achieved_script_time_ns", func(s *results.Summary) string {
		if d, ok := s.ScriptTime(); ok {
			return fmt.Sprint(int64(d))
		}
		return ""
	}, true},
	{"audit", func(s *results.Summary) string { return s.Audit.Verdict }, false},
	{"lost", func(s *results.Summary) string { return fmt.Sprint(s.Audit.Lost) }, false},
	{"extra", func(s *results.Summary) string { return fmt.Sprint(s.Audit.Extra) }, false},
}

func goodput(s *results.Summary, part func(results.Interval) float64) string {
	return optional(part(s.Goodput()), s.Trials > 0)
}

// recovery is how long latency took to be back after a burst: inf if it was not
// back before the window ended, empty without a burst or where the rate was too
// much without one.
func recovery(s *report.Setting, row *results.Summary) string {
	r, ok := s.Recovery(row)
	switch {
	case !ok || r.Overloaded():
		return ""
	case !r.Back:
		return "inf"
	}
	return fmt.Sprint(int64(r.Took))
}

// printCSV prints one line for each cell, with its prediction where there is
// one. The figures of void rows are empty.
func printCSV(w io.Writer, r *report.Report) error {
	out := csv.NewWriter(w)
	var line []string
	for _, c := range columns {
		line = append(line, c.name)
	}
	line = append(line, "recovery_ns", "predicted_goodput_per_s", "predicted_conflict_rate", "server")
	if err := out.Write(line); err != nil {
		return err
	}
	for _, s := range r.Settings {
		for i := range s.Rows {
			row := &s.Rows[i]
			for j, c := range columns {
				if line[j] = c.text(row); c.figure && row.Audit.Void() {
					line[j] = ""
				}
			}
			more := []string{recovery(&s, row), "", ""}
			if p := s.Prediction(row.Cell); p != nil {
				more[1], more[2] = optional(p.Goodput().Center, true), optional(p.ConflictRate())
			}
			line = append(append(line[:len(columns)], more...), report.ServerName(s.Server))
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}
