package theme

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// measure gives the width of a string.
type measure func(string) float64

// wrap breaks text into lines of at most the given width, at spaces, and inside
// a word only when it is wider than a line.
func wrap(text string, width float64, m measure) []string {
	var lines []string
	line := ""
	for word := range words(text) {
		if joined := line + " " + word; line != "" && m(joined) <= width {
			line = joined
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for m(word) > width {
			cut := breakAt(word, width, m)
			if cut == len(word) {
				break
			}
			lines = append(lines, word[:cut])
			word = word[cut:]
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// breakAt says how many bytes of a word go on a line: as many runes as fit, at
// least one, back to a hyphen or the like if there is one in the second half.
func breakAt(word string, width float64, m measure) int {
	_, cut := utf8.DecodeRuneInString(word)
	for i := range word {
		if i > 0 && m(word[:i]) <= width {
			cut = max(cut, i)
		}
		if i > 0 && m(word[:i]) > width {
			break
		}
	}
	if soft := strings.LastIndexAny(word[:cut], "-_/,.:;"); soft+1 > cut/2 && soft+1 < cut {
		return soft + 1
	}
	return cut
}

// wrapAll wraps sentences, each on lines of its own.
func wrapAll(texts []string, width float64, m measure) []string {
	var lines []string
	for _, text := range texts {
		lines = append(lines, wrap(clean(text), width, m)...)
	}
	return lines
}

// balance wraps so that the lines are about equally long: the narrowest width
// that does not need a line more.
func balance(text string, width float64, m measure) []string {
	lines := wrap(text, width, m)
	if len(lines) < 2 {
		return lines
	}
	lo, hi := max(width/2, min(width, widest(slices.Collect(words(text)), m))), width
	for range 7 {
		mid := (lo + hi) / 2
		if narrower := wrap(text, mid, m); len(narrower) <= len(lines) && widest(narrower, m) <= mid+1e-9 {
			lines, hi = narrower, mid
		} else {
			lo = mid
		}
	}
	return lines
}

// paragraph wraps a little narrower when the last line would be a word or two.
func paragraph(text string, width float64, m measure) []string {
	lines := wrap(text, width, m)
	n := len(lines)
	for share := 1.0; n > 1 && share > 0.75; share -= 0.02 {
		if narrower := wrap(text, share*width, m); len(narrower) == n && m(narrower[n-1]) > width/6 {
			return narrower
		}
	}
	return lines
}

// cutTo keeps at most n lines and says by an ellipsis that there was more.
func cutTo(lines []string, n int, width float64, m measure) []string {
	if len(lines) <= n {
		return lines
	}
	lines = slices.Clone(lines[:n])
	last := lines[n-1]
	for last != "" && m(last+"…") > width {
		_, size := utf8.DecodeLastRuneInString(last)
		last = last[:len(last)-size]
	}
	lines[n-1] = strings.TrimRight(last, " ,;-") + "…"
	return lines
}

func widest(lines []string, m measure) float64 {
	w := 0.0
	for _, line := range lines {
		w = max(w, m(line))
	}
	return w
}
