package language

import "testing"

// What a program says itself is told from what it only looks for, replaces or prints.
func TestInserts(t *testing.T) {
	for text, want := range map[string]bool{
		`s=open("m.py").read(); open("m.py","w").write(s+"x=1")`:                                         true,
		`s=open("m.py").read(); open("m.py","w").write("x=1")`:                                           true,
		`s=open("m.py").read(); open("m.py","w").write(f"{s}x")`:                                         true,
		"s=open('m.py').read()\ns+='x'\nopen('m.py','w').write(s)":                                       true,
		"new='x'\ns=open('m.py').read()\ns=s[:3]+new+s[3:]\nopen('m.py','w').write(s)":                   true,
		"new=(\n'x'\n'y')\ns=open('m.py').read()\nopen('m.py','w').write(new+s)":                         true,
		"l=open('m.py').readlines()\nl.insert(0,'import os\\n')\nopen('m.py','w').writelines(l)":         true,
		"l=open('m.py').read().split('\\n')\nl.append('x')\nopen('m.py','w').write('\\n'.join(l))":       true,
		"l=['import os']+open('m.py').read().split('\\n')\nopen('m.py','w').write('\\n'.join(l))":        true,
		"from pathlib import Path\np=Path('m.py')\np.write_text(p.read_text()+'x', encoding='utf8')":     true,
		"import textwrap\nt=textwrap.dedent('x')\ns=open('m.py').read()\nopen('m.py','w').write(s+t)":    true,
		"s=open('m.py').read()\nopen('m.py','w').write(s.replace('a','b'))\nprint('done ' + s)":          false,
		"old='a'\nnew='b'\ns=open('m.py').read()\ns=s.replace(old,new)\nopen('m.py','w').write(s)":       false,
		"import re\ns=open('m.py').read()\ns=re.sub('a','b',s)\nopen('m.py','w').write(s)":               false,
		"p='m.py'\ns=open(p).read()\nassert 'x' in s\nopen(p,'w').write(s.replace('x','y'))\nprint(p)":   false,
		"from pathlib import Path\np=Path('m.py')\np.write_text(p.read_text().replace('a','b'), 'utf8')": false,
		"l=open('m.py').read().split('\\n')\ndel l[3]\nopen('m.py','w').write('\\n'.join(l))":            false,
		"print('a'+'b')": false,
	} {
		if d, _ := Read("python", text, nil); d.Inserts != want {
			t.Errorf("%s\n\tinserts is not %v", text, want)
		}
	}
	for text, want := range map[string]bool{
		`const fs=require("fs"); fs.writeFileSync("a.js", fs.readFileSync("a.js","utf8")+"x")`:                                 true,
		`const fs=require("fs"); let s=fs.readFileSync("a.js","utf8"); s += "x"; fs.writeFileSync("a.js", s)`:                  true,
		"const fs=require('fs'); const s=fs.readFileSync('a.js','utf8'); fs.writeFileSync('a.js', `${s}x`)":                    true,
		`const fs=require("fs"); const n="x"; const s=fs.readFileSync("a.js","utf8"); fs.writeFileSync("a.js", n+s)`:           true,
		`const fs=require("fs"); fs.writeFileSync("a.js", fs.readFileSync("a.js","utf8").replace("a","b"))`:                    false,
		`const fs=require("fs"); const s=fs.readFileSync("a.js","utf8"); fs.writeFileSync("a.js", s.replace(/a/,"b"), "utf8")`: false,
	} {
		if d, _ := Read("node", text, nil); d.Inserts != want {
			t.Errorf("%s\n\tinserts is not %v", text, want)
		}
	}
}
