package shell

import "testing"

// benchmarks are what agents send most.
var benchmarks = map[string]string{
	"Plain":    `git status`,
	"Compound": `cd packages/web && npm test 2>&1 | tail -20; git status --short`,
	"Loop":     `for f in src/*.go; do wc -l "$f"; done`,
	"Heredoc":  "git commit -m \"$(cat <<'EOF'\nfix: a thing\n\nIt was 'broken'.\nEOF\n)\"",
	"Values":   `B=$(git rev-parse --show-toplevel); for d in a b c; do if [ -d "$B/$d" ]; then ls "$B/$d" | head -5 || echo none; fi; done`,
}

func BenchmarkResolve(b *testing.B) {
	lib := testLibrary(b)
	w := testWorld()
	for name, script := range benchmarks {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Resolve(script, "/home/dev/proj", w, lib)
			}
		})
	}
}
