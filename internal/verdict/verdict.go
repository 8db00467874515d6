// Package verdict owns the sentences that a table ends in: where optimistic
// transactions stop paying, who wins at each end, and who was the bottleneck.
// They follow from the figures by rules that are pure functions.
package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rmwbench/results"
	"rmwbench/strategies"
)

// Sentences judges the rows of one setting. Rows that are void, invalid,
// empty or controls take no part. local says that the server shares this machine's
// cores with the tool. No sentence is made up: fewer rows give fewer.
func Sentences(rows []results.Summary, local bool) (all []string) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(s results.Summary) bool {
		return kind(s).Control || s.Audit.Void() || s.Trials == 0 || s.Committed == 0 || s.Invalid()
	})
	if len(rows) == 0 {
		return nil
	}
	for _, s := range []string{retries(rows), winners(rows), scriptCap(rows), bystanders(rows), bottleneck(rows, local)} {
		if s != "" {
			all = append(all, s)
		}
	}
	return all
}

func kind(s results.Summary) strategies.Kind {
	k, _ := strategies.All.Get(s.Strategy) // unknown: neither a control nor optimistic
	return k
}

// Label names a row's way of doing it, without the number of clients.
func Label(c results.Cell) string {
	s := c.Strategy
	if c.ScriptTimeNS > 0 {
		s += fmt.Sprintf(" of %v", time.Duration(c.ScriptTimeNS))
	}
	if c.Conn == results.ConnShared {
		s += " on a shared connection"
	}
	switch c.Backoff {
	case "":
	case "none":
		s += " without back-off"
	default:
		s += " with " + c.Backoff + " back-off"
	}
	switch {
	case c.MaxTries == 1:
		s += " in 1 try"
	case c.MaxTries > 1:
		s += fmt.Sprintf(" in up to %d tries", c.MaxTries)
	}
	if c.OnUnknown == "retry" {
		s += ", unknown retried"
	} else if c.OnUnknown != "" {
		s += ", unknown read back"
	}
	if c.OnFailed != "" {
		s += ", failed retried"
	}
	return s
}

// clients counts in words.
func clients(n int) string { return Count(n, "client") }

// Count is a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Join lists in English: a, b and c. What has commas itself is set apart by
// semicolons.
func Join(words []string) string {
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
