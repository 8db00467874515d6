package report

import (
	"fmt"
	"strconv"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// burstOf names a burst.
func burstOf(b contention.Burst) string {
	return fmt.Sprintf("x%s for %v", strconv.FormatFloat(b.Factor, 'f', -1, 64), b.Length)
}

// recoveryCell is a row's recovery in the table.
func (s *Setting) recoveryCell(row *results.Summary) string {
	r, ok := s.Recovery(row)
	switch {
	case !ok || r.Overloaded():
		return "n/a"
	case !r.Back:
		return "> " + span(r.Watched)
	case r.Took == 0:
		return "at once"
	}
	return span(r.Took)
}

// span is a stretch of time in seconds, as exact as the shortest intervals are.
func span(d time.Duration) string {
	return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}

// at names a row inside a sentence.
func at(c results.Cell) string {
	return verdict.Label(c) + " at " + verdict.Count(c.Clients, "client")
}

// Recoveries says in sentences which rows got over the setting's burst, and how
// soon.
func (s *Setting) Recoveries() (lines []string) {
	b, ok := s.burst()
	if !ok {
		return nil
	}
	var atOnce, unknown []string
	for i := range s.Rows {
		row := &s.Rows[i]
		if row.Audit.Void() || row.Trials == 0 {
			continue
		}
		r, ok := s.Recovery(row)
		switch {
		case !ok:
			unknown = append(unknown, at(row.Cell))
		case r.Overloaded():
			lines = append(lines, fmt.Sprintf("%s had nothing to get back to: before the burst it answered %.0f of %.0f arrivals/s.", at(row.Cell), r.Kept*s.Rate, s.Rate))
		case r.Back && r.Took == 0:
			atOnce = append(atOnce, at(row.Cell))
		case r.Back:
			lines = append(lines, fmt.Sprintf("%s needed %s after the burst until latency was back%s.", at(row.Cell), span(r.Took), s.burden(b, r)))
		default:
			lines = append(lines, fmt.Sprintf("%s was not back when the window ended %s after the burst%s.", at(row.Cell), span(r.Watched), s.burden(b, r)))
		}
	}
	if atOnce != nil {
		lines = append([]string{fmt.Sprintf("After the burst (%s) latency was back at once for %s.", burstOf(b), verdict.Join(atOnce))}, lines...)
	}
	if unknown != nil {
		lines = append(lines, fmt.Sprintf("How long the burst was felt cannot be told of %s: it takes 5 intervals of the series before it and 5 after it, and a window below 1 s has no series.", verdict.Join(unknown)))
	}
	return lines
}

// burden says what the burst did to a row that took time to get over it.
func (s *Setting) burden(b contention.Burst, r Recovery) string {
	text := fmt.Sprintf(": p50 %s before it, up to %s since", Short(r.Before), Short(r.Worst))
	if 0 < r.Answered && r.Answered < reached {
		rate := s.Rate * b.Factor
		text += fmt.Sprintf("; of its %.0f arrivals/s %.0f/s were answered meanwhile", rate, r.Answered*rate)
	}
	return text
}
