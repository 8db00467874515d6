package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors says on which floor each package stands. Imports only point down.
var floors = map[string]int{
	"rmwbench/scripts":                   0,
	"rmwbench/results":                   0,
	"rmwbench/internal/registry":         0,
	"rmwbench/internal/resp":             0,
	"rmwbench/contention":                1,
	"rmwbench/workloads":                 1,
	"rmwbench/strategies":                2,
	"rmwbench/internal/model":            2,
	"rmwbench/internal/profile":          1,
	"rmwbench/internal/goal":             1,
	"rmwbench/internal/store":            2,
	"rmwbench/internal/calibrate":        4,
	"rmwbench/internal/sim":              4,
	"rmwbench/internal/engine":           3,
	"rmwbench/internal/report":           3,
	"rmwbench/internal/verdict":          3,
	"rmwbench/internal/state":            3,
	"rmwbench/internal/fault":            4,
	"rmwbench/internal/live":             4,
	"rmwbench/internal/redisd":           4,
	"rmwbench/internal/redisd/redistest": 5, // for tests only
	"rmwbench/plots/theme":               3,
	"rmwbench/plots":                     4,
	"rmwbench/internal/cli":              5,
	"rmwbench":                           6,
}

// sameFloor lists the imports between packages of one floor.
var sameFloor = map[string][]string{
	"rmwbench/scripts":         {"rmwbench/internal/registry"},
	"rmwbench/internal/report": {"rmwbench/internal/verdict"},
}

// owners says which package alone imports a library, or a part of one.
var owners = map[string][]string{
	"github.com/redis/rueidis":                {"rmwbench/internal/live"},
	"github.com/HdrHistogram/hdrhistogram-go": {"rmwbench/results"},
	"golang.org/x/perf/benchmath":             {"rmwbench/results"},
	"github.com/alicebob/miniredis/v2":        {"rmwbench/internal/redisd"},
	"github.com/alecthomas/kong":              {"rmwbench/internal/cli"},
	"github.com/jedib0t/go-pretty/v6/table":   {"rmwbench/internal/cli"},
	"github.com/jedib0t/go-pretty/v6/text":    {"rmwbench/internal/cli"},
	"gonum.org/v1/plot":                       {"rmwbench/plots/theme"},
	"github.com/guptarohit/asciigraph":        {"rmwbench/internal/cli"},
	"golang.org/x/term":                       {"rmwbench/internal/cli"},
	"golang.org/x/sys/unix":                   {"rmwbench/internal/live"},
}

// restricted says which packages alone may use what belongs to the world
// outside: the clock, the terminal and the end of the process.
var restricted = map[string][]string{
	"time.Now":       {"rmwbench/internal/live", "rmwbench/internal/redisd"},
	"time.Since":     {"rmwbench/internal/live", "rmwbench/internal/redisd"},
	"time.Until":     {"rmwbench/internal/live", "rmwbench/internal/redisd"},
	"time.Sleep":     {"rmwbench/internal/live", "rmwbench/internal/redisd"},
	"time.After":     {"rmwbench/internal/live", "rmwbench/internal/redisd"},
	"time.NewTimer":  {"rmwbench/internal/live", "rmwbench/internal/redisd"},
	"time.AfterFunc": {"rmwbench/internal/live", "rmwbench/internal/redisd"},
	"os.Exit":        {"rmwbench"},
	"os.Stdout":      {"rmwbench"},
	"os.Stderr":      {"rmwbench"},
	"fmt.Print":      {},
	"fmt.Printf":     {},
	"fmt.Println":    {},
	"rand.New":       {"rmwbench/contention"},
}

// packageRandom are the functions of math/rand/v2 that draw from the source
// that all of a program shares.
var packageRandom = []string{"Int", "IntN", "Int64N", "Uint64", "Uint64N", "Float64", "Perm", "Shuffle", "N"}

// sources parses every non-test file of the module.
func sources(t *testing.T) map[string][]*ast.File {
	t.Helper()
	packages := map[string][]*ast.File{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		pkg := path.Join("rmwbench", filepath.ToSlash(filepath.Dir(name)))
		packages[pkg] = append(packages[pkg], file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < 10 {
		t.Fatalf("found only %d packages: is the test run from the module's root?", len(packages))
	}
	return packages
}

func TestImportsOnlyPointDown(t *testing.T) {
	for pkg, files := range sources(t) {
		floor, ok := floors[pkg]
		if !ok {
			t.Errorf("%s stands on no floor: add it to the table", pkg)
			continue
		}
		for _, file := range files {
			for _, spec := range file.Imports {
				imported, _ := strconv.Unquote(spec.Path.Value)
				if !strings.HasPrefix(imported, "rmwbench") {
					continue
				}
				below := floors[imported] < floor || slices.Contains(sameFloor[pkg], imported)
				if !below {
					t.Errorf("%s (floor %d) imports %s (floor %d)", pkg, floor, imported, floors[imported])
				}
			}
		}
	}
}

func TestEveryLibraryHasOneOwner(t *testing.T) {
	used := map[string]bool{}
	for pkg, files := range sources(t) {
		for _, file := range files {
			for _, spec := range file.Imports {
				imported, _ := strconv.Unquote(spec.Path.Value)
				if !strings.Contains(strings.Split(imported, "/")[0], ".") {
					continue
				}
				module := moduleOf(imported)
				used[module] = true
				if !slices.Contains(owners[module], pkg) {
					t.Errorf("%s imports %s, which belongs to %v", pkg, imported, owners[module])
				}
			}
		}
	}
	for library := range owners {
		if !used[library] {
			t.Errorf("nobody imports %s: take it out of the table", library)
		}
	}
}

// moduleOf is the entry of the table that an import falls under.
func moduleOf(imported string) string {
	for module := range owners {
		if imported == module || strings.HasPrefix(imported, module+"/") {
			return module
		}
	}
	return imported
}

func TestTheOutsideWorldHasOwners(t *testing.T) {
	for pkg, files := range sources(t) {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				x, ok := sel.X.(*ast.Ident)
				if !ok {
					return true
				}
				name := x.Name + "." + sel.Sel.Name
				owner := strings.TrimSuffix(pkg, "/redistest") // may do what redisd may
				if allowed, ok := restricted[name]; ok && !slices.Contains(allowed, owner) {
					t.Errorf("%s uses %s, which belongs to %v", pkg, name, allowed)
				}
				if x.Name == "rand" && x.Obj == nil && slices.Contains(packageRandom, sel.Sel.Name) {
					t.Errorf("%s uses %s, which draws from a source that the program shares", pkg, name)
				}
				return true
			})
		}
	}
}

func TestEveryPackageSaysWhatItOwns(t *testing.T) {
	for pkg, files := range sources(t) {
		documented := slices.ContainsFunc(files, func(f *ast.File) bool { return f.Doc.Text() != "" })
		if !documented {
			t.Errorf("%s has no package comment", pkg)
		}
	}
}
