package results

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// pairs lists what Each tells.
func pairs(b *Buckets) (all [][2]int64) {
	b.Each(func(upTo, count int64) { all = append(all, [2]int64{upTo, count}) })
	return all
}

func TestBucketBoundaries(t *testing.T) {
	tests := []struct {
		n    int
		upTo int64
	}{
		{1, 1}, {2, 2}, {31, 31}, {32, 32},
		{33, 64}, {64, 64}, {65, 128}, {128, 128}, {129, 256}, {256, 256}, {257, 512},
		{1 << 20, 1 << 20}, {1<<20 + 1, 1 << 21},
		{1 << 36, 1 << 36}, {1<<36 + 1, 1 << 37}, {1 << 37, 1 << 37},
		{1<<37 + 1, 1 << 37}, {math.MaxInt, 1 << 37}, // the last bucket is open
		{0, 1}, {-1, 1}, {math.MinInt, 1}, // no attempt has such a number; it must not panic
	}
	for _, test := range tests {
		var b Buckets
		b.Add(test.n)
		if got, want := pairs(&b), [][2]int64{{test.upTo, 1}}; !reflect.DeepEqual(got, want) {
			t.Errorf("attempt %d is counted as %v, want %v", test.n, got, want)
		}
		if got := b.At(test.n); got != 1 {
			t.Errorf("At(%d) = %d after counting it", test.n, got)
		}
	}
}

// Every number up to 5000 is counted in the narrowest bucket that holds it:
// exact to 32, then up to the next power of two.
func TestBucketsHoldWhatTheySay(t *testing.T) {
	for n := 1; n <= 5000; n++ {
		want := int64(n)
		if n > 32 {
			for want = 64; want < int64(n); want *= 2 {
			}
		}
		if got := upper(bucket(n)); got != want {
			t.Fatalf("attempt %d is in the bucket up to %d, want %d", n, got, want)
		}
	}
}

func TestBucketsEachOrderAndTotal(t *testing.T) {
	var b Buckets
	for _, n := range []int{5000, 33, 1, 40, 2, 1, 32} {
		b.Add(n)
	}
	want := [][2]int64{{1, 2}, {2, 1}, {32, 1}, {64, 2}, {8192, 1}}
	if got := pairs(&b); !reflect.DeepEqual(got, want) {
		t.Errorf("Each tells %v, want %v", got, want)
	}
	if b.Total() != 7 {
		t.Errorf("total %d, want 7", b.Total())
	}
	if b.At(1) != 2 || b.At(3) != 0 {
		t.Errorf("At(1) = %d, At(3) = %d, want 2 and 0", b.At(1), b.At(3))
	}
	var none Buckets
	if got := pairs(&none); got != nil || none.Total() != 0 {
		t.Errorf("the zero value tells %v, total %d", got, none.Total())
	}
}

func TestBucketsMerge(t *testing.T) {
	rng := seeded(1)
	var parts [3]Buckets
	var whole, merged Buckets
	for range 2000 {
		n := 1 + rng.IntN(1<<rng.IntN(16))
		parts[rng.IntN(3)].Add(n)
		whole.Add(n)
	}
	for i := range parts {
		before := parts[i]
		merged.Merge(&parts[i])
		if parts[i] != before {
			t.Errorf("merging changed part %d", i)
		}
	}
	if merged != whole {
		t.Errorf("merged %v, counted in one %v", pairs(&merged), pairs(&whole))
	}
}

func TestBucketsJSON(t *testing.T) {
	var b Buckets
	for _, n := range []int{1, 1, 32, 33, 100, math.MaxInt} {
		b.Add(n)
	}
	const want = "[[1,2],[32,1],[64,1],[128,1],[137438953472,1]]"
	text := mustJSON(t, b)
	if text != want {
		t.Errorf("written as %s, want %s", text, want)
	}
	var read Buckets
	read.Add(7) // what was there before goes
	if err := json.Unmarshal([]byte(text), &read); err != nil || read != b {
		t.Errorf("read back as %v, error %v", pairs(&read), err)
	}
	if got := mustJSON(t, Buckets{}); got != "[]" {
		t.Errorf("no counts are written as %s, want []", got)
	}
	if err := json.Unmarshal([]byte("[]"), &read); err != nil || read != (Buckets{}) {
		t.Errorf("[] is read as %v, error %v", pairs(&read), err)
	}
}

func TestBucketsRefuse(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"1":2}`, "cannot unmarshal"},
		{`[1,2]`, "cannot unmarshal"},
		{`[["1",2]]`, "cannot unmarshal"},
		{`[[1.5,2]]`, "cannot unmarshal"},
		{`[[1]]`, "not a pair"},
		{`[[]]`, "not a pair"},
		{`[[1,2,3]]`, "not a pair"},
		{`[[0,1]]`, "out of range"},
		{`[[-1,1]]`, "out of range"},
		{`[[1,0]]`, "out of range"},
		{`[[1,-1]]`, "out of range"},
		{`[[1,9007199254740993]]`, "out of range"},
		{`[[274877906944,1]]`, "out of range"},
		{fmt.Sprintf(`[[%d,1]]`, math.MaxInt64), "out of range"},
		{`[[33,1]]`, "33 is not 1..32 or a power of two"},
		{`[[96,1]]`, "96 is not 1..32 or a power of two"},
		{`[[2,1],[1,1]]`, "not in ascending order"},
		{`[[64,1],[64,1]]`, "not in ascending order"},
	}
	for _, test := range tests {
		var b Buckets
		err := json.Unmarshal([]byte(test.text), &b)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.text, err, test.want)
		}
	}
}
