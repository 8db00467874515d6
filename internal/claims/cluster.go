package claims

import (
	"strconv"
	"strings"
	"time"

	"rmwbench/internal/resp"
)

func init() {
	All.Add("cluster-undeclared-key", Claim{
		Says:   "In a cluster a script is refused a key that it has not declared in KEYS.",
		Source: docs + "commands/eval/", Needs: OwnServer,
		Check: undeclaredKey,
	})
	All.Add("cluster-two-slots", Claim{
		Says:   "In a cluster keys of two hash slots are refused in one command, one script and one transaction.",
		Source: clusterSpec, Needs: OwnServer,
		Check: twoSlots,
	})
}

// Keys of three slots, of which the node serves two.
const (
	served  = "{b}" // slot 3300
	second  = "{c}" // slot 7365
	foreign = "{a}" // slot 15495
	lastOwn = 8191
)

// node is the one node of a cluster that serves half the slots.
func node(c *Case) *Client {
	a := c.Start("--port", c.Port(), "--bind", "127.0.0.1", "--cluster-enabled", "yes", "--cluster-port", c.Port(),
		"--cluster-require-full-coverage", "no").Conn("A")
	a.Do("CLUSTER", "ADDSLOTSRANGE", "0", strconv.Itoa(lastOwn))
	for _, key := range []string{served, second, foreign} {
		slot := a.Do("CLUSTER", "KEYSLOT", key)
		if c.going() && (slot.Int <= lastOwn) != (key != foreign) {
			c.giveUp("the key %s has slot %d", key, slot.Int)
		}
	}
	// A node that comes up waits for 2 s before it serves.
	for range 200 {
		info := a.Quietly(resp.Cmd{"CLUSTER", "INFO"})[0]
		if !c.going() || strings.Contains(info.Str, "cluster_state:ok") {
			return a
		}
		a.Hold(50 * time.Millisecond)
	}
	c.giveUp("the cluster of one node did not come up in 10 s")
	return a
}

func undeclaredKey(c *Case) Answer {
	a := node(c)
	const body = "return redis.call('SET', ARGV[1], 'written')"
	refused := true
	var seen []string
	for _, try := range []struct{ what, body, key string }{
		{"a plain script with a key of another slot on the same node", body, second},
		{"one whose first line is #!lua", "#!lua\n" + body, second},
		{"a plain one with a key of another node", body, foreign},
	} {
		reply := a.Try("EVAL", try.body, "1", served, try.key)
		refused = refused && reply.Kind == resp.Error
		outcome := "was refused"
		if reply.Kind != resp.Error {
			outcome = "wrote it"
		}
		seen = append(seen, try.what+" "+outcome)
	}
	return judge(refused, "%s", strings.Join(seen, "; "))
}

func twoSlots(c *Case) Answer {
	a := node(c)
	command := a.Try("MSET", served, "1", second, "1")
	script := a.Try("EVAL", "return #KEYS", "2", served, second)
	a.Do("MULTI")
	a.Do("SET", served, "1")
	queued := a.Try("SET", second, "1")
	exec := a.Try("EXEC")
	return judge(command.Class() == "CROSSSLOT" && script.Class() == "CROSSSLOT" && exec.Kind == resp.Error,
		"MSET answered %s, EVAL %s; in a transaction the second key %s, EXEC %s", short(command), short(script), short(queued), short(exec))
}
