package check

import (
	"fmt"
	"strconv"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/internal/state"
	"rmwbench/strategies"
)

// stage is where batches are played: the databases of a server that is ours.
type stage struct {
	batch *Batch
	world engine.World
	eye   state.Reader // the connection that looks on
	dbs   int          // taken so far
	stop  <-chan struct{}
}

// play is how one run of the batch, or of a part of it, went.
type play struct {
	from, to  int // the steps that were meant to be done
	began     int64
	ended     int64        // the server's time in milliseconds, as began
	replies   []resp.Reply // by position of the command; nil where it was not sent
	sent      int          // commands
	stoppedBy *StopIf      // ended the run with its work done
	failed    *failure     // ended the run as an exception does
	unseen    []failure    // elements of EXEC that nobody looked at
}

// failure is a command that was answered with an error.
type failure struct {
	command Command
	reply   string
}

// fresh empties the next database and builds the starting state in it.
func (s *stage) fresh() (db int, err error) {
	db = s.dbs
	s.dbs++
	return db, s.reset(db)
}

// reset empties a database and builds the starting state in it.
func (s *stage) reset(db int) error {
	if _, err := s.eye.Ask(resp.Cmd{"SELECT", strconv.Itoa(db)}, resp.Cmd{"FLUSHDB"}); err != nil {
		return err
	}
	for _, c := range s.batch.Start {
		replies, err := s.eye.Session.Exchange(c.Cmd)
		if err != nil {
			return s.batch.lost(c, err)
		}
		if replies[0].Kind == resp.Error {
			return s.batch.refused(failure{c, replies[0].Str})
		}
	}
	return nil
}

// refused is the error of a batch that does not run.
func (b *Batch) refused(f failure) error {
	return fmt.Errorf("%s:%d: the server answers %s with: %s", b.File, f.command.Line, readable(clip(f.command.Source, 60)), readable(f.reply))
}

// lost is the error of a connection that breaks.
func (b *Batch) lost(c Command, err error) error {
	return fmt.Errorf("%s:%d: no reply to %s: %w", b.File, c.Line, readable(clip(c.Source, 60)), err)
}

// now is the server's time in milliseconds.
func (s *stage) now() (int64, error) {
	replies, err := s.eye.Ask(resp.Cmd{"TIME"})
	if err != nil {
		return 0, err
	}
	return state.Milliseconds(replies[0])
}

func (s *stage) interrupted() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

// client is a connection of its own, in a database.
func (s *stage) client(db int) (engine.Conn, strategies.Session, error) {
	conn, err := s.world.Dial(0)
	if err != nil {
		return nil, nil, err
	}
	session, err := conn.Session("")
	if err == nil {
		_, err = state.Reader{Session: session}.Ask(resp.Cmd{"SELECT", strconv.Itoa(db)})
	}
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	return conn, session, nil
}

// play has a client do the steps from .. to-1, exchange by exchange, and then
// end: for a prefix of the batch, that is the crash.
func (s *stage) play(db, from, to int) (p play, err error) {
	p = play{from: from, to: to, replies: make([]resp.Reply, len(s.batch.commands()))}
	conn, session, err := s.client(db)
	if err != nil {
		return p, err
	}
	defer conn.Close()
	if p.began, err = s.now(); err != nil {
		return p, err
	}
	step := 0
	for _, e := range s.batch.Exchanges {
		first := step
		step += len(e.Steps)
		steps := e.Steps[min(max(from-first, 0), len(e.Steps)):min(max(to-first, 0), len(e.Steps))]
		if len(steps) == 0 {
			continue
		}
		if s.interrupted() {
			return p, engine.ErrInterrupted
		}
		replies, err := session.Exchange(wire(steps)...)
		if err != nil {
			return p, s.batch.lost(steps[0].Commands[0], err)
		}
		if p.take(s.batch, e, steps, replies); p.over() {
			break
		}
	}
	p.ended, err = s.now()
	return p, err
}

// over reports whether the client goes no further.
func (p *play) over() bool { return p.stoppedBy != nil || p.failed != nil }

// wire is what some steps are as commands on a connection.
func wire(steps []Step) (cmds []resp.Cmd) {
	for _, s := range steps {
		if s.Multi {
			cmds = append(cmds, resp.Cmd{"MULTI"})
		}
		for _, c := range s.Commands {
			cmds = append(cmds, c.Cmd)
		}
		if s.Multi {
			cmds = append(cmds, resp.Cmd{"EXEC"})
		}
	}
	return cmds
}

// take notes the replies to some steps of an exchange.
func (p *play) take(b *Batch, e Exchange, steps []Step, replies []resp.Reply) {
	last := replies[len(replies)-1]
	for _, step := range steps {
		n := len(step.Commands)
		if step.Multi {
			p.takeExec(b, step, replies[1:n+2])
			replies = replies[n+2:]
			continue
		}
		p.note(step.Commands[0], replies[0])
		if replies[0].Kind == resp.Error {
			p.fail(failure{step.Commands[0], replies[0].Str})
		}
		replies = replies[1:]
	}
	p.decide(e, last)
}

// takeExec notes the replies from behind MULTI to EXEC's own.
func (p *play) takeExec(b *Batch, step Step, replies []resp.Reply) {
	n := len(step.Commands)
	exec := replies[n]
	for i, c := range step.Commands {
		if replies[i].Kind == resp.Error { // refused before it was queued
			p.note(c, replies[i])
			p.fail(failure{c, replies[i].Str})
		}
	}
	if exec.Kind != resp.Array || len(exec.Elems) != n {
		p.sent += n
		switch {
		case exec.Kind == resp.Nil:
			p.fail(failure{step.Commands[n-1], "EXEC answered nil: a watched key was changed"})
		case p.failed == nil:
			p.fail(failure{step.Commands[n-1], "EXEC answered " + exec.String()})
		}
		return
	}
	for i, c := range step.Commands {
		p.note(c, exec.Elems[i])
		if exec.Elems[i].Kind != resp.Error {
			continue
		}
		if f := (failure{c, exec.Elems[i].Str}); b.ExecChecked > 0 {
			p.fail(f)
		} else {
			p.unseen = append(p.unseen, f)
		}
	}
}

func (p *play) note(c Command, r resp.Reply) {
	p.replies[c.N] = r
	p.sent = c.N + 1
}

// fail notes the first failure. What was sent together with it is done all the
// same.
func (p *play) fail(f failure) {
	if p.failed == nil {
		p.failed = &f
	}
}

// decide looks whether the client ends the batch after an exchange.
func (p *play) decide(e Exchange, last resp.Reply) {
	for i := range e.StopIf {
		if e.StopIf[i].matches(last) && p.failed == nil {
			p.stoppedBy = &e.StopIf[i]
		}
	}
}

// walk does the whole batch command by command, with neither MULTI nor
// pipeline, and answers the state before the first and after each. Nobody else
// is there, so that the states are those of the batch as it stands, and show
// what each command does to them.
func (s *stage) walk(db int) (states []state.State, err error) {
	conn, session, err := s.client(db)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	look := func() error {
		now, err := s.eye.Read(db)
		states = append(states, now)
		return err
	}
	if err := look(); err != nil {
		return nil, err
	}
	p := play{replies: make([]resp.Reply, len(s.batch.commands()))}
	for _, e := range s.batch.Exchanges {
		for _, step := range e.Steps {
			for _, c := range step.Commands {
				if s.interrupted() {
					return nil, engine.ErrInterrupted
				}
				replies, err := session.Exchange(c.Cmd)
				if err != nil {
					return nil, s.batch.lost(c, err)
				}
				p.note(c, replies[0])
				if replies[0].Kind == resp.Error && (!step.Multi || s.batch.ExecChecked > 0) {
					p.fail(failure{c, replies[0].Str})
				}
				if err := look(); err != nil {
					return nil, err
				}
			}
		}
		commands := e.Steps[len(e.Steps)-1].Commands
		last := p.replies[commands[len(commands)-1].N]
		if e.Steps[len(e.Steps)-1].Multi {
			last = resp.List(last)
		}
		if p.decide(e, last); p.over() {
			break
		}
	}
	return states, nil
}
