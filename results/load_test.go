package results

import (
	"math"
	"slices"
	"testing"
)

// loaded is a trial of a second in which the tool used a share of its cores and
// the server one of its thread.
func loaded(cores int, tool, server float64, hosts bool) Run {
	cpu := int64(server * 1e9)
	return Run{
		ElapsedNS: 5e8, Exchanges: 1000, Whole: Whole{ElapsedNS: 1e9}, Server: &Server{CPUNS: &cpu},
		Client: &Client{CPUNS: int64(math.Round(tool * float64(cores) * 1e9)), Cores: cores, Hosts: hosts},
	}
}

func TestLoadOfTheTool(t *testing.T) {
	for _, c := range []struct {
		run     Run
		warning string
		invalid bool
	}{
		{loaded(2, 0.79, 0.99, false), "", false},
		{loaded(2, 0.80, 0, false), BusyWarning, false},
		{loaded(8, 0.949, 0.3, false), BusyWarning, false},
		{loaded(8, 0.95, 0.3, false), SaturatedWarning, true},
		{loaded(1, 1, 0, false), SaturatedWarning, true},
		// Server and tool at all of two shared cores: the server is the limit.
		{loaded(2, 0.5, 1, false), "", false},
		// In one process nobody knows whose time it was.
		{loaded(2, 1, 0, true), "", false},
		{Run{}, "", false},
	} {
		if got := c.run.LoadWarning(); got != c.warning {
			t.Errorf("%+v: warning %q, want %q", c.run.Client, got, c.warning)
		}
		s := Summaries(nil, []Run{c.run})[0]
		if s.Invalid() != c.invalid {
			t.Errorf("%+v: invalid %v", c.run.Client, s.Invalid())
		}
	}
}

// A row is judged by all its trials together.
func TestLoadIsPooled(t *testing.T) {
	busy, idle := loaded(4, 1, 0.5, false), loaded(4, 0.5, 0.3, false)
	s := Summaries(nil, []Run{busy, idle})[0]
	tool, ok1 := s.ClientLoad()
	server, ok2 := s.ServerLoad()
	rate, ok3 := s.ExchangeRate()
	if tool != 0.75 || server != 0.4 || rate != 2000 || !ok1 || !ok2 || !ok3 || s.Invalid() || s.Cores() != 4 {
		t.Errorf("tool %v, server %v, %v exchanges/s, invalid %v, %d cores", tool, server, rate, s.Invalid(), s.Cores())
	}
	if _, ok := (&Summary{}).ExchangeRate(); ok {
		t.Error("exchanges in no time")
	}
}

func TestCommandTimes(t *testing.T) {
	a := Run{Server: &Server{Commands: map[string]CommandStats{"get": {Calls: 2, USec: 3}, "info": {Calls: 9, USec: 900}, "set": {Rejected: 1}}}}
	b := Run{Server: &Server{Commands: map[string]CommandStats{"get": {Calls: 4, USec: 9, Rejected: 1}, "exec": {Calls: 1, USec: 7}}}}
	want := []CommandTime{{"exec", CommandStats{Calls: 1, USec: 7}}, {"get", CommandStats{Calls: 6, USec: 12, Rejected: 1}}}
	if got := CommandTimes([]Run{a, b, {}}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
