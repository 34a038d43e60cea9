package language

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linesOf are the commands that are read of a makefile, and what make runs, of those that say what a value is.
func linesOf(t *testing.T, dir, text string, args ...string) (read []string, real string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	q := onDisk(dir, "t")
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		q.Given = append(q.Given, Variable{Name: name, Value: value, Known: true})
	}
	p := Make(text, q)
	if p.Incomplete || p.Problem != "" {
		read = append(read, "$")
	}
	for _, line := range p.Lines {
		for one := range strings.Lines(line.Text) {
			if rest, ok := strings.CutPrefix(one, "echo value"); ok {
				read = append(read, strings.Join(strings.Fields(rest), " "))
			}
		}
	}
	cmd := exec.Command("make", append([]string{"-s", "t"}, args...)...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	out, _ := cmd.CombinedOutput()
	_, rest, ok := strings.Cut(string(out), "value")
	if !ok {
		t.Errorf("%q: make says %s", text, out)
	}
	real, _, _ = strings.Cut(rest, "\n")
	return read, strings.Join(strings.Fields(real), " ")
}

// TestMakeSure holds what recipes run against make where variables may have no value: the line that make runs is among those that are
// read, or one of these holds what is not known.
func TestMakeSure(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed; .ci/tools installs it")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"in.c": "", "src/in.x": ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	n, known := 0, 0
	try := func(text string, args ...string) {
		read, real := linesOf(t, dir, text, args...)
		n++
		if !slices.ContainsFunc(read, func(r string) bool { return strings.Contains(r, "$") }) {
			if known++; !slices.Contains(read, real) {
				t.Errorf("%q %q: read as %q, is %q", text, args, read, real)
			}
		}
	}
	for i, set := range []string{
		"D := one", "ifdef CI\nD := one\nendif", "ifndef D\nD := one\nendif", "ifeq ($(D),)\nD := one\nendif", "ifneq ($(N),)\nD = one\nendif", "ifdef D\nelse\nD := one\nendif",
		"ifndef CI\nelse\nD := one\nendif", "ifeq ($(strip $(D)),)\nD := one\nendif", "ifdef CI\nE := x\nelse ifdef N\nD := one\nendif", "ifeq ($(origin D),undefined)\nD = one\nendif",
		"ifdef CI\nifndef D\nD := one\nendif\nendif", "D := one\nundefine D", "override D := one", "export D := one", "override export D := one", "export override D = one",
		"define D\none\nendef", "override define D\none\nendef", "D := $(E)\nE := one", "F = $(E)\nD := a$(F)\nE := one", "D := $(E)one",
	} {
		for j, use := range []string{"", "D ?= two", "D += two", "override D += two", "ifdef CI\nD := two\nendif", "G := $(D)", "undefine D", "export D"} {
			value := "x$(D)y"
			if strings.HasPrefix(use, "G") {
				value = "$(D) $(G)"
			}
			try(set+"\n"+use+"\nt:\n\techo value "+value+"\n", [][]string{nil, {"D=three"}, {"CI=1"}}[(i+j)%3]...)
		}
	}
	if known < n/20 {
		t.Errorf("%d of %d values are known", known, n)
	}
	n, known = 0, 0
	for _, text := range []string{
		"ifdef A\nX := x\nendif\nifdef B\nY := y\nendif\nt:\n\techo value $(X)/$(Y)\n", "t: nope\n.DEFAULT:\n\techo value one\n", "t: nope\n%e:\n\techo value one $*\n", "t: nope\n%:\n\techo value one $@\n",
		".RECIPEPREFIX := $(strip >)\nt:\n> echo value one\n", "P := >\n.RECIPEPREFIX := $(P)\nt:\n> echo value one\n", "SHELL := /usr/bin/env bash\nt:\n\techo value one\n", "SHELL := $(shell which bash)\nt:\n\techo value one\n",
		"private D = one\nt:\n\techo value x$(D)y\n", "SHELL = /bin/bash -e\nt:\n\techo value one\n", "SHELL := bash\n.SHELLFLAGS := -eu -o pipefail -c\nt:\n\techo value one\n", ".SHELLFLAGS = -c 'echo value two; eval \"$$0\"'\nt:\n\techo value one\n",
		"VPATH = src\nt: in.x\n\techo value $<\n", "vpath %.x src\nt: in.c in.x\n\techo value $^\n", "VPATH := no:src\nt: in.x\n\techo value $(<D)\n", "VPATH = src\nin.x: ; touch $@\nt: in.x\n\techo value $<\n",
	} {
		try(text)
	}
	if known < 3 {
		t.Errorf("%d of %d lines are known", known, n)
	}
	for _, shell := range []string{"SHELL := python3", "SHELL = node\n.SHELLFLAGS = -e", "SHELL := $(X)", ".SHELLFLAGS = -c 'id; eval \"$$0\"'"} {
		if p := Make(shell+"\nt:\n\tprint('a')\n", onDisk(dir, "t")); p.Problem == "" {
			t.Errorf("%s: %+v", shell, p.Lines)
		}
	}
	for _, goal := range []string{"w", "$(W)", "$(shell echo w)", "$(NONE)"} {
		p := Make(fmt.Sprintf("W = w\n.DEFAULT_GOAL := %s\nt: ; echo t\nw: ; echo w\n", goal), onDisk(dir, ""))
		if goal != "$(NONE)" && !strings.Contains(goal, "shell") && !p.Incomplete && !slices.ContainsFunc(p.Lines, func(l Line) bool { return l.Text == "echo w" }) {
			t.Errorf("%s: %+v", goal, p)
		}
	}
}

// TestMakeQuotes has a shell run what is read of recipes in which a value that is not known stands in quotes: it is the value there, too.
func TestMakeQuotes(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed; .ci/tools installs it")
	}
	dir := t.TempDir()
	for _, recipe := range []string{
		"echo value '$(X)'", `echo value "$(X)" '$(X)/a' b'$(X)'c`, `echo value "it's $(X)" '$(X)'`, `echo value \' '$(X)'`, "echo value '$(L)'", "echo value $(Q)", "echo value '$$X' '$(X)$$'",
	} {
		text := "X := $(shell echo one)\nL = a$(X)\nQ = 'b $(L)'\nt:\n\t" + recipe + "\n"
		_, real := linesOf(t, dir, text)
		for _, line := range Make(text, onDisk(dir, "t")).Lines {
			if !strings.HasPrefix(line.Text, "echo value") {
				continue
			}
			cmd := exec.Command("sh", "-c", line.Text)
			cmd.Env = []string{"longline_unknown=one"}
			out, err := cmd.CombinedOutput()
			if got := strings.Join(strings.Fields(strings.TrimPrefix(string(out), "value")), " "); err != nil || got != real {
				t.Errorf("%s is read as %s, which prints %q; make prints %q", recipe, line.Text, got, real)
			}
		}
	}
}
