package claims

import (
	"strconv"
	"time"

	"rmwbench/internal/resp"
)

// busy is Lua that takes ARGV[1] turns of a loop. Every script of ours that
// takes time counts: one that waited for the time to pass would never end
// where time stands still inside scripts.
const busy = "local x = 0 for i = 1, tonumber(ARGV[1]) do x = (x + i) % 1000003 end "

// maxTurns bounds a loop: some seconds on any machine of this century.
const maxTurns = 200_000_000

// turns is about how many turns of busy the server takes d for, by its own
// clock. It blocks the server for up to 2 d meanwhile.
func (cl *Client) turns(d time.Duration) int {
	n := 1000
	for cl.c.going() {
		elapsed := cl.timed(busy, n)
		switch {
		case elapsed >= d/2:
			return min(int(float64(n)*float64(d)/float64(elapsed)), maxTurns)
		case n >= maxTurns:
			cl.c.giveUp("a script of %d turns of a loop took only %v", n, elapsed)
		}
		n = min(4*n, maxTurns)
	}
	return n
}

// timed is how long the server takes for a script of n turns, by its clock.
func (cl *Client) timed(script string, n int) time.Duration {
	replies := cl.Quietly(resp.Cmd{"TIME"}, resp.Cmd{"EVAL", script, "0", strconv.Itoa(n)}, resp.Cmd{"TIME"})
	for _, r := range replies {
		if r.Kind == resp.Error {
			cl.c.giveUp("the server answers TIME, EVAL, TIME with: %s", r.Str)
		}
	}
	return clock(replies[2]) - clock(replies[0])
}

// clock reads the reply to TIME, as the time since 1970.
func clock(r resp.Reply) time.Duration {
	seconds, _ := strconv.ParseInt(elem(r, 0).Str, 10, 64)
	micros, _ := strconv.ParseInt(elem(r, 1).Str, 10, 64)
	return time.Duration(seconds)*time.Second + time.Duration(micros)*time.Microsecond
}
