// Package scripts owns the Lua bodies: embedded files, found by name, with the
// SHA1 a server knows them by, and the function library that is made of them.
// It does not know what they mean: each has a twin in Go, with the workload or
// the strategy that it belongs to.
//
// Every body keeps one convention, so that one reader understands all replies:
// it answers {1, answer} when it wrote and {0, answer} when the business rule
// said no, numbers as strings of digits; anything else is an error reply.
//
// Every script has a variant that keeps the server busy first (see Spin).
package scripts

import (
	"crypto/sha1"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"rmwbench/internal/registry"
)

//go:embed *.lua
var files embed.FS

// Script is one Lua body.
type Script struct {
	Name     string // file name without .lua
	Body     string
	SHA1     string // 40 hexadecimal digits, the argument of EVALSHA
	Function string // what Library registers it as, the argument of FCALL
	Spins    bool   // a variant that keeps the server busy first: see Spin
}

// newScript names a body.
func newScript(name, body string) Script {
	digest := sha1.Sum([]byte(body))
	sum := hex.EncodeToString(digest[:])
	return Script{Name: name, Body: body, SHA1: sum, Function: functionName(name, sum)}
}

// called finds the commands in a body.
var called = regexp.MustCompile(`redis\.p?call\('([A-Za-z]+)'`)

// Calls lists the commands that the body calls, in lower case, each once.
func (s Script) Calls() (names []string) {
	for _, match := range called.FindAllStringSubmatch(s.Body, -1) {
		if name := strings.ToLower(match[1]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// All holds every script by name, its variant Once, and a spinning variant of
// both.
var All = load()

func load() *registry.Table[Script] {
	table := registry.New[Script]("script")
	names, err := fs.Glob(files, "*.lua")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, file := range names {
		body, err := files.ReadFile(file)
		if err != nil {
			panic(err) // the file is in the binary
		}
		name := strings.TrimSuffix(path.Base(file), ".lua")
		s := newScript(name, string(body))
		for _, variant := range []Script{s, s.once()} {
			table.Add(variant.Name, variant)
			table.Add(spinningName(variant.Name), variant.spinning())
		}
	}
	return table
}

// MustGet returns the script of that name. It is for workloads, which name
// their own embedded file: a missing one is a broken build, so it panics.
func MustGet(name string) Script {
	s, err := All.Get(name)
	if err != nil {
		panic(err)
	}
	return s
}
