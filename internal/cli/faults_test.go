package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"rmwbench/internal/engine"
	"rmwbench/internal/fault"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
)

// onOther is what the design "stopper" calls.
var onOther = func() {}

// Two designs for tests, in a group that is not among those of the matrix: one
// that does other than it promises, and one that tells when it is tried.
func init() {
	counter := fault.Design{Group: "for tests", Summary: "INCRBY, sent again", Strategy: "atomic", Workload: "counter"}
	fault.Designs.Add("liar", counter)
	counter.Promise = []fault.Flaw{fault.Doubles}
	counter.Other = func(base string) []resp.Cmd {
		onOther()
		return []resp.Cmd{{"INCRBY", base, "10"}}
	}
	fault.Designs.Add("stopper", counter)
}

// The matrix as it is printed, whole, and some dialogues. The simulated world
// says the same every time.
func TestFaultsText(t *testing.T) {
	for file, args := range map[string][]string{
		"faults.txt":          {"-q"},
		"faults-examples.txt": {"incrby,set-readback,claim-apart,expire,payload-linked,payload-first-hasty,sadd"},
	} {
		code, out, errOut := invoke(t, append([]string{"faults", "--server", "simulated"}, args...)...)
		if code != exitOK || errOut != "" {
			t.Errorf("%v: exit %d, %q", args, code, errOut)
		}
		golden(t, file, out)
	}
}

func TestFaultsAreDrawn(t *testing.T) {
	code, out, errOut := invoke(t, "faults", "--server", "simulated", "-q", "--svg", "--out", "there", "accumulating")
	if code != exitOK || errOut != "" || !strings.HasSuffix(out, "Matrix: there/faults.json, there/faults.png and there/faults.svg\n") {
		t.Errorf("exit %d, %q, %s", code, errOut, out)
	}
	entries, _ := os.ReadDir("there")
	if len(entries) != 3 {
		t.Errorf("files: %v", entries)
	}
}

// What the pictures say of one design of each kind.
func TestFaultsMatrix(t *testing.T) {
	o := faultsOutput{Designs: []fault.Verdict{
		{Name: "a", Design: fault.Design{Group: "first"}, Cases: []fault.Case{{Point: fault.Point{Dies: true}, Applied: fault.AppliedNever}}},
		{Name: "b", Design: fault.Design{Group: "second"}, Flaws: []fault.Flaw{fault.Doubles}, Cases: []fault.Case{{Point: fault.Point{Restart: true}, Flaws: []fault.Flaw{fault.Doubles}}}},
		{Name: "c", Design: fault.Design{Group: "second"}, Flaws: []fault.Flaw{fault.Garbage}},
		{Name: "d", Design: fault.Design{Group: "second"}, NA: "no such command"},
	}}
	m := o.matrix()
	if want := "An exchange that breaks makes 1 of 3 retry designs corrupt data; 1 is retry-safe and leaves nothing"; m.Title != want {
		t.Errorf("title %q, want %q", m.Title, want)
	}
	var got []string
	for _, g := range m.Groups {
		for _, row := range g.Rows {
			line := g.Title + ": "
			for _, c := range row {
				line += fmt.Sprintf("%s/%d ", c.Text, c.Tone)
			}
			got = append(got, line)
		}
	}
	want := []string{
		"First: a/0 /1 /1 /1 /1 never/1 /1 retry-safe/0 ",
		"Second: b/0 /1 /1 /1 /1 /1 applied twice/3 doubles/0 ",
		"Second: c/0 /1 /1 /1 /1 /1 /1 leaves garbage for ever/0 ",
		"Second: d/0 /1 /1 /1 /1 /1 /1 not tried: no such command/0 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestFaultsRefuse(t *testing.T) {
	for args, words := range map[string]string{
		"nope":                    `unknown retry design "nope" | incrby | with a token`,
		"incrby,incrby":           "design incrby: asked for twice",
		"incrby,accumulating":     "design incrby: asked for twice",
		"incrby --server nope":    "--server | nope | simulated | faults --help",
		"incrby --server own":     "--server | own",
		"incrby -h localhost":     "-h",
		"incrby --format xml":     "--format | xml | json",
		"incrby --out=":           `--out "" | directory`,
		"incrby --out taken":      "--out taken | faults.json already | --force",
		"incrby --out taken/file": "--out taken/file | not a directory",
	} {
		t.Run(args, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, name := range []string{"taken/faults.json", "taken/file"} {
				_ = os.Mkdir("taken", 0o755)
				if err := os.WriteFile(name, []byte("precious"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			code, out, errOut := invokeHere(append([]string{"faults"}, strings.Fields(args)...)...)
			if code != exitUsage || out != "" || strings.Count(errOut, "\n") != 1 {
				t.Errorf("exit %d, stdout %q, stderr %q", code, out, errOut)
			}
			for word := range strings.SplitSeq(words, " | ") {
				if !strings.Contains(errOut, word) {
					t.Errorf("%q lacks %q", errOut, word)
				}
			}
			if entries, _ := os.ReadDir("."); len(entries) != 1 {
				t.Errorf("something was written: %v", entries)
			}
			if text, _ := os.ReadFile("taken/faults.json"); string(text) != "precious" {
				t.Error("the matrix that was there was overwritten")
			}
		})
	}
}

// A program that is not there, and a directory that cannot be made: exit 1.
func TestFaultsTrouble(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for args, want := range map[string]string{
		"--server valkey":                      "--server valkey: no server program on PATH",
		"--server simulated --out /dev/null/x": "--out /dev/null/x",
	} {
		code, _, errOut := invoke(t, slices.Concat([]string{"faults", "-q", "incrby"}, strings.Fields(args))...)
		if code != exitFailed || !strings.Contains(errOut, want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: exit %d, %q", args, code, errOut)
		}
	}
	code, out, errOut := invoke(t, "faults", "-q", "incrby") // auto
	if code != exitOK || !strings.Contains(out, "in the simulated world") {
		t.Errorf("without a server: exit %d, %s%s", code, out, errOut)
	}
}

func TestFaultsForce(t *testing.T) {
	args := []string{"faults", "-q", "--server", "simulated", "incrby"}
	for i, code := range []int{exitOK, exitUsage} {
		got := 0
		if i == 0 {
			got, _, _ = invoke(t, args...)
		} else {
			got, _, _ = invokeHere(args...)
		}
		if got != code {
			t.Errorf("time %d: exit %d, want %d", i+1, got, code)
		}
	}
	if code, _, errOut := invokeHere(append(args, "--force")...); code != exitOK {
		t.Errorf("with --force: exit %d, %s", code, errOut)
	}
}

// A design that does other than it promises is named, and fails the verb; the
// others are kept.
func TestABrokenPromiseExits1(t *testing.T) {
	code, out, errOut := invoke(t, "faults", "-q", "--server", "simulated", "incrby,liar")
	if code != exitFailed || errOut != "rmwbench: liar: doubles, where retry-safe was expected\n" {
		t.Errorf("exit %d, %q", code, errOut)
	}
	if !strings.Contains(out, "2 designs, 14 cases") {
		t.Errorf("%s", out)
	}
}

// An interrupt ends the matrix between two cases: what was tried is kept.
func TestFaultsInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	defer func() { onOther = func() {} }()
	for designs, want := range map[string]string{
		"incrby stopper lpush": "interrupted: 1 of 3 designs tried, and kept in kept/faults.json",
		"stopper":              "interrupted: 0 of 1 design tried",
	} {
		stop := make(chan struct{})
		onOther = func() {
			if !engine.Stopped(stop) {
				close(stop)
			}
		}
		var stdout strings.Builder
		c := faultsCmd{Designs: names(strings.Fields(designs)), Server: "simulated", Out: "kept", Format: "text", Force: true}
		err := c.Run(&session{streams: streams{&stdout, io.Discard}, stop: stop, cleanup: &cleanup{}})
		var code coded
		if !errors.As(err, &code) || code.code != exitInterrupted || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", designs, err)
		}
		if printed := strings.Contains(stdout.String(), "incrby"); printed != strings.Contains(want, "kept") {
			t.Errorf("%s: %s", designs, stdout.String())
		}
	}
	if all := readFaults(t, "kept/faults.json").Designs; len(all) != 1 || all[0].Name != "incrby" {
		t.Errorf("kept: %v", all)
	}
}

func TestFaultsOnARealServer(t *testing.T) {
	redistest.Path(t)
	code, out, errOut := invoke(t, "faults", "--server", "redis", "reading back,incrby,payload-first-swept")
	if code != exitOK || errOut != "" {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	for _, want := range []string{"on redis ", "(throw-away)", "client> SET rmwbench:fault:{0}", "3 designs, 27 cases", ": 1 is retry-safe"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if o := readFaults(t, "rmwbench-faults/faults.json"); o.Source != "live" || !o.Server.Started || len(o.Designs) != 3 {
		t.Errorf("source %q, %+v, %d designs", o.Source, o.Server, len(o.Designs))
	}
}

// written is what the tests read of faults.json.
type written struct {
	Source  string
	Server  struct{ Started bool }
	Designs []struct {
		Name string `json:"design"`
	}
}

func readFaults(t *testing.T, path string) (o written) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// The names and types of faults.json: other people's programs read it. What is
// printed with --format json is the same.
func TestFaultsKeys(t *testing.T) {
	code, out, errOut := invoke(t, "faults", "--server", "simulated", "--format", "json", "setex,payload-first-hasty")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	text, err := os.ReadFile("rmwbench-faults/faults.json")
	if err != nil || string(text) != out {
		t.Errorf("the file (%v) is not what is printed", err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	paths(v, "", found)
	golden(t, "faults_keys.txt", strings.Join(slices.Sorted(maps.Keys(found)), "\n")+"\n")
}

// paths collects the fields of a JSON value with their types: a.b for objects,
// a[] for lists.
func paths(v any, path string, found map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			paths(e, strings.TrimPrefix(path+"."+k, "."), found)
		}
	case []any:
		found[path+" list"] = true
		for _, e := range v {
			paths(e, path+"[]", found)
		}
	case nil:
		found[path+" null"] = true
	default:
		found[strings.Replace(fmt.Sprintf("%s %T", path, v), "float64", "number", 1)] = true
	}
}
