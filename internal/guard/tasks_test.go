package guard_test

import (
	"io/fs"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestTaskDefinitions judges task runners by what they run: with the task, before it, and in
// a rehearsal.
func TestTaskDefinitions(t *testing.T) {
	g := builtin(t)
	for _, c := range []struct{ file, text, allow, ask string }{
		// What make runs in a rehearsal.
		{"Makefile", "t:\n\t+rm -rf ~/docs\nu:\n\trm -rf ~/docs\n", "make -n u", "make -n;make -n t;make t;make u;make --dry-run t;make --just-print t;make --recon t"},
		{"Makefile", "t:\n\t$(MAKE) -v; rm -rf ~/docs\n", "", "make -n t;make t"},
		{"Makefile", "t:\n\t$(MAKE) -C sub all\n\t@for d in a b; do ${MAKE} -C $$d || exit 1; done\n\trm -rf src\n", "make -n t;make -n", "make t"},
		{"Makefile", "MAKEFLAGS =\nt:\n\t$(MAKE) u\nu:\n\trm -rf ~/docs\n", "", "make -n t"},
		{"Makefile", "MAKEFLAGS += -s\nt:\n\t$(MAKE) u\nu:\n\trm -rf ~/docs\n", "make -n t", "make t"},
		// What it makes first.
		{"Makefile", "include gen.mk\ngen.mk:\n\trm -rf ~/docs; touch gen.mk\nt:\n\techo\n", "", "make t;make -n t;make"},
		{"Makefile", "-include src\nsrc: README.md\n\trm -rf src\nt:\n\techo\n", "", "make t;make -n t"},
		{"Makefile", "SRC = a.c\n-include $(SRC:.c=.d)\nt:\n\techo\n%.d:\n\trm -rf ~/docs\n", "", "make t;make -n t"},
		{"Makefile", "t:\n\techo\nMakefile: x\n\t+rm -rf ~/docs\nx:\n", "", "make t;make -n t"},
		// What is computed.
		{"Makefile", "t: $(shell rm -rf ~/docs)\n\techo\n", "", "make t;make -n t;make u"},
		{"Makefile", "t: X := $(shell rm -rf ~/docs)\nt:\n\techo\n", "", "make t"},
		{"Makefile", "t:\n\t#$(shell rm -rf ~/docs)\nu:\n\techo $(or ,${shell rm -rf ~/docs})\nv:\n\techo\n", "make v", "make t;make u;make -n t;make -n u"},
		{"Makefile", "V := $(shell git describe --tags)\ntest:\n\tgo test -ldflags \"-X main.v=$(V)\" ./...\nfmt:\n\tgofmt -l $(shell find . -name '*.go')\n", "make test;make -n test;make -n fmt", ""},
		{"Makefile", "X := $(file >/home/dev/x,y)\nt:\n\techo\n", "", "make t"},
		{"Makefile", "Q = @\nt:\n\t$(Q)rm -rf ~/docs\n", "make -n t", "make t"},
		{"Makefile", "%:\n\trm -rf ~/docs\n", "make -n t", "make t"},
		// Another directory's justfile.
		{"justfile", "x:\n    echo\n", "just x;just ./x;just src/x", "just ../other/x;just ~/other/x;just /home/dev/other/build;just ../;just .."},
		// What the command line gives to recipes of just.
		{"justfile", "d := \"build\"\nclean:\n    rm -rf {{d}}\n", "just clean;just;just -n d=/home/dev/docs clean", "just d=/home/dev/docs clean;just d=/home/dev/docs;just d=/home/dev/docs clean d=build"},
		{"justfile", "d := 'build'\nclean:\n    rm -rf {{d / \"x\"}}\n", "just clean", "just d=/home/dev/docs clean"},
		{"justfile", "set positional-arguments\nclean *a:\n    rm -rf \"$@\"\n", "just clean build", "just clean /home/dev/docs;just clean build /home/dev/docs"},
		{"justfile", "[positional-arguments]\nclean a:\n    #!/usr/bin/env bash\n    rm -rf \"$1\"\n", "just clean build", "just clean /home/dev/docs"},
		{"justfile", "clean d='build':\n    rm -rf {{d}}\n", "just clean;just clean dist", "just clean /home/dev/docs"},
		{"justfile", "clean $d:\n    rm -rf $d\n", "just clean build", "just clean /home/dev/docs"},
		{"justfile", "set shell := [\"bash\", \"-uc\"]\nbuild:\n    echo\nclean:\n    rm -rf ~/docs\nalias c := clean\n", "just build", "just clean;just c;just build clean"},
		{"justfile", "clean d:\n    rm -rf {{d}}\nall: (clean \"/home/dev/docs\")\nok: (clean 'build')\n", "just ok;just -n all", "just all"},
		{"justfile", "build:\n    echo\ndeploy:\n    echo\n", "just build;just build build", "just build deploy"},
		// What is computed.
		{"justfile", "y p=`touch ~/x`:\n    echo {{p}}\nz:\n    echo\n", "just z;just -n y;just y 1", "just y"},
		{"justfile", "y:\n    echo {{`touch ~/x`}}\nz:\n    echo\n", "just z;just -n y", "just y"},
		{"justfile", "v := `touch ~/x`\nz:\n    echo\n", "just v=1 z;just -n z", "just z"},
		{"justfile", "v := shell('touch ~/x')\nz:\n    echo\n", "", "just z;just -n z"},
		{"justfile", "v := `git describe --tags`\nw := \"`touch ~/x`\"\nz:\n    go build -ldflags \"-X main.v={{v}}\" ./...\n", "just z", ""},
	} {
		w := world()
		w.ReadFile = func(path string) ([]byte, error) {
			if path == project+"/"+c.file {
				return []byte(c.text), nil
			}
			return nil, fs.ErrNotExist
		}
		w.Exists = func(path string) bool { return path == project+"/"+c.file }
		for want, scripts := range map[tool.Decision]string{tool.Allow: c.allow, tool.Ask: c.ask} {
			for script := range strings.SplitSeq(scripts, ";") {
				if script == "" {
					continue
				}
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
				if v.Decision != want {
					t.Errorf("%s\nwith %s: got %s, want %s: [%s] %s", script, c.text, v.Decision, want, v.Rule, v.Reason)
				}
			}
		}
	}
}
