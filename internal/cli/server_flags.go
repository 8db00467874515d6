package cli

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"strconv"

	"rmwbench/internal/live"
	"rmwbench/internal/redisd"
)

// serverFlags say which server to use. They mean what redis-cli's do.
type serverFlags struct {
	Host     *string `short:"h" placeholder:"HOST" group:"server" help:"Server to measure; without -h, -p, -s and -u a throw-away one is started."`
	Port     *whole  `short:"p" placeholder:"PORT" group:"server" help:"Its port (6379)."`
	Socket   *string `short:"s" placeholder:"PATH" group:"server" help:"Its Unix socket."`
	URI      *string `short:"u" name:"uri" placeholder:"URI" group:"server" help:"redis://[[USER:]PASSWORD@]HOST[:PORT][/DB], rediss:// for TLS, or unix:///PATH."`
	Pass     string  `short:"a" name:"pass" placeholder:"PASSWORD" group:"server" env:"REDISCLI_AUTH" help:"Password; better kept in the environment variable REDISCLI_AUTH."`
	User     string  `placeholder:"NAME" group:"server" help:"ACL user to authenticate as."`
	DBNum    whole   `name:"dbnum" placeholder:"N" group:"server" help:"Database number (0)."`
	RESP2    bool    `short:"2" name:"resp2" group:"server" help:"Speak RESP2."`
	RESP3    bool    `short:"3" name:"resp3" group:"server" help:"Speak RESP3 (the default where the server has it)."`
	TLS      bool    `name:"tls" group:"server" help:"Use TLS."`
	SNI      string  `name:"sni" placeholder:"NAME" group:"server" help:"Server name to expect in its certificate."`
	CACert   string  `name:"cacert" placeholder:"FILE" group:"server" help:"CA certificates to trust instead of the system's."`
	Cert     string  `placeholder:"FILE" group:"server" help:"Client certificate."`
	Key      string  `placeholder:"FILE" group:"server" help:"Its private key."`
	Insecure bool    `group:"server" help:"Accept any certificate."`
	Server   string  `placeholder:"KIND" enum:"auto,redis,valkey,embedded" default:"auto" group:"server" help:"What to start when none is named: auto, redis, valkey, embedded (${default}: redis-server or valkey-server from PATH, else embedded)."`
}

// named reports whether the user named a server.
func (f *serverFlags) named() bool {
	return f.Host != nil || f.Port != nil || f.Socket != nil || f.URI != nil
}

// target is the server that the flags name; what they leave out is redis-cli's
// default.
func (f *serverFlags) target() (live.Target, error) {
	t := live.Target{Network: "tcp"}
	ways := 0
	for _, given := range []bool{f.Host != nil || f.Port != nil, f.Socket != nil, f.URI != nil} {
		if given {
			ways++
		}
	}
	if ways > 1 {
		return t, errors.New("name the server once: by -h and -p, by -s or by -u")
	}
	switch {
	case f.URI != nil:
		var err error
		if t, err = live.ParseURI(*f.URI); err != nil {
			return t, fmt.Errorf("-u: %w", err)
		}
	case f.Socket != nil:
		t.Network, t.Address = "unix", *f.Socket
	default:
		host, port := "127.0.0.1", whole(6379)
		if f.Host != nil {
			host = *f.Host
		}
		if f.Port != nil {
			port = *f.Port
		}
		if port < 1 || port > 65535 {
			return t, fmt.Errorf("-p %d: want 1 to 65535", port)
		}
		t.Address = net.JoinHostPort(host, strconv.Itoa(int(port)))
	}
	if f.Pass != "" {
		t.Password = f.Pass
	}
	if f.User != "" {
		t.Username = f.User
	}
	if f.DBNum != 0 {
		t.DB = int(f.DBNum)
	}
	return t, f.secure(&t)
}

// check refuses what is wrong whichever server is used.
func (f *serverFlags) check() error {
	switch {
	case f.RESP2 && f.RESP3:
		return errors.New("-2 and -3: want one of them")
	case f.DBNum < 0 || f.DBNum > math.MaxInt32:
		return fmt.Errorf("--dbnum %d: want 0 to %d", f.DBNum, math.MaxInt32)
	case f.named() && f.Server != "auto":
		return fmt.Errorf("--server %s starts a server of its own: leave it out or name no other", f.Server)
	case f.Host != nil && *f.Host == "", f.Socket != nil && *f.Socket == "", f.URI != nil && *f.URI == "":
		return errors.New("-h, -s or -u is empty: name a server or leave the flag out")
	}
	for _, c := range []struct {
		flag  string
		given bool
	}{
		{"--tls", f.TLS}, {"--sni", f.SNI != ""}, {"--cacert", f.CACert != ""}, {"--cert", f.Cert != ""}, {"--key", f.Key != ""},
		{"--insecure", f.Insecure}, {"--user", f.User != ""}, {"--dbnum", f.DBNum != 0},
	} {
		if c.given && !f.named() {
			return fmt.Errorf("%s goes with a named server: give -h, -p, -s or -u", c.flag)
		}
	}
	if (f.Cert == "") != (f.Key == "") {
		return errors.New("--cert and --key go together")
	}
	if !f.named() {
		return nil
	}
	_, err := f.target()
	return err
}

// connect opens the server that the flags name, or one that it starts, which
// ends with the program.
func (f *serverFlags) connect(s *session) (*live.World, live.Target, error) {
	var target live.Target
	var err error
	if f.named() {
		target, err = f.target()
	} else {
		target, err = f.startServer(s)
	}
	if err != nil {
		return nil, target, err
	}
	target.Protocol = f.protocol()
	world, err := live.Open(target, s.stop)
	return world, target, err
}

// startServer starts a throw-away server.
func (f *serverFlags) startServer(s *session, args ...string) (live.Target, error) {
	server, err := f.start(args...)
	if err != nil {
		return live.Target{}, err
	}
	s.cleanup.add(func() { _ = server.Stop() })
	return live.Target{Network: server.Network, Address: server.Address, Embedded: server.Embedded, Started: true}, nil
}

// secure sets up TLS where a flag or the address asks for it.
func (f *serverFlags) secure(t *live.Target) error {
	if !f.TLS && t.TLS == nil {
		if f.SNI != "" || f.CACert != "" || f.Cert != "" || f.Key != "" || f.Insecure {
			return errors.New("--sni, --cacert, --cert, --key and --insecure go with --tls")
		}
		return nil
	}
	if t.TLS == nil {
		host, _, _ := net.SplitHostPort(t.Address)
		t.TLS = &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host}
	}
	if f.SNI != "" {
		t.TLS.ServerName = f.SNI
	}
	t.TLS.InsecureSkipVerify = f.Insecure
	if f.CACert != "" {
		pem, err := os.ReadFile(f.CACert)
		if err != nil {
			return fmt.Errorf("--cacert: %w", err)
		}
		t.TLS.RootCAs = x509.NewCertPool()
		if !t.TLS.RootCAs.AppendCertsFromPEM(pem) {
			return fmt.Errorf("--cacert %s: holds no certificate in PEM form", f.CACert)
		}
	}
	if f.Cert != "" || f.Key != "" {
		pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
		if err != nil {
			return fmt.Errorf("--cert and --key: %w", err)
		}
		t.TLS.Certificates = []tls.Certificate{pair}
	}
	return nil
}

func (f *serverFlags) protocol() int {
	switch {
	case f.RESP2:
		return 2
	case f.RESP3:
		return 3
	}
	return 0
}

// start starts the server that the flags ask for when none is named, with args
// if it is a program. With auto it falls back to the embedded one when no
// program is on PATH.
func (f *serverFlags) start(args ...string) (*redisd.Server, error) {
	if f.Server == "embedded" {
		return redisd.Embedded()
	}
	var products []string
	if f.Server != "auto" {
		products = []string{f.Server}
	}
	path, err := redisd.Find(products...)
	if errors.Is(err, redisd.ErrNotFound) && f.Server == "auto" {
		return redisd.Embedded()
	}
	if err != nil {
		return nil, fmt.Errorf("--server %s: %w", f.Server, err)
	}
	return redisd.Start(path, args...)
}
