package calibrate

import (
	"fmt"
	"slices"
	"time"

	"rmwbench/internal/profile"
)

// Costs that are no command a client of ours sends.
const (
	perExchange = "exchange"
	perNested   = "nested" // each command that a script calls
	perOther    = "other"  // each call of a script that is none of our strategies'
)

// sameCost names commands that are measured as one. MULTI and EXEC are never
// sent without each other, so only their sum can be told: each is given half.
var sameCost = map[string]string{"EXEC": "MULTI"}

// measurement is the table explained.
type measurement struct {
	costs  map[string]float64 // of the server, by command or as above, in nanoseconds
	checks []check
	client float64 // processor time of a client's exchange
	hold   float64 // and of its wait
	pings  []time.Duration
	waits  []time.Duration
	cores  int
}

// check holds the sum of the costs against what a shape that strategies send
// was measured to cost.
type check struct {
	shape               string
	measured, predicted float64
}

// explain finds the costs.
func (t *table) explain() (*measurement, error) {
	server := t.costs(func(s slice) time.Duration { return s.server })
	client := t.costs(func(s slice) time.Duration { return s.client })
	names := t.names()
	var lines []line
	var fitted []int // the shape of each line
	for i, sh := range t.shapes {
		if sh.weight == 0 {
			continue
		}
		if server[i] == 0 {
			return nil, fmt.Errorf("the server's processor time did not advance while it served %s: its costs cannot be measured", sh.name)
		}
		lines = append(lines, line{counts: sh.counts(names), total: server[i], weight: sh.weight})
		fitted = append(fitted, i)
	}
	solved := fit(lines, len(names))
	m := &measurement{costs: map[string]float64{}, pings: t.pings, waits: t.waits, cores: t.cores}
	for i, name := range names {
		m.costs[name] = solved[i]
	}
	for twin, name := range sameCost {
		m.costs[twin] = m.costs[name]
	}
	var exchanges []float64
	for i, l := range lines {
		if sh := t.shapes[fitted[i]]; sh.weight == strategic {
			m.checks = append(m.checks, check{sh.name, l.total, l.sum(solved)})
			exchanges = append(exchanges, client[fitted[i]]/float64(len(sh.exchanges())))
		}
	}
	m.client = median(exchanges)
	m.hold = max(client[t.index(waiting.name)]-m.client, 0) / float64(waiting.holds)
	return m, nil
}

// names lists the costs that occur in shapes.
func (t *table) names() []string {
	names := []string{perExchange, perNested}
	for _, sh := range t.shapes {
		for _, cmds := range sh.exchanges() {
			for _, cmd := range cmds {
				if name := sh.cost(cmd[0]); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// cost is the name under which a command of the shape is measured.
func (sh shape) cost(command string) string {
	if name, ok := sameCost[command]; ok {
		return name
	}
	if sh.other && command == "EVALSHA" {
		return perOther
	}
	return command
}

// counts is how often each cost occurs in a cycle.
func (sh shape) counts(names []string) []float64 {
	counts := make([]float64, len(names))
	count := func(name string, n int) { counts[slices.Index(names, name)] += float64(n) }
	count(perExchange, len(sh.exchanges()))
	count(perNested, sh.nested)
	for _, cmds := range sh.exchanges() {
		for _, cmd := range cmds {
			count(sh.cost(cmd[0]), 1)
		}
	}
	return counts
}

// others are the commands whose mean stands for those that are not measured.
var others = []string{"GET", "SET", "INCRBY"}

// looped are the products whose event loop works in rounds.
var looped = []string{"redis", "valkey"}

// profile is the measurement in the form of a profile.
func (m *measurement) profile(cfg Config) *profile.Profile {
	p := &profile.Profile{
		Schema: profile.Schema, Name: cfg.Name, Measured: cfg.Measured, Product: cfg.Product, Version: cfg.Version,
		Server: profile.Server{
			ExchangeNS: m.costs[perExchange], NestedNS: m.costs[perNested], CommandsNS: map[string]float64{},
			Rounds: slices.Contains(looped, cfg.Product),
		},
		Network: profile.Network{Jitter: profile.Jitter{Shape: profile.ShapeExponential, Share: 0.5}},
		Client:  profile.Client{ExchangeNS: m.client, HoldNS: m.hold, Cores: m.cores, LateNS: spread(m.waits, float64(hold))},
	}
	for name, ns := range m.costs {
		switch name {
		case perExchange, perNested, perOther:
		default:
			p.Server.CommandsNS[name] = ns
		}
	}
	for _, name := range others {
		p.Server.CommandNS += m.costs[name] / float64(len(others))
	}
	p.Network.BaseNS = spread(m.pings, m.costs[perExchange]+m.costs["PING"])
	return p.Rounded()
}
