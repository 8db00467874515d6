package scripts

import (
	"crypto/sha1"
	"fmt"
	"strings"
	"testing"
)

func TestEveryScriptIsFoundByNameWithItsSHA1(t *testing.T) {
	names := All.Names()
	if len(names) == 0 {
		t.Fatal("no script is embedded")
	}
	for _, name := range names {
		s := MustGet(name)
		if s.Name != name || s.Body == "" {
			t.Errorf("%s: registered as %q with %d bytes", name, s.Name, len(s.Body))
		}
		if want := fmt.Sprintf("%x", sha1.Sum([]byte(s.Body))); s.SHA1 != want {
			t.Errorf("%s: SHA1 %s, want %s", name, s.SHA1, want)
		}
	}
}

// A loop that waits for a clock never ends on servers that freeze time inside
// a script, and os.clock is not there on others.
func TestNoScriptWaitsOnAClock(t *testing.T) {
	for _, name := range All.Names() {
		body := MustGet(name).Body
		for _, word := range []string{"'TIME'", "os.", "while true", "repeat"} {
			if strings.Contains(body, word) {
				t.Errorf("%s contains %q", name, word)
			}
		}
	}
}

func TestCallsListsTheCommandsOfABody(t *testing.T) {
	s := Script{Body: "redis.call('GET', k) redis.pcall('SET', k, 1) redis.call('GET', k) -- redis.error_reply('ERR')"}
	if got := strings.Join(s.Calls(), " "); got != "get set" {
		t.Errorf("got %s", got)
	}
	for _, name := range All.Names() {
		if len(MustGet(name).Calls()) == 0 {
			t.Errorf("%s calls nothing", name)
		}
	}
}
