package store_test

import (
	"testing"
	"time"

	"rmwbench/internal/resp"
	"rmwbench/internal/store"
	"rmwbench/scripts"
)

// hot are what the clients of a simulation do most, as one exchange after
// another on a server where the key is a whole number.
var hot = map[string][]resp.Cmd{
	"Get":        {{"GET", "k"}},
	"Set":        {{"SET", "k", "12345", "KEEPTTL"}},
	"IncrBy":     {{"INCRBY", "k", "1"}},
	"WatchGet":   {{"WATCH", "k"}, {"GET", "k"}, {"UNWATCH"}},
	"WatchedSet": {{"WATCH", "k"}, {"GET", "k"}, {"MULTI"}, {"SET", "k", "12345", "KEEPTTL"}, {"EXEC"}},
	"Lock":       {{"SET", "lock", "token", "NX", "PX", "1000"}, {"DEL", "lock"}},
	"Script":     {{"EVALSHA", scripts.MustGet("debit").SHA1, "1", "k", "1"}},
}

func prepared(tb testing.TB) *store.DB {
	db := store.New()
	c := db.Dial()
	for _, cmd := range []resp.Cmd{
		{"SET", "k", "1099511627776", "EX", "604800"}, {"SCRIPT", "LOAD", scripts.MustGet("debit").Body},
	} {
		if reply := c.Do(0, cmd); reply.Kind == resp.Error {
			tb.Fatalf("%v: %v", cmd, reply)
		}
	}
	return db
}

func benchmark(b *testing.B, name string) {
	c := prepared(b).Dial()
	b.ReportAllocs()
	now := time.Duration(0)
	for b.Loop() {
		for _, cmd := range hot[name] {
			now += time.Microsecond / 10
			c.Do(now, cmd)
		}
	}
}

func BenchmarkGet(b *testing.B)        { benchmark(b, "Get") }
func BenchmarkSet(b *testing.B)        { benchmark(b, "Set") }
func BenchmarkIncrBy(b *testing.B)     { benchmark(b, "IncrBy") }
func BenchmarkWatchGet(b *testing.B)   { benchmark(b, "WatchGet") }
func BenchmarkWatchedSet(b *testing.B) { benchmark(b, "WatchedSet") }
func BenchmarkLock(b *testing.B)       { benchmark(b, "Lock") }
func BenchmarkScript(b *testing.B)     { benchmark(b, "Script") }

// A commit costs the same whatever the number of clients that watch the key.
func BenchmarkCommitUnderManyWatches(b *testing.B) {
	db := prepared(b)
	for range 10_000 {
		db.Dial().Do(0, resp.Cmd{"WATCH", "k"})
	}
	c := db.Dial()
	b.ReportAllocs()
	for b.Loop() {
		for _, cmd := range hot["WatchedSet"] {
			c.Do(0, cmd)
		}
	}
}
