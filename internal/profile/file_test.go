package profile

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"rmwbench/results"
)

func sample() *Profile {
	return &Profile{
		Schema: Schema, Name: "a server", Measured: "2006-01-02", Product: "redis", Version: "7.0.15",
		Server:  Server{ExchangeNS: 8000, CommandNS: 500, CommandsNS: map[string]float64{"SET": 700, "GET": 412.5}, NestedNS: 400, Rounds: true},
		Network: Network{BaseNS: Quantiles{{0, 5000}, {0.5, 10000}, {1, 1e6}}, Jitter: Jitter{ShapeNormal, 0.25}},
		Client:  Client{ExchangeNS: 14000, HoldNS: 3000, Cores: 2, LateNS: Quantiles{{0, 50000}, {1, 90000}}},
		Checked: &results.Checked{Cells: 27, Clients: 64, Goodput: 0.08, P: 0.03},
	}
}

const sampleText = `{
  "profile": 1,
  "name": "a server",
  "measured": "2006-01-02",
  "product": "redis",
  "version": "7.0.15",
  "server": {
    "exchange_ns": 8000,
    "command_ns": 500,
    "commands_ns": {
      "GET": 412.5,
      "SET": 700
    },
    "nested_ns": 400,
    "rounds": true
  },
  "network": {
    "base_ns": [
      [0, 5000],
      [0.5, 10000],
      [1, 1000000]
    ],
    "jitter": {
      "shape": "normal",
      "share": 0.25
    }
  },
  "client": {
    "exchange_ns": 14000,
    "hold_ns": 3000,
    "cores": 2,
    "late_ns": [
      [0, 50000],
      [1, 90000]
    ]
  },
  "checked": {
    "cells": 27,
    "clients": 64,
    "goodput": 0.08,
    "p": 0.03
  }
}
`

func TestAFileCanBeReadByAPersonAndComesBack(t *testing.T) {
	var text strings.Builder
	if err := sample().Write(&text); err != nil {
		t.Fatal(err)
	}
	if text.String() != sampleText {
		t.Errorf("wrote\n%s", text.String())
	}
	got, err := Read(strings.NewReader(sampleText))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample()) {
		t.Errorf("read %+v", got)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"nothing":           {sampleText, "", "line 1: no JSON"},
		"another format":    {`"profile": 1`, `"profile": 2`, "a profile of format 2: this program reads format 1"},
		"no format":         {`"profile": 1,`, ``, `no profile: it does not begin with "profile": 1`},
		"a slip in a name":  {`"nested_ns"`, `"nestd_ns"`, `unknown field "nestd_ns"`},
		"a missing comma":   {`"exchange_ns": 8000,`, `"exchange_ns": 8000`, "line 9: no JSON"},
		"text for a number": {`"nested_ns": 400`, `"nested_ns": "400"`, "line 14: server.nested_ns is string and should be a number"},
		"a fraction":        {`"cores": 2`, `"cores": 2.5`, "client.cores is number 2.5 and should be a whole number"},
		"three to a pair":   {`[0.5, 10000]`, `[0.5, 10000, 1]`, "point 2 has 3 numbers"},
		"no pairs":          {`[0.5, 10000]`, `10000`, "quantiles are [[share, ns], ...]"},
		"no object":         {sampleText, "[1]", "line 1: the profile is array and should be an object"},
		"text for a truth":  {`"rounds": true`, `"rounds": "yes"`, "line 15: server.rounds is string and should be true or false"},
		"too large":         {`"nested_ns": 400`, `"nested_ns": 1e999`, "line 14: server.nested_ns is number 1e999"},
		"more after it":     {sampleText, sampleText + "{}", "no JSON"},
		"a fault":           {`"nested_ns": 400`, `"nested_ns": -4`, "server.nested_ns is -4"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Read(strings.NewReader(strings.Replace(sampleText, c.old, c.new, 1)))
			if err == nil {
				t.Fatalf("read %+v", p)
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "json") {
				t.Errorf("%q, want %q in it", err, c.want)
			}
		})
	}
}

func TestWriteRefusesWhatReadWould(t *testing.T) {
	p := sample()
	p.Client.Cores = -1
	var text bytes.Buffer
	if err := p.Write(&text); err == nil || text.Len() > 0 {
		t.Errorf("%v, wrote %d bytes", err, text.Len())
	}
}

// Whatever is read is valid, and writing it loses nothing.
func FuzzRead(f *testing.F) {
	f.Add([]byte(sampleText))
	f.Add([]byte(`{"profile":1,"network":{"base_ns":[[1,5]],"jitter":{"shape":"constant"}}}`))
	f.Add([]byte(`{"profile":1,"network":{"base_ns":null}}`))
	f.Add([]byte(`[[`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Read(bytes.NewReader(text))
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		var first, second bytes.Buffer
		if err := p.Write(&first); err != nil {
			t.Fatalf("read %+v, but writing it: %v", p, err)
		}
		again, err := Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, first.Bytes())
		}
		if err := again.Write(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%v:\n%s\nbecame\n%s", err, first.Bytes(), second.Bytes())
		}
	})
}
