package check

import (
	"fmt"
	"slices"
	"strings"

	"rmwbench/internal/state"
)

// reference is an element of a key that stands for another key: whoever reads
// the one goes on to the other.
type reference struct {
	pointer string
	element string // in words
	in      func(state.State) bool
	payload string
}

// references are those that the file declares, or else those that can be
// inferred from all states of the first run.
func (v *evidence) references() (all []reference) {
	for _, r := range v.Refs {
		all = append(all, declared(v.File, r))
	}
	if len(all) > 0 {
		return all
	}
	payloads := map[string][]string{} // by name, and by the last part of it
	for _, s := range v.walk {
		for name := range s.Keys {
			for _, word := range slices.Compact([]string{lastPart(name), name}) {
				if !slices.Contains(payloads[word], name) && !v.claims(name) {
					payloads[word] = append(payloads[word], name)
				}
			}
		}
	}
	seen := map[[3]string]bool{}
	for _, s := range v.walk {
		for _, pointer := range s.Names() {
			for _, item := range s.Keys[pointer].Items {
				for _, r := range inferred(pointer, s.Keys[pointer].Type, item, payloads) {
					if id := [3]string{r.pointer, r.element, r.payload}; !seen[id] {
						seen[id] = true
						all = append(all, r)
					}
				}
			}
		}
	}
	all = slices.DeleteFunc(all, v.neverMet)
	slices.SortStableFunc(all, func(a, b reference) int {
		return strings.Compare(a.pointer+"\x00"+a.payload, b.pointer+"\x00"+b.payload)
	})
	return all
}

// neverMet reports whether there was no moment at which a reference led to its
// payload.
func (v *evidence) neverMet(r reference) bool {
	return !slices.ContainsFunc(v.walk, func(s state.State) bool { return r.in(s) && s.Holds(r.payload) })
}

// claims reports whether a key is there to hold the operation id, and so no
// payload.
func (v *evidence) claims(key string) bool {
	for i, c := range v.commands() {
		if c.UsesOp && v.isClaim(c) && !v.walk[i].Holds(key) && v.walk[i+1].Holds(key) && strings.Contains(key, opID) {
			return true
		}
	}
	return false
}

func declared(file string, r Ref) reference {
	element := fmt.Sprintf("%s (%s:%d)", r.Pointer, file, r.Line)
	if r.Element != "" {
		element = fmt.Sprintf("%s holds %s (%s:%d)", r.Pointer, state.Shown(r.Element), file, r.Line)
	} else {
		element = r.Pointer + " is there" + strings.TrimPrefix(element, r.Pointer)
	}
	return reference{r.Pointer, element, func(s state.State) bool {
		k, ok := s.Keys[r.Pointer]
		return ok && (r.Element == "" || slices.ContainsFunc(k.Items, func(i state.Item) bool {
			return i.Name == r.Element || i.Value == r.Element
		}))
	}, r.Payload}
}

// inferred are the references that an item makes: a member of a set or sorted
// set, an element of a list, or a field of a hash that is the name of a key or
// the last part of one (42 of item:42); and a string, or the value of a field,
// that is the name of a key, or 42 where the key or field is called item or
// item_id.
func inferred(pointer, kind string, item state.Item, payloads map[string][]string) (all []reference) {
	words, label := []string{item.Name}, ""
	switch kind {
	case "list":
		words = []string{item.Value}
	case "string":
		words, label = []string{item.Value}, lastPart(pointer)
	case "hash":
		words, label = []string{item.Name, item.Value}, item.Name
	case "set", "zset":
	default:
		return nil
	}
	for i, word := range words {
		byLabel := kind == "string" || kind == "hash" && i == 1
		for _, payload := range payloads[word] {
			switch {
			case word == "" || payload == pointer:
				continue
			case word != payload && byLabel && !labelled(payload, label, word):
				continue
			}
			all = append(all, reference{pointer, holds(pointer, word, payload), func(s state.State) bool {
				k, ok := s.Keys[pointer]
				return ok && slices.ContainsFunc(k.Items, func(it state.Item) bool {
					if kind == "list" {
						return it.Value == word
					}
					return it.Name == item.Name && (!byLabel || it.Value == word)
				})
			}, payload})
		}
	}
	return all
}

// holds says in words what makes a reference.
func holds(pointer, word, payload string) string {
	if word == payload {
		return fmt.Sprintf("%s holds the name %s", pointer, payload)
	}
	return fmt.Sprintf("%s holds %s, the last part of the name %s", pointer, state.Shown(word), payload)
}

// labelled reports whether a value under a label names a key: 42 under item,
// item_id or itemId names item:42.
func labelled(payload, label, value string) bool {
	for _, suffix := range []string{"_id", "Id", "-id", ""} {
		if base, ok := strings.CutSuffix(label, suffix); ok && base != "" {
			want := base + ":" + value
			return payload == want || strings.HasSuffix(payload, ":"+want)
		}
	}
	return false
}

// lastPart is what follows the last colon of a name.
func lastPart(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// breach is how badly a reference is broken.
type breach int

const (
	intact     breach = iota
	outlives          // the payload ends before its pointer does
	unfinished        // the payload is there in part
	missing           // the payload is not there
)

// breach says how a reference stands in a state, as far as the batch is to
// blame: what was so at the start is not its doing.
func (v *evidence) breach(r reference, s state.State) breach {
	now, start := v.stands(r, s), v.stands(r, v.walk[0])
	if now == start && now != unfinished {
		return intact
	}
	return now
}

func (v *evidence) stands(r reference, s state.State) breach {
	if !r.in(s) {
		return intact
	}
	pointer, payload := s.Keys[r.pointer], s.Keys[r.payload]
	final, before := v.once.Keys[r.payload], v.walk[0].Keys[r.payload]
	switch {
	case !s.Holds(r.payload):
		return missing
	case v.once.Holds(r.payload) && len(payload.Items) != len(final.Items) && !payload.SameItems(before):
		return unfinished
	case payload.Deadline != 0 && (pointer.Deadline == 0 || pointer.Deadline-payload.Deadline > 1000):
		return outlives
	}
	return intact
}
