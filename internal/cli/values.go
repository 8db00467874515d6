package cli

import (
	"errors"
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
	faults    []contention.FaultShares
	burst     contention.Burst
	duration  time.Duration
	whole     int64
	seed      uint64
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

func (v *faults) Decode(ctx *kong.DecodeContext) error {
	return decodeList(ctx, v, "faults like reply-lost=1% or reply-lost=1%+request-cut=0.5%; there is also request-lost; shares above 0%, at most 100% together",
		contention.ParseFaults)
}

func (v *burst) Decode(ctx *kong.DecodeContext) error {
	text, err := popText(ctx)
	if err != nil {
		return err
	}
	b, err := contention.ParseBurst(text)
	*v = burst(b)
	return err
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

func (v *whole) Decode(ctx *kong.DecodeContext) error {
	text, err := popText(ctx)
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%q: want a whole number", text)
	}
	*v = whole(n)
	return nil
}

func (v *seed) Decode(ctx *kong.DecodeContext) error {
	text, err := popText(ctx)
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%q: want a whole number from 0 to 2^64-1", text)
	}
	*v = seed(n)
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

// popText takes the flag's value as it was typed. The library itself refuses
// a value that begins with a dash, with a message that hides what is wrong with
// it, and leaves the = of -c=4 in the value.
func popText(ctx *kong.DecodeContext) (string, error) {
	token := ctx.Scan.Pop()
	if token.Value == nil {
		return "", errors.New("want a value")
	}
	return strings.TrimPrefix(fmt.Sprint(token.Value), "="), nil
}

// parseDuration reads Go's durations; a bare number is seconds.
func parseDuration(text string) (time.Duration, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return time.ParseDuration(strconv.FormatFloat(seconds, 'f', -1, 64) + "s")
	}
	return time.ParseDuration(text)
}
