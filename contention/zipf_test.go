package contention

import (
	"fmt"
	"math"
	"math/big"
	"testing"
)

// harmonic is the sum of k^-s over k = 1..n, independent of the code under test: terms from logarithms, summed at 200 bits.
func harmonic(n int, s float64) float64 {
	sum := new(big.Float).SetPrec(200)
	for k := 1; k <= n; k++ {
		sum.Add(sum, big.NewFloat(math.Exp(-s*math.Log(float64(k)))))
	}
	h, _ := sum.Float64()
	return h
}

func sumOfSquares(dist Dist) float64 {
	sum := 0.0
	for i := range dist.Len() {
		sum += dist.Mass(i) * dist.Mass(i)
	}
	return sum
}

func TestZipfSumOfSquares(t *testing.T) {
	for _, n := range []int{1, 2, 10, 1000, 100_000} {
		for _, s := range []float64{0, 0.5, 0.99, 1, 1.2, 3} {
			got := sumOfSquares(mustDist(t, "zipf", Shape{Keys: n, Skew: s}))
			want := harmonic(n, 2*s) / (harmonic(n, s) * harmonic(n, s))
			if math.Abs(got/want-1) > 1e-12 {
				t.Errorf("%d keys, skew %v: sum of squares %v, want %v", n, s, got, want)
			}
		}
	}
}

func TestZipfMassesFromHarmonicNumbers(t *testing.T) {
	// H(100) = 5.18737751763962..., H(100, 2) = 1.63498390018489..., both tabulated.
	dist := mustDist(t, "zipf", Shape{Keys: 100, Skew: 1})
	for i, want := range map[int]float64{0: 1 / 5.18737751763962, 1: 0.5 / 5.18737751763962, 99: 0.01 / 5.18737751763962} {
		if got := dist.Mass(i); math.Abs(got/want-1) > 1e-13 {
			t.Errorf("mass of key %d is %v, want %v", i, got, want)
		}
	}
	want := 1.63498390018489 / (5.18737751763962 * 5.18737751763962)
	if got := sumOfSquares(dist); math.Abs(got/want-1) > 1e-13 {
		t.Errorf("sum of squares %v, want %v", got, want)
	}
}

// The alias table holds exactly the masses: every key's parts over all columns add up to its mass.
func TestAliasTableHoldsTheMasses(t *testing.T) {
	for _, n := range []int{1, 2, 3, 1000, 100_000} {
		for _, s := range []float64{1e-9, 0.5, 0.99, 1, 1.2, 10, 1e300} {
			dist := mustDist(t, "zipf", Shape{Keys: n, Skew: s}).(*zipf)
			held := make([]float64, n)
			for i, column := range dist.table {
				if !(column.keep >= 0 && column.keep <= 1+1e-12) {
					t.Fatalf("%d keys, skew %v: column %d keeps %v", n, s, i, column.keep)
				}
				held[i] += column.keep
				held[column.other] += 1 - column.keep
			}
			for i := range held {
				if got, want := held[i]/float64(n), dist.Mass(i); math.Abs(got-want) > 1e-13 {
					t.Fatalf("%d keys, skew %v: the table holds %v of key %d, want %v", n, s, got, i, want)
				}
			}
		}
	}
}

func TestZipfOfSkewZeroIsUniform(t *testing.T) {
	for _, skew := range []float64{0, math.Copysign(0, -1)} {
		for _, n := range []int{1, 3, 10, 997} {
			flat, even := mustDist(t, "zipf", Shape{Keys: n, Skew: skew}), mustDist(t, "uniform", Shape{Keys: n})
			one, two := rngOf(11), rngOf(11)
			for i := range n {
				if flat.Mass(i) != even.Mass(i) || flat.Mass(i) != 1/float64(n) {
					t.Fatalf("mass of key %d of %d is %v, uniform has %v", i, n, flat.Mass(i), even.Mass(i))
				}
				if a, b := flat.Pick(one), even.Pick(two); a != b {
					t.Fatalf("picks differ: %d, uniform %d", a, b)
				}
			}
		}
	}
}

func TestZipfOfHugeSkewIsOneKey(t *testing.T) {
	dist := mustDist(t, "zipf", Shape{Keys: 1000, Skew: math.MaxFloat64})
	if dist.Mass(0) != 1 || dist.Mass(1) != 0 {
		t.Errorf("masses are %v, %v, want 1, 0", dist.Mass(0), dist.Mass(1))
	}
	rng := rngOf(1)
	for range 10_000 {
		if i := dist.Pick(rng); i != 0 {
			t.Fatalf("picked key %d", i)
		}
	}
}

func BenchmarkZipfPick(b *testing.B) {
	for _, keys := range []int{1000, 1_000_000} {
		b.Run(fmt.Sprintf("keys=%d", keys), func(b *testing.B) {
			dist := mustDist(b, "zipf", Shape{Keys: keys, Skew: 0.99})
			rng := rngOf(1)
			b.ReportAllocs()
			for b.Loop() {
				dist.Pick(rng)
			}
		})
	}
}

func BenchmarkZipfNew(b *testing.B) {
	for b.Loop() {
		mustDist(b, "zipf", Shape{Keys: 1_000_000, Skew: 0.99})
	}
}
