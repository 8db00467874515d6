package scripts

import (
	"regexp"
	"strings"
	"testing"
)

// The library is ours by name and has every body, each under a name that a
// server takes and that no other script has.
func TestLibraryHasEveryScript(t *testing.T) {
	code := Library()
	if !strings.HasPrefix(code, "#!lua name=rmwbench\n") {
		t.Errorf("the library begins with %.40q", code)
	}
	proper := regexp.MustCompile(`^rmwbench_[A-Za-z0-9_]+$`)
	seen := map[string]bool{}
	for _, name := range All.Names() {
		s := MustGet(name)
		if !proper.MatchString(s.Function) || seen[s.Function] {
			t.Errorf("%s is registered as %q", name, s.Function)
		}
		seen[s.Function] = true
		if !strings.Contains(code, "redis.register_function('"+s.Function+"', function(KEYS, ARGV)\n"+s.Body) {
			t.Errorf("the library lacks %s", name)
		}
	}
}

// Another body is another function, whatever its name.
func TestFunctionNameTellsTheBody(t *testing.T) {
	a, b := newScript("token-bucket", "return 1\n"), newScript("token-bucket", "return 2\n")
	if a.Function == b.Function || !strings.HasPrefix(a.Function, "rmwbench_token_bucket_") {
		t.Errorf("%s and %s", a.Function, b.Function)
	}
}
