package live

import (
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
	"rmwbench/strategies"
)

func targetOf(s *redisd.Server) Target {
	return Target{Network: s.Network, Address: s.Address, Embedded: s.Embedded, Started: true}
}

func opened(t testing.TB, target Target) *World {
	t.Helper()
	w, err := Open(target, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

func dialed(t testing.TB, w *World) strategies.Session {
	t.Helper()
	c, err := w.connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Every kind of reply has one normal form, whichever protocol carried it.
func TestRepliesAreTheSameOnBothProtocols(t *testing.T) {
	server := redistest.Start(t)
	var seen [2][]string
	for i, protocol := range []int{2, 3} {
		target := targetOf(server)
		target.Protocol = protocol
		s := dialed(t, opened(t, target))
		for _, cmd := range []resp.Cmd{
			{"FLUSHDB"}, {"GET", "missing"}, {"SET", "k", "v"}, {"GET", "k"}, {"INCR", "n"}, {"INCR", "k"},
			{"HSET", "h", "a", "1"}, {"HGETALL", "h"}, {"HGETALL", "missing"}, {"HGET", "h", "no"},
			{"ZADD", "z", "1.5", "m"}, {"ZSCORE", "z", "m"}, {"ZSCORE", "z", "no"}, {"ZADD", "z", "3", "n"}, {"ZSCORE", "z", "n"},
			{"SADD", "s", "x"}, {"SMEMBERS", "s"}, {"LRANGE", "missing", "0", "-1"},
			{"GET", "z"}, {"NOSUCH"}, {"EXEC"}, {"DISCARD"}, {"EVALSHA", "ffffffffffffffffffffffffffffffffffffffff", "0"},
			{"MULTI"}, {"SET", "k", "w"}, {"GET", "z"}, {"NOSUCH", "x"}, {"EXEC"},
			{"MULTI"}, {"INCR", "n"}, {"LPUSH", "n", "x"}, {"EXEC"},
			{"EVAL", "return {1, 'two', false, {3}}", "0"}, {"EVAL", "return 3.99", "0"}, {"EVAL", "return redis.error_reply('MINE is this')", "0"},
			{"SET", "k", "w", "NX"}, {"TYPE", "k"}, {"PTTL", "k"},
		} {
			replies, err := s.Exchange(cmd)
			if err != nil {
				t.Fatalf("RESP%d %v: %v", protocol, cmd, err)
			}
			seen[i] = append(seen[i], fmt.Sprintf("%v -> %v", cmd, replies[0]))
		}
	}
	for i := range seen[0] {
		if seen[0][i] != seen[1][i] {
			t.Errorf("RESP2 %s\nRESP3 %s", seen[0][i], seen[1][i])
		}
	}
	for _, want := range []string{
		"GET missing -> (nil)", "INCR n -> (integer) 1", "HGETALL h -> [a, 1]", "ZSCORE z m -> 1.5",
		"GET z -> (error) WRONGTYPE Operation against a key holding the wrong kind of value",
		"EXEC -> (error) ERR EXEC without MULTI", "DISCARD -> (error) ERR DISCARD without MULTI",
		"EXEC -> (error) EXECABORT Transaction discarded because of previous errors.",
		"EXEC -> [(integer) 2, (error) WRONGTYPE Operation against a key holding the wrong kind of value]",
		`EVAL "return {1, 'two', false, {3}}" 0 -> [(integer) 1, two, (nil), [(integer) 3]]`,
		`EVAL "return redis.error_reply('MINE is this')" 0 -> (error) MINE is this`,
	} {
		if !strings.Contains(strings.Join(seen[1], "\n"), want) {
			t.Errorf("no line %q in\n%s", want, strings.Join(seen[1], "\n"))
		}
	}
}

func TestFacts(t *testing.T) {
	f, err := opened(t, targetOf(redistest.Start(t))).Facts()
	if err != nil {
		t.Fatal(err)
	}
	if f.Product != "redis" && f.Product != "valkey" || f.Version == "" || f.PingNS <= 0 || f.Protocol != 3 || f.Embedded || !f.Started {
		t.Errorf("%+v", f)
	}
	if f.Settings["appendonly"] != "no" || f.Settings["maxmemory-policy"] == "" {
		t.Errorf("settings %v", f.Settings)
	}
	f, err = opened(t, targetOf(redistest.Embedded(t))).Facts()
	if err != nil || f.Product != "miniredis" || !f.Embedded {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestSnapshotCountsCommandsAndTime(t *testing.T) {
	w := opened(t, targetOf(redistest.Start(t)))
	s := dialed(t, w)
	before, err := w.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if _, err := s.Exchange(resp.Cmd{"INCRBY", "k", "1"}, resp.Cmd{"GET", "k"}); err != nil {
			t.Fatal(err)
		}
	}
	after, err := w.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"incrby", "get"} {
		if got := after.Commands[name].Calls - before.Commands[name].Calls; got != 1000 {
			t.Errorf("%s: %d calls counted of 1000", name, got)
		}
	}
	if after.Commands["incrby"].USec <= 0 || *after.ServerCPU <= *before.ServerCPU || after.ClientCPU <= before.ClientCPU {
		t.Errorf("time did not pass: %+v %+v", before, after)
	}
}

func TestOpenSaysWhatIsWrongInOneLine(t *testing.T) {
	locked := redistest.Start(t, "--requirepass", "p@ss/w#rd%+=:")
	full := redistest.Start(t, "--maxclients", "1")
	hog, err := net.Dial(full.Network, full.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer hog.Close()
	redistestPing(t, hog)
	web := talker(t, "HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n")
	silentEnd := talker(t, "")

	with := func(s *redisd.Server, user, pass string) Target {
		target := targetOf(s)
		target.Username, target.Password = user, pass
		return target
	}
	for what, c := range map[string]struct {
		target Target
		want   string
	}{
		"nobody there":   {Target{Network: "tcp", Address: "127.0.0.1:1"}, "cannot connect to 127.0.0.1:1"},
		"no socket":      {Target{Network: "unix", Address: "/nonexistent.sock"}, "cannot connect to /nonexistent.sock"},
		"no password":    {with(locked, "", ""), "wants a password"},
		"wrong password": {with(locked, "", "nope"), `refuses the password (user "default")`},
		"wrong user":     {with(locked, "me", "nope"), `refuses the password (user "me")`},
		"web server":     {Target{Network: "tcp", Address: web}, `does not speak the Redis protocol: it answered "HTTP/1.1 400 Bad Request"`},
		"hangs up":       {Target{Network: "tcp", Address: silentEnd}, "closed the connection without an answer"},
		"full":           {targetOf(full), "max number of clients"},
	} {
		w, err := Open(c.target, nil)
		if err == nil {
			w.Close()
			t.Errorf("%s: no error", what)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q, want %q in one line", what, err, c.want)
		}
	}
	opened(t, with(locked, "", "p@ss/w#rd%+=:"))
}

func redistestPing(t *testing.T, c net.Conn) {
	t.Helper()
	if _, err := c.Write([]byte("PING\r\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(make([]byte, 16)); err != nil {
		t.Fatal(err)
	}
}

// talker is a server that answers anything with one text and hangs up.
func talker(t *testing.T, text string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	t.Cleanup(func() { l.Close(); wg.Wait() })
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Read(make([]byte, 64))
			c.Write([]byte(text))
			c.Close()
		}
	})
	return l.Addr().String()
}

func TestCapacityIsCheckedBeforeTheLoad(t *testing.T) {
	w := opened(t, targetOf(redistest.Start(t, "--maxclients", "20")))
	if most, err := w.Capacity(); err != nil || most != 16 {
		t.Errorf("room for %d clients, %v, want 16", most, err)
	}
}

// Many connections: cheap to hold, and all gone afterwards on both protocols.
func TestManyConnections(t *testing.T) {
	const clients = 500
	for _, protocol := range []int{2, 3} {
		server := redistest.Start(t)
		target := targetOf(server)
		target.Protocol = protocol
		w := opened(t, target)
		before, goroutines := heapInUse(), runtime.NumGoroutine()
		conns := make([]*conn, clients)
		for i := range conns {
			c, err := w.connect()
			if err != nil {
				t.Fatal(err)
			}
			conns[i] = c
		}
		if each := (heapInUse() - before) / clients; each > 40<<10 {
			t.Errorf("RESP%d: a connection takes %d bytes of heap", protocol, each)
		}
		for i, c := range conns {
			if i%2 == 0 { // in mid-transaction
				if _, err := c.Exchange(resp.Cmd{"WATCH", "k"}, resp.Cmd{"MULTI"}, resp.Cmd{"SET", "k", "1"}); err != nil {
					t.Fatal(err)
				}
			}
			c.Close()
		}
		if left := settled(func() int { return runtime.NumGoroutine() - goroutines }, 0); left > 0 {
			t.Errorf("RESP%d: %d goroutines left", protocol, left)
		}
		ours := func() int { return strings.Count(redistest.Command(t, server, "CLIENT", "LIST"), "name=rmwbench") }
		if left := settled(ours, 2); left > 2 { // the world's own
			t.Errorf("RESP%d: %d connections left", protocol, left)
		}
	}
}

// settled waits, within reason, for a count to come down to what is expected.
func settled(count func() int, expected int) (n int) {
	for range 200 {
		if n = count(); n <= expected {
			return n
		}
		time.Sleep(10 * time.Millisecond)
	}
	return n
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A long wait ends when the world is stopped.
func TestStopEndsALongHold(t *testing.T) {
	stop := make(chan struct{})
	w, err := Open(targetOf(redistest.Embedded(t)), stop)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	s := dialed(t, w)
	time.AfterFunc(20*time.Millisecond, func() { close(stop) })
	start := time.Now()
	s.Hold(time.Hour)
	if spent := time.Since(start); spent > time.Minute {
		t.Errorf("Hold came back after %v", spent)
	}
}

// Many short waits at once all come back, none early.
func TestShortHoldsOfManyClients(t *testing.T) {
	w := opened(t, targetOf(redistest.Embedded(t)))
	var wg sync.WaitGroup
	for i := range 200 {
		a := newAlarm()
		wg.Go(func() {
			for n := range 50 {
				d := time.Duration((i*7+n*13)%900) * time.Microsecond
				start := time.Now()
				w.hold(d, a)
				if spent := time.Since(start); spent < d {
					t.Errorf("hold(%v) came back after %v", d, spent)
				}
			}
		})
	}
	wg.Wait()
}
