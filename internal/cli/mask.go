package cli

import (
	"regexp"
	"strings"
)

var userinfo = regexp.MustCompile(`//.*@`)

// masked is the command line without its secrets, for the record.
func masked(args []string) []string {
	out := append([]string{"rmwbench"}, args...)
	for i, arg := range out {
		switch {
		case i > 0 && (out[i-1] == "-a" || out[i-1] == "--pass"):
			out[i] = "***"
		case strings.HasPrefix(arg, "--pass="):
			out[i] = "--pass=***"
		case strings.HasPrefix(arg, "-a") && len(arg) > 2 && !strings.HasPrefix(arg, "--"):
			out[i] = "-a***"
		default:
			out[i] = userinfo.ReplaceAllString(arg, "//***@")
		}
	}
	return out
}
