package claims

import (
	"strings"

	"rmwbench/internal/resp"
)

func init() {
	All.Add("function-load-twice", Claim{
		Says:   "FUNCTION LOAD of a library that is there is refused without REPLACE.",
		Source: docs + "commands/function-load/", Needs: Leave,
		Check: functionLoadTwice,
	})
	All.Add("function-survives-restart", Claim{
		Says:   "Functions survive a restart when persistence is on.",
		Source: functions, Needs: OwnServer,
		Check: func(c *Case) Answer {
			server, name := persistentWith(c, loadFunction)
			return judgeFunction(server.Conn("after the restart").Try("FCALL_RO", name, "0"), true)
		},
	})
	All.Add("function-survives-flushall", Claim{
		Says:   "FLUSHALL leaves functions alone: FCALL still works.",
		Source: docs + "commands/flushall/", Needs: OwnServer,
		Check: func(c *Case) Answer {
			a := c.Start().Conn("A")
			name := loadFunction(a)
			flushAll(c, a)
			return judgeFunction(a.Try("FCALL_RO", name, "0"), true)
		},
	})
}

// library is a library with one function of the same name.
func library(name string) string {
	return "#!lua name=" + name + "\n" +
		"redis.register_function{function_name='" + name + "', callback=function() return 'found' end, flags={'no-writes'}}"
}

// loadFunction loads a function, sees it work, and answers its name.
func loadFunction(a *Client) (name string) {
	name = libraryName(a.c)
	a.Do("FUNCTION", "LOAD", library(name))
	a.Do("FCALL_RO", name, "0")
	return name
}

// libraryName is a name that nobody else has: letters, digits and underscores
// of what our keys begin with.
func libraryName(c *Case) string {
	return strings.Map(func(r rune) rune {
		switch {
		case '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return r
		}
		return '_'
	}, c.keys)
}

// judgeFunction judges a call's reply by whether the function was to be there.
func judgeFunction(reply resp.Reply, there bool) Answer {
	if reply.Kind == resp.Error && !strings.Contains(reply.Str, "Function not found") {
		return notChecked("FCALL_RO answered %s", reply)
	}
	return judge(there == (reply.Kind != resp.Error), "FCALL_RO answered %s", reply)
}

func functionLoadTwice(c *Case) Answer {
	a, name := c.Conn("A"), libraryName(c)
	a.Do("FUNCTION", "LOAD", library(name))
	if c.going() {
		c.Undo("FUNCTION", "DELETE", name)
	}
	again := a.Try("FUNCTION", "LOAD", library(name))
	replaced := a.Do("FUNCTION", "LOAD", "REPLACE", library(name))
	return judge(again.Kind == resp.Error, "the second FUNCTION LOAD answered %s, with REPLACE %s", again, replaced)
}
