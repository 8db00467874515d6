package check

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"rmwbench/internal/resp"
	"rmwbench/internal/state"
)

// maxCommands bounds a batch: it is run as often as it has steps.
const maxCommands = 200

// Parse reads a batch. The name of the file is for messages; read answers the
// text of a script by its name in the batch. An error is one line that begins
// with file:line.
func Parse(file, text string, read func(name string) (string, error)) (*Batch, error) {
	p := &parser{batch: &Batch{File: file}, read: read}
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.Lines(text) {
		p.line++
		if err := p.parse(strings.Trim(line, blanks)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, p.line, err)
		}
	}
	switch {
	case p.multi > 0:
		return nil, fmt.Errorf("%s:%d: MULTI without EXEC", file, p.multi)
	case len(p.batch.Exchanges) == 0:
		return nil, fmt.Errorf("%s:%d: there is no command in the file", file, max(p.line, 1))
	}
	p.batch.number()
	return p.batch, nil
}

type parser struct {
	batch    *Batch
	read     func(string) (string, error)
	line     int
	multi    int  // line of the MULTI that is open, 0 if none is
	queued   Step // what has been queued since
	joins    bool // that MULTI goes with the line before it
	commands int
}

func (p *parser) parse(text string) error {
	text, joined := strings.CutPrefix(text, "+")
	text = strings.TrimLeft(text, blanks)
	directive, isDirective := strings.CutPrefix(text, "#!")
	switch {
	case text == "" || strings.HasPrefix(text, "#") && !isDirective:
		if joined {
			return fmt.Errorf("+ joins nothing: no command follows it")
		}
		return nil
	case isDirective:
		return p.directive(strings.TrimLeft(directive, blanks), joined)
	}
	c, err := p.command(text)
	if err != nil {
		return err
	}
	return p.add(c, joined)
}

// directive reads what follows #!.
func (p *parser) directive(text string, joined bool) error {
	name, rest := text, ""
	if i := strings.IndexAny(text, ":"+blanks); i >= 0 {
		name, rest = text[:i], strings.Trim(strings.TrimPrefix(text[i:], ":"), blanks)
	}
	if joined && name != "script" {
		return fmt.Errorf("+ goes before a command or #! script, not before #! %s", name)
	}
	switch name {
	case "start":
		return p.start(rest)
	case "script":
		c, err := p.script(rest)
		if err != nil {
			return err
		}
		c.Source = "#! " + text
		return p.add(c, joined)
	case "stop-if":
		return p.stopIf(rest)
	}
	words, err := p.words(rest)
	if err != nil {
		return err
	}
	switch name {
	case "owner":
		return p.owner(words)
	case "ref":
		return p.ref(words)
	case "exec":
		if !slices.Equal(words, []string{"checked"}) {
			return fmt.Errorf("#! exec: want #! exec: checked")
		}
		p.batch.ExecChecked = p.line
		return nil
	}
	return fmt.Errorf("#! %s is unknown: there are start, script, stop-if, owner, ref and exec", name)
}

// words splits a text and puts the operation id in.
func (p *parser) words(text string) ([]string, error) {
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "${")
		if !found {
			break
		}
		name, _, closed := strings.Cut(after, "}")
		if !closed || name != "op" {
			return nil, fmt.Errorf("${%s is unknown: there is only ${op}, the operation id (write \"\\x24{\" for the two characters)", clip(after, 10))
		}
		rest = after
	}
	return splitWords(strings.ReplaceAll(text, "${op}", opID))
}

// command reads a command as it is typed into redis-cli.
func (p *parser) command(text string) (Command, error) {
	words, err := p.words(text)
	if err != nil {
		return Command{}, err
	}
	c := Command{Line: p.line, Source: text, Cmd: words}
	name := strings.ToUpper(words[0])
	c.Script = name == "EVAL" || name == "EVAL_RO"
	c.UsesOp = strings.Contains(text, "${op}")
	if why := refusal(c.Cmd); why != "" {
		return c, fmt.Errorf("%s", why)
	}
	return c, nil
}

// script reads FILE keys... -- args...
func (p *parser) script(text string) (Command, error) {
	words, err := p.words(text)
	switch {
	case err != nil:
		return Command{}, err
	case len(words) == 0 || words[0] == "--":
		return Command{}, fmt.Errorf("#! script: want FILE keys... -- args... as in #! script pay.lua op:${op} balance -- 5")
	}
	body, err := p.read(words[0])
	if err != nil {
		return Command{}, fmt.Errorf("#! script %s: %w", state.Shown(words[0]), err)
	}
	if why := scriptRefusal(body); why != "" {
		return Command{}, fmt.Errorf("#! script %s: %s", state.Shown(words[0]), why)
	}
	keys, args := words[1:], []string(nil)
	if i := slices.Index(keys, "--"); i >= 0 {
		keys, args = keys[:i], keys[i+1:]
	}
	cmd := slices.Concat(resp.Cmd{"EVAL", body, strconv.Itoa(len(keys))}, keys, args)
	return Command{Line: p.line, Cmd: cmd, Script: true, UsesOp: strings.Contains(text, "${op}")}, nil
}

// add puts a command where it belongs.
func (p *parser) add(c Command, joined bool) error {
	if p.commands++; p.commands > maxCommands {
		return fmt.Errorf("more than %d commands", maxCommands)
	}
	switch name := strings.ToUpper(c.Cmd[0]); {
	case name == "MULTI" && p.multi > 0:
		return fmt.Errorf("MULTI inside the MULTI of line %d", p.multi)
	case name == "MULTI":
		p.multi, p.joins = p.line, joined
		if joined {
			return p.joinable()
		}
		return nil
	case name == "EXEC" && p.multi == 0:
		return fmt.Errorf("EXEC without MULTI")
	case name == "EXEC" && len(p.queued.Commands) == 0:
		return fmt.Errorf("nothing between the MULTI of line %d and its EXEC", p.multi)
	case name == "EXEC":
		step := p.queued
		p.multi, p.queued = 0, Step{}
		return p.exchange(step, p.joins)
	case name == "WATCH" && p.multi > 0:
		return fmt.Errorf("WATCH inside the MULTI of line %d: it goes before", p.multi)
	case p.multi > 0:
		p.queued.Multi = true
		p.queued.Commands = append(p.queued.Commands, c)
		return nil
	}
	return p.exchange(Step{Commands: []Command{c}}, joined)
}

// exchange adds a step to the exchange before it, or as one of its own.
func (p *parser) exchange(s Step, joined bool) error {
	if !joined {
		p.batch.Exchanges = append(p.batch.Exchanges, Exchange{Steps: []Step{s}})
		return nil
	}
	if err := p.joinable(); err != nil {
		return err
	}
	last := &p.batch.Exchanges[len(p.batch.Exchanges)-1]
	last.Steps = append(last.Steps, s)
	return nil
}

// joinable says why a line cannot be sent together with the exchange before it.
func (p *parser) joinable() error {
	n := len(p.batch.Exchanges)
	switch {
	case n == 0:
		return fmt.Errorf("+ joins a line to the one before, and there is none")
	case len(p.batch.Exchanges[n-1].StopIf) > 0:
		return fmt.Errorf("+ joins a line to one whose reply decides whether to go on (#! stop-if): a pipeline is sent before any reply is read")
	}
	return nil
}

func (p *parser) start(text string) error {
	if text == "" {
		return fmt.Errorf("#! start: want a command")
	}
	c, err := p.command(text)
	if err != nil {
		return err
	}
	switch name := strings.ToUpper(c.Cmd[0]); name {
	case "MULTI", "EXEC", "WATCH":
		return fmt.Errorf("#! start: %s is refused: nobody else is there while the starting state is built", name)
	}
	if p.commands++; p.commands > maxCommands {
		return fmt.Errorf("more than %d commands", maxCommands)
	}
	p.batch.Start = append(p.batch.Start, c)
	return nil
}

func (p *parser) stopIf(text string) error {
	words, err := p.words(text)
	switch {
	case err != nil:
		return err
	case len(words) != 1:
		return fmt.Errorf("#! stop-if: want one reply: nil, an integer or a text")
	case p.multi > 0:
		return fmt.Errorf("#! stop-if inside the MULTI of line %d: until EXEC every reply is QUEUED, there is nothing to decide on", p.multi)
	case len(p.batch.Exchanges) == 0:
		return fmt.Errorf("#! stop-if is about the reply to the line before, and there is none")
	}
	last := &p.batch.Exchanges[len(p.batch.Exchanges)-1]
	last.StopIf = append(last.StopIf, StopIf{p.line, words[0]})
	return nil
}

func (p *parser) owner(words []string) error {
	if len(words) == 0 || words[0] == "" {
		return fmt.Errorf("#! owner: want NAME, or NAME and patterns of keys")
	}
	for _, pattern := range words[1:] {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("#! owner: %q is no pattern", pattern)
		}
	}
	p.batch.Owners = append(p.batch.Owners, Owner{words[0], words[1:]})
	return nil
}

func (p *parser) ref(words []string) error {
	r := Ref{Line: p.line}
	switch {
	case len(words) == 3 && words[1] == "->":
		r.Pointer, r.Payload = words[0], words[2]
	case len(words) == 4 && words[2] == "->":
		r.Pointer, r.Element, r.Payload = words[0], words[1], words[3]
	default:
		return fmt.Errorf("#! ref: want KEY -> KEY, or KEY ELEMENT -> KEY")
	}
	p.batch.Refs = append(p.batch.Refs, r)
	return nil
}
