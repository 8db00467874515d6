package fault

import (
	"errors"
	"fmt"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// The clients of a case: who is disturbed, and who comes in between. Again is
// who does the first one's op once more, to see what that looks like.
const (
	first = iota
	other
	again
)

// op is the op of a client: the same in every case.
func (t *tester) op(client int) workloads.Op {
	who := client
	if who == again {
		who = first
	}
	op := t.workload.Next(contention.Stream(1, who, contention.Ops), 0, base)
	op.ID = workloads.OpID(client, 0)
	op.Token = t.design.Token
	return op
}

// Told is what a client was told of its op.
type Told string

// What clients are told. A design goes on until it knows.
const (
	ToldCommitted Told = "committed"
	ToldRejected  Told = "rejected"
	ToldNothing   Told = "nothing" // it died, or has given up
)

// Line is one exchange of a case, as redis-cli would show it, or what happened
// between two.
type Line struct {
	Who      string   `json:"who"`
	Sent     []string `json:"sent"`
	Received []string `json:"received"` // empty: no reply came
	Remark   string   `json:"remark"`
}

// log keeps what travels.
type log struct{ lines []Line }

func (l *log) remark(who, format string, args ...any) {
	l.lines = append(l.lines, Line{Who: who, Sent: []string{}, Received: []string{}, Remark: fmt.Sprintf(format, args...)})
}

// logged is a session that is written down.
type logged struct {
	strategies.Session
	who string
	log *log
}

func (l logged) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	replies, err := l.Session.Exchange(cmds...)
	line := Line{Who: l.who, Received: []string{}}
	for _, c := range cmds {
		line.Sent = append(line.Sent, c.String())
	}
	for _, r := range replies {
		line.Received = append(line.Received, r.String())
	}
	if err != nil {
		line.Received, line.Remark = []string{}, "the connection breaks, no reply"
	}
	l.log.lines = append(l.log.lines, line)
	return replies, err
}

// Hold spends no time on decisions.
func (logged) Hold(time.Duration) {}

// tries bounds how often a client tries an op.
const tries = 6

// disturbed does the first client's op with one disturbance, and answers what
// it was told.
func (t *tester) disturbed(p Point, between func() error, lines *log) (told Told, answer string, err error) {
	sent, done := 0, false
	world := engine.Faulty(t.World, func(int) engine.Breaker {
		return func([]resp.Cmd) contention.Fault {
			if sent++; sent != p.Exchange || done {
				return contention.Fault{}
			}
			done = true
			if p.Restart {
				err = t.restart()
			}
			if p.Fault.Kind == contention.NoFault { // slow, not lost
				err = between()
			}
			return p.Fault
		}
	}, nil)
	conn, dialErr := world.Dial(first)
	if dialErr != nil {
		return "", "", dialErr
	}
	defer conn.Close()
	op := t.op(first)
	for number := 1; number <= tries; number++ {
		session, lost := conn.Session(op.Keys[0])
		if lost != nil {
			return "", "", lost
		}
		op.Attempt = number
		broken := done
		out := t.strategy.Strategy.Attempt(logged{session, "client", lines}, t.workload, op)
		if err != nil {
			return "", "", err
		}
		switch {
		case out.Verdict == strategies.Committed:
			return ToldCommitted, out.Answer, nil
		case out.Verdict == strategies.Rejected:
			if _, is := t.workload.(workloads.Already); is {
				return ToldCommitted, "", nil
			}
			return ToldRejected, out.Answer, nil
		case out.Verdict == strategies.Conflict:
			continue
		case !done:
			return "", "", fmt.Errorf("an undisturbed attempt ended as %v: %s", out.Verdict, out.Error)
		case p.Dies:
			lines.remark("client", "dies")
			return ToldNothing, "", nil
		case broken: // disturbed before: no second time
			return "", "", fmt.Errorf("an attempt after the fault ended as %v: %s", out.Verdict, out.Error)
		}
		if err := between(); err != nil {
			return "", "", err
		}
		if t.design.ReadBack && out.Verdict == strategies.Unknown {
			applied, err := t.readBack(conn, op, lines)
			if err != nil {
				return "", "", err
			}
			if applied {
				return ToldCommitted, "", nil
			}
		}
	}
	lines.remark("client", "gives up after %d tries", tries)
	return ToldNothing, "", nil
}

// readBack looks whether the op was applied.
func (t *tester) readBack(conn engine.Conn, op workloads.Op, lines *log) (applied bool, err error) {
	session, err := conn.Session(op.Keys[0])
	if err != nil {
		return false, err
	}
	reader := t.workload.(workloads.ReadBack)
	replies, err := logged{session, "client", lines}.Exchange(reader.ReadBack(op)...)
	if err != nil {
		return false, err
	}
	applied = reader.Applied(op, replies)
	if applied {
		lines.remark("client", "takes its op for applied")
	} else {
		lines.remark("client", "takes its op for not applied, and does it again")
	}
	return applied, nil
}

// errRefused says that the server or the business rule refused an op.
var errRefused = errors.New("refused")

// undisturbed does a client's op until it is answered.
func (t *tester) undisturbed(client int, lines *log) (answer string, err error) {
	conn, err := t.World.Dial(client)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	who := "another client"
	if client == other && t.design.Other != nil {
		session, err := conn.Session(base)
		if err != nil {
			return "", err
		}
		replies, err := logged{session, who, lines}.Exchange(t.design.Other(base)...)
		if err != nil {
			return "", err
		}
		for _, r := range replies {
			answer += r.String() + " "
		}
		return answer, nil
	}
	op := t.op(client)
	for number := 1; number <= tries; number++ {
		session, err := conn.Session(op.Keys[0])
		if err != nil {
			return "", err
		}
		op.Attempt = number
		switch out := t.strategy.Strategy.Attempt(logged{session, who, lines}, t.workload, op); out.Verdict {
		case strategies.Committed:
			return out.Answer, nil
		case strategies.Rejected:
			return "", errRefused
		case strategies.Conflict:
		default:
			return "", fmt.Errorf("an undisturbed attempt ended as %v: %s", out.Verdict, out.Error)
		}
	}
	return "", fmt.Errorf("an op that nobody disturbs is not answered after %d tries", tries)
}
