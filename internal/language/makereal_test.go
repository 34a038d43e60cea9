package language

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// makefiles are definitions in which the target t, or what make does before it, makes files
// with names of the form ran-X. dry and real are those that make makes with and without -n.
var makefiles = []struct{ text, dry, real string }{
	{"t:\n\ttouch ran-a\n\t@echo\n", "", "a"},
	{"t: u\n\techo\nu:\n\t@touch ran-a\n", "", "a"},
	{"t:\n\t+touch ran-a\n\t+@touch ran-b\n\t@+touch ran-c\n\t-+touch ran-d\n\t - touch ran-e\n", "a b c d", "a b c d e"},
	{"P = +\nt:\n\t$(P)touch ran-a\n", "a", "a"},
	{"Q = @\nt:\n\t$(Q)touch ran-a\n", "", "a"},
	{"Q = @\nifdef V\nQ =\nendif\nt:\n\t$(Q)touch ran-a\n", "", "a"},
	{"t:\n\t$(Q)touch ran-a\n", "", "a"},
	{"define R\n@touch ran-a\n+touch ran-b\nendef\nt:\n\t$(R)\n", "b", "a b"},
	{"t:\n\t$(MAKE) -v >/dev/null; touch ran-a\n\ttouch ran-b\n", "a", "a b"},
	{"t:\n\t${MAKE} -v >/dev/null && touch ran-a\n", "a", "a"},
	{"t: $(shell touch ran-a)\n\techo\n", "a", "a"},
	{"t: X := $(shell touch ran-a)\nt:\n\techo\n", "a", "a"},
	{"t: X != touch ran-a\nt:\n\techo\n", "a", "a"},
	{"X != touch ran-a\nt:\n\techo\n", "a", "a"},
	{"t:\n\t#$(shell touch ran-a)\n\t@# ${shell touch ran-b}\n\techo $(or ,$(shell touch ran-c))\n", "a b c", "a b c"},
	{"t:\n\techo\nu:\n\techo $(shell touch ran-a)\n", "", ""},
	{"ifeq ($(shell touch ran-a),)\nendif\nt:\n\techo\n", "a", "a"},
	{"-include $(shell touch ran-a)\nt:\n\techo\n", "a", "a"},
	{"X := $(call shell,touch ran-a)\nt:\n\techo\n", "a", "a"},
	{"X := $(shell echo '#'; touch ran-a)\nt:\n\techo\n", "a", "a"},
	{"X := \\# $(shell touch ran-a)\nt:\n\techo\n", "a", "a"},
	{"X := $(shell echo {; touch ran-a)\nt:\n\techo\n", "a", "a"},
	{"X := $(file >ran-a,x)\nt:\n\techo\n", "a", "a"},
	{"$(info $(shell touch ran-a))\n# $(shell touch ran-b)\nt:\n\techo\n", "a", "a"},
	{"$(eval t:; touch ran-a)\n", "", "a"},
	{"define R\n$(1):\n\ttouch ran-$(2)\nendef\n$(eval $(call R,t,a))\n", "", "a"},
	{"-include .depend\nt:\n\techo\n.depend:\n\ttouch ran-a .depend\n", "a", "a"},
	{"include gen.mk\ngen.mk: other\n\ttouch ran-a gen.mk\nother:\n\ttouch ran-b other\nt:\n\techo\n", "a b", "a b"},
	{"DEPS = a.d\n-include $(DEPS)\nt:\n\techo\n%.d:\n\ttouch ran-a $@\n", "a", "a"},
	{"SRC := a.c b.c\n-include $(SRC:.c=.d)\nt:\n\techo\n%.d:\n\ttouch ran-a $@\n", "a", "a"},
	{"-include $(patsubst %.c,%.d,$(shell echo a.c))\nt:\n\techo\n%.d:\n\ttouch ran-a $@\n", "a", "a"},
	{"t:\n\techo\nMakefile: x\n\t+touch ran-a\nx:\n", "a", "a"},
	{"t: a.o\n%.o:\n\ttouch ran-a\n", "", "a"},
	{"%:\n\ttouch ran-a\n", "", "a"},
	{".DEFAULT:\n\ttouch ran-a\n", "", "a"},
	{".RECIPEPREFIX = >\nt:\n>touch ran-a\n", "", "a"},
	{".ONESHELL:\nt:\n\tmkdir -p d\n\tcd d\n\ttouch ../ran-a\n", "", "a"},
	{"t: ; touch ran-a\n", "", "a"},
	{"include sub.mk\nt: u\n", "", "s"},
	{"define T\nc-$(1): ; touch ran-$(1)\nt: c-$(1)\nendef\n$(foreach d,a b,$(eval $(call T,$(d))))\n", "", "a b"},
	{"MODS = a b\ndefine T\n$(1)-c:\n\ttouch ran-$(1)\nendef\n$(foreach m,${MODS},$(eval $(call T,$m)))\nt: $(addsuffix -c,$(MODS))\n", "", "a b"},
	{"define R\nt::\n\ttouch ran-a\nendef\n$(eval $(value R))\nt:: ; touch ran-b\n", "", "a b"},
	{"add = $(eval t: $(1))\n$(call add,u)\nu: ; touch ran-a\nv: ; touch ran-b\n", "", "a"},
	{".SECONDEXPANSION:\nt: $$(X)\nX = u\nu: ; touch ran-a\nv: ; touch ran-b\n", "", "a"},
	{".SECONDEXPANSION:\nt: $$(X_$$@)\nX_t = u\nu: ; touch ran-a\n", "", "a"},
	{".EXTRA_PREREQS = u\nt: ; echo\nu: ; touch ran-a\n", "", "a"},
	{"t: .EXTRA_PREREQS = u\nt: ; echo\nu: ; touch ran-a\nv: ; touch ran-b\n", "", "a"},
	{"X = u\nX += v\nt: $(X)\nu: ; touch ran-a\nv: ; touch ran-b\n", "", "a b"},
	{"t: ; echo\nu: ; $(shell touch ran-a)\n", "", ""},
	{"include $(CURDIR)/sub.mk\nt: u\n", "", "s"},
	{"include $(dir $(lastword $(MAKEFILE_LIST)))sub.mk\nt: u\n", "", "s"},
	{"TOP := $(abspath $(dir $(lastword $(MAKEFILE_LIST))))\ninclude $(TOP)/sub.mk\nt: u\n", "", "s"},
	{"-include $(wildcard s*.mk)\nt: u\n", "", "s"},
	{"-include $(HOME)/sub.mk\nt: u\n", "", "s"},
}

// TestMakeAgrees holds what is read of a Makefile against make: whatever it runs is in the
// plan, and what it only prints is not.
func TestMakeAgrees(t *testing.T) {
	program, err := exec.LookPath("make")
	if err != nil {
		program = ""
	}
	unread := 0
	for _, m := range makefiles {
		for _, dry := range []bool{false, true} {
			want := m.real
			if dry {
				want = m.dry
			}
			sub := "u:\n\ttouch ran-s\n"
			p := Make(m.text, Request{
				Task: "t", Files: []string{"Makefile"}, Dry: dry, Dir: "/d", Home: "/d",
				Load: func(file string) (string, bool) {
					return sub, path.Join("/d", file) == "/d/sub.mk" || path.Clean(file) == "/d/sub.mk"
				},
				List: func(pattern string) ([]string, bool) { return []string{"sub.mk"}, true },
			})
			var all []string
			for _, line := range p.Lines {
				all = append(all, line.Text)
			}
			if p.Problem != "" || p.Incomplete {
				unread++
				continue
			}
			for _, name := range []string{"a", "b", "c", "d", "e", "s"} {
				// What only a variable of a target or of nobody is given may be in it, too.
				if read := strings.Contains(strings.Join(all, "\n"), "ran-"+name); HasWord(want, name) && !read || read && want == "" && dry && !strings.Contains(m.text, "$(") {
					t.Errorf("%q, rehearsal %v: ran-%s in %q; want %q", m.text, dry, name, all, want)
				}
			}
			if program == "" || dry && strings.Contains(m.text, "sub.mk") {
				continue
			}
			if got := madeBy(t, program, m.text, sub, dry); got != want {
				t.Errorf("%q, rehearsal %v: make makes %q; want %q", m.text, dry, got, want)
			}
		}
	}
	if unread > len(makefiles) {
		t.Errorf("%d of %d are not read", unread, 2*len(makefiles))
	}
}

// madeBy lists the files of the form ran-X that make makes.
func madeBy(t *testing.T, program, text, sub string, dry bool) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"Makefile": text, "sub.mk": sub} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"-s", "t"}
	if dry {
		args = []string{"-n", "t"}
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	if out, err := cmd.CombinedOutput(); err != nil && strings.Contains(string(out), "missing separator") {
		t.Errorf("%q: %s", text, out)
	}
	made, err := filepath.Glob(filepath.Join(dir, "ran-*"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range made {
		names = append(names, strings.TrimPrefix(filepath.Base(name), "ran-"))
	}
	return strings.Join(names, " ")
}
