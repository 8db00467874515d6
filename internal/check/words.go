package check

import (
	"errors"
	"strconv"
	"strings"
)

var (
	errQuoteOpen  = errors.New("a quote is not closed")
	errQuoteClose = errors.New("a closing quote is followed by neither a blank nor the end of the line")
)

// splitWords reads a line as redis-cli does: words apart by blanks, "double
// quotes" with \n \r \t \b \a \xHH and any other character after a backslash
// standing for itself, 'single quotes' in which only \' means something.
func splitWords(line string) (words []string, err error) {
	for {
		line = strings.TrimLeft(line, blanks)
		if line == "" {
			return words, nil
		}
		var word string
		if word, line, err = nextWord(line); err != nil {
			return nil, err
		}
		words = append(words, word)
	}
}

const blanks = " \t\r\n\v\f"

// nextWord takes the first word off a line that begins with none of the
// blanks.
func nextWord(line string) (word, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case strings.IndexByte(blanks, c) >= 0:
			return b.String(), line[i:], nil
		case c == '"' || c == '\'':
			n, err := quoted(&b, line[i:])
			if err != nil {
				return "", "", err
			}
			i += n
			if i < len(line) && strings.IndexByte(blanks, line[i]) < 0 {
				return "", "", errQuoteClose
			}
			return b.String(), line[i:], nil
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), "", nil
}

// quoted adds what stands in quotes at the beginning of text, and answers how
// long it is with them.
func quoted(b *strings.Builder, text string) (int, error) {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return i + 1, nil
		case c != '\\' || i+1 == len(text):
			b.WriteByte(c)
		case quote == '\'':
			if text[i+1] == '\'' {
				i++
			}
			b.WriteByte(text[i])
		default:
			i += escaped(b, text[i+1:])
		}
	}
	return 0, errQuoteOpen
}

// escaped adds what the characters after a backslash stand for, and answers
// how many they are.
func escaped(b *strings.Builder, text string) int {
	if text[0] == 'x' && len(text) > 2 {
		if code, err := strconv.ParseUint(text[1:3], 16, 8); err == nil {
			b.WriteByte(byte(code))
			return 3
		}
	}
	c := text[0]
	if i := strings.IndexByte("nrtba", c); i >= 0 {
		c = "\n\r\t\b\a"[i]
	}
	b.WriteByte(c)
	return 1
}
