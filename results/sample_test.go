package results

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// populate sets every exported field below v to a value of its own that is not
// zero, so that a field that gets lost on the way is noticed, also one that is
// added later.
func populate(t testing.TB, v reflect.Value, n *int) {
	t.Helper()
	*n++
	switch special := v.Addr().Interface().(type) {
	case *Buckets:
		special.Add(1)
		special.Add(*n)
		return
	case *Histogram:
		*special = *NewHistogram()
		special.Record(time.Duration(*n))
		special.Record(2 * histogramMax)
		return
	case *json.RawMessage:
		*special = fmt.Appendf(nil, `{"NAME":%d}`, *n)
		return
	case *time.Time:
		*special = time.Date(2026, 3, 4, 5, 6, *n%60, 0, time.UTC)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint64:
		v.SetUint(1<<63 + uint64(*n)) // more than a float64 can hold
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.25)
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", *n))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		populate(t, v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		populate(t, v.Index(0), n)
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		populate(t, value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("NAME"), value)
	case reflect.Struct:
		for i := range v.NumField() {
			populate(t, v.Field(i), n)
		}
	default:
		t.Fatalf("populate does not know %v", v.Type())
	}
}

// fullRun is a run that has something in every field.
func fullRun(t testing.TB) *Run {
	t.Helper()
	n := 0
	run := &Run{}
	populate(t, reflect.ValueOf(run).Elem(), &n)
	run.Source = SourceLive
	run.Attempts = run.Conflicts + 1
	return run
}

// fullHeader is a header that has something in every field.
func fullHeader(t testing.TB) Header {
	t.Helper()
	n := 100
	var h Header
	populate(t, reflect.ValueOf(&h).Elem(), &n)
	h.Schema = Schema
	return h
}

// plainRun is a whole trial of a cell: an elapsed second and counts that fit
// together.
func plainRun(cell Cell, committed, conflicts int64) Run {
	return Run{
		Source: SourceLive, Cell: cell, ElapsedNS: int64(time.Second),
		Committed: committed, Attempts: committed + conflicts, Conflicts: conflicts, Exchanges: 2 * (committed + conflicts),
	}
}

// plainCell is a cell of a strategy and a number of clients.
func plainCell(strategy string, clients int) Cell {
	return Cell{Strategy: strategy, Workload: "counter", Clients: clients, Keys: 1, Dist: "uniform", Conn: "dedicated"}
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("%T: %v", v, err)
	}
	return string(text)
}

// seeded is a source of random numbers that is the same in every run.
func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// near reports whether got is want to a relative error.
func near(got, want, relative float64) bool {
	return got >= want*(1-relative) && got <= want*(1+relative)
}
