package language

import (
	"fmt"
	"strings"
	"testing"
)

func makefileOf(text string) *makefile {
	m := &makefile{named: map[string][]int{}, values: map[string]string{}, many: map[string]bool{}, fixed: map[string]bool{}}
	m.read(text)
	return m
}

func FuzzMakefile(f *testing.F) {
	f.Add("a: b\n\t$(X) $@\nX = $(X)\n", "a")
	f.Fuzz(func(t *testing.T, text, target string) {
		if len(text) > 10_000 {
			return
		}
		Make(text, Request{Task: target})
		Just(text, Request{Args: []Argument{{target, true}}})
		// A target's recipe is found whatever stands before it, in a file that
		// ends with a complete line and has no open definition.
		if !strings.Contains(text, "define") && !strings.Contains(text, "\\") && !strings.Contains(text, "\r") && !strings.Contains(text, ".RECIPEPREFIX") {
			found := false
			rules, _ := makefileOf(text + "\nlongline-x:\n\tid\n").chain([]string{"longline-x"})
			for _, rule := range rules {
				for _, line := range rule.lines {
					found = found || line == "id"
				}
			}
			if !found {
				t.Errorf("%q hides a rule that follows it", text)
			}
		}
	})
}

// Without a target the goal that the file names is made, and what it does not define is the
// environment's.
func TestMakefileGoal(t *testing.T) {
	for text, want := range map[string]string{
		"a:\n\tx\nb:\n\ty\n":                                 "x",
		".PHONY: a\n%.o:\n\tz\na:\n\tx\n":                    "x",
		".DEFAULT_GOAL = b\na:\n\tx\nb:\n\ty $(E) $(MAKE)\n": "y ${E} make",
	} {
		m := makefileOf(text)
		rules, ok := m.chain([]string{m.goal("")})
		if len(rules) != 1 || !ok || m.expand(rules[0].lines[0], &rules[0], 0) != want {
			t.Errorf("%q: %+v, %v; want %s", text, rules, ok, want)
		}
	}
}

// TestMakefileBounds: a variable that holds others many times over is not written out for ever.
func TestMakefileBounds(t *testing.T) {
	var b strings.Builder
	for i := range 9 {
		fmt.Fprintf(&b, "V%d = %s\n", i, strings.Repeat(fmt.Sprintf("$(V%d)", i+1), 20))
	}
	m := makefileOf(b.String() + "V9 =\na:\n\t$(V0)\n")
	m.expand("$(V0)", nil, 0)
	if m.steps > 2*maxReferences {
		t.Errorf("%d steps", m.steps)
	}
}
