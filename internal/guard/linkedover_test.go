package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/tool"
)

// What takes the place of a file that git does not keep asks: a link, an archive, a dump. Where a new file comes to be, or what is
// replaced is a link, an archive or in a commit, nothing is lost.
func TestReplacedByOtherKinds(t *testing.T) {
	set, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	project := filepath.Join(home, "proj")
	for name, text := range map[string]string{
		"README.md": "kept\n", "src/main.go": "package main\n", "notes.md": "mine\n", "config/default.json": "{}\n", "config/local.json": "{\"a\": 1}\n", "dump.sql": "select 1;\n", "old.tgz": "x", "db.sqlite3": "SQLite format 3", "app-backup.db": "SQLite format 3", "data/a.csv": "1\n", "data/b.csv": "2\n", ".gitignore": "config/local.json\n",
	} {
		path := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("default.json", filepath.Join(project, "config/current.json")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "README.md", "src", "config/default.json", ".gitignore"}, {"-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "a"}} {
		if out, err := exec.Command("git", append([]string{"-C", project}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git: %v: %s", err, out)
		}
	}
	g := &guard.Guard{Library: command.Builtin(), Policy: set}
	w := realDisk(g, home, project)
	judge := func(script string) tool.Verdict {
		call := tool.Call{Tool: "Bash", Shell: true, Script: script, Dir: project, Edits: true}
		v, _ := g.Judge(call, w)
		return v
	}
	for _, script := range []string{
		"ln -sf default.json config/local.json", "ln -sfT default.json config/local.json", "ln -sfn default.json config/local.json", "ln -f README.md notes.md", "ln --force -s README.md notes.md", "cd config && ln -sf default.json local.json",
		"tar -cf notes.md src", "tar czf dump.sql data", "tar --create --file=notes.md src", "git archive -o notes.md HEAD", "git archive --output=dump.sql HEAD", "git bundle create dump.sql --all", "git log -p --output=notes.md",
		"python3 -m tarfile -c notes.md src", "python3 -m zipfile -c notes.md src", "cp /dev/null data/*.csv", "cp /dev/null data/a*",
		`sqlite3 a.db ".backup db.sqlite3"`, `sqlite3 :memory: ".save db.sqlite3"`, `sqlite3 a.db ".clone 'db.sqlite3'"`, `sqlite3 a.db ".backup main db.sqlite3"`,
	} {
		if v := judge(script); v.Decision < tool.Ask {
			t.Errorf("%s is %v: %s", script, v.Decision, v.Reason)
		}
	}
	for _, script := range []string{
		"ln -s default.json config/new.json", "ln -sf default.json config/new.json", "ln -sf local.json config/current.json", "ln -sfb default.json config/local.json", "ln -sf README.md docs.md",
		"tar -cf new.tar src", "tar czf old.tgz src", "git archive -o new.tar HEAD", "git archive -o old.tgz HEAD", "git bundle create new.bundle --all", "git log -p --output=changes.patch",
		"python3 -m tarfile -c new.tar src", "cp README.md new.md",
		`sqlite3 db.sqlite3 ".backup new.db"`, `sqlite3 db.sqlite3 ".backup app-backup.db"`,
	} {
		if v := judge(script); v.Decision >= tool.Ask {
			t.Errorf("%s is %v: %s", script, v.Decision, v.Reason)
		}
	}
}
