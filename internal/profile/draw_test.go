package profile

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// mean of many draws, all of them within bounds.
func mean(t *testing.T, least, most float64, draw func(*rand.Rand) float64) float64 {
	t.Helper()
	const n = 200_000
	rng := rand.New(rand.NewPCG(1, 2))
	sum := 0.0
	for range n {
		v := draw(rng)
		if !(least <= v && v <= most) {
			t.Fatalf("drew %v, want %v to %v", v, least, most)
		}
		sum += v
	}
	return sum / n
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.01*math.Abs(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestQuantilesDrawTheirMean(t *testing.T) {
	for _, c := range []struct {
		q                 Quantiles
		least, most, mean float64
	}{
		{nil, 0, 0, 0},
		{Constant(7), 7, 7, 7},
		{Quantiles{{0, 10}, {1, 30}}, 10, 30, 20},
		{Quantiles{{0, 10}, {0.5, 10}, {1, 30}}, 10, 30, 15},
		{Quantiles{{0, 5000}, {0.5, 10000}, {0.99, 40000}, {1, 100000}}, 5000, 100000, 16700},
	} {
		near(t, "mean", c.q.Mean(), c.mean)
		near(t, "mean of draws", mean(t, c.least, c.most, c.q.Draw), c.mean)
	}
}

func TestQuantilesDrawTheirShares(t *testing.T) {
	q := Quantiles{{0, 0}, {0.25, 100}, {0.9, 200}, {1, 1000}}
	for _, point := range q[1:3] {
		below := mean(t, 0, 1, func(rng *rand.Rand) float64 {
			if q.Draw(rng) <= point.NS {
				return 1
			}
			return 0
		})
		near(t, "share", below, point.Share)
	}
}

func TestJitterKeepsTheMean(t *testing.T) {
	const m = 1000.0
	for _, c := range []struct {
		jitter      Jitter
		least, most float64
	}{
		{Jitter{}, m, m},
		{Jitter{ShapeConstant, 0.7}, m, m},
		{Jitter{ShapeExponential, 0}, m, m},
		{Jitter{ShapeExponential, 0.5}, m / 2, math.Inf(1)},
		{Jitter{ShapeExponential, 1}, 0, math.Inf(1)},
		{Jitter{ShapeNormal, 0.2}, 0, 3 * m},
	} {
		got := mean(t, c.least, c.most, func(rng *rand.Rand) float64 { return c.jitter.Draw(m, rng) })
		near(t, string(c.jitter.Shape), got, m)
	}
}

func TestScaledAndRounded(t *testing.T) {
	p := sample()
	fast := p.Scaled(2)
	if s := fast.Server; s.ExchangeNS != 4000 || s.CommandNS != 250 || s.NestedNS != 200 || s.Command("SET") != 350 || s.Command("PING") != 250 {
		t.Errorf("twice as fast: %+v", s)
	}
	if !reflect.DeepEqual(fast.Client, p.Client) || p.Server.Command("SET") != 700 {
		t.Error("more than the server was scaled")
	}
	if got := p.Scaled(3).Rounded().Server; got.ExchangeNS != 2667 || got.Command("GET") != 138 {
		t.Errorf("rounded: %+v", got)
	}
	if p.Server.Command("GET") != 412.5 {
		t.Error("rounding changed the original")
	}
}
