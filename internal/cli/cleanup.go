package cli

import "sync"

// cleanup holds what must be undone however the program ends. A second
// interrupt runs it beside a verb that is still at work.
type cleanup struct {
	mu   sync.Mutex
	todo []func()
	ran  bool
}

// add has f run at the end, or at once if that has come already.
func (c *cleanup) add(f func()) {
	c.mu.Lock()
	if !c.ran {
		c.todo = append(c.todo, f)
		f = func() {}
	}
	c.mu.Unlock()
	f()
}

// run undoes everything, the last first, once.
func (c *cleanup) run() {
	c.mu.Lock()
	todo := c.todo
	c.todo, c.ran = nil, true
	c.mu.Unlock()
	for i := len(todo) - 1; i >= 0; i-- {
		todo[i]()
	}
}
