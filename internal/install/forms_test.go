package install

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
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
