//go:build unix

package reader

import (
	"os"
	"strings"
	"testing"

	"longline/internal/command"
)

// line prints an invocation the way the tables of this package expect it: its directory, if it is not the project, and its words, where what is
// not known exactly is marked.
func line(inv *command.Invocation) string {
	var b strings.Builder
	if d := inv.Dir.Text; d != "/home/dev/proj" || inv.Dir.Reach.String() != "exact" {
		b.WriteString("(" + inv.Dir.Reach.String() + " " + d + ") ")
	}
	for i, w := range inv.Words {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case w.IsKnown() && (w.Text == "" || strings.ContainsAny(w.Text, " \n'")):
			b.WriteString("'" + w.Text + "'")
		case w.IsKnown():
			b.WriteString(w.Text)
		case w.Glob:
			b.WriteString("glob:" + w.Text)
		default:
			b.WriteString(w.Reach.String() + ":" + w.Text)
			if w.Plain {
				b.WriteString("(plain)")
			}
		}
	}
	return b.String()
}

func listing(res Result) string {
	var b strings.Builder
	for _, inv := range res.Invocations {
		b.WriteString("  " + line(inv))
		for _, g := range inv.Gaps {
			b.WriteString(" [gap: " + g.Why + "]")
		}
		for _, e := range inv.Effects {
			b.WriteString(" [" + e.Kind.String() + " " + e.Target + "]")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestConfirm holds the reader against real bash: what bash runs must be listed or be a gap, and what the table says is readable must be read
// without one.
func TestConfirm(t *testing.T) {
	if testing.Short() {
		t.Skip("runs bash")
	}
	text, err := os.ReadFile("testdata/confirm.txt")
	must(t, err)
	rig := newBashRig(t)
	lib := testLibrary(t)
	scripts := 0
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "## ") {
			continue
		}
		if scripts++; scripts%16 != 0 && os.Getenv("LONGLINE_CONFIRM") != "all" { // each runs bash
			continue
		}
		script, wantGap := strings.CutPrefix(line, "~")
		if strings.HasPrefix(line, "~/") {
			script, wantGap = line, false
		}
		script = strings.NewReplacer("⏎", "\n", "⇥", "\t").Replace(script)
		dir := rig.dir(t)
		res := Read(script, dir, rig.world(dir), lib)
		if gap := hasGap(res); gap != wantGap {
			t.Errorf("confirm.txt:%d: %s\ngap is %v, want %v: %v\n%s", n+1, line, gap, wantGap, res.Gaps, listing(res))
		}
		for _, c := range hidden(res, rig.run(t, script, dir)) {
			t.Errorf("confirm.txt:%d: %s\nBASH ran %q in %s, which is not in\n%s", n+1, line, c.argv, c.dir, listing(res))
		}
	}
	if scripts < 500 {
		t.Errorf("only %d scripts", scripts)
	}
}
