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
// clock. Whatever d, the loops that tell are short.
func (cl *Client) turns(d time.Duration) int {
	const enough, samples = 2 * time.Millisecond, 5
	n := 1000
	elapsed := cl.timed(n)
	for ; cl.c.going() && elapsed < enough; elapsed = cl.timed(n) {
		if n == maxTurns {
			cl.c.giveUp("a script of %d turns of a loop took only %v", n, elapsed)
		}
		n = min(2*n, maxTurns)
	}
	// The server may be kept from its processor, and is not every time.
	for range samples - 1 {
		elapsed = min(elapsed, cl.timed(n))
	}
	if elapsed <= 0 {
		cl.c.giveUp("the server's clock does not move forward")
		return 0
	}
	return int(min(float64(n)*float64(d)/float64(elapsed), maxTurns))
}

// timed is how long the server takes for a script of n turns, by its clock.
func (cl *Client) timed(n int) time.Duration {
	cmds := []resp.Cmd{{"TIME"}, {"EVAL", busy, "0", strconv.Itoa(n)}, {"TIME"}}
	replies := cl.Quietly(cmds...)
	for i, r := range replies {
		if r.Kind == resp.Error {
			cl.c.refused(cmds[i], r)
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
