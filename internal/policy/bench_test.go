package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

func benchCalls(b *testing.B) []*command.Invocation {
	return []*command.Invocation{
		invocation("cat src/main.go", effects(b, "read ./src/main.go")),
		invocation("grep -rn x .", effects(b, "read tree /home/dev/proj")),
		invocation("rm -rf node_modules", effects(b, "delete tree ./node_modules")),
		invocation("git commit", effects(b, "control git.commit, execute project:git")),
		invocation("cat logs/*.log", effects(b, "read glob ./logs/*.log")),
	}
}

func BenchmarkJudge(b *testing.B) {
	set := merge(b, nil, nil, nil)
	invs := benchCalls(b)
	b.ReportAllocs()
	for b.Loop() {
		judge(set, tool.Call{}, invs...)
	}
}

// With 10,000 rules of the user's.
func BenchmarkJudgeManyRules(b *testing.B) {
	set := merge(b, nil, manyRules(b), nil)
	invs := benchCalls(b)
	b.ReportAllocs()
	for b.Loop() {
		judge(set, tool.Call{}, invs...)
	}
}

func manyRules(tb testing.TB) *policy.File {
	var text strings.Builder
	text.WriteString("version: 1\nrules:\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "- {id: c%d, decision: ask, reason: r, match: {command: tool%d, flags: {any_of: [-x]}}}\n", i, i)
		fmt.Fprintf(&text, "- {id: p%d, decision: ask, reason: r, match: {effect: {kind: [read, write], paths: ['/srv/%d/**']}}}\n", i, i)
	}
	return parse(tb, text.String())
}

func BenchmarkLoadBuiltin(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		f, err := policy.BuiltinFile()
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := policy.Merge(f, nil, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadManyRules(b *testing.B) {
	data := string(policy.Encode(manyRules(b)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := policy.Open(data)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := policy.Merge(builtin(b), nil, f, nil); err != nil {
			b.Fatal(err)
		}
	}
}
