package contention

import (
	"strings"
	"testing"
)

func TestParseBystanders(t *testing.T) {
	for text, want := range map[string]Bystanders{
		"0": {}, "1": {Clients: 1}, "4:closed": {4, true}, "-1": {Clients: -1}, "99999": {Clients: 99999}, // the plan has the range
	} {
		got, err := ParseBystanders(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("ParseBystanders(%q) = %+v, %v, written %q", text, got, err, got)
		}
	}
	for _, text := range []string{"", "closed", ":closed", "1:", "1:open", "1:closed:", "1.5", "1e3", " 1", "4: closed", "99999999999999999999"} {
		got, err := ParseBystanders(text)
		if err == nil || got != (Bystanders{}) || !strings.Contains(err.Error(), "N:closed") {
			t.Errorf("ParseBystanders(%q) = %+v, %v", text, got, err)
		}
	}
}
