package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"rmwbench/internal/resp"
)

// A slot lives as long as its key or a watch of it, and the order of keys does
// not grow with those that are gone.
func TestNothingIsLeftBehind(t *testing.T) {
	db := New()
	a, b := db.Dial(), db.Dial()
	for i := range 10_000 {
		key := fmt.Sprint(i)
		for _, step := range []struct {
			c   *Conn
			cmd resp.Cmd
		}{
			{a, resp.Cmd{"WATCH", key, "x" + key, key}}, {b, resp.Cmd{"WATCH", key}}, {b, resp.Cmd{"SET", key, "1", "PX", "1"}},
			{a, resp.Cmd{"DEL", key}}, {b, resp.Cmd{"UNWATCH"}}, {a, resp.Cmd{"SET", key, ""}}, {a, resp.Cmd{"MULTI"}},
			{a, resp.Cmd{"EXEC"}}, {b, resp.Cmd{"DEL", key}},
		} {
			step.c.Do(0, step.cmd)
		}
	}
	if n := len(db.keys.slots); n != 0 || db.keys.living != 0 {
		t.Errorf("%d slots and %d living keys", n, db.keys.living)
	}
	if n := cap(db.keys.order); n > 1000 {
		t.Errorf("an order of %d", n)
	}
}

// A table is a map whose keys are in the order in which they came.
func TestTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	table := newTable[int]()
	values, order := map[string]int{}, []string{}
	for i := range 5_000 {
		key := fmt.Sprint(rng.IntN(50))
		_, present := values[key]
		if rng.IntN(2) == 0 {
			if added := table.put(key, i); added == present {
				t.Fatalf("put of %s: added %v", key, added)
			}
			if !present {
				order = append(order, key)
			}
			values[key] = i
		} else {
			if removed := table.remove(key); removed != present {
				t.Fatalf("remove of %s: %v", key, removed)
			}
			delete(values, key)
			order = slices.DeleteFunc(order, func(k string) bool { return k == key })
		}
		if got := maps.Collect(table.all()); !maps.Equal(got, values) || table.len() != len(values) {
			t.Fatalf("%v, want %v", got, values)
		}
		got := []string{}
		for key := range table.all() {
			got = append(got, key)
		}
		if !slices.Equal(got, order) {
			t.Fatalf("order %v, want %v", got, order)
		}
	}
	if len(table.items) > 200 {
		t.Errorf("%d items for %d keys", len(table.items), table.len())
	}
}

// A list is a slice that grows and shrinks at both ends.
func TestList(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var l list
	var want []string
	for i := range 3_000 {
		element := fmt.Sprint(i)
		switch rng.IntN(4) {
		case 0:
			l.pushLeft(element)
			want = slices.Insert(want, 0, element)
		case 1:
			l.pushRight(element)
			want = append(want, element)
		case 2:
			if len(want) > 0 {
				if got := l.popLeft(); got != want[0] {
					t.Fatalf("%s, want %s", got, want[0])
				}
				want = want[1:]
			}
		case 3:
			if len(want) > 0 {
				if got := l.popRight(); got != want[len(want)-1] {
					t.Fatalf("%s, want %s", got, want[len(want)-1])
				}
				want = want[:len(want)-1]
			}
		}
		if l.len() != len(want) {
			t.Fatalf("%d elements, want %d", l.len(), len(want))
		}
		for i, element := range want {
			if l.at(i) != element {
				t.Fatalf("%d: %s, want %s", i, l.at(i), element)
			}
		}
	}
}
