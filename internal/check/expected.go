package check

import (
	"fmt"
	"slices"
	"time"

	"rmwbench/internal/state"
)

// How the end of a crashed and retried run is held against that of a single
// one, which was another run at another time:
//
//   - A second single run says what the server makes up (ids of a stream, times,
//     random picks): where the two do not agree, the number of items counts.
//   - A deadline that both single runs share is an absolute time and has to be
//     met. A relative one that the crashed run had set must not have moved in the
//     retry; one that only the retry set counts from the retry.

// difference is a key that does not end as after a single run, in one sentence.
type difference struct {
	key, text string
}

// differences are those of a retry.
func (v *evidence) differences(c *crash) (all []difference) {
	names := slices.Concat(v.once.Names(), c.end.Names())
	slices.Sort(names)
	madeUp, wanted := 0, 0
	for _, name := range slices.Compact(names) {
		inOnce, stable := v.once.Holds(name), v.once.Holds(name) == v.otherOnce.Holds(name)
		switch {
		case !stable || !inOnce && v.madeUpNames():
			if inOnce {
				wanted++
			}
			if c.end.Holds(name) {
				madeUp++
			}
		case !inOnce || !c.end.Holds(name) || !v.sameValue(name, c.end.Keys[name]):
			all = append(all, difference{name, state.Describe(name, v.once, c.end)})
		default:
			if why := v.deadlineFault(name, c); why != "" {
				all = append(all, difference{name, name + why})
			}
		}
	}
	if madeUp != wanted {
		all = append(all, difference{"", fmt.Sprintf("keys whose names are made up: %d -> %d", wanted, madeUp)})
	}
	return all
}

// madeUpNames reports whether single runs leave keys with names of their own.
func (v *evidence) madeUpNames() bool {
	return !slices.Equal(v.once.Names(), v.otherOnce.Names())
}

// sameValue reports whether a key holds what it does after a single run.
func (v *evidence) sameValue(name string, end state.Key) bool {
	once, other := v.once.Keys[name], v.otherOnce.Keys[name]
	switch {
	case once.Type != end.Type:
		return false
	case once.SameItems(other):
		return once.SameItems(end)
	case once.Type == "stream" && slices.Equal(values(once), values(other)): // only the ids are made up
		return slices.Equal(values(once), values(end))
	case len(once.Items) != len(end.Items):
		return len(once.Items) != len(other.Items)
	}
	for _, item := range once.Items {
		if slices.Contains(other.Items, item) && !slices.Contains(end.Items, item) {
			return false
		}
	}
	return true
}

func values(k state.Key) (values []string) {
	for _, i := range k.Items {
		values = append(values, i.Value)
	}
	return values
}

// deadlineFault says how the deadline of a key is not that of a single run, or
// nothing.
func (v *evidence) deadlineFault(name string, c *crash) string {
	once, end := v.once.Keys[name].Deadline, c.end.Keys[name].Deadline
	left, hadOne := c.left.Keys[name]
	switch {
	case once == 0 && end == 0:
		return ""
	case end == 0:
		return " has no deadline"
	case once == 0:
		return " has a deadline, which a single run does not give it"
	case v.absolute(name):
		if state.Apart(once, end) {
			return ": its deadline is another one"
		}
	case v.setters[name] < c.steps && hadOne && left.Deadline != 0:
		if state.Apart(left.Deadline, end) {
			return ": its deadline moves with the retry"
		}
	case v.steady(name):
		// Somewhere in the run, and perhaps in whole seconds.
		slack := time.Second + ran(c.retry) + ran(v.first) + state.Tolerance
		if lasts(end, c.retry)-lasts(once, v.first) > slack || lasts(once, v.first)-lasts(end, c.retry) > slack {
			return ": it lasts for another time"
		}
	}
	return ""
}

// absolute reports whether a key has the same deadline whenever the batch is
// run.
func (v *evidence) absolute(name string) bool {
	return !state.Apart(v.once.Keys[name].Deadline, v.otherOnce.Keys[name].Deadline)
}

// steady reports whether a relative deadline comes equally long after the
// beginning of any run: it is not if a script draws it.
func (v *evidence) steady(name string) bool {
	d := lasts(v.once.Keys[name].Deadline, v.first) - lasts(v.otherOnce.Keys[name].Deadline, v.other)
	return d.Abs() <= time.Second+ran(v.first)+ran(v.other)+state.Tolerance
}

// lasts is how long after the beginning of a run a deadline comes.
func lasts(deadline int64, p play) time.Duration {
	return time.Duration(deadline-p.began) * time.Millisecond
}

// ran is how long a run took.
func ran(p play) time.Duration { return time.Duration(p.ended-p.began) * time.Millisecond }
