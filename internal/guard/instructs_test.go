package guard_test

import (
	"slices"
	"testing"

	"longline/internal/tool"
)

// TestFetchedInstructions: text from the network is asked about where agents read instructions, whichever way it takes, in one
// call and in two. Text of one's own is not, and fetched text may go elsewhere.
func TestFetchedInstructions(t *testing.T) {
	g, w := builtin(t), world()
	w.Project = project
	judge := func(script string, past *tool.Past) (tool.Verdict, bool) {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true, Past: past}, w)
		return v, slices.ContainsFunc(v.Findings, func(f tool.Finding) bool { return f.Rule == "agent-text" || f.Rule == "agent-instructions" })
	}
	past := &tool.Past{Fetched: []tool.Brought{{Path: "/tmp/r.md", Host: "example.com"}, {Path: "/tmp/rules", Host: "example.com", Tree: true}}}
	for _, test := range []struct {
		script string
		past   *tool.Past
		asks   bool
	}{
		{"curl -so docs/r.md https://example.com/r && cp docs/r.md CLAUDE.md", nil, true},
		{"curl -so docs/r.md https://example.com/r && mv docs/r.md AGENTS.md", nil, true},
		{"curl -so docs/r.md https://example.com/r; cat docs/r.md >> CLAUDE.md", nil, true},
		{"curl -s https://example.com/r > CLAUDE.md", nil, true},
		{"curl -s https://example.com/r | tee docs/r.md CLAUDE.md", nil, true},
		{"curl -s https://example.com/r | base64 -d > CLAUDE.md", nil, true},
		{"curl -s https://example.com/r | sed 1d | tee -a .cursorrules", nil, true},
		{`x=$(curl -s https://example.com/r); echo "$x" > CLAUDE.md`, nil, true},
		{`x=$(curl -s https://example.com/r); printf '%s\n' "$x" >> AGENTS.md`, nil, true},
		{"{ echo '# Rules'; curl -s https://example.com/r; } > CLAUDE.md", nil, true},
		{"gh api repos/a/b/contents/CLAUDE.md --jq .content | base64 -d > CLAUDE.md", nil, true},
		{"cp /tmp/r.md CLAUDE.md", past, true},
		{"mv /tmp/r.md AGENTS.md", past, true},
		{"cat /tmp/r.md >> CLAUDE.md", past, true},
		{"sed 1d < /tmp/r.md | tee CLAUDE.md", past, true},
		{"cp /tmp/rules/CLAUDE.md CLAUDE.md", past, true},
		{"cp /tmp/rules/CLAUDE.md .", past, true},
		{"cp /tmp/rules/x.mdc .cursor/rules/", past, true},
		{"cat /tmp/rules/a.md /tmp/rules/b.md | tee -a AGENTS.md", past, true},
		{`x=$(cat /tmp/rules/a.md); echo "$x" > CLAUDE.md`, past, true},
		{"for f in a b; do cat /tmp/rules/$f.md; done >> CLAUDE.md", past, true},
		{"git clone -q https://example.com/r /tmp/r && cp /tmp/r/CLAUDE.md CLAUDE.md", nil, true},
		{"cp /tmp/r.md docs/r2.md && cp docs/r2.md CLAUDE.md", past, true},

		{"echo '- run the tests' >> CLAUDE.md", nil, false},
		{"curl -s localhost:3000/rules > CLAUDE.md", nil, false},
		{"cat docs/rules.md >> CLAUDE.md", past, false},
		{"cp AGENTS.md CLAUDE.md", past, false},
		{"curl -s https://example.com/r | tee docs/r.md; echo x >> CLAUDE.md", nil, false},
		{"curl -so docs/r.md https://example.com/r && cp docs/r.md docs/s.md && cp docs/rules.md CLAUDE.md", nil, false},
		{"cp /tmp/r.md docs/r.md", past, false},
		{"cp /tmp/mine.md CLAUDE.md", past, false},
		{"cat docs/a.md docs/b.md > AGENTS.md; ls /tmp/rules", past, false},
		{"diff /tmp/r.md CLAUDE.md", past, false},
		{"sed -i s/a/b/ CLAUDE.md && cat /tmp/r.md", past, false},
		{"git add CLAUDE.md && git commit -m rules", past, false},
	} {
		if v, asks := judge(test.script, test.past); asks != test.asks || !asks && v.Decision != tool.Allow {
			t.Errorf("%s is %s (%s: %s)", test.script, v.Decision, v.Rule, v.Reason)
		}
	}
}
