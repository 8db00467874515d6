package live

import (
	"errors"
	"net/url"
	"strings"

	"github.com/redis/rueidis"
)

// errURI shows the right form. It never repeats what was given: there may be a
// password in it.
var errURI = errors.New("want redis://[[USER:]PASSWORD@]HOST[:PORT][/DB], rediss:// for TLS, or " +
	"unix:///PATH[?db=DB], with # / @ % : in the password written as %23 %2F %40 %25 %3A")

// ParseURI reads a redis-cli style address. User and password are decoded.
func ParseURI(text string) (Target, error) {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Scheme == "" || parsed.Fragment != "" {
		return Target{}, errURI
	}
	for parameter := range parsed.Query() {
		if parameter != "db" { // the library knows more, which we would not heed
			return Target{}, errURI
		}
	}
	if parsed.Scheme != "unix" {
		text = strings.TrimSuffix(text, "/") // no database number: the default one
	}
	option, err := rueidis.ParseURL(text)
	if err != nil || len(option.InitAddress) != 1 || option.Sentinel.MasterSet != "" || option.SelectDB < 0 {
		return Target{}, errURI
	}
	t := Target{
		Network: "tcp", Address: option.InitAddress[0], Username: option.Username, Password: option.Password,
		DB: option.SelectDB, TLS: option.TLSConfig,
	}
	if parsed.Scheme == "unix" {
		t.Network = "unix"
	}
	if parsed.User != nil {
		if _, both := parsed.User.Password(); !both {
			t.Username, t.Password = "", t.Username // redis://PASSWORD@host, as redis-cli reads it
		}
	}
	if t.Address == "" || t.Network == "unix" && parsed.Host != "" {
		return Target{}, errURI
	}
	return t, nil
}
