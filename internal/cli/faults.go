package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"rmwbench/internal/engine"
	"rmwbench/internal/fault"
	"rmwbench/internal/live"
	"rmwbench/internal/profile"
	"rmwbench/internal/redisd"
	"rmwbench/internal/report"
	"rmwbench/internal/sim"
	"rmwbench/internal/state"
	"rmwbench/internal/verdict"
	"rmwbench/results"
	"rmwbench/strategies"
)

// faultsCmd shows the failure matrix. It takes no address: every case begins
// with an empty server, and only one that it has started itself.
type faultsCmd struct {
	Designs names  `arg:"" optional:"" name:"design" help:"Designs to try, or groups of them, separated by commas; all without any."`
	Server  string `placeholder:"KIND" enum:"auto,redis,valkey,simulated" default:"auto" group:"server" help:"What to try them on: auto, redis, valkey, simulated (${default}: redis-server or valkey-server from PATH, else simulated). A server of yours is never touched."`
	drawFlags
	Out    string `placeholder:"DIR" default:"rmwbench-faults" group:"output" help:"Directory for faults.json and the pictures (${default})."`
	Force  bool   `group:"output" help:"Overwrite what is there."`
	Format string `placeholder:"FORMAT" enum:"text,json" default:"text" group:"output" help:"What to print: text or json (${default})."`
	Quiet  bool   `short:"q" group:"output" help:"Leave out the worked examples."`
}

// faultsOutput is what faults.json holds.
type faultsOutput struct {
	Version string              `json:"version"` // of the tool
	Started time.Time           `json:"started"`
	Server  results.ServerFacts `json:"server"`
	Source  string              `json:"source"`  // live or simulated
	Partial bool                `json:"partial"` // it was interrupted: not all designs were tried
	Designs []fault.Verdict     `json:"designs"`
}

// Run is the verb.
func (c *faultsCmd) Run(s *session) error {
	designs, err := c.designs()
	if err != nil {
		return usage(err)
	}
	if err := c.checkOut(); err != nil {
		return usage(err)
	}
	watch := live.StartStopwatch()
	server, facts, err := c.open(s)
	if err != nil {
		return err
	}
	out := faultsOutput{Version: version(), Started: watch.Began.UTC().Truncate(time.Second), Server: facts, Source: results.SourceLive}
	if !facts.Started {
		out.Source = results.SourceSimulated
	}
	progress := newProgress(s.err, false)
	out.Designs, err = fault.Matrix(server, designs, s.stop, func(v *fault.Verdict) {
		progress.note(v.Name + ": " + v.Words())
	})
	progress.end()
	out.Partial = err != nil
	if len(out.Designs) > 0 {
		files, failed := c.write(out)
		err = errors.Join(err, failed, c.print(s.out, out, files))
	}
	if errors.Is(err, engine.ErrInterrupted) {
		return coded{fmt.Errorf("%w: %d of %s tried%s", err, len(out.Designs), verdict.Count(len(designs), "design"), c.kept(out)), exitInterrupted}
	}
	for _, v := range out.Designs {
		if broken := v.Broken(); broken != "" {
			err = errors.Join(err, errors.New(broken))
		}
	}
	return err
}

// kept says where the matrix is of what was tried before an interrupt.
func (c *faultsCmd) kept(o faultsOutput) string {
	if len(o.Designs) == 0 {
		return ""
	}
	return ", and kept in " + c.path(faultsFile)
}

// designs are those asked for.
func (c *faultsCmd) designs() (all []string, err error) {
	if len(c.Designs) == 0 {
		return fault.ByGroup(), nil
	}
	for _, name := range c.Designs {
		members := fault.Group(name)
		if members == nil {
			if _, err := fault.Designs.Get(name); err != nil {
				return nil, fmt.Errorf("%w; groups: %s", err, strings.Join(fault.Groups, ", "))
			}
			members = []string{name}
		}
		for _, m := range members {
			if slices.Contains(all, m) {
				return nil, fmt.Errorf("design %s: asked for twice", m)
			}
			all = append(all, m)
		}
	}
	return all, nil
}

func (c *faultsCmd) path(name string) string { return filepath.Join(c.Out, name) }

// faultsFile is the matrix.
const faultsFile = "faults.json"

func (c *faultsCmd) checkOut() error {
	if c.Out == "" {
		return errors.New(`--out "": want a directory`)
	}
	if info, err := os.Stat(c.Out); err == nil && !info.IsDir() {
		return fmt.Errorf("--out %s: is not a directory", c.Out)
	}
	if _, err := os.Stat(c.path(faultsFile)); err == nil && !c.Force {
		return fmt.Errorf("--out %s: there is a %s already: name another directory, or --force to overwrite it", c.Out, faultsFile)
	}
	return nil
}

// open starts what the matrix is tried on.
func (c *faultsCmd) open(s *session) (server fault.Server, facts results.ServerFacts, err error) {
	if c.Server != "simulated" {
		var products []string
		if c.Server != "auto" {
			products = []string{c.Server}
		}
		path, err := redisd.Find(products...)
		if err == nil {
			return c.start(s, path)
		}
		if c.Server != "auto" || !errors.Is(err, redisd.ErrNotFound) {
			return server, facts, fmt.Errorf("--server %s: %w", c.Server, err)
		}
	}
	p, err := profile.Open(profile.Default)
	if err != nil {
		return server, facts, err
	}
	world := sim.New(sim.Config{Profile: p}, 1)
	facts = results.ServerFacts{Product: p.Product, Version: p.Version, Address: p.Name}
	return fault.Server{
		World: world, Facts: strategies.Facts{Product: p.Product, Version: p.Version},
		Clock: state.Exact, Restart: world.Restart,
	}, facts, nil
}

// start starts the program, with a log of its commands: what the system was given
// of it survives that the process is killed.
func (c *faultsCmd) start(s *session, path string) (server fault.Server, facts results.ServerFacts, err error) {
	process, err := redisd.Start(path, "--appendonly", "yes", "--appendfsync", "no")
	if err != nil {
		return server, facts, err
	}
	var mu sync.Mutex // guards ended and process
	ended := false
	s.cleanup.add(func() {
		mu.Lock()
		defer mu.Unlock()
		ended = true
		_ = process.Stop()
	})
	world, err := live.Open(live.Target{Network: process.Network, Address: process.Address, Started: true}, s.stop)
	if err != nil {
		return server, facts, err
	}
	s.cleanup.add(world.Close)
	if facts, err = world.Facts(); err != nil {
		return server, facts, err
	}
	server = fault.Server{World: world, Restart: func() error {
		mu.Lock()
		defer mu.Unlock()
		if ended {
			return engine.ErrInterrupted
		}
		again, err := process.Restart()
		if err == nil {
			process = again
		}
		return err
	}}
	if server.Facts, err = world.Known(facts); err != nil {
		return server, facts, err
	}
	conn, err := world.Dial(engine.Control)
	if err != nil {
		return server, facts, err
	}
	defer conn.Close()
	session, err := conn.Session("")
	if err == nil {
		server.Clock, err = state.ClockOf(session, false)
	}
	return server, facts, err
}

// write leaves the matrix as JSON and as pictures, and answers the files that it
// wrote.
func (c *faultsCmd) write(o faultsOutput) (files []string, err error) {
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return nil, fmt.Errorf("--out %s: %w", c.Out, cause(err))
	}
	if err := writeFile(c.path(faultsFile), func(w io.Writer) error { return encode(w, o) }); err != nil {
		return nil, err
	}
	files = []string{c.path(faultsFile)}
	if o.Partial { // a picture of some would pass for one of all
		return files, nil
	}
	pictures, err := o.matrix().Write(c.Out, c.options())
	if err != nil {
		return files, fmt.Errorf("the matrix could not be drawn: %w", err)
	}
	for _, name := range pictures {
		files = append(files, c.path(name))
	}
	return files, nil
}

func encode(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

func (o faultsOutput) title() string {
	if o.Source == results.SourceSimulated {
		return "in the simulated world, as " + o.Server.Product + " " + o.Server.Version + " answers"
	}
	return "on " + report.ServerName(o.Server)
}

// designWidth is the width of the column that says what a design is, in
// characters.
const designWidth = 60

// print shows the matrix, and says which files it was left in.
func (c *faultsCmd) print(w io.Writer, o faultsOutput, files []string) error {
	if c.Format == "json" {
		return encode(w, o)
	}
	fmt.Fprintf(w, "What becomes of an op when an exchange breaks, %s\n", o.title())
	if o.Partial {
		fmt.Fprintln(w, "Interrupted: not all designs were tried.")
	}
	group := ""
	var t table.Writer
	flush := func() {
		if t != nil {
			fmt.Fprintln(w, t.Render())
		}
	}
	for i := range o.Designs {
		v := &o.Designs[i]
		if v.Design.Group != group {
			flush()
			group = v.Design.Group
			fmt.Fprintf(w, "\n%s\n", heading(group))
			t = newTable("design", "what the client does", "cases", "applied", "verdict")
			t.SetColumnConfigs([]table.ColumnConfig{
				{Number: 2, WidthMax: designWidth, WidthMaxEnforcer: text.WrapSoft},
				{Number: 3, Align: text.AlignRight, AlignHeader: text.AlignRight},
				{Number: 5, WidthMax: designWidth, WidthMaxEnforcer: text.WrapSoft},
			})
		}
		t.AppendRow(table.Row{v.Name, v.Design.Summary, len(v.Cases), strings.Join(v.Applied(), " "), v.Words()})
	}
	flush()
	if !c.Quiet {
		for i := range o.Designs {
			v := &o.Designs[i]
			for _, e := range v.Examples() {
				fmt.Fprintf(w, "\n%s, %s\n", v.Name, strings.Join(e.Lines(), "\n"))
			}
		}
	}
	fmt.Fprintf(w, "\n%s, %s, each on a state of its own: %s.\n", verdict.Count(len(o.Designs), "design"), verdict.Count(o.cases(), "case"), safe(o.Designs))
	fmt.Fprintf(w, "Matrix: %s\n", verdict.Join(files))
	return nil
}

// safe says how many designs have no flaw.
func safe(all []fault.Verdict) string {
	n := 0
	for i := range all {
		if all[i].Words() == fault.Safe {
			n++
		}
	}
	if n == 1 {
		return "1 is " + fault.Safe + " and leaves nothing"
	}
	return fmt.Sprintf("%d are %s and leave nothing", n, fault.Safe)
}
