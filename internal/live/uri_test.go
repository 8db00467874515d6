package live

import (
	"strings"
	"testing"
)

func TestParseURI(t *testing.T) {
	for _, c := range []struct {
		uri  string
		want Target
	}{
		{"redis://localhost", Target{Network: "tcp", Address: "localhost:6379"}},
		{"redis://h:7000/3", Target{Network: "tcp", Address: "h:7000", DB: 3}},
		{"redis://h:7000/", Target{Network: "tcp", Address: "h:7000"}},
		{"redis://[::1]:7000", Target{Network: "tcp", Address: "[::1]:7000"}},
		{"redis://u:p%40%23%2F%25%2B%3D%3A@h", Target{Network: "tcp", Address: "h:6379", Username: "u", Password: "p@#/%+=:"}},
		{"redis://secret@h", Target{Network: "tcp", Address: "h:6379", Password: "secret"}},
		{"redis://:secret@h", Target{Network: "tcp", Address: "h:6379", Password: "secret"}},
		{"unix:///run/redis.sock", Target{Network: "unix", Address: "/run/redis.sock"}},
		{"unix:///run/redis.sock?db=2", Target{Network: "unix", Address: "/run/redis.sock", DB: 2}},
	} {
		got, err := ParseURI(c.uri)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.uri, got, err, c.want)
		}
	}
	secure, err := ParseURI("rediss://h:7000")
	if err != nil || secure.TLS == nil || secure.TLS.ServerName != "h" {
		t.Errorf("rediss: %+v, %v", secure, err)
	}
}

func TestBadURIsShowTheFormAndNotThePassword(t *testing.T) {
	for _, uri := range []string{
		"h:7000", "http://h", "redis://:topsecret@h:7000/x", "redis://:top#secret@h", "redis://:topsecret@h:port",
		"redis://:topsecret@h/1/2", "redis://:topsecret@h?addr=h2", "redis://:topsecret@h/-1", "", "unix://", "redis://:%zztopsecret@h", "unix://tmp/x.sock", "rediss://:topsecret@h?skip_verify=1",
	} {
		_, err := ParseURI(uri)
		if err == nil {
			t.Errorf("%q is accepted", uri)
			continue
		}
		if !strings.Contains(err.Error(), "redis://[[USER:]PASSWORD@]HOST") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", uri, err)
		}
	}
}
