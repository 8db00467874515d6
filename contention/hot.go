package contention

import (
	"fmt"
	"strconv"
	"strings"
)

// Hot is a hot spot: that share of the operations goes to that many keys. The zero Hot is none.
type Hot struct {
	Share float64 // above 0, at most 1
	Keys  int     // at least 1
}

// ParseHot reads SHARE:KEYS, the share as a percentage or a fraction: "30%:1" and "0.3:1" are the same. Numbers are plain
// decimals, without sign or exponent.
func ParseHot(s string) (Hot, error) {
	refused := fmt.Errorf("hot spot %q: must be SHARE:KEYS like 30%%:1 or 0.3:1, "+
		"the share above 0 and at most 100%%, the keys a whole number of at least 1", s)

	share, keys, both := strings.Cut(s, ":")
	share, percent := strings.CutSuffix(share, "%")
	if !both || strings.Trim(share, "0123456789.") != "" || strings.Trim(keys, "0123456789") != "" {
		return Hot{}, refused
	}
	if percent {
		share += "e-2" // exact, where dividing by 100 would round a second time
	}
	var h Hot
	var err error
	if h.Share, err = strconv.ParseFloat(share, 64); err != nil {
		return Hot{}, refused
	}
	if h.Keys, err = strconv.Atoi(keys); err != nil || h.check() != nil {
		return Hot{}, refused
	}
	return h, nil
}

// String writes h as "30%:1", from which ParseHot reads exactly h. The zero Hot is "".
func (h Hot) String() string {
	if h == (Hot{}) {
		return ""
	}
	if h.check() != nil {
		return fmt.Sprintf("%v:%d", h.Share, h.Keys)
	}
	return percentage(h.Share) + ":" + strconv.Itoa(h.Keys)
}

// check refuses values outside their range, NaN included.
func (h Hot) check() error {
	if !(h.Share > 0 && h.Share <= 1) {
		return fmt.Errorf("hot share is %v, must be above 0 and at most 1", h.Share)
	}
	if h.Keys < 1 {
		return fmt.Errorf("number of hot keys is %d, must be at least 1", h.Keys)
	}
	return nil
}

// percentage writes a share in (0, 1] in percent, moving the point in the decimal text: multiplying by 100 would round.
func percentage(share float64) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(share, 'f', -1, 64), ".")
	for len(fraction) < 2 {
		fraction += "0"
	}
	whole = strings.TrimLeft(whole+fraction[:2], "0")
	if whole == "" {
		whole = "0"
	}
	if fraction = fraction[2:]; fraction != "" {
		fraction = "." + fraction
	}
	return whole + fraction + "%"
}
