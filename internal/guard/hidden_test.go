package guard_test

import (
	"io/fs"
	"testing"

	"longline/internal/tool"
)

// Whoever changes all that a search finds changes .git and the settings of agents, too, unless the
// search is told to stay out of there. Both are seen on the disk.
func TestHiddenDirectoriesAreSwept(t *testing.T) {
	g := builtin(t)
	plain := onDisk("README.md", "Makefile", "src/a.c", ".git/config", ".git/HEAD")
	settings := onDisk("README.md", "src/a.c", ".git/config", ".claude/settings.json")
	hooks := onDisk("README.md", "src/a.c", "src/b.sample", ".git/HEAD", ".git/hooks/pre-commit.sample")
	bare := onDisk("README.md", "src/a.c")
	for _, x := range []struct {
		script string
		world  *tool.World
		allow  bool
	}{
		{"find . -type f -exec sed -i s/a/b/ {} +", plain, false},
		{"find . -type f | xargs sed -i s/a/b/", plain, false},
		{"grep -rl a . | xargs sed -i s/a/b/", plain, false},
		{"for f in $(find . -type f); do sed -i s/a/b/ $f; done", plain, false},
		{"find . -type f -exec gzip {} +", plain, false},
		{"find . -name config | xargs sed -i s/a/b/", plain, false},
		{"find . -type f -exec sed -i s/a/b/ {} +", bare, false},
		{"find src -type f -exec sed -i s/a/b/ {} +", plain, true},
		{"find . -name '*.c' -exec sed -i s/a/b/ {} +", plain, true},
		// Which files a list of the whole project names, nobody knows: behind a wall those that configure agents stay.
		{"find . -maxdepth 1 -type f | xargs sed -i s/a/b/", plain, false},
		{"find . -type f -not -path './.git/*' -exec sed -i s/a/b/ {} +", plain, false},
		{"find . -path ./.git -prune -o -type f -exec sed -i s/a/b/ {} +", plain, false},
		{"find . -name .git -prune -o -type f -print | xargs sed -i s/a/b/", plain, false},
		{"grep -rl a --exclude-dir=.git . | xargs sed -i s/a/b/", plain, false},
		{"grep -rl a --include='*.c' . | xargs sed -i s/a/b/", plain, true},
		{"git ls-files | xargs sed -i s/a/b/", plain, false},
		{"git ls-files | xargs sed -i s/a/b/; make", plain, false},
		{"grep -rl a --include='*.c' . | xargs sed -i s/a/b/; make", plain, true},
		{"find . -type f | xargs wc -l", plain, true},
		{"find . -name '*.json' | xargs sed -i s/a/b/", settings, false},
		{"find . -type f -not -path './.git/*' | xargs sed -i s/a/b/", settings, false},
		{"grep -rl a --exclude-dir=.git --exclude-dir=.claude . | xargs sed -i s/a/b/", settings, false},
		{"find . -type f -not -path '*/.*' -exec sed -i s/a/b/ {} +", settings, false},
		// A command that runs where something was found runs in hidden directories, too.
		{"find . -name 'pre-commit.sample' -execdir mv {} pre-commit \\;", hooks, false},
		{"find . -name '*.sample' -execdir cp {} pre-commit \\;", hooks, false},
		{"find . -name HEAD -execdir touch hooks/pre-commit \\;", hooks, false},
		{"find . -name config -execdir sh -c 'echo x >> config' \\;", plain, false},
		{"find . -mindepth 2 -name '*.json' -execdir mv {} settings.local.json \\;", settings, false},
		{"find . -name '*.c' -execdir touch {} \\;", hooks, true},
		{"find . -name HEAD -not -path './.git/*' -execdir touch hooks/pre-commit \\;", hooks, true},
		{"find . -name HEAD -execdir cat {} \\;", hooks, true},
		{"find src -name '*.sample' -execdir mv {} x \\;", hooks, true},
		// A pattern of hidden directories is what it matches.
		{"sed -i s/a/b/ .c*/*", settings, false},
		{"tee -a .g*/* < README.md", plain, false},
		{"for f in .g*/h*/*.sample; do mv $f ${f%.sample}; done", hooks, false},
		{"sed -i s/a/b/ .c*/*", plain, true},
		// What a pattern matches is edited, and then run.
		{"sed -i s/a/b/ Mak*; make", plain, false},
		{"for f in *; do sed -i s/a/b/ $f; done; make", plain, false},
		{"find . -name 'Make*' -exec sed -i s/a/b/ {} +; make", plain, false},
		{"sed -i s/a/b/ *.md; make", plain, true},
		{"sed -i s/a/b/ src/*.c; make", plain, true},
	} {
		call := attended(x.script)
		call.Edits = true
		if v, _ := g.Judge(call, x.world); (v.Decision == tool.Allow) != x.allow {
			t.Errorf("%s: %s (%s)", x.script, v.Decision, v.Reason)
		}
	}
}

// A script that lies on the disk may be one of those that a pattern, a list or a whole directory stands
// for, which the same command has changed before.
func TestChangedAmongOthers(t *testing.T) {
	g := builtin(t)
	w := onDisk("Makefile", "scripts/ok.sh", "q/a")
	w.ReadFile = func(name string) ([]byte, error) {
		if name == project+"/scripts/ok.sh" {
			return []byte("#!/bin/sh\necho ok\n"), nil
		}
		return nil, fs.ErrNotExist
	}
	w.Exists = func(name string) bool { return name == project+"/scripts/ok.sh" }
	for script, allow := range map[string]bool{
		"sh scripts/ok.sh":                                                              true,
		"sed -i s,ok,no, scripts/*; ./scripts/ok.sh":                                    false,
		"sed -i s,ok,no, scripts/*.sh; . scripts/ok.sh":                                 false,
		"git ls-files | xargs sed -i s,ok,no,; bash scripts/ok.sh":                      false,
		"find scripts -type f -exec sed -i s,ok,no, {} +; ./scripts/ok.sh":              false,
		"echo 'rm -rf ../docs' | tee scripts/* > /dev/null; scripts/ok.sh":              false,
		"mkdir q; echo 'rm -rf ../docs' > q/ok.sh; cp -r q/. scripts; sh scripts/ok.sh": false,
		"mkdir q; echo 'rm -rf ../docs' > q/ok.sh; cp q/* scripts; sh scripts/ok.sh":    false,
		"sed -i s,ok,no, *.md; ./scripts/ok.sh":                                         true,
		"sed -i s,ok,no, scripts/*.py; ./scripts/ok.sh":                                 true,
		"grep -rl a src | xargs sed -i s/a/b/; sh scripts/ok.sh":                        true,
		"gofmt -w . && sh scripts/ok.sh":                                                true,
	} {
		call := attended(script)
		call.Edits = true
		if v, _ := g.Judge(call, w); (v.Decision == tool.Allow) != allow {
			t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
		}
	}
}
