package guard_test

import "testing"

// TestQuestionsThatAreAnswered has real shells copy, move and link with a question before anything is replaced, and answer it or not.
func TestQuestionsThatAreAnswered(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; mkdir backup docs; for n in 1 2; do echo mine $n >$n.txt; echo other $n >backup/$n.txt; echo doc $n >docs/$n.txt; done; git add docs; git commit -qm one`)
	for _, shell := range bothShells() {
		l.shell = shell
		for _, script := range []string{
			"yes | cp -i backup/* .", "yes | cp -ri backup/. .", "yes | mv -i backup/* .", "yes | ln -si backup/1.txt 1.txt", "yes | ln -i backup/1.txt 1.txt", "yes | ln -si $PWD/backup/* .", "echo y | cp -i backup/* .", `printf 'y\ny\n' | cp -i backup/*.txt .`, `cp -i backup/* . <<< $'Yes\nn'`, "mv --interactive backup/* . < <(yes)", `for f in backup/*; do yes | cp -i "$f" .; done`,
			`find backup -type f -exec sh -c 'yes | cp -i "$1" .' _ {} \;`, "{ echo n; echo y; } | cp -i backup/* .", "yes | cp -n -i backup/* .", "yes | cp -f -i backup/* .",
			"cp -i backup/* .", "cp -ri backup/* .", "mv -i backup/* .", "ln -si backup/1.txt 1.txt", "cp -i backup/* . </dev/null", "echo n | cp -i backup/* .", `printf 'n\nno\n' | mv -i backup/* .`, "yes | cp -i backup/* docs/", "yes | cp -bi backup/* .", "yes | cp -n backup/* .", "yes | mv -n backup/* .", "yes | cp -i backup/* backup/../docs", "mkdir new; yes | mv -i backup/* new/",
		} {
			lost := len(l.loses(script)) > 0
			if asks, why := l.asks(script); asks != lost {
				t.Errorf("%s: %s: asked: %t (%s), lost: %t", shell, script, asks, why, lost)
			}
		}
	}
}
