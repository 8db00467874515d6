package store_test

import (
	"strings"
	"testing"

	"rmwbench/internal/resp"
	"rmwbench/internal/store"
	"rmwbench/scripts"
)

var (
	debit   = scripts.MustGet("debit").SHA1
	counter = scripts.MustGet("counter").Function
)

// A body without a twin is kept like any other, and cannot run.
func TestScriptWithoutTwin(t *testing.T) {
	const unable = "(error) ERR the simulator has no Go twin of this script"
	const sum = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db" // of "return 1"
	c := store.New().Dial()
	for _, step := range []struct {
		cmd  resp.Cmd
		want string
	}{
		{resp.Cmd{"EVALSHA", sum, "0"}, "(error) NOSCRIPT No matching script. Please use EVAL."},
		{resp.Cmd{"SCRIPT", "LOAD", "return 1"}, sum},
		{resp.Cmd{"EVALSHA", sum, "0"}, unable},
		{resp.Cmd{"SCRIPT", "FLUSH"}, "OK"},
		{resp.Cmd{"SCRIPT", "EXISTS", sum}, "[(integer) 0]"},
		{resp.Cmd{"EVAL", "return 1", "0"}, unable},
		{resp.Cmd{"SCRIPT", "EXISTS", sum}, "[(integer) 1]"},
		{resp.Cmd{"FUNCTION", "LOAD", "#!lua name=mine\nredis.register_function{function_name = \"mine\", callback = f}"}, "mine"},
		{resp.Cmd{"FCALL", "mine", "0"}, unable},
	} {
		if got := c.Do(0, step.cmd).String(); got != step.want {
			t.Errorf("%v: %s, want %s", step.cmd, got, step.want)
		}
	}
}

// A function registered under a script's function name does what the script
// does, with either way to register it, and so does our own library.
func TestFunctionIsItsScriptsTwin(t *testing.T) {
	for _, register := range []string{"('%', f)", " ( \"%\", f)", "{function_name='%', callback=f}", "{callback=f, function_name=\"%\"}"} {
		c := store.New().Dial()
		register = strings.Replace(register, "%", counter, 1)
		c.Do(0, resp.Cmd{"FUNCTION", "LOAD", "#!lua name=rmwbench\nlocal function f() end\nredis.register_function" + register})
		dialogue(t, c, []at{{0, "FCALL " + counter + " 1 k 5", "[(integer) 1, 5]"}, {0, "GET k", "5"}})
	}
	c := store.New().Dial()
	if loaded := c.Do(0, resp.Cmd{"FUNCTION", "LOAD", scripts.Library()}); loaded.Str != scripts.LibraryName {
		t.Error(loaded)
	}
	dialogue(t, c, []at{{0, "FCALL " + counter + " 1 k 5", "[(integer) 1, 5]"}})
}

// Scripts and functions outlive the keys.
func TestFlushAllKeepsScripts(t *testing.T) {
	c := prepared(t).Dial()
	c.Do(0, resp.Cmd{"FUNCTION", "LOAD", library("lua name=l", "counter")})
	dialogue(t, c, []at{{0, "FLUSHALL", "OK"}, {0, "EVALSHA " + debit + " 1 k 1", "[(integer) 0, 0]"}, {0, "FCALL " + counter + " 1 k 1", "[(integer) 1, 1]"}})
}

// The error of a command ends the script and comes first in its own.
func TestErrorWithinAScript(t *testing.T) {
	c := prepared(t).Dial()
	c.Do(0, resp.Cmd{"LPUSH", "l", "x"})
	reply := c.Do(0, resp.Cmd{"EVALSHA", debit, "1", "l", "1"})
	if reply.Class() != "WRONGTYPE" || !strings.HasSuffix(reply.Str, " script: "+debit) {
		t.Error(reply)
	}
	dialogue(t, c, []at{{0, "SET l x", "OK"}, {0, "EVALSHA " + debit + " 1 l 1", "(error) ERR value is not an integer or out of range"}})
}
