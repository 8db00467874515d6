package calibrate

import (
	"strings"
	"testing"
	"time"

	"rmwbench/internal/live"
	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
)

func open(t *testing.T, s *redisd.Server) *live.World {
	t.Helper()
	w, err := live.Open(live.Target{Network: s.Network, Address: s.Address, Embedded: s.Embedded, Started: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

func TestARealServer(t *testing.T) {
	server := redistest.Start(t)
	w := open(t, server)
	c := config()
	c.Budget = time.Second
	m, err := measure(w, c)
	if err != nil {
		t.Fatal(err)
	}
	const most = 1.4 // off; a machine on which others work is 1.2 at worst
	for _, check := range m.checks {
		t.Logf("%-26s %6.0f ns, predicted %6.0f: %+5.1f %%", check.shape, check.measured, check.predicted, 100*(check.predicted/check.measured-1))
		if off := check.predicted / check.measured; off < 1/most || off > most {
			t.Errorf("%s takes %.0f ns and is predicted to take %.0f", check.shape, check.measured, check.predicted)
		}
	}
	if len(m.checks) != 7 {
		t.Errorf("only %d shapes were checked", len(m.checks))
	}
	p := m.profile(c)
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	for name, ns := range map[string]float64{
		"an exchange": p.Server.ExchangeNS, "EVALSHA": p.Server.Command("EVALSHA"), "a nested command": p.Server.NestedNS,
		"SET": p.Server.Command("SET"), "another command": p.Server.CommandNS,
		"the network": p.Network.BaseNS.Mean(), "a client's exchange": p.Client.ExchangeNS, "the number of cores": float64(p.Client.Cores),
	} {
		if ns <= 0 {
			t.Errorf("%s: %v", name, ns)
		}
	}
	if n := redistest.Command(t, server, "DBSIZE"); n != "0" {
		t.Errorf("%s keys are left", n)
	}
}

func TestTheEmbeddedServerIsRefused(t *testing.T) {
	_, err := Measure(open(t, redistest.Embedded(t)), config())
	if err == nil || !strings.Contains(err.Error(), "the server does not say how much processor time it has used") {
		t.Error(err)
	}
}
