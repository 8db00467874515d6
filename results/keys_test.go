package results

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// keys lists the paths of all fields of a JSON value with their types, sorted:
// a.b for objects, a[] for lists. The names in maps are data; populate calls
// them NAME.
func keys(v any, path string) (all []string) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v) {
			all = append(all, keys(v[k], strings.TrimPrefix(path+"."+k, "."))...)
		}
		return all
	case []any:
		for _, e := range v {
			all = append(all, keys(e, path+"[]")...)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	return []string{strings.Replace(fmt.Sprintf("%s %T", path, v), "float64", "number", 1)}
}

// The names and types of the file format are decided once: files are read by
// later versions and by other people's programs. A failure here means that a
// field was renamed, removed or changed, which needs a new Schema, or added,
// which needs a line in the golden file.
func TestGoldenKeys(t *testing.T) {
	for name, record := range map[string]any{"header": fullHeader(t), "run": fullRun(t)} {
		var v any
		if err := json.Unmarshal([]byte(mustJSON(t, record)), &v); err != nil {
			t.Fatal(err)
		}
		got := keys(v, "")
		text, err := os.ReadFile(filepath.Join("testdata", name+"_keys.txt"))
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Split(strings.TrimSpace(string(text)), "\n")
		for _, k := range got {
			if !slices.Contains(want, k) {
				t.Errorf("%s: new field %s", name, k)
			}
		}
		for _, k := range want {
			if !slices.Contains(got, k) {
				t.Errorf("%s: field %s is missing", name, k)
			}
		}
		snake := regexp.MustCompile(`^([a-z][a-z0-9_]*|NAME)(\[\])*$`)
		for _, k := range got {
			path, _, _ := strings.Cut(k, " ")
			for part := range strings.SplitSeq(path, ".") {
				if !snake.MatchString(part) {
					t.Errorf("%s: %q in %s is not snake_case", name, part, k)
				}
			}
		}
	}
}

// The same fields are there when there is nothing to tell, null where they
// would be: a reader need not ask.
func TestEmptyRunHasAllKeys(t *testing.T) {
	var empty, full map[string]any
	for v, into := range map[any]*map[string]any{&Run{}: &empty, fullRun(t): &full} {
		if err := json.Unmarshal([]byte(mustJSON(t, v)), into); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := fmt.Sprint(sortedKeys(empty)), fmt.Sprint(sortedKeys(full)); got != want {
		t.Errorf("an empty run has the fields\n%s\na full one\n%s", got, want)
	}
	for _, k := range []string{"latency", "other_latency", "attempt_latency", "service_latency", "bystander_latency",
		"fairness", "server", "client", "audit", "warnings", "failed", "notes"} {
		if v, ok := empty[k]; !ok || v != nil {
			t.Errorf("%s of nothing is %v, want null", k, v)
		}
	}
}
