package results

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

func strategiesOf(all []Summary) (names []string) {
	for _, s := range all {
		names = append(names, fmt.Sprintf("%s/%d", s.Strategy, s.Clients))
	}
	return names
}

func TestSummariesOrder(t *testing.T) {
	a, b, c, d := plainCell("watch", 1), plainCell("watch", 4), plainCell("lua", 1), plainCell("atomic", 1)
	run := func(cell Cell) Run { return plainRun(cell, 10, 0) }
	tests := []struct {
		name  string
		cells []Cell
		runs  []Run
		want  []string
	}{
		{"nothing", nil, nil, nil},
		{"cells without runs", []Cell{a, b}, nil, []string{"watch/1", "watch/4"}},
		{"order of cells, not of runs", []Cell{a, b, c}, []Run{run(c), run(b), run(a), run(c)}, []string{"watch/1", "watch/4", "lua/1"}},
		{"unknown cells last, by first run", []Cell{c}, []Run{run(d), run(a), run(c), run(d)}, []string{"lua/1", "atomic/1", "watch/1"}},
		{"a cell given twice", []Cell{a, b, a}, []Run{run(a)}, []string{"watch/1", "watch/4"}},
	}
	for _, test := range tests {
		if got := strategiesOf(Summaries(test.cells, test.runs)); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Cells that differ in any axis do not belong together.
func TestSummariesSeparateEveryAxis(t *testing.T) {
	base := plainCell("watch", 4)
	cells := []Cell{base}
	for i := range reflect.TypeFor[Cell]().NumField() {
		c := base
		n := 500
		populate(t, reflect.ValueOf(&c).Elem().Field(i), &n)
		cells = append(cells, c)
	}
	var runs []Run
	for _, c := range cells {
		runs = append(runs, plainRun(c, 10, 0))
	}
	for i, s := range Summaries(nil, runs) {
		if s.Trials != 1 || s.Cell != cells[i] {
			t.Errorf("%d trials of %+v", s.Trials, s.Cell)
		}
	}
}

func TestSummariesPool(t *testing.T) {
	cell := plainCell("watch", 4)
	cell.Bystanders = 2
	one := plainRun(cell, 100, 50)
	one.Rejected, one.GaveUp, one.Unknown, one.Unfinished = 10, 3, 2, 4
	one.Failed = map[string]int64{"OOM": 5, "WRONGTYPE": 1}
	one.Latency = recorded(time.Millisecond, time.Hour)
	one.AttemptsHistogram.Add(1)
	one.AttemptsByAttempt.Add(2)
	one.ConflictsByAttempt.Add(3)
	one.BystanderLatency, one.BystanderFailed = recorded(time.Millisecond, time.Second), 2
	one.Warnings = []string{"a", "b"}
	two := plainRun(cell, 300, 50)
	two.ElapsedNS = int64(2 * time.Second)
	two.Failed = map[string]int64{"OOM": 4}
	two.Latency = recorded(time.Second)
	two.AttemptsHistogram.Add(1)
	two.AttemptsByAttempt.Add(40)
	two.ConflictsByAttempt.Add(3)
	two.BystanderLatency, two.BystanderFailed = recorded(time.Second), 1
	two.Warnings = []string{"b", "c"}

	partial := plainRun(cell, 1_000_000, 1_000_000)
	partial.Partial = true
	partial.Rejected, partial.GaveUp, partial.Unknown, partial.Unfinished = 1000, 1000, 1000, 1000
	partial.Failed = map[string]int64{"OOM": 1000}
	partial.Latency = recorded(time.Minute)
	partial.BystanderLatency, partial.BystanderFailed = recorded(time.Minute), 1000
	partial.AttemptsHistogram.Add(7)
	partial.AttemptsByAttempt.Add(7)
	partial.ConflictsByAttempt.Add(7)
	partial.Warnings = []string{"interrupted"}
	partial.Whole.ElapsedNS = 1e12
	partial.Client = &Client{CPUNS: 1e12, Cores: 99}

	latencyOfOne := mustJSON(t, one.Latency)
	all := Summaries([]Cell{cell}, []Run{one, partial, two})
	if len(all) != 1 {
		t.Fatalf("%d rows", len(all))
	}
	s := all[0]
	got := []int64{
		int64(s.Trials), int64(s.Partial), s.Committed, s.Rejected, s.GaveUp, s.Failed, s.Unknown, s.Unfinished,
		s.Attempts, s.Conflicts, s.Exchanges, s.AttemptsHistogram.Total(), s.AttemptsByAttempt.Total(), s.ConflictsByAttempt.Total(),
		s.Latency.Count(), s.Latency.Clamped(), s.Bystander.Count(), s.BystanderFailed,
	}
	if want := []int64{2, 1, 400, 10, 3, 10, 2, 4, 500, 100, 1000, 2, 2, 2, 3, 1, 3, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("pooled %v, want %v", got, want)
	}
	if s.AttemptsHistogram.At(1) != 2 || s.AttemptsByAttempt.At(2) != 1 || s.AttemptsByAttempt.At(40) != 1 || s.ConflictsByAttempt.At(3) != 2 {
		t.Errorf("buckets %v, %v, %v", pairs(&s.AttemptsHistogram), pairs(&s.AttemptsByAttempt), pairs(&s.ConflictsByAttempt))
	}
	if s.Cell != cell || s.Source != SourceLive || s.Elapsed != 3*time.Second {
		t.Errorf("cell %+v, source %s, elapsed %v", s.Cell, s.Source, s.Elapsed)
	}
	if want := []float64{100, 150}; !reflect.DeepEqual(s.Goodputs, want) {
		t.Errorf("goodputs %v, want %v", s.Goodputs, want)
	}
	if g := s.Goodput(); g.Center != 125 || g.N != 2 {
		t.Errorf("goodput %+v", g)
	}
	// The warnings of a trial that was cut short are told.
	if want := []string{"a", "b", "interrupted", "c"}; !reflect.DeepEqual(s.Warnings, want) {
		t.Errorf("warnings %q, want %q", s.Warnings, want)
	}
	if p, ok := s.ConflictRate(); !ok || p != 0.2 {
		t.Errorf("p = %v (%v), want 0.2", p, ok)
	}
	if v, ok := s.AttemptsPerOp(); !ok || v != 500.0/410 {
		t.Errorf("%v attempts per op (%v)", v, ok)
	}
	if v, ok := s.ExchangesPerOp(); !ok || v != 1000.0/410 {
		t.Errorf("%v exchanges per op (%v)", v, ok)
	}
	if v, ok := s.BystanderRate(); !ok || v != 1 {
		t.Errorf("%v reads a second by bystanders (%v)", v, ok)
	}
	if mustJSON(t, one.Latency) != latencyOfOne {
		t.Error("summing up changed the histogram of a run")
	}
}

func TestSummariesAudit(t *testing.T) {
	cell := plainCell("watch", 4)
	settled := func(keys ...key) *Audit {
		a := &Audit{}
		for _, k := range keys {
			a.Tally(k.acknowledged, k.unknown, k.stored)
		}
		a.Settle()
		return a
	}
	broken := &Audit{}
	broken.Broke(1, 0, "k holds x")
	broken.Settle()
	exact, bounded, lost, extra := settled(key{5, 0, 5}), settled(key{5, 1, 6}), settled(key{5, 0, 4}), settled(key{5, 0, 7})
	none := &Audit{Verdict: AuditNone}
	tests := []struct {
		name   string
		audits []*Audit
		want   string
		lost   int64
	}{
		{"no runs", nil, AuditNone, 0},
		{"no audit", []*Audit{nil, nil}, AuditNone, 0},
		{"none", []*Audit{none, none}, AuditNone, 0},
		{"exact", []*Audit{exact, exact}, AuditExact, 0},
		{"one bounded", []*Audit{exact, bounded}, AuditBounded, 0},
		{"one lost", []*Audit{exact, lost, exact}, AuditLost, 1},
		{"two lost", []*Audit{lost, lost}, AuditLost, 2},
		// Another trial's surplus does not make up for the loss.
		{"lost and extra", []*Audit{lost, extra}, AuditLost, 1},
		{"one extra", []*Audit{extra, bounded}, AuditExtra, 0},
		{"one broken", []*Audit{exact, broken, lost}, AuditBroken, 1},
	}
	for _, test := range tests {
		runs := []Run{}
		for _, a := range test.audits {
			run := plainRun(cell, 10, 0)
			run.Audit = a
			runs = append(runs, run)
		}
		got := Summaries([]Cell{cell}, runs)[0].Audit
		if got.Verdict != test.want || got.Lost != test.lost {
			t.Errorf("%s: %+v, want %s with %d lost", test.name, got, test.want, test.lost)
		}
	}
	// A loss in a trial that was cut short is a loss.
	run := plainRun(cell, 10, 0)
	run.Partial, run.Audit = true, lost
	if got := Summaries(nil, []Run{run})[0].Audit; got.Verdict != AuditLost || got.Keys != 1 || got.KeysWrong != 1 || got.Stored != 4 {
		t.Errorf("lost in a partial trial: %+v", got)
	}
}

func TestSummaryWithoutFigures(t *testing.T) {
	for name, s := range map[string]Summary{
		"zero value": {Latency: NewHistogram()},
		"no trials":  Summaries([]Cell{plainCell("watch", 4)}, nil)[0],
		"empty run":  Summaries(nil, []Run{{Cell: plainCell("watch", 4)}})[0],
	} {
		for what, figure := range map[string]func() (float64, bool){
			"conflict rate": s.ConflictRate, "attempts per op": s.AttemptsPerOp, "exchanges per op": s.ExchangesPerOp,
			"client load": s.ClientLoad, "server load": s.ServerLoad, "reads by bystanders": s.BystanderRate,
		} {
			if v, ok := figure(); ok || v != 0 {
				t.Errorf("%s: %s is %v (%v)", name, what, v, ok)
			}
		}
		if bad := notFinite(&s); bad != nil {
			t.Errorf("%s: %v", name, bad)
		}
		if s.Dead() {
			t.Errorf("%s is dead", name)
		}
	}
}

func TestSummaryLoads(t *testing.T) {
	cpu := func(d time.Duration) *int64 { n := int64(d); return &n }
	type load struct {
		whole  time.Duration
		client *Client
		server *Server
	}
	quiet := &Client{CPUNS: int64(time.Second), Cores: 4}
	tests := []struct {
		name           string
		trials         []load
		client, server float64 // -1: not known
	}{
		{"one trial", []load{{2 * time.Second, quiet, &Server{CPUNS: cpu(time.Second)}}}, 0.125, 0.5},
		{"two trials", []load{
			{2 * time.Second, quiet, &Server{CPUNS: cpu(time.Second)}},
			{2 * time.Second, &Client{CPUNS: int64(7 * time.Second), Cores: 4}, &Server{CPUNS: cpu(2 * time.Second)}},
		}, 0.5, 0.75},
		{"the server does not say", []load{{2 * time.Second, quiet, &Server{}}}, 0.125, -1},
		{"no word of the server", []load{{2 * time.Second, quiet, nil}}, 0.125, -1},
		{"the server says once", []load{{time.Second, quiet, &Server{CPUNS: cpu(time.Second)}}, {time.Second, quiet, nil}}, 0.25, -1},
		{"an idle server", []load{{time.Second, quiet, &Server{CPUNS: cpu(0)}}}, 0.25, 0},
		{"no word of the tool", []load{{time.Second, nil, &Server{CPUNS: cpu(time.Second)}}}, -1, 1},
		{"no time", []load{{0, quiet, &Server{CPUNS: cpu(time.Second)}}}, -1, -1},
	}
	for _, test := range tests {
		var runs []Run
		for _, l := range test.trials {
			run := plainRun(plainCell("watch", 4), 10, 0)
			run.Whole.ElapsedNS, run.Client, run.Server = int64(l.whole), l.client, l.server
			runs = append(runs, run)
		}
		s := Summaries(nil, runs)[0]
		client, ok := s.ClientLoad()
		if ok != (test.client >= 0) || ok && !near(client, test.client, 1e-12) {
			t.Errorf("%s: client load %v (%v), want %v", test.name, client, ok, test.client)
		}
		server, ok := s.ServerLoad()
		if ok != (test.server >= 0) || ok && !near(server, test.server, 1e-12) {
			t.Errorf("%s: server load %v (%v), want %v", test.name, server, ok, test.server)
		}
		if test.client >= 0 && s.Cores() != 4 {
			t.Errorf("%s: %d cores", test.name, s.Cores())
		}
	}
}

func TestSummaryDead(t *testing.T) {
	tests := []struct {
		s    Summary
		want bool
	}{
		{Summary{}, false},
		{Summary{Unfinished: 3}, false},
		{Summary{Failed: 3}, true},
		{Summary{Failed: 3, Unfinished: 3}, true},
		{Summary{Failed: 3, Committed: 1}, false},
		{Summary{Failed: 3, Rejected: 1}, false},
		{Summary{Failed: 3, GaveUp: 1}, false},
		{Summary{Failed: 3, Unknown: 1}, true},
		{Summary{Unknown: 1}, true},
		{Summary{Unknown: 1, Committed: 1}, false},
	}
	for _, test := range tests {
		if got := test.s.Dead(); got != test.want {
			t.Errorf("%d failed of %+v: dead %v", test.s.Failed, test.s, got)
		}
	}
}

// The trial is the unit: pooled rates and goodputs do not depend on the order
// in which trials come.
func TestSummariesAnyOrder(t *testing.T) {
	rng := seeded(31)
	var runs []Run
	for i := range 40 {
		run := plainRun(plainCell("watch", 1+i%3), rng.Int64N(1000), rng.Int64N(1000))
		run.Latency = recorded(randomDuration(rng), randomDuration(rng))
		run.Partial = rng.IntN(5) == 0
		runs = append(runs, run)
	}
	cells := []Cell{plainCell("watch", 1), plainCell("watch", 2), plainCell("watch", 3)}
	describe := func() (text string) {
		for _, s := range Summaries(cells, runs) {
			p, _ := s.ConflictRate()
			text += fmt.Sprintln(s.Trials, s.Partial, s.Committed, p, s.Goodput(), mustJSON(t, s.Latency))
		}
		return text
	}
	want := describe()
	for range 5 {
		rng.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		if got := describe(); got != want {
			t.Fatalf("in another order\n%s\nwas\n%s", got, want)
		}
	}
}

// One trial that nobody looked at leaves a cell unproven; one that was found
// wrong makes it void all the same.
func TestSummaryOfUnauditedTrials(t *testing.T) {
	exact := &Audit{Verdict: AuditExact, Keys: 1, Acknowledged: 3, Stored: 3}
	lost := &Audit{Verdict: AuditLost, Keys: 1, KeysWrong: 1, Acknowledged: 3, Stored: 2, Lost: 1}
	for _, c := range []struct {
		audits []*Audit
		want   string
	}{
		{[]*Audit{exact, exact}, AuditExact},
		{[]*Audit{exact, {Verdict: AuditNone}}, AuditNone},
		{[]*Audit{nil, exact}, AuditNone},
		{[]*Audit{exact, nil, lost}, AuditLost},
		{[]*Audit{nil}, AuditNone},
	} {
		var runs []Run
		for _, a := range c.audits {
			runs = append(runs, Run{Cell: Cell{Strategy: "lua"}, Audit: a})
		}
		if got := Summaries(nil, runs)[0].Audit.Verdict; got != c.want {
			t.Errorf("%v: %s, want %s", c.audits, got, c.want)
		}
	}
}
