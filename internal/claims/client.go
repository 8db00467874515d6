package claims

import (
	"slices"
	"time"

	"rmwbench/internal/resp"
)

// Client is a connection of a check. It writes down what is said on it.
type Client struct {
	c    *Case
	m    *Machine
	name string
	conn Conn
}

// Do sends one command that the check builds on: an error reply ends the check
// without an answer.
func (cl *Client) Do(words ...string) resp.Reply { return cl.Pipe(words)[0] }

// Pipe sends commands in one write, and builds on all of them.
func (cl *Client) Pipe(cmds ...resp.Cmd) []resp.Reply {
	replies := cl.exchange(cmds)
	for i, r := range replies {
		if r.Kind == resp.Error {
			cl.c.refused(cmds[i], r)
		}
	}
	return replies
}

// Try sends one command that may well be refused.
func (cl *Client) Try(words ...string) resp.Reply { return cl.exchange([]resp.Cmd{words})[0] }

// exchange is Quietly, written down.
func (cl *Client) exchange(cmds []resp.Cmd) []resp.Reply {
	if !cl.c.going() {
		return make([]resp.Reply, len(cmds))
	}
	replies := cl.Quietly(cmds...)
	for i, r := range replies {
		cl.show(cmds[i], r.String())
	}
	return replies
}

// Quietly sends commands without writing anything down: they are many. There
// are as many replies as commands, whatever happens.
func (cl *Client) Quietly(cmds ...resp.Cmd) []resp.Reply {
	none := make([]resp.Reply, len(cmds))
	if !cl.c.going() {
		return none
	}
	replies, err := cl.conn.Exchange(cmds...)
	if err != nil {
		cl.c.lost(cl.m, err)
		return none
	}
	return slices.Clone(replies)
}

// Lose sends one command whose reply the client may never see. lost says that
// it did not.
func (cl *Client) Lose(words ...string) (reply resp.Reply, lost bool) {
	if !cl.c.going() {
		return resp.Reply{}, false
	}
	replies, err := cl.conn.Exchange(words)
	if err != nil {
		cl.show(words, "(no reply: the connection ended)")
		return resp.Reply{}, true
	}
	cl.show(words, replies[0].String())
	return replies[0], false
}

// show writes down a command and what came of it.
func (cl *Client) show(cmd resp.Cmd, reply string) {
	cl.c.note(Line{On: cl.name, Sent: cmd.String(), Reply: reply})
}

// Hold waits.
func (cl *Client) Hold(d time.Duration) {
	if cl.c.going() {
		cl.conn.Hold(d)
	}
}

// Cut breaks the connection under whoever uses it.
func (cl *Client) Cut() {
	if cl.conn != nil {
		cl.conn.Cut()
	}
}

// exec sends MULTI, the command and EXEC, one after the other, and answers
// EXEC's reply.
func (cl *Client) exec(words ...string) resp.Reply {
	cl.Do("MULTI")
	cl.Do(words...)
	return cl.Try("EXEC")
}
