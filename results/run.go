// Package results owns the run record: what is counted in a trial, the
// recorder that counts it, the file it is written to and read from, and the
// statistics that are computed from it. Runs hold counts and histograms;
// ratios, percentiles and intervals are computed on reading. It knows nothing
// of servers, strategies or pictures.
package results

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Where the figures of a run come from. A predicted run is a simulated one of
// a measured cell, on the machine that it was measured on; a simulated one knows
// no machine.
const (
	SourceLive      = "live"
	SourceSimulated = "simulated"
	SourcePredicted = "predicted"
	SourceModel     = "model"
)

var sources = []string{SourceLive, SourceSimulated, SourcePredicted, SourceModel}

// Run is one trial of one cell. Counts are of the measured window; an attempt
// or op belongs to the window in which it ended. Whole, Server, Client, Notes,
// Achieved and Warnings are of the whole load phase.
type Run struct {
	Source string `json:"source"`
	Cell
	Trial   int    `json:"trial"`
	Seed    uint64 `json:"seed,string"` // too large for the numbers of many JSON readers
	Partial bool   `json:"partial"`     // the trial was cut short: kept, but in no statistic

	ElapsedNS int64 `json:"elapsed_ns"` // length of the measured window

	Committed  int64            `json:"committed"`
	Rejected   int64            `json:"rejected"`
	GaveUp     int64            `json:"gave_up"`
	Unknown    int64            `json:"unknown"`
	Unfinished int64            `json:"unfinished"` // ops the end of the run overtook
	Failed     map[string]int64 `json:"failed"`     // ops by class of error

	Attempts           int64            `json:"attempts"`
	Conflicts          int64            `json:"conflicts"`
	Verdicts           map[string]int64 `json:"verdicts"`             // sum to attempts
	AttemptsHistogram  Buckets          `json:"attempts_histogram"`   // attempts that committed ops took
	AttemptsByAttempt  Buckets          `json:"attempts_by_attempt"`  // attempts that were an op's first, second, ...
	ConflictsByAttempt Buckets          `json:"conflicts_by_attempt"` // of these, the conflicts
	Exchanges          int64            `json:"exchanges"`
	BytesOut           int64            `json:"bytes_out"`
	BytesIn            int64            `json:"bytes_in"`
	BackoffNS          int64            `json:"backoff_ns"` // spent in back-off, by all clients
	Notes              map[string]int64 `json:"notes"`

	Achieved Achieved `json:"achieved"`

	Latency          *Histogram `json:"latency"`           // committed ops, from first attempt to outcome
	OtherLatency     *Histogram `json:"other_latency"`     // rejected, gave up, failed, unknown ops
	AttemptLatency   *Histogram `json:"attempt_latency"`   // every attempt
	UnfinishedAge    *Histogram `json:"unfinished_age"`    // ops that the end of the run overtook, from their first attempt on
	ServiceLatency   *Histogram `json:"service_latency"`   // open loop only: committed ops from their start, where latency is from the intended one
	BystanderLatency *Histogram `json:"bystander_latency"` // with bystanders only

	Arrivals        *Arrivals `json:"arrivals"`         // open loop only
	Series          *Series   `json:"series"`           // of windows that are long enough for one
	BystanderReads  int64     `json:"bystander_reads"`  // in the window
	BystanderFailed int64     `json:"bystander_failed"` // reads that got no answer, or an error
	Fairness        *float64  `json:"fairness"`         // Jain index of committed ops over clients

	Whole    Whole    `json:"whole"`
	Server   *Server  `json:"server"`
	Client   *Client  `json:"client"`
	Audit    *Audit   `json:"audit"`
	Warnings []string `json:"warnings"`
}

// Arrivals counts the intended starts of an open loop that lie in the measured
// window.
type Arrivals struct {
	Offered  int64 `json:"offered"`
	Late     int64 `json:"late"`     // no client was free at their time
	Unserved int64 `json:"unserved"` // no client came to them before the end
}

// Series is the measured window in equal parts, the last one possibly shorter.
type Series struct {
	IntervalNS int64   `json:"interval_ns"`
	Points     []Point `json:"points"`
}

// Point is one part of the window: what ended in it. Percentiles are null where
// nothing committed; they are exact to 1 %.
type Point struct {
	Committed int64  `json:"committed"`
	Rejected  int64  `json:"rejected"`
	Attempts  int64  `json:"attempts"`
	Conflicts int64  `json:"conflicts"`
	P50NS     *int64 `json:"p50_ns"` // of the latency of committed ops
	P99NS     *int64 `json:"p99_ns"`
}

// Achieved holds what the times that were asked for came to; null where
// nothing was asked for. Script time is that of the measured window, as far as the
// server told times apart, and null where it does not tell.
type Achieved struct {
	DecisionNS   *Spread `json:"decision_ns"`
	RTTNS        *Spread `json:"rtt_ns"`
	ScriptTimeNS *Spread `json:"script_time_ns"`
}

// Spread is a distribution of durations, in nanoseconds.
type Spread struct {
	P50       int64   `json:"p50"`
	P99       int64   `json:"p99"`
	Mean      int64   `json:"mean"`
	Quantiles []int64 `json:"quantiles"` // at SpreadShares
}

// SpreadShares are the shares at which a Spread has quantiles: close at the
// end, where the longest waits are.
var SpreadShares = []float64{0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999, 1}

// Whole counts the whole load phase, warm-up and drain included: what the
// server's own counters can be held against.
type Whole struct {
	ElapsedNS int64            `json:"elapsed_ns"`
	Attempts  int64            `json:"attempts"`
	Verdicts  map[string]int64 `json:"verdicts"`
	Exchanges int64            `json:"exchanges"`
	// Commands counts by name the commands that the server must have executed:
	// those sent, without those of transactions that did not run.
	Commands map[string]int64 `json:"commands"`
	// Nested are the names of commands that scripts call: the server counts them
	// too, and they were not sent.
	Nested []string `json:"nested"`
	// RepliesLost says that a connection broke, so that Commands is a lower bound.
	RepliesLost bool `json:"replies_lost"`
}

// Server is what the server says of itself, as differences over the load
// phase; null where it does not say.
type Server struct {
	CPUNS     *int64                  `json:"cpu_ns"` // of the main thread where known
	Commands  map[string]CommandStats `json:"commands"`
	KeptBytes *int64                  `json:"kept_bytes"` // memory that the load has left taken, without the buffers of clients
}

// CommandStats is the server's count of one command, scripts' calls included,
// and the time it spent in it.
type CommandStats struct {
	Calls    int64 `json:"calls"`
	USec     int64 `json:"usec"`
	Rejected int64 `json:"rejected"` // refused before they ran
}

// Client is what the load cost this process, over the load phase.
type Client struct {
	CPUNS int64 `json:"cpu_ns"`
	Cores int   `json:"cores"`        // that the process may use at a time
	Hosts bool  `json:"hosts_server"` // the server runs in this process too: its time is in CPUNS
}

// FailedOps is the number of ops that failed, over all classes.
func (r *Run) FailedOps() (total int64) {
	for _, n := range r.Failed {
		total += n
	}
	return total
}

// Goodput is committed ops per second of the measured window.
func (r *Run) Goodput() float64 {
	if r.ElapsedNS <= 0 {
		return 0
	}
	return float64(r.Committed) / time.Duration(r.ElapsedNS).Seconds()
}

// Warn adds a warning once.
func (r *Run) Warn(text string) {
	if !slices.Contains(r.Warnings, text) {
		r.Warnings = append(r.Warnings, text)
	}
}

// Witnessed reports whether the server's counts of commands can be held
// against ours: it keeps them, and no reply was lost.
func (r *Run) Witnessed() bool {
	return r.Server != nil && r.Server.Commands != nil && !r.Whole.RepliesLost
}

// ownQuestions are what the tool itself asks the server during a load phase, a
// PING where a shared connection has long been quiet.
var ownQuestions = []string{"info", "ping"}

// Disagreements lists the commands of which the server executed another number
// than were sent in the load phase, those that others sent included; nil also
// where Witnessed says no. What scripts call comes on top of what was sent.
func (r *Run) Disagreements() (differing []string) {
	if !r.Witnessed() {
		return nil
	}
	names := maps.Clone(r.Whole.Commands)
	if names == nil {
		names = map[string]int64{}
	}
	for name := range r.Server.Commands {
		if !slices.Contains(ownQuestions, name) && !slices.Contains(r.Whole.Nested, name) {
			names[name] = r.Whole.Commands[name]
		}
	}
	for _, name := range sortedKeys(names) {
		stats := r.Server.Commands[name]
		served := stats.Calls + stats.Rejected
		if served < names[name] || served > names[name] && !slices.Contains(r.Whole.Nested, name) {
			differing = append(differing, fmt.Sprintf("%s: %d sent, %d served", name, names[name], served))
		}
	}
	return differing
}

// Pack compresses the histograms of a run that is only kept.
func (r *Run) Pack() error {
	for _, h := range []*Histogram{r.Latency, r.OtherLatency, r.AttemptLatency, r.UnfinishedAge, r.ServiceLatency, r.BystanderLatency} {
		if h == nil {
			continue
		}
		if err := h.Pack(); err != nil {
			return err
		}
	}
	return nil
}
