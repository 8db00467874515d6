// Package cli owns the command line: the grammar, one file for each verb, what
// is printed where, and exit codes. Nothing below it prints.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"rmwbench/internal/profile"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitAudit       = 3 // lost, extra or broken effects
	exitGoal        = 5 // a stated load misses the goal
	exitInterrupted = 130
)

const description = `Compares ways of doing a read-modify-write on Redis or Valkey that must not lose
concurrent updates: WATCH/MULTI/EXEC with retries, a Lua script, one atomic
command, and wrong loops as controls. It measures them under contention and
proves after every trial that no update was lost.`

// grammar is the command line.
type grammar struct {
	Help    helpFlag    `help:"Show this help."`
	Version versionFlag `help:"Show the version."`

	Run       runCmd       `cmd:"" help:"Measure strategies x workloads x contention on a server: a table, a results file, a report."`
	Simulate  simulateCmd  `cmd:"" help:"Predict the same without a server, in virtual time, from the costs in a profile."`
	Calibrate calibrateCmd `cmd:"" help:"Measure what a server's commands and round trips cost, into a profile for 'simulate'."`
	Plot      plotCmd      `cmd:"" help:"Draw the report of results files again, without a server."`
	Faults    faultsCmd    `cmd:"" help:"The failure matrix: which retry designs corrupt the stored state when an exchange breaks, and which do not."`
	List      listCmd      `cmd:"" help:"Show strategies, workloads, distributions, back-offs, profiles and charts."`
}

// streams are where a verb prints.
type streams struct {
	out, err io.Writer
}

// session is what a verb is run with.
type session struct {
	streams
	args     []string
	stop     <-chan struct{} // closed at the first interrupt
	cleanup  *cleanup
	terminal *os.File // stdout, where it is a file
}

// checked remembers the first write that failed.
type checked struct {
	io.Writer
	err error
}

func (w *checked) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

// coded is an error with its exit code.
type coded struct {
	error
	code int
}

func (c coded) Unwrap() error { return c.error }

// usage marks an error as the user's.
func usage(err error) error { return coded{err, exitUsage} }

// errSilent ends a verb with a code when everything has been said.
var errSilent = errors.New("")

// Main runs the command line and answers its exit code. The first interrupt
// ends the verb in good order, the second one at once.
func Main(args []string, out, errOut io.Writer) int {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(interrupts)
	// A reader that goes away makes a write fail, and must not kill the program
	// before it has cleaned up.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	defer signal.Stop(pipes)
	return run(args, streams{out, errOut}, interrupts)
}

func run(args []string, std streams, interrupts <-chan os.Signal) int {
	stop := make(chan struct{})
	s := &session{streams: std, args: args, stop: stop, cleanup: &cleanup{}}
	defer s.cleanup.run()
	done := make(chan int, 1)
	go func() { done <- s.main() }()
	select {
	case code := <-done:
		return code
	case <-interrupts:
		close(stop)
	}
	select {
	case code := <-done:
		return code
	case <-interrupts:
		return exitInterrupted
	}
}

func (s *session) main() (code int) {
	out := &checked{Writer: s.out}
	if file, ok := s.out.(*os.File); ok {
		s.terminal = file
	}
	s.out = out
	err := s.parse()
	if out.err != nil && (err == nil || err.Error() == "") {
		err = fmt.Errorf("the output could not be written: %w", cause(out.err))
	}
	var c coded
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &c):
		code = c.code
	default:
		code = exitFailed
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(s.err, "rmwbench: %s\n", strings.ReplaceAll(text, "\n", "; "))
	}
	return code
}

// exited carries the exit code that kong's own flags ask for.
type exited int

func (s *session) parse() (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exited:
			err = nil
		default:
			panic(r)
		}
	}()
	var g grammar
	parser, err := kong.New(&g,
		kong.Name("rmwbench"), kong.Description(description),
		kong.NoDefaultHelp(), kong.Writers(s.out, s.err),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.ExplicitGroups([]kong.Group{
			{Key: "server", Title: "Server:"},
			{Key: "simulation", Title: "Simulation:"},
			{Key: "contention", Title: "Contention:"},
			{Key: "time", Title: "Time:"},
			{Key: "retries", Title: "Retries:"},
			{Key: "faults", Title: "Faults:"},
			{Key: "length", Title: "Length and repetition:"},
			{Key: "goal", Title: "Goal:"},
			{Key: "output", Title: "Output:"},
		}),
		kong.Vars{"version": version(), "profile": profile.Default},
	)
	if err != nil {
		return err
	}
	args := s.args
	if len(args) == 0 {
		args = []string{"--help"}
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		return usage(fmt.Errorf("%w (see rmwbench %s)", err, helpFor(args)))
	}
	return ctx.Run(s)
}

// helpFor is the help to point at: the verb's, if one was given.
func helpFor(args []string) string {
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "run", "simulate", "calibrate", "plot", "faults", "list":
			return args[0] + " --help"
		}
	}
	return "--help"
}

// helpFlag is --help; -h is the host.
type helpFlag bool

func (helpFlag) IsBool() bool { return true }

// BeforeReset prints the help of the verb given so far.
func (helpFlag) BeforeReset(app *kong.Kong, ctx *kong.Context) error {
	if err := ctx.PrintUsage(false); err != nil {
		return err
	}
	app.Exit(exitOK)
	return nil
}

// versionFlag is --version.
type versionFlag bool

func (versionFlag) IsBool() bool { return true }

// BeforeReset prints the version.
func (versionFlag) BeforeReset(app *kong.Kong, vars kong.Vars) error {
	fmt.Fprintln(app.Stdout, "rmwbench "+vars["version"])
	app.Exit(exitOK)
	return nil
}

// version is the module's version as the build knows it.
func version() string {
	build, ok := debug.ReadBuildInfo()
	if !ok || build.Main.Version == "" || build.Main.Version == "(devel)" {
		return "devel"
	}
	return build.Main.Version
}
