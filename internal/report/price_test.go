package report

import (
	"slices"
	"strings"
	"testing"

	"rmwbench/results"
)

// priced is a trial of ops a second that each leave some bytes.
func priced(c results.Cell, committed, bytes int64) results.Run {
	r := run(c, committed, 0)
	r.Whole.Verdicts = map[string]int64{"committed": 2 * committed} // half of them before the window
	kept := 2 * committed * bytes
	r.Server = &results.Server{KeptBytes: &kept}
	return r
}

func TestThePriceOfSafety(t *testing.T) {
	plain, few, many, other, silent := cell("lua", 64, 1), cell("lua-token", 4, 1), cell("lua-token", 64, 1), cell("watch-token", 4, 1), cell("watch-token", 8, 1)
	noServer := run(silent, 1000, 0)
	r, err := New(&results.File{
		Headers: []results.Header{header("redis", 0, plain, few, many, other, silent)},
		Runs: []results.Run{
			priced(plain, 20_000, 1), noServer,
			priced(few, 5_000, 140), priced(many, 10_000, 133), priced(many, 10_000, 135), priced(many, 10_000, -900),
			priced(other, 1234, 150),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &r.Settings[0]
	table := s.Table()
	at := slices.Index(table.Columns, "bytes kept/op")
	if at < 0 || !table.Figures(at) {
		t.Fatalf("columns %q", table.Columns)
	}
	var got []string
	for _, row := range table.Rows {
		if len(row) != len(table.Columns) {
			t.Errorf("%d cells in %d columns: %q", len(row), len(table.Columns), row)
		}
		got = append(got, row[at])
	}
	if want := []string{"-", "140", "133", "150", "-"}; !slices.Equal(got, want) {
		t.Errorf("bytes %q, want %q", got, want)
	}
	want := []string{
		"The price of safety, lua-token: an op leaves its token behind, about 133 bytes for an hour. At the 10000 ops/s measured with 64 clients that is about 4.8 GB.",
		"The price of safety, watch-token: an op leaves its token behind, about 150 bytes for an hour. At the 1200 ops/s measured with 4 clients that is about 666 MB.",
	}
	if lines := s.Price(); !slices.Equal(lines, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

// At a rate that was asked for, that rate counts, whatever was reached.
func TestThePriceAtARate(t *testing.T) {
	c := cell("lua-token", 4, 1)
	c.Rate = 10_000
	r, err := New(&results.File{Headers: []results.Header{header("redis", 0, c)}, Runs: []results.Run{priced(c, 500, 133)}})
	if err != nil {
		t.Fatal(err)
	}
	if lines := r.Settings[0].Price(); len(lines) != 1 || !strings.Contains(lines[0], "At the 10000 ops/s asked for that is about 4.8 GB.") {
		t.Errorf("%q", lines)
	}
}

// Where nobody leaves tokens, or nobody knows what they take, nothing is said.
func TestNoPrice(t *testing.T) {
	lost := priced(cell("lua-token", 4, 1), 500, 133)
	lost.Audit = &results.Audit{Verdict: results.AuditLost, Keys: 1, KeysWrong: 1, Acknowledged: 2, Lost: 1}
	for name, one := range map[string]results.Run{
		"no tokens": priced(cell("lua", 4, 1), 500, 133), "no word of the server": run(cell("lua-token", 4, 1), 500, 0),
		"less than nothing": priced(cell("lua-token", 4, 1), 500, -3), "void": lost,
	} {
		r, err := New(&results.File{Headers: []results.Header{header("redis", 0, one.Cell)}, Runs: []results.Run{one}})
		if err != nil {
			t.Fatal(err)
		}
		s := &r.Settings[0]
		if slices.Contains(s.Table().Columns, "bytes kept/op") || s.Price() != nil {
			t.Errorf("%s: %q, %q", name, s.Table().Columns, s.Price())
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0 bytes", 133: "133 bytes", 999: "999 bytes", 999.6: "1.0 kB", 1234: "1.2 kB", 9_960: "10 kB", 666e6: "666 MB", 4.788e9: "4.8 GB", 13e9: "13 GB", 2e18: "2000 PB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%v is %q, want %q", n, got, want)
		}
	}
}
