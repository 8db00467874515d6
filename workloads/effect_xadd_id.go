package workloads

import (
	"strconv"
	"strings"

	"rmwbench/internal/resp"
)

// xadd-id adds an entry under an id of the client's own. Sent twice, the server
// refuses the second with an error, which says that the entry, or a later one,
// is there already. Ids of several clients must rise together: whoever comes
// late is refused too, and cannot tell that from having been there before.
func init() {
	All.Add("xadd-id", xaddID{effect{
		summary: "add an entry to a stream, under an id of the client's", form: "XADD ID",
		command: func(op Op) resp.Cmd {
			return resp.Cmd{"XADD", op.Keys[0], strconv.FormatUint(op.client()+1, 10) + "-" + strconv.FormatUint(op.number()+1, 10), "event", "x"}
		},
	}})
}

type xaddID struct{ effect }

// Already takes the refusal of an id for an answer.
func (xaddID) Already(reply resp.Reply) bool { return strings.Contains(reply.Str, "equal or smaller") }
