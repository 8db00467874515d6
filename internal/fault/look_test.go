package fault

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/redisd/redistest"
)

// The matrix on a real server is held to the expectations, and to an independent
// look: after every case, the verdict is found once more from
// what a plain connection is answered - the commands that a reviewer would type
// into redis-cli - and from what the clients were told. It shares nothing with
// how the matrix finds its own: no references, no reading of states.
func TestAnIndependentLook(t *testing.T) {
	server, process := realServer(t)
	var verdicts []Verdict
	for _, name := range Designs.Names() {
		t.Run(name, func(t *testing.T) {
			find, ok := looks[name]
			if !ok {
				t.Fatal("nobody has written down how to look at this design: add it to looks")
			}
			design, err := Designs.Get(name)
			if err != nil {
				t.Fatal(err)
			}
			tester, err := newTester(server, design)
			if err != nil {
				t.Fatal(err)
			}
			if err := tester.open(); err != nil {
				t.Fatal(err)
			}
			defer tester.close()
			all := points(tester.commands, design.Sweep != nil, design.Sweep == nil)
			if len(all) < 7 {
				t.Fatalf("%d cases", len(all))
			}
			v := Verdict{Name: name, Design: design}
			for _, p := range all {
				start := time.Now()
				c, err := tester.run(p)
				if err != nil {
					t.Fatal(err)
				}
				v.Cases, v.Flaws = append(v.Cases, c), ordered(append(v.Flaws, c.Flaws...))
				l := &looker{Case: c, elapsed: time.Since(start), ask: func(words ...string) string {
					return redistest.Command(t, process(), words...)
				}}
				applied := find(l)
				if flaws := l.flawsOf(applied); applied != c.Applied || !slices.Equal(flaws, c.Flaws) {
					t.Errorf("%s: a look finds applied %s, %q; the matrix says %s, %q", p, applied, flaws, c.Applied, c.Flaws)
				}
			}
			verdicts = append(verdicts, v)
		})
	}
	expect(t, verdicts)
	if len(looks) != len(ByGroup()) {
		t.Errorf("%d designs, and %d ways to look", len(ByGroup()), len(looks))
	}
}

// looker looks at what a case has left.
type looker struct {
	Case
	elapsed time.Duration // since the case began
	ask     func(words ...string) string
	found   []Flaw // by looking at references and deadlines
}

// others is how many ops the other client did.
func (l *looker) others() int {
	if l.Point.Other {
		return 1
	}
	return 0
}

// number is a reply as one.
func (l *looker) number(words ...string) int {
	n, err := strconv.Atoi(l.ask(words...))
	if err != nil {
		return -1 << 40 // no number: never what was expected
	}
	return n
}

// flawsOf is what is wrong with an op that was applied so often, in the order in
// which flaws are told.
func (l *looker) flawsOf(applied Applied) []Flaw {
	flaws := slices.Clone(l.found)
	switch applied {
	case AppliedTwice:
		flaws = append(flaws, Doubles)
	case AppliedOver:
		flaws = append(flaws, Overwrites)
	}
	switch {
	case l.Told == ToldCommitted && applied == AppliedNever:
		flaws = append(flaws, UnderCounts)
	case l.Told == ToldRejected && applied != AppliedNever:
		flaws = append(flaws, Misreports)
	}
	for key := range strings.FieldsSeq(l.ask("KEYS", escape(base)+":op:*")) {
		if l.ask("TTL", key) == "-1" {
			flaws = append(flaws, TokenStays)
		}
	}
	return ordered(flaws)
}

// times is how often an op was applied by a count of it.
func times(n int) Applied {
	if n < 0 || n > 2 {
		return AppliedPart
	}
	return []Applied{AppliedNever, AppliedOnce, AppliedTwice}[n]
}

// counted is for ops that each add one to a number that a command answers.
func counted(words ...string) func(*looker) Applied {
	return func(l *looker) Applied { return times(l.number(words...) - l.others()) }
}

// either is for ops that leave something that is there or not: the reply says
// so for the client, and for the other one.
func either(mine, others []string, there string) func(*looker) Applied {
	return func(l *looker) Applied {
		if got := l.ask(others...) == there; got != l.Point.Other {
			return AppliedPart
		}
		if l.ask(mine...) == there {
			return AppliedOnce
		}
		return AppliedNever
	}
}

// last is for ops of which the last one is seen.
func last(want string, words ...string) func(*looker) Applied {
	return func(l *looker) Applied {
		if l.ask(words...) == want {
			return AppliedOnce
		}
		return AppliedNever
	}
}

// What the first client's ops and the other's carry: the same in every case.
const (
	mine, theirs         = "8210", "29471"
	myItem, theirItem    = "2", "15"
	balance              = 1 << 40
	hour, minute         = 3_600_000, 60_000 // ms
	to, payloads, prefix = base + ":to", base + ":payloads", base + ":item:"
)

// inList counts the elements of a list.
func inList(l *looker) Applied {
	all := strings.Fields(l.ask("LRANGE", base, "0", "-1"))
	count := func(want string) (n int) {
		for _, x := range all {
			if x == want {
				n++
			}
		}
		return n
	}
	if count(theirs) != l.others() || count(mine)+count(theirs) != len(all) {
		return AppliedPart
	}
	return times(count(mine))
}

// written looks by a command for whose value is there. The other client adds ten in between
// and is answered the sum: who overwrote it is told by a sum that is not there.
func written(words ...string) func(*looker) Applied {
	return func(l *looker) Applied {
		sum := 0
		for _, line := range l.Log {
			if line.Who == "another client" {
				sum, _ = strconv.Atoi(strings.TrimPrefix(line.Received[0], "(integer) "))
			}
		}
		switch value := l.number(words...); {
		case value == 8210 && sum > 8210:
			return AppliedOver
		case value == 8210 || value == 8220 && sum == 8220:
			return AppliedOnce
		case value == sum, sum == 0 && l.ask(words...) == "(nil)":
			return AppliedNever
		}
		return AppliedPart
	}
}

// debited looks at what a balance has lost, and that it has kept its deadline.
func debited(others int) func(*looker) Applied {
	return func(l *looker) Applied {
		if l.number("TTL", base) <= 0 {
			return AppliedPart
		}
		return times(balance - l.number("GET", base) - others*l.others())
	}
}

func transferred(l *looker) Applied {
	n := l.number("GET", to)
	if balance-l.number("GET", base) != n {
		l.found = append(l.found, Halves)
		return AppliedPart
	}
	return times(n - l.others())
}

// fed looks at the number of the last event, and at as many payloads beside the
// first.
func fed(l *looker) Applied {
	n := l.number("GET", base)
	if l.number("HLEN", payloads) != n+1 {
		l.found = append(l.found, Halves)
		return AppliedPart
	}
	return times(n - l.others())
}

// lives is for ops that give a key a life, in milliseconds.
func lives(key string, life int) func(*looker) Applied {
	return func(l *looker) Applied {
		left := l.number("PTTL", key)
		if left <= 0 {
			return AppliedNever
		}
		l.drift(life - left)
		return AppliedOnce
	}
}

// drift holds the age of a deadline, in milliseconds, against that of the case: a
// key that lives longer than an attempt at the start would have it has drifted.
// Clients wait before they try again, long enough to tell.
func (l *looker) drift(age int) {
	if time.Duration(age)*time.Millisecond < l.elapsed-drift/2 {
		l.found = append(l.found, Drifts)
	}
}

// item is what there is of one: its pointer, and the milliseconds that its
// payload has left, -1: no end, -2: no payload.
func (l *looker) item(name string) (pointed bool, left int) {
	return l.ask("SISMEMBER", base, name) == "1", l.number("PTTL", prefix+name)
}

// references looks at all items.
func (l *looker) references() {
	for i := range 16 {
		switch pointed, left := l.item(strconv.Itoa(i)); {
		case pointed && left == -2:
			l.found = append(l.found, Breaks)
		case pointed && left >= 0:
			l.found = append(l.found, BreaksLater)
		case !pointed && left == -1:
			l.found = append(l.found, Garbage)
		case !pointed && left >= 0:
			l.found = append(l.found, Temporary)
			if ends := l.Ends.Milliseconds(); int64(left) > ends || ends > minute {
				l.found = append(l.found, Garbage) // longer than was said
			}
		}
	}
}

// stored is for designs that store a payload and a pointer. ending says that the
// payload has an end.
func stored(ending bool) func(*looker) Applied {
	return func(l *looker) Applied {
		l.references()
		there := func(name string) Applied {
			switch pointed, left := l.item(name); {
			case pointed && (ending && left > 0 || !ending && left == -1):
				return AppliedOnce
			case !pointed && left == -2:
				return AppliedNever
			}
			return AppliedPart
		}
		if there(theirItem) != times(l.others()) {
			return AppliedPart
		}
		if _, left := l.item(myItem); ending && left > 0 && l.Told != ToldNothing {
			l.drift(minute - left)
		}
		return there(myItem)
	}
}

// removed is for designs that remove both.
func removed(l *looker) Applied {
	l.references()
	there := func(name string) Applied {
		switch pointed, left := l.item(name); {
		case pointed && left == -1:
			return AppliedNever
		case !pointed && left == -2:
			return AppliedOnce
		}
		return AppliedPart
	}
	if there(theirItem) != times(l.others()) {
		return AppliedPart
	}
	return there(myItem)
}

// looks say for every design how to look.
var looks = map[string]func(*looker) Applied{
	"append":        counted("STRLEN", base),
	"bitfield-incr": counted("BITFIELD", base, "GET", "u32", "0"),
	"expire":        lives(base, hour),
	"incrby":        counted("GET", base),
	"lpush":         inList,
	"rpush":         inList,
	"setex": func(l *looker) Applied {
		applied := written("GET", base)(l)
		if applied != AppliedNever && lives(base, hour)(l) == AppliedNever {
			return AppliedPart // it must have an end
		}
		return applied
	},
	"xadd": counted("XLEN", base),
	"zincrby": func(l *looker) Applied {
		if l.ask("EXISTS", base) == "0" {
			return AppliedNever
		}
		return counted("ZSCORE", base, "player")(l)
	},

	"del":      last("0", "EXISTS", base),
	"expireat": last("4102444800", "EXPIRETIME", base),
	"hset":     written("HGET", base, "status"),
	"sadd":     either([]string{"SISMEMBER", base, mine}, []string{"SISMEMBER", base, theirs}, "1"),
	"set":      written("GET", base),
	"setbit":   either([]string{"GETBIT", base, mine}, []string{"GETBIT", base, theirs}, "1"),
	"xadd-id": func(l *looker) Applied {
		if entries := l.ask("XRANGE", base, "2-1", "+"); (entries != "") != l.Point.Other {
			return AppliedPart
		}
		if l.ask("XRANGE", base, "1-1", "1-1") == "" {
			return AppliedNever
		}
		return AppliedOnce
	},
	"zadd": written("ZSCORE", base, "player"),

	"set-readback": written("GET", base),

	"cas-restart":      counted("GET", base),
	"debit-drained":    debited(balance),
	"debit-resent":     debited(1),
	"feed-resent":      fed,
	"function-resent":  counted("GET", base),
	"script-resent":    counted("GET", base),
	"transfer-restart": transferred,
	"watch-restart":    counted("GET", base),

	"claim-apart":         counted("GET", base),
	"claim-in-multi":      counted("GET", base),
	"claim-no-end":        counted("GET", base),
	"debit-drained-token": debited(balance),
	"debit-token":         debited(1),
	"feed-token":          fed,
	"lpush-token":         inList,
	"script-token":        counted("GET", base),
	"script-token-short":  counted("GET", base),
	"transfer-token":      transferred,
	"watch-token":         counted("GET", base),
	"watch-token-short":   counted("GET", base),

	"delete-first":         removed,
	"payload-expires":      stored(true),
	"payload-first":        stored(false),
	"payload-first-hasty":  stored(false),
	"payload-first-swept":  stored(false),
	"payload-lent":         stored(false),
	"payload-linked":       stored(false),
	"payload-with-pointer": stored(false),
	"pointer-first":        stored(false),
	"pointer-first-swept":  stored(false),
	"unlink-first":         removed,
}
