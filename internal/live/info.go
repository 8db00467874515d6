package live

import (
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/results"
)

// info asks for one section of INFO, or nil where the server has none.
func (w *World) info(section string) (map[string]string, error) {
	replies, err := w.ask(resp.Cmd{"INFO", section})
	if err != nil {
		return nil, err
	}
	if replies.Kind != resp.String {
		return nil, nil
	}
	return parseInfo(replies.Str), nil
}

// ask does one command on the side connection, once more on a new one if the
// old one is lost.
func (w *World) ask(cmd resp.Cmd) (resp.Reply, error) {
	var err error
	for range 2 {
		session, lost := w.side.Session("")
		if lost != nil {
			return resp.Reply{}, lost
		}
		var replies []resp.Reply
		if replies, err = session.Exchange(cmd); err == nil {
			return replies[0], nil
		}
	}
	return resp.Reply{}, err
}

func parseInfo(text string) map[string]string {
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && !strings.HasPrefix(name, "#") {
			fields[name] = value
		}
	}
	return fields
}

// Snapshot reads the counters of the server and of this process.
func (w *World) Snapshot() (engine.Snapshot, error) {
	s := engine.Snapshot{ClientCPU: ownCPU(), Cores: runtime.GOMAXPROCS(0), Hosts: w.target.Embedded}
	if w.target.Embedded {
		return s, nil // it has none, and its time is ours
	}
	commands, err := w.info("commandstats")
	if err != nil {
		return s, err
	}
	if len(commands) > 0 {
		s.Commands = map[string]results.CommandStats{}
		for name, value := range commands {
			if name, ok := strings.CutPrefix(name, "cmdstat_"); ok {
				s.Commands[name] = commandStats(value)
			}
		}
	}
	cpu, err := w.info("cpu")
	if err != nil {
		return s, err
	}
	s.ServerCPU = serverCPU(cpu)
	return s, nil
}

// commandStats reads "calls=10,usec=20,usec_per_call=2.00,...".
func commandStats(text string) (stats results.CommandStats) {
	for field := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(field, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			continue // a fraction: not one of ours
		}
		switch name {
		case "calls":
			stats.Calls = n
		case "usec":
			stats.USec = n
		case "rejected_calls":
			stats.Rejected = n
		}
	}
	return stats
}

// serverCPU is the time of the main thread where the server tells it (from
// 6.2), and of the whole process otherwise.
func serverCPU(cpu map[string]string) *time.Duration {
	for _, suffix := range []string{"_main_thread", ""} {
		user, err1 := strconv.ParseFloat(cpu["used_cpu_user"+suffix], 64)
		system, err2 := strconv.ParseFloat(cpu["used_cpu_sys"+suffix], 64)
		if err1 == nil && err2 == nil {
			total := time.Duration(math.Round((user + system) * float64(time.Second)))
			return &total
		}
	}
	return nil
}

// Capacity is the number of clients that the server has room for: one that is
// full would answer the last ones by hanging up.
func (w *World) Capacity() (int, error) {
	limit, ok, err := w.setting("maxclients")
	if err != nil || !ok {
		return engine.MaxClients, err // the server does not say
	}
	most, err := strconv.Atoi(limit)
	if err != nil {
		return engine.MaxClients, nil
	}
	now, err := w.info("clients")
	if err != nil {
		return 0, err
	}
	connected, _ := strconv.Atoi(now["connected_clients"]) // the two of ours among them
	const wanted = 2                                       // beside the clients: for the engine's control, and room for one redial
	return min(max(most-connected-wanted, 0), engine.MaxClients), nil
}

// setting reads one configuration parameter; ok is false if the server does not
// say.
func (w *World) setting(name string) (value string, ok bool, err error) {
	reply, err := w.ask(resp.Cmd{"CONFIG", "GET", name})
	if err != nil || reply.Kind != resp.Array || len(reply.Elems) != 2 {
		return "", false, err
	}
	return reply.Elems[1].Str, true, nil
}
