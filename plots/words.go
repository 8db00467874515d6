package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// number is a value with two or three digits, thousands as k.
func number(v float64) string {
	switch {
	case v >= 99_500:
		return fmt.Sprintf("%.0fk", v/1000)
	case v >= 9_950:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v/1000), ".0") + "k"
	case v >= 99.5:
		return fmt.Sprintf("%.0f", v)
	case v >= 9.95:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}
