package check

import (
	"fmt"
	"slices"

	"rmwbench/internal/verdict"
)

const lifetimesQuestion = "Does every key that a partial run can create have a TTL or an owner (#! owner: NAME)?"

// lifetimes looks for keys that a crash leaves and that nothing takes away.
func (v *evidence) lifetimes() Answer {
	a := Answer{Question: lifetimesQuestion}
	good := map[string]bool{}
	var bad, kept, warnings []string
	for i := range v.crashes {
		c := &v.crashes[i]
		for _, key := range v.created(c) {
			switch {
			case c.left.Keys[key].Deadline == 0 && v.owner(key) == "":
				if !slices.Contains(bad, key) {
					warnings = append(warnings, fmt.Sprintf("%s stays for ever when the batch dies after %s", key, v.after(c.steps)))
					bad = append(bad, key)
				}
			case !good[key]:
				good[key] = true
				kept = append(kept, fmt.Sprintf("%s (%s)", key, v.life(key, c.left, c.prefix)))
			}
		}
	}
	a.Warnings = few(warnings)
	switch {
	case len(bad) == 1:
		a.Answer = "No: " + bad[0] + " has neither."
	case len(bad) > 1:
		a.Answer = "No: " + verdict.Join(few(bad)) + " have neither."
	case len(v.crashes) == 0:
		a.Answer = "There is no partial run: it is one step for the server."
	case len(kept) == 0:
		a.Answer = "No partial run creates a key."
	default:
		a.Answer = "Yes: " + verdict.Join(few(kept)) + "."
	}
	return a
}

// owner is who takes care of a key, or nobody.
func (b *Batch) owner(key string) string {
	for _, o := range b.Owners {
		if o.owns(key) {
			return o.Name
		}
	}
	return ""
}
