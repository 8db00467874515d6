// Package resp owns the two things that travel between a client and a server:
// a command and a reply, the latter in one normal form whatever the protocol
// version or the server. It knows nothing about connections.
package resp

import (
	"strconv"
	"strings"
)

// Cmd is one command as its words: name first, then arguments.
type Cmd []string

// String is the command as it would be typed into redis-cli.
func (c Cmd) String() string {
	words := make([]string, len(c))
	for i, w := range c {
		words[i] = quote(w)
	}
	return strings.Join(words, " ")
}

func quote(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\r\n\"'\\") {
		return strconv.Quote(w)
	}
	return w
}

// WireSize is the length in bytes of the command as the protocol carries it:
// an array of bulk strings.
func (c Cmd) WireSize() int {
	n := header(len(c))
	for _, w := range c {
		n += bulk(len(w))
	}
	return n
}

// Kind says which of the normal forms a reply has.
type Kind uint8

// The normal forms. Doubles, booleans, verbatim strings and big numbers of
// RESP3 become what RESP2 would have sent; maps and sets become flat arrays.
const (
	Nil Kind = iota
	Int
	String
	Array
	Error
)

// Reply is one reply in normal form. The zero value is nil.
type Reply struct {
	Kind  Kind
	Int   int64   // for Int
	Str   string  // for String, and the whole text for Error
	Elems []Reply // for Array
}

// Text builds a string reply.
func Text(s string) Reply { return Reply{Kind: String, Str: s} }

// Integer builds an integer reply.
func Integer(n int64) Reply { return Reply{Kind: Int, Int: n} }

// List builds an array reply.
func List(elems ...Reply) Reply { return Reply{Kind: Array, Elems: elems} }

// Fault builds an error reply from its whole text, class first.
func Fault(text string) Reply { return Reply{Kind: Error, Str: text} }

// Class of an error reply: its first word where that is in capitals
// (WRONGTYPE, NOSCRIPT, EXECABORT), and ERR otherwise. Empty for other kinds.
func (r Reply) Class() string {
	if r.Kind != Error {
		return ""
	}
	word, _, _ := strings.Cut(r.Str, " ")
	for _, c := range word {
		if (c < 'A' || c > 'Z') && c != '_' {
			return "ERR"
		}
	}
	if word == "" {
		return "ERR"
	}
	return word
}

// Queued reports whether the reply is MULTI's receipt for a queued command.
func (r Reply) Queued() bool { return r.Kind == String && r.Str == "QUEUED" }

// String is the reply as redis-cli would show it on one line.
func (r Reply) String() string {
	switch r.Kind {
	case Int:
		return "(integer) " + strconv.FormatInt(r.Int, 10)
	case String:
		return quote(r.Str)
	case Error:
		return "(error) " + r.Str
	case Array:
		elems := make([]string, len(r.Elems))
		for i, e := range r.Elems {
			elems[i] = e.String()
		}
		return "[" + strings.Join(elems, ", ") + "]"
	}
	return "(nil)"
}

// WireSize is the length in bytes of the reply as RESP2 would carry it. Status
// lines and bulk strings are not told apart: short capitals are status lines.
func (r Reply) WireSize() int {
	switch r.Kind {
	case Int:
		return 3 + digits(r.Int)
	case String:
		if r.Str == "OK" || r.Queued() {
			return 3 + len(r.Str)
		}
		return bulk(len(r.Str))
	case Error:
		return 3 + len(r.Str)
	case Array:
		n := header(len(r.Elems))
		for _, e := range r.Elems {
			n += e.WireSize()
		}
		return n
	}
	return len("$-1\r\n")
}

func header(n int) int { return 3 + digits(int64(n)) } // *n\r\n or $n\r\n

func bulk(n int) int { return header(n) + n + 2 }

func digits(n int64) int {
	if 0 <= n && n < 10 { // nearly all lengths
		return 1
	}
	count := 1
	if n < 0 {
		count++
	}
	for n /= 10; n != 0; n /= 10 {
		count++
	}
	return count
}
