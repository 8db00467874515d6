package store

import (
	"strings"

	"rmwbench/internal/resp"
)

// command is how one command is called.
type command struct {
	name      string // as INFO commandstats has it
	arity     int    // words, the name among them; negative: at least so many
	immediate bool   // executed within a transaction, not queued
	noScript  bool   // refused to scripts
	do        func(c *Conn, cmd resp.Cmd) resp.Reply
	parts     map[string]*command // of a container, by upper-case name
}

// commands holds all commands by upper-case name. Every file enters its own.
var commands = map[string]*command{}

func add(name string, arity int, do func(*Conn, resp.Cmd) resp.Reply) *command {
	spec := &command{name: strings.ToLower(name), arity: arity, do: do}
	commands[name] = spec
	return spec
}

// addPart enters a subcommand. Its arity counts the container's name too.
func addPart(container, name string, arity int, do func(*Conn, resp.Cmd) resp.Reply) {
	within := commands[container]
	if within == nil {
		within = add(container, -2, nil)
		within.parts = map[string]*command{}
	}
	within.parts[name] = &command{name: strings.ToLower(container + "|" + name), arity: arity, noScript: true, do: do}
}

// find looks a command up by its first word or two and checks how many words
// there are. Without a command, the refusal says why.
func find(cmd resp.Cmd) (spec *command, refusal resp.Reply) {
	spec = commands[cmd[0]]
	if spec == nil {
		if spec = commands[upper(cmd[0])]; spec == nil {
			return nil, unknownCommand(cmd)
		}
	}
	if spec.parts != nil && len(cmd) > 1 {
		container := spec
		if spec = container.parts[upper(cmd[1])]; spec == nil {
			text := "ERR unknown subcommand '" + clip(cmd[1], 128) + "'. Try " + strings.ToUpper(container.name) + " HELP."
			return nil, resp.Fault(oneLine(text))
		}
	}
	if len(cmd) != spec.arity && (spec.arity > 0 || len(cmd) < -spec.arity) {
		return nil, wrongArity(spec.name)
	}
	return spec, resp.Reply{}
}

func unknownCommand(cmd resp.Cmd) resp.Reply {
	var args strings.Builder
	for _, word := range cmd[1:] {
		if args.Len() >= 128 {
			break
		}
		args.WriteString("'" + clip(word, 128-args.Len()) + "' ")
	}
	text := "ERR unknown command '" + clip(cmd[0], 128) + "', with args beginning with: " + args.String()
	return resp.Fault(oneLine(text))
}

// clip shortens a word to what the server quotes of it: n bytes, and nothing
// after a zero byte.
func clip(word string, n int) string {
	word, _, _ = strings.Cut(word, "\x00")
	return word[:min(n, len(word))]
}

// oneLine makes a text fit into an error reply.
func oneLine(text string) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(strings.TrimRight(text, "\r\n"))
}

// upper turns the letters of ASCII into capitals, and only them.
func upper(word string) string {
	for i := range len(word) {
		if isLower(word[i]) {
			capitals := []byte(word)
			for j, b := range capitals {
				if isLower(b) {
					capitals[j] = b - 'a' + 'A'
				}
			}
			return string(capitals)
		}
	}
	return word
}

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }
