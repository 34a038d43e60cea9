package guard_test

import "testing"

// TestSiftedLists moves, copies and reads the files of lists that some are left out of: by their depth, their paths, or by grep. Whether a
// file is lost depends on which these are.
func TestSiftedLists(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; mkdir -p docs drafts build other lib/p data/a data/b data/c/d; echo build > .gitignore; for f in docs/a.md README.md lib/p/README.md; do echo one $f > $f; done; git add -A; git commit -qm one
echo idea > drafts/idea.md; echo todo > TODO.txt; echo b > other/todo.txt; echo c > other/xy.txt; echo 1 > data/a/one.csv; echo 2 > data/b/one.csv; echo 3 > data/c/d/two.csv; echo 4 > data/a/only.csv`)
	scripts := map[string]bool{}
	for _, list := range []string{
		"-mindepth 2 -name '*.csv'", "-name '*.csv' -not -path '*/tmp/*'", "-name '*.csv' -not -path 'data/b/*'", "-name '*.csv' ! -path '*/a/*'", "-mindepth 3 -name '*.csv'", "-maxdepth 2 -name '*.csv'", "-maxdepth 1 -name '*.csv'", "-name 'on*' -not -name 'one*'",
		"-path data/b -prune -o -name '*.csv' -print", "-path data/c -prune -o -name '*.csv' -print", `\( -path data/b -o -name c \) -prune -o -name '*.csv' -print`, `\( -path data/c -o -name d \) -prune -o -name '*.csv' -print`, "-name b -prune -o -type f -print", "-name '*.csv' -print -not -path 'data/b/*'",
		"-type f -ipath '*/A/*'", `-type f \( -path 'data/a/*' -o -path 'data/b/*' \)`, "-type f -depth -not -path 'data/b/one*'", "-depth -path data/b -prune -o -type f -print",
		"-mindepth 2 -name '*.csv' -prune", "-name '*.csv' -prune -print", "-name 'one.csv' -prune -o -name 'o*.csv'", "-name 'one.csv' -prune -print -o -path data/c -prune", "-name a -prune -o -name b -prune -o -name '*.csv' -print", "-path data/b -prune -o -name c -prune -o -name '*.csv' -print",
		"-name '*.csv' | grep -v x", "-name '*.csv' | grep -v '/b/'", "-name '*.csv' | grep -vE '^data/b/|^data/c'", "-name '*.csv' | grep two", "-name '*.csv' | grep csv", "-name '*.csv' | grep '[at]/o'", "-name '*.csv' | grep -i A/", "-name '*.csv' | grep 'y.csv$'", "-name '*.csv' | grep -v 'b.one'", "-name '*.csv' | head -1", "-name '*.csv' | grep one | head -n 1",
	} {
		unsure := list == "-name '*.csv' | grep '[at]/o'" // which grep leaves out
		scripts["find data "+list+" | xargs -I{} mv {} data/"] = unsure
		scripts["find data "+list+" | xargs -I{} mv {} other/"] = unsure
	}
	for _, list := range []string{"-not -name 'x*'", "-not -path 'other/x*'", "-not -path 'other/t*'", "-mindepth 2", "-maxdepth 1", "| grep -v xy", "| grep -v todo"} {
		scripts["mv TODO.txt build/todo.txt; find other -name '*.txt' "+list+" | xargs -I{} cp {} build/"] = false
	}
	l.check(scripts)
	for list, reads := range map[string]bool{
		"-not -path './lib/*' -name '*.md'": true, "-not -path './drafts/*' -name '*.md'": false, "-not -path '*/drafts/*' -name '*.md'": false, "-name '*.md' -path ./drafts -prune -o -name '*.md' -print": true, "-path ./drafts -prune -o -name '*.md' -print": false, "-path ./lib -prune -o -name '*.md' -print": true, "-maxdepth 1 -name '*.md'": false, "-maxdepth 2 -name '*.md'": true,
		"-name '*.md' | grep -v drafts": false, "-name '*.md' | grep -v lib": true, "-name '*.md' | grep drafts": true, "-name '*.md' | grep -v '^./drafts/'": false, "-newer README.md -name '*.md'": true, "-name '*.md' | head -1": true, "-name '*.md' -not -path './drafts/*' | head -1": false,
	} {
		script := "find . " + list + " | xargs cat > drafts/idea.md"
		if asks, why := l.asks(script); asks != reads {
			t.Errorf("%s: asked: %t (%s)", script, asks, why)
		}
	}
}
