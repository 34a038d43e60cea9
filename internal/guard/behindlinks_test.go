package guard_test

import (
	"archive/tar"
	"os/exec"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestMovedBehindLinks moves files to places behind links that are on the disk, and deletes something by the path that the link leads to, or
// by another link. The answer is held against what is left.
func TestMovedBehindLinks(t *testing.T) {
	runsPrograms(t)
	held := map[string]string{"d/x.csv": "text of x", "d/y.csv": "text of y", "notes": "text of notes", "build/o": "", "build/sub/o": "", "lb": "-> build", "deep/lb": "-> ../build", "ls": "-> lb/sub", "docs/e": "text of e"}
	moves := []string{
		`mv d lb/`, `mv d lb/new`, `mv notes lb`, `mv notes lb/o`, `mv d/* lb/`, `mv d/*.csv lb/sub`, `mv -t lb d`, `for f in d/*; do mv "$f" lb/; done`, `find d -name '*.csv' -exec mv {} lb/ \;`, `mv d deep/lb/`, `mv d deep/lb/new`, `mv notes ls/`, `mv d ls/new`, `cd deep && mv ../d lb/ && cd ..`,
		`ln -s ../d lb/k`, `ln -s ../../d ls/k`, `ln -sfn "$PWD/d" lb/k`, `mv d docs/`, `cp -r d lb/`, `cp notes lb/`, `mv build/o lb/p`,
	}
	deletions := []string{`rm -rf build`, `rm -rf build/*`, `rm -rf build/new`, `rm -rf build/sub`, `rm -f build/notes build/o`, `rm -rf build/k/*`, `rm -rf build/sub/k/*`, `rm -rf lb/new`, `rm -rf deep/lb/new`, `rm -f build/sub/notes`, `find build -type f -delete`, `rm -rf build/none`}
	for _, move := range moves {
		for _, deletion := range deletions {
			script := move + "; " + deletion
			v, lost := moveFiles(t, held, script)
			asks := v.Decision >= tool.Ask
			if lost && !asks {
				t.Errorf("%s: %s, but a file is lost", script, v.Decision)
			}
			harmless := strings.HasPrefix(move, "cp ") || strings.Contains(move, "docs/") || strings.HasSuffix(deletion, "none") && !strings.Contains(move, "d/*")
			if asks && !lost && harmless && strings.Contains(deletion, " build") {
				t.Errorf("%s: %s (%s), but no file is lost", script, v.Decision, v.Reason)
			}
		}
	}
}

// TestReplacedBehindLinks has real shells move or link files into the output of a build, by its path or by a link on the disk, and delete or
// replace what is there by another one of these names. Where a text is gone afterwards, the answer must be a question.
func TestReplacedBehindLinks(t *testing.T) {
	runsPrograms(t)
	held := map[string]string{
		"d/x.csv": "text of x", "d/y.csv": "text of y", "notes": "text of notes", "draft": "text of draft", "e/notes": "other text of notes", "e/x.csv": "other text of x", "e/k/x.csv": "third text of x",
		"build/o": "", "build/sub/o": "", "build/latest": "-> sub", "lb": "-> build", "cur": "-> build/sub", "dist/in": "-> ../build/sub", "dist/o": "",
	}
	held["a.tar"] = tarOf(t, "notes", "k", "x.csv")
	names := []string{"build/sub", "build/latest", "lb/sub", "lb/latest", "cur", "dist/in"}
	moves := []string{
		`mv notes %s/`, `mv notes %s/k`, `mv d %s/`, `mv d %s/k`, `mv d/* %s/`, `mv -t %s d notes`, `for f in d/*; do mv "$f" %s/; done`, `find d -type f -exec mv {} %s/ \;`, `(cd %s && mv "$OLDPWD/notes" k)`,
		`ln -s "$PWD/d" %s/k`, `ln -s "$PWD/notes" %s/k`, `gzip -c notes > %s/k.gz; mv notes %s/k`, `mv notes n2; mv n2 %s/k`, `mkdir -p %s/k; mv notes %s/k/`,
	}
	losses := []string{
		`rm -rf %s/*`, `rm -rf %s/`, `rm -f %s/k`, `rm -rf %s/k %s/d`, `rm -rf %s/k/*`, `rm -f %s/notes`, `rm -rf %s/[a-z]*`, `find %s/ -type f -delete`, `find -L %s -type f -delete`, `find %s/ -name '*.csv' -exec rm {} +`, `(cd %s && rm -rf ./*)`, `for f in %s/*; do rm -rf "$f"; done`, `for q in %s; do rm -rf "$q"/*; done`,
		`python3 -c 'import os; os.remove("%s/k")'`, `python3 -c 'import shutil; shutil.rmtree("%s/d")'`, `gzip %s/k; rm -f %s/k.gz`, `mv draft %s/k`, `mv -f e/notes %s/`, `mv e/* %s/`, `mv e/x.csv %s/k`, `ln -sf x %s/k`, `ln -sfn x %s/k`, `ln -sf "$PWD/notes" %s/`, `ln -f draft %s/k`, `ln -sf "$PWD"/e/* %s/`,
		`: > %s/k`, `> %s/k`, `truncate -s 0 %s/k`, `truncate -s 0 %s/*`, `cp /dev/null %s/notes`, `for f in %s/*; do echo x > "$f"; done`, `for f in %s/*; do cp draft "$f"; done`, `echo x | tee %s/* > /dev/null`, `cp -r e/. %s/`, `cp e/* %s/`, `find -L %s -type f -exec cp draft {} \;`, `for f in %s/k/*; do echo x > "$f"; done`, `cp -r e/k/. %s/d/`, `cp -r e/k/. %s/k/`, `tar xf a.tar -C %s`, `(cd %s && tar xf "$OLDPWD/a.tar")`, `tar xf a.tar -C %s notes`,
	}
	harmless := []string{`rm -f build/sub/none`, `rm -f build/latest/none`, `rm -rf build/other/*`, `ls %s/`, `cat %s/o`, `mkdir -p %s/new`, `touch %s/new`, `cp draft %s/new`, `mv draft %s/new`, `ln -sf x %s/new`, `echo x > %s/new`, `rm -f build/latest`, `ln -sfn other build/latest`, `tar xf a.tar -C dist`, `cp -r e/k/. build/other2/`, `for f in build/other/*; do echo x > "$f"; done`}
	shells := []string{"bash"}
	if _, err := exec.LookPath("zsh"); err == nil {
		shells = append(shells, "zsh")
	}
	check := func(shell, script string, safe bool) {
		v, lost := moveFilesIn(t, held, script, shell, 0)
		if asks := v.Decision >= tool.Ask; lost && !asks {
			t.Errorf("%s: %s: %s, but a file is lost", shell, script, v.Decision)
		} else if asks && !lost && safe {
			t.Errorf("%s: %s (%s), but no file is lost", script, v.Decision, v.Reason)
		}
	}
	for i, script := range []string{
		`mv d build/sub/; rm -rf build/latest/*`, `mv notes build/sub/; rm -f build/latest/notes`, `mv d build/sub/; for q in build/l*; do rm -rf "$q"/*; done`, `mv d build/sub/; find -L dist -type f -delete`, `mv notes cur/k; rm build/latest/k`, `mv notes build/k; mv draft lb/k`, `mv notes build/; ln -sf "$PWD/notes" build/`, `mv notes build/k; ln -sf x lb/k`,
		`ln -s ../d build/z; for f in build/z/*; do echo x > "$f"; done`, `ln -s ../notes build/z; for f in build/*; do echo x > "$f"; done`, `ln -s ../d build/z; find -L build/z -type f -exec cp draft {} \;`, `ln -s ../notes build/z; echo x | tee build/*`, `mv notes build/x.csv; cp -r e/. lb/`, `mv d build/k; cp -r e/. build/`, `mv notes build/x.csv; cp e/* lb/`,
		`mv notes build/k; for f in build/*; do echo x > "$f"; done`, `mv notes build/x.csv; tar xf a.tar -C lb`, `mv notes build/; tar xf a.tar -C build`, `mkdir build/new; mv notes build/new/; tar xf a.tar -C build/new`,
	} {
		check(shells[i%len(shells)], script, false)
	}
	for _, script := range []string{`mv a.tar build/; cd build && tar xf a.tar`, `mv a.tar build/latest/; tar xf build/latest/a.tar -C build/latest`, `mv draft a.tar build/; cd build && tar xf a.tar`} {
		check("bash", script, true)
	}
	check("bash", `mv notes a.tar build/; cd build && tar xf a.tar`, false)
	n := 0
	try := func(move, then string, safe bool) {
		if n++; n%3 == 0 && !leftOut(n/3) { // by names that change from one to the next
			one, other := names[n/3%len(names)], names[(n/3/len(names)+n)%len(names)]
			check(shells[n/3%len(shells)], strings.ReplaceAll(move, "%s", one)+"; "+strings.ReplaceAll(then, "%s", other), safe)
		}
	}
	for _, move := range moves {
		for _, then := range losses {
			try(move, then, false)
		}
		for _, then := range harmless {
			try(move, then, !strings.Contains(move, "d/*") && !strings.Contains(move, "find d")) // any of these may be meant
		}
	}
	for _, move := range []string{`cp notes %s/k`, `cp -r d %s/`, `mv build/o %s/k`, `mkdir -p %s/k`} {
		for _, then := range losses {
			try(move, then, false)
		}
	}
}

// tarOf is an archive of files that hold their names.
func tarOf(t *testing.T, names ...string) string {
	t.Helper()
	var text strings.Builder
	w := tar.NewWriter(&text)
	for _, name := range names {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(name))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
