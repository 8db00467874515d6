package verdict

import (
	"testing"
	"time"

	"rmwbench/results"
)

// row is a row of a table as a test wants it.
type row struct {
	strategy, backoff string
	clients           int
	goodputs          []float64 // one for each trial, whole numbers
	attempts          float64   // per committed op; 0: 1
	tries             int
	lost, partial     bool
	cpu               cpu
	embedded          bool // the server runs in the tool
}

// cpu is what the load cost: the share of all cores that the tool used and
// that of one core that the server did, negative if it does not say.
type cpu struct {
	cores        int
	tool, server float64
}

// quiet is a machine of which nobody knows how busy it was: it keeps the
// sentence about the bottleneck out of tests of the others.
var quiet = cpu{}

// six is six trials of about that goodput; ranges of different ones overlap
// where they are less than a factor of 1.1 apart.
func six(center float64) []float64 {
	return []float64{0.96 * center, 0.98 * center, center, center, 1.02 * center, 1.04 * center}
}

// exactly is n trials of the same goodput.
func exactly(n int, goodput float64) (all []float64) {
	for range n {
		all = append(all, goodput)
	}
	return all
}

func (r row) cell() results.Cell {
	return results.Cell{
		Strategy: r.strategy, Backoff: r.backoff, Clients: r.clients, MaxTries: r.tries,
		Workload: "counter", Keys: 1, Dist: "uniform", Conn: "dedicated",
	}
}

// table sums up the rows as a report does, from runs.
func table(rows ...row) []results.Summary {
	var cells []results.Cell
	var runs []results.Run
	for _, r := range rows {
		cells = append(cells, r.cell())
		for _, goodput := range r.goodputs {
			run := results.Run{
				Source: results.SourceLive, Cell: r.cell(), Partial: r.partial,
				ElapsedNS: int64(100 * time.Second), Committed: int64(100 * goodput),
			}
			run.Attempts = int64(float64(run.Committed) * max(r.attempts, 1))
			run.Whole.ElapsedNS = run.ElapsedNS
			if r.cpu.cores > 0 {
				run.Client = &results.Client{
					Cores: r.cpu.cores, Hosts: r.embedded, CPUNS: int64(r.cpu.tool * float64(r.cpu.cores) * float64(run.ElapsedNS)),
				}
			}
			if r.cpu.server >= 0 {
				used := int64(r.cpu.server * float64(run.ElapsedNS))
				run.Server = &results.Server{CPUNS: &used}
			}
			audit := &results.Audit{}
			audit.Tally(10, 0, 10)
			if r.lost {
				audit.Tally(10, 0, 9)
			}
			audit.Settle()
			run.Audit = audit
			runs = append(runs, run)
		}
	}
	return results.Summaries(cells, runs)
}

// sentencesTest is a table and all that is to be said of it.
type sentencesTest struct {
	name  string
	rows  []row
	local bool
	want  []string
}

func checkSentences(t *testing.T, tests []sentencesTest) {
	t.Helper()
	for _, test := range tests {
		got := Sentences(table(test.rows...), test.local)
		for i := range max(len(got), len(test.want)) {
			g, w := "(nothing)", "(nothing)"
			if i < len(got) {
				g = got[i]
			}
			if i < len(test.want) {
				w = test.want[i]
			}
			if g != w {
				t.Errorf("%s:\n got %s\nwant %s", test.name, g, w)
			}
		}
	}
}
