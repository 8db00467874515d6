package profile

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"rmwbench/internal/registry"
)

//go:embed *.json
var files embed.FS

// All holds the built-in profiles by what they were measured on. They are
// nobody's to write to: Open answers a copy.
var All = load()

// Default is the built-in profile for whoever names none.
const Default = "redis-7.0.15-unix"

func load() *registry.Table[Profile] {
	table := registry.New[Profile]("profile")
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, file := range names {
		text, err := files.ReadFile(file)
		if err != nil {
			panic(err) // the file is in the binary
		}
		p, err := Read(bytes.NewReader(text))
		if err != nil {
			panic(fmt.Sprintf("profile: %s: %v", file, err))
		}
		table.Add(strings.TrimSuffix(path.Base(file), ".json"), *p)
	}
	return table
}

// Open is the built-in profile of that name, or else the one in the file of
// that name.
func Open(name string) (*Profile, error) {
	p, unknown := All.Get(name)
	if unknown == nil {
		return p.clone(), nil
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w, and no file of that name", unknown)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	read, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return read, nil
}

func (p Profile) clone() *Profile {
	p.Server.CommandsNS = maps.Clone(p.Server.CommandsNS)
	p.Network.BaseNS = slices.Clone(p.Network.BaseNS)
	p.Client.LateNS = slices.Clone(p.Client.LateNS)
	if p.Checked != nil {
		checked := *p.Checked
		p.Checked = &checked
	}
	return &p
}
