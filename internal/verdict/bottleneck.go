package verdict

import (
	"fmt"

	"rmwbench/results"
)

// bottleneck says what limited the fastest row at the most clients.
func bottleneck(rows []results.Summary, local bool) string {
	most := 0
	for _, r := range rows {
		most = max(most, r.Clients)
	}
	r := ranked(rows, most)[0]
	client, ok := r.ClientLoad()
	switch {
	case !ok:
		return simulated(r, most)
	case r.Hosts():
		return embedded(r, most, client)
	}
	used := fmt.Sprintf("the tool used %.0f %% of %s", 100*client, Count(r.Cores(), "core"))
	server, known := r.ServerLoad()
	if known {
		used += fmt.Sprintf(" and the server's main thread %.0f %% of one", 100*server)
	}
	var who string
	switch {
	case client >= results.Busy:
		who = "this machine was the bottleneck, so the fastest ways may be faster than measured"
	case known && server >= results.Busy:
		who = "the server's main thread was the bottleneck"
	case known && local && client+server/float64(r.Cores()) >= results.Busy:
		who = "the cores that tool and server share were the bottleneck"
	case known:
		who = "neither the tool nor the server was the bottleneck"
	default:
		who = "the tool was not the bottleneck; the server does not tell its own time"
	}
	return fmt.Sprintf("At %s with %s %s: %s.", clients(most), Label(r.Cell), who, used)
}

// embedded is the sentence for a server inside the tool's own process.
func embedded(r results.Summary, most int, load float64) string {
	who := "the cores were not the bottleneck"
	if load >= results.Busy {
		who = "the cores that tool and embedded server share were the bottleneck"
	}
	return fmt.Sprintf("At %s with %s %s: both together used %.0f %% of %s.", clients(most), Label(r.Cell), who, 100*load, Count(r.Cores(), "core"))
}

// simulated is the sentence for a row of which only the server has a limit.
func simulated(r results.Summary, most int) string {
	server, known := r.ServerLoad()
	if !known || r.Source != results.SourceSimulated {
		return ""
	}
	who := "the server was not the bottleneck"
	if server >= results.Busy {
		who = "the server was the bottleneck"
	}
	return fmt.Sprintf("At %s with %s %s: its thread worked %.0f %% of the time.", clients(most), Label(r.Cell), who, 100*server)
}
