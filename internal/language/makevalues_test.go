package language

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// onDisk is a request for a target of a makefile in a directory.
func onDisk(dir, target string) Request {
	at := func(file string) string {
		if filepath.IsAbs(file) {
			return file
		}
		return filepath.Join(dir, file)
	}
	return Request{
		Task: target, Files: []string{"Makefile"}, Dir: dir, Home: dir,
		Load: func(file string) (string, bool) { text, err := os.ReadFile(at(file)); return string(text), err == nil },
		Gone: func(file string) bool { _, err := os.Stat(at(file)); return err != nil },
		List: func(pattern string) (files []string, whole bool) {
			found, err := filepath.Glob(at(pattern))
			for _, f := range found {
				files = append(files, strings.TrimPrefix(f, dir+"/"))
			}
			return files, err == nil
		},
	}
}

// valueIs is what the last command of a plan prints, and what make prints.
func valueIs(t *testing.T, program, dir, text string) (read, real string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := Make(text, onDisk(dir, "t"))
	if p.Incomplete || p.Problem != "" {
		return "$", ""
	}
	for _, line := range p.Lines {
		if strings.HasPrefix(line.Text, "echo value ") {
			read = strings.TrimSpace(strings.TrimPrefix(line.Text, "echo value "))
		}
	}
	cmd := exec.Command(program, "-s", "t")
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	out, _ := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "value "); ok {
			real = strings.TrimSpace(rest)
		}
	}
	switch {
	case strings.Contains(string(out), "No rule to make target"):
		real = read // nothing runs
	case !strings.Contains(string(out), "value"):
		t.Errorf("%q: make says %s", text, out)
	}
	return read, real
}

// TestMakeValues holds values of variables against make: a value that is taken to be known is the one that make has, however the
// files are included that set it, and whether or not make makes them first.
func TestMakeValues(t *testing.T) {
	program, err := exec.LookPath("make")
	if err != nil {
		t.Skip("make is not installed; .ci/tools installs it")
	}
	includes := []string{
		"include q.inc", "-include q.inc", "I = q.inc\ninclude $(I)", "include $(CURDIR)/q.inc", "include $(dir $(lastword $(MAKEFILE_LIST)))q.inc", "include ./q.inc", "-include $(HOME)/q.inc",
		"-include *.inc", "include $(wildcard *.inc)", "TOP := $(abspath .)\ninclude $(TOP)/q.inc", "ROOT := $(shell pwd)\ninclude $(ROOT)/q.inc", "include $(addsuffix .inc,q)", "include $(subst x,q,x.inc)",
		"include $(if $(NONE),no.inc,q.inc)", "include $(or $(NONE),q.inc)", "-include no.inc",
	}
	rules := []struct{ rule, state string }{
		{"", "there"}, {"q.inc: in.conf\n\tcp in.conf q.inc", "fresh"}, {"q.inc: in.conf\n\tcp in.conf q.inc", "stale"}, {"q.inc: in.conf\n\tcp in.conf q.inc", "missing"}, {"%.inc:\n\techo D=four > $@", "missing"},
	}
	before, after := []string{"", "D := one", "D ?= one", "D = one"}, []string{"", "D := three", "D ?= three", "D += three", "ifdef NONE\nD = three\nendif"}
	n, known := 0, 0
	for i, include := range includes {
		for j, r := range rules {
			if r.state == "missing" && strings.Contains(include, "*") {
				continue // then it includes nothing
			}
			dir := t.TempDir()
			for k, b := range before {
				a := after[(i+j+k)%len(after)]
				if b == "" && strings.HasPrefix(a, "ifdef") {
					continue
				}
				old := time.Now().Add(-time.Hour)
				os.Remove(filepath.Join(dir, "q.inc"))
				for name, text := range map[string]string{"in.conf": "D = two\n", "q.inc": "D = two\n"} {
					if name == "q.inc" && r.state == "missing" {
						continue
					}
					if name == "q.inc" && r.state == "stale" {
						text = "D = old\n"
					}
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
					if (name == "q.inc") == (r.state == "stale") {
						if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
							t.Fatal(err)
						}
					}
				}
				text := strings.Join([]string{b, include, a, "t:\n\techo value $(D)", r.rule, ""}, "\n")
				read, real := valueIs(t, program, dir, text)
				n++
				if !strings.Contains(read, "$") {
					known++
				}
				if read != real && !strings.Contains(read, "$") {
					t.Errorf("%s: %q: read as %q, is %q", r.state, text, read, real)
				}
			}
		}
	}
	if known < 6 {
		t.Errorf("%d of %d values are known", known, n)
	}
}

// TestMakeFunctions holds what functions and references give against make.
func TestMakeFunctions(t *testing.T) {
	program, err := exec.LookPath("make")
	if err != nil {
		t.Skip("make is not installed; .ci/tools installs it")
	}
	dir := t.TempDir()
	if err := os.Symlink("..", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{
		"$(realpath link)", "$(abspath link)", "$(realpath ./link/.)", "$(dir a/b c)", "$(notdir a/b c)", "$(basename a.b/c d.e.f)", "$(abspath a/../b)", "$(realpath none)/x", "$(realpath .)", "$(firstword x y)", "$(lastword x y)", "$(subst a,b,banana)", "$(subst a,,a,b)",
		"$(if x,y,z)", "$(if ,y,z)", "$(if $(N),y)", "$(or ,x)", "$(or $(N),x)", "$(and x,y)", "$(and x,,y)", "$(foreach v,a b,_$(v)_)", "$(foreach v,$(L),x$(v)y)", "$(value R)", "$($(V))", "$(L_$(K))", "$(V:o=i)", "$($(V):p=q)",
		"$(call F,a,b)", "$(call F,$(L))", "$(MAKEFILE_LIST)", "$(CURDIR)", "$(words a b)", "$(word 2,a b)", "$(addprefix x,$(L))", "$(patsubst %p,%q,$(L))", "$(filter p,$(L))", "$(sort b a)", "$(wildcard Make*)", "$(strip  a  b )", "$(suffix a.b)", "$(join a,b)", "$(origin L)", "$(info x)y",
	} {
		text := "L = p q\nV = L\nK = k\nL_k = lk\nR = r\nF = $(2)-$(1)\nt:\n\techo value $(X)\nX = " + value + "\n"
		if read, real := valueIs(t, program, dir, text); read != real && !strings.Contains(read, "$") && !strings.ContainsAny(read, "*") && strings.Join(strings.Fields(read), " ") != real {
			t.Errorf("%s is read as %q, is %q", value, read, real)
		}
	}
}
