package store

// matches says whether all of the text fits a pattern in the server's own
// notation: * for any text, ? for any byte, [a-c] and [^a-c] for one of some
// bytes, \ before a byte that stands for itself.
func matches(pattern, text string) bool {
	for pattern != "" && text != "" {
		switch pattern[0] {
		case '*':
			for pattern != "" && pattern[0] == '*' {
				pattern = pattern[1:]
			}
			if pattern == "" {
				return true
			}
			for ; text != ""; text = text[1:] {
				if matches(pattern, text) {
					return true
				}
			}
			return false
		case '?':
			pattern = pattern[1:]
		case '[':
			rest, in := class(pattern[1:], text[0])
			if !in {
				return false
			}
			pattern = rest
		default:
			if pattern[0] == '\\' && len(pattern) > 1 {
				pattern = pattern[1:]
			}
			if pattern[0] != text[0] {
				return false
			}
			pattern = pattern[1:]
		}
		text = text[1:]
	}
	for text == "" && pattern != "" && pattern[0] == '*' {
		pattern = pattern[1:]
	}
	return pattern == "" && text == ""
}

// class reads a class behind its [ and says whether b is in it. One that is
// not closed ends with the pattern.
func class(pattern string, b byte) (rest string, in bool) {
	not := pattern != "" && pattern[0] == '^'
	if not {
		pattern = pattern[1:]
	}
	for pattern != "" && pattern[0] != ']' {
		switch {
		case pattern[0] == '\\' && len(pattern) > 1:
			in = in || pattern[1] == b
			pattern = pattern[2:]
		case len(pattern) > 2 && pattern[1] == '-':
			low, high := min(pattern[0], pattern[2]), max(pattern[0], pattern[2])
			in = in || low <= b && b <= high
			pattern = pattern[3:]
		default:
			in = in || pattern[0] == b
			pattern = pattern[1:]
		}
	}
	if pattern != "" {
		pattern = pattern[1:]
	}
	return pattern, in != not
}
