package store

import (
	"math"

	"rmwbench/internal/resp"
)

func init() {
	for name, as := range map[string]expiryForm{
		"EXPIRE": inSeconds, "PEXPIRE": inMillis, "EXPIREAT": atSecond, "PEXPIREAT": atMilli,
	} {
		spec := add(name, -3, nil)
		spec.do = func(c *Conn, cmd resp.Cmd) resp.Reply { return expire(c, cmd, spec.name, as) }
	}
	for name, as := range map[string]expiryForm{
		"TTL": inSeconds, "PTTL": inMillis, "EXPIRETIME": atSecond, "PEXPIRETIME": atMilli,
	} {
		add(name, 2, func(c *Conn, cmd resp.Cmd) resp.Reply { return timeToLive(c, cmd[1], as) })
	}
	add("PERSIST", 2, persist)
}

// expiryForm is how a time to live is given: from now or since 1970, in which
// unit.
type expiryForm uint8

const (
	noExpiry expiryForm = iota
	inSeconds
	inMillis
	atSecond
	atMilli
)

func (f expiryForm) seconds() bool  { return f == inSeconds || f == atSecond }
func (f expiryForm) relative() bool { return f == inSeconds || f == inMillis }

// expiryOption is the form behind an option of SET and GETEX.
func expiryOption(option string) expiryForm {
	switch option {
	case "EX":
		return inSeconds
	case "PX":
		return inMillis
	case "EXAT":
		return atSecond
	case "PXAT":
		return atMilli
	}
	return noExpiry
}

// validity is what is wrong with a time to live, if it is not ok.
type validity struct {
	ok     bool
	number bool // it is a number, but none that can be a time
}

// fault is the error of the command that was given the time to live.
func (v validity) fault(name string) resp.Reply {
	if v.number {
		return badExpiry(name)
	}
	return notInteger
}

// deadline reads the time to live of a SET: positive, and in unix milliseconds
// within 64 bits.
func (db *DB) deadline(text string, as expiryForm) (expires int64, v validity) {
	expires, v.number = integer(text)
	if !v.number || expires <= 0 || as.seconds() && expires > math.MaxInt64/1000 {
		return 0, v
	}
	if as.seconds() {
		expires *= 1000
	}
	if as.relative() {
		expires, v.ok = plus(expires, db.unixMillis())
		return expires, v
	}
	v.ok = true
	return expires, v
}

// conditions are the options of EXPIRE.
type conditions struct{ nx, xx, gt, lt bool }

func (o *conditions) parse(words []string) (fault resp.Reply, valid bool) {
	for _, word := range words {
		switch upper(word) {
		case "NX":
			o.nx = true
		case "XX":
			o.xx = true
		case "GT":
			o.gt = true
		case "LT":
			o.lt = true
		default:
			return resp.Fault(oneLine("ERR Unsupported option " + word)), false
		}
	}
	switch {
	case o.nx && (o.xx || o.gt || o.lt):
		return resp.Fault("ERR NX and XX, GT or LT options at the same time are not compatible"), false
	case o.gt && o.lt:
		return resp.Fault("ERR GT and LT options at the same time are not compatible"), false
	}
	return null, true
}

// allow says whether a key that expires at one time, 0 for never, may expire
// at another.
func (o conditions) allow(from, to int64) bool {
	never := from == 0
	switch {
	case o.nx && !never, o.xx && never, o.gt && (never || to <= from), o.lt && !never && to >= from:
		return false
	}
	return true
}

// expire sets the time to live of a key. A time that is over deletes it.
func expire(c *Conn, cmd resp.Cmd, name string, as expiryForm) resp.Reply {
	var o conditions
	if fault, valid := o.parse(cmd[3:]); !valid {
		return fault
	}
	when, valid := integer(cmd[2])
	if !valid {
		return notInteger
	}
	fits := true
	if as.seconds() {
		fits = math.MinInt64/1000 <= when && when <= math.MaxInt64/1000
		when *= 1000
	}
	if as.relative() && fits {
		when, fits = plus(when, c.db.unixMillis())
	}
	if !fits {
		return badExpiry(name)
	}
	s := c.db.lookup(cmd[1])
	switch {
	case s == nil || !o.allow(s.expires, when):
		return truth(false)
	case when <= c.db.unixMillis():
		c.db.remove(s)
	default:
		s.expires = when
		s.version++
	}
	return truth(true)
}

// timeToLive is -2 for a missing key and -1 for one that stays.
func timeToLive(c *Conn, key string, as expiryForm) resp.Reply {
	s := c.db.lookup(key)
	if s == nil {
		return resp.Integer(-2)
	}
	if s.expires == 0 {
		return resp.Integer(-1)
	}
	left := s.expires
	if as.relative() {
		left -= c.db.unixMillis()
	}
	if as.seconds() {
		left = int64((uint64(left) + 500) / 1000) // which the largest time does not overflow
	}
	return resp.Integer(left)
}

func persist(c *Conn, cmd resp.Cmd) resp.Reply {
	s := c.db.lookup(cmd[1])
	if s == nil || s.expires == 0 {
		return truth(false)
	}
	s.expires = 0
	s.version++
	return truth(true)
}
