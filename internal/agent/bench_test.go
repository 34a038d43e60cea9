package agent

import (
	"os"
	"testing"

	"longline/internal/tool"
)

// BenchmarkHook is what a dialect costs each tool call.
func BenchmarkHook(b *testing.B) {
	stdin, err := os.ReadFile("testdata/claude/PreToolUse.Bash.json")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		req, err := claude{}.Decode(stdin, machine)
		if err != nil {
			b.Fatal(err)
		}
		claude{}.Encode(req, tool.Verdict{Decision: tool.Deny, Rule: "r", Reason: "no"})
	}
}
