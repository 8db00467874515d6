package cli

import (
	"regexp"
	"strings"
)

var userinfo = regexp.MustCompile(`//.*@`)

// masked is the command line without its secrets, for the record. The password
// goes wherever it stands, however the flag was spelled (-a X, -qaX, --pass=X).
func masked(args []string, password string) []string {
	out := []string{"rmwbench"}
	for _, arg := range args {
		if password != "" {
			arg = strings.ReplaceAll(arg, password, "***")
		}
		out = append(out, userinfo.ReplaceAllString(arg, "//***@"))
	}
	return out
}
