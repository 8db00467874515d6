package engine

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync/atomic"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// batch is how many keys are prepared, audited or removed in one exchange.
const batch = 500

// grace is how long attempts that are still running when the window ends may
// take, beyond the times that were asked for, before their connections are cut;
// and how long a server that was silent is waited for to clean up after all.
const grace = 2 * time.Second

// turn is what a slow server may take for one client's turn: with many clients
// the last one's comes late, and nobody is lost.
const turn = time.Millisecond

// controlTries is how often the engine repeats an exchange of its own, which
// can be repeated without harm, when its connection is lost.
const controlTries = 3

// ErrServerLost says that the server could not be reached any more or stopped
// answering. The trial it ended is kept as partial.
var ErrServerLost = errors.New("the server was lost")

var errSilent = fmt.Errorf("attempts were still without an answer %v after the end of the window, so their connections were cut", grace)

// trial is one repetition of one cell, phase by phase.
type trial struct {
	*Runner
	cell     results.Cell
	number   int
	world    World // with the cell's network delay
	workload workloads.Workload
	dist     contention.Dist
	bases    []string
	control  Conn // the engine's own
	silent   bool // the server does not answer: nothing is asked of it but to clean up
	run      results.Run
}

// trial runs one: setup, dial, load (warm, measure, drain), audit, clean. The
// run is worth keeping whenever it is not nil, also beside an error.
func (r *Runner) trial(cell results.Cell, number int) (*results.Run, error) {
	t := &trial{Runner: r, cell: cell, number: number}
	t.world = withDelay(r.World, time.Duration(cell.RTTNS), func(client int, d time.Duration) {
		r.shards.of(client).RTT(d)
	})
	t.workload, _ = workloads.All.Get(cell.Workload)
	var err error
	if t.dist, err = newDist(cell); err != nil {
		return nil, err
	}
	for i := range cell.Keys {
		t.bases = append(t.bases, r.Plan.Prefix+"{"+strconv.Itoa(i)+"}")
	}
	t.run = results.Run{Source: r.Source, Cell: cell, Trial: number, Seed: trialSeed(r.Plan.Seed, cell, number)}
	t.shards.reset(cell.Clients, t.workload)

	if t.control, err = r.World.Dial(Control); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrServerLost, err)
	}
	defer t.control.Close()
	var lost error
	if r.World.Run(func() { err = t.setup() }); err == nil {
		lost, err = t.loadAndAudit()
	}
	var left error
	if cleaned := t.clean(); cleaned != nil {
		left = fmt.Errorf("keys %s* may be left on the server: %w", r.Plan.Prefix, cleaned)
	}
	if err != nil {
		return nil, errors.Join(err, left)
	}
	if lost != nil {
		t.run.Partial = true
		t.run.Warn(lost.Error())
		lost = fmt.Errorf("%w: %w", ErrServerLost, lost)
	}
	return &t.run, errors.Join(lost, left)
}

// loadAndAudit connects the clients, runs them and looks at what they left.
// lost says why the load ended early; err that it never began.
func (t *trial) loadAndAudit() (lost, err error) {
	conns, err := t.dial()
	defer closeAll(conns)
	if err != nil {
		return nil, fmt.Errorf("connecting client %d of %d: %w", len(conns)+1, t.cell.Clients, err)
	}
	lost = t.load(conns)
	if !t.silent {
		var unread error
		t.Runner.World.Run(func() { unread = t.audit() })
		if lost == nil {
			lost = unread
		}
	}
	return lost, nil
}

// exchange is one of the engine's own, repeated on a new connection when the
// old one is lost.
func (t *trial) exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	var broken error
	for range controlTries {
		session, err := t.control.Session("")
		if err != nil {
			return nil, err
		}
		replies, err := session.Exchange(cmds...)
		if err == nil {
			return replies, nil
		}
		broken = err
	}
	return nil, broken
}

// eachBatch sends what the function makes of every base, some bases in one
// exchange, and hands the replies of each base to done.
func (t *trial) eachBatch(cmds func(base string) []resp.Cmd, done func(base string, replies []resp.Reply)) error {
	for start := 0; start < len(t.bases); start += batch {
		bases := t.bases[start:min(start+batch, len(t.bases))]
		var all []resp.Cmd
		var counts []int
		for _, base := range bases {
			c := cmds(base)
			all = append(all, c...)
			counts = append(counts, len(c))
		}
		replies, err := t.exchange(all...)
		if err != nil {
			return err
		}
		for i, base := range bases {
			done(base, replies[:counts[i]])
			replies = replies[counts[i]:]
		}
	}
	return nil
}

// removal removes every key of a base.
func (t *trial) removal(base string) resp.Cmd {
	return append(resp.Cmd{"UNLINK"}, t.workload.Keys(base)...)
}

// setup brings every key into the state that a trial starts from.
func (t *trial) setup() error {
	var refused string
	err := t.eachBatch(func(base string) []resp.Cmd {
		return append([]resp.Cmd{t.removal(base)}, t.workload.Setup(base)...)
	}, func(_ string, replies []resp.Reply) {
		if text := firstError(replies); text != "" {
			refused = text
		}
	})
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrServerLost, err)
	case refused != "":
		return fmt.Errorf("the server refuses to prepare the keys: %s", refused)
	}
	return nil
}

// clean removes the trial's keys. A server that was silent gets one more
// chance, of bounded length.
func (t *trial) clean() (err error) {
	if t.silent {
		defer t.Runner.World.Alarm(grace, t.control.Cut)()
	}
	var refused string
	t.Runner.World.Run(func() {
		err = t.eachBatch(func(base string) []resp.Cmd { return []resp.Cmd{t.removal(base)} },
			func(_ string, replies []resp.Reply) {
				if text := firstError(replies); text != "" {
					refused = text
				}
			})
	})
	switch {
	case err != nil && t.silent:
		return errors.New("it does not answer")
	case err == nil && refused != "":
		return errors.New(refused)
	}
	return err
}

// firstError is the text of the first error reply, or "".
func firstError(replies []resp.Reply) string {
	for _, r := range replies {
		if r.Kind == resp.Error {
			return r.Str
		}
	}
	return ""
}

// dial connects all clients before any load begins.
func (t *trial) dial() (conns []Conn, err error) {
	for i := range t.cell.Clients {
		if stopped(t.Stop) {
			return conns, ErrInterrupted
		}
		conn, err := t.world.Dial(i)
		if err != nil {
			return conns, err
		}
		conns = append(conns, conn)
	}
	return conns, nil
}

func closeAll(conns []Conn) {
	for _, c := range conns {
		c.Close()
	}
}

// load runs the clients until the window has ended and their last attempts
// are done, and fills the run. It answers the error of a client that could not
// go on.
func (t *trial) load(conns []Conn) (lost error) {
	kind, _ := strategies.All.Get(t.cell.Strategy)
	var backoff contention.Backoff
	if k, err := contention.Backoffs.Get(t.cell.Backoff); err == nil {
		backoff = k.New(time.Duration(t.cell.BackoffBaseNS), time.Duration(t.cell.BackoffCapNS))
	}
	l := &load{
		world: t.world, stop: t.Stop, strategy: kind.Strategy, workload: t.workload, dist: t.dist, bases: t.bases,
		retry:    contention.Retry{Backoff: backoff, MaxTries: t.cell.MaxTries},
		decision: time.Duration(t.cell.DecisionNS), think: time.Duration(t.cell.ThinkNS),
	}
	if t.Plan.Ops > 0 {
		l.opsLeft = new(atomic.Int64)
		l.opsLeft.Store(t.Plan.Ops)
	}
	before := t.snapshot()
	began := t.world.Now()
	l.window = t.Plan.window(began)
	clients := make([]*client, len(conns))
	procs := make([]func(), len(conns))
	for i, conn := range conns {
		clients[i] = newClient(l, i, conn, t.run.Seed, t.shards.of(i))
		procs[i] = clients[i].run
	}
	cancel := func() {}
	var silent atomic.Bool
	cut := func() {
		silent.Store(true)
		for _, c := range conns {
			c.Cut()
		}
	}
	if l.window.to < forever {
		cancel = t.world.Alarm(l.window.to-began+t.slack(), cut)
	}
	done := make(chan struct{})
	go func() { // a stop has no other bound where ops are counted and not time
		select {
		case <-t.Stop:
			t.world.Alarm(t.slack(), func() {
				select {
				case <-done:
				default:
					cut()
				}
			})
		case <-done:
		}
	}()
	t.world.Run(procs...)
	close(done)
	cancel()
	finished := t.world.Now()
	var after *Snapshot
	for _, c := range clients {
		if lost == nil {
			lost = c.err
		}
	}
	if silent.Load() {
		lost = errSilent
	}
	if t.silent = lost != nil; !t.silent {
		after = t.snapshot()
	}

	total := t.shards.merge()
	total.Fill(&t.run)
	t.run.Whole.ElapsedNS = int64(finished - began)
	t.run.Whole.Commands = map[string]int64{}
	ended := l.window.from
	for _, c := range clients {
		c.meter.sum(t.run.Whole.Commands)
		t.run.Whole.RepliesLost = t.run.Whole.RepliesLost || c.meter.lost
		ended = max(ended, c.ended)
	}
	t.run.ElapsedNS = int64(min(ended, l.window.to) - l.window.from)
	switch {
	case stopped(t.Stop):
		t.run.Partial = true
		t.run.Warn("interrupted")
	case lost == nil && (l.opsLeft == nil || l.opsLeft.Load() >= 0):
		t.run.ElapsedNS = int64(t.Plan.Duration) // time ended it, not the number of ops
	}
	if t.run.Attempts == 0 {
		t.run.Warn("no attempt ended in the measured window")
	}
	t.witness(before, after)
	return lost
}

// slack is how long after the window's end the last attempt may take.
func (t *trial) slack() time.Duration {
	return max(grace, time.Duration(t.cell.Clients)*turn) +
		time.Duration(t.cell.DecisionNS) + 10*time.Duration(t.cell.RTTNS)
}

// forever is the end of a window without one.
const forever = time.Duration(math.MaxInt64)

// window is the measured part of a load phase that begins at a time. A bounded
// number of ops is counted from the first, without a warm-up.
func (p *Plan) window(began time.Duration) window {
	switch {
	case p.Ops == 0:
		return window{from: began + p.Warmup, to: began + p.Warmup + p.Duration}
	case p.Duration > 0:
		return window{from: began, to: began + p.Duration}
	}
	return window{from: began, to: forever}
}

// audit holds the stored state against the ledger. A state that cannot be read
// proves nothing, and so the trial is worth nothing.
func (t *trial) audit() error {
	audit := &results.Audit{Verdict: results.AuditNone}
	t.run.Audit = audit
	ledger := t.shards[0].ledger // merged
	if ledger == nil {
		return nil
	}
	var refused string
	err := t.eachBatch(ledger.Reads, func(base string, replies []resp.Reply) {
		// A key of another type is a finding; any other error tells nothing.
		if text := firstError(replies); text != "" && resp.Fault(text).Class() != "WRONGTYPE" {
			refused = text
			return
		}
		ledger.Check(base, replies, audit)
	})
	if err == nil && refused != "" {
		err = errors.New(refused)
	}
	if err != nil {
		*audit = results.Audit{Verdict: results.AuditNone}
		return fmt.Errorf("the stored state could not be read: %w", err)
	}
	audit.Settle()
	return nil
}
