package contention

import (
	"fmt"
	"strconv"
	"strings"
)

// Bystanders are light clients beside the load that only read, each a key of its own. The zero value is none.
type Bystanders struct {
	Clients int
	Closed  bool // each reads as fast as it can; else at random times, at a pace of its own
}

// ParseBystanders reads N (paced) and N:closed. Whether there may be so many is not its business.
func ParseBystanders(s string) (Bystanders, error) {
	number, kind, both := strings.Cut(s, ":")
	n, err := strconv.Atoi(number)
	if err != nil || both && kind != "closed" {
		return Bystanders{}, fmt.Errorf("bystanders %q: must be N, or N:closed for readers as fast as they can, N a whole number", s)
	}
	return Bystanders{Clients: n, Closed: both}, nil
}

// String writes b as "4" or "4:closed", from which ParseBystanders reads b.
func (b Bystanders) String() string {
	if b.Closed {
		return strconv.Itoa(b.Clients) + ":closed"
	}
	return strconv.Itoa(b.Clients)
}
