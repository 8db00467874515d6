// Package registry owns the table in which the parts of rmwbench (strategies, workloads, distributions, ...) enter
// themselves by name at start-up. It knows nothing of what it holds.
package registry

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Table holds items of one kind by name. It is filled while packages initialise, by one goroutine, and only read from
// then on; reading is safe from any number of goroutines.
type Table[T any] struct {
	kind  string
	items map[string]T
}

// New returns an empty table. The kind names an item in words, for error messages: "strategy", "back-off".
func New[T any](kind string) *Table[T] {
	return &Table[T]{kind: kind, items: make(map[string]T)}
}

// Add enters an item. An empty name or one already taken is a mistake in the program and panics.
func (t *Table[T]) Add(name string, item T) {
	if name == "" {
		panic(fmt.Sprintf("registry: a %s without a name", t.kind))
	}
	if _, taken := t.items[name]; taken {
		panic(fmt.Sprintf("registry: %s %q added twice", t.kind, name))
	}
	t.items[name] = item
}

// Get returns the item of that name. The error of an unknown one lists the known names.
func (t *Table[T]) Get(name string) (T, error) {
	item, known := t.items[name]
	if !known {
		return item, fmt.Errorf("unknown %s %q (known: %s)", t.kind, name, strings.Join(t.Names(), ", "))
	}
	return item, nil
}

// Names returns all names, sorted. The slice is the caller's own.
func (t *Table[T]) Names() []string {
	return slices.Sorted(maps.Keys(t.items))
}
