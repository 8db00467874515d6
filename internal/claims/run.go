package claims

import (
	"errors"
	"fmt"
	"strconv"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
)

// Config says where claims are checked and what is allowed there.
type Config struct {
	Server Server
	Lab    Lab             // nil: the server is somebody's, and no other may be started in its place
	Leave  bool            // to touch what others of that somebody use
	Prefix string          // of every key
	Stop   <-chan struct{} // closed to end early, with engine.ErrInterrupted; nil: never

	Progress func(name string, done, total int) // told before each claim; nil: nobody
}

// Result is what came out for one claim.
type Result struct {
	Name     string  `json:"name"`
	Claim    string  `json:"claim"`
	Source   string  `json:"source"`
	Verdict  Verdict `json:"verdict"`
	Seen     string  `json:"seen"` // or why it was not checked
	Evidence []Line  `json:"evidence"`
}

// Why a claim is not checked.
const (
	needsLeave  = "touches what others use; --yes-load-this-server permits it"
	needsServer = "only on a server that rmwbench starts"
	serverLost  = "the server was lost before"
)

// Run checks all claims, in the order of their names. There is a result for
// each, whatever the error: what was not checked says why. The error is that of
// lost servers, or engine.ErrInterrupted.
func Run(cfg Config) ([]Result, error) {
	keys, err := cfg.ownKeys()
	if err != nil {
		return nil, err
	}
	r := runner{Config: cfg, keys: keys}
	names := All.Names()
	results := make([]Result, len(names))
	for i, name := range names {
		if cfg.Progress != nil {
			cfg.Progress(name, i, len(names))
		}
		claim, _ := All.Get(name)
		answer, evidence := r.check(name, claim)
		results[i] = Result{name, claim.Says, claim.Source, answer.Verdict, answer.Seen, evidence}
	}
	return results, errors.Join(r.errs...)
}

// ownKeys is what all keys begin with: the prefix and a hash tag. The node of a
// cluster serves some hash slots and refuses the others, so tags are tried. A
// server that lets nothing be written, or nothing be removed, is not used.
func (cfg *Config) ownKeys() (string, error) {
	conn, err := cfg.Server.Dial()
	if err != nil {
		return "", err
	}
	defer conn.Close()
	const tries = 1000 // a node that serves one slot in 100 is missed once in 20 000
	var refusal resp.Reply
	for i := range tries {
		keys := cfg.Prefix + "{" + strconv.Itoa(i) + "}:"
		replies, err := conn.Exchange(resp.Cmd{"SET", keys, "1", "EX", "60"}, resp.Cmd{"DEL", keys})
		if err != nil {
			return "", err
		}
		switch set, del := replies[0], replies[1]; {
		case set.Class() == "MOVED", set.Class() == "CLUSTERDOWN":
			refusal = set
		case set.Kind == resp.Error:
			return "", fmt.Errorf("the server does not let a key be written: %s", set.Str)
		case del.Kind == resp.Error:
			return "", fmt.Errorf("the server does not let a key be deleted: %s", del.Str)
		default:
			return keys, nil
		}
	}
	return "", fmt.Errorf("this node of a cluster serves hardly any key: %s", refusal.Str)
}

// runner remembers what outlives one check.
type runner struct {
	Config
	keys string
	over string // why no more is checked; empty: more is
	errs []error
}

func (r *runner) check(name string, claim Claim) (Answer, []Line) {
	if r.over == "" && stopped(r.Stop) {
		r.end(engine.ErrInterrupted)
	}
	switch {
	case claim.Needs == OwnServer && r.Lab == nil:
		return notChecked(needsServer), []Line{}
	case claim.Needs == Leave && r.Lab == nil && !r.Leave:
		return notChecked(needsLeave), []Line{}
	case r.over != "":
		return notChecked("%s", r.over), []Line{}
	}
	c := newCase(&r.Config, r.keys)
	answer := claim.Check(c)
	err := c.close()
	switch {
	case errors.Is(err, engine.ErrInterrupted):
		r.end(err)
	case err != nil:
		r.errs = append(r.errs, fmt.Errorf("%s: %w", name, err))
		if c.lostMain {
			r.over = serverLost
		}
	}
	if c.reason != "" {
		answer = notChecked("%s", c.reason)
	}
	return answer, c.lines
}

func (r *runner) end(err error) {
	r.over, r.errs = err.Error(), append(r.errs, err)
}

func stopped(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}
