package guard_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMakeNames spells targets in all ways, in the rule and where it is asked for, and has make run them. Where files that nothing else
// has are gone then, it must have been asked about; a target that there is no rule for is not.
func TestMakeNames(t *testing.T) {
	runsPrograms(t)
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	l := newLossy(t, `git init -q -b main .; printf 'build\n' >.gitignore; mkdir -p sub data src build; echo x >src/x; echo s >sub/zap; git add -A; git commit -qm one; echo mine >data/x.csv`)
	rules := []string{"zap:", "./zap:", ".//zap:", "other zap:", "././zap: | src", "sub/zap:", "./sub//zap:", "z%:", "./z%:", "%:", "%ap:", "sub/%:", "$(CURDIR)/zap:", "all: zap\nzap:", "all: ./zap\n.//zap:", "zap: all\nall:", "T = ./zap\n$(T):", ".PHONY: ./zap\nzap:", "x zap: %ap:", "VPATH = sub\nsub/zap: FORCE\nFORCE:\nsub/zap:"}
	asked := []string{"zap", "./zap", ".//zap", "././zap", "sub/zap", "./sub/zap", "sub//zap", "zap/", "../proj/zap", "$(pwd)/zap", "all", "", "'zap '", "nothing"}
	ways := []string{"make %", "make -C . %", "t=%; make $t", "make -C src -f ../Makefile -C .. %", "make 'G=%' again", "cd src && make -C .. %", "for t in %; do make -s $t; done", "printf '%s\\n' % | xargs make"}
	n := 0
	for _, rule := range rules {
		text := "first:\n\t@echo\n" + rule + "\n\trm -rf data\n"
		if !strings.HasPrefix(rule, "%") {
			text += "again:\n\t$(MAKE) $(G)\n"
		}
		if err := os.WriteFile(filepath.Join(l.root, "home/proj/Makefile"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, goal := range asked {
			for i, way := range ways {
				if n++; i > 0 && leftOut(n) {
					continue
				}
				script := strings.ReplaceAll(way, "%", goal)
				if strings.Contains(way, "%s") {
					script = fmt.Sprintf("printf '%%s\\n' %s | xargs make", goal)
				}
				lost := l.loses(script)
				asks, why := l.asks(script)
				exact := i < 2 && !strings.Contains(rule, "%") && !strings.Contains(rule, "sub/") && !strings.Contains(goal, "//") && !strings.Contains(goal, "'") && !strings.Contains(goal, "..")
				if len(lost) > 0 && !asks || exact && asks && len(lost) == 0 {
					t.Errorf("%q: %s: asked: %v (%s), lost: %q", rule, script, asks, why, lost)
				}
			}
		}
	}
}
