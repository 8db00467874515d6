package workloads

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/scripts"
)

func init() { All.Add("zadd-gt", zaddGT{}) }

// zaddGT raises the one score of a sorted set if the new one is higher: the
// stage of a job, which only moves on, from 1 to 2, or to 2 at once. One op in 8
// ends the job: it takes the score out and answers it, so that there is
// something to raise until the end.
//
// Invariant, for both stages v, with what is stored as the last stage of a job
// that has not ended: a job is raised to v at most once, and its last stage is
// v or more then, so that
//
//	raises to v >= jobs with the last stage v
//	raises to v <= jobs with the last stage v or more
//
// The second fails for an acknowledged raise that a lower one has overwritten,
// and for two raises of one job to 2. Two to 1 it may take for one of a job that
// went to 2 at once: more than two stages would leave more such gaps.
type zaddGT struct{}

const (
	topScore = 2
	job      = "job"
	raise    = "raise"
	finish   = "finish"
)

var zaddGTScript = scripts.MustGet("zadd-gt")

func (zaddGT) Summary() string {
	return "raise a score in a sorted set if it is higher; 1 op in 8 takes it out"
}

func (zaddGT) Keys(base string) []string { return []string{base} }

func (zaddGT) Setup(string) []resp.Cmd { return nil }

func (zaddGT) Next(rng *rand.Rand, _ int, base string) Op {
	args := []string{raise, "2"}
	if rng.IntN(4) == 0 {
		args[1] = "1"
	}
	if seldom(rng) {
		args[0] = finish
	}
	return Op{Keys: []string{base}, Args: args}
}

func (zaddGT) Begin(op Op) Body {
	key := op.Keys[0]
	return &readThen{reads: []resp.Cmd{{"ZSCORE", key, job}}, then: func(replies []resp.Reply) Step {
		missing := replies[0].Kind == resp.Nil
		score, ok := whole(replies[0])
		switch {
		case !ok:
			return Step{Kind: Fail, Error: notInteger}
		case op.Args[0] == finish && missing:
			return Step{Kind: Reject}
		case op.Args[0] == finish:
			return Step{Kind: Commit, Cmds: []resp.Cmd{{"ZREM", key, job}}, Answer: text(score)}
		case !missing && argument(op, 1) <= score:
			return Step{Kind: Reject}
		}
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"ZADD", key, op.Args[1], job}}, Answer: op.Args[1]}
	}}
}

func (zaddGT) Script() scripts.Script { return zaddGTScript }

func (zaddGT) Form() string { return "ZADD GT CH; ZPOPMAX to take out" }

func (zaddGT) Command(op Op) resp.Cmd {
	if op.Args[0] == finish {
		return resp.Cmd{"ZPOPMAX", op.Keys[0]}
	}
	return resp.Cmd{"ZADD", op.Keys[0], "GT", "CH", op.Args[1], job}
}

func (zaddGT) Judge(op Op, reply resp.Reply) (bool, string) {
	switch {
	case op.Args[0] == finish && len(reply.Elems) == 2:
		return true, reply.Elems[1].Str
	case op.Args[0] == raise && reply.Int == 1:
		return true, op.Args[1]
	}
	return false, ""
}

func (zaddGT) NewLedger() Ledger { return &stages{} }

// stages is the ledger of zadd-gt.
type stages struct{ bases map[string]*scores }

// scores counts ops on one base, those on scores by score.
type scores struct {
	acknowledged, unknown int64
	raised, ended         [topScore + 1]int64
	mayRaise              [topScore + 1]int64
	mayEnd                int64
}

func (s *stages) of(base string) *scores {
	counts := s.bases[base]
	if counts == nil {
		counts = new(scores)
		if s.bases == nil {
			s.bases = make(map[string]*scores)
		}
		s.bases[base] = counts
	}
	return counts
}

// level reads a score; 0 is none that an op raises to.
func level(text string) int {
	if n, err := strconv.Atoi(text); err == nil && 0 < n && n <= topScore {
		return n
	}
	return 0
}

func (s *stages) Note(op Op, effect Effect, answer string) {
	if effect == EffectNone {
		return
	}
	c := s.of(op.Keys[0])
	finishes := op.Args[0] == finish
	switch {
	case effect == EffectAll && finishes:
		c.acknowledged++
		c.ended[level(answer)]++
	case effect == EffectAll:
		c.acknowledged++
		c.raised[level(op.Args[1])]++
	case finishes:
		c.unknown++
		c.mayEnd++
	default:
		c.unknown++
		c.mayRaise[level(op.Args[1])]++
	}
}

func (s *stages) Merge(other Ledger) {
	for base, from := range other.(*stages).bases {
		into := s.of(base)
		into.acknowledged += from.acknowledged
		into.unknown += from.unknown
		into.mayEnd += from.mayEnd
		for v := range into.raised {
			into.raised[v] += from.raised[v]
			into.ended[v] += from.ended[v]
			into.mayRaise[v] += from.mayRaise[v]
		}
	}
}

func (s *stages) Reads(base string) []resp.Cmd {
	return []resp.Cmd{{"ZSCORE", base, job}, {"ZCARD", base}}
}

func (s *stages) Check(base string, replies []resp.Reply, audit *results.Audit) {
	var c scores
	if kept := s.bases[base]; kept != nil {
		c = *kept
	}
	stored, others := 0, replies[1].Int
	if replies[0].Kind == resp.String {
		stored, others = level(replies[0].Str), others-1
	}
	if replies[1].Kind != resp.Int || others != 0 || replies[0].Kind == resp.String && stored == 0 {
		audit.Broke(c.acknowledged, c.unknown, fmt.Sprintf("%s holds the score %v among %v", base, replies[0], replies[1]))
		return
	}
	var lost, twice, extra, above int64
	for v := topScore; v > 0; v-- {
		now := int64(0)
		if stored == v {
			now = 1
		}
		above += c.ended[v] + now
		lost = max(lost, c.raised[v]-above-c.mayEnd)
		beyond := c.ended[v] - c.raised[v] - c.mayRaise[v]
		twice += max(0, beyond)
		extra += max(0, now+min(beyond, 0))
	}
	settle(audit, c.acknowledged, c.unknown, max(lost, twice+c.ended[0]), extra)
}
