package claims

import (
	"strconv"
	"time"

	"rmwbench/internal/resp"
)

func init() {
	All.Add("script-time-stands-still", Claim{
		Says:   "Time stands still inside a script: TIME answers the same at its beginning and at its end.",
		Source: luaAPI,
		Check:  scriptTime,
	})
}

// scriptTime runs scripts of more and more turns until one took longer than
// the clock's ticks, so that equal times are no chance.
func scriptTime(c *Case) Answer {
	const script = "local first = redis.call('TIME') " + busy +
		"local last = redis.call('TIME') return {first[1], first[2], last[1], last[2]}"
	const enough = 2 * time.Millisecond
	a := c.Conn("A")
	for n := 20_000; c.going() && n <= maxTurns; n *= 4 {
		replies := a.Pipe(resp.Cmd{"TIME"}, resp.Cmd{"EVAL", script, "0", strconv.Itoa(n)}, resp.Cmd{"TIME"})
		outside := clock(replies[2]) - clock(replies[0])
		times := replies[1]
		inside := clock(resp.List(elem(times, 2), elem(times, 3))) - clock(resp.List(elem(times, 0), elem(times, 1)))
		if inside != 0 || outside >= enough {
			return judge(inside == 0, "while a script took %v, TIME inside of it moved by %v", outside, inside)
		}
	}
	return notChecked("no script took %v", enough)
}
