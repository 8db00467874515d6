package live

import (
	"context"

	"github.com/redis/rueidis"

	"rmwbench/internal/resp"
)

// lane carries one client's exchanges over a connection of the library's, be it
// the client's own or one that it shares.
type lane struct {
	built   []rueidis.Completed // of the last exchange, to be used again
	replies []resp.Reply
}

// exchange writes all commands at once, without anybody else's between them, and
// reads all replies.
func (l *lane) exchange(builder rueidis.Client, wire rueidis.CoreClient, cmds []resp.Cmd) ([]resp.Reply, error) {
	// The background context keeps the library in its synchronous mode as long
	// as a connection has one user; a context that can be cancelled would change
	// how it reads and writes.
	ctx := context.Background()
	l.replies = l.replies[:0]
	if len(cmds) == 1 {
		err := l.read(wire.Do(ctx, build(builder, cmds[0])))
		return l.replies, err
	}
	l.built = l.built[:0]
	for _, cmd := range cmds {
		l.built = append(l.built, build(builder, cmd))
	}
	for _, result := range wire.DoMulti(ctx, l.built...) {
		if err := l.read(result); err != nil {
			l.built = nil // the library may still be writing them
			return nil, err
		}
	}
	return l.replies, nil
}

// read adds one result of an exchange, in normal form, to its replies.
func (l *lane) read(result rueidis.RedisResult) error {
	reply, err := normal(result)
	if err == nil {
		l.replies = append(l.replies, reply)
	}
	return err
}

func build(builder rueidis.Client, cmd resp.Cmd) rueidis.Completed {
	return builder.B().Arbitrary(cmd...).Build()
}
