package check

import (
	"slices"
	"strings"
	"testing"

	"rmwbench/internal/state"
)

func key(kind string, words ...string) state.Key {
	k := state.Key{Type: kind}
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		k.Items = append(k.Items, state.Item{Name: name, Value: value})
	}
	return k
}

func until(k state.Key, deadline int64) state.Key {
	k.Deadline = deadline
	return k
}

func stateOf(keys map[string]state.Key) state.State { return state.State{Keys: keys} }

// The end of a retry is held against a single run, which another single run
// shows to be steady in some respects only.
func TestRetriesAgainstSingleRuns(t *testing.T) {
	const start, later = 1_000_000, 1_002_000 // when the first run began, and the others
	whole := func(began int64) play { return play{began: began, ended: began + 10} }
	for what, c := range map[string]struct {
		once, other, left, end state.Key
		setter                 int // step of two that set the deadline
		want                   string
	}{
		"equal":                           {once: key("string", "=1"), other: key("string", "=1"), end: key("string", "=1")},
		"a value":                         {once: key("string", "=1"), other: key("string", "=1"), end: key("string", "=2"), want: "k: 1 -> 2"},
		"made up":                         {once: key("string", "=1"), other: key("string", "=7"), end: key("string", "=9")},
		"made up and missing":             {once: key("string", "=1"), other: key("string", "=7"), want: "k: 1 -> nothing"},
		"one of two fields made up":       {once: key("hash", "a=1", "t=1"), other: key("hash", "a=1", "t=2"), end: key("hash", "a=1", "t=3")},
		"the other of two":                {once: key("hash", "a=1", "t=1"), other: key("hash", "a=1", "t=2"), end: key("hash", "a=9", "t=3"), want: "k a: 1 -> 9, and 1 more"},
		"ids made up":                     {once: key("stream", "1-0=a"), other: key("stream", "2-0=a"), end: key("stream", "3-0=a")},
		"ids made up, another entry":      {once: key("stream", "1-0=a"), other: key("stream", "2-0=a"), end: key("stream", "3-0=b"), want: "k 1-0: a -> nothing, and 1 more"},
		"ids made up, doubled":            {once: key("stream", "1-0=a"), other: key("stream", "2-0=a"), end: key("stream", "3-0=a", "4-0=a"), want: "k: 1 -> 2 entries"},
		"absolute deadline":               {once: until(key("set", "a"), 9e6), other: until(key("set", "a"), 9e6), end: until(key("set", "a"), 9e6)},
		"another absolute deadline":       {once: until(key("set", "a"), 9e6), other: until(key("set", "a"), 9e6), end: until(key("set", "a"), 9e6+1000), want: "k: its deadline is another one"},
		"no deadline":                     {once: until(key("set", "a"), 9e6), other: until(key("set", "a"), 9e6), end: key("set", "a"), want: "k has no deadline"},
		"a deadline":                      {once: key("set", "a"), other: key("set", "a"), end: until(key("set", "a"), 9e6), want: "k has a deadline, which a single run does not give it"},
		"relative, set by the retry":      {once: until(key("set", "a"), start+60000), other: until(key("set", "a"), later+60001), left: key("set", "a"), end: until(key("set", "a"), later+60003), setter: 1},
		"relative, set twice":             {once: until(key("set", "a"), start+60000), other: until(key("set", "a"), later+60001), left: until(key("set", "a"), start+60500), end: until(key("set", "a"), later+60003), want: "k: its deadline moves with the retry"},
		"relative, kept":                  {once: until(key("set", "a"), start+60000), other: until(key("set", "a"), later+60001), left: until(key("set", "a"), start+60500), end: until(key("set", "a"), start+60500)},
		"relative, set by the retry, off": {once: until(key("set", "a"), start+60000), other: until(key("set", "a"), later+60001), left: key("set", "a"), end: until(key("set", "a"), later+90000), setter: 1, want: "k: it lasts for another time"},
		"drawn":                           {once: until(key("set", "a"), start+60000), other: until(key("set", "a"), later+80001), left: key("set", "a"), end: until(key("set", "a"), later+90000), setter: 1},
	} {
		of := func(k state.Key) state.State {
			if k.Type == "" {
				return stateOf(nil)
			}
			return stateOf(map[string]state.Key{"k": k})
		}
		v := &evidence{
			first: whole(start), once: of(c.once), other: whole(later), otherOnce: of(c.other), setters: map[string]int{"k": c.setter},
		}
		got := ""
		for _, d := range v.differences(&crash{steps: 1, left: of(c.left), retry: whole(later), end: of(c.end)}) {
			got += d.text
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// Names that two single runs do not share are compared by their number.
func TestMadeUpNames(t *testing.T) {
	of := func(names ...string) state.State {
		s := stateOf(map[string]state.Key{})
		for _, n := range names {
			s.Keys[n] = key("string", "=1")
		}
		return s
	}
	v := &evidence{once: of("a", "tmp:1"), otherOnce: of("a", "tmp:2")}
	for want, end := range map[string]state.State{
		"":                                     of("a", "tmp:3"),
		"keys whose names are made up: 1 -> 2": of("a", "tmp:1", "tmp:3"),
		"keys whose names are made up: 1 -> 0": of("a"),
		"a: 1 -> nothing":                      of("tmp:3"),
	} {
		var got []string
		for _, d := range v.differences(&crash{end: end}) {
			got = append(got, d.text)
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%v: %q, want %q", end.Names(), text, want)
		}
	}
}

func TestReferencesAreInferred(t *testing.T) {
	payloads := map[string][]string{"42": {"item:42"}, "item:42": {"item:42"}, "shop:item:7": {"shop:item:7"}, "7": {"shop:item:7"}}
	for _, c := range []struct {
		pointer, kind string
		item          state.Item
		want          string
	}{
		{"feed", "zset", state.Item{Name: "42", Value: "1"}, "item:42"},
		{"feed", "zset", state.Item{Name: "1", Value: "42"}, ""}, // a score
		{"feed", "set", state.Item{Name: "item:42", Value: ""}, "item:42"},
		{"feed", "list", state.Item{Name: "42", Value: "9"}, ""}, // an index
		{"feed", "list", state.Item{Name: "0", Value: "42"}, "item:42"},
		{"by-name", "hash", state.Item{Name: "Widget", Value: "42"}, ""}, // any number
		{"by-name", "hash", state.Item{Name: "Widget", Value: "item:42"}, "item:42"},
		{"cart", "hash", state.Item{Name: "42", Value: "3"}, "item:42"},
		{"order", "hash", state.Item{Name: "item", Value: "42"}, "item:42"},
		{"order", "hash", state.Item{Name: "item_id", Value: "7"}, "shop:item:7"},
		{"order", "hash", state.Item{Name: "itemId", Value: "42"}, "item:42"},
		{"order", "hash", state.Item{Name: "price", Value: "42"}, ""},
		{"latest:item", "string", state.Item{Name: "", Value: "42"}, "item:42"},
		{"latest", "string", state.Item{Name: "", Value: "42"}, ""},
		{"latest", "string", state.Item{Name: "", Value: "item:42"}, "item:42"},
		{"item:42", "set", state.Item{Name: "42", Value: ""}, ""}, // itself
		{"log", "stream", state.Item{Name: "42", Value: "42"}, ""},
	} {
		var got []string
		for _, r := range inferred(c.pointer, c.kind, c.item, payloads) {
			got = append(got, r.payload)
			if s := stateOf(map[string]state.Key{c.pointer: {Type: c.kind, Items: []state.Item{c.item}}}); !r.in(s) {
				t.Errorf("%+v: is not in its own state", c)
			}
			if s := stateOf(map[string]state.Key{c.pointer: {Type: c.kind, Items: []state.Item{{Name: "other", Value: "other"}}}}); r.in(s) || r.in(stateOf(nil)) {
				t.Errorf("%+v: is in another state", c)
			}
		}
		if text := strings.Join(slices.Compact(got), " "); text != c.want {
			t.Errorf("%+v: %q, want %q", c, text, c.want)
		}
	}
}

func TestLongListsAreCut(t *testing.T) {
	if got := few([]string{"1", "2", "3", "4", "5"}); len(got) != 5 || got[4] != "5" {
		t.Errorf("%q", got)
	}
	if got := few([]string{"1", "2", "3", "4", "5", "6", "7"}); len(got) != 6 || got[5] != "2 more" {
		t.Errorf("%q", got)
	}
}

func TestReadable(t *testing.T) {
	if got := readable("op:" + opID + " \x00\x1b[31m\xff\tä"); got != `op:${op} \x00\x1b[31m�\tä` {
		t.Errorf("%q", got)
	}
}
