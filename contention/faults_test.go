package contention

import (
	"math"
	"strings"
	"testing"
)

func TestParseFaults(t *testing.T) {
	for text, want := range map[string]FaultShares{
		"reply-lost=1%":                       {ReplyLost: 0.01},
		"reply-lost=0.01":                     {ReplyLost: 0.01},
		"request-cut=0.5%+request-lost=100e":  {},
		"request-cut=0.5%+request-lost=2%":    {RequestCut: 0.005, RequestLost: 0.02},
		"reply-lost=50%+request-lost=50%":     {ReplyLost: 0.5, RequestLost: 0.5},
		"":                                    {},
		"reply-lost":                          {},
		"reply-lost=":                         {},
		"reply-lost=0%":                       {},
		"reply-lost=-1%":                      {},
		"reply-lost=NaN":                      {},
		"reply-lost=101%":                     {},
		"reply-lost=60%+request-lost=50%":     {},
		"reply-lost=1%+reply-lost=1%":         {},
		"none=1%":                             {},
		"reply-lost=1%,request-lost=1%":       {},
		"reply-lost=1%+":                      {},
		"reply-lost=1e-2":                     {},
		"reply-lost=1%+request-cut=1%+x=1%":   {},
		"reply-lost=0.0000000000000000000001": {ReplyLost: 1e-22},
	} {
		got, err := ParseFaults(text)
		if got != want || (err == nil) != (want != FaultShares{}) {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
		if err != nil {
			if !strings.Contains(err.Error(), "request-lost, request-cut and reply-lost") {
				t.Errorf("%q: %v does not say what is allowed", text, err)
			}
			continue
		}
		if again, err := ParseFaults(got.String()); err != nil || again != got {
			t.Errorf("%q becomes %q, which is %+v, %v", text, got, again, err)
		}
	}
	if got := (FaultShares{RequestLost: 0.005, ReplyLost: 0.01}).String(); got != "request-lost=0.5%+reply-lost=1%" {
		t.Error(got)
	}
}

// Shares are kept, a request is cut after any of its commands but the last, and a
// request of one command is never cut within.
func TestFaultsAreDrawnByTheirShares(t *testing.T) {
	shares := FaultShares{RequestLost: 0.1, RequestCut: 0.2, ReplyLost: 0.3}
	const draws = 100_000
	for _, commands := range []int{1, 4} {
		rng := Stream(1, commands, Faults)
		kinds, after := map[FaultKind]float64{}, map[int]float64{}
		for range draws {
			f := shares.Draw(commands, rng)
			kinds[f.Kind]++
			if f.Kind == RequestCut {
				after[f.After]++
			}
		}
		cut := 0.2 * float64(commands-1) / float64(commands) // or before the first command
		for kind, want := range map[FaultKind]float64{NoFault: 0.4, RequestLost: 0.1 + 0.2 - cut, RequestCut: cut, ReplyLost: 0.3} {
			if got := kinds[kind] / draws; math.Abs(got-want) > 0.01 {
				t.Errorf("%d commands, %v: %.4f of all, want %.4f", commands, kind, got, want)
			}
		}
		if len(after) != commands-1 || after[0] != 0 || after[commands] != 0 {
			t.Errorf("%d commands are cut after %v", commands, after)
		}
	}
}

func FuzzParseFaults(f *testing.F) {
	for _, seed := range []string{"reply-lost=1%", "request-cut=0.5%+request-lost=0.02", "reply-lost=1%+", "x", "reply-lost=1e400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shares, err := ParseFaults(text)
		if err != nil {
			return
		}
		if again, err := ParseFaults(shares.String()); err != nil || again != shares {
			t.Errorf("%q becomes %q, which is %+v, %v", text, shares, again, err)
		}
	})
}
