package workloads

import (
	"fmt"
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/results"
)

// tally is the ledger of workloads whose key is a whole number that every
// committed op moves by a known amount.
type tally struct {
	initial   int64
	direction int64 // +1: an effect of n adds n; -1: it takes n away
	expires   bool  // the key must still have a time to live
	amount    func(op Op) int64
	accounts  map[string]*account
}

// account sums the effects on one key.
type account struct{ acknowledged, unknown int64 }

func (t *tally) account(key string) *account {
	a := t.accounts[key]
	if a == nil {
		a = new(account)
		if t.accounts == nil {
			t.accounts = make(map[string]*account)
		}
		t.accounts[key] = a
	}
	return a
}

func (t *tally) Note(op Op, effect Effect, _ string) {
	switch effect {
	case EffectAll:
		t.account(op.Keys[0]).acknowledged += t.amount(op)
	case EffectPart, EffectMaybe:
		t.account(op.Keys[0]).unknown += t.amount(op)
	}
}

func (t *tally) Merge(other Ledger) {
	for key, from := range other.(*tally).accounts {
		into := t.account(key)
		into.acknowledged += from.acknowledged
		into.unknown += from.unknown
	}
}

func (t *tally) Reads(base string) []resp.Cmd {
	reads := []resp.Cmd{{"GET", base}}
	if t.expires {
		reads = append(reads, resp.Cmd{"PTTL", base})
	}
	return reads
}

func (t *tally) Check(base string, replies []resp.Reply, audit *results.Audit) {
	var a account
	if kept := t.accounts[base]; kept != nil {
		a = *kept
	}
	value, err := strconv.ParseInt(replies[0].Str, 10, 64)
	if replies[0].Kind != resp.String || err != nil {
		audit.Broke(a.acknowledged, a.unknown, fmt.Sprintf("%s holds %v, not a whole number", base, replies[0]))
		return
	}
	if t.expires && (replies[1].Kind != resp.Int || replies[1].Int < 0) {
		audit.Broke(a.acknowledged, a.unknown, base+" lost its time to live")
		return
	}
	audit.Tally(a.acknowledged, a.unknown, (value-t.initial)*t.direction)
}
