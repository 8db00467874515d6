package theme

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is more than any label or sentence needs; the rest is cut, so that no
// input makes a page of unbounded size.
const longest = 1500

// missingGlyph stands for a character that the font does not have; the font itself
// would leave a blank, which looks like no label at all.
const missingGlyph = '□'

// clean makes any string one line of text that the font can show.
func clean(s string) string {
	if len(s) > 4*longest {
		s = s[:4*longest]
	}
	f := regular(axisSize)
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) && r != noBreak:
			return ' '
		case !unicode.IsPrint(r):
			return -1
		case !f.has(r):
			return missingGlyph
		}
		return r
	}, s)
	s = strings.Join(slices.Collect(words(s)), " ")
	if utf8.RuneCountInString(s) > longest {
		s = string([]rune(s)[:longest]) + "…"
	}
	for range 2 { // 26 500 ms: the thousands, then the unit
		s = glued.ReplaceAllString(s, "$1"+string(noBreak)+"$2")
	}
	return s
}

// noBreak is the space at which no line ends.
const noBreak = '\u00a0'

// glued are a number and its unit, or its thousands.
var glued = regexp.MustCompile(`([0-9]) ([0-9]{3}\b|[mµn]?s\b|ops/s|%|[kMG]i?B\b)`)

// words are what spaces separate; a noBreak does not.
func words(s string) iter.Seq[string] {
	return strings.FieldsFuncSeq(s, func(r rune) bool { return r != noBreak && unicode.IsSpace(r) })
}
