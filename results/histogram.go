package results

import (
	"encoding/json"
	"fmt"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// The range of a latency histogram: 1 ns to 60 s with three significant
// digits (221 KB each).
const (
	histogramMax    = 60 * time.Second
	histogramDigits = 3
)

// Histogram holds durations. A value beyond the range is counted at its end
// and as clamped, never dropped. One that was read from a file or packed holds
// its samples compressed, in some KB, until more are added.
type Histogram struct {
	h       *hdr.Histogram // nil when packed
	packed  string
	count   int64 // when packed
	clamped int64
}

// NewHistogram returns an empty histogram.
func NewHistogram() *Histogram {
	return &Histogram{h: hdr.New(1, int64(histogramMax), histogramDigits)}
}

// Pack compresses the samples.
func (h *Histogram) Pack() error {
	if h.h == nil {
		return nil
	}
	encoded, err := h.h.Encode(hdr.V2CompressedEncodingCookieBase)
	if err != nil {
		return err
	}
	h.packed, h.count, h.h = string(encoded), h.h.TotalCount(), nil
	return nil
}

// unpack makes room for more samples.
func (h *Histogram) unpack() {
	if h.h == nil {
		h.h = h.samples()
	}
}

// samples are the samples, decompressed if need be.
func (h *Histogram) samples() *hdr.Histogram {
	if h.h != nil {
		return h.h
	}
	decoded, err := hdr.Decode([]byte(h.packed))
	if err != nil {
		panic(fmt.Sprintf("results: a histogram that was packed or checked cannot be decoded: %v", err))
	}
	return decoded
}

// Record counts one duration. It does not allocate.
func (h *Histogram) Record(d time.Duration) {
	h.unpack()
	if d < 0 || d > histogramMax {
		h.clamped++
		d = min(max(d, 0), histogramMax)
	}
	if err := h.h.RecordValue(int64(d)); err != nil {
		panic(fmt.Sprintf("results: %v is inside the range but was refused: %v", d, err))
	}
}

// Count is the number of durations recorded, the clamped ones included.
func (h *Histogram) Count() int64 {
	if h.h == nil {
		return h.count
	}
	return h.h.TotalCount()
}

// Clamped is the number of durations that lay beyond the range.
func (h *Histogram) Clamped() int64 { return h.clamped }

// Max is the largest duration, to three digits.
func (h *Histogram) Max() time.Duration { return time.Duration(h.samples().Max()) }

// Mean is the mean duration, to three digits.
func (h *Histogram) Mean() time.Duration { return time.Duration(h.samples().Mean()) }

// tailSamples is how many samples must lie beyond a quantile for it to be
// more than an anecdote: 1000 samples for p99, 10 000 for p99.9.
const tailSamples = 10

// Quantile is the duration that a share q of the samples does not exceed. ok
// is false when there are too few samples to say.
func (h *Histogram) Quantile(q float64) (d time.Duration, ok bool) {
	if float64(h.Count())*(1-q) < tailSamples-1e-6 {
		return 0, false
	}
	return time.Duration(h.samples().ValueAtQuantile(q * 100)), true // the library counts to 100
}

// Over is the number of samples that are not below d, to three digits.
func (h *Histogram) Over(d time.Duration) (n int64) {
	for _, bar := range h.samples().Distribution() {
		if bar.From >= int64(d) {
			n += bar.Count
		}
	}
	return n
}

// Merge adds other's samples.
func (h *Histogram) Merge(other *Histogram) {
	h.unpack()
	if dropped := h.h.Merge(other.samples()); dropped != 0 {
		// Both have the same range by construction or by UnmarshalJSON.
		panic(fmt.Sprintf("results: merging histograms dropped %d samples", dropped))
	}
	h.clamped += other.clamped
}

// Reset empties the histogram and keeps its memory.
func (h *Histogram) Reset() {
	h.unpack()
	h.h.Reset()
	h.clamped = 0
}

// encodedHistogram is a histogram in a results file: the counts that a reader
// without the library wants, and the samples in the HdrHistogram V2 format.
type encodedHistogram struct {
	Count   int64  `json:"count"`
	Clamped int64  `json:"clamped"`
	HDR     string `json:"hdr"`
}

// MarshalJSON writes the count and the compressed, base64-encoded samples.
func (h *Histogram) MarshalJSON() ([]byte, error) {
	packed := *h
	if err := packed.Pack(); err != nil {
		return nil, err
	}
	return json.Marshal(encodedHistogram{Count: packed.count, Clamped: h.clamped, HDR: packed.packed})
}

// UnmarshalJSON reads what MarshalJSON wrote. A histogram of another range is
// refused: it could not be merged without loss.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	var e encodedHistogram
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	decoded, err := hdr.Decode([]byte(e.HDR))
	if err != nil {
		return fmt.Errorf("histogram is damaged: %w", err)
	}
	if decoded.LowestTrackableValue() != 1 || decoded.HighestTrackableValue() != int64(histogramMax) ||
		decoded.SignificantFigures() != histogramDigits {
		return fmt.Errorf("histogram has range %d..%d with %d digits, want 1..%d with %d",
			decoded.LowestTrackableValue(), decoded.HighestTrackableValue(), decoded.SignificantFigures(),
			int64(histogramMax), histogramDigits)
	}
	switch {
	case decoded.TotalCount() != e.Count:
		return fmt.Errorf("histogram has %d samples, %d are announced", decoded.TotalCount(), e.Count)
	case e.Count > maxCount:
		return fmt.Errorf("histogram has %d samples, more than a trial can have", e.Count)
	case e.Clamped < 0 || e.Clamped > e.Count:
		return fmt.Errorf("histogram has %d clamped of %d samples", e.Clamped, e.Count)
	}
	*h = Histogram{packed: e.HDR, count: e.Count, clamped: e.Clamped}
	return nil
}
