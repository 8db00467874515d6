package plots

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"rmwbench/internal/report"
)

// Options are what else to write beside PNGs and pages.
type Options struct {
	SVG, PDF bool
}

// Write writes a report into a directory: the pictures, index.html with the
// pictures inside, and report.md. It answers the names of what it wrote. No
// file is ever left half written.
func Write(dir string, r *report.Report, o Options) (written []string, err error) {
	album := Pictures(r)
	all := slices.Concat(append([][]Picture{album.Comparisons}, album.Settings...)...)
	if written, err = save(dir, all, o); err != nil {
		return nil, err
	}
	page, err := html(dir, r, album)
	if err != nil {
		return nil, err
	}
	for name, text := range map[string][]byte{"index.html": page, "report.md": markdown(r, album)} {
		if err := replace(filepath.Join(dir, name), text); err != nil {
			return nil, err
		}
	}
	return append(written, "index.html", "report.md"), nil
}

// save draws pictures into a directory, and answers the names of the files.
func save(dir string, pictures []Picture, o Options) (written []string, err error) {
	endings := []string{".png"}
	if o.SVG {
		endings = append(endings, ".svg")
	}
	if o.PDF {
		endings = append(endings, ".pdf")
	}
	var jobs []func() error
	for _, p := range pictures {
		for _, ending := range endings {
			written = append(written, p.Name+ending)
			jobs = append(jobs, func() error {
				if err := p.Page.Save(filepath.Join(dir, p.Name+ending)); err != nil {
					return fmt.Errorf("%s: %w", p.Name+ending, err)
				}
				return nil
			})
		}
	}
	if err := parallel(jobs); err != nil {
		return nil, err
	}
	return written, nil
}

// parallel runs jobs on all cores and answers the first error.
func parallel(jobs []func() error) error {
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, job := range jobs {
		free <- struct{}{}
		wg.Go(func() {
			if err := job(); err != nil {
				once.Do(func() { first = err })
			}
			<-free
		})
	}
	wg.Wait()
	return first
}

// replace writes a file beside its place and moves it there.
func replace(path string, text []byte) error {
	temporary := path + ".new"
	if err := os.WriteFile(temporary, text, 0o644); err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		os.Remove(temporary)
		return err
	}
	return nil
}
