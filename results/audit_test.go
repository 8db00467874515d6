package results

import "testing"

type key struct{ acknowledged, unknown, stored int64 }

func TestAudit(t *testing.T) {
	tests := []struct {
		name   string
		keys   []key
		broken string
		want   Audit
		void   bool
		text   string
	}{
		{"exact", []key{{10, 0, 10}, {0, 0, 0}}, "",
			Audit{Verdict: AuditExact, Acknowledged: 10, Stored: 10, Keys: 2}, false, "exact"},
		{"bounded below", []key{{10, 2, 10}}, "",
			Audit{Verdict: AuditBounded, Acknowledged: 10, Unknown: 2, Stored: 10, Keys: 1}, false,
			"bounded: 10 acknowledged, 2 unknown, 10 stored"},
		{"bounded above", []key{{10, 2, 12}}, "",
			Audit{Verdict: AuditBounded, Acknowledged: 10, Unknown: 2, Stored: 12, Keys: 1}, false,
			"bounded: 10 acknowledged, 2 unknown, 12 stored"},
		{"one lost", []key{{10, 0, 9}}, "",
			Audit{Verdict: AuditLost, Acknowledged: 10, Stored: 9, Lost: 1, Keys: 1, KeysWrong: 1}, true,
			"1 of 10 acknowledged updates lost"},
		{"lost beside unknown", []key{{10, 5, 9}}, "",
			Audit{Verdict: AuditLost, Acknowledged: 10, Unknown: 5, Stored: 9, Lost: 1, Keys: 1, KeysWrong: 1}, true,
			"1 of 10 acknowledged updates lost"},
		{"one extra", []key{{10, 0, 11}}, "",
			Audit{Verdict: AuditExtra, Acknowledged: 10, Stored: 11, Extra: 1, Keys: 1, KeysWrong: 1}, true,
			"1 updates stored that nobody was told of (10 acknowledged)"},
		{"extra beyond unknown", []key{{10, 2, 13}}, "",
			Audit{Verdict: AuditExtra, Acknowledged: 10, Unknown: 2, Stored: 13, Extra: 1, Keys: 1, KeysWrong: 1}, true,
			"1 updates stored that nobody was told of (10 acknowledged)"},
		// What one key has too much does not make up for what another has lost.
		{"lost and extra", []key{{10, 0, 7}, {10, 0, 13}, {1, 0, 1}}, "",
			Audit{Verdict: AuditLost, Acknowledged: 21, Stored: 21, Lost: 3, Extra: 3, Keys: 3, KeysWrong: 2}, true,
			"3 of 21 acknowledged updates lost and 3 stored that nobody was told of"},
		{"broken beats lost", []key{{10, 0, 7}}, "k holds x",
			Audit{Verdict: AuditBroken, Acknowledged: 14, Unknown: 1, Stored: 7, Lost: 3, Keys: 2, KeysWrong: 2, Detail: "k holds x"}, true,
			"broken: k holds x"},
		{"nothing", nil, "", Audit{Verdict: AuditExact}, false, "exact"},
	}
	for _, test := range tests {
		var a Audit
		for _, k := range test.keys {
			a.Tally(k.acknowledged, k.unknown, k.stored)
		}
		if test.broken != "" {
			a.Broke(4, 1, test.broken)
		}
		a.Settle()
		if a != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, a, test.want)
		}
		if a.Void() != test.void || a.String() != test.text {
			t.Errorf("%s: void %v, %q; want %v, %q", test.name, a.Void(), a, test.void, test.text)
		}
	}
	if a := (Audit{Verdict: AuditNone}); a.Void() || a.String() != "not audited" {
		t.Errorf("none: void %v, %q", a.Void(), a)
	}
}

func TestAuditTellsOfTheFirstBrokenKey(t *testing.T) {
	var a Audit
	a.Broke(1, 0, "first")
	a.Broke(1, 0, "second")
	a.Settle()
	if a.Detail != "first" || a.KeysWrong != 2 || a.Keys != 2 {
		t.Errorf("%+v", a)
	}
}
