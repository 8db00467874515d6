package live

import (
	"strconv"
	"strings"

	"rmwbench/internal/resp"
)

// Memory is what the server uses without what it keeps for connections, whose
// buffers grow and shrink by tens of kilobytes as they like; nil where it does
// not say.
func (w *World) Memory() (*int64, error) {
	if w.target.Embedded {
		return nil, nil // it does not count
	}
	info, err := w.info("memory")
	if err != nil {
		return nil, err
	}
	used, err := strconv.ParseInt(info["used_memory"], 10, 64)
	if err != nil {
		return nil, nil
	}
	// INFO has a sum too, which the server brings up to date now and then.
	clients, err := w.ask(resp.Cmd{"CLIENT", "LIST"})
	if err != nil {
		return nil, err
	}
	if clients.Kind == resp.String {
		used -= clientMemory(clients.Str)
	}
	return &used, nil
}

// clientMemory sums the field tot-mem of CLIENT LIST, which servers tell from 6.2
// on.
func clientMemory(list string) (sum int64) {
	for line := range strings.Lines(list) {
		if _, field, ok := strings.Cut(line, " tot-mem="); ok {
			number, _, _ := strings.Cut(field, " ")
			n, _ := strconv.ParseInt(number, 10, 64) // 0 where it is no number
			sum += n
		}
	}
	return sum
}
