package fault

import (
	"errors"
	"slices"
	"strings"

	"rmwbench/internal/state"
)

// seen is what remains of a case: what is stored, and what the other client was
// answered, for that tells whose update it saw.
type seen struct {
	state  state.State
	answer string
}

// references are what undisturbed clients leave, played one after the other.
type references struct {
	none, once, twice seen   // of the first client's op
	otherOnly         seen   // and with the other's
	bothOnce          []seen // in either order
	bothTwice         []seen // with the first's done again
	told              string // what the first client was answered in once
	started           int64  // the server's time at which once began, in milliseconds
}

// learn plays them, and counts the commands of an attempt.
func (t *tester) learn() (err error) {
	if err = t.fresh(); err != nil {
		return err
	}
	// The first attempt may have to load a script. The second is the usual one.
	if _, err = t.undisturbed(first, new(log)); err != nil {
		return err
	}
	lines := new(log)
	play := func(clients ...int) (s seen) {
		if err != nil {
			return s
		}
		lines.lines = nil
		if err = t.fresh(); err != nil {
			return s
		}
		for _, c := range clients {
			answer, failed := t.undisturbed(c, lines)
			if errors.Is(failed, errRefused) {
				return seen{answer: impossible}
			}
			if failed != nil {
				err = failed
				return s
			}
			if c == other {
				s.answer = answer
			}
			if len(clients) == 1 && c == first {
				t.refs.told = answer
			}
		}
		s.state, err = t.reader.Read(0)
		return s
	}
	r := &t.refs
	r.once = play(first)
	t.commands = nil
	for _, line := range lines.lines {
		t.commands = append(t.commands, len(line.Sent))
	}
	r.started = r.once.state.Time
	r.none, r.twice, r.otherOnly = play(), play(first, again), play(other)
	r.bothOnce = []seen{play(first, other), play(other, first)}
	r.bothTwice = []seen{play(first, again, other), play(first, other, again), play(other, first, again)}
	return err
}

// impossible is the answer of a play in which an op was refused: no case ends
// like it.
const impossible = "refused"

// ownKey reports whether a key is a token or a lock: what a design keeps beside
// the state that it is about.
func ownKey(key string) bool {
	return strings.Contains(key, ":op:") || strings.HasSuffix(key, ":lock")
}

// equal reports whether two states hold the same but for the times of deadlines,
// tokens, locks and the ids of streams.
func equal(a, b state.State) bool {
	return slices.EqualFunc(content(a), content(b), func(x, y named) bool {
		return x.name == y.name && x.key.SameItems(y.key) && (x.key.Deadline == 0) == (y.key.Deadline == 0)
	})
}

type named struct {
	name string
	key  state.Key
}

func content(s state.State) (all []named) {
	for _, name := range s.Names() {
		if ownKey(name) {
			continue
		}
		k := s.Keys[name]
		if k.Type == "stream" {
			k.Items = slices.Clone(k.Items)
			for i := range k.Items {
				k.Items[i].Name = ""
			}
		}
		all = append(all, named{name, k})
	}
	return all
}

// among reports whether a case ended like one of some references.
func (s seen) among(refs ...seen) bool {
	return slices.ContainsFunc(refs, func(r seen) bool { return s.answer == r.answer && equal(s.state, r.state) })
}
