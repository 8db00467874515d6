package claims

import (
	"strings"

	"rmwbench/internal/resp"
)

func init() {
	All.Add("compare-and-set-missing", Claim{
		Says:   "There is no command that compares a value and sets it: that takes WATCH or a script.",
		Source: docs + "commands/set/",
		Check:  compareAndSet,
	})
}

// comparison is a command that some product has for it. It is sent to a key
// that holds "old"; {} stands for the key.
type comparison struct {
	name    string
	refuses string // compares with another value: no effect
	matches string
	then    string // what the key holds in the end; empty: it is gone
}

var comparisons = []comparison{
	{"SET IFEQ", "SET {} new IFEQ other", "SET {} new IFEQ old", "new"},
	{"SET IFNE", "SET {} new IFNE old", "SET {} new IFNE other", "new"},
	{"DELIFEQ", "DELIFEQ {} other", "DELIFEQ {} old", ""},
	{"DELEX IFEQ", "DELEX {} IFEQ other", "DELEX {} IFEQ old", ""},
	{"CAS", "CAS {} other new", "CAS {} old new", "new"},
	{"CAD", "CAD {} other", "CAD {} old", ""},
}

func compareAndSet(c *Case) Answer {
	a, key := c.Conn("A"), c.Key("value")
	var there, absent []string
	for _, cmp := range comparisons {
		if cmp.works(a, key) {
			there = append(there, cmp.name)
		} else {
			absent = append(absent, cmp.name)
		}
	}
	if len(there) == 0 {
		return judge(true, "none of %s works", strings.Join(absent, ", "))
	}
	return judge(false, "%s: there and working", strings.Join(there, ", "))
}

// works reports whether the command is there and compares.
func (cmp comparison) works(a *Client, key string) bool {
	words := func(line string) []string { return strings.Fields(strings.ReplaceAll(line, "{}", key)) }
	a.Do("SET", key, "old")
	if a.Try(words(cmp.refuses)...).Kind == resp.Error || a.Do("GET", key).Str != "old" {
		return false
	}
	return a.Try(words(cmp.matches)...).Kind != resp.Error && a.Do("GET", key).Str == cmp.then
}
