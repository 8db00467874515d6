package cli

import "sync"

// cleanup holds what must be undone however the program ends. A second
// interrupt runs it beside a verb that is still at work.
type cleanup struct {
	mu   sync.Mutex
	todo []func()
}

func (c *cleanup) add(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.todo = append(c.todo, f)
}

// run undoes everything, the last first, once.
func (c *cleanup) run() {
	c.mu.Lock()
	todo := c.todo
	c.todo = nil
	c.mu.Unlock()
	for i := len(todo) - 1; i >= 0; i-- {
		todo[i]()
	}
}
