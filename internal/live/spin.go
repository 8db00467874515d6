package live

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/scripts"
	"rmwbench/strategies"
)

// steerEvery is how often script time is corrected, if the server has a turn for
// the question.
const steerEvery = 50 * time.Millisecond

// Bounds of a calibration: how long its scripts take, and how long all of them.
const (
	leastSpin     = 200 * time.Microsecond // the server counts in microseconds
	mostSpin      = 20 * time.Millisecond
	calibrateTime = 150 * time.Millisecond
	ownWorks      = 21
)

// spin is the script time of one load. It has a connection of its own to ask the
// server how long its scripts take.
type spin struct {
	world     *World
	side      *conn
	set       atomic.Int64 // iterations
	attempts  atomic.Int64
	carried   atomic.Int64 // iterations of these
	steering  *steering    // nil: the server does not tell how long its scripts take
	lost      bool         // while it was steered
	stop, end chan struct{}
}

// Spin calibrates the loop and the scripts' own work on the idle server, and then
// corrects the iterations until the load has ended.
func (w *World) Spin(d time.Duration, work func(strategies.Session) error) (engine.Spin, error) {
	side, err := w.connect()
	if err != nil {
		return nil, err
	}
	s := &spin{world: w, side: side, stop: make(chan struct{}), end: make(chan struct{})}
	if err := s.calibrate(d, work); err != nil {
		side.Close()
		return nil, err
	}
	if s.steering != nil {
		go s.steer()
	} else {
		close(s.end)
	}
	return s, nil
}

// calibrate finds the iterations to begin with.
func (s *spin) calibrate(d time.Duration, work func(strategies.Session) error) error {
	each, err := s.iteration(min(max(d, leastSpin), mostSpin))
	if err != nil {
		return err
	}
	_, told, err := s.read()
	if err != nil {
		return err
	}
	if !told {
		s.set.Store(int64(within(float64(d)/each, 1, scripts.MostSpins)))
		return nil
	}
	if err := work(s.side); err != nil { // loads what is missing
		return err
	}
	own, err := s.times(ownWorks, func() error { return work(s.side) })
	if err != nil {
		return err
	}
	now, _, err := s.read()
	if err != nil {
		return err
	}
	s.steering = newSteering(d, median(own), each, s.world.strain, now)
	s.set.Store(s.steering.iterations())
	return nil
}

// iteration is the time of an iteration in nanoseconds, on average, of loops that
// take near to a target. They go on for a while: a server that has just begun to
// work may be faster than one that has been at it for long.
func (s *spin) iteration(target time.Duration) (each float64, err error) {
	n := int64(0)
	loop := func() error {
		replies, err := s.side.Exchange(resp.Cmd{"EVAL", scripts.Spin, "0", strconv.FormatInt(n, 10)})
		if err == nil && replies[0].Kind == resp.Error {
			err = fmt.Errorf("the server refuses a script: %s", replies[0].Str)
		}
		return err
	}
	calls, err := s.times(ownWorks, loop)
	if err != nil {
		return 0, err
	}
	call := median(calls)
	took := time.Microsecond
	for n = 1000; ; n = int64(within(float64(target)/float64(took), 1.5, 8) * float64(n)) {
		times, err := s.times(1, loop)
		if err != nil {
			return 0, err
		}
		if took = max(times[0]-call, time.Microsecond); took >= target/2 || n >= scripts.MostSpins/8 {
			break
		}
	}
	times, err := s.times(max(int(calibrateTime/took), 1), loop)
	if err != nil {
		return 0, err
	}
	var all time.Duration
	for _, t := range times {
		all += t - call
	}
	return max(float64(all)/float64(len(times))/float64(n), leastIteration), nil
}

// leastIteration is shorter than any, in nanoseconds.
const leastIteration = 0.01

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// times are those of so many calls, each of one script: the server's where it
// tells, or else of the round trip.
func (s *spin) times(n int, call func() error) ([]time.Duration, error) {
	times := make([]time.Duration, n)
	for i := range times {
		before, told, err := s.read()
		if err != nil {
			return nil, err
		}
		start := time.Now()
		if err := call(); err != nil {
			return nil, err
		}
		times[i] = time.Since(start)
		if !told {
			continue
		}
		after, _, err := s.read()
		if err != nil {
			return nil, err
		}
		if d := after.since(before); d.calls > 0 {
			times[i] = d.busy / time.Duration(d.calls)
		}
	}
	return times, nil
}

// Iterations is how often the next script is to spin.
func (s *spin) Iterations() int64 { return s.set.Load() }

// Ended counts an attempt.
func (s *spin) Ended(iterations int64) {
	s.carried.Add(iterations)
	s.attempts.Add(1)
}

// steer corrects the iterations until the load ends.
func (s *spin) steer() {
	defer close(s.end)
	ticker := time.NewTicker(steerEvery)
	defer ticker.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-ticker.C:
		}
		now, told, err := s.read()
		if s.lost = err != nil || !told; s.lost {
			return
		}
		s.steering.take(now)
		s.set.Store(s.steering.iterations())
	}
}

// End stops steering and sums up.
func (s *spin) End(from, to time.Duration, lost bool) (achieved *results.Spread, warning string) {
	close(s.stop)
	if lost {
		s.side.Cut()
	}
	<-s.end
	defer s.side.Close()
	if s.steering == nil {
		return nil, "the server does not tell how long its scripts take: script time is as calibrated before the load, and nobody has checked it"
	}
	if !lost && !s.lost {
		now, told, err := s.read()
		if s.lost = err != nil || !told; !s.lost {
			s.steering.end(now)
		}
	}
	s.world.strain = s.steering.strain()
	if s.lost {
		warning = "script time was not corrected to the end: the server stopped telling how long its scripts take"
	}
	return s.steering.achieved(from, to), warning
}

// read asks the server for its counts of scripts; told is false if it has none.
func (s *spin) read() (now reading, told bool, err error) {
	session, err := s.side.Session("")
	if err != nil {
		return now, false, err
	}
	replies, err := session.Exchange(resp.Cmd{"INFO", "commandstats"})
	if err != nil {
		return now, false, err
	}
	now = reading{at: s.world.Now(), iterations: s.carried.Load(), attempts: s.attempts.Load()}
	stats := parseInfo(replies[0].Str)
	for _, name := range []string{"evalsha", "eval", "fcall"} {
		text := stats["cmdstat_"+name]
		counted := commandStats(text)
		now.calls += counted.Calls - failedCalls(text)
		now.busy += time.Duration(counted.USec) * time.Microsecond
	}
	return now, replies[0].Kind == resp.String && len(stats) > 0, nil
}

// failedCalls are those of which a script was not even there, among others; 0
// from servers that do not count them.
func failedCalls(text string) int64 {
	for field := range strings.SplitSeq(text, ",") {
		if value, ok := strings.CutPrefix(field, "failed_calls="); ok {
			n, _ := strconv.ParseInt(value, 10, 64)
			return n
		}
	}
	return 0
}
