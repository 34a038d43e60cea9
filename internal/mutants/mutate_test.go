package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// Every mutant differs from its source in one place, can be read, and has a name of
// its own; what it is made of is found.
func TestMutate(t *testing.T) {
	source := []byte("package p\n\nfunc f(a, b int) bool {\n\tif a == b && a > 0 {\n\t\ta++\n\t\treturn true\n\t}\n\tb = a + 1\n\tprintln(b)\n\treturn false\n}\n\nfunc g() {}\n")
	list, err := mutate("internal/p/p.go", source, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"is `!(a == b && a > 0)`", "`==` is `!=`", "`&&` is `||`", "`>` is `>=`", "`a++` is gone", "`true` is `false`", "`b = a + 1` is gone", "`+` is `-`", "`println(b)` is gone", "`false` is `true`"}
	all := ""
	for _, m := range list {
		all += m.String() + "\n"
		if string(m.text()) == string(source) {
			t.Errorf("%s changes nothing", m)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", m.text(), 0); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
	for _, w := range want {
		if !strings.Contains(all, w) {
			t.Errorf("there is no %s in\n%s", w, all)
		}
	}
	if len(list) != len(want) {
		t.Errorf("%d mutants:\n%s", len(list), all)
	}
	if only, _ := mutate("p.go", source, []string{"g"}); len(only) != 0 {
		t.Errorf("another function is changed: %v", only)
	}
}

// Every part has something to change, and what is explained has a reason.
func TestTargets(t *testing.T) {
	t.Chdir("../..")
	for _, part := range targets {
		if list, err := part.mutants(); err != nil || len(list) < 5 {
			t.Errorf("%s: %d mutants, %v", part.name, len(list), err)
		}
		if len(part.tests) == 0 {
			t.Errorf("no test speaks for %s", part.name)
		}
	}
	for key, why := range explanations(known) {
		if len(why) < 10 || !strings.Contains(key, ": ") {
			t.Errorf("%q is explained by %q", key, why)
		}
	}
}
