package report

import (
	"strings"
	"testing"

	"rmwbench/results"
)

func TestPingCeiling(t *testing.T) {
	got := PingCeiling([]results.Pings{{Clients: 1, PerSecond: 812.4}, {Clients: 16, PerSecond: 21_340}, {Clients: 64, PerSecond: 110_400}})
	if want := "PING ceiling, without injected delay: 1 client 812/s, 16 clients 21.3k/s, 64 clients 110k/s."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := PingCeiling(nil); got != "" {
		t.Errorf("%q", got)
	}
}

func TestCeilingBetweenNumbersOfClients(t *testing.T) {
	pings := []results.Pings{{Clients: 4, PerSecond: 1000}, {Clients: 64, PerSecond: 5000}}
	for clients, want := range map[int]float64{1: 0, 4: 1000, 16: 3000, 64: 5000, 65: 0} {
		got, ok := ceiling(pings, clients)
		if got != want || ok != (want > 0) {
			t.Errorf("%d clients: %v, %v, want %v", clients, got, ok, want)
		}
	}
}

// Rows are held against the better of the ceilings of the files that were merged.
func TestRowsNearThePingCeiling(t *testing.T) {
	far, near, void := cell("lua", 64, 1), cell("atomic", 64, 1), cell("unsafe", 64, 1)
	h, other := header("redis", 0, far, near, void), header("redis", 1)
	h.Pings = []results.Pings{{Clients: 64, PerSecond: 1000}}
	other.Pings = []results.Pings{{Clients: 64, PerSecond: 800}}
	runs := []results.Run{run(far, 799, 0), run(near, 800, 0), run(void, 990, 0)}
	runs[2].Audit = &results.Audit{Verdict: results.AuditLost, Keys: 1, Acknowledged: 990, Lost: 1}
	said := func(files ...*results.File) string {
		r, err := New(files...)
		if err != nil {
			t.Fatal(err)
		}
		return r.Settings[0].nearPings()
	}
	one, two := &results.File{Headers: []results.Header{h}, Runs: runs}, &results.File{Headers: []results.Header{other}}
	if got := said(one, two); !strings.HasSuffix(got, "rather than the strategy: atomic, 64 clients (80 %).") {
		t.Errorf("%q", got)
	}
	one.Runs[0].Exchanges = 1200
	if got := said(one); !strings.HasSuffix(got, "lua, 64 clients (120 %); atomic, 64 clients (80 %). "+
		"The machine was slower when the pings were measured: there is no ceiling that a load passes.") {
		t.Errorf("%q", got)
	}
	h.Pings = nil
	if got := said(&results.File{Headers: []results.Header{h}, Runs: runs}); got != "" {
		t.Errorf("without pings: %q", got)
	}
}
