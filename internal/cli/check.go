package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"rmwbench/internal/check"
	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/internal/report"
)

// checkCmd asks whether a batch may be sent twice. It takes no address: it
// empties databases, and only those of a server that it has started itself.
type checkCmd struct {
	File   string `arg:"" help:"The batch."`
	Server string `placeholder:"KIND" enum:"auto,redis,valkey,embedded" default:"auto" group:"server" help:"What to start: auto, redis, valkey, embedded (${default}: redis-server or valkey-server from PATH, else embedded)."`
	Format string `placeholder:"FORMAT" enum:"text,json" default:"text" group:"output" help:"text or json (${default})."`
}

// Help describes the file.
func (checkCmd) Help() string {
	return `A line of FILE is an exchange, typed as into redis-cli. The lines from MULTI to
EXEC are one. A leading + joins a line to the one before (a pipeline); # begins
a comment line; ${op} is the operation id, the same in a retry.

  #! start: CMD                          builds the state that every run starts from
  #! script FILE keys... -- args...      a Lua script, as a line of the batch
  #! stop-if REPLY                       the client ends here, its work done, when
                                         the line above is answered nil, 0, ...
  #! owner: NAME [PATTERN...]            NAME takes care of what a crash leaves, or of
                                         the keys that match
  #! ref: KEY [ELEMENT] -> KEY           the first key points to the second; with such
                                         a line no reference is guessed from names
  #! exec: checked                       the client looks at every element of EXEC's
                                         reply, and ends at an error

An error reply ends the client; otherwise it sends line after line. The batch
runs once, twice, and cut off after each command and then retried, on a server
that is started for it and ends with it; a server of yours is never touched.
End states are compared key by key, deadlines as absolute times.

Exit: 0 safe, with or without warnings; 4 a second run or a retry after a crash
ends in another state than one run; 2 the file is malformed; 1 the server
refuses a command of the first run, or the embedded server cannot tell.`
}

// Run is the verb.
func (c *checkCmd) Run(s *session) error {
	batch, err := c.parse()
	if err != nil {
		return usage(err)
	}
	flags := serverFlags{Server: c.Server}
	target, err := flags.startServer(s, "--databases", strconv.Itoa(batch.Databases()))
	if err != nil {
		return err
	}
	target.Protocol = 2 // the plainest replies
	world, err := live.Open(target, s.stop)
	if err != nil {
		return err
	}
	defer world.Close()
	facts, err := world.Facts()
	if err != nil {
		return err
	}
	found, err := check.Check(world, batch, check.Config{Embedded: target.Embedded, Stop: s.stop})
	switch {
	case errors.Is(err, engine.ErrInterrupted):
		return coded{err, exitInterrupted}
	case err != nil && target.Embedded:
		return fmt.Errorf("%w (the embedded server knows less than Redis)", err)
	case err != nil:
		return err
	}
	found.Server = report.ServerName(facts)
	if err := c.print(s, found); err != nil {
		return err
	}
	switch {
	case found.Safe == nil:
		return check.ErrNotJudged
	case !*found.Safe:
		return coded{errSilent, exitUnsafe}
	}
	return nil
}

// parse reads the batch. Its scripts lie beside it.
func (c *checkCmd) parse() (*check.Batch, error) {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.File, cause(err))
	}
	return check.Parse(c.File, string(text), func(name string) (string, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(c.File), name)
		}
		body, err := os.ReadFile(name)
		return string(body), cause(err)
	})
}

func (c *checkCmd) print(s *session, r *check.Report) error {
	if c.Format == "json" {
		encoder := json.NewEncoder(s.out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	lines(s.out, r.Lines())
	if rows := r.Table(); len(rows) > 0 {
		t := newTable("dies after", "command", "leaves", "after a retry")
		for _, row := range rows {
			t.AppendRow(tableRow(row))
		}
		fmt.Fprintf(s.out, "\n%s\n", t.Render())
	}
	fmt.Fprintf(s.out, "\n%s\n", r.Verdict)
	return nil
}
