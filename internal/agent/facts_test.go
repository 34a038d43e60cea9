package agent

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// An agent is not complete without its facts: how it is found, what belongs to it, and
// what it makes of answers. Its recorded input is asked for by TestDecode.
func TestFactsAreComplete(t *testing.T) {
	// What cannot be found by a program or a directory.
	unseen := map[string]string{"claude-legacy": "a dialect of Claude Code", "vscode": "an extension of an editor"}
	for _, a := range All {
		f := a.Facts()
		guarded := f.belongings()
		switch {
		case f.Name != a.Name() || f.Client == "":
			t.Errorf("%s: the facts are those of %q, %q", a.Name(), f.Name, f.Client)
		case unseen[f.Name] == "" && (len(f.Programs) == 0 || f.Dir == ""):
			t.Errorf("%s: no program or no directory says that it is there", f.Name)
		case f.Name != "claude-legacy" && len(guarded.Guarded()) == 0:
			t.Errorf("%s: no settings and no hooks belong to it", f.Name)
		case len(f.Capabilities) == 0 || f.Capabilities[0].Kind != BeforeTool:
			t.Errorf("%s: nothing says what it makes of an answer before a tool", f.Name)
		}
		for _, c := range f.Capabilities {
			if c.Agent != f.Name || c.Client != f.Client || c.Event == "" {
				t.Errorf("%s: a capability of %q, %q at %q", f.Name, c.Agent, c.Client, c.Event)
			}
		}
		for _, e := range f.Editors {
			if !slices.Contains(f.Programs, e) {
				t.Errorf("%s: %s is not one of its programs", f.Name, e)
			}
		}
	}
}

// The documents say of each client what it does with what longline says about a result.
func TestResultsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "| agent | file tools |")
	section, _, _ = strings.Cut(section, "\n\n")
	for _, a := range All {
		f, documented := a.Facts(), ""
		for row := range strings.Lines(section) {
			if cells := strings.Split(row, " | "); len(cells) == 3 && slices.Contains(strings.Split(strings.Trim(cells[0], "| "), ", "), f.Client) {
				documented = cells[2]
			}
		}
		if f.Name != "claude-legacy" && !strings.HasPrefix(documented, f.Results.String()) {
			t.Errorf("%s: results are %s, and the document says %q", f.Client, f.Results, documented)
		}
	}
}

// A path of settings stands once in the facts: what says where longline is added is
// guarded without being listed again, and no agent lists another's.
func TestPathsStandOnce(t *testing.T) {
	owner := map[string]string{}
	for _, a := range All {
		f := a.Facts()
		if f.Hooks == nil {
			continue
		}
		for _, file := range f.Hooks.files() {
			if other := owner[file]; other != "" {
				t.Errorf("%s is a file of %s and of %s", file, other, f.Name)
			}
			owner[file] = f.Name
			if below, _ := strings.CutPrefix(file, "~/"); slices.Contains(f.Belongings.Guarded(), file) || slices.Contains(f.Belongings.Guarded(), below) {
				t.Errorf("%s: %s is listed again among what belongs to it", f.Name, file)
			}
			b := f.belongings()
			if !slices.ContainsFunc(b.Guarded(), func(m string) bool { return covers(m, file) || covers(m, strings.TrimPrefix(file, "~/")) }) {
				t.Errorf("%s: %s is not guarded", f.Name, file)
			}
		}
	}
}

func TestCovers(t *testing.T) {
	for _, test := range []struct {
		member, file string
		want         bool
	}{
		{".x/settings.json", ".x/settings.json", true},
		{".x/settings*.json", ".x/settings.local.json", true},
		{".x/settings*.json", ".x/y/settings.json", false},
		{".x/hooks", ".x/hooks/deep/longline.json", true},
		{".x/hooks", ".x/hooks.json", false},
		{"/etc/x", "/etc/x/hooks.json", true},
		{"/etc/x", "/etc/xy", false},
		{"~/.x", ".x/a", false},
	} {
		if covers(test.member, test.file) != test.want {
			t.Errorf("covers(%q, %q) is %v", test.member, test.file, !test.want)
		}
	}
}

// TestClaudeAdmin: the administrator's settings lie where Claude Code looks for them on each system.
func TestClaudeAdmin(t *testing.T) {
	for system, want := range map[string]string{"darwin": "/Library/Application Support/ClaudeCode", "linux": "/etc/claude-code", "freebsd": "/etc/claude-code"} {
		if got := ClaudeAdmin(system); got != want {
			t.Errorf("%s: %s, want %s", system, got, want)
		}
	}
}
