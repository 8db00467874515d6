package store_test

import (
	"slices"
	"testing"

	"rmwbench/internal/resp"
	"rmwbench/internal/store"
	"rmwbench/scripts"
)

// A spinning script does what the script does with the arguments before the
// last, however it is called, and tells its iterations where it runs.
func TestSpinning(t *testing.T) {
	spinning := scripts.MustGet("debit").Spinning()
	db := store.New()
	var spun []int64
	db.Spun = func(n int64) { spun = append(spun, n) }
	c := db.Dial()
	for _, step := range []struct {
		cmd  resp.Cmd
		want string
		spun []int64
	}{
		{resp.Cmd{"EVALSHA", spinning.SHA1, "1", "k", "1", "1000"}, "(error) NOSCRIPT No matching script. Please use EVAL.", nil},
		{resp.Cmd{"SET", "k", "10"}, "OK", nil},
		{resp.Cmd{"EVAL", spinning.Body, "1", "k", "1", "1000"}, "[(integer) 1, 9]", []int64{1000}},
		{resp.Cmd{"EVALSHA", spinning.SHA1, "1", "k", "2", "0"}, "[(integer) 1, 7]", []int64{0}},
		{resp.Cmd{"EVALSHA", spinning.SHA1, "1", "k", "100", "-5"}, "[(integer) 0, 7]", []int64{0}},
		{resp.Cmd{"EVAL", scripts.MustGet("debit").Body, "1", "k", "1", "1000"}, "[(integer) 1, 6]", nil}, // not a spinning one
		{resp.Cmd{"FUNCTION", "LOAD", scripts.Library()}, scripts.LibraryName, nil},
		{resp.Cmd{"FCALL", spinning.Function, "1", "k", "1", "30"}, "[(integer) 1, 5]", []int64{30}},
		{resp.Cmd{"EVALSHA", spinning.SHA1, "1", "k", "1", "many"}, "(error) ERR the script does not say how often it spins script: " + spinning.SHA1, nil},
		{resp.Cmd{"EVALSHA", spinning.SHA1, "1", "k"}, "(error) ERR the script does not say how often it spins script: " + spinning.SHA1, nil},
		{resp.Cmd{"GET", "k"}, "5", nil},
	} {
		spun = nil
		if got := c.Do(0, step.cmd).String(); got != step.want || !slices.Equal(spun, step.spun) {
			t.Errorf("%v: %s and spins %v, want %s and %v", step.cmd, got, spun, step.want, step.spun)
		}
	}
}
