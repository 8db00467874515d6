package claims

import (
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"rmwbench/internal/resp"
)

func init() {
	All.Add("script-blocks-everyone", Claim{
		Says:   "While a script runs nobody else is served.",
		Source: evalIntro, Needs: Leave,
		Check: scriptBlocks,
	})
	All.Add("script-5ms-caps-instance", Claim{
		Says:   "A 5 ms script caps the instance at 200 operations per second of anything.",
		Source: evalIntro, Needs: Leave,
		Check: scriptCaps,
	})
	All.Add("script-outlives-client", Claim{
		Says:   "A script whose client has gone away still runs to its end, and its writes stay.",
		Source: evalIntro, Needs: Leave,
		Check: scriptOutlives,
	})
}

// scriptBlocks has B ask for the time, again and again, while A's script runs.
// By the server's clock none of its answers may lie within the script. Only the
// middle half counts: the commands around the script, which tell when it began
// and ended, need not come and go with it.
func scriptBlocks(c *Case) Answer {
	const length = 100 * time.Millisecond
	a, b := c.Conn("A"), c.Conn("B")
	n := a.turns(length)
	var ready, over atomic.Bool
	var begun, ended time.Duration
	var served []time.Duration
	c.Run(func() {
		for c.going() && !ready.Load() {
			a.Hold(time.Millisecond)
		}
		replies := a.Pipe(resp.Cmd{"TIME"}, resp.Cmd{"EVAL", busy, "0", strconv.Itoa(n)}, resp.Cmd{"TIME"})
		begun, ended = clock(replies[0]), clock(replies[2])
		over.Store(true)
	}, func() {
		for last := false; c.going() && !last; {
			last = over.Load()
			served = append(served, clock(b.Quietly(resp.Cmd{"TIME"})[0]))
			ready.Store(true)
		}
	})
	if took := ended - begun; took < length/4 {
		return notChecked("the script took only %v by the server's clock", took)
	}
	quarter := (ended - begun) / 4
	within := 0
	for _, at := range served {
		if begun+quarter < at && at < ended-quarter {
			within++
		}
	}
	c.noteMany("B", resp.Cmd{"TIME"}, len(served), fmt.Sprintf("%d of the times lie in the middle half of the script", within))
	return judge(within == 0, "a script took %v by the server's clock; of %d commands that another client sent one after the other, %d were served in the middle half of it",
		(ended - begun).Round(time.Millisecond), len(served), within)
}

// How scriptCaps loads the server.
const (
	scriptClients = 2
	scriptsEach   = 25
	readers       = 50
)

// scriptCaps saturates the server with a script of about 5 ms and counts what
// closed-loop readers get meanwhile. The event loop serves every connection
// that is ready between two scripts, so readers together get about
// readers/scriptClients reads for each script, whatever the script's length and
// however noisy the machine; a cap on anything would leave none.
func scriptCaps(c *Case) Answer {
	const length = 5 * time.Millisecond
	key := c.Key("n")
	probe := c.Conn("A")
	probe.Do("SET", key, "1")
	script := resp.Cmd{"EVAL", busy, "0", strconv.Itoa(probe.turns(length))}
	read := resp.Cmd{"GET", key}

	var running atomic.Int32
	running.Store(scriptClients)
	var scripts, reads atomic.Int64
	var procs []func()
	for range scriptClients {
		client := c.Conn("script clients")
		procs = append(procs, func() {
			defer running.Add(-1)
			for range scriptsEach {
				reply := client.Quietly(script)[0]
				if reply.Kind == resp.Error {
					c.refused(script, reply)
				}
				if !c.going() {
					return
				}
				scripts.Add(1)
			}
		})
	}
	for range readers {
		client := c.Conn("readers")
		procs = append(procs, func() {
			for c.going() && running.Load() == scriptClients {
				if reply := client.Quietly(read)[0]; reply.Kind == resp.Error {
					c.refused(read, reply)
				}
				reads.Add(1)
			}
		})
	}
	before := clock(probe.Do("TIME"))
	c.Run(procs...)
	elapsed := clock(probe.Do("TIME")) - before
	within := fmt.Sprintf("in %v", elapsed.Round(time.Millisecond))
	c.noteMany("script clients", script, int(scripts.Load()), within)
	c.noteMany("readers", read, int(reads.Load()), within)
	if scripts.Load() == 0 || elapsed <= 0 {
		return notChecked("no script was served")
	}
	perSecond := func(n int64) float64 { return float64(n) / elapsed.Seconds() }
	// One read for each script is what a cap would still allow, with room.
	return judge(reads.Load() <= 2*scripts.Load(),
		"%d clients with a script of about 5 ms got %.0f scripts/s, and %d readers beside them %.0f reads/s, which is %.1f reads for each script",
		scriptClients, perSecond(scripts.Load()), readers, perSecond(reads.Load()), float64(reads.Load())/float64(scripts.Load()))
}

// scriptOutlives cuts A's connection in the middle of its script. A script that
// had not begun by then proves nothing and is tried again.
func scriptOutlives(c *Case) Answer {
	const length = 200 * time.Millisecond
	const script = "redis.call('SET', KEYS[1], 'begun') " + busy + "redis.call('SET', KEYS[1], 'ended')"
	b, key := c.Conn("B"), c.Key("state")
	n := strconv.Itoa(b.turns(length))
	for range 5 {
		b.Do("DEL", key)
		a := c.Conn("A")
		lost := false
		c.Run(
			func() { _, lost = a.Lose("EVAL", script, "1", key, n) },
			func() { b.Hold(length / 4); a.Cut() },
		)
		state := b.Do("GET", key)
		if lost && state.Kind != resp.Nil {
			return judge(state.Str == "ended", "the client was gone a quarter into the script; the key that the script sets first and last holds %s", state)
		}
	}
	return notChecked("the connection was never cut while the script ran")
}
