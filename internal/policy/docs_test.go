package policy_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"longline/internal/policy"
	"longline/internal/tool"
)

// rows returns the cells of all table rows of a document whose header begins
// with the given cells.
func rows(t *testing.T, path string, header ...string) [][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list [][]string
	inside := false
	for line := range strings.SplitSeq(string(text), "\n") {
		if !strings.HasPrefix(line, "|") {
			inside = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case len(cells) >= len(header) && slices.Equal(cells[:len(header)], header):
			inside = true
		case inside && !strings.HasPrefix(cells[0], "---"):
			list = append(list, cells)
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s has no table that begins with %q", path, header)
	}
	return list
}

// heldTo holds what is decided about an effect to a cell such as "pass, with edits allow".
func heldTo(t *testing.T, cell string, e tool.Effect, decide func(tool.Effect, bool) string) {
	t.Helper()
	plain, special, _ := strings.Cut(cell, ", ")
	if got := decide(e, false); got != plain {
		t.Errorf("%s of %s: %s; the document says %s", e.Kind, e.Target, got, plain)
	}
	edits, isEdits := strings.CutPrefix(special, "with edits ")
	tree, isTree := strings.CutPrefix(special, "as a tree ")
	want := edits
	switch {
	case isTree:
		e.Tree, want = true, tree
	case !isEdits && special != "":
		t.Errorf("what does %q mean?", special)
		return
	case special == "":
		return
	}
	if got := decide(e, isEdits); got != want {
		t.Errorf("%s of %s: %s; the document says %s", e.Kind, e.Target, got, special)
	}
}

// named are the names in a cell that are alike.
func named(cell string) []string { return strings.Fields(strings.ReplaceAll(cell, "`", "")) }

const effectsDoc = "../../docs/effects.md"

// The tables of names are complete and say what the built-in policy decides.
func TestEffectsAreDocumented(t *testing.T) {
	set := merge(t, nil, nil, nil)
	decide := func(e tool.Effect, edits bool) string {
		e.Reach = tool.Exact
		call := tool.Call{Edits: edits, Shell: true}
		w := world()
		w.Own = []string{"~/.claude/plans"}
		return judgeIn(w, set, call, invocation("x", []tool.Effect{e})).Decision.String()
	}
	var names, codes []string
	for _, row := range rows(t, effectsDoc, "`control`", "meaning") {
		for _, name := range named(row[0]) {
			names = append(names, name)
			if got := decide(tool.Effect{Kind: tool.Control, Target: name}, false); got != row[2] {
				t.Errorf("control %s: %s; the document says %s", name, got, row[2])
			}
		}
	}
	for _, row := range rows(t, effectsDoc, "`execute`", "meaning") {
		for _, name := range named(row[0]) {
			codes = append(codes, name[:strings.IndexByte(name, ':')])
			if got := decide(tool.Effect{Kind: tool.Execute, Target: name}, false); got != row[2] {
				t.Errorf("execute %s: %s; the document says %s", name, got, row[2])
			}
		}
	}
	for _, row := range rows(t, effectsDoc, "host") {
		for _, host := range named(row[0]) {
			for i, kind := range []tool.Kind{tool.Fetch, tool.Send} {
				if got := decide(tool.Effect{Kind: kind, Target: host}, false); got != row[2+i] {
					t.Errorf("%s %s: %s; the document says %s", kind, host, got, row[2+i])
				}
			}
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, policy.ControlNames()) {
		t.Errorf("the names of control effects differ:\ndocument %q\nprogram  %q", names, policy.ControlNames())
	}
	slices.Sort(codes)
	if codes = slices.Compact(codes); !slices.Equal(codes, policy.CodeNames()) {
		t.Errorf("the names of code differ:\ndocument %q\nprogram  %q", codes, policy.CodeNames())
	}

	example := map[string]string{
		"project": "/home/dev/proj/a.txt", "build": "/home/dev/proj/dist/a.js", "temporary": "/tmp/a", "sandbox": "/home/dev/sandbox/a",
		"streams": "/dev/null", "home": "/home/dev/a", "system": "/opt/tool/a", "root": "/etc", "secrets": "/home/dev/.netrc",
		"startup": "/home/dev/proj/.husky/pre-push", "git": "/home/dev/proj/.git/index", "agent": "/home/dev/proj/.claude/settings.json",
		"guard": "/home/dev/.config/longline/rules.yaml", "device": "/dev/sda", "own": "/home/dev/.claude/plans/a.md", "instructions": "/home/dev/proj/AGENTS.md",
	}
	var zones []string
	for _, row := range rows(t, effectsDoc, "zone") {
		for _, zone := range named(row[0]) {
			zones = append(zones, zone)
			for i, kind := range []tool.Kind{tool.Read, tool.Create, tool.Write, tool.Delete} {
				heldTo(t, row[2+i], tool.Effect{Kind: kind, Target: example[zone]}, decide)
			}
		}
	}
	for _, z := range policy.ZoneNames() {
		if !slices.Contains(zones, z) {
			t.Errorf("the zone %s is not documented", z)
		}
	}
}
