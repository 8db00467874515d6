package store

import (
	"math"
	"strconv"
	"strings"
)

// integer reads a number as the server does: 64 bits, in canonical form only.
func integer(text string) (n int64, valid bool) {
	if text == "0" {
		return 0, true
	}
	digits, negative := strings.CutPrefix(text, "-")
	if digits == "" || digits[0] == '0' || len(digits) > len("9223372036854775808") {
		return 0, false
	}
	var sum uint64 // has room for any number of so many digits
	for i := range len(digits) {
		digit := uint64(digits[i] - '0')
		if digit > 9 {
			return 0, false
		}
		sum = sum*10 + digit
	}
	switch {
	case negative && sum <= 1<<63:
		return -int64(sum), true
	case !negative && sum < 1<<63:
		return int64(sum), true
	}
	return 0, false
}

// plus adds; fits is false if the sum does not fit into 64 bits.
func plus(a, b int64) (sum int64, fits bool) {
	sum = a + b
	return sum, (a < 0) != (b < 0) || (sum < 0) == (a < 0)
}

// float reads a number as C's strtod does, all of the text. NaN, overflow and
// underflow to 0 are refused.
func float(text string) (x float64, valid bool) {
	literal, sound := cFloat(text)
	if !sound {
		return 0, false
	}
	x, err := strconv.ParseFloat(literal, 64)
	if err != nil || math.IsNaN(x) || x == 0 && !isZero(literal) {
		return 0, false
	}
	return x, true
}

// cFloat turns a number in C's notation into Go's. Go wants an exponent behind
// a hexadecimal number, and knows underscores.
func cFloat(text string) (literal string, sound bool) {
	if strings.Contains(text, "_") {
		return "", false
	}
	if isHex(text) && !strings.ContainsAny(text, "pP") {
		text += "p0"
	}
	return text, true
}

func isHex(text string) bool {
	text = strings.TrimLeft(text, "+-")
	return strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X")
}

// isZero says that the digits of a number before its exponent are all 0.
func isZero(literal string) bool {
	if isHex(literal) {
		_, literal, _ = strings.Cut(strings.ToLower(literal), "0x")
		literal, _, _ = strings.Cut(literal, "p")
		return !strings.ContainsAny(literal, "123456789abcdef")
	}
	literal, _, _ = strings.Cut(strings.ToLower(literal), "e")
	return !strings.ContainsAny(literal, "123456789")
}

// double writes a score as C's %.17g does.
func double(x float64) string {
	switch {
	case math.IsInf(x, +1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return strconv.FormatFloat(x, 'g', 17, 64)
}
