package guard_test

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"longline/internal/bench/cpu"
	"longline/internal/guard"
	"longline/internal/tool"
)

// attended is a command of an agent in front of which somebody sits.
func attended(script string) tool.Call {
	return tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Attended: true}
}

// cost is what judging a script takes. What is allocated is the same every time; the time
// is that of the processor, without what others do meanwhile and without collecting
// garbage, and it depends on what else the machine does.
type cost struct {
	time   time.Duration
	bytes  uint64
	pieces uint64 // that were allocated
}

// meter measures what judging costs.
type meter struct {
	t    testing.TB
	g    *guard.Guard
	live *uint64 // what was in use after garbage was last collected
}

// newMeter turns the collection of garbage off until the test ends.
func newMeter(t testing.TB) meter {
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	return meter{t, builtin(t), new(uint64)}
}

func (m meter) cost(script string) cost {
	var before, after runtime.MemStats
	if runtime.ReadMemStats(&before); before.HeapAlloc > *m.live+64<<20 {
		runtime.GC() // so that memory is used again: a new page takes the system longer
		runtime.ReadMemStats(&before)
		*m.live = before.HeapAlloc
	}
	start := cpu.Used()
	m.g.Judge(attended(script), world())
	took := cpu.Used() - start
	runtime.ReadMemStats(&after)
	return cost{took, after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs}
}

// time is what judging a script takes if it is done several times, without the first time:
// memory that has been used before costs less than new pages.
func (m meter) time(script string, times int) time.Duration {
	m.g.Judge(attended(script), world())
	runtime.GC()
	start := cpu.Used()
	for range times {
		m.g.Judge(attended(script), world())
	}
	return (cpu.Used() - start) / time.Duration(times)
}

// What a script of less than a kilobyte may cost. The number of pieces stands for the
// time, where that cannot be measured: ten of them take less than 4 µs.
const (
	maxSmall    = 1000
	smallTime   = 20 * time.Millisecond
	smallRoom   = 32 << 20
	smallPieces = 100_000
)

// small says what is too much of the cost of a small script; time counts if nothing
// else goes on.
func (m meter) small(script string, idle bool) (c cost, problem bool) {
	c = m.cost(script)
	for range 6 { // other work makes a measurement longer, never shorter
		if idle && c.time > smallTime {
			c.time = min(c.time, m.cost(script).time)
		}
	}
	return c, idle && c.time > smallTime || c.bytes > smallRoom || c.pieces > smallPieces
}
