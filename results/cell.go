package results

// Cell is one point of an experiment's grid. Two runs belong together exactly
// if their cells are equal. An axis that means nothing to the strategy holds
// its zero value. In JSON its fields stand flat in the run.
type Cell struct {
	Strategy         string  `json:"strategy"`
	Workload         string  `json:"workload"`
	Clients          int     `json:"clients"`
	Keys             int     `json:"keys"`
	Dist             string  `json:"dist"`
	Skew             float64 `json:"skew"`
	Hot              string  `json:"hot"` // "30%:1" for hotspot
	DecisionNS       int64   `json:"decision_ns"`
	ScriptTimeNS     int64   `json:"script_time_ns"`
	RTTNS            int64   `json:"rtt_ns"` // injected network delay, both ways together
	ThinkNS          int64   `json:"think_ns"`
	Backoff          string  `json:"backoff"`
	BackoffBaseNS    int64   `json:"backoff_base_ns"`
	BackoffCapNS     int64   `json:"backoff_cap_ns"`
	MaxTries         int     `json:"max_tries"` // 0: until done
	Rate             float64 `json:"rate"`      // total arrivals per second; 0: closed loop
	Burst            string  `json:"burst"`     // "x2@10s+5s": the rate twice as high from 10 s after the window's start on, for 5 s; empty: none
	Conn             string  `json:"conn"`      // ConnDedicated or ConnShared
	ValueBytes       int     `json:"value_bytes"`
	Herd             bool    `json:"herd"`              // every client does one op, all at once
	Bystanders       int     `json:"bystanders"`        // light clients that read a key of their own
	BystandersClosed bool    `json:"bystanders_closed"` // they read as fast as they can; else paced
	Fault            string  `json:"fault"`             // shares of exchanges that are broken on purpose: "reply-lost=1%"; empty: none
	OnUnknown        string  `json:"on_unknown"`        // what follows an unknown attempt: retry, readback; empty: the op stops
	OnFailed         string  `json:"on_failed"`         // what follows a failed one: retry; empty: the op stops
	Shards           int     `json:"shards"`            // simulated servers that share the keys; 0: one
	ServerSpeed      float64 `json:"server_speed"`      // of simulated servers, as a multiple of the profile's; 0: the profile's
}

// What Cell.Conn says: every client has a connection of its own, or all share
// one.
const (
	ConnDedicated = "dedicated"
	ConnShared    = "shared"
)

// Setting is the cell without what is compared inside a report: strategy,
// script time, retry design, connections and number of clients.
func (c Cell) Setting() Cell {
	c = c.withoutWay()
	c.Clients = 0
	return c
}

// Load is the cell without strategy, script time, retry design, bystanders, burst
// and faults, on dedicated connections: what cells with common random numbers
// share. Up to a burst they share all arrivals.
func (c Cell) Load() Cell {
	c = c.withoutWay()
	c.Bystanders, c.BystandersClosed, c.Burst, c.Fault = 0, false, "", ""
	return c
}

// withoutWay is the cell without strategy, script time, retry design and
// connections.
func (c Cell) withoutWay() Cell {
	c.Conn = ConnDedicated
	c.Strategy, c.ScriptTimeNS, c.Backoff, c.BackoffBaseNS, c.BackoffCapNS, c.MaxTries = "", 0, "", 0, 0, 0
	c.OnUnknown, c.OnFailed = "", ""
	return c
}
