package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// join lists in English.
func join(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	comma := ", "
	if strings.Contains(strings.Join(words, ""), ",") {
		comma = "; "
	}
	return strings.Join(words[:last], comma) + " and " + words[last]
}

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
