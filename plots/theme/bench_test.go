package theme

import (
	"io"
	"testing"
)

func BenchmarkPNG(b *testing.B) {
	all := samples()
	for _, name := range []string{"goodput", "collapse", "summary", "decades"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := all[name].WritePNG(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
