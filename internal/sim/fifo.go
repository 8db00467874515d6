package sim

// fifo is a queue in a slice that grows as needed and is used round and round.
type fifo[T any] struct {
	items []T
	first int
	n     int
}

func (f *fifo[T]) len() int { return f.n }

func (f *fifo[T]) push(item T) {
	if f.n == len(f.items) {
		grown := make([]T, max(8, 2*f.n))
		for i := range f.n {
			grown[i] = f.items[(f.first+i)%f.n]
		}
		f.items, f.first = grown, 0
	}
	f.items[(f.first+f.n)&(len(f.items)-1)] = item
	f.n++
}

// pop takes the oldest item. The queue must not be empty.
func (f *fifo[T]) pop() T {
	item := f.items[f.first]
	f.first = (f.first + 1) & (len(f.items) - 1)
	f.n--
	return item
}
