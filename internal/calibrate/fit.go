package calibrate

// line is one equation of a fit: the costs, each as often as it occurs, should
// add up to the total. A line counts by its weight and by how far off it is as
// a share of its total.
type line struct {
	counts []float64
	total  float64
	weight float64
}

// sum is what the costs add up to.
func (l line) sum(costs []float64) (sum float64) {
	for i, n := range l.counts {
		sum += n * costs[i]
	}
	return sum
}

// sweeps of the costs, after which a fit of a few dozen has long settled.
const sweeps = 20_000

// fit finds the costs, none of them negative, that explain the lines best, by
// weighted least squares: it improves one cost after the other, the others
// fixed, over and over (coordinate descent on the normal equations
// A'A x = A'y, each x cut off at 0).
func fit(lines []line, costs int) []float64 {
	normal := make([][]float64, costs)
	right := make([]float64, costs)
	for i := range normal {
		normal[i] = make([]float64, costs)
	}
	for _, l := range lines {
		scale := l.weight / l.total
		for i, a := range l.counts {
			for j, b := range l.counts {
				normal[i][j] += scale * scale * a * b
			}
			right[i] += scale * scale * a * l.total
		}
	}
	x := make([]float64, costs)
	for range sweeps {
		for i, row := range normal {
			if row[i] == 0 {
				continue // no line has it
			}
			rest := right[i]
			for j, a := range row {
				if j != i {
					rest -= a * x[j]
				}
			}
			x[i] = max(rest/row[i], 0)
		}
	}
	return x
}
