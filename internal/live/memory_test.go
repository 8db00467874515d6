package live

import (
	"fmt"
	"strings"
	"testing"

	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
)

// What is stored shows in the memory; what a connection's buffers take does not.
func TestMemoryIsOfWhatIsStored(t *testing.T) {
	w := opened(t, targetOf(redistest.Start(t)))
	s := dialed(t, w)
	used := func() int64 {
		t.Helper()
		bytes, err := w.Memory()
		if err != nil || bytes == nil {
			t.Fatalf("%v, %v", bytes, err)
		}
		return *bytes
	}
	const keys, size = 1000, 1000
	before := used()
	for i := range keys {
		if _, err := s.Exchange(resp.Cmd{"SET", fmt.Sprint("k", i), strings.Repeat("x", size)}); err != nil {
			t.Fatal(err)
		}
	}
	if per := float64(used()-before) / keys; per < size || per > 1.5*size {
		t.Errorf("a key with %d bytes takes %.0f", size, per)
	}
	before = used()
	big := strings.Repeat("x", 1<<20)
	if _, err := s.Exchange(resp.Cmd{"ECHO", big}, resp.Cmd{"ECHO", big}); err != nil {
		t.Fatal(err)
	}
	if grown := used() - before; grown > 1<<17 || grown < -1<<17 {
		t.Errorf("an echo changes what is stored by %d bytes", grown)
	}
}

func TestClientMemory(t *testing.T) {
	for list, want := range map[string]int64{
		"": 0,
		"id=3 argv-mem=10 tot-mem=20504 events=r\nid=4 name=tot-mem tot-mem=7 events=r\n": 20511,
		"id=3 fd=8 events=r cmd=client\n":                                                 0,
		"id=3 tot-mem=x events=r\nid=4 tot-mem=5":                                         5,
	} {
		if got := clientMemory(list); got != want {
			t.Errorf("%q: %d, want %d", list, got, want)
		}
	}
}
