package live

import (
	"os"
	"runtime"
	"strings"

	"rmwbench/results"
)

// Environment describes this machine. What it does not tell stays empty.
func Environment() results.Environment {
	return results.Environment{
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPU: cpuModel(), Cores: runtime.NumCPU(), Kernel: firstLine("/proc/sys/kernel/osrelease"),
	}
}

func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func firstLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
