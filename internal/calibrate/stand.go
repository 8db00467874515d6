package calibrate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/scripts"
	"rmwbench/strategies"
)

// stand is where shapes are measured: connected clients with a key each.
type stand struct {
	world   engine.World
	control engine.Conn
	conns   []engine.Conn
	keys    []string
}

func newStand(w engine.World, prefix string) (*stand, error) {
	if _, err := snapshot(w); err != nil {
		return nil, err
	}
	s := &stand{world: w}
	var err error
	if s.control, err = w.Dial(engine.Control); err != nil {
		return nil, err
	}
	for i := range clients {
		s.keys = append(s.keys, prefix+"{"+strconv.Itoa(i)+"}")
		conn, err := w.Dial(i)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("connecting client %d of %d: %w", i+1, clients, err), s.close())
		}
		s.conns = append(s.conns, conn)
	}
	return s, nil
}

// close ends the clients and removes the keys.
func (s *stand) close() error {
	for _, c := range s.conns {
		c.Close()
	}
	defer s.control.Close()
	_, err := s.do(s.eachKey(func(key string) resp.Cmd { return resp.Cmd{"UNLINK", key} })...)
	return err
}

func (s *stand) eachKey(f command) (cmds []resp.Cmd) {
	for _, key := range s.keys {
		cmds = append(cmds, f(key))
	}
	return cmds
}

// do is one exchange of the control connection.
func (s *stand) do(cmds ...resp.Cmd) (replies []resp.Reply, err error) {
	s.world.Run(func() {
		var session strategies.Session
		if session, err = s.control.Session(""); err == nil {
			replies, err = checked(session, cmds)
			replies = slices.Clone(replies)
		}
	})
	return replies, err
}

// checked is an exchange in which an error reply is an error.
func checked(s strategies.Session, cmds []resp.Cmd) ([]resp.Reply, error) {
	replies, err := s.Exchange(cmds...)
	if err != nil {
		return nil, err
	}
	for i, r := range replies {
		if r.Kind == resp.Error {
			return nil, fmt.Errorf("the server answered %s with %s", cmds[i][0], r.Str)
		}
	}
	return replies, nil
}

// prepare writes the keys, loads the scripts and answers what is to be
// measured. A server that runs only scripts it knows, as a simulated one does,
// is not measured with the script of many calls.
func (s *stand) prepare() ([]shape, error) {
	cmds := s.eachKey(func(key string) resp.Cmd { return resp.Cmd{"SET", key, stored} })
	for _, name := range []string{"counter", "debit"} {
		cmds = append(cmds, resp.Cmd{"SCRIPT", "LOAD", scripts.MustGet(name).Body})
	}
	if _, err := s.do(cmds...); err != nil {
		return nil, err
	}
	loops := ""
	if replies, err := s.do(resp.Cmd{"EVAL", loopsBody, "1", s.keys[0], "1"}, resp.Cmd{"SCRIPT", "LOAD", loopsBody}); err == nil {
		loops = replies[1].Str
	}
	return shapes(loops), nil
}

// slice is what a shape came to in a short time.
type slice struct {
	cycles int
	server time.Duration // processor time
	client time.Duration
	calls  int64 // commands that the server counted; 0 where it does not count
}

// slice lets all clients do a shape for d.
func (s *stand) slice(sh shape, d time.Duration) (slice, error) {
	before, err := snapshot(s.world)
	if err != nil {
		return slice{}, err
	}
	end := s.world.Now() + d
	cycles, errs := make([]int, clients), make([]error, clients)
	procs := make([]func(), clients)
	for i := range procs {
		procs[i] = func() {
			if sh.cycle != nil {
				cycles[i], errs[i] = s.loop(i, sh, end)
			}
		}
	}
	s.world.Run(procs...)
	after, err := snapshot(s.world)
	if err := errors.Join(append(errs, err)...); err != nil {
		return slice{}, err
	}
	sum := 0
	for _, n := range cycles {
		sum += n
	}
	return slice{
		cycles: sum,
		server: *after.ServerCPU - *before.ServerCPU,
		client: after.ClientCPU - before.ClientCPU,
		calls:  calls(after.Commands) - calls(before.Commands),
	}, nil
}

// loop is one client's part of a slice: at least one cycle.
func (s *stand) loop(client int, sh shape, end time.Duration) (cycles int, err error) {
	exchanges := sh.cycle(s.keys[client])
	session, err := s.conns[client].Session(s.keys[client])
	if err != nil {
		return 0, err
	}
	for more := true; more; more = s.world.Now() < end {
		for range sh.holds / 2 {
			session.Hold(hold)
		}
		for _, cmds := range exchanges {
			if _, err := checked(session, cmds); err != nil {
				return cycles, err
			}
		}
		for range sh.holds - sh.holds/2 {
			session.Hold(hold)
		}
		cycles++
	}
	return cycles, nil
}

// pings are the round trips of one client in d, alone: at least one.
func (s *stand) pings(d time.Duration) ([]time.Duration, error) {
	cmds := []resp.Cmd{ping("")}
	return s.alone(d, func(session strategies.Session) error {
		_, err := checked(session, cmds)
		return err
	})
}

// waits are what waits of one client last in d, alone: at least one.
func (s *stand) waits(d time.Duration) ([]time.Duration, error) {
	return s.alone(d, func(session strategies.Session) error {
		session.Hold(hold)
		return nil
	})
}

// alone has one client do something again and again for d, and answers how long
// it took each time.
func (s *stand) alone(d time.Duration, do func(strategies.Session) error) (times []time.Duration, err error) {
	s.world.Run(func() {
		var session strategies.Session
		if session, err = s.conns[0].Session(s.keys[0]); err != nil {
			return
		}
		end := s.world.Now() + d
		for more := true; more; more = s.world.Now() < end {
			start := s.world.Now()
			if err = do(session); err != nil {
				return
			}
			times = append(times, s.world.Now()-start)
		}
	})
	return times, err
}
