package results

import "slices"

// Shares of a resource's time. From Busy on it may be the bottleneck; a tool that
// uses Saturated of all cores of its machine measures itself.
const (
	Busy      = 0.8
	Saturated = 0.95
)

// Warnings of a trial in which the tool took that much.
const (
	BusyWarning      = "the tool itself used 80 % of the cores or more: faster ways may be faster than measured"
	SaturatedWarning = "the tool itself used 95 % of the cores or more: that trial says nothing about the server"
)

// LoadWarning is the warning that a trial deserves for what it cost this
// process, or "". What an embedded server took cannot be told from it.
func (r *Run) LoadWarning() string {
	if r.Client == nil || r.Client.Hosts || r.Client.Cores == 0 || r.Whole.ElapsedNS <= 0 {
		return ""
	}
	switch share := float64(r.Client.CPUNS) / float64(r.Whole.ElapsedNS) / float64(r.Client.Cores); {
	case share >= Saturated:
		return SaturatedWarning
	case share >= Busy:
		return BusyWarning
	}
	return ""
}

// ClientLoad is the share of all cores of this machine that the tool itself
// used, together with the server where Hosts says that it runs in the tool.
func (s *Summary) ClientLoad() (share float64, ok bool) {
	if s.wholeElapsed <= 0 || s.cores == 0 {
		return 0, false
	}
	return s.clientCPU.Seconds() / s.wholeElapsed.Seconds() / float64(s.cores), true
}

// Cores is the number of cores of the machine that the tool ran on.
func (s *Summary) Cores() int { return s.cores }

// Hosts reports whether the server ran in the tool's own process, so that
// nobody knows which of the two used the cores.
func (s *Summary) Hosts() bool { return s.hosts }

// ServerLoad is the share of one core that the server's main thread used.
func (s *Summary) ServerLoad() (share float64, ok bool) {
	if s.wholeElapsed <= 0 || !s.serverCPUKnown {
		return 0, false
	}
	return s.serverCPU.Seconds() / s.wholeElapsed.Seconds(), true
}

// Invalid reports whether the tool used so much of its machine that the row
// says nothing about the server. A server that shares the machine takes its own
// part of the cores and cannot make a row invalid: with it as the limit, the
// tool is left with less than Saturated of them.
func (s *Summary) Invalid() bool {
	load, ok := s.ClientLoad()
	return ok && !s.hosts && load >= Saturated
}

// ExchangeRate is round trips per second of the measured window, of all clients.
func (s *Summary) ExchangeRate() (perSecond float64, ok bool) {
	if s.Elapsed <= 0 {
		return 0, false
	}
	return float64(s.Exchanges) / s.Elapsed.Seconds(), true
}

// CommandTime is the server's own count of one command and of the time that it
// took, scripts' calls included.
type CommandTime struct {
	Name string
	CommandStats
}

// CommandTimes are the commands that the server executed in the load phases of
// some trials, by name, without the tool's own questions.
func CommandTimes(runs []Run) (all []CommandTime) {
	sums := map[string]CommandStats{}
	for i := range runs {
		if runs[i].Server == nil {
			continue
		}
		for name, stats := range runs[i].Server.Commands {
			if slices.Contains(ownQuestions, name) || stats.Calls == 0 {
				continue
			}
			sum := sums[name]
			sum.Calls += stats.Calls
			sum.USec += stats.USec
			sum.Rejected += stats.Rejected
			sums[name] = sum
		}
	}
	for _, name := range sortedKeys(sums) {
		all = append(all, CommandTime{name, sums[name]})
	}
	return all
}
