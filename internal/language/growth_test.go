package language

import (
	"strings"
	"testing"
	"time"

	"longline/internal/bench/cpu"
)

// TestGrowth reads long programs of each construct: reading must not take more
// than a second of a processor for 25 kilobytes, however they are made.
func TestGrowth(t *testing.T) {
	const size = 25_000
	fill := func(head, part, tail string) string {
		return head + strings.Repeat(part, (size-len(head)-len(tail))/len(part)) + tail
	}
	for lang, programs := range map[string][]string{
		"python": {
			fill("f(", "a=1,", ")"), fill("", "(", ""), fill("", "a=a+a\n", ""), fill("[", "x,", "]"), fill("f(", "lambda a:", "1)"), fill("x=", "1+", "1"), fill("", "import a\n", ""),
			fill("import os\n", "os.remove(a+", ""), fill("from pathlib import Path\n", "Path(", ""), fill("from pathlib import Path\np=Path('a')\n", "p/", "p"), fill("case ", "f(a=1,", ""), fill("", "class A:\n def m(self): self.x=1\n", ""),
			fill(`f"`, "{x:{", `"`), fill("import subprocess\nsubprocess.run([", "a,", "])"),
			fill("import l\n", "l.f(", ""), fill("import l\nl.f(", "'a/b',", ")"), fill("import l\nx=l.f()\n", "x.f(x)\n", ""), fill("import l\n", "for a in ['x']: l.f(f'{a}')\n", ""), fill("import l\nl", ".f('a')", ""),
			fill("import l\nl.f([", "x,", "])"), fill("import l\nx=[", "'a',", "]\nl.f(x)"), fill("import dotenv\n", "dotenv.dotenv_values(", ""),
		},
		"node": {
			fill("f(", "a,", ")"), fill("", "(", ""), fill("let ", "a=1,", "b"), fill("", "let a=1;", ""), fill("[", "x,", "]"), fill("", "a[b]", ""), fill("let i=0;", "a[i];", ""), fill("", "x=>", "1"), fill("", "const {a,b}=c;", ""),
			fill("", "`${", ""), fill("", "class A{m(){this.x=1}}", ""), fill("const a: ", "A<", "B"), fill("const a: ", "A|", "B"), fill("", "(a):", ""), fill("", "import a from 'b';", ""), fill("", "type A=B;", ""), fill("", "f<T>(", ""),
			fill("", "a as b ", ""), fill("const f=require('fs');", "f.rmSync(a+", ""),
			fill("", "require('l')(", ""), fill("require('l')(", "'a',", ")"), fill("require('dotenv')", ".config()", ""), fill("const l=require('l');l(", "(a)=>", "1)"), fill("const l=require('l');", "l(function(a){", ""), fill("let l=require('l');", "l=(", ""),
		},
		"sed": {fill("", "1e a\n", ""), fill("", "{", "")},
		"awk": {fill("{", "print a;", "}"), fill("{", "x=ARGV[1];", "}")},
	} {
		for _, program := range programs {
			start := cpu.Used()
			Read(lang, program, nil)
			if took := cpu.Used() - start; took > time.Second {
				t.Errorf("%s: %.40q takes %v", lang, program, took)
			}
		}
	}
	start := cpu.Used()
	for _, part := range []string{"$(", "$(shell ", "$(call shell,", "$(eval ", "x:$(", "$(call x,", "a: b\n", "a%: b%\n", "include a*b\n", "x := $(x)\n", "\t+$(MAKE) $(x)\n", "$(file >", "$(x:a=", "$(wildcard "} {
		for _, head := range []string{"", "x:\n", "x:", "x:\n\t", "define x\n"} {
			Make(fill(head, part, ""), Request{Task: "x", Dry: true})
		}
	}
	if took := cpu.Used() - start; took > time.Second {
		t.Errorf("Makefile: takes %v", took)
	}
}
