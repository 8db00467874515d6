package results

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestRunGoodput(t *testing.T) {
	tests := []struct {
		committed int64
		elapsed   time.Duration
		want      float64
	}{
		{0, 0, 0}, {5, 0, 0}, {5, -1, 0}, {0, time.Second, 0},
		{500, time.Second, 500}, {500, 400 * time.Millisecond, 1250}, {1, time.Nanosecond, 1e9},
	}
	for _, test := range tests {
		run := Run{Committed: test.committed, ElapsedNS: int64(test.elapsed)}
		if got := run.Goodput(); !near(got, test.want, 1e-12) {
			t.Errorf("%d in %v: %v/s, want %v", test.committed, test.elapsed, got, test.want)
		}
	}
}

func TestRunFailedOps(t *testing.T) {
	if n := (&Run{}).FailedOps(); n != 0 {
		t.Errorf("%d of none", n)
	}
	if n := (&Run{Failed: map[string]int64{"OOM": 2, "WRONGTYPE": 3}}).FailedOps(); n != 5 {
		t.Errorf("%d, want 5", n)
	}
}

func TestRunWarnsOnce(t *testing.T) {
	var run Run
	for _, text := range []string{"a", "b", "a", "b", "c"} {
		run.Warn(text)
	}
	if want := []string{"a", "b", "c"}; !reflect.DeepEqual(run.Warnings, want) {
		t.Errorf("%q, want %q", run.Warnings, want)
	}
}

func TestRunDisagreements(t *testing.T) {
	commands := func(calls map[string]int64) *Server {
		s := &Server{Commands: map[string]CommandStats{}}
		for name, n := range calls {
			s.Commands[name] = CommandStats{Calls: n}
		}
		return s
	}
	sent := map[string]int64{"watch": 10, "get": 10, "exec": 7}
	tests := []struct {
		name   string
		server *Server
		want   []string
	}{
		{"no word of the server", nil, nil},
		{"no counts of the server", &Server{}, nil},
		{"equal", commands(sent), nil},
		{"more names served", commands(map[string]int64{"watch": 10, "get": 10, "exec": 7, "info": 2}), nil},
		{"none served", commands(nil), []string{"exec: 7 sent, 0 served", "get: 10 sent, 0 served", "watch: 10 sent, 0 served"}},
		{"one more", commands(map[string]int64{"watch": 10, "get": 11, "exec": 7}), []string{"get: 10 sent, 11 served"}},
	}
	for _, test := range tests {
		run := Run{Whole: Whole{Commands: sent}, Server: test.server}
		if got := run.Disagreements(); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if got, want := run.Witnessed(), test.server != nil && test.server.Commands != nil; got != want {
			t.Errorf("%s: witnessed %v", test.name, got)
		}
		// Where a reply was lost nobody knows what the server should have counted.
		run.Whole.RepliesLost = true
		if got := run.Disagreements(); got != nil || run.Witnessed() {
			t.Errorf("%s, replies lost: %q, witnessed %v", test.name, got, run.Witnessed())
		}
	}
}

// What scripts call is served beside what was sent: of a name that both use the
// server cannot have served less, and of one that only scripts use anything.
func TestRunDisagreementsWithScripts(t *testing.T) {
	for _, test := range []struct {
		gets, dels, sets int64
		want             []string
	}{
		{20, 10, 7, nil}, {10, 0, 7, nil}, {9, 0, 7, []string{"get: 10 sent, 9 served"}},
		{20, 10, 8, []string{"set: 7 sent, 8 served"}}, // which no script calls
	} {
		run := Run{
			Whole:  Whole{Commands: map[string]int64{"get": 10, "set": 7}, Nested: []string{"get", "del"}},
			Server: &Server{Commands: map[string]CommandStats{"get": {Calls: test.gets}, "del": {Calls: test.dels}, "set": {Calls: test.sets}}},
		}
		if got := run.Disagreements(); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// What a table's rows share, and what common random numbers share. An axis
// that is added later belongs to both unless it is put here.
func TestCellSettingAndLoad(t *testing.T) {
	n := 0
	var full Cell
	populate(t, reflect.ValueOf(&full).Elem(), &n)
	retry := []string{"Strategy", "ScriptTimeNS", "Backoff", "BackoffBaseNS", "BackoffCapNS", "MaxTries", "OnUnknown", "OnFailed"}
	for _, test := range []struct {
		name  string
		got   Cell
		blank []string
	}{
		{"Load", full.Load(), append(slices.Clip(retry), "Burst", "Bystanders", "BystandersClosed", "Fault")},
		{"Setting", full.Setting(), append(slices.Clip(retry), "Clients")},
	} {
		want := full
		want.Conn = ConnDedicated
		for _, field := range test.blank {
			reflect.ValueOf(&want).Elem().FieldByName(field).SetZero()
		}
		if test.got != want {
			t.Errorf("%s is\n%+v\nwant\n%+v", test.name, test.got, want)
		}
	}
}
