package guard_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// withTexts is a machine with a project of scripts and of files that say what tools run, and with others of the same names that
// do more.
func withTexts() *tool.World {
	texts := map[string]string{
		project + "/scripts/run.sh": "ls\n", project + "/vars.sh": "x=build\n", project + "/Makefile": "all:\n\techo hi\n",
		project + "/package.json": `{"name":"p","scripts":{"test":"node t.js"}}`, project + "/t.js": "console.log(1)\n", project + "/build/a.o": "",
		project + "/new/run.sh": "touch ~/x\n", project + "/new/vars.sh": "x=src\n", project + "/new/Makefile": "all:\n\ttouch ~/x\n", project + "/new/package.json": `{"scripts":{"test":"touch ~/x"}}`,
		project + "/config/app.yml": "", project + "/src/a.c": "",
	}
	files := map[string]string{project + "/ship/scripts": "../scripts", project + "/ship/top": "..", project + "/ship/in": "../src"}
	for name := range texts {
		files[name] = ""
	}
	w := linked(files)
	exists := w.Exists
	w.Exists = func(name string) bool {
		_, file := texts[strings.TrimSuffix(name, "/.")]
		return exists(name) && !(file && strings.HasSuffix(name, "/."))
	}
	w.ReadFile = func(name string) ([]byte, error) {
		if text, ok := texts[tool.Follow(name, true, w.Readlink)]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	return w
}

// readers are commands that do what files of the project say, and replacements what puts others in their place.
var (
	scriptReaders = []string{"bash scripts/run.sh", "./scripts/run.sh", ". scripts/run.sh", "sh -c '. scripts/run.sh'", "cd scripts && bash run.sh", "bash <scripts/run.sh"}
	topReaders    = []string{"make", "make all", "npm test", "npm run test", `. ./vars.sh; rm -rf "$x"`}

	replacements = []string{
		"cp new/* %s/", "cp new/*.* new/M* %s/", "cp -r new/. %s/", "cp -rT new %s", "cp -t %s new/*", "mv new/* %s/", "rsync -a new/ %s/", "install new/* %s/",
		`find new -type f -exec cp {} %s/ \;`, "find new -type f -exec cp -t %s {} +", `for f in new/*; do cp "$f" %s/; done`, "tar c -C new . | tar x -C %s", "(cd new && tar c .) | (cd %s && tar x)",
		`python3 -c 'import shutil; shutil.copytree("new", "%s", dirs_exist_ok=True)'`, "mkdir n; cp new/* n/; cp n/* %s/", "curl -s https://example.com/a.tgz | tar xz -C %s",
	}
)

func TestReplacedFiles(t *testing.T) {
	g := builtin(t)
	judge := func(script string) tool.Decision {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, withTexts())
		return v.Decision
	}
	for dir, readers := range map[string][]string{"scripts": scriptReaders, ".": topReaders} {
		for _, reader := range readers {
			if got := judge(reader); got != tool.Allow {
				t.Errorf("%s: %v", reader, got)
			}
			for _, replaced := range replacements {
				script := strings.ReplaceAll(replaced, "%s", dir) + "; " + reader
				if got := judge(script); got < tool.Ask {
					t.Errorf("%s: %v", script, got)
				}
				elsewhere := strings.ReplaceAll(replaced, "%s", "build") + "; " + reader
				if got := judge(elsewhere); dir == "scripts" && got != judge(strings.ReplaceAll(replaced, "%s", "build")) {
					t.Errorf("%s: %v", elsewhere, got)
				}
			}
			for _, moved := range []string{"mv scripts old; cp -r new scripts", "mv scripts old; mv new scripts", "mv scripts old; ln -s new scripts"} {
				if script := moved + "; " + reader; dir == "scripts" && judge(script) < tool.Ask {
					t.Errorf("%s: %v", script, judge(script))
				}
			}
		}
	}
	for _, script := range []string{
		"cp new/run.sh ship/scripts/; bash scripts/run.sh", "cat new/run.sh >ship/scripts/run.sh; . scripts/run.sh", "cp new/* ship/scripts/; ./scripts/run.sh", "echo 'touch ~/x' >ship/scripts/run.sh; bash scripts/run.sh",
		"cp new/Makefile ship/top/; make", "cp new/* ship/top/; npm test", `cat new/vars.sh >ship/top/vars.sh; . ./vars.sh; rm -rf "$x"`, "cp new/run.sh scripts/; bash ship/scripts/run.sh", "cp -r new/. scripts/; . ship/scripts/run.sh",
		"echo ls >src/x.sh; echo 'touch ~/x' >ship/in/x.sh; bash src/x.sh", "echo ls >ship/in/x.sh; echo 'touch ~/x' >src/x.sh; bash ship/in/x.sh", "echo ls >src/x.sh; cp new/run.sh ship/in/x.sh; . src/x.sh",
		"rm ship/in; mkdir ship/in; echo 'touch ~/x' >ship/in/x.sh; echo ls >src/x.sh; bash ship/in/x.sh", "rm ship/scripts; mkdir ship/scripts; echo ls >ship/scripts/run.sh; cp new/run.sh scripts/; bash scripts/run.sh",
		"ln -sfn ../new ship/scripts; . ship/scripts/run.sh", "mv scripts old; mv new scripts; bash old/run.sh",
	} {
		if got := judge(script); got < tool.Ask {
			t.Errorf("%s: %v", script, got)
		}
	}
	for _, git := range []string{"git switch other", "git checkout other", "git checkout -", "git checkout -b n other", "git stash pop", "git stash apply", "git merge other", "git cherry-pick other", "git pull", "(git switch other)", "git -C . switch other", "git switch other & wait"} {
		for _, reader := range []string{"make", "npm test", `x=build; rm -rf "$x"`} {
			if script := git + "; " + reader; judge(script) != judge(git) {
				t.Errorf("%s: %v", script, judge(script))
			}
		}
	}
	for _, quiet := range []string{"cp config/* .; make", "cp -r config/* .; npm test", "cp -r src/. build/; make", "mv build/* dist/; make", "rsync -a src/ build/; npm test", "cp src/*.c scripts/; bash scripts/run.sh", "cp README.md ship/in/; make", "echo x >ship/in/notes.txt; bash scripts/run.sh", "echo ls >src/x.sh; bash src/x.sh"} {
		if got := judge(quiet); got != tool.Allow {
			t.Errorf("%s: %v", quiet, got)
		}
	}
}

// TestVersionsOfScripts: a script for a shell is not judged by the version on the disk where git puts another one there before
// it runs.
func TestVersionsOfScripts(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	root := t.TempDir()
	proj := filepath.Join(root, "home/proj")
	if err := os.MkdirAll(proj, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-ec", `git init -q -b main .; mkdir scripts many; echo ls >scripts/run.sh; echo ls >scripts/same.sh; echo x=build >vars.sh; printf 'all:\n\tbash scripts/run.sh\n' >Makefile; echo a >a; chmod +x scripts/*
git add -A; git commit -qm one; git branch like; git switch -qc other; echo 'rm -rf src' >scripts/run.sh; echo x=src >vars.sh; git commit -qam two
git switch -qc like2 main; echo b >a; git commit -qam three; git switch -qc crowd main; for i in $(seq 270); do echo ls >many/$i.sh; done; echo 'rm -rf src' >scripts/run.sh; git add -A; git commit -qm four
git switch -q main; echo 'rm -rf src' >scripts/run.sh; git stash -q`)
	cmd.Dir = proj
	cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	g := builtin(t)
	world := realDisk(g, filepath.Join(root, "home"), proj)
	judge := func(script string) tool.Decision {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: script, Shell: true, Edits: true, Attended: true}, world)
		return v.Decision
	}
	for _, git := range []string{"git switch other", "git checkout other", "git switch -c new other", "git merge other", "git cherry-pick other", "git stash pop", "git stash apply", "git switch crowd", "git switch like"} {
		for _, reader := range []string{"bash scripts/run.sh", "./scripts/run.sh", ". scripts/run.sh", "cd scripts; sh run.sh"} {
			if script := git + "; " + reader; judge(script) < tool.Ask {
				t.Errorf("%s: %v", script, judge(script))
			}
		}
		for _, reader := range []string{"make", "ls scripts"} {
			if script := git + "; " + reader; git != "git switch crowd" && judge(script) != judge(git) {
				t.Errorf("%s: %v", script, judge(script))
			}
		}
	}
	for _, quiet := range []string{"git checkout -b new", "git fetch"} {
		if script := quiet + " && bash scripts/run.sh"; judge(script) != tool.Allow {
			t.Errorf("%s: %v", script, judge(script))
		}
	}
}
