package calibrate

import (
	"time"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

// shape is a load whose cost is measured: what each client does over and over,
// on a key of its own.
type shape struct {
	name   string
	cycle  func(key string) [][]resp.Cmd // exchanges; nil: nothing is done
	nested int                           // commands that the scripts of a cycle call
	other  bool                          // its script is none of our strategies', so its calls cost something of their own
	holds  int                           // waits of a cycle, around its exchanges
	weight float64                       // in the fit; 0: takes no part in it
}

// Weights. What strategies really send counts for more than what only tells
// its parts from each other.
const (
	strategic  = 3
	artificial = 1
)

// hold is one wait of a shape that has some.
const hold = 400 * time.Microsecond

// stored is the value of every key when the measuring begins.
const stored = "1000000"

// The commands of our strategies for one key.
func ping(string) resp.Cmd      { return resp.Cmd{"PING"} }
func watch(key string) resp.Cmd { return resp.Cmd{"WATCH", key} }
func unwatch(string) resp.Cmd   { return resp.Cmd{"UNWATCH"} }
func get(key string) resp.Cmd   { return resp.Cmd{"GET", key} }
func multi(string) resp.Cmd     { return resp.Cmd{"MULTI"} }
func set(key string) resp.Cmd   { return resp.Cmd{"SET", key, stored, "KEEPTTL"} }
func exec(string) resp.Cmd      { return resp.Cmd{"EXEC"} }
func incrby(key string) resp.Cmd {
	return resp.Cmd{"INCRBY", key, "1"}
}

// evalsha calls a script with the key and one argument.
func evalsha(sha1, arg string) command {
	return func(key string) resp.Cmd { return resp.Cmd{"EVALSHA", sha1, "1", key, arg} }
}

// command makes the command for a key.
type command func(key string) resp.Cmd

// exchange is n times the commands, in one write.
func exchange(n int, commands ...command) func(key string) []resp.Cmd {
	return func(key string) (cmds []resp.Cmd) {
		for range n {
			for _, c := range commands {
				cmds = append(cmds, c(key))
			}
		}
		return cmds
	}
}

// cycle is exchanges one after the other.
func cycle(exchanges ...func(key string) []resp.Cmd) func(key string) [][]resp.Cmd {
	return func(key string) (all [][]resp.Cmd) {
		for _, x := range exchanges {
			all = append(all, x(key))
		}
		return all
	}
}

// once is one exchange of the commands.
func once(commands ...command) func(key string) []resp.Cmd { return exchange(1, commands...) }

// nothing measures what looking at the counters costs.
var nothing = shape{name: "nothing"}

// waiting measures what a wait costs the client.
var waiting = shape{name: "hold/PING/hold", cycle: cycle(once(ping)), holds: 2}

// shapes lists all. A watch is always given up again in the same cycle:
// watching a key that is watched costs less.
func shapes(loops string) []shape {
	counter, debit := scripts.MustGet("counter").SHA1, scripts.MustGet("debit").SHA1
	const more = "9007199254740991" // than any balance
	var (
		count   = evalsha(counter, "1")
		covered = evalsha(debit, "1")
		refused = evalsha(debit, more)
		read    = exchange(1, watch, get)
		write   = exchange(1, multi, set, exec)
	)
	list := []shape{
		nothing,
		{name: "PING", cycle: cycle(once(ping)), weight: strategic},
		{name: "GET", cycle: cycle(once(get)), weight: strategic},
		{name: "INCRBY", cycle: cycle(once(incrby)), weight: strategic},
		{name: "EVALSHA counter", cycle: cycle(once(count)), nested: 2, weight: strategic},
		{name: "WATCH/UNWATCH", cycle: cycle(once(watch), once(unwatch)), weight: strategic},
		{name: "WATCH GET/MULTI SET EXEC", cycle: cycle(read, write), weight: strategic},
		{name: "WATCH/GET/MULTI SET EXEC", cycle: cycle(once(watch), once(get), write), weight: strategic},

		{name: "EVALSHA debit, covered", cycle: cycle(once(covered)), nested: 2, weight: artificial},
		{name: "EVALSHA debit, refused", cycle: cycle(once(refused)), nested: 1, weight: artificial},
		{name: "16 PING", cycle: cycle(exchange(16, ping)), weight: artificial},
		{name: "16 GET", cycle: cycle(exchange(16, get)), weight: artificial},
		{name: "16 INCRBY", cycle: cycle(exchange(16, incrby)), weight: artificial},
		{name: "16 UNWATCH", cycle: cycle(exchange(16, unwatch)), weight: artificial},
		{name: "8 (WATCH UNWATCH)", cycle: cycle(exchange(8, watch, unwatch)), weight: artificial},
		{name: "8 (MULTI EXEC)", cycle: cycle(exchange(8, multi, exec)), weight: artificial},
		{name: "4 (MULTI SET SET SET EXEC)", cycle: cycle(exchange(4, multi, set, set, set, exec)), weight: artificial},
		{name: "4 (WATCH GET MULTI SET EXEC)", cycle: cycle(exchange(4, watch, get, multi, set, exec)), weight: artificial},
		waiting,
	}
	if loops != "" {
		list = append(list,
			shape{name: "script of 2 calls", cycle: cycle(once(evalsha(loops, "1"))), nested: 2, other: true, weight: artificial},
			shape{name: "script of 32 calls", cycle: cycle(once(evalsha(loops, "16"))), nested: 32, other: true, weight: artificial},
		)
	}
	return list
}

// loopsBody is a script that calls ARGV[1] times what a script of ours calls.
const loopsBody = `for i = 1, tonumber(ARGV[1]) do
  redis.call('SET', KEYS[1], redis.call('GET', KEYS[1]), 'KEEPTTL')
end
return {1, '0'}`
