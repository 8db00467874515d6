package workloads

// Sized is a workload whose values have a size that can be chosen.
type Sized interface {
	// Size is the length of a value in bytes.
	Size() int
	// WithSize is the workload with values of another size, MinSize to MaxSize.
	WithSize(bytes int) Workload
}

// Bounds of a size, in bytes.
const (
	MinSize = 16
	MaxSize = 1 << 20
)

// Get is the workload of that name; if it is Sized, with values of so many
// bytes, 0 for its own size.
func Get(name string, bytes int) (Workload, error) {
	w, err := All.Get(name)
	if sized, ok := w.(Sized); ok && bytes > 0 {
		w = sized.WithSize(bytes)
	}
	return w, err
}
