package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// A repository that the script itself begins where there was none has git's own settings, unless something else was put there.
func TestScratchRepositories(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "proj")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	at, err := os.MkdirTemp("/tmp", "scratchrepo")
	if err != nil {
		t.Skip(err)
	}
	defer os.RemoveAll(at)
	if err := os.MkdirAll(at+"/old/.git", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at+"/old/.git/config", []byte("[core]\n\tpager = ./x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	g := builtin(t)
	w := realDisk(g, home, project)
	for _, c := range []struct {
		script string
		asks   bool
	}{
		{"mkdir -p AT/new && cd AT/new && git init && git add -A && git commit -m x", false},
		{"mkdir -p AT/new && cd AT/new && git init -q -b main && echo x > f && git add f && git commit -qm x && git log --oneline && git status", false},
		{"rm -rf AT/new && mkdir AT/new && cd AT/new && git init -q && git diff", false},
		{"git init -q AT/new && cd AT/new && git commit -q --allow-empty -m x && git tag v1 && git log", false},
		{`cd "$(mktemp -d)" && git init && git commit --allow-empty -m x`, false},
		{`tmp=$(mktemp -d) && cd "$tmp" && git init -q && echo a > f && git add f && git commit -qm x && git show`, false},
		{`d=$(mktemp -d); git -C "$d" init -q; git -C "$d" commit -q --allow-empty -m x; git -C "$d" log`, false},

		{"cd AT/old && git init && git log", true},
		{"cd AT/old && git log", true},
		{"cp -r AT/old AT/new && cd AT/new && git init && git log", true},
		{"mkdir AT/new && cd AT/new && tar xf ~/x.tar && git init && git log", true},
		{"mkdir AT/new && cd AT/new && git init && tar xf ~/x.tar && git log", true},
		{"mkdir AT/new && cd AT/new && git init --template=AT/t && git log", true},
		{"mkdir AT/new && cd AT/new && GIT_TEMPLATE_DIR=AT/t git init && git log", true},
		{"mkdir AT/new && cd AT/new && git init && git config core.pager ./x && git log", true},
		{"mkdir AT/new && cd AT/new && git init && printf '[core]\\n pager=./x\\n' > .git/config && git log", true},
		{"mkdir AT/new && cd AT/new && git init && cp ~/h .git/hooks/pre-commit && git commit -m x", true},
		{"mkdir AT/new && ln -s AT/old/.git AT/new/.git && cd AT/new && git init && git log", true},
		{`d=$(mktemp -d); cp -r AT/old/. "$d"; cd "$d" && git log`, true},
		{`d=$(mktemp -d); cp -r AT/old/.git "$d"; cd "$d" && git init && git log`, true},
		{`cd "$(mktemp -d)" && tar xf ~/x.tar && git log`, true},
		{`cd "$(mktemp -d)" && git init && printf '[core]\n pager=./x\n' > .git/config && git log`, true},
		{`d=$(mktemp -d) && mkdir "$d/objects" "$d/refs" && echo x > "$d/HEAD" && printf '[core]\n pager=./x\n' > "$d/config" && cd "$d" && git log`, true},
		{`d=$(mktemp -d) && ln -s AT/old/.git "$d/.git" && cd "$d" && git log`, true},
		{`d=$(mktemp -d) && git clone https://example.com/x "$d/x" && cd "$d/x" && git submodule update --init`, true},
	} {
		script := strings.ReplaceAll(c.script, "AT", at)
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		if (v.Decision >= tool.Ask) != c.asks {
			t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
		}
	}
}
