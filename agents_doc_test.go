package longline_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"longline/internal/install"
	"longline/internal/policy"
	"longline/internal/tool"
)

// verdictOn is what the built-in rules say to a change of a file.
func verdictOn(t *testing.T, path string) tool.Verdict {
	t.Helper()
	rules, err := policy.BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Merge(rules, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := tool.Call{Tool: "Write", Dir: "/home/dev/proj", Effects: []tool.Effect{{Kind: tool.Write, Target: path, Reach: tool.Exact}}}
	return set.Judge(&call, nil, nil, &tool.World{Home: "/home/dev", Project: "/home/dev/proj"})
}

// Every file by which longline gets into an agent is one that the agent cannot change.
func TestInstallationsAreGuarded(t *testing.T) {
	found := 0
	for _, name := range install.Agents() {
		for _, scope := range []install.Scope{install.User, install.Project, install.Managed} {
			list, err := install.Paths(name, install.Place{Scope: scope, Home: "/home/dev", Project: "/home/dev/proj"})
			if err != nil {
				continue // it has no such place
			}
			for _, path := range list {
				found++
				if v := verdictOn(t, path); v.Decision != tool.Deny {
					t.Errorf("%s, %s: a write to %s is %s by %s; it must be in the agent's description", name, scope, path, v.Decision, v.Rule)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d files found", found)
	}
}

// What switches an agent's hooks off, as docs/agents.md says, cannot be written either.
func TestOffSwitchesAreGuarded(t *testing.T) {
	text, err := os.ReadFile("docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "| agent | what keeps it from asking |")
	if !ok {
		t.Fatal("docs/agents.md has no table of what keeps agents from asking")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	folder := map[string]string{"Codex CLI": ".codex", "Droid": ".factory", "Claude Code": ".claude"}
	found := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]*\\.(?:json|toml))`").FindAllStringSubmatch(cells[2], -1) {
			path := m[1]
			if !strings.Contains(path, "/") {
				path = folder[strings.TrimSpace(cells[1])] + "/" + path
			}
			found++
			if v := verdictOn(t, filepath.Join("/home/dev/proj", path)); v.Decision != tool.Deny {
				t.Errorf("%s: %s is %s by %s", strings.TrimSpace(cells[1]), path, v.Decision, v.Rule)
			}
		}
	}
	if found < 4 {
		t.Errorf("only %d files found in the table", found)
	}
}
