package theme

import (
	"math"
	"strconv"
	"strings"
)

// number writes a tick: 0.5, 2, 10, 200, 5k, 1M. Below plain there is no suffix,
// so that measured values like 1000 and 1024 look alike.
func number(v, plain float64) string {
	a := math.Abs(v)
	if a != 0 && (a < 1e-4 || a >= 1e15) {
		return strings.Replace(strconv.FormatFloat(v, 'g', 4, 64), "e-0", "e-", 1)
	}
	if a >= plain {
		for _, unit := range []struct {
			one    float64
			suffix string
		}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
			if a < unit.one {
				continue
			}
			if s := digits(v / unit.one); len(strings.TrimLeft(s, "-")) <= 4 {
				return s + unit.suffix
			}
			break
		}
	}
	return digits(v)
}

// digits writes a number without exponent and without the noise of binary
// fractions.
func digits(v float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil || rounded == 0 {
		return "0"
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// percentile writes a share of samples: 0.999 is p99.9, and 0 the least sample.
func percentile(q float64) string {
	if q == 0 {
		return "min"
	}
	return "p" + digits(100*q)
}
