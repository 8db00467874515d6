package scripts

import (
	"strconv"
	"strings"
	"testing"
)

// The loop ends whatever it is asked for, and comes before anything is written.
func TestSpinIsBounded(t *testing.T) {
	_, bound, _ := strings.Cut(Spin, "math.min(tonumber(table.remove(ARGV)), ")
	bound, _, _ = strings.Cut(bound, ")")
	if most, err := strconv.ParseFloat(bound, 64); err != nil || most != MostSpins {
		t.Errorf("the loop is bounded by %q, want %d", bound, MostSpins)
	}
	for _, name := range All.Names() {
		s := MustGet(name)
		if s.Spins != strings.HasPrefix(s.Body, Spin) || s.Spins != strings.HasSuffix(name, spinningName("")) {
			t.Errorf("%s: spins %v, body %.80q", name, s.Spins, s.Body)
		}
		if s.Spins {
			continue
		}
		v := s.Spinning()
		if v.Body != Spin+s.Body || v.Function == s.Function || v.SHA1 == s.SHA1 {
			t.Errorf("%s spins as %+v", name, v)
		}
	}
}
