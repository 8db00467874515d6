package claims
import ("testing";"time";"fmt";"os";"rmwbench/internal/redisd/redistest")
func TestTry(t *testing.T) {
	s := redistest.Start(t)
	if os.Getenv("EMB") != "" { s = redistest.Embedded(t) }
	cfg := ours(t, s)
	last := time.Now(); var ln string
	cfg.Progress = func(n string, i, k int) { fmt.Println("   took", ln, time.Since(last)); last = time.Now(); ln = n }
	results, err := Run(cfg)
	fmt.Println("   took", ln, time.Since(last))
	fmt.Println(err)
	for _, r := range results { fmt.Printf("%-12s %-30s %s\n", r.Verdict, r.Name, r.Seen)
	if os.Getenv("V")!="" {for _, l := range r.Evidence { fmt.Printf("      %s> %s\n          %s\n", l.On, l.Sent, l.Reply)}} }
}
