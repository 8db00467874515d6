package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"rmwbench/internal/calibrate"
	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/results"
)

// calibrateCmd measures a server's costs into a profile.
type calibrateCmd struct {
	serverFlags
	Budget duration `placeholder:"D" default:"5s" group:"length" help:"About how long to measure (${default})."`
	Out    string   `placeholder:"FILE" group:"output" help:"File to write the profile to (stdout)."`
	Force  bool     `group:"output" help:"Overwrite the file that is there."`
	Name   string   `placeholder:"TEXT" group:"output" help:"What is measured, in words (server, address and CPU)."`
}

// Run is the verb.
func (c *calibrateCmd) Run(s *session) error {
	if err := c.check(); err != nil {
		return usage(err)
	}
	if least := calibrate.MinBudget; time.Duration(c.Budget) < least || time.Duration(c.Budget) > maxBudget {
		return usage(fmt.Errorf("--budget %v: want %v to %v", time.Duration(c.Budget), least, maxBudget))
	}
	if err := c.checkFile(); err != nil {
		return usage(err)
	}
	world, _, err := c.connect(s)
	if err != nil {
		return err
	}
	defer world.Close()
	facts, err := world.Facts()
	if err != nil {
		return err
	}
	h := results.Header{Started: world.Began(), Environment: live.Environment(), Server: facts}
	config := calibrationOf(&h, keyPrefix(), time.Duration(c.Budget), s.stop)
	if c.Name != "" {
		config.Name = c.Name
	}
	p, err := calibrate.Measure(world, config)
	if errors.Is(err, engine.ErrInterrupted) {
		return coded{err, exitInterrupted}
	}
	if err != nil {
		return err
	}
	if c.Out == "" {
		return p.Write(s.out)
	}
	if err := writeFile(c.Out, p.Write); err != nil {
		return fmt.Errorf("--out %s: %w", c.Out, cause(err))
	}
	fmt.Fprintf(s.out, "Profile: %s\n", c.Out)
	return nil
}

const maxBudget = 10 * time.Minute

// calibrationOf names a calibration after what it is of.
func calibrationOf(h *results.Header, prefix string, budget time.Duration, stop <-chan struct{}) calibrate.Config {
	f := h.Server
	name := f.Product + " " + f.Version
	if !f.Started {
		name += " at " + f.Address
	}
	if h.Environment.CPU != "" {
		name += fmt.Sprintf(", from %d x %s", h.Environment.Cores, h.Environment.CPU)
	}
	return calibrate.Config{
		Name: name, Measured: h.Started.UTC().Format(time.DateOnly), Product: f.Product, Version: f.Version,
		Prefix: prefix, Budget: budget, Stop: stop,
	}
}

// checkFile refuses a file that is there, and one that cannot be made.
func (c *calibrateCmd) checkFile() error {
	if c.Out == "" {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(c.Out)); err != nil || !info.IsDir() {
		return fmt.Errorf("--out %s: there is no directory %s", c.Out, filepath.Dir(c.Out))
	}
	info, err := os.Stat(c.Out)
	switch {
	case err != nil:
		return nil
	case info.IsDir():
		return fmt.Errorf("--out %s: is a directory", c.Out)
	case !c.Force:
		return fmt.Errorf("--out %s: is there already: name another file, or --force to overwrite it", c.Out)
	}
	return nil
}

// writeFile writes a file beside its place and moves it there, so that none is
// ever half written.
func writeFile(name string, write func(io.Writer) error) error {
	temporary := name + ".new"
	file, err := os.Create(temporary)
	if err != nil {
		return err
	}
	if err = errors.Join(write(file), file.Close()); err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return err
}
