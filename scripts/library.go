package scripts

import (
	"strings"
	"sync"
)

// LibraryName is what servers know Library by.
const LibraryName = "rmwbench"

// Library is the code of a library with one function for every script, spinning
// variants included: its body, with KEYS and ARGV as parameters.
var Library = sync.OnceValue(func() string {
	var code strings.Builder
	code.WriteString("#!lua name=" + LibraryName + "\n")
	for _, name := range All.Names() {
		s := MustGet(name)
		code.WriteString("redis.register_function('" + s.Function + "', function(KEYS, ARGV)\n" + s.Body + "end)\n")
	}
	return code.String()
})

// functionName is the script's name in the letters that functions may have. A
// server has one function of a name, so it says whose it is; and as it says
// which body, a library of another version has no function that could be taken
// for it.
func functionName(name, sum string) string {
	letters := strings.Map(func(c rune) rune {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
			return c
		}
		return '_'
	}, name)
	return LibraryName + "_" + letters + "_" + sum[:8]
}
