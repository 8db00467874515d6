package workloads

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/scripts"
)

func init() { All.Add("setrange", setrange{}) }

// setrange writes one field of a record of fixed-width fields. By hand that is
// to read the record and to write it whole, with whatever its other fields were
// when it was read.
//
// Invariant: every field holds what one of its clients wrote there last. A
// write that was lost shows until its field is written again, so that an audit
// sees the last write of every field, and fields are many. Where several
// clients wrote a field, any of their last writes may have been the last.
type setrange struct{}

const (
	fields     = 64
	fieldWidth = 16 // bytes
)

var (
	setrangeScript = scripts.MustGet("setrange")
	emptyField     = strings.Repeat("-", fieldWidth)
	emptyRecord    = strings.Repeat("-", fields*fieldWidth)
)

func (setrange) Summary() string {
	return fmt.Sprintf("write one of the %d fields of a fixed-width record of %d bytes", fields, fields*fieldWidth)
}

func (setrange) Keys(base string) []string { return []string{base} }

func (setrange) Setup(base string) []resp.Cmd { return []resp.Cmd{{"SET", base, emptyRecord}} }

func (setrange) Next(rng *rand.Rand, _ int, base string) Op {
	offset := rng.IntN(fields) * fieldWidth
	return Op{Keys: []string{base}, Args: []string{text(int64(offset)), fmt.Sprintf("%0*x", fieldWidth, rng.Uint64())}}
}

func (setrange) Begin(op Op) Body {
	key, offset, value := op.Keys[0], int(argument(op, 0)), op.Args[1]
	return &readThen{reads: []resp.Cmd{{"GET", key}}, then: func(replies []resp.Reply) Step {
		record := replies[0].Str
		if short := offset + len(value) - len(record); short > 0 {
			record += strings.Repeat("\x00", short) // as SETRANGE does
		}
		record = record[:offset] + value + record[offset+len(value):]
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"SET", key, record, "KEEPTTL"}}, Answer: text(int64(len(record)))}
	}}
}

func (setrange) Script() scripts.Script { return setrangeScript }

func (setrange) Form() string { return "SETRANGE" }

func (setrange) Command(op Op) resp.Cmd {
	return resp.Cmd{"SETRANGE", op.Keys[0], op.Args[0], op.Args[1]}
}

func (setrange) Judge(_ Op, reply resp.Reply) (bool, string) { return true, text(reply.Int) }

func (setrange) NewLedger() Ledger { return &registers{} }

// registers is the ledger of setrange.
type registers struct{ bases map[string]*record }

type record struct {
	acknowledged, unknown int64 // ops
	fields                map[int64]*register
}

// register is what a field may hold.
type register struct {
	last  map[uint64]string // by client
	maybe []string          // by ops whose reply was lost: any of them may have come last
}

func (r *registers) of(base string) *record {
	kept := r.bases[base]
	if kept == nil {
		kept = &record{fields: make(map[int64]*register)}
		if r.bases == nil {
			r.bases = make(map[string]*record)
		}
		r.bases[base] = kept
	}
	return kept
}

func (r *record) field(offset int64) *register {
	f := r.fields[offset]
	if f == nil {
		f = &register{last: make(map[uint64]string)}
		r.fields[offset] = f
	}
	return f
}

func (r *registers) Note(op Op, effect Effect, _ string) {
	if effect == EffectNone {
		return
	}
	kept := r.of(op.Keys[0])
	f := kept.field(argument(op, 0))
	if effect == EffectAll {
		kept.acknowledged++
		f.last[op.client()] = op.Args[1]
		return
	}
	kept.unknown++
	f.maybe = append(f.maybe, op.Args[1])
}

// Merge relies on all ops of a client being in one of the ledgers.
func (r *registers) Merge(other Ledger) {
	for base, from := range other.(*registers).bases {
		into := r.of(base)
		into.acknowledged += from.acknowledged
		into.unknown += from.unknown
		for offset, f := range from.fields {
			field := into.field(offset)
			field.maybe = append(field.maybe, f.maybe...)
			for client, value := range f.last {
				field.last[client] = value
			}
		}
	}
}

func (r *registers) Reads(base string) []resp.Cmd { return readString(base) }

func (r *registers) Check(base string, replies []resp.Reply, audit *results.Audit) {
	kept := r.bases[base]
	if kept == nil {
		kept = &record{}
	}
	stored := replies[0].Str
	if replies[0].Kind != resp.String || len(stored) != fields*fieldWidth {
		audit.Broke(kept.acknowledged, kept.unknown, fmt.Sprintf("%s holds no record but %d bytes", base, len(stored)))
		return
	}
	var lost, extra int64
	for i := range fields {
		offset := i * fieldWidth
		switch f, value := kept.fields[int64(offset)], stored[offset:offset+fieldWidth]; {
		case f == nil && value != emptyField:
			extra++
		case f == nil || f.explains(value):
		case len(f.last) > 0:
			lost++
		default:
			extra++
		}
	}
	settle(audit, kept.acknowledged, kept.unknown, lost, extra)
}

// explains says that the field may hold the value.
func (f *register) explains(value string) bool {
	for _, last := range f.last {
		if value == last {
			return true
		}
	}
	return slices.Contains(f.maybe, value) || len(f.last) == 0 && value == emptyField
}
