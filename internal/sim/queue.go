package sim

import "time"

// event is something that happens at a time. Events of one time happen in the
// order in which they were made.
type event struct {
	at   time.Duration
	made uint64
	kind eventKind
	who  int32 // index of a proc, conn, core, server or alarm, by kind
}

type eventKind uint8

const (
	wake    eventKind = iota // a proc's wait is over
	arrive                   // a request reaches its server
	reached                  // replies reach their client
	ran                      // a core has done a piece of work
	worked                   // a server without cores to wait for has done a request
	ring                     // an alarm
)

// before orders events: by time, then by age.
func (e *event) before(o *event) bool {
	return e.at < o.at || e.at == o.at && e.made < o.made
}

// queue is a heap of events, the next one first, four children to a node: half
// as deep as a binary one, and the children share a cache line or two.
type queue struct {
	events []event
	made   uint64
}

const arity = 4

func (q *queue) push(at time.Duration, kind eventKind, who int32) {
	e := event{at: at, made: q.made, kind: kind, who: who}
	q.made++
	q.events = append(q.events, e)
	h := q.events
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / arity
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

// pop takes the next event. The queue must not be empty.
func (q *queue) pop() event {
	h := q.events
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	q.events = h
	if len(h) == 0 {
		return top
	}
	i := 0
	for {
		child := i*arity + 1
		if child >= len(h) {
			break
		}
		least := child
		for c := child + 1; c < min(child+arity, len(h)); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = last
	return top
}
