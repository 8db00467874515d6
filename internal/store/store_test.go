package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/resp"
	"rmwbench/internal/store"
)

// at is a line of a dialogue: at a time, a command in words, the answer.
type at struct {
	now  time.Duration
	cmd  string
	want string
}

// dialogue checks the answers of one connection.
func dialogue(t *testing.T, c *store.Conn, lines []at) {
	t.Helper()
	for _, line := range lines {
		if got := c.Do(line.now, words(line.cmd)).String(); got != line.want {
			t.Errorf("at %v, %s: %s, want %s", line.now, line.cmd, got, line.want)
		}
	}
}

func words(cmd string) resp.Cmd { return strings.Fields(cmd) }

// The same commands at the same times have the same answers, their order
// included.
func TestRunsAreReproducible(t *testing.T) {
	run := func() (answers []string) {
		db := store.New()
		clients := []*store.Conn{db.Dial(), db.Dial(), db.Dial()}
		for i, a := range randomActions(rand.New(rand.NewPCG(5, 6)), 20_000) {
			if a.cmd[0] == "FLUSHALL" || a.cmd[0] == "DEL" {
				continue // so that there is something in the collections
			}
			reply := clients[a.client].Do(time.Duration(i)*time.Millisecond, a.cmd)
			answers = append(answers, fmt.Sprint(a.cmd, reply))
		}
		return answers
	}
	first := run()
	for range 3 {
		for i, answer := range run() {
			if answer != first[i] {
				t.Fatalf("%d: first %s, then %s", i, first[i], answer)
			}
		}
	}
}

// Replies are the caller's to keep, and commands the caller's to use again.
func TestNothingIsShared(t *testing.T) {
	db := prepared(t)
	c := db.Dial()
	cmd := resp.Cmd{"MULTI"}
	var kept, told []string
	var replies []resp.Reply
	for range 500 {
		for _, words := range []string{"MULTI", "INCR n", "HSET h f 1", "HGETALL h", "EXEC", "EVALSHA " + debit + " 1 k 1", "HGETALL h", "MGET n k"} {
			cmd = append(cmd[:0], strings.Fields(words)...)
			reply := c.Do(0, cmd)
			replies, kept = append(replies, reply), append(kept, reply.String())
			clear(cmd)
		}
	}
	for _, reply := range replies {
		told = append(told, reply.String())
	}
	if !slices.Equal(kept, told) {
		t.Error("a reply has changed since it was given")
	}
	if last := kept[len(kept)-4]; last != "[(integer) 500, (integer) 0, [f, 1]]" {
		t.Errorf("the last EXEC answered %s", last)
	}
}

// Served hears of each command that is executed, when it is.
func TestServed(t *testing.T) {
	db := prepared(t)
	c, other := db.Dial(), db.Dial()
	var heard []string
	db.Served = func(name string, nested bool) {
		if nested {
			name = "nested " + name
		}
		heard = append(heard, name)
	}
	for _, step := range []struct{ cmd, want string }{
		{"GET k", "get"},
		{"get k", "get"},
		{"GET", ""},
		{"NOSUCH", ""},
		{"INCR k x", ""},
		{"LPUSH k x", "lpush"}, // fails, but is executed
		{"SCRIPT LOAD x", "script|load"},
		{"SCRIPT NOSUCH", ""},
		{"EVALSHA " + debit + " 1 k 1", "evalsha, nested get, nested set"},
		{"EVALSHA " + debit + " 1 k 9999999999999", "evalsha, nested get"},
		{"WATCH k", "watch"},
		{"MULTI", "multi"},
		{"SET k 1", ""},
		{"MULTI", "multi"},
		{"EXEC", "exec, set"},
		{"MULTI", "multi"},
		{"SET k 1", ""},
		{"NOSUCH", ""},
		{"EXEC", "exec"},
		{"MULTI", "multi"},
		{"SET k 1", ""},
		{"DISCARD", "discard"},
		{"WATCH k", "watch"},
		{"other: SET k 2", "set"},
		{"MULTI", "multi"},
		{"SET k 1", ""},
		{"EXEC", "exec"},
	} {
		heard = nil
		if cmd, isOther := strings.CutPrefix(step.cmd, "other: "); isOther {
			other.Do(0, words(cmd))
		} else {
			c.Do(0, words(step.cmd))
		}
		if got := strings.Join(heard, ", "); got != step.want {
			t.Errorf("%s: heard %q, want %q", step.cmd, got, step.want)
		}
	}
}

// A scan returns every key that is there all the time exactly once, whatever
// comes and goes meanwhile.
func TestScanUnderChange(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	c := store.New().Dial()
	for i := range 100 {
		c.Do(0, resp.Cmd{"SET", fmt.Sprint("stays", i), ""})
		c.Do(0, resp.Cmd{"SET", fmt.Sprint("goes", i), "", "PX", fmt.Sprint(1 + i)})
	}
	for round := range 20 {
		now := time.Duration(round) * ms
		seen := map[string]int{}
		for cursor, first := "0", true; first || cursor != "0"; first = false {
			reply := c.Do(now, resp.Cmd{"SCAN", cursor, "COUNT", fmt.Sprint(1 + rng.IntN(20))})
			cursor = reply.Elems[0].Str
			for _, key := range reply.Elems[1].Elems {
				seen[key.Str]++
			}
			for range rng.IntN(50) {
				key := fmt.Sprint("changes", rng.IntN(100))
				c.Do(now, resp.Cmd{[]string{"DEL", "INCR"}[rng.IntN(2)], key})
			}
		}
		for i := range 100 {
			if key := fmt.Sprint("stays", i); seen[key] != 1 {
				t.Errorf("round %d: %s seen %d times", round, key, seen[key])
			}
		}
	}
}

// Hot commands allocate nothing, or the text they store.
func TestAllocations(t *testing.T) {
	for name, most := range map[string]float64{
		"Get": 0, "Set": 0, "IncrBy": 1, "WatchGet": 0, "WatchedSet": 0,
		"Lock":   1, // the slot
		"Script": 9, // the twin's
	} {
		c := prepared(t).Dial()
		if got := testing.AllocsPerRun(1000, func() {
			for _, cmd := range hot[name] {
				c.Do(0, cmd)
			}
		}); got > most {
			t.Errorf("%s: %v allocations, want %v at most", name, got, most)
		}
	}
}
