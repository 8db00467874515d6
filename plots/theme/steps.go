package theme

import "math"

// The 1-2-5 steps ..., 0.5, 1, 2, 5, 10, ... are numbered: step 0 is 1, step 3 is 10.

var oneTwoFive = [3]float64{1, 2, 5}

func step125(k int) float64 {
	decade := int(math.Floor(float64(k) / 3))
	digit := oneTwoFive[k-3*decade]
	if decade < 0 {
		return digit / math.Pow10(-decade) // 2/10 is the double nearest 0.2; 2*0.1 need not be
	}
	return digit * math.Pow10(decade)
}

// floor125 is the number of the largest step that is not above v > 0.
func floor125(v float64) int {
	k := 3*int(math.Floor(math.Log10(v))) - 1 // a step below, come what may of the logarithm
	for step125(k+1) <= v*(1+1e-9) {
		k++
	}
	return k
}

// ceil125 is the number of the smallest step that is not below v > 0.
func ceil125(v float64) int {
	k := floor125(v)
	if step125(k) < v*(1-1e-9) {
		k++
	}
	return k
}

// roundStep is the smallest 1-2-5 step that divides a range into at most n parts.
func roundStep(width float64, n int) float64 { return step125(ceil125(width / float64(max(n, 1)))) }

// multiples are the multiples of a step from lo to hi.
func multiples(step, lo, hi float64) []float64 {
	var out []float64
	for k := math.Ceil(lo/step - 1e-9); k <= math.Floor(hi/step+1e-9) && len(out) < 200; k++ {
		out = append(out, k*step)
	}
	return out
}
