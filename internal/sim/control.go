package sim

import (
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/internal/store"
	"rmwbench/strategies"
)

// control is the engine's own connection. What it does takes no time, and each
// of its commands goes to the server that has the key.
type control struct {
	world  *World
	states []*store.Conn // by server
}

func newControl(w *World) engine.Conn {
	c := &control{world: w}
	for _, s := range w.servers {
		c.states = append(c.states, s.db.Dial())
	}
	return c
}

func (c *control) Session(string) (strategies.Session, error) { return c, nil }

func (c *control) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	replies := make([]resp.Reply, len(cmds))
	for i, cmd := range cmds {
		at := 0
		if len(cmd) > 1 {
			at = shard(cmd[1], len(c.states))
		}
		// A server whose clients were cut may still be at their requests.
		now := max(c.world.now, c.world.servers[at].free)
		replies[i] = c.states[at].Do(now, cmd)
	}
	return replies, nil
}

func (*control) Hold(time.Duration) {}
func (*control) Cut()               {}
func (*control) Drop()              {}
func (*control) Close()             {}
