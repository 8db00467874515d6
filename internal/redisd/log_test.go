package redisd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLastWords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if got := lastWords(path); !strings.Contains(got, path) {
		t.Errorf("no log: %q, want the reason", got)
	}
	tests := []struct{ text, want string }{
		{"\n \n", "it printed nothing: is it a Redis or Valkey server?"},
		{"one\ntwo\n", "one\ntwo"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "3\n4\n5\n6\n7\n8\n9\n10"},
	}
	for _, test := range tests {
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := lastWords(path); got != test.want {
			t.Errorf("last words of %q: %q, want %q", test.text, got, test.want)
		}
	}
}
