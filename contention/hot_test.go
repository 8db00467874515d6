package contention

import (
	"math"
	"strings"
	"testing"
)

func TestParseHot(t *testing.T) {
	for _, c := range []struct {
		text    string
		want    Hot
		written string
	}{
		{"30%:1", Hot{0.3, 1}, "30%:1"},
		{"0.3:1", Hot{0.3, 1}, "30%:1"},
		{".3:1", Hot{0.3, 1}, "30%:1"},
		{"030.0%:01", Hot{0.3, 1}, "30%:1"},
		{"7%:20", Hot{0.07, 20}, "7%:20"},
		{"29%:29", Hot{0.29, 29}, "29%:29"},
		{"12.3%:4", Hot{0.123, 4}, "12.3%:4"},
		{"0.5%:1000000", Hot{0.005, 1000000}, "0.5%:1000000"},
		{"0.0001:2", Hot{0.0001, 2}, "0.01%:2"},
		{"100%:3", Hot{1, 3}, "100%:3"},
		{"1:3", Hot{1, 3}, "100%:3"},
		{"1.0:3", Hot{1, 3}, "100%:3"},
	} {
		got, err := ParseHot(c.text)
		if err != nil || got != c.want {
			t.Errorf("ParseHot(%q) = %+v, %v; want %+v", c.text, got, err, c.want)
		}
		if got.String() != c.written {
			t.Errorf("ParseHot(%q) is written %q, want %q", c.text, got, c.written)
		}
	}
}

func TestParseHotRefuses(t *testing.T) {
	for _, text := range []string{
		"", ":", "%:", "30%", "30%:", ":1", "%:1", ".:1", "30", "30%:1:2", "30%%:1", "%30:1", "30%:1%",
		"0:1", "0%:1", "101%:1", "30:1", "1.01:1", "-0.3:1", "+0.3:1", "30%:0", "30%:-1", "30%:+1", "30%:1.5", "30%:1e3",
		"NaN:1", "nan%:1", "Inf:1", "inf%:1", "0x1p-2:1", "3e-1:1", "3e1%:1", "1_0%:1", "1.2.3%:1",
		" 30%:1", "30%:1 ", "30 %:1", "30%: 1", "30%,1", "٣٠%:1", "hot", "30%:99999999999999999999",
		"0." + strings.Repeat("0", 400) + "1:1",
	} {
		got, err := ParseHot(text)
		if err == nil {
			t.Errorf("ParseHot(%q) = %+v", text, got)
			continue
		}
		if got != (Hot{}) {
			t.Errorf("ParseHot(%q) = %+v beside its error", text, got)
		}
		for _, part := range []string{"30%:1", "0.3:1", "above 0", "100%", "at least 1"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("ParseHot(%q): error %q does not say %q", text, err, part)
			}
		}
	}
}

func TestHotString(t *testing.T) {
	if got := (Hot{}).String(); got != "" {
		t.Errorf("the zero Hot is written %q", got)
	}
	for _, h := range []Hot{{2, 1}, {-0.5, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {0.5, 0}, {0, 3}} {
		if back, err := ParseHot(h.String()); err == nil {
			t.Errorf("%#v is written %q, which is read as %#v", h, h, back)
		}
	}
}

func TestHotRoundTripsEveryShare(t *testing.T) {
	rng := rngOf(1)
	shares := []float64{1, math.Nextafter(1, 0), 0.1, 0.01, 0.001, 1e-300, math.SmallestNonzeroFloat64}
	for range 20_000 {
		shares = append(shares, 1-rng.Float64(), math.Exp(-30*rng.Float64()))
	}
	for percent := range 1000 {
		shares = append(shares, float64(percent+1)/1000)
	}
	for _, share := range shares {
		h := Hot{Share: share, Keys: 1 + rng.IntN(math.MaxInt)}
		if back, err := ParseHot(h.String()); err != nil || back != h {
			t.Fatalf("%#v is written %q, read back as %#v, %v", h, h, back, err)
		}
	}
}

func FuzzParseHot(f *testing.F) {
	for _, seed := range []string{"30%:1", "0.3:1", "100%:7", "1:1", "0.1%:20", "", ":", "NaN:1", "1e2%:1", "-1:1", "30%:0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParseHot(text)
		if err != nil {
			return
		}
		if !(h.Share > 0 && h.Share <= 1) || h.Keys < 1 {
			t.Fatalf("%q is read as %#v", text, h)
		}
		if back, err := ParseHot(h.String()); err != nil || back != h {
			t.Fatalf("%q is read as %#v, written %q, read back as %#v, %v", text, h, h, back, err)
		}
	})
}
