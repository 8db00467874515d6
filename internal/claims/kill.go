package claims

import (
	"strconv"
	"sync/atomic"
	"time"

	"rmwbench/internal/resp"
)

func init() {
	All.Add("script-kill-reading", Claim{
		Says:   "SCRIPT KILL stops a script that has only read.",
		Source: docs + "commands/script-kill/", Needs: OwnServer,
		Check: killReading,
	})
	All.Add("script-kill-refused", Claim{
		Says:   "SCRIPT KILL is refused once the script has written.",
		Source: docs + "commands/script-kill/", Needs: OwnServer,
		Check: killWriting,
	})
	All.Add("script-shutdown-nosave", Claim{
		Says:   "SHUTDOWN NOSAVE, the way out of a script that has written, loses what was written since the last save.",
		Source: docs + "commands/shutdown/", Needs: OwnServer,
		Check: shutdownNoSave,
	})
}

const (
	endlessRead  = "redis.call('GET', KEYS[1]) " + busy
	endlessWrite = "redis.call('SET', KEYS[1], 'by the script') " + busy
	stuck        = "stuck" // its key
)

// impatient is a server that answers BUSY, and accepts SCRIPT KILL, soon after
// a script has begun.
func impatient(c *Case) *Machine { return c.Start("--lua-time-limit", "20") }

// kill has A run a script of some seconds and B send SCRIPT KILL as soon as
// that is possible. It answers what the two got, once A has been answered or
// lost; meanwhile is done while A's script still runs if it was not killed.
func kill(m *Machine, script string, meanwhile func(b *Client)) (killed, ended resp.Reply) {
	const length = 4 * time.Second
	a, b := m.Conn("A"), m.Conn("B")
	n := a.turns(length)
	var over atomic.Bool
	command := resp.Cmd{"SCRIPT", "KILL"}
	m.c.Run(func() {
		ended, _ = a.Lose("EVAL", script, "1", stuck, strconv.Itoa(n))
		over.Store(true)
	}, func() {
		defer a.Cut()
		for m.c.going() {
			killed = b.Quietly(command)[0]
			if killed.Class() != "NOTBUSY" || over.Load() {
				break
			}
			b.Hold(time.Millisecond)
		}
		b.show(command, killed.String())
		if killed.Kind == resp.Error {
			meanwhile(b)
			return
		}
		for i := 0; i < 5000 && m.c.going() && !over.Load(); i++ { // A's answer is on its way
			b.Hold(time.Millisecond)
		}
	})
	return killed, ended
}

func killReading(c *Case) Answer {
	killed, ended := kill(impatient(c), endlessRead, func(*Client) {})
	if killed.Class() == "NOTBUSY" {
		return notChecked("the script had ended before it could be killed")
	}
	return judge(killed.Str == "OK" && ended.Kind == resp.Error, "SCRIPT KILL answered %s, and the script %s", short(killed), clip(ended.String()))
}

func killWriting(c *Case) Answer {
	killed, _ := kill(impatient(c), endlessWrite, func(*Client) {})
	if killed.Class() == "NOTBUSY" {
		return notChecked("the script had ended before it could be killed")
	}
	return judge(killed.Class() == "UNKILLABLE", "SCRIPT KILL answered %s", short(killed))
}

func shutdownNoSave(c *Case) Answer {
	m := impatient(c)
	first := m.Conn("before")
	first.Do("SET", "saved", "1")
	first.Do("SAVE")
	first.Do("SET", "unsaved", "1")
	var refusal resp.Reply
	gone := false
	killed, _ := kill(m, endlessWrite, func(b *Client) { refusal, gone = b.Lose("SHUTDOWN", "NOSAVE") })
	switch {
	case killed.Class() != "UNKILLABLE":
		return notChecked("SCRIPT KILL was not refused but answered with %s", killed)
	case !gone:
		return judge(false, "SHUTDOWN NOSAVE answered %s", refusal)
	}
	m.Restart()
	after := m.Conn("after the restart")
	saved, unsaved, script := after.Do("GET", "saved"), after.Do("GET", "unsaved"), after.Do("GET", stuck)
	return judge(saved.Str == "1" && unsaved.Kind == resp.Nil && script.Kind == resp.Nil,
		"after a restart the key from before SAVE holds %s, the one from after it %s, the script's own %s", saved, unsaved, script)
}
