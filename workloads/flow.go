package workloads

import (
	"fmt"

	"rmwbench/internal/resp"
	"rmwbench/results"
)

// flow is the ledger of workloads whose ops bring in things with a name and
// take things out: tokens, members, holders of a lock. For every name
//
//	brought in - taken out = there at the end
//
// counting what clients were told. The sum fails for a thing that was brought
// in and overwritten, for one that was taken out twice, and for one that nobody
// was told of. Faults of either kind count apart, so that only a fault of each
// kind with the same name can hide each other.
type flow struct {
	opening []string // names that are there at the start
	// moves says what an acknowledged op brought in and took out, "" for
	// nothing. Of an op whose answer was lost, takes says that it may have
	// taken out something, whatever its name.
	moves func(op Op, answer string) (in, out string, takes bool)
	reads func(base string) []resp.Cmd
	// present lists the names that are there, or says what is wrong.
	present func(replies []resp.Reply) (names []string, problem string)
	bases   map[string]*stock
}

// stock is what is known of one base.
type stock struct {
	acknowledged, unknown int64 // ops
	mayTake               int64 // of the unknown, those that may have taken something out
	names                 map[string]passed
}

// passed counts the ops on one name.
type passed struct {
	net   int64 // brought in - taken out, as acknowledged
	maybe int64 // may have been brought in
}

func (f *flow) of(base string) *stock {
	s := f.bases[base]
	if s == nil {
		s = &stock{names: make(map[string]passed)}
		if f.bases == nil {
			f.bases = make(map[string]*stock)
		}
		f.bases[base] = s
	}
	return s
}

// add changes what passed under a name, and forgets a name that comes to
// nothing.
func (s *stock) add(name string, p passed) {
	if name == "" {
		return
	}
	sum := s.names[name]
	sum.net += p.net
	sum.maybe += p.maybe
	if sum == (passed{}) {
		delete(s.names, name)
		return
	}
	s.names[name] = sum
}

func (f *flow) Note(op Op, effect Effect, answer string) {
	switch effect {
	case EffectAll:
		s := f.of(op.Keys[0])
		in, out, _ := f.moves(op, answer)
		s.acknowledged++
		s.add(in, passed{net: 1})
		s.add(out, passed{net: -1})
	case EffectPart, EffectMaybe:
		s := f.of(op.Keys[0])
		in, _, takes := f.moves(op, "")
		s.unknown++
		s.add(in, passed{maybe: 1})
		if takes {
			s.mayTake++
		}
	}
}

func (f *flow) Merge(other Ledger) {
	for base, from := range other.(*flow).bases {
		into := f.of(base)
		into.acknowledged += from.acknowledged
		into.unknown += from.unknown
		into.mayTake += from.mayTake
		for name, p := range from.names {
			into.add(name, p)
		}
	}
}

func (f *flow) Reads(base string) []resp.Cmd { return f.reads(base) }

func (f *flow) Check(base string, replies []resp.Reply, audit *results.Audit) {
	s := f.bases[base]
	if s == nil {
		s = &stock{}
	}
	there, problem := f.present(replies)
	if problem != "" {
		audit.Broke(s.acknowledged, s.unknown, base+" "+problem)
		return
	}
	type seen struct {
		passed
		stored int64
	}
	names := make(map[string]seen, len(s.names)+len(there))
	for name, p := range s.names {
		names[name] = seen{passed: p}
	}
	for _, name := range f.opening {
		n := names[name]
		n.net++
		names[name] = n
	}
	for _, name := range there {
		n := names[name]
		n.stored++
		names[name] = n
	}
	var missing, twice, extra int64
	for _, n := range names {
		missing += max(0, n.net-n.stored)
		twice += max(0, -n.net-n.maybe)
		extra += max(0, n.stored-max(0, n.net+n.maybe))
	}
	settle(audit, s.acknowledged, s.unknown, max(missing-s.mayTake, twice, 0), extra)
}

// settle enters a base of which at least so many acknowledged effects are
// missing, or so many are there that nobody was told of. What has gone although
// nothing was acknowledged is the doing of the latter.
func settle(audit *results.Audit, acknowledged, unknown, lost, extra int64) {
	lost = min(lost, acknowledged)
	switch {
	case lost > 0:
		audit.Tally(acknowledged, unknown, acknowledged-lost)
	case extra > 0:
		audit.Tally(acknowledged, unknown, acknowledged+unknown+extra)
	default:
		audit.Tally(acknowledged, unknown, acknowledged)
	}
}

// oneString is the name that a string key holds, if it exists.
func oneString(replies []resp.Reply) (names []string, problem string) {
	switch replies[0].Kind {
	case resp.Nil:
		return nil, ""
	case resp.String:
		return []string{replies[0].Str}, ""
	}
	return nil, fmt.Sprintf("holds %v, not a string", replies[0])
}

func readString(base string) []resp.Cmd { return []resp.Cmd{{"GET", base}} }
