package workloads

import "rmwbench/internal/resp"

// expireat gives a key a deadline that the client has computed: the same
// however often it is sent.
func init() {
	All.Add("expireat", effect{
		summary: "give a key a deadline", form: "EXPIREAT", setup: firstString,
		command: func(op Op) resp.Cmd { return resp.Cmd{"EXPIREAT", op.Keys[0], farDeadline} },
	})
}

// farDeadline is in the year 2100: no clock of ours is needed to be before it.
const farDeadline = "4102444800"
