package verdict

import (
	"slices"

	"rmwbench/results"
)

// Unequal reports whether rows do different work: clients take time to decide,
// scripts take as much on their server, and some ways decide in no time. Those are
// no match for the others then, and are not compared with them.
func Unequal(rows []results.Summary) bool {
	has := func(test func(results.Cell) bool) bool {
		return slices.ContainsFunc(rows, func(r results.Summary) bool { return test(r.Cell) })
	}
	return has(func(c results.Cell) bool { return c.DecisionNS > 0 && Decides(c) && c.ScriptTimeNS == 0 }) &&
		has(func(c results.Cell) bool { return c.ScriptTimeNS > 0 }) &&
		has(func(c results.Cell) bool { return !Decides(c) })
}

// Decides reports whether a cell's decision, if it has one, takes time: of its
// clients or of the server in a script.
func Decides(c results.Cell) bool {
	k := kind(results.Summary{Cell: c})
	return c.ScriptTimeNS > 0 || !k.Command && !k.Scripts
}

// peers splits rows into those that may be compared and the names of ways that may
// not, since they decide in no time.
func peers(rows []results.Summary) (equals []results.Summary, instant []string) {
	if !Unequal(rows) {
		return rows, nil
	}
	for _, r := range rows {
		if Decides(r.Cell) {
			equals = append(equals, r)
		} else if name := Label(r.Cell); !slices.Contains(instant, name) {
			instant = append(instant, name)
		}
	}
	return equals, instant
}
