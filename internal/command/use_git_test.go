package command

import (
	"errors"
	"os"
	"strings"
	"testing"

	"longline/internal/paths"
	"longline/internal/tool"
)

func TestCloneName(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"https://github.com/foo/bar.git", "bar"},
		{"https://github.com/foo/bar/", "bar"},
		{"https://github.com/foo/bar/.git", "bar"},
		{"git@github.com:foo/bar.git", "bar"},
		{"git@github.com:bar", "bar"},
		{"ssh://git@h.example:22/bar.git", "bar"},
		{"ssh://h.example:22/", "h.example"},
		{"../bar.bundle", "bar"},
		{"..", ""},
		{"https://h.example/a/..", ""},
	} {
		got, ok := cloneName(c.address)
		if !ok {
			got = ""
		}
		if got != c.want {
			t.Errorf("cloneName(%q) = %q, want %q", c.address, got, c.want)
		}
	}
}

func TestGitKey(t *testing.T) {
	for _, c := range []struct {
		key  string
		want keyKind
	}{
		{"color.ui", keyInert},
		{"color.diff.meta", keyInert},
		{"user.name", keyInert},
		{"core.quotepath", keyInert},
		{"Core.Pager", keyScript},
		{"core.SSHCOMMAND", keyScript},
		{"core.fsmonitor", keyPager},
		{"core.worktree", keyUnknown},
		{"pager.log", keyPager},
		{"diff.external", keyScript},
		{"diff.my.driver.command", keyScript},
		{"diff.a.textconv", keyScript},
		{"diff.algorithm", keyInert},
		{"merge.a.driver", keyScript},
		{"merge.ff", keyInert},
		{"filter.lfs.process", keyScript},
		{"filter.lfs.required", keyInert},
		{"credential.helper", keyHelper},
		{"credential.https://x.example.helper", keyHelper},
		{"credential.username", keyUnknown},
		{"gpg.ssh.program", keyProgram},
		{"includeIf.gitdir:~/x.path", keyCode},
		{"init.templateDir", keyCode},
		{"init.defaultBranch", keyInert},
		{"url.ssh://evil.insteadOf", keyUnknown},
		{"http.proxy", keyUnknown},
		{"http.https://x.example.postBuffer", keyUnknown},
		{"protocol.ext.allow", keyUnknown},
		{"remote.origin.uploadpack", keyUnknown},
		{"submodule.a.update", keyUnknown},
		{"safe.directory", keyUnknown},
		{"noDot", keyUnknown},
		{"trailing.", keyUnknown},
	} {
		if got := gitKey(c.key); got != c.want {
			t.Errorf("gitKey(%q) = %d, want %d", c.key, got, c.want)
		}
	}
}

func TestQueryOnly(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"{viewer{login}}", true},
		{"query A($x: Int = 1) {a(b: \"mutation\") {c}}", true},
		{"fragment F on T {x} query {a}", true},
		{"# mutation\n{a}", true},
		{"{a(b: \"\"\" \" mutation { \"\"\")}", true},
		{"mutation {a}", false},
		{"MUTATION {a}", false},
		{"{a} mutation {b}", false},
		{"{a} # x\rmutation {b}", false},
		{"{a(b: \"x\\\"\")} mutation {b}", false},
		{"subscription {a}", false},
		{"{a", false},
		{"}mutation{", false},
		{"", false},
	} {
		if got := queryOnly(c.text); got != c.want {
			t.Errorf("queryOnly(%q) = %v, want %v", c.text, got, c.want)
		}
	}
}

func TestObjectPath(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"HEAD:.env", ".env"},
		{"HEAD@{2020-01-01 10:00}:a", "a"},
		{"HEAD@{2020-01-01 10:00}", ""},
		{":a/b", "a/b"},
		{":2:a", "a"},
		{":/fix", ""},
		{":(top)a", ""},
		{":!a", ""},
		{"main..dev", ""},
		{"/a:b", ""},
	} {
		if got, _ := objectPath(c.text); got != c.want {
			t.Errorf("objectPath(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// checkout is read by a model of its own, so that the test needs no file.
func gitReader(world *tool.World, words ...string) *Invocation {
	item := func(use string) []Item { return []Item{{Uses: []Use{{Name: use}}, Many: true}} }
	model := &Model{Names: []string{"vcs"}}
	for name, use := range map[string]string{"checkout": "git-checkout", "reset": "git-reset", "apply": "git-patch", "show": "git-rev", "rename": "git-rename"} {
		model.Subs.Add(Sub{Names: []string{name}, Level: &Level{Permute: true, Operands: item(use), After: item("git-restore")}})
	}
	inv := &Invocation{Dir: Known("/p", tool.Span{})}
	for _, w := range words {
		inv.Words = append(inv.Words, Known(w, tool.Span{}))
	}
	lib := &Library{Find: func(string) *Model { return model }}
	lib.Read(inv, world)
	return inv
}

func targets(inv *Invocation) string {
	text := ""
	for _, e := range inv.Effects {
		text += " " + e.Kind.String() + " " + e.Target
	}
	if len(inv.Gaps) > 0 {
		text += " gap"
	}
	return text
}

// TestPathOrRevision shows that the disk decides where the words do not.
func TestPathOrRevision(t *testing.T) {
	world := &tool.World{Project: "/p", Exists: func(path string) bool { return path == "/p/Makefile" || path == "/p/server.key" }}
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"vcs", "checkout", "Makefile"}, " control git.discard write /p/Makefile"},
		{[]string{"vcs", "checkout", "main"}, " control git.branch"},
		{[]string{"vcs", "checkout", "v1.2"}, " control git.branch"},
		{[]string{"vcs", "checkout", "main", "x"}, " control git.discard write /p/x"},
		{[]string{"vcs", "checkout", "main", "--"}, " control git.branch"},
		{[]string{"vcs", "reset", "Makefile"}, ""},
		{[]string{"vcs", "reset", "main"}, " control git.redo"},
		{[]string{"vcs", "reset", "HEAD", "Makefile"}, ""},
		{[]string{"vcs", "show", "server.key"}, " read /p/server.key"},
		{[]string{"vcs", "show", "main"}, ""},
		{[]string{"vcs", "show", "main:server.key"}, " read /p/server.key"},
	} {
		if got := targets(gitReader(world, c.words...)); got != c.want {
			t.Errorf("%q: got%s, want%s", c.words, got, c.want)
		}
	}
}

// TestRename: a branch is lost where another takes its name.
func TestRename(t *testing.T) {
	files := map[string]string{
		"/p/.git/HEAD": "ref: refs/heads/topic\n", "/p/.git/refs/heads/topic": "", "/p/.git/refs/heads/loose": "",
		"/p/.git/packed-refs": "# pack-refs\n1234 refs/heads/packed\n",
	}
	world := &tool.World{Project: "/p", Readlink: func(string) (string, error) { return "", os.ErrNotExist }}
	world.Exists = func(path string) bool {
		for name := range files {
			if paths.Within(name, path) {
				return true
			}
		}
		return false
	}
	world.ReadFile = func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"vcs", "rename", "main"}, " control git.branch"},
		{[]string{"vcs", "rename", "topic"}, " control git.branch"},
		{[]string{"vcs", "rename", "loose"}, " control git.rewrite"},
		{[]string{"vcs", "rename", "packed"}, " control git.rewrite"},
		{[]string{"vcs", "rename", "packed", "main"}, " control git.branch"},
		{[]string{"vcs", "rename", "main", "packed"}, " control git.rewrite"},
	} {
		if got := targets(gitReader(world, c.words...)); got != c.want {
			t.Errorf("%q: got%s, want%s", c.words, got, c.want)
		}
	}
	clear(files)
	if got := targets(gitReader(world, "vcs", "rename", "main")); got != " control git.redo" {
		t.Errorf("without a repository: got%s", got)
	}
}

func TestPatch(t *testing.T) {
	files := map[string]string{
		"/p/a.diff":  "--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/.claude/settings.json\n",
		"/p/up.diff": "--- a/../x\n+++ b/../x\n",
		"/p/mv.diff": "diff --git a/x b/y\nrename from x\nrename to y\n",
	}
	world := &tool.World{Project: "/p", ReadFile: func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("no such file")
	}}
	for _, c := range []struct{ file, want string }{
		{"a.diff", " read /p/a.diff write /p/x.go write /p/x.go write /p/.claude/settings.json"},
		{"up.diff", " read /p/up.diff write /p"},
		{"mv.diff", " read /p/mv.diff write /p"},
		{"none.diff", " read /p/none.diff write /p"},
	} {
		if got := targets(gitReader(world, "vcs", "apply", c.file)); got != c.want {
			t.Errorf("%s: got%s, want%s", c.file, got, c.want)
		}
	}
}

func TestRepository(t *testing.T) {
	world := &tool.World{Project: "/home/me/p", Sandbox: "/home/me/p/.sandbox", Home: "/home/me"}
	for _, c := range []struct {
		dir  Word
		kind tool.Kind
		want string
	}{
		{Known("/home/me/p/sub", tool.Span{}), tool.Execute, ""},
		{Known("/home/me/p/sub", tool.Span{}), tool.Write, ""},
		{Known("/home/me/other", tool.Span{}), tool.Execute, ""},
		{Known("/home/me/other", tool.Span{}), tool.Write, " write /home/me/other"},
		{Known("/tmp/dl", tool.Span{}), tool.Execute, " execute config:/tmp/dl/.git/config"},
		{Known("/home/me/p/.sandbox/x", tool.Span{}), tool.Execute, " execute config:/home/me/p/.sandbox/x/.git/config"},
		{Known("/home/me/p2", tool.Span{}), tool.Write, " write /home/me/p2"},
		{Word{}, tool.Execute, " gap"},
	} {
		inv := &Invocation{Dir: c.dir}
		r := &reader{deeds: deeds{nil, surroundings{world: world, dir: c.dir}, findings{inv}}, commandLine: commandLine{dashed: -1}}
		r.repository(c.kind)
		if got := targets(inv); got != c.want {
			t.Errorf("%s in %q: got%s, want%s", c.kind, c.dir.Text, got, c.want)
		}
	}
}

// TestGitAlias: an alias of the user's settings is read as the words that it stands for.
func TestGitAlias(t *testing.T) {
	settings := "[alias]\n\tco = checkout -q\n\tshell = !git checkout\n\tquoted = log '--format=%h'\n\ttwice = tag\n"
	w := &tool.World{Home: "/h", Project: "/p", Exists: func(path string) bool { return path == "/p/.git" }, ReadFile: func(path string) ([]byte, error) {
		switch path {
		case "/h/.gitconfig":
			return []byte(settings), nil
		case "/p/.git/config":
			return []byte("[alias]\n\ttwice = push\n"), nil
		}
		return nil, os.ErrNotExist
	}}
	for _, test := range []struct {
		words []string
		path  string // and no gap, or "" for a gap
	}{
		{[]string{"git", "co", "main"}, "git checkout"},
		{[]string{"git", "-C", "/p", "CO", "main"}, "git checkout"},
		{[]string{"git", "log"}, "git log"},
		{[]string{"git", "shell", "main"}, ""},
		{[]string{"git", "quoted"}, ""},
		{[]string{"git", "twice"}, ""},
		{[]string{"git", "none"}, ""},
	} {
		inv := &Invocation{Dir: Known("/p", tool.Span{})}
		for _, text := range test.words {
			inv.Words = append(inv.Words, Known(text, tool.Span{}))
		}
		Builtin().Read(inv, w)
		if got := strings.Join(inv.Path, " "); len(inv.Gaps) > 0 != (test.path == "") || test.path != "" && got != test.path {
			t.Errorf("%q: %q, %v", test.words, got, inv.Gaps)
		}
	}
}
