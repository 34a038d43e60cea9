package guard_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// TestCodeThatEmpties runs programs that open a file to write it anew, and holds the answer against what is left: what leaves nothing of
// the lines that were there, though the program reads them or writes nothing, is a deletion.
func TestCodeThatEmpties(t *testing.T) {
	runsPrograms(t)
	python := []string{
		"open('f','w').write(open('f').read())", "open('f', mode='w').write(open('f').read().upper())", "s = open('f').read(); open('f','w').write(s)", "open('f','a').write(open('f').read())", "open('f','r+').write(open('f').read())", "open('g','w').write(open('f').read())",
		"with open('f','w') as o:\n  for l in open('f'):\n    o.write(l)", "with open('f','w') as o: o.write(open('f').read())", "with open('f') as i, open('f','w') as o:\n  o.write(i.read())", "with open('f') as i, open('g','w') as o:\n  o.write(i.read())",
		"with open('f') as i:\n  s = i.read()\nwith open('f','w') as o:\n  o.write(s)", "with open('f') as i:\n  s = i.read()\n  with open('f','w') as o:\n    o.write(s)", "o = open('f','w'); o.write(open('f').read()); o.close()", "s = open('f').read(); o = open('f','w'); o.write(s); o.close(); print(open('f').read())",
		"if True:\n  with open('g','w') as o:\n    o.write('x')\n  print(open('g').read())", "if True:\n  with open('f','w') as o:\n\n    # what was there\n    o.write(open('f').read())\n",
		"from pathlib import Path\np = Path('f')\nwith p.open('w') as o:\n  o.write(p.read_text())", "from pathlib import Path\np = Path('f')\np.write_text(p.read_text())", "import json\nd = [open('f').read()]\nwith open('f','w') as o:\n  json.dump(d, o)", "import glob\nfor n in glob.glob('?'):\n  open(n,'w').write(open(n).read())", "import glob\nfor n in glob.glob('?'):\n  s = open(n).read()\n  open(n,'w').write(s)",
		"open('f','w').close()", "open('f','w')", "open('f','a').close()", "open('f','w').write('')", "open('f','wb').write(b'')", "with open('f','w') as o:\n  pass", "with open('f','w'): pass", "import os; os.truncate('f', 0)", "import os; os.truncate('f', 900)", "from pathlib import Path; Path('f').write_text('')", "open('f','r+').truncate()", "open('f','r+').truncate(0)", "o = open('f','r+'); o.truncate(0)", "import os; os.ftruncate(os.open('f', os.O_RDWR), 0)", "from pathlib import Path; Path('f').write_bytes(b'')", "open('new','w').close()", "open('empty','w').close()",
	}
	for _, mode := range []string{"w+", "wb+", "w", "r+", "a+"} {
		for _, use := range []string{"s = f.read(); f.write(s)", "d = json.load(f); json.dump(d, f)", "f.writelines(f.readlines())", "f.close()", "s = [l for l in f]; f.write(str(s))", "s = list(f); f.writelines(s)", "f.write('one'); f.seek(0); print(f.read())", "json.dump(['one'], f)", "print('one', file=f)", "import csv; csv.writer(f).writerow(['one'])"} {
			if mode == "r+" && strings.Contains(use, "'one'") || mode == "wb+" && (strings.Contains(use, "'one'") || !strings.Contains(use, "f.read()") && use != "f.close()") {
				continue // they are edits
			}
			python = append(python, "import json\nf = open('f','"+mode+"')\n"+use, "import json\nwith open('f', '"+mode+"') as f:\n  "+use)
		}
	}
	python = append(python, "from pathlib import Path; s = Path('f').open('w+').read()", "open('f','w+').readlines()", "from pathlib import Path\nf = Path('f').open('w+')\ns = f.read()\nf.write(s)", "from pathlib import Path\nwith Path('f').open('w') as f:\n  f.write('one')")
	// A file is opened to read, emptied, and read; or it is emptied, and not read any more.
	opens := []string{"%s = open('f')", "%s = open('f', encoding='utf-8')", "x, %s = 1, open('f')", "from pathlib import Path; %s = Path('f').open()", "from pathlib import Path; q = Path('f'); %s = q.open()", "print(%s := open('f'))"}
	wraps := []string{"r = f", "import csv; r = csv.reader(f)", "r = map(str.strip, f)", "r = (l for l in f)", "r = enumerate(f)", "import itertools; r = itertools.chain(f)", "r = list(f)", "r = [l for l in f]", "r = f.readlines()", "r = sorted(f)", "r = f.read().splitlines()", "r = [l for l in map(str.upper, f)]"}
	reads := []string{"o.write(str(list(r)))", "o.write(''.join(str(l) for l in r))", "for l in r: o.write(str(l))", "o.writelines(str(l) for l in r)", "import json; json.dump([str(l) for l in r], o)", "while l := next(iter(r), None):\n  o.write(str(l))\n  break"}
	for _, open := range opens {
		for _, wrap := range wraps {
			for k, read := range reads {
				if (k+len(wrap)+len(open))%7 == 0 {
					python = append(python, strings.ReplaceAll(open, "%s", "f")+"\n"+wrap+"\no = open('f','w')\n"+read+"\no.close()")
				}
			}
		}
	}
	for _, read := range []string{"o.write(i.read())", "for l in i: o.write(l)", "o.write(''.join(i.readlines()))", "o.writelines(i)", "import json; json.dump(i.readline(), o)", "import csv\n    for row in csv.reader(i): o.write(str(row))"} {
		python = append(
			python, "with open('f') as i:\n  with open('f','w') as o:\n    "+read, "with open('f') as i:\n  with open('g','w') as o:\n    "+read, "n = 'f'\nwith open(n) as i:\n  with open(n,'w') as o:\n    "+read,
			"i = open('f')\nwith open('f','w') as o:\n    "+read, "o = open('g','w')\ni = open('f')\nif 1:\n    "+read, "with open('f') as i:\n  if 1:\n    o = open('g','w')\n    "+read+"\ns = open('f').read()\nwith open('f','w') as i: i.write(s)",
		)
	}
	python = append(
		python, "for l in open('f'):\n  open('f','w').write(l * 0)", "with open('f') as f: s = f.read()\nwith open('f','w') as f: f.write(s)", "f = open('f'); s = f.read(); o = open('f','w'); o.write(s); f.close()", "def save(f, s): f.write(s)\nf = open('f'); s = f.read()\nwith open('f','w') as o: save(o, s)",
		"def rows(f):\n  for l in f: yield l\nr = rows(open('f'))\no = open('f','w')\nfor l in r: o.write(l)", "import json\nwith open('f') as f:\n  s = list(f)\n  with open('f','w') as o: json.dump(s, o)\n  print(f.name)", "f = open('f')\nlines = f.readlines()\nf.close()\nf = open('f','w')\nf.writelines(lines)\nf.close()",
	)
	node := []string{
		"const r = fs.createReadStream('f'); const o = fs.createWriteStream('f'); r.pipe(o)", "const o = fs.createWriteStream('f'); fs.createReadStream('f').pipe(o)", "const fd = fs.openSync('f', 'r'); const o = fs.openSync('f', 'w'); fs.writeSync(o, fs.readFileSync(fd))",
		"fs.createReadStream('f').pipe(fs.createWriteStream('f'))", "const o = fs.createWriteStream('f'); o.on('open', () => o.write(fs.readFileSync('f')))", "const s = fs.readFileSync('f'); fs.createWriteStream('f').write(s)", "fs.createReadStream('f').pipe(fs.createWriteStream('g'))",
		"fs.createWriteStream('f').end()", "fs.createWriteStream('g').end()", "fs.createWriteStream('f', {flags: 'a'}).end()",
		"fs.writeFileSync('f', fs.readFileSync('f'))", "fs.writeFileSync('f', '')", "fs.writeFileSync('new', '')", "fs.truncateSync('f')", "fs.truncateSync('f', 0)", "fs.truncateSync('f', 900)",
	}
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, root, filepath.Join(root, "proj"))
	if err := os.MkdirAll(w.Project, 0o755); err != nil {
		t.Fatal(err)
	}
	hold := func(program, flag, code string) {
		for name, text := range map[string]string{"f": "one\ntwo\n", "g": "", "empty": ""} {
			if err := os.WriteFile(filepath.Join(w.Project, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		script := program + " " + flag + ` "` + code + `"`
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, program, flag, code)
		cmd.Dir = w.Project
		_ = cmd.Run()
		text, err := os.ReadFile(filepath.Join(w.Project, "f"))
		lost := err == nil && !strings.Contains(strings.ToLower(string(text)), "one")
		races := strings.HasPrefix(code, "fs.createReadStream('f').pipe(fs.createWriteStream('f'") // it is read at the time that it is emptied
		if asks := v.Decision >= tool.Ask; asks != lost && !(asks && races) {
			t.Errorf("%s: %s (%s), lost: %t", script, v.Decision, v.Reason, lost)
		}
		_ = os.Remove(filepath.Join(w.Project, "new"))
	}
	if _, err := exec.LookPath("python3"); err == nil {
		for i, code := range python {
			if sampled() && i%4 != 0 {
				continue
			}
			hold("python3", "-c", code)
		}
	}
	if _, err := exec.LookPath("node"); err == nil {
		for _, code := range node {
			hold("node", "-e", "const fs = require('fs'); "+code)
		}
	}
}
