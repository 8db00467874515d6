package calibrate

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/sim"
	"rmwbench/results"
)

// A server that takes 10 µs for a ping, 200 µs away.
func pinging() *sim.World {
	return sim.New(sim.Config{Profile: &profile.Profile{
		Schema: profile.Schema, Name: "pings",
		Server:  profile.Server{CommandNS: 10_000},
		Network: profile.Network{BaseNS: profile.Constant(200_000)},
	}}, 1)
}

// One client waits for each reply; many keep the server busy all the time.
func TestCeilings(t *testing.T) {
	w := pinging()
	all, err := Ceilings(w, []int{64, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	for i, want := range []results.Pings{
		{Clients: 1, PerSecond: 1 / 210e-6, P50NS: 210_000, P99NS: 210_000},
		{Clients: 64, PerSecond: 1 / 10e-6, P50NS: 640_000, P99NS: 640_000},
	} {
		got := all[i]
		if got.Clients != want.Clients || math.Abs(got.PerSecond/want.PerSecond-1) > 0.01 || got.P50NS != want.P50NS || got.P99NS != want.P99NS {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if took := w.Now(); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestManyNumbersOfClientsTakeNoLonger(t *testing.T) {
	w := pinging()
	all, err := Ceilings(w, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var clients []int
	for _, p := range all {
		clients = append(clients, p.Clients)
	}
	if !slices.Equal(clients, []int{1, 3, 5, 7, 9, 12}) {
		t.Errorf("%v", clients)
	}
	if took := w.Now(); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
}

// A server so far away that no ping comes back in a slice has no ceiling.
func TestNoCeilingOfAFarServer(t *testing.T) {
	w := sim.New(sim.Config{Profile: &profile.Profile{
		Schema: profile.Schema, Name: "far", Network: profile.Network{BaseNS: profile.Constant(1e9)},
	}}, 1)
	if all, err := Ceilings(w, []int{1}, nil); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}

func TestCeilingsCanBeStopped(t *testing.T) {
	stop := make(chan struct{})
	close(stop)
	if _, err := Ceilings(pinging(), []int{1}, stop); !errors.Is(err, engine.ErrInterrupted) {
		t.Errorf("%v", err)
	}
}

func TestCeilingsSayWhichClientFails(t *testing.T) {
	broken := errors.New("no more")
	w := &spoilt{World: pinging(), dial: func(client int) error {
		if client == 2 {
			return broken
		}
		return nil
	}}
	if _, err := Ceilings(w, []int{1, 4}, nil); !errors.Is(err, broken) || err.Error() != "connecting client 3 of 4: no more" {
		t.Errorf("%v", err)
	}
}

func TestCeilingsOfARealServer(t *testing.T) {
	server := redistest.Start(t)
	all, err := Ceilings(open(t, server), []int{1, 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	for _, p := range all {
		if p.PerSecond <= 0 || p.P50NS <= 0 || p.P99NS < p.P50NS {
			t.Errorf("%+v", p)
		}
	}
}
