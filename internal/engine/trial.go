package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// batch is how many keys are prepared, audited or removed in one exchange, and
// batchBytes about how much of their values.
const (
	batch      = 500
	batchBytes = 4 << 20
)

// controlTries is how often the engine repeats an exchange of its own, which
// can be repeated without harm, when its connection is lost.
const controlTries = 3

// trial is one repetition of one cell, phase by phase.
type trial struct {
	*Runner
	cell     results.Cell
	number   int
	world    World // with the cell's connections and network delay
	apart    World // the same with connections of their own, for bystanders
	kind     strategies.Kind
	workload workloads.Workload
	dist     contention.Dist
	burst    contention.Burst
	bases    []string
	clients  []*client
	beside   map[string][]string // keys of bystanders, by base
	control  Conn                // the engine's own
	silent   bool                // the server does not answer: nothing is asked of it but to clean up
	run      results.Run
}

// Trial runs one: setup, dial, load (warm, measure, drain), audit, clean. The
// run is worth keeping whenever it is not nil, also beside an error.
func (r *Runner) Trial(cell results.Cell, number int) (*results.Run, error) {
	if r.shards == nil {
		r.shards = newShards(max(r.Shards, 1))
	}
	t := &trial{Runner: r, cell: cell, number: number}
	connected, err := withConn(r.World, cell.Conn)
	if err != nil {
		return nil, err
	}
	delayed := func(w World) World {
		return withDelay(w, time.Duration(cell.RTTNS), func(client int, d time.Duration) {
			if client < cell.Clients { // and not a bystander
				r.shards.of(client).RTT(d)
			}
		})
	}
	t.apart = delayed(r.World)
	if t.world, err = t.withFaults(delayed(connected)); err != nil {
		return nil, err
	}
	t.kind, _ = strategies.All.Get(cell.Strategy)
	t.workload, _ = workloads.Get(cell.Workload, cell.ValueBytes)
	if t.dist, err = newDist(cell); err != nil {
		return nil, err
	}
	if cell.Burst != "" {
		if t.burst, err = contention.ParseBurst(cell.Burst); err != nil {
			return nil, err
		}
	}
	for i := range cell.Keys {
		t.bases = append(t.bases, r.Plan.Prefix+"{"+strconv.Itoa(i)+"}")
	}
	t.beside = map[string][]string{}
	for i := range cell.Bystanders {
		base := t.bases[i%len(t.bases)]
		t.beside[base] = append(t.beside[base], t.bystanderKey(i))
	}
	t.run = results.Run{Source: r.Source, Cell: cell, Trial: number, Seed: TrialSeed(r.Plan.Seed, cell, number)}
	t.shards.reset(cell.Clients, t.workload, r.Plan.Duration, t.told())

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
// lost says why the load ended early; err that it never began, or that its run
// contradicts itself.
func (t *trial) loadAndAudit() (lost, err error) {
	conns, err := t.dial()
	defer closeAll(conns)
	if err != nil {
		return nil, fmt.Errorf("connecting %s: %w", t.numbered(len(conns)), err)
	}
	if lost, err = t.load(conns); err != nil {
		return nil, err
	}
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
	most := max(1, min(batch, batchBytes/max(1, t.cell.ValueBytes)))
	for start := 0; start < len(t.bases); start += most {
		bases := t.bases[start:min(start+most, len(t.bases))]
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

// sendAll sends commands for every base and answers the text of a refusal.
func (t *trial) sendAll(cmds func(base string) []resp.Cmd) (refused string, err error) {
	err = t.eachBatch(cmds, func(_ string, replies []resp.Reply) {
		if text := firstError(replies); text != "" {
			refused = text
		}
	})
	return refused, err
}

// removal removes every key of a base.
func (t *trial) removal(base string) resp.Cmd {
	return append(append(resp.Cmd{"UNLINK"}, t.kind.KeysFor(t.workload, base)...), t.beside[base]...)
}

// setup brings every key into the state that a trial starts from, and does what
// the strategy does once.
func (t *trial) setup() error {
	refused, err := t.sendAll(func(base string) []resp.Cmd {
		cmds := append([]resp.Cmd{t.removal(base)}, t.workload.Setup(base)...)
		for _, key := range t.beside[base] {
			cmds = append(cmds, resp.Cmd{"SET", key, "1"})
		}
		return cmds
	})
	if err == nil && refused == "" && t.kind.Prepare != nil {
		var replies []resp.Reply
		replies, err = t.exchange(t.kind.Prepare(t.workload)...)
		refused = firstError(replies)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrServerLost, err)
	case refused != "":
		return fmt.Errorf("the server refuses to prepare the trial: %s", refused)
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
		refused, err = t.sendAll(func(base string) []resp.Cmd { return []resp.Cmd{t.removal(base)} })
		tokens, failed := t.removeTokens()
		refused, err = cmp.Or(refused, tokens), errors.Join(err, failed)
	})
	switch {
	case err != nil && t.silent:
		return errors.New("it does not answer")
	case err == nil && refused != "":
		return errors.New(refused)
	}
	return err
}

// removeTokens removes the tokens that ops have left, some in one exchange.
func (t *trial) removeTokens() (refused string, err error) {
	var cmds []resp.Cmd
	for _, c := range t.clients {
		for n, key := range c.picked {
			op := workloads.Op{ID: workloads.OpID(c.id, n), Keys: []string{t.bases[key]}}
			cmds = append(cmds, resp.Cmd{"UNLINK", op.TokenKey()})
		}
	}
	for some := range slices.Chunk(cmds, batch) {
		replies, err := t.exchange(some...)
		if err != nil {
			return "", err
		}
		if text := firstError(replies); text != "" {
			refused = text
		}
	}
	return refused, nil
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

// dial connects all clients, and then the bystanders, before any load begins.
func (t *trial) dial() (conns []Conn, err error) {
	for i := range t.cell.Clients + t.cell.Bystanders {
		if Stopped(t.Stop) {
			return conns, ErrInterrupted
		}
		world := t.world
		if i >= t.cell.Clients {
			world = t.apart
		}
		conn, err := world.Dial(i)
		if err != nil {
			return conns, err
		}
		conns = append(conns, conn)
	}
	return conns, nil
}

// numbered names the client or bystander with an index among all connections.
func (t *trial) numbered(i int) string {
	if i < t.cell.Clients {
		return fmt.Sprintf("client %d of %d", i+1, t.cell.Clients)
	}
	return fmt.Sprintf("bystander %d of %d", i-t.cell.Clients+1, t.cell.Bystanders)
}

func closeAll(conns []Conn) {
	for _, c := range conns {
		c.Close()
	}
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
