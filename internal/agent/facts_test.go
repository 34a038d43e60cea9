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
		switch {
		case f.Name != a.Name() || f.Client == "":
			t.Errorf("%s: the facts are those of %q, %q", a.Name(), f.Name, f.Client)
		case unseen[f.Name] == "" && (len(f.Programs) == 0 || f.Dir == ""):
			t.Errorf("%s: no program or no directory says that it is there", f.Name)
		case f.Name != "claude-legacy" && len(f.Belongings.Guarded()) == 0:
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
