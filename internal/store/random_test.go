package store_test

import (
	"math/rand/v2"
	"strings"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

// arguments are what a word in capitals and angle brackets of a template may
// become: usual arguments and awkward ones.
var arguments = map[string][]string{
	"<K>":  {"a", "a", "a", "b", "b", "c", "d"},
	"<V>":  {"0", "1", "10", "-5", "many", "", "3.5", "007", "9223372036854775807", "-9223372036854775808", "9007199254740991", "a b"},
	"<I>":  {"1", "1", "-1", "5", "100", "0", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "x", "", "+1", "01", "1.5", " 1", "-0"},
	"<F>":  {"f", "g", "h", "1"},
	"<D>":  {"0", "1", "2.5", "-3", "0.1", "1e3", "inf", "-inf", "nan", "x", "", "1e400", "1e-400", "0x10", "3.0e2", "100000000000000000000", "+7", " 1", "1e17", "12345678.9", "1_0"},
	"<R>":  {"1000", "2000000", "500000", "0", "-1", "x", "9223372036854775807", "9223372036854775", "-9223372036854775808"},
	"<RM>": {"1000000", "2000000", "90000000", "0", "-1", "x", "9223372036854775807", "-9223372036854775808"},
	"<A>":  {"4102444800", "4102444900", "1", "0", "-1", "x", "9223372036854775807"},
	"<AM>": {"4102444800000", "4102444900000", "1", "0", "-1", "x", "9223372036854775807"},
	"<EC>": {"", "", "", "NX", "XX", "GT", "LT", "nx xx", "GT LT", "gt xx", "lt xx", "NX GT", "foo"},
	"<RC>": {"", "", "NX", "XX", "nx xx", "GT LT", "NX GT", "foo"}, // whether a time from now is later may hang on a millisecond
	"<SO>": {"", "", "", "NX", "XX", "GET", "KEEPTTL", "EX <R>", "PX <RM>", "EXAT <A>", "PXAT <AM>", "nx get", "XX GET", "NX XX", "EX", "EX <R> PX <RM>", "KEEPTTL EX <R>", "EX <R> EX <R>", "foo", "PERSIST", "GET GET", "GET XX KEEPTTL"},
	"<GO>": {"", "EX <R>", "PX <RM>", "EXAT <A>", "PXAT <AM>", "PERSIST", "persist persist", "PERSIST EX <R>", "KEEPTTL", "NX", "EX", "foo"},
	"<ZO>": {"", "", "", "NX", "XX", "GT", "LT", "CH", "INCR", "NX INCR", "GT CH", "lt ch", "xx gt incr", "XX NX", "GT LT", "NX GT", "incr ch", "XX CH", "foo"},
	"<P>":  {"*", "a", "?", "[ab]", "[^a]", "[a-c]", "[c-a]", `\a`, "[", "[a", "", "a*", "**b", `[\a]`, "[^", "[a-"},
	"<T>":  {"string", "hash", "set", "zset", "list", "HASH", "foo"},
	"<S>":  {scripts.MustGet("counter").SHA1, scripts.MustGet("debit").SHA1, strings.ToUpper(scripts.MustGet("debit").SHA1)},
	"<B>":  {scripts.MustGet("counter").Body, scripts.MustGet("debit").Body},
	"<CS>": {scripts.MustGet("cas").SHA1},
	"<US>": {scripts.MustGet("unlock").SHA1},
	"<N>":  {"1099511627777", "1", "100"},
	"<FN>": {counter, counter, scripts.MustGet("debit").Function, "foo"},
	"<LN>": {"one", "two", "foo"},
	"<L>": {
		library("lua name=one", "counter"), library("lua name=one", "counter"), library("lua name=one", "debit"),
		library("lua name=two", "debit"), library("LUA NAME=two", "counter", "debit"), library("lua name=two name=one", "debit"),
		library("lua", "debit"), library("lua name=", "debit"), library("lua name=a-b", "debit"), library("js name=one", "debit"),
		library("lua name=one foo=bar", "debit"), library("lua name=one"), "#!lua name=one", "", "foo", "#!", "#!\n",
	},
}

// library is the code of a library that registers the scripts of those names.
func library(shebang string, names ...string) string {
	code := "#!" + shebang + "\n"
	for _, name := range names {
		code += "redis.register_function('" + scripts.MustGet(name).Function + "', function(KEYS, ARGV)\n" + scripts.MustGet(name).Body + "end)\n"
	}
	return code
}

// templates are what the commands of a play are made from.
var templates = strings.Split(strings.TrimSpace(`
PING
PING x
ECHO x
SELECT 0
SELECT x
GET <K>
GET <K>
SET <K> <V> <SO>
SET <K> <V> <SO>
SET <K> <V> <SO>
SETNX <K> <V>
SETEX <K> <R> <V>
PSETEX <K> <RM> <V>
GETSET <K> <V>
GETDEL <K>
GETEX <K> <GO>
GETEX <K> <GO>
MGET <K> <K> <K>
MSET <K> <V> <K> <V>
SETRANGE <K> <I> <V>
GETRANGE <K> <I> <I>
APPEND <K> <V>
STRLEN <K>
INCR <K>
DECR <K>
INCRBY <K> <I>
DECRBY <K> <I>
INCRBYFLOAT <K> <D>
HSET <K> <F> <V>
HSET <K> <F> <V> <F> <V>
HSETNX <K> <F> <V>
HGET <K> <F>
HMGET <K> <F> <F>
HGETALL <K>
HDEL <K> <F> <F>
HINCRBY <K> <F> <I>
HEXISTS <K> <F>
HLEN <K>
SADD <K> <F> <V>
SADD <K> <F>
SREM <K> <F> <V>
SMOVE <K> <K> <F>
SMOVE <K> <K> <F>
SISMEMBER <K> <F>
SCARD <K>
SMEMBERS <K>
ZADD <K> <ZO> <D> <F>
ZADD <K> <ZO> <D> <F>
ZADD <K> <ZO> <D> <F> <D> <F>
ZADD <K> <ZO> <D>
ZSCORE <K> <F>
ZINCRBY <K> <D> <F>
ZREM <K> <F> <F>
ZCARD <K>
ZPOPMAX <K>
ZPOPMIN <K>
ZPOPMAX <K> <I>
ZRANGE <K> <I> <I>
ZRANGE <K> 0 -1 WITHSCORES
ZRANGE <K> 0 1 rev
LPUSH <K> <V> <F>
RPUSH <K> <V> <F>
LPOP <K>
RPOP <K>
LPOP <K> <I>
RPOP <K> <I>
LLEN <K>
LRANGE <K> <I> <I>
LRANGE <K> 0 -1
EXPIRE <K> <R> <RC>
PEXPIRE <K> <RM> <RC>
EXPIREAT <K> <A> <EC>
PEXPIREAT <K> <AM> <EC>
TTL <K>
PTTL <K>
PTTL <K>
EXPIRETIME <K>
PEXPIRETIME <K>
PERSIST <K>
DEL <K>
DEL <K> <K>
UNLINK <K>
EXISTS <K> <K>
TYPE <K>
TYPE <K>
SCAN 0 COUNT 1000
SCAN 0 MATCH <P> COUNT 1000
SCAN 0 TYPE <T> COUNT 1000
SCAN 0 COUNT <I> COUNT 1000
SCAN x
SCAN 0 foo bar
SCAN 0 MATCH
FLUSHALL
FLUSHDB async
FLUSHALL foo
WATCH <K>
WATCH <K> <K>
WATCH <K> <K>
WATCH <K> <K>
UNWATCH
MULTI
MULTI
MULTI
MULTI
MULTI
EXEC
EXEC
EXEC
EXEC
EXEC
EXEC
DISCARD
EVALSHA <S> 1 <K> <N>
EVALSHA <S> 1 <K> <N>
EVALSHA <S> 1 <K> <N>
EVAL <B> 1 <K> <N>
EVAL <B> 2 <K>
EVALSHA <CS> 1 <K> <V>
EVALSHA <CS> 1 <K> <V> <V>
EVALSHA <CS> 1 <K> <V> <V>
EVALSHA <CS> 1 <K> 1 1
EVALSHA <US> 1 <K> <V>
EVALSHA <US> 1 <K> 1
EVALSHA <S> 2 <K>
EVALSHA <S> x <K>
EVALSHA <S> -1 <K>
EVALSHA ffffffffffffffffffffffffffffffffffffffff 1 <K>
EVALSHA short 1 <K>
SCRIPT EXISTS <S> <S> x
SCRIPT FLUSH
SCRIPT FLUSH foo
SCRIPT
SCRIPT foo
SCRIPT LOAD
SCRIPT EXISTS
SCRIPT FLUSH SYNC ASYNC
FUNCTION FLUSH
FUNCTION FLUSH foo
FUNCTION DELETE foo
FUNCTION DELETE <LN>
FUNCTION LOAD <L>
FUNCTION LOAD <L>
FUNCTION LOAD REPLACE <L>
FUNCTION LOAD replace <L>
FUNCTION LOAD foo <L>
FUNCTION foo
FCALL <FN> 1 <K> <N>
FCALL <FN> 1 <K> <N>
FCALL <FN> 2 <K>
FCALL <FN> x <K>
FCALL <FN> -1 <K>
NOSUCH <K> <V>
`), "\n")

// randomActions makes a play for some clients that take turns of a few
// commands.
func randomActions(rng *rand.Rand, n int) []action {
	actions := make([]action, 0, n)
	client, turn := 0, 0
	for range n {
		if turn == 0 {
			client, turn = rng.IntN(conns), 1+rng.IntN(5)
		}
		turn--
		actions = append(actions, action{client, randomCmd(rng)})
	}
	return actions
}

func randomCmd(rng *rand.Rand) resp.Cmd {
	cmd := fill(rng, templates[rng.IntN(len(templates))])
	switch cmd[0] {
	case "EVALSHA", "EVAL", "FCALL", "SCRIPT", "SCAN":
		return cmd // a twin takes nothing but an op of its workload, and cursors differ
	}
	switch rng.IntN(50) {
	case 0:
		cmd = cmd[:len(cmd)-rng.IntN(len(cmd))]
	case 1:
		cmd = append(cmd, pick(rng, "<V>"))
	case 2:
		cmd[0] = strings.ToLower(cmd[0])
	}
	return cmd
}

// fill turns a template into a command. What stands for an argument may have
// spaces in it; what stands for options is several words.
func fill(rng *rand.Rand, template string) (cmd resp.Cmd) {
	for _, word := range strings.Fields(template) {
		switch {
		case arguments[word] == nil:
			cmd = append(cmd, word)
		case len(word) == len("<?O>") && (word[2] == 'O' || word[2] == 'C'):
			cmd = append(cmd, fill(rng, pick(rng, word))...)
		default:
			cmd = append(cmd, pick(rng, word))
		}
	}
	return cmd
}

func pick(rng *rand.Rand, word string) string { return arguments[word][rng.IntN(len(arguments[word]))] }
