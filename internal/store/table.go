package store

import "iter"

// table is a map that remembers the order in which its keys came.
type table[V any] struct {
	index map[string]int // of the items
	items []item[V]      // in order, dead ones among them
}

type item[V any] struct {
	key   string
	value V
	dead  bool
}

func newTable[V any]() *table[V] { return &table[V]{index: map[string]int{}} }

func (t *table[V]) len() int { return len(t.index) }

func (t *table[V]) get(key string) (value V, found bool) {
	i, found := t.index[key]
	if found {
		value = t.items[i].value
	}
	return value, found
}

// put enters a value and says whether its key is new.
func (t *table[V]) put(key string, value V) (added bool) {
	if i, found := t.index[key]; found {
		t.items[i].value = value
		return false
	}
	if len(t.items) > 2*t.len()+16 {
		t.compact()
	}
	t.index[key] = len(t.items)
	t.items = append(t.items, item[V]{key: key, value: value})
	return true
}

func (t *table[V]) remove(key string) (removed bool) {
	i, found := t.index[key]
	if found {
		delete(t.index, key)
		t.items[i] = item[V]{dead: true}
	}
	return found
}

// compact forgets the dead items.
func (t *table[V]) compact() {
	living := t.items[:0]
	for _, it := range t.items {
		if !it.dead {
			t.index[it.key] = len(living)
			living = append(living, it)
		}
	}
	clear(t.items[len(living):])
	t.items = living
}

// all goes through the items in order.
func (t *table[V]) all() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, it := range t.items {
			if !it.dead && !yield(it.key, it.value) {
				return
			}
		}
	}
}
