package store_test

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"rmwbench/internal/resp"
	"rmwbench/internal/store"
)

// before makes the keys that touches are about. e expires after a minute.
var before = []string{
	"SET s 1", "HSET h f 1", "SADD set a", "ZADD z 1 a", "RPUSH l a", "SET e 1 PX 60000", "SADD other a",
}

// touches says whether a command, by whichever client, touches a key so that a
// transaction that watches it does not run.
var touches = []struct {
	key     string
	touched bool
	cmd     string
	exec    time.Duration // when EXEC comes
}{
	{"s", false, "PING", 0},
	{"s", false, "GET s", 0},
	{"s", true, "SET s 2", 0},
	{"s", true, "SET s 1", 0},
	{"s", true, "SET s 1 XX GET", 0},
	{"s", false, "SET s 2 NX", 0},
	{"s", false, "SETNX s 2", 0},
	{"s", false, "SET other-key 2", 0},
	{"s", true, "SET s 2 KEEPTTL", 0},
	{"s", true, "APPEND s x", 0},
	{"s", true, "INCRBY s 0", 0},
	{"s", false, "HSET s f v", 0},
	{"s", true, "EXPIRE s 100", 0},
	{"s", false, "EXPIRE s 100 XX", 0},
	{"s", true, "EXPIRE s -1", 0},
	{"s", false, "PERSIST s", 0},
	{"e", true, "PERSIST e", 0},
	{"s", false, "GETEX s", 0},
	{"s", false, "GETEX s PERSIST", 0},
	{"s", true, "GETEX s EX 500", 0},
	{"s", true, "GETDEL s", 0},
	{"s", true, "DEL s", 0},
	{"s", true, "UNLINK s", 0},
	{"s", true, "FLUSHALL", 0},
	{"s", true, "MSET x 1 s 1", 0},
	{"s", false, "SETRANGE s 5", 0},
	{"none", false, "DEL none", 0},
	{"none", false, "FLUSHALL", 0},
	{"none", true, "SET none 1", 0},
	{"none", true, "LPUSH none 1", 0},
	{"none", false, "LPOP none", 0},
	{"none", false, "EXPIRE none 1", 0},
	{"none", false, "ZADD none XX 1 a", 0},
	{"none", true, "SMOVE set none a", 0},
	{"h", true, "HSET h f 1", 0},
	{"h", false, "HSETNX h f 2", 0},
	{"h", false, "HDEL h g", 0},
	{"h", true, "HDEL h f", 0},
	{"h", true, "HINCRBY h f 1", 0},
	{"set", false, "SADD set a", 0},
	{"set", true, "SADD set a b", 0},
	{"set", false, "SREM set b", 0},
	{"set", true, "SREM set a", 0},
	{"set", true, "SMOVE set x a", 0},
	{"set", false, "SMOVE set x b", 0},
	{"set", false, "SMOVE set set a", 0},
	{"set", false, "SMOVE other set a", 0},
	{"z", false, "ZADD z 1 a", 0},
	{"z", true, "ZADD z 2 a", 0},
	{"z", false, "ZADD z GT 0 a", 0},
	{"z", false, "ZADD z NX 5 a", 0},
	{"z", false, "ZINCRBY z 0 a", 0},
	{"z", true, "ZINCRBY z 1 a", 0},
	{"z", true, "ZREM z a", 0},
	{"l", true, "LPUSH l a", 0},
	{"l", true, "RPOP l", 0},
	{"l", false, "LPOP l 0", 0},
	{"e", false, "PING", 60000 * ms},
	{"e", true, "PING", 60001 * ms},
}

// touch is what is done on an empty server to see whether a command of a
// client touches a key that client 0 watches.
func touch(key, cmd string, client int) (actions []action) {
	for _, line := range before {
		actions = append(actions, action{0, words(line)})
	}
	return append(actions,
		action{0, resp.Cmd{"WATCH", "unrelated", key}}, action{client, words(cmd)},
		action{0, resp.Cmd{"MULTI"}}, action{0, resp.Cmd{"PING"}}, action{0, resp.Cmd{"EXEC"}})
}

func TestWatch(t *testing.T) {
	for _, test := range touches {
		for client := range 2 {
			db := store.New()
			clients := []*store.Conn{db.Dial(), db.Dial()}
			actions := touch(test.key, test.cmd, client)
			for _, a := range actions[:len(actions)-1] {
				clients[a.client].Do(0, a.cmd)
			}
			want := "[PONG]"
			if test.touched {
				want = "(nil)"
			}
			if got := clients[0].Do(test.exec, resp.Cmd{"EXEC"}).String(); got != want {
				t.Errorf("%s watched, client %d: %s, EXEC at %v: %s, want %s", test.key, client, test.cmd, test.exec, got, want)
			}
		}
	}
}

// The table is that of the real server, as far as it does not hang on time.
func TestWatchOnTheRealServer(t *testing.T) {
	p := newPair(t)
	for i, test := range touches {
		for client := range 2 {
			if test.exec == 0 {
				p.check(uint64(i), touch(test.key, test.cmd, client))
			}
		}
	}
}

// What was over when it was watched does not abort by going; what comes in its
// place does.
func TestWatchOfAnExpiredKey(t *testing.T) {
	for name, lines := range map[string][]at{
		"gone":  {{0, "SET k 1 PX 10", "OK"}, {11 * ms, "WATCH k", "OK"}, {12 * ms, "GET k", "(nil)"}, {12 * ms, "MULTI", "OK"}, {12 * ms, "EXEC", "[]"}},
		"anew":  {{0, "SET k 1 PX 10", "OK"}, {11 * ms, "WATCH k", "OK"}, {12 * ms, "SET k 1", "OK"}, {12 * ms, "MULTI", "OK"}, {12 * ms, "EXEC", "(nil)"}},
		"after": {{0, "SET k 1 PX 10", "OK"}, {10 * ms, "WATCH k", "OK"}, {11 * ms, "MULTI", "OK"}, {11 * ms, "EXEC", "(nil)"}},
		"twice": {{0, "SET k 1", "OK"}, {0, "WATCH k", "OK"}, {0, "SET k 2", "OK"}, {0, "WATCH k", "OK"}, {0, "MULTI", "OK"}, {0, "EXEC", "(nil)"}, {0, "MULTI", "OK"}, {0, "EXEC", "[]"}},
		"within": {
			{0, "SET k 1 PX 10", "OK"}, {0, "WATCH k", "OK"}, {10 * ms, "MULTI", "OK"}, {10 * ms, "DEL k", "QUEUED"}, {10 * ms, "EXEC", "[(integer) 1]"},
		},
	} {
		t.Run(name, func(t *testing.T) { dialogue(t, store.New().Dial(), lines) })
	}
}

// Clients that add 1 by watch, read, decide and write lose no update, in
// whatever order their commands come.
func TestNoUpdateIsLost(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		db := store.New()
		const clients = 8
		var conns [clients]*store.Conn
		var step [clients]int
		var read [clients]int64
		for i := range conns {
			conns[i] = db.Dial()
		}
		committed, aborted := int64(0), 0
		for range 5000 {
			i := rng.IntN(clients)
			switch step[i] {
			case 0:
				conns[i].Do(0, resp.Cmd{"WATCH", "k"})
			case 1:
				read[i], _ = strconv.ParseInt(conns[i].Do(0, resp.Cmd{"GET", "k"}).Str, 10, 64)
			case 2:
				conns[i].Do(0, resp.Cmd{"MULTI"})
			case 3:
				conns[i].Do(0, resp.Cmd{"SET", "k", strconv.FormatInt(read[i]+1, 10)})
			case 4:
				if conns[i].Do(0, resp.Cmd{"EXEC"}).Kind == resp.Array {
					committed++
				} else {
					aborted++
				}
			}
			step[i] = (step[i] + 1) % 5
		}
		stored := db.Dial().Do(0, resp.Cmd{"GET", "k"}).Str
		if stored != strconv.FormatInt(committed, 10) || aborted == 0 {
			t.Errorf("seed %d: %s stored after %d commits and %d aborts", seed, stored, committed, aborted)
		}
	}
}

// Close is the end of a connection's watches and of its transaction.
func TestClose(t *testing.T) {
	c := store.New().Dial()
	dialogue(t, c, []at{{0, "WATCH k", "OK"}, {0, "SET k 1", "OK"}, {0, "MULTI", "OK"}, {0, "SET k 2", "QUEUED"}})
	c.Close()
	dialogue(t, c, []at{{0, "EXEC", "(error) ERR EXEC without MULTI"}, {0, "GET k", "1"}, {0, "MULTI", "OK"}, {0, "EXEC", "[]"}})
}
