package fault

import "time"

// Payloads and pointers, stored and removed in steps.
func init() {
	const group = "payload and pointer"
	add := func(name, strategy, workload, summary string, sweep *Sweep, promise ...Flaw) {
		Designs.Add(name, Design{Group: group, Summary: summary, Strategy: strategy, Workload: workload, Sweep: sweep, Promise: promise})
	}
	grace := &Sweep{Grace: 200 * time.Millisecond}
	add("payload-first", "steps", "payload-first", "the payload, then the pointer", nil, Garbage)
	add("payload-lent", "steps", "payload-lent", "the payload for a minute, the pointer, then PERSIST", nil, BreaksLater, Temporary)
	add("payload-linked", "steps", "payload-linked", "the payload for a minute, then pointer and PERSIST in one transaction", nil, Temporary)
	add("payload-expires", "steps", "payload-expires", "the payload for a minute, then a pointer without an end", nil, Drifts, BreaksLater, Temporary)
	add("pointer-first", "steps", "pointer-first", "the pointer, then the payload", nil, Breaks)
	add("payload-with-pointer", "watch-token", "payload-first", "payload and pointer in one transaction", nil)
	add("unlink-first", "steps", "unlink-first", "removal of the pointer, then of the payload", nil, Garbage)
	add("delete-first", "steps", "delete-first", "removal of the payload, then of the pointer", nil, Breaks)
	add("payload-first-swept", "steps", "payload-first", "the payload, then the pointer, and a sweep with a grace age", grace)
	add("pointer-first-swept", "steps", "pointer-first", "the pointer, then the payload, and a sweep with a grace age", grace)
	add("payload-first-hasty", "steps", "payload-first", "the payload, then the pointer, and a sweep without a grace age, which deletes what is in flight", &Sweep{}, Breaks)
}
