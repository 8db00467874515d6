package store_test

import (
	"testing"

	"rmwbench/internal/store"
)

// IFEQ is Valkey's, so there is no server here to compare it with.
// https://valkey.io/commands/set/
func TestSetIfEqual(t *testing.T) {
	const wrongType = "(error) WRONGTYPE Operation against a key holding the wrong kind of value"
	const syntax = "(error) ERR syntax error"
	for name, lines := range map[string][]at{
		"equal":            {{0, "SET k a", "OK"}, {0, "SET k b IFEQ a", "OK"}, {0, "GET k", "b"}},
		"different":        {{0, "SET k a", "OK"}, {0, "SET k b IFEQ x", "(nil)"}, {0, "GET k", "a"}},
		"bytes, no number": {{0, "SET k 1", "OK"}, {0, "SET k 2 IFEQ 01", "(nil)"}, {0, "SET k 2 ifeq 1", "OK"}},
		"missing":          {{0, "SET k b IFEQ a", "(nil)"}, {0, "EXISTS k", "(integer) 0"}},
		"GET":              {{0, "SET k a", "OK"}, {0, "SET k b IFEQ a GET", "a"}, {0, "SET k c GET IFEQ a", "b"}, {0, "GET k", "b"}},
		"GET missing":      {{0, "SET k b IFEQ a GET", "(nil)"}, {0, "EXISTS k", "(integer) 0"}},
		"wrong type":       {{0, "LPUSH k a", "(integer) 1"}, {0, "SET k b IFEQ a", wrongType}, {0, "SET k b IFEQ a GET", wrongType}},
		"with a time":      {{0, "SET k a", "OK"}, {0, "SET k b IFEQ a PX 10", "OK"}, {0, "PTTL k", "(integer) 10"}, {0, "SET k c IFEQ x PX 99", "(nil)"}, {0, "PTTL k", "(integer) 10"}},
		"KEEPTTL":          {{0, "SET k a PX 10", "OK"}, {0, "SET k b IFEQ a KEEPTTL", "OK"}, {0, "PTTL k", "(integer) 10"}, {0, "SET k a IFEQ b", "OK"}, {0, "PTTL k", "(integer) -1"}},
		"expired":          {{0, "SET k a PX 10", "OK"}, {11 * ms, "SET k b IFEQ a", "(nil)"}},
		"options": {
			{0, "SET k a", "OK"}, {0, "SET k b IFEQ a NX", syntax}, {0, "SET k b XX IFEQ a", syntax}, {0, "SET k b IFEQ", syntax},
			{0, "SET k b IFEQ a IFEQ a", syntax}, {0, "SET k b IFEQ a PX 0", "(error) ERR invalid expire time in 'set' command"}, {0, "GETEX k IFEQ a", syntax},
		},
		"touches": {{0, "SET k a", "OK"}, {0, "WATCH k", "OK"}, {0, "SET k a IFEQ a", "OK"}, {0, "MULTI", "OK"}, {0, "EXEC", "(nil)"}},
		"does not touch": {
			{0, "SET k a", "OK"}, {0, "WATCH k", "OK"}, {0, "SET k a IFEQ b", "(nil)"}, {0, "MULTI", "OK"}, {0, "EXEC", "[]"},
		},
	} {
		t.Run(name, func(t *testing.T) { dialogue(t, store.New().Dial(), lines) })
	}
}
