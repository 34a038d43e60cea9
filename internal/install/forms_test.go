package install

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"longline/internal/agent"
)

// Every form of settings is implemented, and is that of some agent.
func TestForms(t *testing.T) {
	used := map[agent.Form]bool{}
	for _, f := range installable() {
		used[f.Hooks.Form] = true
	}
	for i := range agent.Forms {
		f := agent.Form(i)
		if formOf(f).targets == nil || formOf(f).examine == nil {
			t.Errorf("form %d is not implemented", f)
		}
		if !used[f] {
			t.Errorf("form %d is that of no agent", f)
		}
	}
	if formOf(agent.Form(agent.Forms)).targets != nil {
		t.Error("agent.Forms does not count all forms")
	}
}

// newcomer is an agent that differs from another one only in what it is called.
type newcomer struct {
	agent.Agent
	facts *agent.Facts
}

func (n newcomer) Name() string        { return n.facts.Name }
func (n newcomer) Facts() *agent.Facts { return n.facts }

// An agent with settings of a known form is installed, examined and taken out by what its
// facts say, whatever it is called: an entry in the list of agents is all that it takes.
func TestFormsServeOthers(t *testing.T) {
	all := agent.All
	defer func() { agent.All = all }()
	for _, a := range all {
		if a.Facts().Hooks == nil {
			continue
		}
		facts := *a.Facts()
		facts.Name, facts.Client = "newcomer", "New Comer"
		agent.All = append(slices.Clip(all), newcomer{a, &facts})
		for _, scope := range []Scope{User, Project, Managed} {
			p := testPlace("newcomer")
			p.Scope = scope
			if p.at(facts.Hooks, scope) == "" {
				continue
			}
			d := disk{}
			changes, err := Install("newcomer", p, testCommand, d.read)
			if err != nil {
				t.Fatalf("like %s: %v", a.Name(), err)
			}
			d.apply(changes)
			for file, text := range d {
				if regexp.MustCompile(`(hook['",\s]+|longline-)` + a.Name() + `\b`).Match(text) {
					t.Errorf("like %s: %s names it:\n%s", a.Name(), file, text)
				}
			}
			if state, err := Check("newcomer", p, testCommand, d.read); state != Wired || err != nil {
				t.Errorf("like %s, %s: %v, %v", a.Name(), scope, state, err)
			}
			x := Exam{
				Agent: "newcomer", Client: "New Comer", Place: p, Read: d.read,
				Mode: func(string) (fs.FileMode, error) { return 0o755, nil }, Glob: d.glob,
			}
			if found := x.Findings(); len(found) > 0 && scope == User {
				t.Errorf("like %s: %v", a.Name(), found)
			}
			if changes, err = Uninstall("newcomer", p, d.read); err != nil {
				t.Fatalf("like %s: %v", a.Name(), err)
			}
			if d.apply(changes); len(d) > 0 {
				t.Errorf("like %s, %s: %d files are left", a.Name(), scope, len(d))
			}
		}
	}
}

// This package knows forms of settings and no agents: neither a name nor a path of one is
// in it. The plugins in the repository are packages for agents, and named after them.
func TestFormsNameNoAgent(t *testing.T) {
	var words []string
	for _, a := range agent.All {
		f := a.Facts()
		words = append(words, f.Name)
		if f.Dir != "" {
			words = append(words, f.Dir)
		}
	}
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	named := regexp.MustCompile(`(^|[^a-z])(` + strings.Join(words, "|") + `)($|[^a-z])`)
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, file := range files {
		name := file.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "plugins.go" {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				looked++
				if named.MatchString(text.Value) {
					t.Errorf("%s: %s names an agent; it belongs in its facts", set.Position(n.Pos()), text.Value)
				}
			}
			return true
		})
	}
	if looked < 100 {
		t.Errorf("only %d texts were looked at", looked)
	}
}
