package results

import (
	"encoding/json"
	"fmt"
	"math/bits"
)

// Buckets counts attempt numbers: exact from 1 to 32, then one bucket for each
// power of two (33-64, 65-128, ...). The zero value is ready.
type Buckets struct{ counts [exactBuckets + 32]int64 }

const exactBuckets = 32

// bucket is the index of attempt number n >= 1.
func bucket(n int) int {
	if n <= exactBuckets {
		return max(n, 1) - 1
	}
	return min(exactBuckets+bits.Len(uint(n-1))-6, len(Buckets{}.counts)-1)
}

// upper is the largest attempt number in the bucket with that index.
func upper(index int) int64 {
	if index < exactBuckets {
		return int64(index) + 1
	}
	return int64(64) << (index - exactBuckets)
}

// Add counts attempt number n, from 1.
func (b *Buckets) Add(n int) { b.counts[bucket(n)]++ }

// At is the count of exactly n for n up to 32.
func (b *Buckets) At(n int) int64 { return b.counts[bucket(n)] }

// Total is the number of counts.
func (b *Buckets) Total() (total int64) {
	for _, c := range b.counts {
		total += c
	}
	return total
}

// Merge adds other's counts.
func (b *Buckets) Merge(other *Buckets) {
	for i, c := range other.counts {
		b.counts[i] += c
	}
}

// Each calls f with the largest attempt number and the count of each bucket
// that is not empty, in ascending order.
func (b *Buckets) Each(f func(upTo, count int64)) {
	for i, c := range b.counts {
		if c != 0 {
			f(upper(i), c)
		}
	}
}

// MarshalJSON writes [[upTo, count], ...] without the empty buckets.
func (b Buckets) MarshalJSON() ([]byte, error) {
	pairs := [][2]int64{}
	b.Each(func(upTo, count int64) { pairs = append(pairs, [2]int64{upTo, count}) })
	return json.Marshal(pairs)
}

// UnmarshalJSON reads what MarshalJSON wrote and refuses anything else.
func (b *Buckets) UnmarshalJSON(data []byte) error {
	var pairs [][]int64
	if err := json.Unmarshal(data, &pairs); err != nil {
		return err
	}
	*b = Buckets{}
	last := -1
	for _, p := range pairs {
		if len(p) != 2 {
			return fmt.Errorf("attempt bucket %v is not a pair", p)
		}
		if p[0] < 1 || p[0] > upper(len(b.counts)-1) || p[1] < 1 || p[1] > maxCount {
			return fmt.Errorf("attempt bucket %v is out of range", p)
		}
		i := bucket(int(p[0]))
		switch {
		case upper(i) != p[0]:
			return fmt.Errorf("attempt bucket %d is not 1..32 or a power of two", p[0])
		case i <= last:
			return fmt.Errorf("attempt bucket %d is not in ascending order", p[0])
		}
		b.counts[i] = p[1]
		last = i
	}
	return nil
}
