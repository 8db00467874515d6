package store

import (
	"strconv"
	"strings"

	"rmwbench/internal/resp"
)

func init() {
	add("SETBIT", 4, setBit)
	add("GETBIT", 3, getBit)
	add("BITFIELD", -2, bitField)
}

var (
	badBitOffset = resp.Fault("ERR bit offset is not an integer or out of range")
	badBit       = resp.Fault("ERR bit is not an integer or out of range")
	badBitType   = resp.Fault("ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.")
)

// bitOffset reads the place of a bit.
func bitOffset(text string) (at int, valid bool) {
	n, valid := integer(text)
	return int(n), valid && n >= 0 && n < maxString*8
}

// bits is a string as a row of bits, the highest of each byte first.
type bits []byte

func (b bits) get(at int) uint64 {
	if at/8 >= len(b) {
		return 0
	}
	return uint64(b[at/8]>>(7-at%8)) & 1
}

// set sets bits that lie within.
func (b bits) set(at int, bit uint64) {
	mask := byte(1) << (7 - at%8)
	if b[at/8] &^= mask; bit == 1 {
		b[at/8] |= mask
	}
}

// unsigned reads a number of some bits.
func (b bits) unsigned(at, width int) (n uint64) {
	for i := range width {
		n = n<<1 | b.get(at+i)
	}
	return n
}

func (b bits) setUnsigned(at, width int, n uint64) {
	for i := range width {
		b.set(at+i, n>>(width-1-i)&1)
	}
}

// grown is a copy that is long enough for the bits before end.
func (b bits) grown(end int) bits {
	longer := make(bits, max(len(b), (end+7)/8))
	copy(longer, b)
	return longer
}

// keepBits stores a row of bits in a string.
func (db *DB) keepBits(key string, s *slot, b bits) {
	if s == nil {
		s = db.create(key, kindString, nil)
	}
	s.text = string(b)
	s.version++
}

func setBit(c *Conn, cmd resp.Cmd) resp.Reply {
	at, valid := bitOffset(cmd[2])
	if !valid {
		return badBitOffset
	}
	if cmd[3] != "0" && cmd[3] != "1" {
		return badBit
	}
	reply, s, failed := c.db.read(cmd[1])
	if failed {
		return reply
	}
	b := bits(reply.Str).grown(at + 1)
	old := b.get(at)
	b.set(at, uint64(cmd[3][0]-'0'))
	c.db.keepBits(cmd[1], s, b)
	return resp.Integer(int64(old))
}

func getBit(c *Conn, cmd resp.Cmd) resp.Reply {
	at, valid := bitOffset(cmd[2])
	if !valid {
		return badBitOffset
	}
	reply, _, failed := c.db.read(cmd[1])
	if failed {
		return reply
	}
	return resp.Integer(int64(bits(reply.Str).get(at)))
}

// fieldOp is one GET or INCRBY of BITFIELD.
type fieldOp struct {
	increments bool
	width, at  int
	by         int64
}

// bitField knows GET and INCRBY of unsigned numbers, which wrap around.
func bitField(c *Conn, cmd resp.Cmd) resp.Reply {
	var ops []fieldOp
	for rest := cmd[2:]; len(rest) > 0; {
		name := upper(rest[0])
		words := map[string]int{"GET": 3, "INCRBY": 4}[name]
		if words == 0 || len(rest) < words {
			return syntaxError
		}
		digits, unsigned := strings.CutPrefix(rest[1], "u")
		width, err := strconv.Atoi(digits)
		if !unsigned || err != nil || width < 1 || width > 63 {
			return badBitType
		}
		op := fieldOp{increments: name == "INCRBY", width: width}
		var valid bool
		if op.at, valid = bitOffset(rest[2]); !valid {
			return badBitOffset
		}
		if op.increments {
			if op.by, valid = integer(rest[3]); !valid {
				return notInteger
			}
		}
		ops, rest = append(ops, op), rest[words:]
	}
	reply, s, failed := c.db.read(cmd[1])
	if failed {
		return reply
	}
	b := bits(reply.Str)
	written := false
	answers := resp.List()
	for _, op := range ops {
		n := b.unsigned(op.at, op.width)
		if op.increments {
			n = (n + uint64(op.by)) & (1<<op.width - 1)
			b = b.grown(op.at + op.width)
			b.setUnsigned(op.at, op.width, n)
			written = true
		}
		answers.Elems = append(answers.Elems, resp.Integer(int64(n)))
	}
	if written {
		c.db.keepBits(cmd[1], s, b)
	}
	return answers
}
