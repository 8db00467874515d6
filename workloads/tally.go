package workloads

import (
	"fmt"
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/results"
)

// tally is the ledger of workloads that keep a whole number which every
// committed op moves by a known amount, always the same way.
type tally struct {
	initial   int64
	direction int64 // +1: an effect of n adds n; -1: it takes n away
	amount    func(op Op) int64
	reads     func(base string) []resp.Cmd
	// value finds the number in the stored state, or says what is wrong.
	value    func(replies []resp.Reply) (n int64, problem string)
	accounts map[string]*account
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

func (t *tally) Reads(base string) []resp.Cmd { return t.reads(base) }

func (t *tally) Check(base string, replies []resp.Reply, audit *results.Audit) {
	var a account
	if kept := t.accounts[base]; kept != nil {
		a = *kept
	}
	value, problem := t.value(replies)
	if problem != "" {
		audit.Broke(a.acknowledged, a.unknown, base+" "+problem)
		return
	}
	audit.Tally(a.acknowledged, a.unknown, (value-t.initial)*t.direction)
}

// wholeText reads a number that must be there.
func wholeText(reply resp.Reply) (n int64, ok bool) {
	n, err := strconv.ParseInt(reply.Str, 10, 64)
	return n, reply.Kind == resp.String && err == nil
}

// oneNumber is the value of a ledger whose first reply is the number.
func oneNumber(replies []resp.Reply) (n int64, problem string) {
	n, ok := wholeText(replies[0])
	if !ok {
		return 0, fmt.Sprintf("holds %v, not a whole number", replies[0])
	}
	return n, ""
}
