package store

import (
	"cmp"
	"slices"

	"rmwbench/internal/resp"
)

func init() {
	add("LRANGE", 4, lRange)
	add("ZRANGE", -4, zRange)
}

func lRange(c *Conn, cmd resp.Cmd) resp.Reply {
	start, valid1 := integer(cmd[2])
	end, valid2 := integer(cmd[3])
	if !valid1 || !valid2 {
		return notInteger
	}
	l, _, right := c.db.list(cmd[1])
	if !right {
		return wrongType
	}
	first, after := span(start, end, l.len())
	reply := c.db.array(after - first)
	for i := range reply.Elems {
		reply.Elems[i] = resp.Text(l.at(first + i))
	}
	return reply
}

// zRange answers ranges by rank, the only ones there are here.
func zRange(c *Conn, cmd resp.Cmd) resp.Reply {
	var reverse, withScores bool
	for _, word := range cmd[4:] {
		switch upper(word) {
		case "REV":
			reverse = true
		case "WITHSCORES":
			withScores = true
		default:
			return syntaxError
		}
	}
	start, valid1 := integer(cmd[2])
	end, valid2 := integer(cmd[3])
	if !valid1 || !valid2 {
		return notInteger
	}
	z, _, right := c.db.sortedSet(cmd[1])
	if !right {
		return wrongType
	}
	ranked := byRank(z)
	if reverse {
		slices.Reverse(ranked)
	}
	first, after := span(start, end, len(ranked))
	var elems []resp.Reply
	for _, it := range ranked[first:after] {
		elems = append(elems, resp.Text(it.key))
		if withScores {
			elems = append(elems, resp.Text(double(it.value)))
		}
	}
	return resp.List(elems...)
}

// byRank lists the members by score, those of one score by name.
func byRank(z *sortedSet) []item[float64] {
	ranked := slices.DeleteFunc(slices.Clone(z.items), func(it item[float64]) bool { return it.dead })
	slices.SortFunc(ranked, func(a, b item[float64]) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.key, b.key))
	})
	return ranked
}

// span turns a range of ranks, which may count from the end, into indices.
func span(start, end int64, n int) (first, after int) {
	length := int64(n)
	if start < 0 {
		start = max(start+length, 0)
	}
	if end < 0 {
		end += length
	}
	end = min(end, length-1)
	if start > end {
		return 0, 0
	}
	return int(start), int(end) + 1
}
