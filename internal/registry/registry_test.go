package registry

import (
	"slices"
	"strings"
	"testing"
)

func sample() *Table[int] {
	table := New[int]("strategy")
	table.Add("c", 3)
	table.Add("a", 1)
	table.Add("b", 2)
	return table
}

func TestGetReturnsWhatWasAdded(t *testing.T) {
	table := sample()
	for name, want := range map[string]int{"a": 1, "b": 2, "c": 3} {
		if got, err := table.Get(name); err != nil || got != want {
			t.Errorf("Get(%q) = %v, %v; want %v", name, got, err, want)
		}
	}
}

func TestGetUnknownNamesKindValueAndKnown(t *testing.T) {
	for _, name := range []string{"foo", "", "A"} {
		got, err := sample().Get(name)
		if err == nil {
			t.Fatalf("Get(%q) = %v without an error", name, got)
		}
		if want := `unknown strategy "` + name + `" (known: a, b, c)`; err.Error() != want {
			t.Errorf("Get(%q): error %q, want %q", name, err, want)
		}
		if got != 0 {
			t.Errorf("Get(%q) = %v beside its error, want the zero value", name, got)
		}
	}
}

func TestNamesAreSortedAndTheCallersOwn(t *testing.T) {
	table := sample()
	names := table.Names()
	if want := []string{"a", "b", "c"}; !slices.Equal(names, want) {
		t.Fatalf("Names() = %v, want %v", names, want)
	}
	names[0] = "spoilt"
	if table.Names()[0] != "a" {
		t.Error("writing to the result of Names changed the table")
	}
	if empty := New[int]("chart").Names(); len(empty) != 0 {
		t.Errorf("an empty table names %v", empty)
	}
}

func TestAddPanics(t *testing.T) {
	for name, want := range map[string]string{
		"a": `strategy "a" added twice`,
		"":  "a strategy without a name",
	} {
		t.Run(name, func(t *testing.T) {
			table := sample()
			defer func() {
				said, _ := recover().(string)
				if !strings.Contains(said, want) {
					t.Errorf("Add(%q) panicked with %q, want %q in it", name, said, want)
				}
				if got, _ := table.Get("a"); got != 1 {
					t.Errorf("the item added first became %v", got)
				}
			}()
			table.Add(name, 9)
		})
	}
}
