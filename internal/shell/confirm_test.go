package shell

import (
	"os"
	"strings"
	"testing"
)

// TestConfirm holds the reader against real bash: what bash runs must be listed
// or be a gap, and what the table says is readable must be read without one.
func TestConfirm(t *testing.T) {
	if testing.Short() {
		t.Skip("runs bash")
	}
	text, err := os.ReadFile("testdata/confirm.txt")
	must(t, err)
	rig := newBashRig(t)
	lib := testLibrary(t)
	dir, scripts := rig.dir(t), 0
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "## ") {
			continue
		}
		scripts++
		script, wantGap := strings.CutPrefix(line, "~")
		if strings.HasPrefix(line, "~/") {
			script, wantGap = line, false
		}
		script = strings.NewReplacer("⏎", "\n", "⇥", "\t").Replace(script)
		var ran []call
		if scripts%8 == 1 || !sampled() {
			dir = rig.dir(t)
			ran = rig.run(t, script, dir)
			dir = rig.dir(t)
		}
		for _, states := range []int{1, 2} { // so that ways are joined
			r := newReader(rig.world(dir), lib)
			r.maxStates = states
			if res := r.resolve(script, dir); len(hidden(res, ran)) > 0 {
				t.Errorf("confirm.txt:%d: %s\nwith %d states: bash ran what is not in\n%s", n+1, line, states, listing(res))
			}
		}
		r := newReader(rig.world(dir), lib)
		res := r.resolve(script, dir)
		if gap := hasGap(res); gap != wantGap {
			t.Errorf("confirm.txt:%d: %s\ngap is %v, want %v: %v\n%s", n+1, line, gap, wantGap, res.Gaps, listing(res))
		}
		for _, c := range hidden(res, ran) {
			t.Errorf("confirm.txt:%d: %s\nbash ran %q in %s, which is not in\n%s", n+1, line, c.argv, c.dir, listing(res))
		}
	}
	if scripts < 500 {
		t.Errorf("only %d scripts", scripts)
	}
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
