package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rmwbench/internal/cli"
	"rmwbench/internal/redisd/redistest"
)

var pictures = regexp.MustCompile(`!\[[^]]*\]\(([^)]*)\)`)

// Every command of the README works as it is printed, here in small and on
// servers of the test's own.
func TestCommandsOfTheReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, picture := range pictures.FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(picture[1]); err != nil {
			t.Error(err)
		}
	}
	clone, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	server := redistest.Start(t)
	t.Chdir(t.TempDir()) // in order, one directory for all, as a reader would
	ran := 0
	for _, line := range consoleLines(string(text)) {
		args, ok := strings.CutPrefix(line, "go run . ")
		if !ok {
			if line != "go test ./..." {
				t.Errorf("the README has a command that no test runs: %s", line)
			}
			continue
		}
		ran++
		t.Run(line, func(t *testing.T) {
			args := strings.Replace(args, "-h 127.0.0.1 -p 6379", "-s "+server.Address, 1)
			words := strings.Fields(strings.ReplaceAll(args, "'", ""))
			switch {
			case slices.Contains(words, "--burst"): // which takes its time
				words = append(words, "--warmup", "0", "--no-predict")
			case args == "faults --out matrix": // half a minute on a real server
				words = append(words, "--server", "simulated")
			case words[0] == "check": // of a file in the clone
				words[1] = filepath.Join(clone, words[1])
			case slices.Contains(words, "-n"):
				words = append(words, "--trials", "1", "--no-predict")
			case words[0] == "run":
				words = append(words, "--duration", "20ms", "--warmup", "0", "--trials", "1", "--no-predict")
			case words[0] == "simulate" && !slices.Contains(words, "--herd") && !slices.Contains(words, "--goal"):
				words = append(words, "--duration", "20ms", "--warmup", "0", "--trials", "1")
			}
			want := 0
			if strings.Contains(args, "unsafe") || strings.Contains(args, "--on-unknown retry") {
				want = 3
			}
			var out, errOut bytes.Buffer
			if code := cli.Main(words, &out, &errOut); code != want {
				t.Errorf("exit %d, want %d: %s%s", code, want, &out, &errOut)
			}
		})
	}
	if ran < 4 {
		t.Errorf("found only %d commands", ran)
	}
}

// consoleLines are the lines of the README's console blocks.
func consoleLines(text string) (lines []string) {
	for i, block := range strings.Split(text, "```") {
		if body, ok := strings.CutPrefix(block, "console\n"); ok && i%2 == 1 {
			lines = append(lines, strings.Split(strings.TrimSpace(body), "\n")...)
		}
	}
	return lines
}
