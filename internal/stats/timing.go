package stats

import (
	"math"
)

// Latencies are percentiles in microseconds.
type Latencies struct {
	P50 int64 `json:"p50"`
	P90 int64 `json:"p90"`
	P99 int64 `json:"p99"`
	Max int64 `json:"max"`
}

// Timing counts durations in classes that are each a twentieth wider than the
// one before, so that percentiles are right to 5 % in a few hundred numbers.
type Timing struct {
	classes [512]int
	total   int
	max     int64
}

const classWidth = 1.05

// Add counts a duration in microseconds.
func (t *Timing) Add(us int64) {
	if us < 0 {
		return
	}
	class := int(math.Log(float64(us)+1) / math.Log(classWidth))
	t.classes[min(class, len(t.classes)-1)]++
	t.total++
	t.max = max(t.max, us)
}

// Latencies are right to 5 %.
func (t *Timing) Latencies() Latencies {
	at := func(part float64) int64 {
		left := int(math.Ceil(part * float64(t.total)))
		for class, n := range t.classes {
			if left -= n; left <= 0 {
				return min(int64(math.Pow(classWidth, float64(class+1))), t.max)
			}
		}
		return t.max
	}
	if t.total == 0 {
		return Latencies{}
	}
	return Latencies{at(0.5), at(0.9), at(0.99), t.max}
}
