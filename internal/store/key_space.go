package store

import "sort"

// kind is what a key holds, by the name that TYPE gives it.
type kind string

// absent is a key that does not exist.
const (
	absent        kind = "none"
	kindString    kind = "string"
	kindHash      kind = "hash"
	kindSet       kind = "set"
	kindSortedSet kind = "zset"
	kindList      kind = "list"
)

// slot is where a key's value is. While somebody watches the key, its slot
// stays, so that a watch is a version of a slot and a change costs the same
// whatever the number of watchers.
type slot struct {
	key      string
	kind     kind
	text     string // of a string
	value    any    // of the other kinds
	expires  int64  // unix time in milliseconds; 0: never
	version  uint64 // counts changes
	watchers int
	born     uint64 // which key this was to come into being
}

// keySpace holds all keys, and in which order they came into being.
type keySpace struct {
	slots  map[string]*slot
	living int     // keys that exist
	births uint64  // keys that ever came into being
	order  []place // by birth, dead ones among them
}

// place is a key's place in the order. The key is dead if its slot has been
// born again or is absent.
type place struct {
	slot *slot
	born uint64
}

func (p place) dead() bool { return p.slot.born != p.born || p.slot.kind == absent }

func newKeySpace() keySpace { return keySpace{slots: map[string]*slot{}} }

// expired says that the key exists and its time is over.
func (db *DB) expired(s *slot) bool {
	return s.expires != 0 && db.unixMillis() > s.expires
}

// lookup returns the slot of an existing key, or nil. A key whose time is over
// is gone from then on.
func (db *DB) lookup(key string) *slot {
	s := db.keys.slots[key]
	switch {
	case s == nil || s.kind == absent:
		return nil
	case db.expired(s):
		db.remove(s)
		return nil
	}
	return s
}

// lookupKind is lookup for a command that works on one kind; right is false if
// the key holds another.
func (db *DB) lookupKind(key string, want kind) (s *slot, right bool) {
	s = db.lookup(key)
	return s, s == nil || s.kind == want
}

// create makes a key that does not exist.
func (db *DB) create(key string, as kind, value any) *slot {
	k := &db.keys
	s := k.slots[key]
	if s == nil {
		s = &slot{key: key}
		k.slots[key] = s
	}
	k.living++
	k.births++
	s.kind, s.value, s.born = as, value, k.births
	if len(k.order) > 2*k.living+64 {
		k.compact()
	}
	k.order = append(k.order, place{s, s.born})
	return s
}

// compact forgets the dead in the order.
func (k *keySpace) compact() {
	living := k.order[:0]
	for _, p := range k.order {
		if !p.dead() {
			living = append(living, p)
		}
	}
	clear(k.order[len(living):])
	k.order = living
}

// remove deletes an existing key.
func (db *DB) remove(s *slot) {
	s.kind, s.text, s.value, s.expires = absent, "", nil, 0
	s.version++
	db.keys.living--
	db.keys.release(s)
}

// release gives up a slot that nobody needs.
func (k *keySpace) release(s *slot) {
	if s.kind == absent && s.watchers == 0 {
		delete(k.slots, s.key)
	}
}

// write makes a key a string whatever it was. It keeps its time to live.
func (db *DB) write(key, text string) *slot {
	s := db.lookup(key)
	switch {
	case s == nil:
		s = db.create(key, kindString, nil)
	case s.kind != kindString:
		s.kind, s.value = kindString, nil
	}
	s.text = text
	s.version++
	return s
}

// flush deletes all keys.
func (db *DB) flush() {
	for _, p := range db.keys.order {
		if !p.dead() {
			db.remove(p.slot)
		}
	}
	db.keys.order = nil
}

// from returns the places of the keys born at or after a birth.
func (k *keySpace) from(birth uint64) []place {
	i := sort.Search(len(k.order), func(i int) bool { return k.order[i].born >= birth })
	return k.order[i:]
}
