package language

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// mayRun says whether a program may have a text run that it hands to a function.
func (d Deeds) mayRun(command bool) bool {
	return slices.ContainsFunc(d.List, func(x Deed) bool {
		return x.Kind == tool.Execute && x.Perhaps && x.Words == nil && (x.Target != "") == command
	})
}

// TestHandedCode holds that commands and code are found whatever is called, however they are handed to it, and only if they are handed to
// something that is not known.
func TestHandedCode(t *testing.T) {
	for _, text := range []struct {
		text          string
		command, code bool
	}{
		{`"rm -rf data"`, true, false},
		{`"a; rm data"`, true, false},
		{`"import os; os.remove(1)"`, false, true},
		{`"os.system"`, false, true},
		{`"{{ a.__class__ }}"`, false, true},
		{`"data"`, false, false},
		{`"a.csv"`, false, false},
	} {
		for _, c := range handings {
			for i, call := range slices.Concat(c.writes, c.reads, c.knowns) {
				if strings.Contains(call, "print(X)") || strings.Contains(call, "os.path.join(X") {
					continue // they only show it, or it is the beginning of a path
				}
				handed := i < len(c.writes)+len(c.reads)
				code := strings.ReplaceAll(call, "X", text.text)
				if c.lang == "python" {
					code = "import lib\n" + code
				}
				d, _ := Read(c.lang, code, nil)
				if d.mayRun(true) != (handed && text.command) || d.mayRun(false) != (handed && text.code) {
					t.Errorf("%s\n  command %v, code %v (%s; %s)", code, d.mayRun(true), d.mayRun(false), d.show(), d.Problem)
				}
			}
		}
	}
}

// TestCodeInTexts holds which texts are code that reaches out.
func TestCodeInTexts(t *testing.T) {
	for text, want := range map[string]bool{
		"x**2 + sin(y)": false, "a > 1 and b == 'c'": false, "price > @limit": false, "user__name": false, "__main__": false, "src/__init__.py": false, "__init__.py": false, "__tests__/a.test.js": false,
		"Hello {{ name }}": false, "{% for x in items %}{{ x.name | upper }}{% endfor %}": false, "<%= user.name %>": false, "${name}": false, "{{#each rows}}{{this}}{{/each}}": false,
		"os.py": false, "process.json": false, "subprocess.py": false, "src/os.path": false, "a@b.com": false, "import data from the file": false, "open the file": false, "the os is new": false, "google.com": false,
		"__import__('os')": true, "x.__class__": true, "().__class__.__bases__[0]": true, "os.system": true, "os:system": true, "shutil.rmtree": true, "builtins.eval": true, "os.environ": true,
		"a = 1; import os": true, "import os, sys\nprint(1)": true, "from x import y\nimport subprocess as s": true, "open('a', 'w')": true, "f(eval('1'))": true, "process.env.KEY": true, "require('fs')": true,
		"@pd.compat.os": true, "a > @f(1)": true, "{{ config.__class__ }}": true, "{{ x|attr('y') }}": true, "{% include 'a' %}": true, "<% import os %>": true, "${open('x')}": true, "<%= process.env %>": true,
		"!!python/object/apply:os.system [x]": true, "a.constructor('x')": true, ".. include:: .env": true, `{"py/reduce": []}`: true,
	} {
		if got := isCode(text, false); got != want {
			t.Errorf("%q is code: %v, want %v", text, got, want)
		}
	}
	if isCode("{{ config }}", false) || !isCode("{{ config }}", true) {
		t.Error("settings in a template")
	}
}
