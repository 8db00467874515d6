package store

import "rmwbench/internal/resp"

// Replies that several commands give.
var (
	ok           = resp.Text("OK")
	null         = resp.Reply{}
	wrongType    = resp.Fault("WRONGTYPE Operation against a key holding the wrong kind of value")
	syntaxError  = resp.Fault("ERR syntax error")
	notInteger   = resp.Fault("ERR value is not an integer or out of range")
	notFloat     = resp.Fault("ERR value is not a valid float")
	overflow     = resp.Fault("ERR increment or decrement would overflow")
	stringTooBig = resp.Fault("ERR string exceeds maximum allowed size (proto-max-bulk-len)")
)

func wrongArity(name string) resp.Reply {
	return resp.Fault("ERR wrong number of arguments for '" + name + "' command")
}

func badExpiry(name string) resp.Reply {
	return resp.Fault("ERR invalid expire time in '" + name + "' command")
}

// truth is how the server says yes and no.
func truth(yes bool) resp.Reply {
	if yes {
		return resp.Integer(1)
	}
	return resp.Integer(0)
}

// count is a number of things.
func count(n int) resp.Reply { return resp.Integer(int64(n)) }
