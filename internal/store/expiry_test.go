package store_test

import (
	"fmt"
	"testing"
	"time"

	"rmwbench/internal/store"
)

const ms = time.Millisecond

// A key lives through the millisecond at which it expires and is gone after.
func TestExpiry(t *testing.T) {
	unix := store.Epoch.Unix()
	in := func(seconds int64) string { return fmt.Sprint(unix + seconds) }
	for name, lines := range map[string][]at{
		"PX": {
			{0, "SET k v PX 10", "OK"}, {0, "PTTL k", "(integer) 10"}, {10 * ms, "GET k", "v"},
			{10*ms + 999*time.Microsecond, "PTTL k", "(integer) 0"}, {11 * ms, "GET k", "(nil)"}, {11 * ms, "PTTL k", "(integer) -2"},
		},
		"EX":        {{ms, "SET k v EX 1", "OK"}, {1001 * ms, "EXISTS k", "(integer) 1"}, {1002 * ms, "EXISTS k", "(integer) 0"}},
		"PXAT":      {{0, "SET k v PXAT " + in(1) + "000", "OK"}, {1000 * ms, "TYPE k", "string"}, {1001 * ms, "TYPE k", "none"}},
		"EXAT":      {{0, "SET k v EXAT " + in(1), "OK"}, {0, "TTL k", "(integer) 1"}, {1001 * ms, "TTL k", "(integer) -2"}},
		"EXAT past": {{0, "SET k v EXAT 1", "OK"}, {0, "GET k", "(nil)"}},
		"SETEX":     {{0, "SETEX k 1 v", "OK"}, {1001 * ms, "GET k", "(nil)"}},
		"PSETEX":    {{0, "PSETEX k 1 v", "OK"}, {2 * ms, "GET k", "(nil)"}},
		"TTL rounds": {
			{0, "SET k v PX 1499", "OK"}, {0, "TTL k", "(integer) 1"}, {0, "SET k v PX 1500", "OK"}, {0, "TTL k", "(integer) 2"},
			{0, "EXPIRETIME k", "(integer) " + in(2)}, {0, "PEXPIRETIME k", "(integer) " + in(1) + "500"},
		},
		"SET ends it": {{0, "SET k v PX 10", "OK"}, {0, "SET k w", "OK"}, {0, "TTL k", "(integer) -1"}, {99 * ms, "GET k", "w"}},
		"KEEPTTL":     {{0, "SET k v PX 10", "OK"}, {5 * ms, "SET k w KEEPTTL", "OK"}, {5 * ms, "PTTL k", "(integer) 5"}, {11 * ms, "GET k", "(nil)"}},
		"writes keep": {
			{0, "SET k 1 PX 10", "OK"}, {0, "INCR k", "(integer) 2"}, {0, "APPEND k 0", "(integer) 2"}, {0, "SETRANGE k 0 3", "(integer) 2"},
			{0, "INCRBYFLOAT k 1", "31"}, {0, "PTTL k", "(integer) 10"}, {0, "GETSET k 1", "31"}, {0, "PTTL k", "(integer) -1"},
		},
		"EXPIRE":     {{0, "HSET k f v", "(integer) 1"}, {0, "EXPIRE k 1", "(integer) 1"}, {1000 * ms, "HLEN k", "(integer) 1"}, {1001 * ms, "HLEN k", "(integer) 0"}},
		"EXPIRE now": {{5 * ms, "SET k v", "OK"}, {5 * ms, "PEXPIREAT k " + in(0) + "005", "(integer) 1"}, {5 * ms, "EXISTS k", "(integer) 0"}},
		"EXPIRE GT":  {{0, "SET k v PX 10", "OK"}, {1 * ms, "PEXPIRE k 9 GT", "(integer) 0"}, {1 * ms, "PEXPIRE k 10 GT", "(integer) 1"}, {1 * ms, "PTTL k", "(integer) 10"}},
		"EXPIRE LT":  {{0, "SET k v PX 10", "OK"}, {1 * ms, "PEXPIRE k 9 LT", "(integer) 0"}, {1 * ms, "PEXPIRE k 8 LT", "(integer) 1"}, {1 * ms, "PTTL k", "(integer) 8"}},
		"PERSIST":    {{0, "SET k v PX 10", "OK"}, {0, "PERSIST k", "(integer) 1"}, {0, "PERSIST k", "(integer) 0"}, {99 * ms, "GET k", "v"}},
		"GETEX":      {{0, "SET k v", "OK"}, {0, "GETEX k PX 10", "v"}, {11 * ms, "GETEX k", "(nil)"}},
		"anew": {
			{0, "SET k 7 PX 10", "OK"}, {11 * ms, "INCR k", "(integer) 1"}, {11 * ms, "PTTL k", "(integer) -1"},
			{11 * ms, "PEXPIRE k 1", "(integer) 1"}, {13 * ms, "SETNX k v", "(integer) 1"}, {13 * ms, "PTTL k", "(integer) -1"},
		},
		"gone for all": {
			{0, "SADD k a", "(integer) 1"}, {0, "PEXPIRE k 10", "(integer) 1"}, {11 * ms, "DBSIZE", "(integer) 1"}, {11 * ms, "SCAN 0", "[0, []]"},
			{11 * ms, "DBSIZE", "(integer) 0"}, {11 * ms, "DEL k", "(integer) 0"}, {11 * ms, "HSET k f v", "(integer) 1"}, {11 * ms, "TYPE k", "hash"},
		},
		"TIME": {{1234567 * time.Microsecond, "TIME", "[" + in(1) + ", 234567]"}},
		"held within a transaction": {
			{0, "SET k v PX 10", "OK"}, {10 * ms, "MULTI", "OK"}, {10 * ms, "GET k", "QUEUED"}, {11 * ms, "EXEC", "[(nil)]"},
		},
	} {
		t.Run(name, func(t *testing.T) { dialogue(t, store.New().Dial(), lines) })
	}
}
