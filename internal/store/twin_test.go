package store

import (
	"strings"
	"testing"

	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

// scripted is a workload of one body.
type scripted struct {
	workloads.Workload
	body *steps
}

func (s scripted) Begin(workloads.Op) workloads.Body { return s.body }

// steps is a body that wants one step after the other and notes what it sees.
type steps struct {
	list []workloads.Step
	seen []string
}

func (s *steps) Next(replies []resp.Reply) workloads.Step {
	s.seen = append(s.seen, resp.List(replies...).String())
	step := s.list[0]
	s.list = s.list[1:]
	return step
}

// A twin's reads are answered step by step, its writes are applied, and the
// first error ends it while what was written before stays.
func TestTwin(t *testing.T) {
	read := func(cmds ...resp.Cmd) workloads.Step { return workloads.Step{Kind: workloads.Read, Cmds: cmds} }
	commit := func(cmds ...resp.Cmd) workloads.Step {
		return workloads.Step{Kind: workloads.Commit, Cmds: cmds, Answer: "done"}
	}
	get, incr, push := resp.Cmd{"GET", "k"}, resp.Cmd{"INCR", "k"}, resp.Cmd{"LPUSH", "k", "x"}
	for name, test := range map[string]struct {
		list []workloads.Step
		seen string
		want string // what the answer begins with
		left string
	}{
		"commit":            {[]workloads.Step{commit(incr)}, "[]", "[(integer) 1, done]", "6"},
		"reads":             {[]workloads.Step{read(get, get), read(get), commit()}, "[] [5, 5] [5]", "[(integer) 1, done]", "5"},
		"reject":            {[]workloads.Step{read(get), {Kind: workloads.Reject, Answer: "no"}}, "[] [5]", "[(integer) 0, no]", "5"},
		"fail":              {[]workloads.Step{{Kind: workloads.Fail, Error: "MINE is this"}}, "[]", "(error) MINE is this", "5"},
		"error in a read":   {[]workloads.Step{read(get, push), commit()}, "[]", "(error) WRONGTYPE ", "5"},
		"error in a write":  {[]workloads.Step{commit(incr, push, incr)}, "[]", "(error) WRONGTYPE ", "6"},
		"unknown command":   {[]workloads.Step{read(resp.Cmd{"NOSUCH"})}, "[]", "(error) ERR Unknown Redis command called from script", "5"},
		"wrong arity":       {[]workloads.Step{read(resp.Cmd{"GET"})}, "[]", "(error) ERR Wrong number of args calling Redis command from script", "5"},
		"forbidden command": {[]workloads.Step{read(resp.Cmd{"WATCH", "k"})}, "[]", "(error) ERR This Redis command is not allowed from script", "5"},
	} {
		db := New()
		c := db.Dial()
		c.Do(0, resp.Cmd{"SET", "k", "5"})
		twin := &steps{list: test.list}
		sum := db.keep(name)
		db.scripts[sum] = script{sum, decider{twin: scripted{body: twin}}}
		if got := c.Do(0, resp.Cmd{"EVALSHA", sum, "0"}).String(); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		if got := strings.Join(twin.seen, " "); got != test.seen {
			t.Errorf("%s: it saw %s, want %s", name, got, test.seen)
		}
		if got := c.Do(0, get).Str; got != test.left {
			t.Errorf("%s: it left %s, want %s", name, got, test.left)
		}
	}
}
