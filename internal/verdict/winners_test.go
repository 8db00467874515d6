package verdict

import "testing"

func TestWinners(t *testing.T) {
	at := func(clients int, strategy string, goodputs []float64) row {
		return row{strategy: strategy, clients: clients, goodputs: goodputs, cpu: quiet}
	}
	watch := func(clients int, backoff string, goodputs []float64) row {
		return row{strategy: "watch", backoff: backoff, clients: clients, goodputs: goodputs, cpu: quiet}
	}
	const below = "One retry per success: watch with full back-off stays below it at 4 clients."
	checkSentences(t, []sentencesTest{
		{"beyond doubt", []row{at(4, "lua", six(1000)), at(4, "atomic", six(2000))}, false,
			[]string{"At 4 clients atomic has the highest goodput, 2000/s, beyond doubt 2.0 times that of lua (1000/s)."}},
		{"not beyond doubt", []row{at(4, "lua", six(1000)), at(4, "atomic", six(1050))}, false,
			[]string{"At 4 clients atomic has the highest goodput, 1050/s, not beyond doubt ahead of lua (1000/s)."}},
		// Apart, but six trials do not carry a factor of 1.4.
		{"apart, by too little", []row{at(4, "lua", six(1000)), at(4, "atomic", six(1400))}, false,
			[]string{"At 4 clients atomic has the highest goodput, 1400/s, not beyond doubt ahead of lua (1000/s)."}},
		{"ten trials", []row{at(4, "lua", exactly(10, 1000)), at(4, "atomic", exactly(10, 1400))}, false,
			[]string{"At 4 clients atomic has the highest goodput, 1400/s, beyond doubt 1.4 times that of lua (1000/s)."}},
		// A real difference that rounds to a factor of one.
		{"ten trials, close", []row{at(4, "lua", exactly(10, 1000)), at(4, "atomic", exactly(10, 1020))}, false,
			[]string{"At 4 clients atomic has the highest goodput, 1020/s, beyond doubt ahead of lua (1000/s)."}},
		{"one of several level", []row{at(4, "lua", six(1000)), at(4, "atomic", six(1050)), watch(4, "full", six(200))}, false,
			[]string{below, "At 4 clients atomic has the highest goodput, 1050/s, not beyond doubt ahead of lua (1000/s), " +
				"but beyond doubt 5.2 times that of watch with full back-off (200/s). WATCH leads nowhere in this table."}},
		{"all level", []row{at(4, "lua", six(1000)), at(4, "atomic", six(1050)), watch(4, "full", six(980))}, false,
			[]string{below, "At 4 clients atomic has the highest goodput, 1050/s, not beyond doubt ahead of lua (1000/s) and " +
				"watch with full back-off (980/s). WATCH leads nowhere in this table."}},
		{"WATCH far behind", []row{watch(4, "full", six(100)), at(4, "lua", six(1000)), at(4, "atomic", six(2000)), watch(4, "none", six(50))}, false,
			[]string{"One retry per success: every WATCH loop stays below it at 4 clients.",
				"At 4 clients atomic has the highest goodput, 2000/s, beyond doubt 2.0 times that of lua (1000/s) and " +
					"20.0 times that of the best WATCH loop, watch with full back-off (100/s). WATCH leads nowhere in this table."}},
		// The median of WATCH is far below, but one trial of it reaches the winner.
		{"WATCH behind, with doubt", []row{watch(4, "full", []float64{100, 100, 100, 100, 100, 5000}), at(4, "lua", six(1000)), at(4, "atomic", six(2000))}, false,
			[]string{below, "At 4 clients atomic has the highest goodput, 2000/s, beyond doubt 2.0 times that of lua (1000/s) and " +
				"not beyond doubt 20.0 times that of the best WATCH loop, watch with full back-off (100/s). WATCH leads nowhere in this table."}},
		{"WATCH next", []row{watch(4, "full", six(1000)), at(4, "lua", six(500)), at(4, "atomic", six(2000))}, false,
			[]string{below, "At 4 clients atomic has the highest goodput, 2000/s, beyond doubt 2.0 times that of watch with full back-off (1000/s). " +
				"WATCH leads nowhere in this table."}},
		{"WATCH leading", []row{watch(4, "full", six(2000)), at(4, "lua", six(500)), at(4, "atomic", six(1000))}, false,
			[]string{below, "At 4 clients watch with full back-off has the highest goodput, 2000/s, beyond doubt 2.0 times that of atomic (1000/s)."}},
		{"both ends", []row{
			watch(1, "full", six(900)), watch(4, "full", six(1000)), watch(16, "full", six(300)),
			at(1, "lua", six(400)), at(4, "lua", six(1500)), at(16, "lua", six(3000)),
		}, false, []string{"One retry per success: watch with full back-off stays below it up to 16 clients.",
			"At 1 client watch with full back-off has the highest goodput, 900/s, beyond doubt 2.2 times that of lua (400/s). " +
				"At 16 clients lua has the highest goodput, 3000/s, beyond doubt 10.0 times that of watch with full back-off (300/s)."}},
		{"WATCH leads in between only", []row{
			watch(1, "full", six(300)), watch(4, "full", six(1000)), watch(16, "full", six(1000)), watch(64, "full", six(300)),
			at(1, "lua", six(900)), at(4, "lua", six(500)), at(16, "lua", six(500)), at(64, "lua", six(900)),
		}, false, []string{"One retry per success: watch with full back-off stays below it up to 64 clients.",
			"At 1 client lua has the highest goodput, 900/s, beyond doubt 3.0 times that of watch with full back-off (300/s). " +
				"At 64 clients lua has the highest goodput, 900/s, beyond doubt 3.0 times that of watch with full back-off (300/s). " +
				"In between, a WATCH loop has the highest goodput at 4 and 16 clients."}},
		{"WATCH in between without company", []row{
			watch(1, "full", six(300)), watch(4, "full", six(1000)), at(1, "lua", six(900)), at(16, "lua", six(900)), watch(16, "full", six(300)),
		}, false, []string{"One retry per success: watch with full back-off stays below it up to 16 clients.",
			"At 1 client lua has the highest goodput, 900/s, beyond doubt 3.0 times that of watch with full back-off (300/s). " +
				"At 16 clients lua has the highest goodput, 900/s, beyond doubt 3.0 times that of watch with full back-off (300/s)."}},
		{"nothing to compare at an end", []row{at(1, "lua", six(100)), at(4, "lua", six(1000)), at(4, "atomic", six(2000))}, false,
			[]string{"At 4 clients atomic has the highest goodput, 2000/s, beyond doubt 2.0 times that of lua (1000/s)."}},
		{"WATCH loops among themselves", []row{watch(4, "full", six(1000)), watch(4, "none", six(500))}, false,
			[]string{"One retry per success: every WATCH loop stays below it at 4 clients.",
				"At 4 clients watch with full back-off has the highest goodput, 1000/s, beyond doubt 2.0 times that of watch without back-off (500/s)."}},
		{"one row", []row{at(4, "lua", six(1000))}, false, nil},
		{"slow", []row{at(4, "lua", six(0.5)), at(4, "atomic", six(2))}, false,
			[]string{"At 4 clients atomic has the highest goodput, 2.0/s, beyond doubt 4.0 times that of lua (0.5/s)."}},
		// Most of its trials committed nothing: there is no factor.
		{"a median of zero", []row{at(4, "lua", []float64{0, 0, 0, 0, 0, 1}), at(4, "atomic", six(2000)), watch(4, "full", []float64{0, 0, 1})}, false,
			[]string{below, "At 4 clients atomic has the highest goodput, 2000/s, beyond doubt ahead of lua (0.0/s) and " +
				"ahead of the best WATCH loop, watch with full back-off (0.0/s). WATCH leads nowhere in this table."}},
	})
}

// What is wrong, void or empty wins nothing, and does not count as beaten.
func TestWinnersLeaveOut(t *testing.T) {
	lua := row{strategy: "lua", clients: 4, goodputs: six(1000), cpu: quiet}
	atomic := row{strategy: "atomic", clients: 4, goodputs: six(2000), cpu: quiet}
	want := []string{"At 4 clients atomic has the highest goodput, 2000/s, beyond doubt 2.0 times that of lua (1000/s)."}
	for name, bad := range map[string]row{
		"control":         {strategy: "unsafe", clients: 4, goodputs: six(9000)},
		"wrong loop":      {strategy: "bug-nil-as-success", clients: 64, goodputs: six(9000)},
		"void":            {strategy: "watch", clients: 4, goodputs: six(9000), lost: true},
		"void, alone":     {strategy: "watch", clients: 64, goodputs: six(9000), lost: true},
		"empty":           {strategy: "watch", clients: 64},
		"committed none":  {strategy: "watch", clients: 4, goodputs: exactly(6, 0)},
		"partial":         {strategy: "watch", clients: 4, goodputs: six(9000), partial: true},
		"control, behind": {strategy: "bug-read-before-watch", clients: 1, goodputs: six(1)},
	} {
		checkSentences(t, []sentencesTest{
			{name + " first", []row{bad, lua, atomic}, false, want},
			{name + " last", []row{lua, atomic, bad}, false, want},
			{name + " alone", []row{bad}, false, nil},
		})
	}
}
