package store

import "rmwbench/internal/resp"

func init() {
	add("SET", -3, setString)
	add("GETEX", -2, getEx)
}

// options are what SET and GETEX may be asked for.
type options struct {
	nx, xx, get, keepTTL, persist, ifEq bool
	compare                             string // for ifEq
	expiry                              expiryForm
	when                                string // for expiry
}

// parse reads the words behind the value, or behind the key of GETEX. It
// is false where the server finds a syntax error.
func (o *options) parse(words []string, getEx bool) bool {
	for i := 0; i < len(words); i++ {
		option := upper(words[i])
		last := i == len(words)-1
		switch form := expiryOption(option); {
		case option == "NX" && !getEx && !o.xx && !o.ifEq:
			o.nx = true
		case option == "XX" && !getEx && !o.nx && !o.ifEq:
			o.xx = true
		case option == "IFEQ" && !getEx && !o.nx && !o.xx && !o.ifEq && !last:
			i++
			o.ifEq, o.compare = true, words[i]
		case option == "GET" && !getEx:
			o.get = true
		case option == "KEEPTTL" && !getEx && o.expiry == noExpiry:
			o.keepTTL = true
		case option == "PERSIST" && getEx && o.expiry == noExpiry:
			o.persist = true
		case form != noExpiry && !o.keepTTL && !o.persist && (o.expiry == noExpiry || o.expiry == form) && !last:
			i++
			o.expiry, o.when = form, words[i]
		default:
			return false
		}
	}
	return true
}

// setString is SET with the options of Redis 7.0 and IFEQ, which Valkey has since
// 8.1: write only if the key holds that string.
func setString(c *Conn, cmd resp.Cmd) resp.Reply {
	var o options
	if len(cmd) > 3 && !o.parse(cmd[3:], false) {
		return syntaxError
	}
	var expires int64
	if o.expiry != noExpiry {
		var valid validity
		if expires, valid = c.db.deadline(o.when, o.expiry); !valid.ok {
			return valid.fault("set")
		}
	}
	done, refused := ok, null
	if o.get {
		old, _, failed := c.db.read(cmd[1])
		if failed {
			return old
		}
		done, refused = old, old
	}
	if o.nx || o.xx || o.ifEq {
		s := c.db.lookup(cmd[1])
		switch {
		case o.ifEq && s != nil && s.kind != kindString:
			return wrongType
		case o.nx && s != nil, (o.xx || o.ifEq) && s == nil, o.ifEq && s.text != o.compare:
			return refused
		}
	}
	s := c.db.write(cmd[1], cmd[2])
	if !o.keepTTL {
		s.expires = expires
	}
	return done
}

func getEx(c *Conn, cmd resp.Cmd) resp.Reply {
	var o options
	if !o.parse(cmd[2:], true) {
		return syntaxError
	}
	reply, s, failed := c.db.read(cmd[1])
	if failed || s == nil {
		return reply
	}
	switch {
	case o.expiry != noExpiry:
		expires, valid := c.db.deadline(o.when, o.expiry)
		switch {
		case !valid.ok:
			return valid.fault("getex")
		case expires <= c.db.unixMillis():
			c.db.remove(s)
		default:
			s.expires = expires
			s.version++
		}
	case o.persist && s.expires != 0:
		s.expires = 0
		s.version++
	}
	return reply
}
