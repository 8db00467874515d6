package live

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
	"rmwbench/strategies"
)

// share dials clients of one shared connection. done closes them.
func share(t *testing.T, w *World, n int) (conns []engine.Conn, sessions []strategies.Session, done func()) {
	t.Helper()
	shared := w.Shared()
	for i := range n {
		c, err := shared.Dial(i)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Session("k")
		if err != nil {
			t.Fatal(err)
		}
		conns, sessions = append(conns, c), append(sessions, s)
	}
	return conns, sessions, func() {
		for _, c := range conns {
			c.Close()
		}
	}
}

func connections(t *testing.T, server *redisd.Server) int {
	t.Helper()
	return strings.Count(redistest.Command(t, server, "CLIENT", "LIST"), "name=rmwbench")
}

// Many clients have one connection, on which the commands of an exchange stay
// together and every client gets its own replies; afterwards it is gone.
func TestSharedConnection(t *testing.T) {
	for _, protocol := range []int{2, 3} {
		server := redistest.Start(t)
		target := targetOf(server)
		target.Protocol = protocol
		w := opened(t, target)
		before, goroutines := connections(t, server), runtime.NumGoroutine()
		const clients, ops = 100, 50
		_, sessions, done := share(t, w, clients)
		var wg sync.WaitGroup
		for i, s := range sessions {
			wg.Go(func() {
				own := fmt.Sprint("own", i)
				for n := range ops {
					value := fmt.Sprint(n)
					replies, err := s.Exchange(resp.Cmd{"SET", own, value}, resp.Cmd{"MULTI"}, resp.Cmd{"INCR", "n"}, resp.Cmd{"GET", own}, resp.Cmd{"EXEC"})
					if err != nil || len(replies) != 5 || len(replies[4].Elems) != 2 || replies[4].Elems[1].Str != value {
						t.Errorf("RESP%d: %v, %v", protocol, replies, err)
						return
					}
					if replies, err := s.Exchange(resp.Cmd{"GET", own}); err != nil || replies[0].Str != value {
						t.Errorf("RESP%d: %v, %v", protocol, replies, err)
						return
					}
				}
			})
		}
		wg.Wait()
		if got := redistest.Command(t, server, "GET", "n"); got != fmt.Sprint(clients*ops) {
			t.Errorf("RESP%d: counted to %s, want %d", protocol, got, clients*ops)
		}
		if n := connections(t, server); n != before+1 {
			t.Errorf("RESP%d: %d connections for %d clients", protocol, n-before, clients)
		}
		done()
		if left := settled(func() int { return connections(t, server) }, before); left > before {
			t.Errorf("RESP%d: %d connections left", protocol, left-before)
		}
		if left := settled(func() int { return runtime.NumGoroutine() - goroutines }, 0); left > 0 {
			t.Errorf("RESP%d: %d goroutines left", protocol, left)
		}
	}
}

// stuck has a client send commands of which the last one never answers, and
// returns when the server has them.
func stuck(t *testing.T, server *redisd.Server, s strategies.Session, cmds ...resp.Cmd) (ended chan error) {
	t.Helper()
	ended = make(chan error, 1)
	go func() {
		_, err := s.Exchange(append(cmds, resp.Cmd{"BLPOP", "never", "0"})...)
		ended <- err
	}()
	blocked := func() int {
		return 1 - strings.Count(redistest.Command(t, server, "INFO", "clients"), "blocked_clients:1")
	}
	if settled(blocked, 0) != 0 {
		t.Fatal("nobody waits")
	}
	return ended
}

// A connection that is lost costs all its clients what is in flight, and
// nothing is sent again behind their backs. The next session works.
func TestSharedConnectionIsLost(t *testing.T) {
	for _, protocol := range []int{2, 3} {
		server := redistest.Start(t)
		target := targetOf(server)
		target.Protocol = protocol
		w := opened(t, target)
		conns, sessions, done := share(t, w, 2)
		ended := stuck(t, server, sessions[0], resp.Cmd{"INCR", "n"})
		list := redistest.Command(t, server, "CLIENT", "LIST")
		i := slices.IndexFunc(strings.Split(list, "\n"), func(line string) bool { return strings.Contains(line, "cmd=blpop") })
		id := strings.Fields(strings.Split(list, "\n")[i])[0]
		redistest.Command(t, server, "CLIENT", "KILL", "ID", strings.TrimPrefix(id, "id="))
		if err := <-ended; err == nil {
			t.Errorf("RESP%d: the lost exchange answered", protocol)
		}
		for i, c := range conns {
			s, err := c.Session("k")
			if err != nil {
				t.Fatalf("RESP%d, client %d: %v", protocol, i, err)
			}
			if replies, err := s.Exchange(resp.Cmd{"GET", "n"}); err != nil || replies[0].Str != "1" {
				t.Errorf("RESP%d, client %d: %v, %v; want one INCR", protocol, i, replies, err)
			}
		}
		done()
	}
}

// Cutting one client's connection cuts all, for good.
func TestSharedConnectionIsCut(t *testing.T) {
	server := redistest.Start(t)
	w := opened(t, targetOf(server))
	conns, sessions, done := share(t, w, 3)
	ended := stuck(t, server, sessions[0])
	conns[1].Cut()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("a cut connection answered")
		}
	case <-time.After(time.Minute):
		t.Fatal("the exchange goes on")
	}
	for i, c := range conns {
		if s, err := c.Session("k"); err == nil {
			if _, err = s.Exchange(resp.Cmd{"PING"}); err == nil {
				t.Errorf("client %d: a cut connection came back", i)
			}
		}
		if _, err := c.Session("k"); err == nil {
			t.Errorf("client %d has a session of a cut connection", i)
		}
	}
	done()
}

// A server that has gone costs every client its session.
func TestSharedConnectionOfADeadServer(t *testing.T) {
	server := redistest.Start(t)
	conns, sessions, done := share(t, opened(t, targetOf(server)), 2)
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	for i, s := range sessions {
		if _, err := s.Exchange(resp.Cmd{"PING"}); err == nil {
			t.Errorf("client %d: a dead server answered", i)
		}
		if _, err := conns[i].Session("k"); err == nil {
			t.Errorf("client %d has a session with a dead server", i)
		}
	}
	done()
}
