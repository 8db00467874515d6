package theme

import (
	"image/color"
	"math"
)

// contrastWithWhite is the contrast ratio of WCAG 2, (1 + 0.05) / (L + 0.05),
// 1 for white and 21 for black.
func contrastWithWhite(c color.RGBA) float64 { return 1.05 / (luminance(c) + 0.05) }

// luminance is the relative luminance of an sRGB colour, 0 for black, 1 for white.
func luminance(c color.RGBA) float64 {
	return 0.2126*linearLight(c.R) + 0.7152*linearLight(c.G) + 0.0722*linearLight(c.B)
}

func linearLight(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}
