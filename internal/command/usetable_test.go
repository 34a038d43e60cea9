package command

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEveryUseHasAnAction fails for a use that nothing carries out and for one that two
// rows do, and for a use that is looked up by a method which does not.
func TestEveryUseHasAnAction(t *testing.T) {
	looked := mentions(t)
	acts := map[string]bool{}
	for _, g := range uses.groups() {
		for _, row := range g.rows {
			name := row.name
			if base, _, _ := strings.Cut(useForm(row.written()), ":"); base != name {
				t.Errorf("%s is written %s", name, row.form)
			}
			if known := acts[name]; known == (row.act != nil) {
				t.Errorf("%s: the first row of a use has its action, and no other", row.written())
			}
			acts[name] = true
			if where, ok := row.act.(elsewhere); ok && !looked[string(where)][name] {
				t.Errorf("%s: the method %q does not look it up", name, string(where))
			}
		}
	}
}

// mentions are the texts that each function and method speaks of.
func mentions(t *testing.T) map[string]map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	methods := map[string]map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			texts := methods[fn.Name.Name]
			if texts == nil {
				texts = map[string]bool{}
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil {
						texts[text] = true
					}
				}
				return true
			})
			methods[fn.Name.Name] = texts
		}
	}
	return methods
}

var update = flag.Bool("update", false, "write the tables of uses into docs/models.md")

// TestUsesAreDocumented fails when the tables in docs/models.md are not what the table
// of uses says. With -update it writes them.
func TestUsesAreDocumented(t *testing.T) {
	const page, begin, end = "../../docs/models.md", "## Uses\n", "Several uses are joined by"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks %q or %q", page, begin, end)
	}
	var b strings.Builder
	b.WriteString(head + begin)
	for _, g := range uses.groups()[:1] { // the schema describes all
		b.WriteString("\n" + g.intro + "\n\n```text\n")
		for i := 0; i < len(g.rows); {
			from := i
			for i++; i < len(g.rows) && g.rows[i].says == same; {
				i++
			}
			b.WriteString(useLine(g.rows[from:i]))
		}
		b.WriteString("```\n")
	}
	b.WriteString("\n" + end + tail)
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if b.String() != string(text) {
		t.Errorf("%s is not what the table of uses says; run go test ./internal/command -run UsesAreDocumented -update", page)
	}
}

// useLine is one line of the page: the uses, and below long ones what the first says.
func useLine(rows []useRow) string {
	const column, width = 19, 110
	margin := strings.Repeat(" ", column)
	var forms []string
	for _, row := range rows {
		forms = append(forms, row.written())
	}
	text := fmt.Sprintf("%-*s", column, strings.Join(forms, ", "))
	if !strings.HasSuffix(text, " ") {
		text += "\n" + margin
	}
	at := column
	for word := range strings.FieldsSeq(strings.ReplaceAll(rows[0].says, "`", "")) {
		if at += len(word) + 1; at > width {
			text, at = strings.TrimRight(text, " ")+"\n"+margin, column+len(word)+1
		}
		text += word + " "
	}
	return strings.TrimRight(text, " ") + "\n"
}
