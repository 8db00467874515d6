package fault

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rmwbench/internal/profile"
	"rmwbench/internal/sim"
	"rmwbench/internal/state"
	"rmwbench/strategies"
)

var update = flag.Bool("update", false, "write testdata/expected.txt anew, to be read before it is kept")

// The expectations say for every design, point by point, how often the op is
// applied and what is wrong. Both worlds are held to them.
const expectations = "expected.txt"

func simulated(t *testing.T) Server {
	p, err := profile.Open("ideal")
	if err != nil {
		t.Fatal(err)
	}
	world := sim.New(sim.Config{Profile: p}, 1)
	return Server{
		World: world, Facts: strategies.Facts{Product: "redis", Version: "7.0.15"},
		Clock: state.Exact, Restart: world.Restart,
	}
}

func TestMatrixInTheSimulatedWorld(t *testing.T) {
	all, err := Matrix(simulated(t), Designs.Names(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, all)
}

// expect holds the verdicts on all designs to their promises and to the
// expectations.
func expect(t *testing.T, all []Verdict) {
	t.Helper()
	var text strings.Builder
	for _, v := range all {
		if v.NA != "" {
			t.Errorf("%s: n/a: %s", v.Name, v.NA)
		}
		if !v.Kept() {
			t.Errorf("%s: %q, promised %q", v.Name, v.Flaws, v.Design.Promise)
		}
		fmt.Fprintf(&text, "%s: %s\n", v.Name, v.Design.Summary)
		for _, c := range v.Cases {
			fmt.Fprintf(&text, "  %s: applied %s", c.Point, c.Applied)
			if c.Told != ToldNothing {
				fmt.Fprintf(&text, ", told %s", c.Told)
			}
			for _, f := range c.Flaws {
				fmt.Fprintf(&text, ", %s", strings.ToUpper(string(f)))
			}
			if c.Swept != nil {
				fmt.Fprintf(&text, "; sweep: %d pointers and %d payloads removed, %d spared, %d exchanges",
					c.Swept.Broken, c.Swept.Orphans, c.Swept.Spared, c.Swept.Exchanges)
			}
			text.WriteByte('\n')
		}
	}
	path := filepath.Join("testdata", expectations)
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, expected := strings.Split(text.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(expected)) {
		if i >= len(got) || i >= len(expected) || got[i] != expected[i] {
			t.Fatalf("line %d of %s differs:\n%s\nwant\n%s", i+1, path, line(got, i), line(expected, i))
		}
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}
