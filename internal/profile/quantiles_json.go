package profile

import (
	"encoding/json"
	"fmt"
	"strings"
)

// MarshalJSON writes [[share, ns], ...].
func (q Quantiles) MarshalJSON() ([]byte, error) {
	pairs := make([][2]float64, len(q))
	for i, point := range q {
		pairs[i] = [2]float64{point.Share, point.NS}
	}
	return json.Marshal(pairs)
}

// UnmarshalJSON reads [[share, ns], ...].
func (q *Quantiles) UnmarshalJSON(text []byte) error {
	var pairs [][]float64
	if err := json.Unmarshal(text, &pairs); err != nil {
		return fmt.Errorf("quantiles are [[share, ns], ...]: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	*q = nil
	for i, pair := range pairs {
		if len(pair) != 2 {
			return fmt.Errorf("quantiles are [[share, ns], ...]: point %d has %d numbers", i+1, len(pair))
		}
		*q = append(*q, Quantile{Share: pair[0], NS: pair[1]})
	}
	return nil
}
