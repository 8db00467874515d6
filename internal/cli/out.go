package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const resultsFile = "results.jsonl"

func resultsPath(dir string) string { return filepath.Join(dir, resultsFile) }

// profilePath is where a run leaves what it calibrated.
func profilePath(dir string) string { return filepath.Join(dir, "profile.json") }

// outputFlags say where results go and what is printed.
type outputFlags struct {
	drawFlags
	Out   string `placeholder:"DIR" default:"rmwbench-out" group:"output" help:"Directory for the results file and the report (${default})."`
	Force bool   `group:"output" help:"Overwrite the results file that is there."`
	CSV   bool   `name:"csv" group:"output" help:"Print the table as CSV."`
	Quiet bool   `short:"q" group:"output" help:"Print the table and what makes rows void, nothing else."`
}

func (f *outputFlags) checkOut() error { return checkOut(f.Out, f.Force) }

// checkOut refuses to overwrite results, and a directory that is none.
func checkOut(dir string, force bool) error {
	if dir == "" {
		return errors.New(`--out "": want a directory`)
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("--out %s: is not a directory", dir)
	}
	if force {
		return nil
	}
	for _, name := range []string{resultsPath(dir), profilePath(dir)} {
		if _, err := os.Stat(name); err == nil {
			return fmt.Errorf("--out %s: there are results already (%s): name another directory, or --force to overwrite them", dir, filepath.Base(name))
		}
	}
	return nil
}

// createResults opens an empty results file, and the directory for it. Without
// force the file must be new: another run may have come in between.
func createResults(dir string, force bool) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("--out %s: %w", dir, cause(err))
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !force {
		flags |= os.O_EXCL
	}
	file, err := os.OpenFile(resultsPath(dir), flags, 0o644)
	if err != nil {
		return nil, fmt.Errorf("--out %s: %w", dir, cause(err))
	}
	return file, nil
}

// cause drops the path that our own message names already.
func cause(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}
