package check

import (
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/internal/state"
)

// spoil is a transaction that met a value of another type than its commands
// want, at one key.
type spoil struct {
	step    int
	key     string
	fails   []failure
	applied int // elements that were done all the same
}

// spoil tries each transaction on each key that it changes, spoilt. The
// database is used again and again.
func (s *stage) spoil(db int, walk []state.State) (all []spoil, err error) {
	for n, step := range s.batch.steps() {
		if !step.Multi {
			continue
		}
		for _, key := range touched(step, walk) {
			if err := s.reset(db); err != nil {
				return nil, err
			}
			if n > 0 {
				if _, err := s.play(db, 0, n); err != nil {
					return nil, err
				}
			}
			if err := s.spoilKey(db, key, walk); err != nil {
				return nil, err
			}
			p, err := s.play(db, n, n+1)
			if err != nil {
				return nil, err
			}
			if sp := seen(step, p); len(sp.fails) > 0 {
				sp.step, sp.key = n, key
				all = append(all, sp)
			}
		}
	}
	return all, nil
}

// touched are the keys that a step changes.
func touched(step Step, walk []state.State) []string {
	first := step.Commands[0].N
	return keysOf(state.Changes(walk[first], walk[first+len(step.Commands)]))
}

// keysOf are the keys of changes, once each and in order.
func keysOf(all []state.Change) (keys []string) {
	for _, c := range all {
		if len(keys) == 0 || keys[len(keys)-1] != c.Key {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

// spoilKey has a key hold another type than it ever has in the batch.
func (s *stage) spoilKey(db int, key string, walk []state.State) error {
	wrong := resp.Cmd{"SET", key, "x"}
	for _, s := range walk {
		if s.Keys[key].Type == "string" {
			wrong = resp.Cmd{"RPUSH", key, "x"}
		}
	}
	_, err := s.eye.Ask(resp.Cmd{"SELECT", strconv.Itoa(db)}, resp.Cmd{"DEL", key}, wrong)
	return err
}

// seen is what EXEC answered.
func seen(step Step, p play) (sp spoil) {
	for _, c := range step.Commands {
		switch r := p.replies[c.N]; {
		case r.Kind == resp.Error:
			sp.fails = append(sp.fails, failure{c, r.Str})
		default:
			sp.applied++
		}
	}
	return sp
}
