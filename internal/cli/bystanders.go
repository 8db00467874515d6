package cli

import (
	"github.com/alecthomas/kong"

	"rmwbench/contention"
	"rmwbench/internal/engine"
)

// bystanders is the value of a flag.
type bystanders contention.Bystanders

func (v *bystanders) Decode(ctx *kong.DecodeContext) error {
	text, err := popText(ctx)
	if err != nil {
		return err
	}
	b, err := contention.ParseBystanders(text)
	*v = bystanders(b)
	return err
}

// watch sets the plan's bystanders: those that were asked for, or else one where
// scripts take their time.
func (f *gridFlags) watch(p *engine.Plan) {
	switch {
	case f.Bystanders != nil:
		p.Bystanders = contention.Bystanders(*f.Bystanders)
	case p.HasScriptTime():
		p.Bystanders = contention.Bystanders{Clients: 1}
	}
}
