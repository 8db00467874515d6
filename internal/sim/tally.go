package sim

// tally holds a value for each of a handful of names. Looking one up compares
// strings that mostly share their bytes, which beats hashing them.
type tally[V any] []entry[V]

type entry[V any] struct {
	name  string
	value V
}

// find is the place of a name's value, or nil.
func (t tally[V]) find(name string) *V {
	for i := range t {
		if t[i].name == name {
			return &t[i].value
		}
	}
	return nil
}

// add makes a place for a name that has none.
func (t *tally[V]) add(name string, value V) *V {
	*t = append(*t, entry[V]{name, value})
	return &(*t)[len(*t)-1].value
}
