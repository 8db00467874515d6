package state

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rmwbench/internal/resp"
	"rmwbench/strategies"
)

// Clock is how deadlines are read.
type Clock int

const (
	Exact     Clock = iota // PEXPIRETIME, from Redis 7.0 on
	Remaining              // TIME and PTTL, a round trip apart at most
	Frozen                 // only whether there is one: the embedded server's time to live stands still
)

// someDeadline stands for a deadline that a frozen clock does not tell.
const someDeadline = 1

// Reader reads states over a session.
type Reader struct {
	Session strategies.Session
	Clock   Clock
}

// Ask is an exchange in which an error reply is an error. Its replies are the
// caller's.
func (r Reader) Ask(cmds ...resp.Cmd) ([]resp.Reply, error) {
	replies, err := r.Session.Exchange(cmds...)
	if err != nil {
		return nil, err
	}
	for i, reply := range replies {
		if reply.Kind == resp.Error {
			return nil, fmt.Errorf("the server answered %s with %s", cmds[i][0], reply.Str)
		}
	}
	return slices.Clone(replies), nil
}

// Read reads the whole database db. Nobody else writes meanwhile; a key that
// expires half-way is not there.
func (r Reader) Read(db int) (State, error) {
	s := State{Keys: map[string]Key{}}
	replies, err := r.Ask(resp.Cmd{"SELECT", strconv.Itoa(db)}, resp.Cmd{"TIME"})
	if err != nil {
		return s, err
	}
	if s.Time, err = Milliseconds(replies[1]); err != nil {
		return s, err
	}
	names, err := r.scan()
	if err != nil || len(names) == 0 {
		return s, err
	}
	for chunk := range slices.Chunk(names, 1000) {
		if err := r.readKeys(s, chunk); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Milliseconds is a reply to TIME.
func Milliseconds(reply resp.Reply) (int64, error) {
	if len(reply.Elems) == 2 {
		seconds, err1 := strconv.ParseInt(reply.Elems[0].Str, 10, 64)
		micros, err2 := strconv.ParseInt(reply.Elems[1].Str, 10, 64)
		if err1 == nil && err2 == nil {
			return seconds*1000 + micros/1000, nil
		}
	}
	return 0, fmt.Errorf("the server answered TIME with %s", reply)
}

// scan lists the names of all keys, in order.
func (r Reader) scan() (names []string, err error) {
	for cursor := "0"; ; {
		replies, err := r.Ask(resp.Cmd{"SCAN", cursor, "COUNT", "1000"})
		if err != nil {
			return nil, err
		}
		if len(replies[0].Elems) != 2 {
			return nil, fmt.Errorf("the server answered SCAN with %s", replies[0])
		}
		for _, name := range replies[0].Elems[1].Elems {
			names = append(names, name.Str)
		}
		if cursor = replies[0].Elems[0].Str; cursor == "0" {
			slices.Sort(names)
			return slices.Compact(names), nil
		}
	}
}

// readKeys adds the keys of some names to a state.
func (r Reader) readKeys(s State, names []string) error {
	cmds := []resp.Cmd{{"TIME"}}
	deadline := map[Clock]string{Exact: "PEXPIRETIME", Remaining: "PTTL", Frozen: "PTTL"}[r.Clock]
	for _, name := range names {
		cmds = append(cmds, resp.Cmd{"TYPE", name}, resp.Cmd{deadline, name})
	}
	replies, err := r.Ask(cmds...)
	if err != nil {
		return err
	}
	now, err := Milliseconds(replies[0])
	if err != nil {
		return err
	}
	keys := make([]Key, len(names))
	values := make([]resp.Cmd, len(names))
	for i, name := range names {
		keys[i] = Key{Type: replies[1+2*i].Str, Deadline: r.deadline(replies[2+2*i].Int, now)}
		values[i] = valueOf(keys[i].Type, name)
	}
	if replies, err = r.Session.Exchange(values...); err != nil {
		return err
	}
	replies = slices.Clone(replies)
	for i, name := range names {
		switch {
		case keys[i].Type == "none" || replies[i].Kind == resp.Nil:
			continue
		case replies[i].Kind == resp.Error:
			return fmt.Errorf("%s, a %s, cannot be read: %s", name, keys[i].Type, replies[i].Str)
		}
		keys[i].Items = itemsOf(keys[i].Type, replies[i])
		if keys[i].Type == "stream" {
			if err := r.readGroups(&keys[i], name); err != nil {
				return err
			}
		} else if len(keys[i].Items) == 0 {
			continue
		}
		s.Keys[name] = keys[i]
	}
	return nil
}

// deadline is the absolute time behind a reply to PEXPIRETIME or PTTL.
func (r Reader) deadline(reply, now int64) int64 {
	switch {
	case reply < 0:
		return 0
	case r.Clock == Remaining:
		return now + reply
	case r.Clock == Frozen:
		return someDeadline
	}
	return reply
}

// valueOf is the command that reads a whole value.
func valueOf(kind, name string) resp.Cmd {
	switch kind {
	case "string", "none":
		return resp.Cmd{"GET", name}
	case "list":
		return resp.Cmd{"LRANGE", name, "0", "-1"}
	case "hash":
		return resp.Cmd{"HGETALL", name}
	case "set":
		return resp.Cmd{"SMEMBERS", name}
	case "zset":
		return resp.Cmd{"ZRANGE", name, "0", "-1", "WITHSCORES"}
	case "stream":
		return resp.Cmd{"XRANGE", name, "-", "+"}
	}
	return resp.Cmd{"DUMP", name}
}

// itemsOf takes a value apart.
func itemsOf(kind string, reply resp.Reply) (items []Item) {
	switch kind {
	case "list":
		for i, e := range reply.Elems {
			items = append(items, Item{strconv.Itoa(i), e.Str})
		}
		return items
	case "stream":
		for _, entry := range reply.Elems {
			if len(entry.Elems) == 2 {
				items = append(items, Item{entry.Elems[0].Str, entry.Elems[1].String()})
			}
		}
		return items
	case "set":
		for _, e := range reply.Elems {
			items = append(items, Item{Name: e.Str})
		}
	case "hash", "zset":
		for pair := range slices.Chunk(flat(reply.Elems), 2) {
			items = append(items, Item{pair[0].Str, pair[1].Str})
		}
	default:
		return []Item{{Value: reply.Str}}
	}
	slices.SortFunc(items, func(a, b Item) int { return strings.Compare(a.Name, b.Name) })
	return items
}

// flat undoes the pairs that members and scores come in by RESP3.
func flat(elems []resp.Reply) (all []resp.Reply) {
	for _, e := range elems {
		if e.Kind == resp.Array {
			all = append(all, e.Elems...)
		} else {
			all = append(all, e)
		}
	}
	return all
}

// readGroups adds a stream's consumer groups to its items, with what was
// delivered last and how much is not acknowledged. A server without XINFO has
// none.
func (r Reader) readGroups(k *Key, name string) error {
	replies, err := r.Session.Exchange(resp.Cmd{"XINFO", "GROUPS", name})
	if err != nil || replies[0].Kind != resp.Array {
		return err
	}
	for _, group := range replies[0].Elems {
		told := map[string]string{}
		for pair := range slices.Chunk(group.Elems, 2) {
			if len(pair) == 2 {
				told[pair[0].Str] = strings.TrimPrefix(pair[1].String(), "(integer) ")
			}
		}
		k.Items = append(k.Items, Item{
			"group " + told["name"],
			fmt.Sprintf("delivered to %s, %s pending", told["last-delivered-id"], told["pending"]),
		})
	}
	return nil
}

// ClockOf is how the deadlines of a server are read.
func ClockOf(session strategies.Session, embedded bool) (Clock, error) {
	if embedded {
		return Frozen, nil
	}
	replies, err := session.Exchange(resp.Cmd{"PEXPIRETIME", "none"})
	switch {
	case err != nil:
		return Exact, err
	case replies[0].Kind == resp.Error:
		return Remaining, nil
	}
	return Exact, nil
}
