package workloads

import (
	"strconv"
	"strings"
	"time"

	"rmwbench/internal/resp"
)

// DefaultTokenLife is how long a token lives that nobody asked to live otherwise.
const DefaultTokenLife = time.Hour

// TokenKey is the key of the op's token: a key that is there exactly if the op
// was done, and whose value tells what it answered.
func (o Op) TokenKey() string {
	base := o.Keys[0]
	if end := strings.IndexByte(base, '}'); end >= 0 {
		base = base[:end+1]
	}
	return base + ":op:" + strconv.FormatUint(o.ID, 16)
}

// TokenLife is how long the op's token lives, in milliseconds.
func (o Op) TokenLife() string {
	life := o.Token
	if life == 0 {
		life = DefaultTokenLife
	}
	return strconv.FormatInt(life.Milliseconds(), 10)
}

// WithToken is the op as the call of a script's variant Once.
func (o Op) WithToken() Op {
	o.Keys = append(o.Keys[:len(o.Keys):len(o.Keys)], o.TokenKey())
	o.Args = append(o.Args[:len(o.Args):len(o.Args)], o.TokenLife())
	return o
}

// Claim writes the token of an op that ends so.
func Claim(key, life string, end Step) resp.Cmd {
	status := "0:"
	if end.Kind == Commit {
		status = "1:"
	}
	return resp.Cmd{"SET", key, status + end.Answer, "PX", life}
}

// Told is the end that a token tells of.
func Told(token string) Step {
	status, answer, _ := strings.Cut(token, ":")
	if status == "1" {
		return Step{Kind: Commit, Answer: answer}
	}
	return Step{Kind: Reject, Answer: answer}
}

// Once is the twin of the variant Once of a script.
func Once(script Twin) Twin {
	return TwinFunc(func(op Op) Body {
		keys, args := len(op.Keys)-1, len(op.Args)-1
		inner := Op{Keys: op.Keys[:keys], Args: op.Args[:args]}
		return &onceBody{Body: script.Begin(inner), token: op.Keys[keys], life: op.Args[args]}
	})
}

type onceBody struct {
	Body
	token, life string
	step        int
}

func (b *onceBody) Next(replies []resp.Reply) (next Step) {
	b.step++
	switch {
	case b.step == 1:
		return Step{Kind: Read, Cmds: []resp.Cmd{{"GET", b.token}}}
	case b.step > 2:
		next = b.Body.Next(replies)
	case replies[0].Kind != resp.Nil:
		return Told(replies[0].Str)
	default:
		next = b.Body.Next(nil)
	}
	if next.Kind == Commit || next.Kind == Reject {
		next.Cmds = append(next.Cmds[:len(next.Cmds):len(next.Cmds)], Claim(b.token, b.life, next))
	}
	return next
}
