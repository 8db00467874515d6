package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"rmwbench/internal/claims"
	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/internal/redisd"
	"rmwbench/internal/report"
	"rmwbench/results"
)

// claimsCmd checks what people say.
type claimsCmd struct {
	serverFlags
	Leave   bool   `name:"yes-load-this-server" group:"server" help:"Let a named server be touched where others use it: SCRIPT FLUSH, FUNCTION LOAD, scripts that block it for up to 0.2 s at a time."`
	Format  string `placeholder:"FORMAT" enum:"text,json" default:"text" group:"output" help:"text or json (${default}); json has the evidence too."`
	Verbose bool   `short:"v" group:"output" help:"Show the evidence: commands and replies."`
}

// claimsOutput is what --format json prints.
type claimsOutput struct {
	Version    string              `json:"version"` // of the tool
	Started    time.Time           `json:"started"`
	Server     results.ServerFacts `json:"server"`
	Claims     []claims.Result     `json:"claims"`
	Holds      int                 `json:"holds"`
	Differs    int                 `json:"differs"`
	NotChecked int                 `json:"not_checked"`
}

// Run is the verb. A claim that differs is information: the exit code tells
// only whether the checking itself went well.
func (c *claimsCmd) Run(s *session) error {
	if err := c.checkFlags(); err != nil {
		return usage(err)
	}
	world, lab, err := c.open(s)
	if err != nil {
		return err
	}
	defer world.Close()
	facts, err := world.Facts()
	if err != nil {
		return err
	}
	progress := newProgress(s.err, false)
	cfg := claims.Config{
		Server: claims.Live(world), Lab: lab, Leave: c.Leave, Prefix: keyPrefix(), Stop: s.stop,
		Progress: func(name string, done, total int) {
			progress.note(fmt.Sprintf("%d of %d claims: %s", done, total, name))
		},
	}
	all, err := claims.Run(cfg)
	progress.end()
	if len(all) > 0 {
		out := claimsOutput{Version: version(), Started: world.Began(), Server: facts, Claims: all}
		out.count()
		if printErr := c.print(s.out, out); printErr != nil {
			return printErr
		}
	}
	if errors.Is(err, engine.ErrInterrupted) {
		return coded{engine.ErrInterrupted, exitInterrupted}
	}
	return err
}

func (c *claimsCmd) checkFlags() error {
	if c.Leave && !c.named() {
		return errors.New("--yes-load-this-server goes with a named server: give -h, -p, -s or -u")
	}
	if c.Verbose && c.Format == "json" {
		return errors.New("-v and --format json: json has the evidence already")
	}
	return c.check()
}

// open connects to the named server, which gets no lab, or to one that it
// starts, which ends with the program as all others of its lab do.
func (c *claimsCmd) open(s *session) (*live.World, claims.Lab, error) {
	if c.named() {
		world, _, err := c.connect(s)
		return world, nil, err
	}
	server, err := c.start()
	if err != nil {
		return nil, nil, err
	}
	ends := func(server *redisd.Server) { s.cleanup.add(func() { _ = server.Stop() }) }
	ends(server)
	lab := &claims.Local{Program: server.Program, Protocol: c.protocol(), Stop: s.stop, Started: ends}
	world, err := lab.Connect(server)
	return world, lab, err
}

// count counts the verdicts.
func (o *claimsOutput) count() {
	for _, r := range o.Claims {
		switch r.Verdict {
		case claims.Holds:
			o.Holds++
		case claims.Differs:
			o.Differs++
		default:
			o.NotChecked++
		}
	}
}

func (c *claimsCmd) print(w io.Writer, o claimsOutput) error {
	if c.Format == "json" {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(o)
	}
	fmt.Fprintf(w, "What people say, on %s\n\n", report.ServerName(o.Server))
	if c.Verbose {
		for _, r := range o.Claims {
			printEvidence(w, r)
		}
	} else {
		fmt.Fprintln(w, claimsTable(o.Claims))
	}
	fmt.Fprintf(w, "\n%d claims: %d hold, %d differ, %d not checked\n", len(o.Claims), o.Holds, o.Differs, o.NotChecked)
	return nil
}

// Widths of the columns, in characters.
const (
	claimWidth = 50
	seenWidth  = 60
)

func claimsTable(all []claims.Result) string {
	t := newTable("verdict", "claim", "what was seen, or why not")
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 2, WidthMax: claimWidth, WidthMaxEnforcer: text.WrapSoft},
		{Number: 3, WidthMax: seenWidth, WidthMaxEnforcer: text.WrapSoft},
	})
	for _, r := range all {
		t.AppendRow(table.Row{r.Verdict, r.Claim, r.Seen})
	}
	return t.Render()
}

// printEvidence prints a claim with the dialogue that its verdict rests on.
func printEvidence(w io.Writer, r claims.Result) {
	fmt.Fprintf(w, "%s: %s\n  %s\n  %s: %s\n", r.Name, r.Claim, r.Source, r.Verdict, r.Seen)
	for _, line := range r.Evidence {
		if line.On == "" {
			fmt.Fprintf(w, "    %s\n", line.Sent)
			continue
		}
		fmt.Fprintf(w, "    %s> %s\n        %s\n", line.On, line.Sent, line.Reply)
	}
	fmt.Fprintln(w)
}
