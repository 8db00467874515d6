package store

import (
	"strconv"

	"rmwbench/internal/resp"
)

func init() { add("SCAN", -2, scan) }

// scanning are the options of SCAN.
type scanning struct {
	count        int64
	match, kind  string
	byKey, byTyp bool
}

func (o *scanning) parse(words []string) (fault resp.Reply, valid bool) {
	for ; len(words) >= 2; words = words[2:] {
		switch upper(words[0]) {
		case "COUNT":
			n, valid := integer(words[1])
			switch {
			case !valid:
				return notInteger, false
			case n < 1:
				return syntaxError, false
			}
			o.count = n
		case "MATCH":
			o.match, o.byKey = words[1], true
		case "TYPE":
			o.kind, o.byTyp = words[1], true
		default:
			return syntaxError, false
		}
	}
	return syntaxError, len(words) == 0
}

func (o *scanning) wants(s *slot) bool {
	return (!o.byKey || matches(o.match, s.key)) && (!o.byTyp || upper(o.kind) == upper(string(s.kind)))
}

// scan goes through the keys by birth: a cursor is the first birth not yet
// seen. A key that exists all the time is seen exactly once.
func scan(c *Conn, cmd resp.Cmd) resp.Reply {
	cursor, err := strconv.ParseUint(cmd[1], 10, 64)
	if err != nil {
		return resp.Fault("ERR invalid cursor")
	}
	o := scanning{count: 10}
	if fault, valid := o.parse(cmd[2:]); !valid {
		return fault
	}
	var keys []resp.Reply
	var next uint64
	for _, p := range c.db.keys.from(cursor) {
		if p.dead() {
			continue
		}
		if o.count == 0 {
			next = p.born
			break
		}
		o.count--
		switch {
		case c.db.expired(p.slot):
			c.db.remove(p.slot)
		case o.wants(p.slot):
			keys = append(keys, resp.Text(p.slot.key))
		}
	}
	return resp.List(resp.Text(strconv.FormatUint(next, 10)), resp.List(keys...))
}
