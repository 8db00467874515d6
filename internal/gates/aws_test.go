package gates

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"
	"time"
)

// awsRow is one line of the reference: what 20 000 repeats of the simulator of
// "Exponential Backoff and Jitter" (M. Brooker, AWS Architecture Blog, 2015;
// github.com/aws-samples/aws-arch-backoff-simulator) came to, and the standard
// errors of the means.
type awsRow struct {
	clients           int
	backoff           string
	elapsed, elapsedE float64 // milliseconds to the last success
	calls, callsE     float64 // writes
}

// awsBackoffs are our names for the reference's kinds of back-off.
var awsBackoffs = map[string]string{
	"None": "none", "Exponential": "exp", "EqualJitter": "equal", "FullJitter": "full", "Decorr": "decorrelated",
}

func awsTable(t *testing.T) (rows []awsRow) {
	t.Helper()
	file, err := os.Open("testdata/aws_backoff_reference.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if header := fmt.Sprint(lines[0]); header != "[clients kind reps time_mean time_se calls_mean calls_se]" {
		t.Fatalf("columns %s", header)
	}
	for _, line := range lines[1:] {
		numbers := make([]float64, len(line))
		for i, field := range line {
			if i == 1 {
				continue
			}
			if numbers[i], err = strconv.ParseFloat(field, 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, awsRow{int(numbers[0]), awsBackoffs[line[1]], numbers[3], numbers[4], numbers[5], numbers[6]})
	}
	return rows
}

// TestAWSBackoff reproduces the table with our client loop and back-offs: N
// clients read a row at once, each must write it once, and whose version is old
// by then reads again after a back-off. The row is served in no time, every
// message takes |Normal(10, 2)| ms, the back-offs begin at 5 ms and end at 2 s.
func TestAWSBackoff(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1000)) // each trial, of a few exchanges, has histograms of a megabyte
	p := builtIn("aws-jitter")
	repeats := 200
	if *full {
		repeats = 2000
	}
	var all zs
	t.Run("rows", func(t *testing.T) {
		for _, row := range awsTable(t) {
			if !*full && row.clients > 20 {
				continue
			}
			t.Run(fmt.Sprintf("%d clients, %s", row.clients, row.backoff), func(t *testing.T) {
				t.Parallel()
				plan := way{point{0, 1, 0, row.clients}, "watch-pipelined", row.backoff}.plan(0, 0)
				plan.Herd = true
				plan.RTTs = []time.Duration{20 * time.Millisecond}
				plan.BackoffBase, plan.BackoffCap = 5*time.Millisecond, 2*time.Second
				var elapsed, calls sample
				for number := range repeats {
					run := simulate(t, plan, number, p)
					if run.Committed != int64(row.clients) || run.Attempts != run.Committed+run.Conflicts {
						t.Fatalf("%d committed, %d attempts, %d conflicts", run.Committed, run.Attempts, run.Conflicts)
					}
					elapsed.add(float64(run.ElapsedNS) / 1e6)
					calls.add(float64(run.Attempts))
				}
				all.add(t, "milliseconds", elapsed, row.elapsed, row.elapsedE)
				all.add(t, "calls", calls, row.calls, row.callsE)
			})
		}
	})
	rms := math.Sqrt(all.squares / float64(all.n))
	t.Logf("%d figures of %d repeats: rms z %.2f, largest |z| %.2f", all.n, repeats, rms, all.largest)
	if !(rms < 1.3) {
		t.Errorf("rms z = %.2f", rms)
	}
}

// sample is what a mean and its standard error need.
type sample struct{ n, sum, squares float64 }

func (s *sample) add(x float64) {
	s.n++
	s.sum += x
	s.squares += x * x
}

func (s *sample) mean() float64 { return s.sum / s.n }

func (s *sample) standardError() float64 {
	return math.Sqrt((s.squares/s.n - s.mean()*s.mean()) / (s.n - 1))
}

// zs collects differences in standard errors.
type zs struct {
	mu               sync.Mutex
	n                int
	squares, largest float64
}

func (z *zs) add(t *testing.T, what string, ours sample, theirs, theirError float64) {
	t.Helper()
	value := (ours.mean() - theirs) / math.Hypot(ours.standardError(), theirError)
	t.Logf("%s: %.2f +- %.2f, reference %.2f +- %.2f, z = %+.2f", what, ours.mean(), ours.standardError(), theirs, theirError, value)
	if !(math.Abs(value) < 4) {
		t.Errorf("%s: %.2f +- %.2f, reference %.2f +- %.2f: z = %.2f", what, ours.mean(), ours.standardError(), theirs, theirError, value)
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	z.n++
	z.squares += value * value
	z.largest = max(z.largest, math.Abs(value))
}
