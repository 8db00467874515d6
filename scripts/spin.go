package scripts

// MostSpins bounds the iterations of one script on a server, whatever it is
// asked for: some seconds.
const MostSpins = 2_000_000_000

// Spin keeps a server busy for as many iterations as the last of ARGV says, which
// it takes away from there. It is a bounded loop that waits for nothing: time
// stands still within a script on some servers, and others have no clock for it.
// It writes nothing, so that it can be killed.
const Spin = "for _ = 1, math.min(tonumber(table.remove(ARGV)), 2e9) do end\n"

// spinningName is what the spinning variant of a script is called.
func spinningName(name string) string { return name + "-spinning" }

// spinning is the script with a loop in front, whose number of iterations comes
// behind the script's own arguments.
func (s Script) spinning() Script {
	v := newScript(spinningName(s.Name), Spin+s.Body)
	v.Spins = true
	return v
}

// Spinning is the script's variant that spins first. Every script has one.
func (s Script) Spinning() Script { return MustGet(spinningName(s.Name)) }
