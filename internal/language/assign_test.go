package language

import (
	"strings"
	"testing"
)

// TestAssignments gives things another value in every way that a language has: what
// longline knows of them is no longer true then, and it must notice. T stands for the
// thing and V for the value.
func TestAssignments(t *testing.T) {
	javascript := []string{
		"T = V", "T += V", "T ||= V", "T &&= V", "T ??= V", "(T) = V", "((T)) = V", "[T] = [V]", "[(T)] = [V]", "[[T]] = [[V]]", "[a, T] = [1, V]", "[...T] = [V]", "[T = V] = []",
		"({k: T} = {k: V})", "({k: (T)} = {k: V})", "({k: T = V} = {})", "({k: [T]} = {k: [V]})", "({...T} = {k: V})", "for (T of [V]) a", "for (T in {k: V}) a", "for ([T] of [[V]]) a", "for ({k: T} of [{k: V}]) a",
		"if (a) T = V", "if (a) (T) = V", "a = T = V", "f(T = V)", "() => T = V", "a ? T = V : a", "a && (T = V)", "a, T = V", "{ T = V }", "a\n;[T] = [V]", "T\n= V", "T /* x */ = V",
	}
	things := []struct{ thing, value, before, after string }{
		{"i", `"constructor"`, "let i = 0", "a[i]"},
		{"process.env.GIT_PAGER", `"x"`, "1", "1"},
		{"path.join", `() => "/etc"`, "const path = require('path')", "1"},
		{"process.cwd", `() => "/etc"`, "1", "1"},
		{"console.log", "1", "1", "1"},
	}
	for _, form := range append(javascript, "") { // without an assignment they are followed
		for _, c := range things {
			code := "let a = [1]; const f = x => x; " + c.before + "; " + strings.NewReplacer("T", c.thing, "V", c.value).Replace(form) + "; " + c.after
			if d := nodeDeeds(code); (d.Problem == "") != (form == "") {
				t.Errorf("%s\n  does: %s (%s)", code, d.show(), d.Problem)
			}
		}
	}
	python := []string{
		"T = V", "(T) = V", "[T] = [V]", "T, = [V]", "(T, a) = V, 1", "a, T = 1, V", "[a, (T,)] = 1, [V]", "a = T = V", "for T in [V]: pass", "for a, T in [(1, V)]: pass", "for (T) in [V]: pass", "for [T] in [[V]]: pass",
		"[1 for T in [V]]", "{1 for a, T in [(1, V)]}", "with f(V) as T: pass", "with f(1) as a, f(V) as T: pass", "with f(V) as (T, a): pass", "if a: T = V", "while a: T = V", "try: T = V\nfinally: pass", "a = 1; T = V", "T: int = V", "*T, a = V, 1",
		"def g():\n  T = V", "class K:\n  T = V",
	}
	pythons := []struct{ thing, value, before, after string }{
		{"os.getcwd", "lambda: '/etc'", "", "os.remove(os.getcwd() + '/x')"},
		{"os.path.join", "lambda *b: '/etc/x'", "", "os.remove(os.path.join('x'))"},
		{"os.sep", "'x'", "", "print(1)"},
		{"getcwd", "lambda: '/etc'", "from os import getcwd", "os.remove(getcwd() + '/x')"},
		{"Path", "1", "from pathlib import Path", "print(Path('x').exists())"},
		{"sys.argv", "['', '/etc/x']", "import sys", "print(open(sys.argv[1]).read())"},
	}
	for _, form := range append(python, "") {
		for _, c := range pythons {
			code := "import os\n" + c.before + "\na = 1\ndef f(x): return x\n" + strings.NewReplacer("T", c.thing, "V", c.value).Replace(form) + "\n" + c.after
			if d := pythonDeeds(code, []Arg{{Text: "x", Known: true}}); (d.Problem == "") != (form == "") {
				t.Errorf("%s\n  does: %s (%s)", code, d.show(), d.Problem)
			}
		}
		if form == "" {
			continue
		}
		// A name with two values has no one value.
		code := "import os\na = 1\ndef f(x): return x\nname = 'x'\n" + strings.NewReplacer("T", "name", "V", "'/etc/x'").Replace(form) + "\nos.remove(name)"
		if d := pythonDeeds(code, nil); d.Problem == "" && !strings.Contains(d.show(), "?") && !strings.Contains(d.show(), "/etc/x") {
			t.Errorf("%s\n  only does: %s", code, d.show())
		}
		// A variable of the environment that a command sees is noted, or the program is not followed.
		code = "import os, subprocess\na = 1\ndef f(x): return x\n" + strings.NewReplacer("T", "os.environ['GIT_PAGER']", "V", "'/etc/x'").Replace(form) + "\nsubprocess.run(['git', 'log'])"
		if d := pythonDeeds(code, nil); d.Problem == "" && len(d.Sets) == 0 {
			t.Errorf("%s\n  sets nothing", code)
		}
	}
}
