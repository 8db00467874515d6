package theme

import (
	"bytes"
	"image/png"
	"io"
	"regexp"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// pixelsPerInch makes a point two pixels.
const pixelsPerInch = 144

func writePNG(s *sheet, w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(vg.Points(s.width), vg.Points(s.height)), vgimg.UseDPI(pixelsPerInch))
	s.draw(pen{Canvas: c})
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	return e.Encode(w, c.Image())
}

// writeSVG draws text as shapes: a viewer without Liberation Sans would take a
// font of other widths, and titles and labels would run over.
func writeSVG(s *sheet, w io.Writer) error {
	c := vgsvg.New(vg.Points(s.width), vg.Points(s.height))
	page := pen{Canvas: c, outlines: true}
	page.box(white, rect{0, 0, s.width, s.height})
	s.draw(page)
	_, err := c.WriteTo(w)
	return err
}

var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:[^)]*\)`)

// writePDF draws text as shapes too: PDFs of gonum/plot know neither bold type nor
// Cyrillic. It blanks the dates, so that one page gives the same bytes every time;
// blanks, because a PDF refers to its parts by their offsets.
func writePDF(s *sheet, w io.Writer) error {
	c := vgpdf.New(vg.Points(s.width), vg.Points(s.height))
	s.draw(pen{Canvas: c, outlines: true})
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(pdfDate.ReplaceAllFunc(b.Bytes(), func(date []byte) []byte {
		return bytes.Repeat([]byte(" "), len(date))
	}))
	return err
}
