package guard_test

import (
	"runtime"
	"testing"

	"longline/internal/bench/usual"
)

// TestNothingIsKept judges scripts again and again with one guard, as a batch or a server
// does: what one has allocated must be free when the next comes. What a guard keeps
// on purpose, such as the models it has read, it has after the first rounds.
func TestNothingIsKept(t *testing.T) {
	scripts := []string{
		"true && true", "ls | cat", "cd src; ls", "for f in *.go; do gofmt -l $f; done", "if true; then ls; else pwd; fi",
		"f() { ls; }; f", "echo $(cat a) > b", "a=(1 2); echo ${a[1]}", "case $x in a) ls;; esac", "(ls) & wait", "cat <<E\n$x\nE\n", "eval 'ls -l'", "bash -c 'cd /; ls'",
		"python3 -c 'print(1)'", "ls )", "x=1 ls | { read y; echo $y; }",
	}
	for _, class := range usual.Commands() {
		scripts = append(scripts, class[1])
	}
	g := builtin(t)
	used := func(rounds int) int {
		for range rounds {
			for _, script := range scripts {
				g.Judge(attended(script), world())
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	used(10)
	const rounds = 100
	first := used(1)
	if more := used(rounds) - first; more > 20*rounds*len(scripts) {
		t.Errorf("%d scripts keep %d bytes", rounds*len(scripts), more)
	}
}
