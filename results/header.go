package results

import (
	"encoding/json"
	"time"
)

// Schema is the number of the file format that this package writes.
const Schema = 1

// Header is the first line of a results file: how the runs came about. A live
// run's file may hold simulated runs of the same cells too: predictions.
type Header struct {
	Schema      int             `json:"schema"`
	Source      string          `json:"source"`  // of the runs: live or simulated
	Version     string          `json:"version"` // of the tool
	Command     []string        `json:"command"` // secrets masked
	Started     time.Time       `json:"started"`
	Seed        uint64          `json:"seed,string"`
	Trials      int             `json:"trials"`
	DurationNS  int64           `json:"duration_ns"` // measured window of a trial; 0: until ops
	WarmupNS    int64           `json:"warmup_ns"`
	Ops         int64           `json:"ops"`  // of a trial; 0: until the duration
	Goal        string          `json:"goal"` // that loads were held to, or were searched for; empty: none
	Environment Environment     `json:"environment"`
	Server      ServerFacts     `json:"server"`  // of a simulation: what its profile was measured on
	Profile     json.RawMessage `json:"profile"` // what predictions were made from; null without any
	Checked     *Checked        `json:"checked"` // how far the profile's predictions can be believed; null: not known
	Cells       []Cell          `json:"cells"`   // in plan order
	NA          []NotApplicable `json:"not_applicable"`
	Wire        []Wire          `json:"wire"`        // one op of each strategy and workload
	Scripts     []Script        `json:"scripts"`     // that the strategies used
	ScriptTime  string          `json:"script_time"` // where it comes from; empty: no script has one
	Pings       []Pings         `json:"pings"`       // what the server and this program manage when clients do nothing but PING; null: not measured
}

// Where the script time of cells comes from: it was asked for, or it is the
// decision time of each cell.
const (
	ScriptTimeAsked    = "asked"
	ScriptTimeDecision = "decision"
)

// Checked is how far predictions from a profile lay from measured cells that
// took no part in its calibration: the errors that nine cells of ten stay
// within.
type Checked struct {
	Cells   int     `json:"cells"`
	Clients int     `json:"clients"` // up to
	Goodput float64 `json:"goodput"` // a factor, less 1, that predictions are too high or too low by
	P       float64 `json:"p"`       // absolute, of the conflict probability
}

// Wire is one op as it travels.
type Wire struct {
	Strategy  string         `json:"strategy"`
	Workload  string         `json:"workload"`
	Exchanges []WireExchange `json:"exchanges"`
}

// WireExchange is one round trip: commands and replies as redis-cli would show
// them.
type WireExchange struct {
	Sent     []string `json:"sent"`
	Received []string `json:"received"`
}

// Pings is what a number of clients in a closed loop of PINGs came to, without
// injected delay: the ceiling of this program, this machine and this server.
type Pings struct {
	Clients   int     `json:"clients"`
	PerSecond float64 `json:"per_second"`
	P50NS     int64   `json:"p50_ns"`
	P99NS     int64   `json:"p99_ns"`
}

// Script is the source of a script as it was run.
type Script struct {
	Name string `json:"name"`
	SHA1 string `json:"sha1"`
	Body string `json:"body"`
}

// Environment is the machine that the tool ran on.
type Environment struct {
	Go     string `json:"go"`
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Kernel string `json:"kernel"`
}

// ServerFacts describes the server before the load.
type ServerFacts struct {
	Product  string            `json:"product"` // redis, valkey, miniredis
	Version  string            `json:"version"`
	Embedded bool              `json:"embedded"` // in-process: shapes only
	Started  bool              `json:"started"`  // by the tool, for this run
	Address  string            `json:"address"`
	Protocol int               `json:"protocol"` // 2 or 3
	Settings map[string]string `json:"settings"`
	PingNS   int64             `json:"ping_ns"` // median round trip of PING on an idle connection
}

// NotApplicable is a combination that cannot run, and why.
type NotApplicable struct {
	Strategy string `json:"strategy"`
	Workload string `json:"workload"`
	Reason   string `json:"reason"`
}
