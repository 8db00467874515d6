// Package theme owns the page: what charts have in common. A chart says what it
// shows as plain data - panels of series, axes, marks, words - and theme draws
// it: fonts and sizes that can be read on a slide, colours that can be told
// apart by everyone and in grey, ticks where something was measured, labels at
// the lines they belong to, a title that says the finding, a subtitle that says
// the setting, and the small print. It knows nothing of benchmarks.
package theme

// Page is one picture.
type Page struct {
	Title    string   // the finding
	Warning  string   // what nobody may overlook, in bold between title and subtitle
	Subtitle string   // the setting
	Panels   []Panel  // one, or several side by side
	Columns  int      // panels in a row; 0: all
	Table    *Table   // in place of panels
	Text     []string // sentences under the panels, for a page of its own
	Small    []string // small print at the foot, each its own sentence
}

// Panel is one coordinate system.
type Panel struct {
	Title  string // what it shows; may be empty on a page of one panel
	X, Y   Axis
	Series []Series
	Marks  []Mark
	Notes  []string // what is not drawn and why, or how to read it
	Empty  string   // why there is nothing to draw; the panel shows this instead
}

// Scale is how an axis maps values to lengths.
type Scale uint8

// Percentile is the axis of HdrHistogram plots: a share q of samples, 0 <= q < 1,
// at log10(1/(1-q)), with ticks named p50, p90, p99, p99.9 and so on.
const (
	Linear Scale = iota
	Log
	Percentile
)

// Axis is one direction of a panel.
type Axis struct {
	Label string // with its unit
	Scale Scale
	// Ticks are where something was measured. nil: round steps, 1-2-5 on a
	// logarithmic axis.
	Ticks []float64
	// FromZero starts a linear axis at zero.
	FromZero bool
	// To is the end of the axis at least; 0: where the data end.
	To float64
}

// Stroke is how the points of a series are joined.
type Stroke uint8

// Solid joins what was measured, Dashed what was computed or extrapolated,
// without markers; Dots joins nothing. Band fills what lies between Lo and Hi of
// the points, in a light tint, and draws nothing else.
const (
	Solid Stroke = iota
	Dashed
	Dots
	Band
)

// Reference is the Way of a series that stands for a law, not for something
// that competes: it is drawn in grey without markers.
const Reference = -1

// Series is one line, set of points or band. The label of one that another of the
// same Way without label takes up at its last point, or leads on further right,
// stands at the end of that one.
type Series struct {
	Label  string // at the end of the line, or in the legend; empty: none
	Way    int    // which colour, marker and line style; the same on all pages
	Stroke Stroke
	Points []Point
}

// Point is one value and the interval around it. Lo and Hi equal to Y mean
// that there is none. X and Y are finite, and positive on a logarithmic axis.
type Point struct {
	X, Y, Lo, Hi float64
	Label        string // beside the point; usually empty
	Crossed      bool   // crossed out: not to be believed
}

// Mark is a thin line across the panel at a value; it is not drawn beyond the end
// of the axis. A vertical one with an Until beyond its Value is a shade from here
// to there, as far as the axis goes.
type Mark struct {
	Value    float64
	Vertical bool // at x = Value; else at y = Value
	Until    float64
	Label    string
}

// shade says whether a mark is a shade.
func (m Mark) shade() bool { return m.Vertical && m.Until > m.Value }
