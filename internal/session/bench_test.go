package session_test

import (
	"fmt"
	"testing"

	"longline/internal/session"
)

// BenchmarkSession is what a session costs that is known for something: reading its
// journal, and judging by it.
func BenchmarkSession(b *testing.B) {
	m := newMachine(b)
	for i := range 20 {
		m.judge(fmt.Sprintf("curl -o d%d.json https://example.com/%d", i, i), false, false)
	}
	m.judge("rm -rf ~", false, false)
	w := m.world()
	const script = "cd src && go build ./... && go test ./... | tail -5; git status"
	b.Run("journal", func(b *testing.B) {
		for b.Loop() {
			session.Parse(m.text).Past()
		}
	})
	for name, known := range map[string]bool{"judge nothing known": false, "judge known": true} {
		b.Run(name, func(b *testing.B) {
			call := m.call(script)
			if known {
				call.Past = session.Parse(m.text).Past()
			}
			for b.Loop() {
				m.guard.Judge(call, w)
			}
		})
	}
}
