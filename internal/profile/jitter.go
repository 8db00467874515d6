package profile

import (
	"math"
	"math/rand/v2"
)

// Shape says how a delay spreads around its mean.
type Shape string

// The shapes. Delays that are all alike phase-lock a simulation: one client
// wins every time.
const (
	ShapeConstant    Shape = "constant"
	ShapeExponential Shape = "exponential" // a share of the mean is exponential, the rest fixed
	ShapeNormal      Shape = "normal"      // the size of a normal value whose deviation is a share of the mean
)

// Jitter is a shape with its parameter.
type Jitter struct {
	Shape Shape   `json:"shape"`
	Share float64 `json:"share"` // of the mean, 0 to 1; nothing to a constant
}

// Draw draws one value around a mean, in the mean's unit.
func (j Jitter) Draw(mean float64, rng *rand.Rand) float64 {
	switch j.Shape {
	case ShapeExponential:
		return mean * (1 - j.Share + j.Share*rng.ExpFloat64())
	case ShapeNormal:
		return mean * math.Abs(1+j.Share*rng.NormFloat64())
	}
	return mean
}
