package modelfile

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

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
	for _, g := range command.UseTable {
		if g.Intro != "" {
			b.WriteString("\n" + g.Intro + "\n")
		}
		b.WriteString("\n```text\n")
		for _, row := range g.Rows {
			b.WriteString(useLine(row))
		}
		b.WriteString("```\n")
	}
	b.WriteString("\n" + end + tail)
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if b.String() != string(text) {
		t.Errorf("%s is not what the table of uses says; run go test ./internal/modelfile -run UsesAreDocumented -update", page)
	}
}

// useLine is one line of the page: the uses, and below long ones what they say.
func useLine(row command.UseRow) string {
	const column, width = 19, 110
	margin := strings.Repeat(" ", column)
	text := fmt.Sprintf("%-*s", column, strings.Join(row.Names, ", "))
	if len(text) > column {
		text += "\n" + margin
	}
	at := column
	for word := range strings.FieldsSeq(strings.ReplaceAll(row.Says, "`", "")) {
		if at += len(word) + 1; at > width {
			text, at = strings.TrimRight(text, " ")+"\n"+margin, column+len(word)+1
		}
		text += word + " "
	}
	return strings.TrimRight(text, " ") + "\n"
}

// TestUsesAreApplied fails for a use of the table that the reader does not know, and
// for one that no model needs.
func TestUsesAreApplied(t *testing.T) {
	needed := map[string]bool{}
	note := func(uses []command.Use) {
		for _, u := range uses {
			if u.Arg != "" {
				u.Name += ":"
			}
			needed[u.Name] = true
		}
	}
	var look func(l *command.Level)
	look = func(l *command.Level) {
		flags, items := slices.Concat(l.Flags.All(), l.Global.All()), slices.Concat(l.Operands, l.After)
		for _, m := range l.Modes {
			flags, items = append(flags, m.Flags...), append(items, m.Items...)
		}
		for _, f := range flags {
			for _, uses := range f.Values {
				note(uses)
			}
		}
		for _, it := range items {
			note(it.Uses)
		}
		for _, e := range l.Env {
			note(e.Uses)
		}
		for i := range l.Subs {
			look(l.Subs[i].Level)
		}
	}
	_, parsed := load(t)
	for _, f := range parsed {
		for _, m := range f.Models {
			look(&m.Level)
		}
	}
	for name, text := range modelFiles(t) {
		if strings.HasSuffix(name, VariablesFile) {
			env, err := ParseVariables(name, text)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range env {
				note(e.Uses)
			}
		}
	}
	seen := map[string]bool{}
	for _, form := range command.AllUses() {
		if seen[form] {
			continue
		}
		seen[form] = true
		name, _, argued := strings.Cut(form, ":")
		use := command.Use{Name: name}
		if argued {
			use.Arg = "x"
		}
		if !command.KnownUse(use) {
			t.Errorf("%q is in the table, and not known", form)
		}
		if !needed[form] {
			t.Errorf("no model needs the use %q", form)
		}
		m := &command.Model{Names: []string{"p"}}
		value := use
		if use.TakesRest() || name == "joined" {
			value = command.Use{Name: "text"} // an operand and all behind it
		}
		m.Flags = command.FlagsOf([]command.Flag{{Name: "--flag", Values: [][]command.Use{{value}}}})
		m.Operands = []command.Item{{Uses: []command.Use{use}, Many: true}}
		lib := &command.Library{
			Find:      func(string) *command.Model { return m },
			Variables: func() []command.EnvUse { return nil },
			Programs:  func() []string { return nil },
		}
		inv := &command.Invocation{
			Words: []command.Word{command.Known("p", tool.Span{End: 1}), command.Known("--flag=a", tool.Span{Start: 2, End: 10}), command.Known("b", tool.Span{Start: 11, End: 12})},
			Dir:   command.Known("/home/dev/proj", tool.Span{}), Stdin: command.Data{None: true}, Span: tool.Span{End: 12},
		}
		lib.Read(inv, &tool.World{Home: "/home/dev", Project: "/home/dev/proj"})
		for _, gap := range inv.Gaps {
			if strings.Contains(gap.Why, "unknown use") || strings.Contains(gap.Why, "internal error") {
				t.Errorf("%q: %s", form, gap.Why)
			}
		}
	}
}
