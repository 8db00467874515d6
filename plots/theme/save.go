package theme

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Save writes the page to a file, in the format of its extension: .png, .svg or
// .pdf. The file appears when it is complete; on an error what was there stays.
func (p Page) Save(path string) (err error) {
	write := map[string]func(*sheet, io.Writer) error{
		".png": writePNG, ".svg": writeSVG, ".pdf": writePDF,
	}[strings.ToLower(filepath.Ext(path))]
	if write == nil {
		return fmt.Errorf("picture %s: unknown format %q: use .png, .svg or .pdf", path, filepath.Ext(path))
	}
	if err := p.Check(); err != nil {
		return fmt.Errorf("picture %s: %w", path, err)
	}

	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("picture %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("picture %s: %w", path, err)
		}
	}()
	if err := write(layout(p), f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// WritePNG writes the page as a PNG.
func (p Page) WritePNG(w io.Writer) error {
	if err := p.Check(); err != nil {
		return err
	}
	return writePNG(layout(p), w)
}
