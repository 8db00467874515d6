package store

import (
	"math"
	"slices"

	"rmwbench/internal/resp"
)

func init() {
	add("ZADD", -4, zAdd)
	add("ZINCRBY", 4, zIncrBy)
	add("ZSCORE", 3, zScore)
	add("ZREM", -3, zRem)
	add("ZCARD", 2, zCard)
	add("ZPOPMIN", -2, func(c *Conn, cmd resp.Cmd) resp.Reply { return zPop(c, cmd, false) })
	add("ZPOPMAX", -2, func(c *Conn, cmd resp.Cmd) resp.Reply { return zPop(c, cmd, true) })
}

type sortedSet = table[float64]

// sortedSet returns the sorted set at a key; without one, an empty one that is
// not kept. right is false if the key holds another kind.
func (db *DB) sortedSet(key string) (z *sortedSet, s *slot, right bool) {
	s, right = db.lookupKind(key, kindSortedSet)
	switch {
	case !right:
		return nil, s, false
	case s == nil:
		return new(sortedSet), nil, true
	}
	return s.value.(*sortedSet), s, true
}

// adding are the options of ZADD.
type adding struct{ nx, xx, gt, lt, ch, incr bool }

// parse reads the options and says how many words they are.
func (o *adding) parse(words []string) (n int) {
	for n < len(words) {
		switch upper(words[n]) {
		case "NX":
			o.nx = true
		case "XX":
			o.xx = true
		case "GT":
			o.gt = true
		case "LT":
			o.lt = true
		case "CH":
			o.ch = true
		case "INCR":
			o.incr = true
		default:
			return n
		}
		n++
	}
	return n
}

func zAdd(c *Conn, cmd resp.Cmd) resp.Reply {
	var o adding
	pairs := cmd[2:]
	pairs = pairs[o.parse(pairs):]
	switch {
	case len(pairs)%2 == 1 || len(pairs) == 0:
		return syntaxError
	case o.nx && o.xx:
		return resp.Fault("ERR XX and NX options at the same time are not compatible")
	case o.gt && o.nx || o.lt && o.nx || o.gt && o.lt:
		return resp.Fault("ERR GT, LT, and/or NX options at the same time are not compatible")
	case o.incr && len(pairs) > 2:
		return resp.Fault("ERR INCR option supports a single increment-element pair")
	}
	return c.zAdd(cmd[1], o, pairs)
}

func zIncrBy(c *Conn, cmd resp.Cmd) resp.Reply {
	return c.zAdd(cmd[1], adding{incr: true}, cmd[2:])
}

// zAdd enters pairs of score and member.
func (c *Conn) zAdd(key string, o adding, pairs []string) resp.Reply {
	for i := 0; i < len(pairs); i += 2 {
		if _, valid := float(pairs[i]); !valid {
			return notFloat
		}
	}
	z, s, right := c.db.sortedSet(key)
	if !right {
		return wrongType
	}
	if s == nil && !o.xx {
		z = newTable[float64]()
		s = c.db.create(key, kindSortedSet, z)
	}
	var sum tally
	var last resp.Reply
	for i := 0; i < len(pairs) && s != nil; i += 2 {
		score, _ := float(pairs[i])
		last = o.enter(z, score, pairs[i+1], &sum)
		if last.Kind == resp.Error {
			break
		}
	}
	if sum.added+sum.updated > 0 {
		s.version++
	}
	switch {
	case o.incr || last.Kind == resp.Error:
		return last
	case o.ch:
		return count(sum.added + sum.updated)
	}
	return count(sum.added)
}

// tally counts what a ZADD changes.
type tally struct{ added, updated int }

// enter adds or updates one member. It answers the member's score, nil if the
// options left the member alone, or an error.
func (o adding) enter(z *sortedSet, score float64, member string, sum *tally) resp.Reply {
	old, found := z.get(member)
	if o.nx && found || o.xx && !found {
		return null
	}
	if found && o.incr {
		if score += old; math.IsNaN(score) {
			return resp.Fault("ERR resulting score is not a number (NaN)")
		}
	}
	switch {
	case found && (o.lt && score >= old || o.gt && score <= old):
		return null
	case !found:
		sum.added++
		z.put(member, score+0) // a small sorted set keeps -0 as 0
	case score != old:
		sum.updated++
		z.put(member, score+0)
	}
	return resp.Text(double(score))
}

func zScore(c *Conn, cmd resp.Cmd) resp.Reply {
	z, _, right := c.db.sortedSet(cmd[1])
	if !right {
		return wrongType
	}
	if score, found := z.get(cmd[2]); found {
		return resp.Text(double(score))
	}
	return null
}

func zRem(c *Conn, cmd resp.Cmd) resp.Reply {
	z, s, right := c.db.sortedSet(cmd[1])
	if !right {
		return wrongType
	}
	removed := 0
	for _, member := range cmd[2:] {
		if z.remove(member) {
			removed++
		}
	}
	c.db.shrunk(s, removed, z.len())
	return count(removed)
}

func zCard(c *Conn, cmd resp.Cmd) resp.Reply {
	z, _, right := c.db.sortedSet(cmd[1])
	if !right {
		return wrongType
	}
	return count(z.len())
}

// zPop takes out the first members by rank, or the last ones, and answers them
// with their scores.
func zPop(c *Conn, cmd resp.Cmd, highest bool) resp.Reply {
	n := int64(1)
	if len(cmd) > 3 {
		return syntaxError
	}
	if len(cmd) == 3 {
		var valid bool
		if n, valid = integer(cmd[2]); !valid || n < 0 {
			return resp.Fault("ERR value is out of range, must be positive")
		}
	}
	z, s, right := c.db.sortedSet(cmd[1])
	if !right {
		return wrongType
	}
	ranked := byRank(z)
	if highest {
		slices.Reverse(ranked)
	}
	ranked = ranked[:min(n, int64(len(ranked)))]
	reply := c.db.array(2 * len(ranked))
	for i, it := range ranked {
		reply.Elems[2*i], reply.Elems[2*i+1] = resp.Text(it.key), resp.Text(double(it.value))
		z.remove(it.key)
	}
	c.db.shrunk(s, len(ranked), z.len())
	return reply
}
