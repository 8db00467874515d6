package live

import (
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
)

// recorded are the settings that change what a benchmark measures.
var recorded = []string{
	"appendonly", "appendfsync", "save", "maxmemory", "maxmemory-policy", "io-threads", "maxclients", "hz",
}

// pings is how many round trips the idle connection is measured with.
const pings = 101

// Facts asks the server who it is and how it is set up.
func (w *World) Facts() (results.ServerFacts, error) {
	f := results.ServerFacts{
		Product: "unknown", Embedded: w.target.Embedded, Started: w.target.Started,
		Address: w.target.Address, Protocol: w.protocol(), Settings: map[string]string{},
	}
	if w.target.Embedded {
		f.Product, f.Version = "miniredis", moduleVersion("github.com/alicebob/miniredis/v2")
	} else {
		server, err := w.info("server")
		if err != nil {
			return f, err
		}
		switch {
		case server["valkey_version"] != "":
			f.Product, f.Version = "valkey", server["valkey_version"]
		case server["redis_version"] != "":
			f.Product, f.Version = "redis", server["redis_version"]
		}
	}
	for _, name := range recorded {
		value, ok, err := w.setting(name)
		if err != nil {
			return f, err
		}
		if ok {
			f.Settings[name] = value
		}
	}
	var err error
	f.PingNS, err = w.ping()
	return f, err
}

// Known is what of the facts a strategy may look at, and what only a try can
// tell. The try writes nothing: its key does not exist, and so does not hold
// the value that is asked for.
func (w *World) Known(f results.ServerFacts) (strategies.Facts, error) {
	try, err := w.ask(resp.Cmd{"SET", "rmwbench:try", "", "IFEQ", "a value that nobody gives to it"})
	return strategies.Facts{
		Product: f.Product, Version: f.Version, Embedded: f.Embedded,
		NoIFEQ: try.Kind == resp.Error && strings.Contains(try.Str, "syntax error"),
	}, err
}

// protocol is the version that the connections speak.
func (w *World) protocol() int {
	if w.target.Protocol == 2 {
		return 2
	}
	reply, err := w.ask(resp.Cmd{"HELLO"})
	if err == nil && reply.Kind == resp.Array {
		for i := 0; i+1 < len(reply.Elems); i += 2 {
			if reply.Elems[i].Str == "proto" {
				return int(reply.Elems[i+1].Int)
			}
		}
	}
	return 2
}

// ping is the median round trip of an idle connection, in nanoseconds.
func (w *World) ping() (int64, error) {
	times := make([]int64, pings)
	for i := range times {
		start := time.Now()
		if _, err := w.ask(resp.Cmd{"PING"}); err != nil {
			return 0, err
		}
		times[i] = int64(time.Since(start))
	}
	slices.Sort(times)
	return times[pings/2], nil
}

func moduleVersion(path string) string {
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, m := range build.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return ""
}
