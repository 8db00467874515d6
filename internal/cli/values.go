package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"rmwbench/contention"
)

// The values of axis flags are lists. Each knows how to read its own text and
// says what it wants; which values make sense is the plan's to say.
type (
	names     []string
	ints      []int
	floats    []float64
	durations []time.Duration
	hots      []contention.Hot
	duration  time.Duration
)

func (v *names) Decode(ctx *kong.DecodeContext) error {
	return decodeList(ctx, v, "names", func(s string) (string, error) { return s, nil })
}

func (v *ints) Decode(ctx *kong.DecodeContext) error {
	return decodeList(ctx, v, "whole numbers", strconv.Atoi)
}

func (v *floats) Decode(ctx *kong.DecodeContext) error {
	return decodeList(ctx, v, "numbers", func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

func (v *durations) Decode(ctx *kong.DecodeContext) error {
	return decodeList(ctx, v, "durations like 500us, 1ms or 2 (seconds)", parseDuration)
}

func (v *hots) Decode(ctx *kong.DecodeContext) error {
	return decodeList(ctx, v, "hot spots like 30%:1 (30 % of the ops on 1 key)", contention.ParseHot)
}

func (v *duration) Decode(ctx *kong.DecodeContext) error {
	text, err := popText(ctx)
	if err != nil {
		return err
	}
	d, err := parseDuration(text)
	if err != nil {
		return fmt.Errorf("%q: want a duration like 400ms, 1m30s or 10 (seconds)", text)
	}
	*v = duration(d)
	return nil
}

// decodeList reads a comma-separated list.
func decodeList[L ~[]T, T any](ctx *kong.DecodeContext, into *L, want string, parse func(string) (T, error)) error {
	text, err := popText(ctx)
	if err != nil {
		return err
	}
	list := make(L, 0, 4)
	for item := range strings.SplitSeq(text, ",") {
		v, err := parse(item)
		if err != nil || item == "" {
			return fmt.Errorf("%q: want %s, separated by commas without blanks", text, want)
		}
		list = append(list, v)
	}
	*into = list
	return nil
}

func popText(ctx *kong.DecodeContext) (string, error) {
	var text string
	err := ctx.Scan.PopValueInto("value", &text)
	return text, err
}

// parseDuration reads Go's durations; a bare number is seconds.
func parseDuration(text string) (time.Duration, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return time.ParseDuration(strconv.FormatFloat(seconds, 'f', -1, 64) + "s")
	}
	return time.ParseDuration(text)
}
