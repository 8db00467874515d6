package store

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"rmwbench/internal/resp"
)

const kindStream kind = "stream"

func init() {
	add("XADD", -5, xAdd)
	add("XLEN", 2, xLen)
	add("XRANGE", -4, xRange)
}

// stream is a log of entries by ascending id.
type stream struct {
	last    streamID
	entries []entry
}

type entry struct {
	id     streamID
	fields []string
}

// streamID is a time in milliseconds and a number within it.
type streamID struct{ ms, seq uint64 }

var (
	firstID = streamID{}
	lastID  = streamID{math.MaxUint64, math.MaxUint64}
)

func (id streamID) compare(other streamID) int {
	return cmp.Or(cmp.Compare(id.ms, other.ms), cmp.Compare(id.seq, other.seq))
}

func (id streamID) String() string {
	return strconv.FormatUint(id.ms, 10) + "-" + strconv.FormatUint(id.seq, 10)
}

var (
	badStreamID = resp.Fault("ERR Invalid stream ID specified as stream command argument")
	zeroID      = resp.Fault("ERR The ID specified in XADD must be greater than 0-0")
	smallID     = resp.Fault("ERR The ID specified in XADD is equal or smaller than the target stream top item")
)

// parseID reads an id; what it leaves out is seq.
func parseID(text string, seq uint64) (id streamID, ok bool) {
	ms, number, both := strings.Cut(text, "-")
	id.seq = seq
	var err error
	if id.ms, err = strconv.ParseUint(ms, 10, 64); err != nil {
		return id, false
	}
	if both {
		id.seq, err = strconv.ParseUint(number, 10, 64)
	}
	return id, err == nil
}

// stream returns the stream at a key, or nil. right is false if the key holds
// another kind.
func (db *DB) stream(key string) (x *stream, s *slot, right bool) {
	s, right = db.lookupKind(key, kindStream)
	if !right || s == nil {
		return nil, s, right
	}
	return s.value.(*stream), s, true
}

// next is the id of an entry that is added as text says: "*", "MS-*" or an id.
func (x *stream) next(text string, now uint64) (id streamID, fault resp.Reply, ok bool) {
	ms, number, _ := strings.Cut(text, "-")
	switch {
	case text == "*":
		id = streamID{ms: now}
		if id.compare(x.last) <= 0 {
			id = streamID{x.last.ms, x.last.seq + 1}
		}
		return id, null, true
	case number == "*":
		if id, ok = parseID(ms, 0); !ok {
			return id, badStreamID, false
		}
		if id.ms == x.last.ms {
			id.seq = x.last.seq + 1
		}
	default:
		if id, ok = parseID(text, 0); !ok {
			return id, badStreamID, false
		}
	}
	switch {
	case id == firstID && number != "*":
		return id, zeroID, false
	case id.compare(x.last) <= 0:
		return id, smallID, false
	}
	return id, null, true
}

// xAdd knows no options: NOMKSTREAM and trimming.
func xAdd(c *Conn, cmd resp.Cmd) resp.Reply {
	if len(cmd)%2 == 0 {
		return wrongArity("xadd")
	}
	x, s, right := c.db.stream(cmd[1])
	if x == nil {
		x = new(stream)
	}
	// The id is looked at before the key, and held against the stream after.
	if id, fault, _ := new(stream).next(cmd[2], 1); fault.Kind == resp.Error && (fault.Str != smallID.Str || id == firstID) {
		return fault
	}
	if !right {
		return wrongType
	}
	id, fault, ok := x.next(cmd[2], uint64(c.db.unixMillis()))
	if !ok {
		return fault
	}
	if s == nil {
		s = c.db.create(cmd[1], kindStream, x)
	}
	x.last = id
	x.entries = append(x.entries, entry{id, append([]string(nil), cmd[3:]...)})
	s.version++
	return resp.Text(id.String())
}

func xLen(c *Conn, cmd resp.Cmd) resp.Reply {
	x, _, right := c.db.stream(cmd[1])
	switch {
	case !right:
		return wrongType
	case x == nil:
		return count(0)
	}
	return count(len(x.entries))
}

// xRange knows no exclusive bounds.
func xRange(c *Conn, cmd resp.Cmd) resp.Reply {
	from, validFrom := bound(cmd[2], 0)
	to, validTo := bound(cmd[3], math.MaxUint64)
	if !validFrom || !validTo {
		return badStreamID
	}
	most := int64(math.MaxInt64)
	switch {
	case len(cmd) == 6 && upper(cmd[4]) == "COUNT":
		var valid bool
		if most, valid = integer(cmd[5]); !valid {
			return notInteger
		}
	case len(cmd) != 4:
		return syntaxError
	}
	x, _, right := c.db.stream(cmd[1])
	if !right {
		return wrongType
	}
	reply := resp.List()
	if x == nil {
		return reply
	}
	for _, e := range x.entries {
		if e.id.compare(from) < 0 || e.id.compare(to) > 0 || int64(len(reply.Elems)) >= most {
			continue
		}
		fields := make([]resp.Reply, len(e.fields))
		for i, f := range e.fields {
			fields[i] = resp.Text(f)
		}
		reply.Elems = append(reply.Elems, resp.List(resp.Text(e.id.String()), resp.List(fields...)))
	}
	return reply
}

// bound reads an end of a range.
func bound(text string, seq uint64) (id streamID, valid bool) {
	switch text {
	case "-":
		return firstID, true
	case "+":
		return lastID, true
	}
	return parseID(text, seq)
}
