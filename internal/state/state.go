// Package state owns what a database held at one time, read key by key, and how
// two such states differ, in words.
package state

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"rmwbench/internal/resp"
)

// State is what a database held at one time.
type State struct {
	Time int64 // the server's, in milliseconds since 1970
	Keys map[string]Key
}

// Key is what a key held.
type Key struct {
	Type     string
	Deadline int64 // in milliseconds since 1970, 0: none
	// Items are the parts of the value, each with a name of its own: fields of a
	// hash, members of a set, entries of a stream by their ids, elements of a
	// list by their index; a string is one item without a name. In the order of
	// the names, or of the list or stream.
	Items []Item
}

// Item is one part of a value.
type Item struct {
	Name, Value string
}

func (s State) Names() []string { return slices.Sorted(maps.Keys(s.Keys)) }

// Holds reports whether a key is there.
func (s State) Holds(key string) bool {
	_, ok := s.Keys[key]
	return ok
}

func (k Key) items() map[string]string {
	m := make(map[string]string, len(k.Items))
	for _, i := range k.Items {
		m[i.Name] = i.Value
	}
	return m
}

// SameItems reports whether two keys hold the same value.
func (k Key) SameItems(other Key) bool {
	return k.Type == other.Type && slices.Equal(k.Items, other.Items)
}

// Change is one thing that differs between two states.
type Change struct {
	Key      string
	Item     string // "" for a whole list, string or key
	Deadline bool   // of the key
}

// Tolerance is how far deadlines may be apart and still count as one. A
// deadline that is set anew moves by at least the pause.
const Tolerance = 200 * time.Millisecond

// Changes lists what differs between two states of one database, by key.
func Changes(before, after State) (all []Change) {
	names := slices.Concat(before.Names(), after.Names())
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		b, inBefore := before.Keys[name]
		a, inAfter := after.Keys[name]
		whole := inBefore != inAfter || a.Type != b.Type || a.Type == "list" || a.Type == "string"
		switch {
		case whole && !(inBefore && inAfter && a.SameItems(b)):
			all = append(all, Change{Key: name})
		case !whole:
			for _, item := range differing(b, a) {
				all = append(all, Change{Key: name, Item: item})
			}
		}
		if inBefore && inAfter && Apart(a.Deadline, b.Deadline) {
			all = append(all, Change{Key: name, Deadline: true})
		}
	}
	return all
}

// Apart reports whether two deadlines differ.
func Apart(a, b int64) bool {
	d := time.Duration(a-b) * time.Millisecond
	return (a == 0) != (b == 0) || d.Abs() > Tolerance
}

// differing are the names of the items that two values do not share.
func differing(a, b Key) (names []string) {
	in, out := a.items(), b.items()
	for name, value := range in {
		if v, ok := out[name]; !ok || v != value {
			names = append(names, name)
		}
	}
	for name := range out {
		if _, ok := in[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Describe says how a key went from one state to another, in one sentence, or
// nothing.
func Describe(name string, before, after State) string {
	b, inBefore := before.Keys[name]
	a, inAfter := after.Keys[name]
	switch {
	case !inBefore && !inAfter:
		return ""
	case !inBefore:
		return fmt.Sprintf("%s: nothing -> %s", name, a.Short())
	case !inAfter:
		return fmt.Sprintf("%s: %s -> nothing", name, b.Short())
	case a.Type != b.Type:
		return fmt.Sprintf("%s: a %s -> a %s", name, b.Type, a.Type)
	case !a.SameItems(b):
		return name + describeItems(b, a)
	}
	return DescribeDeadline(name, before, after)
}

// DescribeDeadline says how a key's deadline went from one state to another, in
// one sentence, or nothing.
func DescribeDeadline(name string, before, after State) string {
	b, a := before.Keys[name].Deadline, after.Keys[name].Deadline
	switch {
	case !Apart(a, b):
		return ""
	case b == 0:
		return name + " gets a deadline"
	case a == 0:
		return name + " loses its deadline"
	case a > b:
		return name + ": its deadline moves later"
	}
	return name + ": its deadline moves earlier"
}

// describeItems says how values of one type differ; they do.
func describeItems(before, after Key) string {
	switch noun := nouns[after.Type]; {
	case noun == nil && after.Type != "string": // only its DUMP is known
		return ": another value"
	case noun != nil && len(after.Items) != len(before.Items):
		return fmt.Sprintf(": %d -> %d %s", len(before.Items), len(after.Items), noun[1])
	}
	names := differing(before, after)
	first, label := names[0], ""
	switch after.Type {
	case "set":
		return fmt.Sprintf(": other members, %s for one", Shown(first))
	case "string":
	case "list":
		label = "[" + first + "]"
	default:
		label = " " + Shown(first)
	}
	text := fmt.Sprintf("%s: %s -> %s", label, before.item(first), after.item(first))
	if more := len(names) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// item is the value of an item in words.
func (k Key) item(name string) string {
	if value, ok := k.items()[name]; ok {
		return Shown(value)
	}
	return "nothing"
}

// nouns are what the items of a type are called, one and many.
var nouns = map[string][]string{
	"list": {"element", "elements"}, "set": {"member", "members"}, "zset": {"member", "members"},
	"hash": {"field", "fields"}, "stream": {"entry", "entries"},
}

// Short is a value in some words.
func (k Key) Short() string {
	noun := nouns[k.Type]
	switch {
	case k.Type == "string":
		return Shown(k.Items[0].Value)
	case noun == nil:
		return "a " + k.Type
	case len(k.Items) == 1:
		return fmt.Sprintf("a %s of 1 %s", k.Type, noun[0])
	}
	return fmt.Sprintf("a %s of %d %s", k.Type, len(k.Items), noun[1])
}

// Shown is a value as it may stand in a sentence.
func Shown(value string) string {
	if strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return clip(strconv.Quote(value), 40)
	}
	return clip(resp.Text(value).String(), 40)
}

// clip shortens a text to so many characters.
func clip(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return text
}
