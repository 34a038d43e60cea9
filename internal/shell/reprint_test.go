package shell

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Bodies of substitutions with here-documents: bash runs nothing that is not listed.
func TestReprinted(t *testing.T) {
	rig, lib := newBashRig(t), testLibrary(t)
	rnd := rand.New(rand.NewPCG(7, 7))
	all, sure := 300, 0
	if sampled() {
		all = 60
	}
	for range all {
		b := bodies{rnd: rnd}
		script := "p=$(" + b.lines() + ")"
		if rnd.IntN(4) == 0 {
			script = "a <(" + b.lines() + ")"
		}
		dir := rig.dir(t)
		res := Resolve(script, dir, rig.world(dir), lib)
		if !hasGap(res) {
			sure++
		}
		if missed := hidden(res, rig.run(t, script, dir)); len(missed) > 0 {
			t.Errorf("%s\nbash ran %q", script, missed)
		}
	}
	if sure < all/5 {
		t.Errorf("only %d of %d bodies are followed", sure, all)
	}
}

// bodies makes lines of commands with here-documents.
type bodies struct {
	rnd  *rand.Rand
	n    int
	docs []string
}

func (b *bodies) simple() string {
	b.n++
	switch b.rnd.IntN(5) {
	case 0, 1:
		b.docs = append(b.docs, fmt.Sprintf("text\nE%d\n", b.n))
		return fmt.Sprintf("%s w%d <<E%d", string("abcd"[b.rnd.IntN(4)]), b.n, b.n)
	case 2:
		return fmt.Sprintf("v=%d", b.n)
	}
	return fmt.Sprintf("%s w%d", string("abcd"[b.rnd.IntN(4)]), b.n)
}

func (b *bodies) line() string {
	s := b.simple
	switch b.rnd.IntN(16) {
	case 0:
		return s() + "; " + s()
	case 1:
		return s() + "; " + s() + "; " + s()
	case 2:
		return s() + " & wait"
	case 3:
		return "! " + s()
	case 4:
		return "if " + s() + "; then " + s() + "; fi"
	case 5:
		return "{ " + s() + "; " + s() + "; }" + []string{"", " 2>&1"}[b.rnd.IntN(2)]
	case 6:
		b.docs = append(b.docs, "text\nF\n")
		return "while read l; do " + "a $l; done <<F"
	case 7:
		return "f() { " + s() + "; }; f"
	case 8, 9, 10:
		return s() + []string{" && ", " || ", " | "}[b.rnd.IntN(3)] + s()
	case 11:
		return "( " + s() + " )"
	}
	return s()
}

func (b *bodies) lines() string {
	var text strings.Builder
	for range 1 + b.rnd.IntN(4) {
		b.docs = nil
		text.WriteString("\n" + b.line() + "\n" + strings.Join(b.docs, ""))
	}
	return text.String()
}
