package claims

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
)

// Case is one claim being checked: connections that write down what is said,
// servers that are started for it, and what has to be undone.
//
// A check is straight-line code: once something has made an answer impossible,
// all that follows does nothing, replies are nil, and the answer is not asked
// for. A loop asks going.
type Case struct {
	cfg  *Config
	keys string // what its keys begin with
	main *Machine

	mu       sync.Mutex // procs of a check share the case
	lines    []Line
	reason   string // why there is no answer; empty: nothing is in the way
	err      error  // that is more than a reason: a server was lost, or the end came early
	lostMain bool
	clients  []*Client
	machines []*Machine
	undo     []resp.Cmd
}

// Line is one command and its reply, as redis-cli would show them.
type Line struct {
	On    string `json:"on"` // whose connection
	Sent  string `json:"sent"`
	Reply string `json:"reply"`
}

func newCase(cfg *Config, keys string) *Case {
	c := &Case{cfg: cfg, keys: keys, lines: []Line{}}
	c.main = &Machine{c: c, server: cfg.Server}
	return c
}

// Conn opens a connection to the server that the claims are about.
func (c *Case) Conn(name string) *Client { return c.main.Conn(name) }

// Key is a key of the check's own, which is removed in the end.
func (c *Case) Key(name string) string {
	key := c.keys + name
	c.Undo("DEL", key)
	return key
}

// Undo has the server do a command when the check is over.
func (c *Case) Undo(words ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.undo = append(c.undo, words)
}

// Start starts a server for this check.
func (c *Case) Start(settings ...string) *Machine {
	m := &Machine{c: c}
	if !c.going() {
		return m
	}
	server, err := c.cfg.Lab.Start(settings...)
	if err != nil {
		c.giveUp("no server for it: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
		return m
	}
	m.server, m.throwaway = server, server
	c.machines = append(c.machines, m)
	return m
}

// Run starts the procs together and returns when all have ended.
func (c *Case) Run(procs ...func()) { c.cfg.Server.Run(procs...) }

// going reports whether there is still an answer to be had.
func (c *Case) going() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reason == "" && stopped(c.cfg.Stop) {
		c.reason, c.err = engine.ErrInterrupted.Error(), engine.ErrInterrupted
	}
	return c.reason == ""
}

// giveUp says why there will be no answer. The first reason counts.
func (c *Case) giveUp(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reason == "" {
		c.reason = fmt.Sprintf(format, args...)
	}
}

// refused gives up because of an error reply.
func (c *Case) refused(cmd resp.Cmd, reply resp.Reply) {
	c.giveUp("the server answers %s with: %s", nameOf(cmd), clip(reply.Str))
}

// lost notes that a server went away when it should not have.
func (c *Case) lost(m *Machine, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reason == "" {
		c.reason, c.err, c.lostMain = "the server was lost: "+err.Error(), err, m == c.main
	}
}

func (c *Case) note(line Line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, line)
}

// noteMany writes down a command that was sent n times, and what that came to.
func (c *Case) noteMany(on string, cmd resp.Cmd, n int, remark string) {
	c.note(Line{On: on, Sent: fmt.Sprintf("%s (%d times)", cmd, n), Reply: "(" + remark + ")"})
}

// close ends connections and servers and undoes the rest.
func (c *Case) close() error {
	c.main.hangUp()
	errs := []error{c.err}
	for _, m := range c.machines {
		m.hangUp()
		errs = append(errs, m.throwaway.Stop())
	}
	if len(c.undo) > 0 && !c.lostMain {
		errs = append(errs, c.tidy())
	}
	return errors.Join(errs...)
}

// tidy does what is to be undone, on a connection in a known state.
func (c *Case) tidy() error {
	conn, err := c.cfg.Server.Dial()
	if err != nil {
		return fmt.Errorf("keys %s* may be left on the server: %w", c.keys, err)
	}
	defer conn.Close()
	var errs []error
	for _, cmd := range c.undo {
		replies, err := conn.Exchange(cmd)
		if err == nil && replies[0].Kind == resp.Error {
			err = errors.New(replies[0].Str)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("could not tidy up with %s: %w", cmd, err))
		}
	}
	return errors.Join(errs...)
}
