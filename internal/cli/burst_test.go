package cli

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/results"
)

// storm is a burst that a script does not feel and WATCH does.
var storm = []string{
	"-t", "watch-pipelined,atomic", "--backoff", "none", "-c", "32", "--rps", "500", "--burst", "x4@1s+500ms", "--duration", "3s",
}

func TestBurst(t *testing.T) {
	code, out, errOut := invoke(t, append([]string{"simulate", "--trials", "1"}, storm...)...)
	for _, want := range []string{
		"open loop of 500/s, x4 for 500ms from 1s on", "recovery", "at once  exact",
		"After the burst (x4 for 500ms) latency was back at once for atomic at 32 clients.",
		"watch-pipelined without back-off at 32 clients needed ", " s after the burst until latency was back: p50 ",
		" of its 2000 arrivals/s ",
	} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in\n%s%s", code, want, out, errOut)
		}
	}
	for _, r := range read(t).Runs {
		if r.Burst != "x4@1s+500ms" || r.Series == nil || len(r.Series.Points) != 30 {
			t.Errorf("%s: burst %q, series %+v", r.Strategy, r.Burst, r.Series)
		}
	}
}

func TestBurstInCSV(t *testing.T) {
	code, out, errOut := invoke(t, append([]string{"simulate", "--trials", "1", "--csv"}, storm...)...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if code != exitOK || err != nil || len(rows) != 3 {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, errOut)
	}
	burst, took := slices.Index(rows[0], "burst"), slices.Index(rows[0], "recovery_ns")
	if rows[1][burst] != "x4@1s+500ms" || len(rows[1][took]) < len("100000000") || rows[2][took] != "0" {
		t.Errorf("%q", rows)
	}
}

// On a real server only counts are sure: every way meets the same arrivals, and
// nothing is lost.
func TestBurstOnARealServer(t *testing.T) {
	redistest.Path(t)
	code, out, errOut := invoke(t, "run", "--no-predict", "--trials", "1", "-c", "8", "-t", "watch,lua", "--backoff", "none",
		"--rps", "300", "--burst", "x3@600ms+500ms", "--duration", "1.8s")
	if code != exitOK || !strings.Contains(out, "x3 for 500ms from 600ms on") || !strings.Contains(out, "recovery") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	runs := read(t).Runs
	for _, r := range runs {
		if r.Arrivals.Offered != runs[0].Arrivals.Offered || r.Arrivals.Offered < 650 || r.Arrivals.Offered > 1050 {
			t.Errorf("%s: %d arrivals, want 840 or so", r.Strategy, r.Arrivals.Offered)
		}
		if r.Audit.Verdict != results.AuditExact || len(r.Series.Points) != 18 {
			t.Errorf("%s: audit %s, %d points", r.Strategy, r.Audit, len(r.Series.Points))
		}
	}
}

func TestTheLineOfASecond(t *testing.T) {
	cell := results.Cell{Strategy: "watch", Backoff: "none", Clients: 64, Keys: 1}
	p := progress{last: engine.Progress{Done: 3, Total: 12, Left: 90 * time.Second, Cell: cell}}
	busy := engine.Second{
		Cell: cell, End: 4 * time.Second, Length: 2 * time.Second,
		Point: results.Point{Committed: 1024, Attempts: 3200, Conflicts: 2176, P50NS: new(int64(12_100_000)), P99NS: new(int64(80_300_000))},
	}
	idle := engine.Second{Cell: cell, End: time.Second, Length: time.Second, Point: results.Point{Rejected: 5, Attempts: 5}}
	silent := engine.Second{Cell: cell, End: 2 * time.Minute, Length: time.Second}
	for want, second := range map[string]engine.Second{
		"4s: 512/s, 1600 attempts/s, 68.0 % conflicts, p50 12.1 ms, p99 80.3 ms | 3 of 12 trials, 1m26s left: watch without back-off, 64 clients on 1 key": busy,
		"1s: 0/s + 5 rejected/s, 5 attempts/s, 0.0 % conflicts | 3 of 12 trials, 1m29s left: watch without back-off, 64 clients on 1 key":                  idle,
		"2m0s: 0/s, 0 attempts/s | 3 of 12 trials, 1s left: watch without back-off, 64 clients on 1 key":                                                   silent,
	} {
		if got := p.second(second); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if newProgress(&strings.Builder{}, false).seconds() != nil {
		t.Error("seconds are told to what is no terminal")
	}
}
