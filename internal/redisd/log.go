package redisd

import (
	"os"
	"strings"
)

// tailLines is how much of the server's output an error quotes.
const tailLines = 8

// lastWords returns the last lines of the server's output, for an error.
func lastWords(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	words := strings.TrimSpace(string(text))
	if words == "" {
		return "it printed nothing: is it a Redis or Valkey server?"
	}
	lines := strings.Split(words, "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}
