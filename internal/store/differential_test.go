package store_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/live"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
	"rmwbench/internal/store"
	"rmwbench/scripts"
	"rmwbench/strategies"
)

// conns is how many clients a play has.
const conns = 3

// action is one command of one client.
type action struct {
	client int
	cmd    resp.Cmd
}

// pair is a real server and ours, with as many clients each.
type pair struct {
	t        *testing.T
	sessions [conns]strategies.Session
	db       *store.DB
	clients  [conns]*store.Conn
}

func newPair(t *testing.T) *pair {
	server := redistest.Start(t)
	// In RESP2, arrays keep the server's order.
	world, err := live.Open(live.Target{Network: server.Network, Address: server.Address, Protocol: 2, Started: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(world.Close)
	p := &pair{t: t, db: store.New()}
	for i := range conns {
		conn, err := world.Dial(i)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		if p.sessions[i], err = conn.Session(""); err != nil {
			t.Fatal(err)
		}
		p.clients[i] = p.db.Dial()
	}
	return p
}

// reset is what every play begins with.
func reset() (actions []action) {
	for client := range conns {
		actions = append(actions, action{client, resp.Cmd{"DISCARD"}}, action{client, resp.Cmd{"UNWATCH"}})
	}
	for _, cmd := range []resp.Cmd{{"FLUSHALL"}, {"SCRIPT", "FLUSH"}, {"FUNCTION", "FLUSH"}} {
		actions = append(actions, action{0, cmd})
	}
	for _, name := range []string{"counter", "debit", "cas", "unlock"} {
		actions = append(actions, action{0, resp.Cmd{"SCRIPT", "LOAD", scripts.MustGet(name).Body}})
	}
	return actions
}

// play does the actions on both servers, and returns the replies of both.
// Actions of one client that follow each other are one exchange.
func (p *pair) play(actions []action) (real, ours []resp.Reply) {
	for len(actions) > 0 {
		client, n := actions[0].client, 1
		for n < len(actions) && actions[n].client == client {
			n++
		}
		var cmds []resp.Cmd
		for _, a := range actions[:n] {
			cmds = append(cmds, a.cmd)
			ours = append(ours, p.clients[client].Do(time.Since(store.Epoch), a.cmd))
		}
		replies, err := p.sessions[client].Exchange(cmds...)
		if err != nil {
			p.t.Fatalf("%v: %v", cmds, err)
		}
		real = append(real, replies...)
		actions = actions[n:]
	}
	return real, ours
}

// same compares the replies to a command.
func same(cmd resp.Cmd, real, ours resp.Reply) bool {
	if real.Kind != ours.Kind {
		return false
	}
	switch name := strings.ToUpper(cmd[0]); {
	case real.Kind == resp.Error:
		return sameError(name, real.Str, ours.Str)
	case real.Kind == resp.Int:
		times := min(real.Int, ours.Int) > 0 // -1 and -2 are none
		return real.Int == ours.Int || times && abs(real.Int-ours.Int) <= slack(name)
	case name == "SMEMBERS" || name == "SCAN":
		return sorted(real) == sorted(ours)
	}
	return real.String() == ours.String()
}

// slack is how far apart the answers may be since time has passed between.
func slack(name string) int64 {
	switch name {
	case "TTL", "EXPIRETIME":
		return 30
	case "PTTL", "PEXPIRETIME":
		return 30_000
	}
	return 0
}

// sameError compares texts. The library of the real side takes ERR away where
// the text goes on in capitals, and our scripts do not tell a line of Lua.
func sameError(name, real, ours string) bool {
	real, ours = strings.TrimPrefix(real, "ERR "), strings.TrimPrefix(ours, "ERR ")
	if name == "EVALSHA" || name == "EVAL" || name == "FCALL" {
		return strings.HasPrefix(real, ours)
	}
	return real == ours
}

func abs(n int64) int64 { return max(n, -n) }

// sorted is the reply as text, its elements sorted on every level.
func sorted(r resp.Reply) string {
	if r.Kind != resp.Array {
		return r.String()
	}
	var elems []string
	for _, e := range r.Elems {
		elems = append(elems, sorted(e))
	}
	slices.Sort(elems)
	return fmt.Sprint(elems)
}

// sameAll compares the replies to all actions and returns the first that
// differs, or -1. The replies of EXEC are those of the queued commands.
func sameAll(actions []action, real, ours []resp.Reply) int {
	var queues [conns][]resp.Cmd
	for i, a := range actions {
		queue := &queues[a.client]
		exec := strings.EqualFold(a.cmd[0], "EXEC")
		switch {
		case exec && real[i].Kind == resp.Array && ours[i].Kind == resp.Array:
			if len(real[i].Elems) != len(ours[i].Elems) || len(real[i].Elems) != len(*queue) {
				return i
			}
			for j, cmd := range *queue {
				if !same(cmd, real[i].Elems[j], ours[i].Elems[j]) {
					return i
				}
			}
		case !same(a.cmd, real[i], ours[i]):
			return i
		}
		if real[i].Queued() {
			*queue = append(*queue, a.cmd)
		} else if exec || strings.EqualFold(a.cmd[0], "DISCARD") {
			*queue = nil
		}
	}
	return -1
}

// check plays actions; if replies differ, it reports as few actions as show
// it.
func (p *pair) check(seed uint64, actions []action) (passed bool) {
	p.t.Helper()
	at := p.differs(actions)
	if at < 0 {
		return true
	}
	actions = actions[:at+1]
	for i := len(actions) - 2; i >= 0; i-- {
		shorter := slices.Delete(slices.Clone(actions), i, i+1)
		if at := p.differs(shorter); at >= 0 {
			actions = shorter[:at+1]
			i = len(actions) - 1 // from the end again
		}
	}
	p.play(reset())
	real, ours := p.play(actions)
	var told strings.Builder
	for i, a := range actions {
		fmt.Fprintf(&told, "\n  %d> %.300v\n     redis %.300v\n     store %.300v", a.client, a.cmd.String(), real[i].String(), ours[i].String())
	}
	p.t.Errorf("seed %d: %s", seed, told.String())
	return false
}

// differs plays the actions on empty servers.
func (p *pair) differs(actions []action) int {
	p.play(reset())
	real, ours := p.play(actions)
	return sameAll(actions, real, ours)
}

// Random commands of some clients get the answers that the real server gives.
func TestAnswersAreThoseOfTheRealServer(t *testing.T) {
	p := newPair(t)
	const plays, length = 600, 40
	failures := 0
	for seed := range uint64(plays) {
		if !p.check(seed, randomActions(rand.New(rand.NewPCG(seed, 0)), length)) {
			failures++
		}
		if failures == 5 {
			t.Fatal("and maybe more")
		}
	}
}

// Numbers with a fraction are computed and written as the real server does.
func TestFractionsAreThoseOfTheRealServer(t *testing.T) {
	p := newPair(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var actions []action
	add := func(words ...string) { actions = append(actions, action{0, words}) }
	for range 300 {
		add("SET", "x", fraction(rng))
		add("INCRBYFLOAT", "x", fraction(rng))
		add("INCRBYFLOAT", "x", fraction(rng))
		add("ZADD", "z", fraction(rng), "m")
		add("ZSCORE", "z", "m")
		add("ZINCRBY", "z", fraction(rng), "m")
	}
	p.check(0, actions)
}

// fraction is a number in one of the notations that C reads.
func fraction(rng *rand.Rand) string {
	x := (rng.Float64() - 0.5) * math.Pow10(rng.IntN(40)-20)
	switch rng.IntN(6) {
	case 0:
		return strconv.FormatFloat(x, 'e', rng.IntN(20), 64)
	case 1:
		return strconv.FormatFloat(x, 'f', rng.IntN(25), 64)
	case 2:
		return strconv.FormatFloat(x, 'x', -1, 64)
	case 3:
		return strconv.FormatInt(rng.Int64()-rng.Int64(), 10)
	case 4:
		return strconv.Itoa(rng.IntN(2000)-1000) + "." + strconv.Itoa(rng.IntN(100))
	}
	return pick(rng, "<D>")
}

// What random commands are unlikely to hit.
func TestParticularAnswersAreThoseOfTheRealServer(t *testing.T) {
	p := newPair(t)
	long := strings.Repeat("long", 50)
	casSHA1, unlockSHA1 := scripts.MustGet("cas").SHA1, scripts.MustGet("unlock").SHA1
	for i, cmds := range [][]resp.Cmd{
		{{"NOSUCH"}, {"NOSUCH", "a\r\nb", long, "c"}, {long}, {"NOSUCH", strings.Repeat("x", 125), "yyy", "z"}, {"script", long}, {"N\x00X", "a\x00b"}},
		{{"SET", "a", "1", "PXAT", "1"}, {"GET", "a"}, {"DBSIZE"}, {"SET", "b", "1"}, {"DBSIZE"}, {"EXPIREAT", "b", "1"}, {"DBSIZE"}},
		{{"SET", "a", "1"}, {"WATCH", "a"}, {"PEXPIREAT", "a", "1"}, {"MULTI"}, {"EXEC"}},
		{{"SET", "a", "1", "EXAT", "1"}, {"WATCH", "a"}, {"GET", "a"}, {"MULTI"}, {"PING"}, {"EXEC"}},
		{{"SET", "a", "1", "EXAT", "1"}, {"WATCH", "a"}, {"SET", "a", "2"}, {"MULTI"}, {"PING"}, {"EXEC"}},
		{{"WATCH", "a"}, {"FLUSHALL"}, {"MULTI"}, {"PING"}, {"EXEC"}},
		{{"SET", "a", "1"}, {"WATCH", "a"}, {"FLUSHALL"}, {"MULTI"}, {"PING"}, {"EXEC"}},
		{{"SET", "a", "1"}, {"WATCH", "a"}, {"SCAN", "0"}, {"MULTI"}, {"PING"}, {"EXEC"}},
		{{"MULTI"}, {"EXEC"}, {"MULTI"}, {"EXEC", "x"}, {"EXEC"}, {"MULTI"}, {"DISCARD", "x"}, {"EXEC"}},
		{{"MULTI"}, {"WATCH", "a"}, {"MULTI"}, {"SET", "a", "1"}, {"EXEC"}, {"GET", "a"}},
		{{"MULTI"}, {"WATCH"}, {"SET", "a", "1"}, {"EXEC"}, {"GET", "a"}},
		{{"MULTI"}, {"EVALSHA", strings.Repeat("f", 40), "0"}, {"SET", "a", "1"}, {"EXEC"}, {"GET", "a"}},
		{{"SET", "a", "1", "EX", "1000"}, {"EVALSHA", casSHA1, "1", "a", "2", "1"}, {"TTL", "a"}, {"GET", "a"}, {"EVALSHA", casSHA1, "1", "a", "3", "1"}, {"EVALSHA", casSHA1, "1", "a", "3"}, {"EVALSHA", casSHA1, "1", "b", "3", ""}, {"EVALSHA", casSHA1, "1", "b", "", ""}, {"EVALSHA", casSHA1, "1", "b", ""}, {"EVALSHA", casSHA1, "1", "b", "4", ""}, {"GET", "b"}, {"RPUSH", "l", "x"}, {"EVALSHA", casSHA1, "1", "l", "1"}},
		{{"EVALSHA", unlockSHA1, "1", "a", "1"}, {"SET", "a", "1"}, {"EVALSHA", unlockSHA1, "1", "a", "2"}, {"GET", "a"}, {"EVALSHA", unlockSHA1, "1", "a", "1"}, {"GET", "a"}},
		{{"SETRANGE", "a", "536870911", "xx"}, {"SETRANGE", "a", "536870912", ""}, {"SETRANGE", "a", "9223372036854775807", "x"}},
		{{"SET", "a", "1"}, {"SET", "a", "2", "IFEQ"}, {"LPUSH", "l", "a"}, {"SET", "l", "x", "GET"}, {"SET", "l", "x", "GET", "NX"}, {"TYPE", "l"}, {"SET", "l", "x"}, {"TYPE", "l"}},
		{{"PING", "a", "b"}, {"MULTI"}, {"PING", "a", "b"}, {"MSET", "a", "1", "b"}, {"HSET", "h", "a", "1", "b"}, {"LPOP", "l", "1", "2"}, {"EXEC"}},
		{{"INCRBYFLOAT", "a", "1e4931"}, {"STRLEN", "a"}, {"INCRBYFLOAT", "a", "1e4932"}, {"INCRBYFLOAT", "a", "2e4932"}, {"INCRBYFLOAT", "a", "1e-5000"}, {"INCRBYFLOAT", "b", "-0"}, {"INCRBYFLOAT", "c", "0x1p4"}, {"INCRBYFLOAT", "c", "1p4"}, {"INCRBYFLOAT", "c", "0b1"}, {"INCRBYFLOAT", "c", "--1"}, {"INCRBYFLOAT", "c", "+-inf"}, {"INCRBYFLOAT", "c", "infinity"}},
		{{"ZADD", "z", "inf", "a"}, {"ZINCRBY", "z", "-inf", "a"}, {"ZADD", "z", "infinity", "b", "-0", "c"}, {"ZADD", "z", "0x", "a"}, {"ZADD", "z", "1_0", "a"}, {"ZADD", "z", "0x0p-5000", "a"}, {"ZADD", "z", "0x1p-5000", "a"}, {"ZADD", "z", "5e-324", "a"}, {"ZRANGE", "z", "0", "-1", "WITHSCORES"}},
		{{"ZADD", "z", "1", "a", "3", "b", "3", "c", "2.5", "d"}, {"WATCH", "z"}, {"ZPOPMAX", "z", "0"}, {"MULTI"}, {"EXEC"}, {"ZPOPMAX", "z"}, {"ZPOPMIN", "z", "2"}, {"WATCH", "z"}, {"ZPOPMAX", "z", "9"}, {"MULTI"}, {"EXEC"}, {"EXISTS", "z"}, {"ZPOPMAX", "z", "-1"}, {"ZPOPMAX", "z", "1", "1"}, {"SET", "s", "x"}, {"ZPOPMAX", "s"}, {"ZPOPMAX", "s", "0"}, {"ZPOPMIN", "s", "x"}, {"ZPOPMAX"}},
		{{"XADD", "x", "0-0", "a", "1"}, {"XADD", "x", "5-1", "a", "1"}, {"XADD", "x", "5-1", "a", "1"}, {"XADD", "x", "4", "a", "1"}, {"XADD", "x", "5-x", "a", "1"}, {"XADD", "x", "abc", "a", "1"}, {"XADD", "x", "6-*", "a", "1"}, {"XADD", "x", "5-*", "a", "1"}, {"XADD", "x", "6-*", "a", "2", "b", "3"}, {"XADD", "x", "7", "a"}, {"XLEN", "x"}, {"XRANGE", "x", "-", "+"}, {"XRANGE", "x", "6", "6"}, {"XRANGE", "x", "-", "+", "COUNT", "1"}, {"XRANGE", "x", "y", "+"}, {"XRANGE", "x", "-", "+", "COUNT"}, {"TYPE", "x"}, {"SET", "s", "x"}, {"XADD", "s", "*", "a", "1"}, {"XADD", "s", "0-0", "a", "1"}, {"XADD", "s", "q", "a", "1"}, {"XLEN", "s"}, {"XRANGE", "s", "-", "+"}, {"XLEN", "none"}, {"XRANGE", "none", "-", "+"}, {"WATCH", "x"}, {"XADD", "x", "8-0", "a", "1"}, {"MULTI"}, {"EXEC"}},
		{{"SETBIT", "b", "7", "1"}, {"GETBIT", "b", "7"}, {"GETBIT", "b", "700"}, {"SETBIT", "b", "7", "0"}, {"SETBIT", "b", "-1", "0"}, {"SETBIT", "b", "4294967296", "1"}, {"SETBIT", "b", "1", "2"}, {"SETBIT", "b", "17", "1"}, {"GET", "b"}, {"LPUSH", "l", "a"}, {"SETBIT", "l", "1", "1"}, {"GETBIT", "l", "1"}, {"BITFIELD", "f", "INCRBY", "u32", "0", "1", "GET", "u8", "24"}, {"BITFIELD", "f", "GET", "u32", "0"}, {"BITFIELD", "f", "INCRBY", "u32", "0", "4294967295"}, {"BITFIELD", "f", "INCRBY", "u32", "3", "-1"}, {"GET", "f"}, {"BITFIELD", "f", "incrby", "u99", "0", "1"}, {"BITFIELD", "f", "INCRBY", "u32", "0"}, {"BITFIELD", "f", "INCRBY", "u32", "0", "x"}, {"BITFIELD", "f"}, {"BITFIELD", "l", "GET", "u32", "0"}, {"BITFIELD", "new", "GET", "u32", "0"}, {"EXISTS", "new"}, {"SET", "n", "abc"}, {"BITFIELD", "n", "INCRBY", "u32", "0", "1"}, {"GET", "n"}},
		{{"SELECT", "99"}, {"SELECT", "-1"}, {"ECHO"}, {"TIME", "x"}},
	} {
		var actions []action
		for _, cmd := range cmds {
			actions = append(actions, action{0, cmd})
		}
		p.check(uint64(i), actions)
	}
}
