package check

import (
	"slices"
	"strings"
	"testing"
)

func key(kind string, words ...string) Key {
	k := Key{Type: kind}
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		k.Items = append(k.Items, Item{name, value})
	}
	return k
}

func (k Key) until(deadline int64) Key {
	k.Deadline = deadline
	return k
}

func state(keys map[string]Key) State { return State{Keys: keys} }

// What differs between two states is found and said in words.
func TestDifferencesInWords(t *testing.T) {
	nothing := Key{}
	for _, c := range []struct {
		before, after Key
		want          string // "" for no difference
		items         int    // how many changes
	}{
		{key("string", "=1"), key("string", "=1"), "", 0},
		{key("string", "=1"), key("string", "=2"), "k: 1 -> 2", 1},
		{key("string", "=1"), key("string", "=a b"), `k: 1 -> "a b"`, 1},
		{nothing, key("string", "=1"), "k: nothing -> 1", 1},
		{key("hash", "a=1"), nothing, "k: a hash of 1 field -> nothing", 1},
		{key("stream", "1-1=x", "1-2=y"), nothing, "k: a stream of 2 entries -> nothing", 1},
		{key("stream"), key("stream"), "", 0},
		{nothing, key("stream"), "k: nothing -> a stream of 0 entries", 1},
		{key("string", "=1"), key("list", "0=1"), "k: a string -> a list", 1},
		{key("list", "0=a", "1=b"), key("list", "0=a"), "k: 2 -> 1 elements", 1},
		{key("list", "0=a", "1=b"), key("list", "0=b", "1=a"), "k[0]: a -> b, and 1 more", 1},
		{key("set", "a", "b"), key("set", "a", "c"), "k: other members, b for one", 2},
		{key("set", "a"), key("set", "a", "c"), "k: 1 -> 2 members", 1},
		{key("zset", "a=1", "b=2"), key("zset", "a=1", "b=3"), "k b: 2 -> 3", 1},
		{key("hash", "a=1", "b=2"), key("hash", "a=1", "c=2"), "k b: 2 -> nothing, and 1 more", 2},
		{key("module", "=1"), key("module", "=2"), "k: another value", 1},
		{key("set", "a"), key("set", "a").until(5000), "k gets a deadline", 1},
		{key("set", "a").until(5000), key("set", "a"), "k loses its deadline", 1},
		{key("set", "a").until(5000), key("set", "a").until(5199), "", 0},
		{key("set", "a").until(5000), key("set", "a").until(6100), "k: its deadline moves later", 1},
		{key("set", "a").until(6100), key("set", "a").until(5000), "k: its deadline moves earlier", 1},
		{key("set", "a").until(5000), key("set", "a", "b").until(6100), "k: 1 -> 2 members", 2},
	} {
		before, after := state(map[string]Key{}), state(map[string]Key{})
		if c.before.Type != "" {
			before.Keys["k"] = c.before
		}
		if c.after.Type != "" {
			after.Keys["k"] = c.after
		}
		found := changes(before, after)
		if text := describe("k", before, after); text != c.want || len(found) != c.items {
			t.Errorf("%+v -> %+v: %q and %d changes, want %q and %d", c.before, c.after, text, len(found), c.want, c.items)
		}
	}
}

// The end of a retry is held against a single run, which another single run
// shows to be steady in some respects only.
func TestRetriesAgainstSingleRuns(t *testing.T) {
	const start, later = 1_000_000, 1_002_000 // when the first run began, and the others
	whole := func(began int64) play { return play{began: began, ended: began + 10} }
	for what, c := range map[string]struct {
		once, other, left, end Key
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
		"absolute deadline":               {once: key("set", "a").until(9e6), other: key("set", "a").until(9e6), end: key("set", "a").until(9e6)},
		"another absolute deadline":       {once: key("set", "a").until(9e6), other: key("set", "a").until(9e6), end: key("set", "a").until(9e6 + 1000), want: "k: its deadline is another one"},
		"no deadline":                     {once: key("set", "a").until(9e6), other: key("set", "a").until(9e6), end: key("set", "a"), want: "k has no deadline"},
		"a deadline":                      {once: key("set", "a"), other: key("set", "a"), end: key("set", "a").until(9e6), want: "k has a deadline, which a single run does not give it"},
		"relative, set by the retry":      {once: key("set", "a").until(start + 60000), other: key("set", "a").until(later + 60001), left: key("set", "a"), end: key("set", "a").until(later + 60003), setter: 1},
		"relative, set twice":             {once: key("set", "a").until(start + 60000), other: key("set", "a").until(later + 60001), left: key("set", "a").until(start + 60500), end: key("set", "a").until(later + 60003), want: "k: its deadline moves with the retry"},
		"relative, kept":                  {once: key("set", "a").until(start + 60000), other: key("set", "a").until(later + 60001), left: key("set", "a").until(start + 60500), end: key("set", "a").until(start + 60500)},
		"relative, set by the retry, off": {once: key("set", "a").until(start + 60000), other: key("set", "a").until(later + 60001), left: key("set", "a"), end: key("set", "a").until(later + 90000), setter: 1, want: "k: it lasts for another time"},
		"drawn":                           {once: key("set", "a").until(start + 60000), other: key("set", "a").until(later + 80001), left: key("set", "a"), end: key("set", "a").until(later + 90000), setter: 1},
	} {
		of := func(k Key) State {
			if k.Type == "" {
				return state(nil)
			}
			return state(map[string]Key{"k": k})
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
	of := func(names ...string) State {
		s := state(map[string]Key{})
		for _, n := range names {
			s.Keys[n] = key("string", "=1")
		}
		return s
	}
	v := &evidence{once: of("a", "tmp:1"), otherOnce: of("a", "tmp:2")}
	for want, end := range map[string]State{
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
			t.Errorf("%v: %q, want %q", end.names(), text, want)
		}
	}
}

func TestReferencesAreInferred(t *testing.T) {
	payloads := map[string][]string{"42": {"item:42"}, "item:42": {"item:42"}, "shop:item:7": {"shop:item:7"}, "7": {"shop:item:7"}}
	for _, c := range []struct {
		pointer, kind string
		item          Item
		want          string
	}{
		{"feed", "zset", Item{"42", "1"}, "item:42"},
		{"feed", "zset", Item{"1", "42"}, ""}, // a score
		{"feed", "set", Item{"item:42", ""}, "item:42"},
		{"feed", "list", Item{"42", "9"}, ""}, // an index
		{"feed", "list", Item{"0", "42"}, "item:42"},
		{"by-name", "hash", Item{"Widget", "42"}, ""}, // any number
		{"by-name", "hash", Item{"Widget", "item:42"}, "item:42"},
		{"cart", "hash", Item{"42", "3"}, "item:42"},
		{"order", "hash", Item{"item", "42"}, "item:42"},
		{"order", "hash", Item{"item_id", "7"}, "shop:item:7"},
		{"order", "hash", Item{"itemId", "42"}, "item:42"},
		{"order", "hash", Item{"price", "42"}, ""},
		{"latest:item", "string", Item{"", "42"}, "item:42"},
		{"latest", "string", Item{"", "42"}, ""},
		{"latest", "string", Item{"", "item:42"}, "item:42"},
		{"item:42", "set", Item{"42", ""}, ""}, // itself
		{"log", "stream", Item{"42", "42"}, ""},
	} {
		var got []string
		for _, r := range inferred(c.pointer, c.kind, c.item, payloads) {
			got = append(got, r.payload)
			if s := state(map[string]Key{c.pointer: {Type: c.kind, Items: []Item{c.item}}}); !r.in(s) {
				t.Errorf("%+v: is not in its own state", c)
			}
			if s := state(map[string]Key{c.pointer: {Type: c.kind, Items: []Item{{"other", "other"}}}}); r.in(s) || r.in(state(nil)) {
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
