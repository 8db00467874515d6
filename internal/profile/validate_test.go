package profile

import (
	"math"
	"strings"
	"testing"
)

func TestValidateNamesEveryFault(t *testing.T) {
	for want, spoil := range map[string]func(*Profile){
		"": func(*Profile) {},
		"a profile of format 0: this program reads format 1":                                                          func(p *Profile) { p.Schema = 0 },
		`measured is "today": it should be a day such as 2006-01-02, or empty`:                                        func(p *Profile) { p.Measured = "today" },
		"server.exchange_ns is NaN: it should be 0 to 60000000000 nanoseconds":                                        func(p *Profile) { p.Server.ExchangeNS = math.NaN() },
		"server.command_ns is +Inf: it should be 0 to 60000000000 nanoseconds":                                        func(p *Profile) { p.Server.CommandNS = math.Inf(1) },
		"server.commands_ns.GET is -1: it should be 0 to 60000000000 nanoseconds":                                     func(p *Profile) { p.Server.CommandsNS["GET"] = -1 },
		"server.commands_ns.get: names of commands are in capitals":                                                   func(p *Profile) { p.Server.CommandsNS["get"] = 1 },
		"server.nested_ns is -Inf: it should be 0 to 60000000000 nanoseconds":                                         func(p *Profile) { p.Server.NestedNS = math.Inf(-1) },
		"network.base_ns: point 3 is NaN: it should be 0 to 60000000000 nanoseconds":                                  func(p *Profile) { p.Network.BaseNS[2].NS = math.NaN() },
		"network.base_ns: share 2 is NaN: it should be 0 to 1":                                                        func(p *Profile) { p.Network.BaseNS = Quantiles{{0, 1}, {math.NaN(), 2}, {1, 3}} },
		"network.base_ns: share 1 does not lie above share 1 before it":                                               func(p *Profile) { p.Network.BaseNS[1].Share = 1 },
		"network.base_ns: 4000 ns at share 0.5 lie below 5000 ns before them":                                         func(p *Profile) { p.Network.BaseNS[1].NS = 4000 },
		"network.base_ns: the shares go from 0.1 to 1: they should go from 0 to 1":                                    func(p *Profile) { p.Network.BaseNS[0].Share = 0.1 },
		"network.base_ns: the shares go from 0 to 0.9: they should go from 0 to 1":                                    func(p *Profile) { p.Network.BaseNS[2].Share = 0.9 },
		`network.jitter.shape is "wild": it should be one of ["constant" "exponential" "normal"]`:                     func(p *Profile) { p.Network.Jitter.Shape = "wild" },
		"network.jitter.share is 1.5: it should be 0 to 1":                                                            func(p *Profile) { p.Network.Jitter.Share = 1.5 },
		"client.exchange_ns is -1: it should be 0 to 60000000000 nanoseconds":                                         func(p *Profile) { p.Client.ExchangeNS = -1 },
		"client.hold_ns is -1: it should be 0 to 60000000000 nanoseconds":                                             func(p *Profile) { p.Client.HoldNS = -1 },
		"client.cores is -1: it should be 0 or more":                                                                  func(p *Profile) { p.Client.Cores = -1 },
		"client.hold_ns is -1: it should be 0 to 60000000000 nanoseconds\nclient.cores is -1: it should be 0 or more": func(p *Profile) { p.Client.HoldNS, p.Client.Cores = -1, -1 },
	} {
		p := sample()
		spoil(p)
		got := ""
		if err := p.Validate(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("got  %s\nwant %s", got, strings.ReplaceAll(want, "\n", " / "))
		}
	}
}

func TestSparseProfilesAreValid(t *testing.T) {
	for _, base := range []Quantiles{nil, Constant(5), {{0, 1}, {1, 1}}} {
		p := sample()
		p.Network.BaseNS, p.Server.CommandsNS, p.Measured = base, nil, ""
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
}
