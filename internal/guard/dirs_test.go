package guard_test

import (
	"testing"

	"longline/internal/tool"
)

// A directory that a pattern or a list names is one of those on the disk: also that of git, one with secrets in
// it, and one that a file was written in which is run later.
func TestDirsByPattern(t *testing.T) {
	g := builtin(t)
	files := map[string]string{
		project + "/README.md": "", project + "/src/a.c": "", project + "/build/ok.sh": "", project + "/build/deep/b": "",
		project + "/.git/HEAD": "", project + "/.git/config": "", project + "/.git/hooks/pre-commit.sample": "", project + "/.github/workflows/ci.yml": "",
		project + "/packages/app/.env": "", project + "/packages/app/package.json": "", project + "/packages/lib/package.json": "",
		project + "/config/app.yml": "", project + "/config/secrets.yml": "", project + "/deploy/prod/conf/credentials.json": "",
	}
	w := linked(files)
	w.ReadFile = func(path string) ([]byte, error) {
		if path == project+"/build/ok.sh" {
			return []byte("echo hi\n"), nil
		}
		return world().ReadFile(path)
	}
	judge := func(script string) tool.Verdict {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true}, w)
		return v
	}
	for _, script := range []string{
		"cd .g*/h*; mv pre-commit.sample pre-commit", "cd .g* && cd hooks && touch pre-commit", "cd .g*; echo '[core]' >> config", "cd .g*t; cp HEAD config", "pushd .g*/h*; touch pre-commit",
		"cd ./.g*/hooks; touch pre-commit", "cd .[g]it/*s; touch pre-commit", "for d in .g*/*/; do (cd $d; touch pre-commit); done", "cd .git/h* && touch pre-commit", "cd */../.g*/h*; touch pre-commit",
		"for d in $(find . -type d); do (cd $d; mv pre-commit.sample pre-commit); done", "find . -type d | while read -r d; do (cd \"$d\"; touch config); done", "for d in $(ls -d .g*/h*); do (cd $d; touch pre-commit); done",
		"for d in $(find . -name hooks); do (cd $d; touch pre-commit); done", "d=.g*/h*; cd $d; touch pre-commit", "ds=(.g*/*/); cd ${ds[0]}; touch pre-commit", "set -- .g*/h*; cd $1; touch pre-commit",
		"for p in packages/*/; do (cd $p && cat .e*); done", "for p in packages/*; do cd $p; cat .*; cd -; done", "for p in packages/*/; do (cd $p && cat .env); done", "cd packages/a* && head .e*",
		"cd c*; cat *", "cd c* && cat s*", "cd [bc]*; cat *.yml", "for d in */; do (cd $d && cat *.yml); done", "for d in $(find . -type d); do (cd $d && cat *); done", "cd de*/p*; cat */*", "cd de*/*/c*; cat *",
		"for p in $(find packages -type d); do (cd $p && cat .e*); done", "for p in $(ls packages); do (cd packages/$p && cat .e*); done",
		"(cd b*; echo 'rm -rf ../docs' > ok.sh); bash build/ok.sh", "for d in */; do (cd $d; echo 'rm -rf ../docs' > ok.sh); done; bash build/ok.sh", "for d in b*/; do (cd $d; echo 'rm -rf ../docs' | tee ok.sh); done; bash build/ok.sh",
		"(cd b*; cat /tmp/x.sh > ok.sh); . build/ok.sh", "cat /tmp/x.sh | tee b*/ok.sh; . build/ok.sh", "(cd b*; cat /tmp/x.sh > ok.sh); bash build/ok.sh", "(cd build; cat /tmp/x.sh > ok.sh); . build/ok.sh", "cat /tmp/x.sh > build/ok.sh; . ./build/ok.sh", "for d in $(find . -type d); do (cd $d; echo 'rm -rf ../docs' >> ok.sh); done; sh build/ok.sh", "(cd b*; echo 'rm -rf ../../docs' > ok.sh; sh ok.sh)",
		"(cd b*; cd d*; echo 'rm -rf ../docs' > b); bash build/deep/b",
	} {
		if v := judge(script); v.Decision < tool.Ask {
			t.Errorf("%s\n\t%s, want ask", script, v.Decision)
		}
	}
	for _, script := range []string{
		"cd packages/*/ && npm test", "for d in */; do (cd \"$d\" && git status); done", "for p in packages/*/; do (cd $p && cat package.json); done", "for p in packages/*; do (cd $p && cat *); done", "for d in */; do (cd $d && ls -la); done",
		"for d in packages/*; do (cd $d && touch x && rm -rf node_modules); done", "for d in */; do (cd $d && touch x.txt); done",
		"for d in packages/*/; do (cd $d && npm install && npm run build); done", "for d in $(find packages -type d); do (cd $d && ls | wc -l); done",
		"(cd s*; echo ls > x.sh); bash build/ok.sh", "for d in packages/*; do (cd $d && sed -i s/a/b/ package.json); done", "for d in */; do (cd $d && git log -1 && du -sh .); done", "cd de* && ls */",
	} {
		if v := judge(script); v.Decision != tool.Allow {
			t.Errorf("%s\n\t%s (%s), want allow", script, v.Decision, v.Reason)
		}
	}
}

// TestDirsAboveLinks: where no directory is called so by its names, the shell goes to the one that the kernel finds.
func TestDirsAboveLinks(t *testing.T) {
	g, w := builtin(t), linked(map[string]string{project + "/out": "../docs/sub", project + "/src/in": "../lib", project + "/src/a.c": "", project + "/lib/b.c": ""})
	for script, want := range map[string]tool.Decision{
		"cd out/../other && touch f": tool.Ask, "pushd $PWD/out/../other; touch f": tool.Ask, "CDPATH=out/..; cd other && touch f": tool.Ask, "cd out && cd ../other && touch f": tool.Ask,
		"cd src/../lib && touch f": tool.Allow, "cd src/in/.. && touch f": tool.Allow, "cd ./src/../lib/.. && touch f": tool.Allow,
	} {
		if v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true}, w); v.Decision != want {
			t.Errorf("%s: %s (%s), want %s", script, v.Decision, v.Reason, want)
		}
	}
}
