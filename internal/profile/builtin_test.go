package profile

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestBuiltInsAreAsWriteWritesThem(t *testing.T) {
	for _, name := range All.Names() {
		p, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := files.ReadFile(name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var written bytes.Buffer
		if err := p.Write(&written); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, written.Bytes()) {
			t.Errorf("%s is in another form than\n%s", name, written.Bytes())
		}
		if strings.HasPrefix(p.Name, "made up: ") {
			continue
		}
		if p.Name == "" || p.Measured == "" || !strings.HasPrefix(name, p.Product+"-"+p.Version+"-") {
			t.Errorf("%s does not say what it was measured on: %q, %q, %s %s", name, p.Name, p.Measured, p.Product, p.Version)
		}
		for _, command := range []string{"WATCH", "GET", "MULTI", "SET", "EXEC", "UNWATCH", "INCRBY", "EVALSHA", "PING"} {
			if _, ok := p.Server.CommandsNS[command]; !ok {
				t.Errorf("%s does not know %s", name, command)
			}
		}
	}
}

func TestOpenFindsBuiltInsAndFiles(t *testing.T) {
	p, err := Open(Default)
	if err != nil {
		t.Fatal(err)
	}
	p.Server.CommandsNS["GET"], p.Network.BaseNS[0].NS = 1e9, 0
	if again, _ := Open(Default); reflect.DeepEqual(p, again) {
		t.Error("writing to what Open answered changed the built-in profile")
	}

	name := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(name, []byte(sampleText), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err = Open(name); err != nil || !reflect.DeepEqual(p, sample()) {
		t.Errorf("%v: %+v", err, p)
	}
	if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = Open(name); err == nil || !strings.HasPrefix(err.Error(), name+": line 1: ") {
		t.Errorf("%v, want the file and the line", err)
	}
	_, err = Open("no-such")
	if err == nil || !strings.Contains(err.Error(), `unknown profile "no-such" (known: `) || !strings.HasSuffix(err.Error(), "no file of that name") {
		t.Error(err)
	}
}
