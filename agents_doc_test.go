package longline_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"longline/internal/agent"
	"longline/internal/install"
	"longline/internal/policy"
	"longline/internal/tool"
)

const belongingsHead = "| agent | settings and hooks | servers, commands, skills, extensions | instructions |\n| --- | --- | --- | --- |\n"

// TestAgentsDocument holds the table in docs/agents.md against what the
// descriptions of agents say belongs to them; with -update it is written anew.
func TestAgentsDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString(belongingsHead)
	for _, a := range agent.Belonging() {
		b.WriteString("| " + a.Client + " | " + paths(a.Guarded()) + " | " + paths(a.Run()) + " | " + paths(a.Instructions) + " |\n")
	}
	text, err := os.ReadFile("docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(text), belongingsHead)
	if !ok {
		t.Fatal("docs/agents.md has no table of what belongs to an agent")
	}
	rows := 0
	for line := range strings.Lines(after) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		rows += len(line)
	}
	want := before + b.String() + after[rows:]
	if *update {
		err = os.WriteFile("docs/agents.md", []byte(want), 0o644)
	} else if string(text) != want {
		t.Error("the table in docs/agents.md is not what internal/agent says; run go test . -run TestAgentsDocument -update")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// paths writes those of one directory once: `.claude/{agents,skills}/**`.
func paths(list []string) string {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b string) int {
		dirA, endA := family(a)
		dirB, endB := family(b)
		return cmp.Or(strings.Compare(dirA, dirB), strings.Compare(endA, endB), strings.Compare(a, b))
	})
	var parts []string
	for i := 0; i < len(list); {
		dir, end := family(list[i])
		var names []string
		for ; i < len(list); i++ {
			if d, e := family(list[i]); d != dir || e != end || dir == "" && len(names) > 0 {
				break
			}
			names = append(names, strings.TrimSuffix(list[i][len(dir):], end))
		}
		name := names[0]
		if len(names) > 1 {
			name = "{" + strings.Join(names, ",") + "}"
		}
		parts = append(parts, "`"+dir+name+end+"`")
	}
	return strings.Join(parts, ", ")
}

// family is the directory that a path is in, and whether it is about what is below it.
func family(path string) (dir, end string) {
	if strings.HasSuffix(path, "/**") {
		end = "/**"
	}
	path = strings.TrimSuffix(path, end)
	return path[:strings.LastIndexByte(path, '/')+1], end
}

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
