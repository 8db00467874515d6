package state

import (
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

func stateOf(keys map[string]Key) State { return State{Keys: keys} }

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
		before, after := stateOf(map[string]Key{}), stateOf(map[string]Key{})
		if c.before.Type != "" {
			before.Keys["k"] = c.before
		}
		if c.after.Type != "" {
			after.Keys["k"] = c.after
		}
		found := Changes(before, after)
		if text := Describe("k", before, after); text != c.want || len(found) != c.items {
			t.Errorf("%+v -> %+v: %q and %d changes, want %q and %d", c.before, c.after, text, len(found), c.want, c.items)
		}
	}
}
