package store

import (
	"regexp"
	"slices"
	"strings"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() {
	addPart("FUNCTION", "LOAD", -3, functionLoad)
	addPart("FUNCTION", "DELETE", 3, functionDelete)
	addPart("FUNCTION", "FLUSH", -2, functionFlush)
	add("FCALL", -3, fCall).noScript = true
}

// function is a registered function. It decides as the script that goes by its
// name.
type function struct {
	library string
	script
}

var (
	// registered finds the functions that a library registers.
	registered = regexp.MustCompile(`redis\.register_function\s*\(\s*['"]([^'"]*)['"]|function_name\s*=\s*['"]([^'"]*)['"]`)
	properName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)
)

func (db *DB) flushFunctions() {
	db.libraries, db.functions = map[string][]string{}, map[string]function{}
}

func functionLoad(c *Conn, cmd resp.Cmd) resp.Reply {
	replace := false
	for _, option := range cmd[2 : len(cmd)-1] {
		if upper(option) != "REPLACE" {
			return resp.Fault(oneLine("ERR Unknown option given: " + option))
		}
		replace = true
	}
	code := cmd[len(cmd)-1]
	library, problem := libraryName(code)
	if problem == "" {
		problem = c.db.loadLibrary(library, functionNames(code), replace)
	}
	if problem != "" {
		return resp.Fault(oneLine("ERR " + problem))
	}
	return resp.Text(library)
}

// libraryName reads the first line of a library: #!lua name=NAME.
func libraryName(code string) (name, problem string) {
	line, _, ended := strings.Cut(code, "\n")
	words := strings.Fields(line)
	switch {
	case !strings.HasPrefix(line, "#!"):
		return "", "Missing library metadata"
	case !ended:
		return "", "Invalid library metadata"
	}
	given := false
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		switch {
		case !strings.EqualFold(key, "name") || key == word:
			return "", "Invalid metadata value given: " + word
		case given:
			return "", "Invalid metadata value, name argument was given multiple times"
		}
		name, given = value, true
	}
	switch engine := strings.TrimPrefix(words[0], "#!"); {
	case !given:
		return "", "Library name was not given"
	case !properName.MatchString(name):
		return "", "Library names can only contain letters, numbers, or underscores(_) and must be at least one character long"
	case !strings.EqualFold(engine, "lua"):
		return "", "Engine '" + engine + "' not found"
	}
	return name, ""
}

// functionNames lists the functions that a library registers.
func functionNames(code string) (names []string) {
	for _, match := range registered.FindAllStringSubmatch(code, -1) {
		names = append(names, match[1]+match[2])
	}
	return names
}

// loadLibrary enters a library, or says why not and changes nothing.
func (db *DB) loadLibrary(library string, names []string, replace bool) (problem string) {
	if _, exists := db.libraries[library]; exists && !replace {
		return "Library '" + library + "' already exists"
	}
	if len(names) == 0 {
		return "No functions registered"
	}
	for i, name := range names {
		if !properName.MatchString(name) {
			return "Error registering functions: Function names can only contain letters, numbers, or underscores(_) and must be at least one character long"
		}
		if slices.Contains(names[:i], name) {
			return "Error registering functions: Function already exists in the library"
		}
	}
	for _, name := range names {
		if f, exists := db.functions[name]; exists && f.library != library {
			return "Function " + name + " already exists"
		}
	}
	db.deleteLibrary(library)
	for _, name := range names {
		db.functions[name] = function{library, script{name, deciderOf(name)}}
	}
	db.libraries[library] = names
	return ""
}

// deciderOf is that of the script that is registered under that name, if there
// are both.
func deciderOf(function string) decider {
	for _, name := range scripts.All.Names() {
		if s := scripts.MustGet(name); s.Function == function {
			return deciders()[s.SHA1]
		}
	}
	return decider{}
}

func (db *DB) deleteLibrary(library string) {
	for _, name := range db.libraries[library] {
		delete(db.functions, name)
	}
	delete(db.libraries, library)
}

func functionDelete(c *Conn, cmd resp.Cmd) resp.Reply {
	if _, exists := c.db.libraries[cmd[2]]; !exists {
		return resp.Fault("ERR Library not found")
	}
	c.db.deleteLibrary(cmd[2])
	return ok
}

func functionFlush(c *Conn, cmd resp.Cmd) resp.Reply {
	switch {
	case len(cmd) > 3:
		return resp.Fault("ERR unknown subcommand or wrong number of arguments for '" + cmd[1] + "'. Try FUNCTION HELP.")
	case !flushMode(cmd[2:]):
		return resp.Fault("ERR FUNCTION FLUSH only supports SYNC|ASYNC option")
	}
	c.db.flushFunctions()
	return ok
}

func fCall(c *Conn, cmd resp.Cmd) resp.Reply {
	f, exists := c.db.functions[cmd[1]]
	if !exists {
		return resp.Fault("ERR Function not found")
	}
	op, fault, valid := opOf(cmd, resp.Fault("ERR Bad number of keys provided"))
	if !valid {
		return fault
	}
	return c.run(f.script, op)
}
