package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// makeLines joins the lines of a makefile.
func makeLines(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// makeCases are makefiles, the words for make, and what make does that matters: it deletes data, or prints a secret; "" if neither.
var makeCases = []struct{ text, words, harm string }{
	// Files that are made before they are included.
	{makeLines("D := build", "build/%.mk:", "\tmkdir -p build; echo D=data > $@", "-include build/dirs.mk", "t:", "\trm -rf $(D)"), "t", "data"},
	{makeLines("gen.mk: paths.conf", "\tcp paths.conf $@", "include gen.mk", "D ?= build", "t:", "\trm -rf $(D)"), "t", "data"},
	{makeLines("D := build", "old.mk: paths.conf", "\tcp paths.conf $@", "include old.mk", "t:", "\trm -rf $(D)"), "t", "data"},
	{makeLines("include plain.mk", "D ?= build", "t:", "\trm -rf $(D)"), "t", ""},
	// Variables that reach another make.
	{makeLines("export D = data", "t: ; $(MAKE) -f sub.mk t"), "t", "data"},
	{makeLines("D = data", "export", "t: ; $(MAKE) -f sub.mk t"), "t", "data"},
	{makeLines("D = data", "export D", "t: ; @$(MAKE) -f sub.mk t"), "t", "data"},
	{makeLines("D = data", ".EXPORT_ALL_VARIABLES:", "t: ; for m in sub.mk; do $(MAKE) -f $$m t; done"), "t", "data"},
	{makeLines("t: export D = data", "t: ; $(MAKE) -f sub.mk t"), "t", "data"},
	{makeLines("t: ; $(MAKE) -f sub.mk t"), "t D=data", "data"},
	{makeLines("D = data", "t: ; $(MAKE) -f sub.mk t"), "t", ""},
	{makeLines("export D = build", "t: ; $(MAKE) -f sub.mk t"), "t", ""},
	{makeLines("export E = data", "export CFLAGS = -O2", "t: ; $(MAKE) -f sub.mk t"), "t", ""},
	{makeLines("export D = data", "t: ; @echo 'now run make -f sub.mk t'"), "t", ""},
	// Names of files that are included.
	{makeLines("include $(CURDIR)/set.inc", "D ?= build", "t: ; rm -rf $(D)"), "t", "data"},
	{makeLines("ROOT := $(shell pwd)", "include $(ROOT)/set.inc", "D ?= build", "t: ; rm -rf $(D)"), "t", "data"},
	{makeLines("include $(dir $(lastword $(MAKEFILE_LIST)))set.inc", "D ?= build", "t: ; rm -rf $(D)"), "t", "data"},
	{makeLines("-include *.inc", "D ?= build", "t: ; rm -rf $(D)"), "t", "data"},
	{makeLines("D ?= build", "t: ; rm -rf $(D)", "include $(wildcard *.inc)"), "t", "data"},
	{makeLines("D ?= build", "-include *.none", "t: ; rm -rf $(D)"), "t", ""},
	// Rules that are made.
	{makeLines(".SECONDEXPANSION:", "t: $$(X)", "X = u", "u: ; rm -rf data"), "t", "data"},
	{makeLines(".EXTRA_PREREQS = u", "t: ; echo", "u: ; rm -rf data"), "t", "data"},
	{makeLines("X = v", "X += u", "t: $(X)", "u: ; rm -rf data", "v: ; echo"), "t", "data"},
	{makeLines("D = build", "t: u", "\trm -rf $(D)", "u:", "\t$(eval D = data)"), "t", "data"},
	// Secrets of settings.
	{makeLines("include .env", "print-%: ; @echo $* = $($*)"), "print-API_KEY", "secret"},
	{makeLines("include .env", "print-%: ; @echo $* = $($*)"), "print-PORT", ""},
	{makeLines("include .env", "print-%:", "\t@printf '%s\\n' \"$($*)\""), "print-API_KEY", "secret"},
	{makeLines("include .env", "V = API_KEY", "t: ; @echo $($(V))"), "t", "secret"},
	{makeLines("include .env", "T = KEY", "t: ; @echo $(API_$(T))"), "t", "secret"},
	{makeLines("include .env", "t: ; @echo $(value API_KEY)"), "t", "secret"},
	{makeLines("include .env", "t: ; @echo $(subst a,b,$(API_KEY))"), "t", "secret"},
	{makeLines("include .env", "t: ; @echo $(patsubst a%,b%,$(API_KEY))"), "t", "secret"},
	{makeLines("include .env", "t: ; @echo $(or $(API_KEY),none)"), "t", "secret"},
	{makeLines("include .env", "t: ; @echo $(if $(API_KEY),set,missing)"), "t", ""},
	{makeLines("include .env", "$(info Using API_KEY=$(API_KEY))", "t: ; @echo"), "t", "secret"},
	{makeLines("include .env", "$(info Using API_KEY=$(API_KEY))", "t: ; @echo"), "-n t", "secret"},
	{makeLines("include .env", "MSG = key $(API_KEY)", "$(warning $(MSG))", "t: ; @echo"), "t", "secret"},
	{makeLines("include .env", "ifdef API_KEY", "$(info have $(API_KEY))", "endif", "t: ; @echo"), "t", "secret"},
	{makeLines("include .env", "$(foreach v,$(.VARIABLES),$(info $(v)=$($(v))))", "t: ; @echo"), "t", "secret"},
	{makeLines("include .env", "say = $(info $(1))", "$(call say,$(API_KEY))", "t: ; @echo"), "t", "secret"},
	{makeLines("include .env", "t: ; @echo $(info $(API_KEY))"), "t", "secret"},
	{makeLines("include .env", "ifndef API_KEY", "$(error API_KEY is not set)", "endif", "$(info port $(PORT))", "t: ; @echo $(PORT)"), "t", ""},
	{makeLines("include .env", "X = $(info $(API_KEY))", "t: ; @echo", "u: ; @echo $(X)"), "t", ""},
	{makeLines("include .env", "need = $(if $(value $1),,$(error $1 is not set))", "t:", "\t@:$(call need,API_KEY)", "\t@echo ok"), "t", ""},
	{makeLines("-include .env", "export", "BUILD := build", "t:", "\trm -rf $(BUILD)", "\techo $(PORT)"), "t", ""},
	{makeLines("include .env", "D ?= build", "t: ; rm -rf $(D)"), "t", ""},
	// What says what there is.
	{makeLines("t: ## Says what there is", "\t@grep -E '^[a-z]+:.*## .*$$' $(MAKEFILE_LIST) | sort"), "t", ""},
	{makeLines("include plain.mk", "t: ## Says what there is", "\t@awk '/^#/' $(firstword $(MAKEFILE_LIST)) $(lastword $(MAKEFILE_LIST))"), "t", ""},
	{makeLines("include .env", "t:", "\t@cat $(MAKEFILE_LIST)"), "t", "secret"},
}

// TestMakesAgree holds the judgement on makefiles against make: what deletes files that nobody can make again, or prints a secret, is
// asked about, and nothing else is.
func TestMakesAgree(t *testing.T) {
	program, err := exec.LookPath("make")
	if err != nil {
		t.Skip("make is not installed; .ci/tools installs it")
	}
	for _, c := range makeCases {
		root := t.TempDir()
		g := builtin(t)
		w := realDisk(g, root, filepath.Join(root, "proj"))
		w.Secret = g.Policy.Secrets(&tool.Call{}, w)
		for name, text := range map[string]string{
			"Makefile": c.text, ".env": "API_KEY=HELDVALUE\nPORT=1\n", "paths.conf": "D = data\n", "set.inc": "D = data\n", "old.mk": "", "new.mk": "D = build\n", "plain.mk": "E = data\n", "a.c": "",
			"sub.mk": "D ?= build\nt: ; rm -rf $(D)\n", "data/x": "x", "build/x": "x",
		} {
			path := filepath.Join(w.Project, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		old := time.Now().Add(-time.Hour)
		for i, name := range []string{"new.mk", "paths.conf", "old.mk"} {
			at := old.Add(-time.Duration(i) * time.Hour)
			if err := os.Chtimes(filepath.Join(w.Project, name), at, at); err != nil {
				t.Fatal(err)
			}
		}
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: "make " + c.words, Shell: true, Edits: true, Attended: true}, w)
		// A Makefile that is not followed is contained, and asked about where nothing contains it.
		if c.harm != "" && v.Decision < tool.Ask || c.harm == "" && v.Decision == tool.Deny {
			t.Errorf("make %s: %s (%s), does %q:\n%s", c.words, v.Decision, v.Reason, c.harm, c.text)
		}
		cmd := exec.Command(program, strings.Fields(c.words)...)
		cmd.Dir, cmd.Env = w.Project, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root}
		out, _ := cmd.CombinedOutput()
		harm := ""
		if _, err := os.Stat(filepath.Join(w.Project, "data/x")); err != nil {
			harm = "data"
		}
		if strings.Contains(string(out), "HELDVALUE") {
			harm = "secret"
		}
		if harm != c.harm {
			t.Errorf("make %s does %q, want %q:\n%s%s", c.words, harm, c.harm, c.text, out)
		}
	}
}
