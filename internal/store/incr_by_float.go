package store

import (
	"math/big"
	"strings"

	"rmwbench/internal/resp"
)

func init() { add("INCRBYFLOAT", 3, incrByFloat) }

// The long double in which the server computes on x86: bits of its mantissa,
// and the exponents of its largest and smallest numbers.
const (
	mantissa    = 64
	maxExponent = 16384
	minExponent = -16444
)

// longDouble reads a number as C's strtold does. Infinity is valid; NaN,
// overflow and underflow to 0 are not.
func longDouble(text string) (x *big.Float, valid bool) {
	literal, sound := cFloat(text)
	base := 10
	if isHex(literal) {
		base = 0 // which takes the prefix for what it is
	}
	if !sound || base == 10 && strings.ContainsAny(literal, "pP") {
		return nil, false
	}
	if x, valid := infinity(literal); valid {
		return x, true
	}
	x, _, err := big.ParseFloat(literal, base, mantissa, big.ToNearestEven)
	if err != nil || x.IsInf() || tooLarge(x) {
		return nil, false
	}
	return x, x.Sign() == 0 && isZero(literal) || x.Sign() != 0 && x.MantExp(nil) >= minExponent
}

func tooLarge(x *big.Float) bool { return x.MantExp(nil) > maxExponent }

func infinity(literal string) (x *big.Float, is bool) {
	name, negative := strings.CutPrefix(strings.ToLower(literal), "-")
	if !negative {
		name = strings.TrimPrefix(name, "+")
	}
	if name != "inf" && name != "infinity" {
		return nil, false
	}
	return new(big.Float).SetInf(negative), true
}

func incrByFloat(c *Conn, cmd resp.Cmd) resp.Reply {
	reply, s, failed := c.db.read(cmd[1])
	if failed {
		return reply
	}
	old, valid := new(big.Float).SetPrec(mantissa), true
	if s != nil {
		old, valid = longDouble(reply.Str)
	}
	by, validBy := longDouble(cmd[2])
	switch {
	case !valid || !validBy:
		return notFloat
	case old.IsInf() || by.IsInf() || tooLarge(old.Add(old, by)):
		return resp.Fault("ERR increment would produce NaN or Infinity")
	}
	text := fixed(old)
	c.db.write(cmd[1], text)
	return resp.Text(text)
}

// fixed writes a number with up to 17 digits behind the point.
func fixed(x *big.Float) string {
	text := strings.TrimSuffix(strings.TrimRight(x.Text('f', 17), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}
