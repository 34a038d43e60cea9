package command

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"longline/internal/language"
	"longline/internal/tool"
)

var span0 tool.Span

// runTask lists the commands that a task's definition holds, and its gaps.
func runTask(kind, task, file, text string, operands ...string) string {
	files := map[string]string{"/p/" + file: text}
	world := &tool.World{ReadFile: func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}}
	r := &reader{
		commandLine: commandLine{levels: []*Level{{}}},
		deeds:       deeds{&Library{}, surroundings{world: world, dir: Known("/p", span0)}, findings{&Invocation{Dir: Known("/p", span0)}}},
	}
	for _, o := range operands {
		r.oper = append(r.oper, Known(o, span0))
	}
	if kind == "just" {
		r.oper = []Word{Known(task, span0)}
	}
	r.task(kind, Known(task, span0), r.oper)
	var out []string
	for _, n := range r.inv.Runs {
		if n.Script != nil {
			out = append(out, n.Script.Text)
		}
	}
	for _, g := range r.inv.Gaps {
		out = append(out, "gap: "+g.Why)
	}
	return strings.Join(out, "; ")
}

func TestTasks(t *testing.T) {
	const makefile = `
SHELL := /bin/bash
OUT ?= build
FLAGS = -v
FLAGS += -x
VERSION := $(shell git describe)
.PHONY: all test clean
all: test $(OUT)/app

test: deps ; echo inline
	@go test ./... # $(OUT)
	-rm -rf $(OUT) \
		dist
deps:
	curl $(URL) $(FLAGS) $$HOME $@

$(OUT)/app: main.go
	go build -o $@ $<
ifeq ($(X),1)
clean:
	rm -rf /
endif
deploy:
	$(MAKE) -C sub push
`
	for _, c := range []struct{ kind, task, file, text, want string }{
		{"make", "deploy", "Makefile", makefile, "git describe; make -C sub push"},
		{"make", "clean", "Makefile", makefile, "git describe; rm -rf /"},
		{"make", "deps", "Makefile", makefile, "git describe; curl ${URL} -v -x $HOME deps"},
		{"make", "build/app", "Makefile", makefile, "git describe; go build -o build/app main.go"},
		{"make", "test", "Makefile", makefile, "git describe; echo inline; go test ./... # build; rm -rf build \\\n\tdist; curl ${URL} -v -x $HOME deps"},
		{"make", "nothing", "Makefile", makefile, "git describe"},
		{"make", "x", "Makefile", "SHELL = python3\nx:\n\timport os", "import os; gap: longline cannot follow the Makefile: recipes run in an unknown shell"},
		{"make", "a.o", "Makefile", "a.o b.o: %.o: %.c\n\tcc $<\na.o: X = 1\n", "cc ${longline_unknown}"},
		{"make", "x", "other", "x:\n\tid", ""},
		{"npm", "build", "package.json", `{"scripts": {"prebuild": "rm -rf dist", "build": "tsc -p .", "postbuild": "echo ok"}}`, "rm -rf dist; tsc -p .; echo ok"},
		{"npm", "missing", "package.json", `{"scripts": {}}`, ""},
		{"npm", "build", "package.json", `{"scripts": `, "gap: the definition of the task is not plain JSON"},
		{"npm", "x", "package.json", `{"scripts": {"x": "ls"}, "scripts": {"x": "rm -rf /"}}`, "gap: the definition of the task is not plain JSON"},
		{"composer", "test", "composer.json", `{"scripts": {"test": ["@lint", "phpunit", "App\\X::y"]}}`, "phpunit"},
		{"deno", "dev", "deno.json", `{"tasks": {"dev": {"command": "deno run a.ts"}}}`, "deno run a.ts"},
		{"poe", "lint", "pyproject.toml", "[tool.poe.tasks]\nlint = \"ruff check .\"\ntest = { cmd = \"pytest\" }", "ruff check ."},
		{"poe", "test", "pyproject.toml", "[tool.poe.tasks]\nlint = \"ruff check .\"\ntest = { cmd = \"pytest\" }", "pytest"},
		{"just", "test", "justfile", "x := 'y'\n# c\ntest a='1': build\n    @go test {{a}}\nbuild:\n    go build\n", "go build; go test 1"},
		{"just", "s", "justfile", "s:\n  #!/usr/bin/env bash\n  set -e\n  ls\n", "#!/usr/bin/env bash\nset -e\nls"},
	} {
		if got := runTask(c.kind, c.task, c.file, c.text); got != c.want {
			t.Errorf("%s %s\n  runs: %s\n  want: %s", c.kind, c.task, got, c.want)
		}
	}
	if got := runTask("make", "clean", "Makefile", "D = build\nclean:\n\trm -rf $(D)", "D=/"); got != "rm -rf /" {
		t.Errorf("a variable on the command line: %s", got)
	}
	if got := runTask("npm", "x", "package.json", `{"scripts": {"x": "rm"}}`, "--", "a b"); got != "rm 'a b'" {
		t.Errorf("arguments of a script: %s", got)
	}
}

// A definition that is longer than what is read does not hide its end.
func TestLongTasks(t *testing.T) {
	chain := ""
	for i := range language.MaxTasks + 1 {
		chain += fmt.Sprintf("t%d: t%d\n", i, i+1)
	}
	for _, c := range []struct{ kind, file, text, gap string }{
		{"make", "Makefile", "t0:\n" + strings.Repeat("\t@echo\n", language.MaxTasks) + "\trm -rf /\n", "more commands than"},
		{"make", "Makefile", chain + fmt.Sprintf("t%d:\n\trm -rf /\n", language.MaxTasks+1), "more commands than"},
		{"just", "justfile", chain + fmt.Sprintf("t%d:\n  rm -rf /\n", language.MaxTasks+1), "more commands than"},
		{"make", "Makefile", strings.Repeat("#\n", maxDefinition) + "t0:\n\trm -rf /\n", "cannot be read"},
	} {
		if got := runTask(c.kind, "t0", c.file, c.text); !strings.Contains(got, "gap: ") || !strings.Contains(got, c.gap) {
			t.Errorf("%s of %d bytes: %q", c.file, len(c.text), got)
		}
	}
	if got := runTask("make", "t0", "Makefile", "t0:\n"+strings.Repeat("\t@echo\n", language.MaxTasks)); strings.Contains(got, "gap: ") {
		t.Error(got)
	}
}

func TestDeployNames(t *testing.T) {
	for name, want := range map[string]bool{"deploy": true, "deploy:prod": true, "db-migrate": true, "release_minor": true, "test": false, "predeployment-check": false, "product": false, "drop-caches": true, "db:reset": true, "build:prod": false, "prod": true, "push-prod": true, "build-and-deploy:prod": true, "build": false} {
		if got := soundsLikeDeploy(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
