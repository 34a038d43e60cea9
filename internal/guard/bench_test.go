package guard_test

import (
	"testing"

	"longline/internal/bench/usual"
	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/tool"
)

// BenchmarkJudge measures judging alone, with models and rules read before: what
// a batch pays for each command.
func BenchmarkJudge(b *testing.B) {
	for _, class := range usual.Commands() {
		b.Run(class[0], func(b *testing.B) {
			set, err := shipped()
			if err != nil {
				b.Fatal(err)
			}
			g := guard.Guard{Library: command.Builtin(), Policy: set}
			w := world()
			b.ReportAllocs()
			for b.Loop() {
				g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: class[1], Shell: true}, w)
			}
		})
	}
}

// BenchmarkJudgeOnce builds everything anew each time, as a process does that
// judges one call.
func BenchmarkJudgeOnce(b *testing.B) {
	for _, class := range usual.Commands() {
		b.Run(class[0], func(b *testing.B) {
			w := world()
			b.ReportAllocs()
			for b.Loop() {
				set, err := shipped()
				if err != nil {
					b.Fatal(err)
				}
				g := guard.Guard{Library: command.Builtin(), Policy: set}
				g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: class[1], Shell: true}, w)
			}
		})
	}
}

// Time depends on the machine and on what else it does; allocations do not. The
// bounds are a tenth above what is needed.
func TestJudgingAllocatesLittle(t *testing.T) {
	bounds := map[string]float64{"ls -la": 29, "pipeline": 79, "5-part compound": 214, "heredoc commit": 57, "5 kB script": 6070, "denied": 175}
	for _, class := range usual.Commands() {
		set, err := shipped()
		if err != nil {
			t.Fatal(err)
		}
		g := guard.Guard{Library: command.Builtin(), Policy: set}
		w := world()
		judge := func() { g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: class[1], Shell: true}, w) }
		for range 5 {
			judge() // until what is read of a model when it is often asked about has been read
		}
		got := testing.AllocsPerRun(5, judge)
		if got > bounds[class[0]] {
			t.Errorf("%s: %.0f allocations, at most %.0f are accepted", class[0], got, bounds[class[0]])
		}
	}
}
