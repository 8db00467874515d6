package live

import (
	"maps"
	"slices"
	"strings"

	"github.com/redis/rueidis"

	"rmwbench/internal/resp"
)

// normal brings a result into normal form: the same whatever the protocol.
// The error is one of the connection; an error reply is a reply.
func normal(result rueidis.RedisResult) (resp.Reply, error) {
	if err := result.NonRedisError(); err != nil {
		return resp.Reply{}, reason(err)
	}
	message, _ := result.ToMessage() // its error is the error reply or nil that message is
	return normalMessage(&message), nil
}

func normalMessage(m *rueidis.RedisMessage) resp.Reply {
	switch {
	case m.IsNil():
		return resp.Reply{}
	case m.IsInt64():
		n, _ := m.ToInt64()
		return resp.Integer(n)
	case m.IsBool():
		if yes, _ := m.ToBool(); yes {
			return resp.Integer(1)
		}
		return resp.Integer(0)
	case m.IsArray():
		elems, _ := m.ToArray()
		return list(elems)
	case m.IsMap():
		pairs, _ := m.ToMap()
		// The library keeps a map in no order; RESP2 would have the server's.
		flat := make([]resp.Reply, 0, 2*len(pairs))
		for _, key := range slices.Sorted(maps.Keys(pairs)) {
			value := pairs[key]
			flat = append(flat, resp.Text(key), normalMessage(&value))
		}
		return resp.List(flat...)
	}
	if err := m.Error(); err != nil {
		return resp.Fault(withClass(err.Error()))
	}
	text, _ := m.ToString() // strings, and doubles as the server wrote them
	return resp.Text(text)
}

func list(elems []rueidis.RedisMessage) resp.Reply {
	replies := make([]resp.Reply, len(elems))
	for i := range elems {
		replies[i] = normalMessage(&elems[i])
	}
	return resp.List(replies...)
}

// withClass puts the class ERR, which the library strips, back in front. What
// is left then begins with a lower-case word or with the name of a command.
func withClass(text string) string {
	word, _, _ := strings.Cut(text, " ")
	switch word {
	case "EXEC", "DISCARD", "WATCH", "MULTI", "DB":
		return "ERR " + text
	}
	if resp.Fault(text).Class() == word {
		return text
	}
	return "ERR " + text
}
