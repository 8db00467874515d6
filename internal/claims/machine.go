package claims

import (
	"slices"
	"strconv"
)

// Machine is a server in the hands of a check.
type Machine struct {
	c         *Case
	server    Server
	throwaway Throwaway // nil: not to be ended
}

// Conn opens a connection to it, under a name for the evidence.
func (m *Machine) Conn(name string) *Client {
	cl := &Client{c: m.c, m: m, name: name}
	if !m.c.going() {
		return cl
	}
	conn, err := m.server.Dial()
	m.c.mu.Lock()
	another := slices.ContainsFunc(m.c.clients, func(cl *Client) bool { return cl.m == m })
	m.c.mu.Unlock()
	switch {
	case err != nil && another:
		m.c.giveUp("no further connection: %v", err)
		return cl
	case err != nil:
		m.c.lost(m, err)
		return cl
	}
	cl.conn = conn
	m.c.mu.Lock()
	defer m.c.mu.Unlock()
	m.c.clients = append(m.c.clients, cl)
	return cl
}

// Restart ends the server as a crash would and starts it again.
func (m *Machine) Restart() {
	if !m.c.going() {
		return
	}
	m.hangUp()
	if err := m.throwaway.Restart(); err != nil {
		m.c.lost(m, err)
		return
	}
	m.c.note(Line{Sent: "(the server is killed, if it still runs, and started again)"})
}

// hangUp closes the connections to it.
func (m *Machine) hangUp() {
	m.c.mu.Lock()
	defer m.c.mu.Unlock()
	m.c.clients = slices.DeleteFunc(m.c.clients, func(cl *Client) bool {
		if cl.m == m {
			cl.conn.Close()
		}
		return cl.m == m
	})
}

// Port is a free TCP port in the form of a setting.
func (c *Case) Port() string {
	if !c.going() || c.cfg.Lab == nil {
		return "0"
	}
	port, err := c.cfg.Lab.Port()
	if err != nil {
		c.giveUp("no TCP port is free: %v", err)
	}
	return strconv.Itoa(port)
}
