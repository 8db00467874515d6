package calibrate

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/internal/resp"
	"rmwbench/internal/sim"
	"rmwbench/results"
	"rmwbench/strategies"
)

func config() Config {
	return Config{
		Name: "a server", Measured: "2006-01-02", Product: "redis", Version: "7.0.15",
		Prefix: "rmwbench:calibrate:", Budget: DefaultBudget,
	}
}

// far is a made-up server: slow commands, no cost of an exchange, a slow
// network.
func far() *profile.Profile {
	return &profile.Profile{
		Schema: profile.Schema, Name: "far",
		Server: profile.Server{
			CommandNS:  5000,
			CommandsNS: map[string]float64{"WATCH": 2000, "UNWATCH": 500, "MULTI": 1000, "EXEC": 1000, "EVALSHA": 30000, "GET": 4000, "SET": 8000, "INCRBY": 3000, "PING": 100},
			NestedNS:   1234,
		},
		Network: profile.Network{BaseNS: profile.Quantiles{{Share: 0, NS: 200e3}, {Share: 0.7, NS: 240e3}, {Share: 1, NS: 1e6}}},
	}
}

func TestASimulatedServerGivesBackItsProfile(t *testing.T) {
	builtIn, err := profile.Open(profile.Default)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*profile.Profile{builtIn, builtIn.Scaled(0.1), far()} {
		for name, machine := range map[string]*sim.Machine{"what-if": nil, "shared cores": {Cores: 2, ExchangeNS: 3000, HoldNS: 2000, Late: profile.Constant(70_000)}} {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				c := config()
				c.Budget = 5 * time.Second // of virtual time
				got, err := Measure(sim.New(sim.Config{Profile: p, Machine: machine}, 1), c)
				if err != nil {
					t.Fatal(err)
				}
				if err := got.Validate(); err != nil {
					t.Error(err)
				}
				same(t, p, got)
				late := 0.0
				if machine != nil {
					late = machine.Late.Mean()
				}
				if math.Abs(got.Client.LateNS.Mean()-late) > 1 {
					t.Errorf("waits are %v ns late, want %v", got.Client.LateNS.Mean(), late)
				}
			})
		}
	}
}

// same holds a profile against the one it should be.
func same(t *testing.T, want, got *profile.Profile) {
	t.Helper()
	near := func(what string, got, want, off float64) {
		t.Helper()
		if math.Abs(got-want) > off*want+2 { // whole nanoseconds, in the simulator too
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("an exchange", got.Server.ExchangeNS, want.Server.ExchangeNS, 0.01)
	near("a nested command", got.Server.NestedNS, want.Server.NestedNS, 0.01)
	for _, name := range []string{"PING", "WATCH", "UNWATCH", "GET", "SET", "INCRBY", "EVALSHA"} {
		near(name, got.Server.Command(name), want.Server.Command(name), 0.01)
	}
	around := func(s profile.Server) float64 { return s.Command("MULTI") + s.Command("EXEC") }
	near("MULTI and EXEC", around(got.Server), around(want.Server), 0.01)
	near("the mean round trip", got.Network.BaseNS.Mean(), want.Network.BaseNS.Mean(), 0.08)
	at := func(q profile.Quantiles, share float64) float64 {
		i := 1
		for q[i].Share < share {
			i++
		}
		return q[i-1].NS + (q[i].NS-q[i-1].NS)*(share-q[i-1].Share)/(q[i].Share-q[i-1].Share)
	}
	near("the least round trip", at(got.Network.BaseNS, 0), at(want.Network.BaseNS, 0), 0.05)
	near("the median round trip", at(got.Network.BaseNS, 0.5), at(want.Network.BaseNS, 0.5), 0.08)
}

func TestASimulatedMeasurementIsTheSameEveryTime(t *testing.T) {
	var texts [2]strings.Builder
	for i := range texts {
		p, err := Measure(sim.New(sim.Config{Profile: far()}, 7), config())
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Write(&texts[i]); err != nil {
			t.Fatal(err)
		}
	}
	if texts[0].String() != texts[1].String() {
		t.Errorf("%s\n%s", texts[0].String(), texts[1].String())
	}
}

// spoilt is a world with something wrong about it.
type spoilt struct {
	*sim.World
	snapshot func(*engine.Snapshot) error
	dial     func(client int) error
	exchange func(client int, cmds []resp.Cmd) error // asked before each
}

func (w *spoilt) Snapshot() (engine.Snapshot, error) {
	s, err := w.World.Snapshot()
	if err == nil && w.snapshot != nil {
		err = w.snapshot(&s)
	}
	return s, err
}

func (w *spoilt) Dial(client int) (engine.Conn, error) {
	if w.dial != nil {
		if err := w.dial(client); err != nil {
			return nil, err
		}
	}
	conn, err := w.World.Dial(client)
	return spoiltConn{conn, w, client}, err
}

type spoiltConn struct {
	engine.Conn
	world  *spoilt
	client int
}

func (c spoiltConn) Session(key string) (strategies.Session, error) {
	s, err := c.Conn.Session(key)
	return spoiltSession{s, c}, err
}

type spoiltSession struct {
	strategies.Session
	conn spoiltConn
}

func (s spoiltSession) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	if spoil := s.conn.world.exchange; spoil != nil {
		if err := spoil(s.conn.client, cmds); err != nil {
			return nil, err
		}
	}
	return s.Session.Exchange(cmds...)
}

var errSpoilt = errors.New("spoilt")

func TestMeasureSaysWhatIsWrongAndCleansUp(t *testing.T) {
	n := int64(0)
	for want, spoil := range map[string]func(*spoilt, *Config){
		"calibrating needs a prefix for its keys": func(_ *spoilt, c *Config) { c.Prefix = "" },
		"calibrating in 1ms: it takes at least":   func(_ *spoilt, c *Config) { c.Budget = time.Millisecond },
		"the server does not say how much processor time it has used": func(w *spoilt, _ *Config) {
			w.snapshot = func(s *engine.Snapshot) error { s.ServerCPU = nil; return nil }
		},
		"the server's processor time did not advance": func(w *spoilt, _ *Config) {
			w.snapshot = func(s *engine.Snapshot) error { s.ServerCPU = new(time.Duration); return nil }
		},
		"the server's own counters could not be read: spoilt": func(w *spoilt, _ *Config) {
			w.snapshot = func(*engine.Snapshot) error { return errSpoilt }
		},
		"somebody else uses the server: ": func(w *spoilt, _ *Config) {
			w.snapshot = func(s *engine.Snapshot) error {
				n += 10_000
				s.Commands["hgetall"] = results.CommandStats{Calls: n}
				return nil
			}
		},
		"spoilt": func(w *spoilt, _ *Config) {
			w.dial = func(client int) error {
				if client == engine.Control {
					return errSpoilt
				}
				return nil
			}
		},
		"connecting client 4 of 24: spoilt": func(w *spoilt, _ *Config) {
			w.dial = func(client int) error {
				if client == 3 {
					return errSpoilt
				}
				return nil
			}
		},
		"measuring INCRBY: spoilt": func(w *spoilt, _ *Config) {
			w.exchange = func(client int, cmds []resp.Cmd) error {
				if client == 3 && cmds[0][0] == "INCRBY" {
					return errSpoilt
				}
				return nil
			}
		},
		"measuring GET: the server answered GET with WRONGTYPE": func(w *spoilt, c *Config) {
			w.exchange = func(client int, cmds []resp.Cmd) error {
				if client == 3 && cmds[0][0] == "GET" {
					conn, _ := w.World.Dial(engine.Control)
					s, _ := conn.Session("")
					_, err := s.Exchange(resp.Cmd{"DEL", cmds[0][1]}, resp.Cmd{"LPUSH", cmds[0][1], "x"})
					return err
				}
				return nil
			}
		},
		"keys rmwbench:calibrate:* may be left on the server: spoilt": func(w *spoilt, _ *Config) {
			w.exchange = func(client int, cmds []resp.Cmd) error {
				if cmds[0][0] == "UNLINK" {
					return errSpoilt
				}
				return nil
			}
		},
	} {
		t.Run(want, func(t *testing.T) {
			w := &spoilt{World: sim.New(sim.Config{Profile: far()}, 1)}
			c := config()
			spoil(w, &c)
			p, err := Measure(w, c)
			if err == nil || !strings.Contains(err.Error(), want) || p != nil {
				t.Fatalf("%v, %v", p, err)
			}
			if !strings.Contains(err.Error(), "may be left") && keysOf(t, w.World) != 0 {
				t.Errorf("%d keys are left", keysOf(t, w.World))
			}
		})
	}
}

// keysOf is how many keys a simulated server has.
func keysOf(t *testing.T, w engine.World) int64 {
	t.Helper()
	conn, err := w.Dial(engine.Control)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	s, err := conn.Session("")
	if err != nil {
		t.Fatal(err)
	}
	replies, err := s.Exchange(resp.Cmd{"DBSIZE"})
	if err != nil || replies[0].Kind != resp.Int {
		t.Fatal(replies, err)
	}
	return replies[0].Int
}

// plain is a world without counters.
type plain struct{ engine.World }

func TestAWorldWithoutCountersIsRefused(t *testing.T) {
	_, err := Measure(plain{sim.New(sim.Config{Profile: far()}, 1)}, config())
	if err == nil || !strings.Contains(err.Error(), "this world has none") {
		t.Error(err)
	}
}

// A stop ends the measuring, and there is no profile.
func TestAStopEndsTheMeasuring(t *testing.T) {
	stop := make(chan struct{})
	c := config()
	c.Stop = stop
	seen := 0
	w := &spoilt{World: sim.New(sim.Config{Profile: far()}, 1), exchange: func(client int, _ []resp.Cmd) error {
		if seen++; seen == 1000 {
			close(stop)
		}
		return nil
	}}
	if p, err := Measure(w, c); !errors.Is(err, engine.ErrInterrupted) || p != nil {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := (Pace{Clients: 2, Wait: time.Millisecond}).Measure(w, time.Second, stop); !errors.Is(err, engine.ErrInterrupted) {
		t.Error(err)
	}
}

// A pace measures what it is about: pings and waits of so many clients.
func TestPace(t *testing.T) {
	p := &profile.Profile{
		Server:  profile.Server{ExchangeNS: 4000, CommandNS: 1000},
		Network: profile.Network{BaseNS: profile.Constant(20_000), Jitter: profile.Jitter{Shape: profile.ShapeConstant}},
	}
	w := sim.New(sim.Config{Profile: p, Machine: &sim.Machine{Cores: 64, Late: profile.Constant(70_000), Wake: profile.Constant(5000)}}, 1)
	paced, err := (Pace{Clients: 3, Wait: 2 * time.Millisecond}).Measure(w, 100*time.Millisecond, nil)
	if err != nil {
		t.Fatal(err)
	}
	// After their first round three clients are out of each other's way.
	if e := paced.Exchange; e.At(0) != 30_000 || e.At(1) != 30_000 {
		t.Errorf("exchanges of %v to %v ns", e.At(0), e.At(1))
	}
	if l := paced.Late; l.At(0) != 70_000 || l.At(1) != 70_000 {
		t.Errorf("late by %v to %v ns", l.At(0), l.At(1))
	}
	if paced, err = (Pace{Clients: 1}).Measure(w, 10*time.Millisecond, nil); err != nil || paced.Late != nil || paced.Exchange.At(0.5) != 30_000 {
		t.Errorf("without waits: %+v, %v", paced, err)
	}
}
