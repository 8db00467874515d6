package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"rmwbench/internal/calibrate"
	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/internal/sim"
	"rmwbench/results"
	"rmwbench/strategies"
)

// predictedTrials bounds the trials that are simulated of each measured cell.
const predictedTrials = 3

// predictor predicts measured cells.
type predictor struct {
	profile *profile.Profile
	local   bool                                 // the server shares this machine's cores
	paces   map[calibrate.Pace][]calibrate.Paced // each time that it was kept
	each    time.Duration                        // how long a pace was kept
	stop    <-chan struct{}
}

// predictable are the cells that can be simulated: those on dedicated
// connections.
func predictable(cells []results.Cell) []results.Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c results.Cell) bool { return c.Conn == results.ConnShared })
}

// All paces of a plan together may take so long, and one of them at least and
// at most.
const (
	pacesTime = 1500 * time.Millisecond
	leastPace = 40 * time.Millisecond
	mostPace  = 200 * time.Millisecond
)

// newPredictor measures, on the server and before the load, the paces that
// cells will keep.
func newPredictor(w engine.World, p *profile.Profile, local bool, cells []results.Cell, stop <-chan struct{}) (*predictor, error) {
	predict := &predictor{profile: p, local: local, stop: stop, paces: map[calibrate.Pace][]calibrate.Paced{}}
	var paces []calibrate.Pace
	for _, c := range predictable(cells) {
		if pace := paceOf(c); !slices.Contains(paces, pace) {
			paces = append(paces, pace)
		}
	}
	predict.each = min(max(pacesTime/time.Duration(len(paces)), leastPace), mostPace)
	return predict, predict.keep(w, paces)
}

// keepAgain measures the paces once more, after the load: a machine is not the
// same for long.
func (p *predictor) keepAgain(w engine.World) error {
	return p.keep(w, slices.Collect(maps.Keys(p.paces)))
}

// keep measures paces.
func (p *predictor) keep(w engine.World, paces []calibrate.Pace) error {
	for _, pace := range paces {
		paced, err := pace.Measure(w, p.each, p.stop)
		if err != nil {
			return err
		}
		p.paces[pace] = append(p.paces[pace], paced)
	}
	return nil
}

// longestPause bounds the wait of a pace: a thread that has slept for so long
// does not wake up later for having slept longer.
const longestPause = 50 * time.Millisecond

// paceOf is how a cell's clients alternate between waiting and exchanges. In an
// open loop they wait for arrivals too.
func paceOf(c results.Cell) calibrate.Pace {
	kind, _ := strategies.All.Get(c.Strategy)
	wait := time.Duration(c.RTTNS)
	exchanges := kind.Exchanges(strategies.Shape{ReadSteps: 1, Reads: 1, Writes: 1}, strategies.Committed)
	if exchanges > 1 { // the server decides within one, in no time
		wait += time.Duration(c.DecisionNS) / time.Duration(exchanges)
	}
	if script := time.Duration(c.ScriptTimeNS); script > 0 { // those of the others come first
		wait = max(wait, time.Duration(c.Clients)*script)
	}
	if c.Rate > 0 {
		wait = max(wait, time.Duration(float64(c.Clients)/c.Rate*1e9))
	}
	return calibrate.Pace{Clients: c.Clients, Wait: min(wait, longestPause)}
}

// complete adds predictions to the log of a run that has ended well. The only
// error is an interrupt: a run is worth as much without predictions.
func (p *predictor) complete(s *session, w engine.World, plan *engine.Plan, log *runLog) error {
	err := p.keepAgain(w)
	if err == nil {
		err = p.predict(s, plan, log)
	}
	if err != nil && !errors.Is(err, engine.ErrInterrupted) {
		fmt.Fprintf(s.err, "rmwbench: no predictions: %v\n", err)
		return nil
	}
	return err
}

// predict simulates the measured cells and adds the runs to the log.
func (p *predictor) predict(s *session, plan *engine.Plan, log *runLog) error {
	var jobs []sim.Job
	for _, c := range predictable(log.ran()) {
		m, err := p.machine(c, achievedBy(log.runs, c))
		if err != nil {
			return err
		}
		for number := range min(plan.Trials, predictedTrials) {
			jobs = append(jobs, sim.Job{Cell: c, Trial: number, Machine: m})
		}
	}
	return sim.Run(plan, jobs, p.profile, s.stop, func(_ int, run *results.Run) error { return log.add(run) })
}

// machine is what a cell was measured on. How much longer than asked for waits
// last shows in its decisions, or else in the two waits of a delay. What its
// exchanges take beyond the costs in the profile shows in the pings of its pace,
// held against the simulation of the same pings.
func (p *predictor) machine(c results.Cell, a achieved) (*sim.Machine, error) {
	client := p.profile.Client
	m := &sim.Machine{
		Cores: max(client.Cores, 1), Apart: !p.local, ExchangeNS: client.ExchangeNS, HoldNS: client.HoldNS,
		RTT: a.rtt, Late: client.LateNS, ScriptTime: a.script,
	}
	pace := paceOf(c)
	if paced := p.paces[pace]; paced != nil {
		pings := *m
		pings.Late = mean(paced, func(p calibrate.Paced) profile.Quantiles { return p.Late })
		simulated, err := pace.Measure(sim.New(sim.Config{Profile: p.profile, Machine: &pings}, 1), p.each, p.stop)
		if err != nil {
			return nil, err
		}
		measured := mean(paced, func(p calibrate.Paced) profile.Quantiles { return p.Exchange })
		m.Wake = measured.Excess(simulated.Exchange)
	}
	switch {
	case a.decision != nil:
		m.Late = a.decision.Beyond(float64(c.DecisionNS), 1)
	case a.rtt != nil:
		m.Late = a.rtt.Beyond(float64(c.RTTNS), 2)
	}
	return m, nil
}

// achieved is what the injected times of a cell came to, all trials together.
type achieved struct {
	decision, rtt profile.Quantiles
	script        time.Duration // on average; 0: not known
}

// achievedBy pools the whole trials of a cell.
func achievedBy(runs []results.Run, c results.Cell) achieved {
	var whole []results.Achieved
	var scripts []results.Sample
	for i := range runs {
		if r := &runs[i]; r.Cell == c && r.Source == results.SourceLive && !r.Partial {
			whole = append(whole, r.Achieved)
			if s := r.Achieved.ScriptTimeNS; s != nil {
				scripts = append(scripts, results.Sample{NS: float64(s.Mean), Count: 1})
			}
		}
	}
	var script time.Duration
	if s := results.SpreadOf(scripts); s != nil {
		script = time.Duration(s.Mean)
	}
	return achieved{
		script:   script,
		decision: mean(whole, func(a results.Achieved) profile.Quantiles { return spread(a.DecisionNS) }),
		rtt:      mean(whole, func(a results.Achieved) profile.Quantiles { return spread(a.RTTNS) }),
	}
}

// spread is a recorded distribution as quantiles; nil if there is none.
func spread(s *results.Spread) (q profile.Quantiles) {
	if s == nil {
		return nil
	}
	for i, ns := range s.Quantiles {
		q = append(q, profile.Quantile{Share: results.SpreadShares[i], NS: float64(ns)})
	}
	return q
}

// mean is the mean of the quantile functions that items have; nil without any.
func mean[T any](items []T, of func(T) profile.Quantiles) profile.Quantiles {
	var all []profile.Quantiles
	for _, item := range items {
		if q := of(item); q != nil {
			all = append(all, q)
		}
	}
	return profile.MeanOf(all)
}
