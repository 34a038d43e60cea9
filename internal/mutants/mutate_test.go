package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const sample = `package p

func F(a, b int) bool {
	if a == b && a > 0 {
		a++
		return true
	}
	b = a + 1
	b = b + int(uint8(a)&(1<<(a&3)-1))*0
	for b > 0 {
		b = b - 1
	}
	switch {
	case same(a, b), a >= b:
		panic(a)
	}
	return false
}

func same(a, b int) bool {
	return a == b
}

func G(s string) (t string) {
	const quiet = true
	if t = s + "x"; t != "" || quiet {
		return
	}
	return "y"
}
`

const sampleTest = `package p

import "testing"

func TestF(t *testing.T) {
	if !F(1, 1) || F(-2, 1) {
		t.Error("F")
	}
}
`

// module makes a module of the sample and its tests, and goes there.
func module(t *testing.T) *target {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module longline\n\ngo 1.26\n", "internal/p/p.go": sample, "internal/p/p_test.go": sampleTest} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return &target{name: "p", files: []string{"p/*.go"}, tests: [][]string{{"./internal/p"}}}
}

// Every mutant has a name of its own, what it is made of is found, and each has the
// fate it must have.
func TestFates(t *testing.T) {
	part := module(t)
	b, list, err := newBench(part, t.TempDir(), 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]fate{
		"F: `a == b && a > 0` is `!(a == b && a > 0)`": killed,
		"F: `==` is `!=`":        killed,
		"F: `&&` is `||`":        unnoticed,
		"F: `>` is `>=`":         unnoticed,
		"F: `a++` is gone":       unnoticed,
		"F: `true` is `false`":   killed,
		"F: `b = a + 1` is gone": unnoticed,
		"F: `+` is `-`":          killed,
		"F: `>` is `>=` (2)":     unnoticed,
		"F: `b = b - 1` is gone": unreached,
		"F: `b = b + int(uint8(a)&(1<<(a&3)-1))*0` is gone": unnoticed,
		"F: `+` is `-` (2)":                                  unnoticed,
		"F: `-` is `+`":                                      unnoticed,
		"F: `-` is `+` (2)":                                  unreached,
		"F: `same(a, b)` is `!(same(a, b))`":                 killed,
		"F: `a >= b` is `!(a >= b)`":                         killed,
		"F: `>=` is `>`":                                     unnoticed,
		"F: `panic(a)` is gone":                              unreached,
		"F: `false` is `true`":                               killed,
		"same: `==` is `!=`":                                 killed,
		"G: `t != \"\" || quiet` is `!(t != \"\" || quiet)`": unreached,
		"G: `||` is `&&`":                                    unreached,
		"G: `!=` is `==`":                                    unreached,
		"G: `return` is gone":                                unreached,
	}
	for i, m := range list {
		name := strings.TrimPrefix(m.String(), "p/p.go ")
		f, err := b.try(i + 1)
		if w, ok := want[name]; !ok || f != w || err != nil {
			t.Errorf("%s: %d, not %d, %v", name, f, w, err)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("there is no %s", name)
	}
}

// Only the functions that are meant are changed, and the text can be read.
func TestSomeFunctions(t *testing.T) {
	part := module(t)
	part.funcs = []string{"same"}
	list, texts, err := part.load()
	if err != nil || len(list) != 1 || list[0].fn != "same" || list[0].line != 21 {
		t.Errorf("%v, %v", list, err)
	}
	for path, text := range texts {
		if _, err := parser.ParseFile(token.NewFileSet(), path, text, 0); err != nil {
			t.Error(err)
		}
	}
}

// Every part has something to change, no file is in two or forgotten, and what is
// explained is there and has a reason.
func TestTargets(t *testing.T) {
	t.Chdir("../..")
	there, files := map[string]bool{}, map[string]string{}
	for _, part := range targets {
		list, texts, err := part.load()
		if err != nil || len(list) < 5 {
			t.Errorf("%s: %d mutants, %v", part.name, len(list), err)
		}
		for _, m := range list {
			there[m.String()] = true
		}
		for path := range texts {
			if files[path] != "" {
				t.Errorf("%s is in %s and in %s", path, part.name, files[path])
			}
			files[path] = part.name
		}
		if len(part.tests) == 0 {
			t.Errorf("no test speaks for %s", part.name)
		}
	}
	for name := range left {
		if _, err := os.Stat(filepath.Join("internal", name)); err != nil {
			t.Error(err)
		}
	}
	for key, why := range explanations(known) {
		if len(why) < 10 {
			t.Errorf("%q is explained by %q", key, why)
		}
		if !there[key] {
			t.Errorf("%q is explained, but there is no such mutant", key)
		}
	}
}
