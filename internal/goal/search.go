package goal

// Largest finds the largest load from 1 to most that meets, by doubling and
// then bisection, down to a hundredth of the load. It takes for granted that a
// load misses when a smaller one does. It answers 0 when not even 1 meets.
func Largest(most int, meets func(load int) (bool, error)) (int, error) {
	var good, bad int
	for load := 1; ; load = min(2*load, most) {
		ok, err := meets(load)
		if err != nil {
			return 0, err
		}
		if !ok {
			bad = load
			break
		}
		if good = load; load == most {
			return most, nil
		}
	}
	for bad-good > max(1, good/100) {
		load := good + (bad-good)/2
		ok, err := meets(load)
		if err != nil {
			return 0, err
		}
		if ok {
			good = load
		} else {
			bad = load
		}
	}
	return good, nil
}
