package fault

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rmwbench/internal/resp"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// Sweep looks for what clients have left behind and repairs it: it removes
// pointers without a payload, and payloads that nothing points to.
type Sweep struct {
	// Grace is how long one must have been without the other before it is removed:
	// longer than any client takes from one to the other.
	Grace time.Duration `json:"grace_ns"`
}

// Swept is what a sweep found, and what it cost.
type Swept struct {
	Broken    int `json:"broken"`  // pointers removed
	Orphans   int `json:"orphans"` // payloads removed
	Spared    int `json:"spared"`  // pointers and payloads that got the other within the grace
	Exchanges int `json:"exchanges"`
}

// sweep is one under way, over the base. It looks, and after the grace looks
// again and removes what is still as it was.
type sweep struct {
	Swept
	design  Sweep
	session strategies.Session
	close   func()
	log     *log
	linking workloads.Linking

	broken, orphans []string // that the last look found
	removed         bool
}

// sweep begins the design's, which its caller closes. It lists keys by SCAN, which blocks nobody, and
// never by KEYS.
func (t *tester) sweep(lines *log) (*sweep, error) {
	conn, err := t.World.Dial(other)
	if err != nil {
		return nil, err
	}
	session, err := conn.Session(base)
	if err != nil {
		conn.Close()
		return nil, err
	}
	s := &sweep{
		design: *t.design.Sweep, session: logged{session, "sweep", lines}, close: conn.Close, log: lines,
		linking: t.workload.(workloads.Linking),
	}
	if err = s.look(); err == nil && s.design.Grace == 0 {
		err = s.remove()
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// end waits for the grace to pass, if there is any, and removes.
func (s *sweep) end(wait func(time.Duration)) error {
	if s.removed {
		return nil
	}
	broken, orphans := s.broken, s.orphans
	if len(broken)+len(orphans) > 0 {
		s.log.remark("sweep", "waits for %v: what is without the other may be about to get it", s.design.Grace)
		wait(s.design.Grace)
		if err := s.look(); err != nil {
			return err
		}
	}
	s.broken, s.orphans = still(broken, s.broken), still(orphans, s.orphans)
	s.Spared = len(broken) - len(s.broken) + len(orphans) - len(s.orphans)
	return s.remove()
}

// still lists what was there before and is there now.
func still(before, now []string) []string {
	return slices.DeleteFunc(slices.Clone(now), func(x string) bool { return !slices.Contains(before, x) })
}

// remove removes what the last look found.
func (s *sweep) remove() error {
	s.removed = true
	s.Broken, s.Orphans = len(s.broken), len(s.orphans)
	var cmds []resp.Cmd
	if len(s.broken) > 0 {
		cmds = append(cmds, append(resp.Cmd{"SREM", s.linking.Pointer(base)}, s.broken...))
	}
	if len(s.orphans) > 0 {
		cmds = append(cmds, append(resp.Cmd{"UNLINK"}, s.orphans...))
	}
	if len(cmds) == 0 {
		return nil
	}
	_, err := s.ask(cmds...)
	return err
}

func (s *sweep) ask(cmds ...resp.Cmd) ([]resp.Reply, error) {
	s.Exchanges++
	replies, err := s.session.Exchange(cmds...)
	if err != nil {
		return nil, err
	}
	for i, r := range replies {
		if r.Kind == resp.Error {
			return nil, fmt.Errorf("the server answers %s with %s", cmds[i], r.Str)
		}
	}
	return slices.Clone(replies), nil
}

// look lists the members that point to nothing and the payloads that nothing
// points to.
func (s *sweep) look() error {
	s.broken, s.orphans = nil, nil
	pointer := s.linking.Pointer(base)
	stored := map[string]bool{}
	for cursor := "0"; ; {
		replies, err := s.ask(resp.Cmd{"SCAN", cursor, "MATCH", escape(s.linking.Payload(base, "")) + "*", "COUNT", "1000"})
		if err != nil {
			return err
		}
		for _, key := range replies[0].Elems[1].Elems {
			stored[key.Str] = true
		}
		if cursor = replies[0].Elems[0].Str; cursor == "0" {
			break
		}
	}
	replies, err := s.ask(resp.Cmd{"SMEMBERS", pointer})
	if err != nil {
		return err
	}
	for _, member := range replies[0].Elems {
		key := s.linking.Payload(base, member.Str)
		if !stored[key] {
			s.broken = append(s.broken, member.Str)
		}
		delete(stored, key)
	}
	for key := range stored {
		s.orphans = append(s.orphans, key)
	}
	slices.Sort(s.broken)
	slices.Sort(s.orphans)
	return nil
}

// escape takes their meaning from the letters that MATCH gives one to.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`).Replace(text)
}
