package language

import (
	"strings"
	"testing"
)

func FuzzMakefile(f *testing.F) {
	f.Add("a: b\n\t$(X) $@\nX = $(X)\n", "a")
	f.Fuzz(func(t *testing.T, text, target string) {
		if len(text) > 10_000 {
			return
		}
		m := readMakefile(text)
		rules, _ := m.plan(target)
		for _, rule := range rules {
			for _, line := range rule.lines {
				m.expand(line, &rule, 0)
			}
		}
		readJustfile(text)
		// A target's recipe is found whatever stands before it, in a file that
		// ends with a complete line and has no open definition.
		if !strings.Contains(text, "define") && !strings.Contains(text, "\\") && !strings.Contains(text, "\r") {
			found := false
			rules, _ := readMakefile(text + "\nlongline-x:\n\tid\n").plan("longline-x")
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
