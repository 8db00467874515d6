package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rmwbench/internal/resp"
)

// refused says why a command cannot be part of a batch.
var refused = map[string]string{}

func init() {
	for reason, names := range map[string]string{
		"it reaches beyond the one database of a run":                                            "SELECT SWAPDB MOVE FLUSHALL MIGRATE",
		"it is about the server or the connection, not about data":                               "ACL ASKING AUTH BGREWRITEAOF BGSAVE CLIENT CLUSTER CONFIG DEBUG FAILOVER HELLO LATENCY MODULE MONITOR PSYNC QUIT READONLY READWRITE REPLCONF REPLICAOF RESET SAVE SENTINEL SHUTDOWN SLAVEOF SLOWLOG SYNC",
		"it waits for other clients, and there are none":                                         "BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN PSUBSCRIBE PUNSUBSCRIBE SSUBSCRIBE SUBSCRIBE SUNSUBSCRIBE UNSUBSCRIBE WAIT WAITAOF",
		"a server started for a check has nothing loaded: use #! script FILE keys... -- args...": "EVALSHA EVALSHA_RO FCALL FCALL_RO FUNCTION SCRIPT",
		"it is about deadlines of hash fields, which are not compared":                           "HEXPIRE HEXPIREAT HGETEX HPERSIST HPEXPIRE HPEXPIREAT HSETEX",
		"it takes back what MULTI has queued: leave those lines out":                             "DISCARD",
	} {
		for name := range strings.FieldsSeq(names) {
			refused[name] = reason
		}
	}
}

// refusal says why a command cannot be part of a batch, or nothing.
func refusal(cmd resp.Cmd) string {
	name := strings.ToUpper(cmd[0])
	has := func(option string) bool {
		return slices.ContainsFunc(cmd[1:], func(w string) bool { return strings.EqualFold(w, option) })
	}
	switch {
	case name == "":
		return "the name of the command is empty"
	case refused[name] != "":
		return name + " is refused: " + refused[name]
	case name == "COPY" && has("DB"):
		return "COPY ... DB is refused: " + refused["MOVE"]
	case (name == "XREAD" || name == "XREADGROUP") && has("BLOCK"):
		return name + " BLOCK is refused: " + refused["BLPOP"]
	case (name == "MULTI" || name == "EXEC") && len(cmd) > 1:
		return name + " takes no arguments"
	case (name == "EVAL" || name == "EVAL_RO") && len(cmd) > 1:
		return scriptRefusal(cmd[1])
	}
	return ""
}

var scriptCalls = regexp.MustCompile(`(?i)\bredis\s*\.\s*p?call\s*\(?\s*['"](\w+)['"]`)

// scriptRefusal says why a script cannot be part of a batch, or nothing. Names
// of commands that a script makes up are not seen.
func scriptRefusal(body string) string {
	for _, at := range scriptCalls.FindAllStringSubmatchIndex(body, -1) {
		name := strings.ToUpper(body[at[2]:at[3]])
		if reason := refused[name]; reason != "" {
			return fmt.Sprintf("%s in line %d of the script is refused: %s", name, 1+strings.Count(body[:at[2]], "\n"), reason)
		}
	}
	return ""
}
