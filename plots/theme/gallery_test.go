package theme

import (
	"flag"
	"path/filepath"
	"testing"
)

var gallery = flag.String("gallery", "", "directory to leave the sample pages in, to be looked at")

func TestGallery(t *testing.T) {
	if *gallery == "" {
		t.Skip("no -gallery")
	}
	for name, p := range samples() {
		for _, ext := range []string{".png", ".svg", ".pdf"} {
			if err := p.Save(filepath.Join(*gallery, name+ext)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
