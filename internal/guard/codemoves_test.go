package guard_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// Programs that move build/x to build/q, or into it, by language. What follows is put in the place of the mark.
var movingCode = []string{
	`python3 -c "import os, glob; os.rename('build/x', 'build/q')%s"`,
	`python3 -c "import os, glob; os.replace('build/x', 'build/q')%s"`,
	`python3 -c "import os, glob; os.renames('build/x', 'build/q')%s"`,
	`python3 -c "import os, glob; a = 'build/x'; b = os.path.join('build', 'q'); os.rename(a, b)%s"`,
	`python3 -c "import os, glob; os.rename('build/x', 'build/t'); os.rename('build/t', 'build/q')%s"`,
	`python3 -c "import shutil, glob; shutil.move('build/x', 'build/q')%s"`,
	`python3 -c "import shutil, glob; shutil.move('build/x/', 'build/q')%s"`,
	`python3 -c "import os, shutil, glob; os.mkdir('build/q'); shutil.move('build/x', 'build/q')%s"`,
	`python3 -c "import os, shutil, glob; os.mkdir('build/q'); shutil.move('build/x/k', 'build/q/')%s"`,
	`python3 -c "import os, shutil, glob; os.mkdir('build/q'); shutil.copytree('dist', 'build/c'); shutil.move('build/x/k', 'build/q/')%s"`,
	`python3 -c "import os, glob; os.system('mv build/x build/q')%s"`,
	`python3 -c "import subprocess, glob; subprocess.run(['mv', 'build/x', 'build/q'])%s"`,
	`node -e "const fs = require('fs'); fs.renameSync('build/x', 'build/q')%s"`,
	`node -e "const {renameSync} = require('fs'); const fs = require('fs'); renameSync('build/x', 'build/q')%s"`,
	`node -e "const fs = require('fs'); require('child_process').execSync('mv build/x build/q')%s"`,
	`node -e "const fs = require('fs'); fs.renameSync('build/x', 'build/t'); fs.renameSync('build/t', 'build/q')%s"`,
	`awk 'BEGIN { system("mv build/x build/q")%s }'`,
}

// What such a program, or a command behind it, does with the new name.
var movedUses = map[string][]string{
	"python3": {`; print(open('build/q/k').read())`, `; print(open('build/q/x/k').read())`, `; open('build/q/k', 'w').write('new')`, `; open('build/q/d/k', 'a').write('new')`, `
for f in glob.glob('build/q/*'): print(f, open(f).read() if f[-1] == 'k' else '')`, `
for f in glob.glob('build/*/k'): print(open(f).read())`},
	"node": {`; console.log(fs.readFileSync('build/q/k', 'utf8'))`, `; fs.writeFileSync('build/q/k', 'new')`, `; fs.appendFileSync('build/q/d/k', 'new')`, `; fs.copyFileSync('README.md', 'build/q/k')`},
	"awk":  {`; while ((getline l < "build/q/k") > 0) print l`, `; print "new" > "build/q/k"`},
	"":     {`cat build/q/k`, `cat build/q/x/k`, `cat build/q/*`, `echo hi > build/q/k`, `cd build/q; cat */k`, `cat build/q/s/o`, `python3 -c "print(open('build/q/k').read())"`},
}

// copyingCode are programs that copy a file to where a directory is, or a link to one.
var copyingCode = []string{
	`python3 -c "import shutil; shutil.copy('build/a/k', 'dist/a')"`, `python3 -c "import shutil; shutil.copy2('build/a/k', 'dist/a/')"`, `python3 -c "import shutil; shutil.copy(r'build/a/k', './dist/../dist/a/.')"`,
	`python3 -c "import glob, shutil
for f in glob.glob('build/a/*'): shutil.copy(f, 'dist/a')"`, `python3 -c "import glob, shutil
for f in sorted(glob.glob('build/n/b/*')): shutil.copy2(f, 'dist/b')"`, `python3 -c "import shutil
for f in ['build/a/k', 'build/n/b/o']: shutil.copy(f, 'dist/a')"`, `python3 -c "import shutil
for d in ['dist/a', 'dist/b']: shutil.copy('build/a/k', d)"`, `python3 -c "import os, shutil
for n in os.listdir('build/n/b'): shutil.copy(os.path.join('build/n/b', n), 'dist/b')"`,
	`python3 -c "import shutil; from pathlib import Path; shutil.copy(Path('build') / 'a' / 'k', Path('dist/a'))"`, `python3 -c "import shutil; from pathlib import Path
for f in Path('build/a').glob('k'): shutil.copy(f, 'dist/a')"`,
	`node -e "require('fs').copyFileSync('build/a/k', 'dist/a/k')"`, `node -e "require('fs').cpSync('build/a/k', 'dist/a/k')"`, `node -e "require('fs').cpSync('build/a', 'dist/a', {recursive: true})"`,
}

// Code that moves something takes the links along that it is or holds, and a file that it copies into a directory goes through a link
// of its name there. Without a link nobody is asked more than otherwise.
func TestCodeMovesLinks(t *testing.T) {
	runsPrograms(t)
	scripts := copyingCode
	for _, code := range movingCode {
		lang, _, _ := strings.Cut(code, " ")
		for _, use := range movedUses[lang] {
			scripts = append(scripts, fmt.Sprintf(code, use))
		}
		for _, use := range movedUses[""] {
			scripts = append(scripts, fmt.Sprintf(code, "")+"; "+use)
		}
	}
	g := builtin(t)
	dir := filepath.Join(t.TempDir(), "home")
	asked := 0
	for n, script := range scripts {
		places := []string{"dist/a/k", "dist/b/k", "dist/b/o"}
		switch {
		case n < len(copyingCode):
		case strings.Contains(script, "/s/"):
			places = []string{"build/x/s"}
		case strings.Contains(script, "/d/"):
			places = []string{"build/x/d/k"}
		default:
			places = []string{"build/x/k"}
		}
		if sampled() && n%5 != 0 {
			continue
		}
		if plain := judgeOverLink(t, g, dir, script, ""); plain >= tool.Ask && !strings.Contains(script, "listdir") {
			t.Errorf("%s\n\tgot %s without a link", script, plain)
		}
		for _, place := range places {
			if got := judgeOverLink(t, g, dir, script, place); got >= tool.Ask {
				asked++
			} else if runOverLink(t, dir, script) {
				t.Errorf("%s\n\tgot %s, and goes through %s", script, got, place)
			}
		}
	}
	if asked == 0 {
		t.Error("nothing asks")
	}
}
