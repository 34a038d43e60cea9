package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/rulesfile"
	"longline/internal/tool"
)

const denyLs = "version: 1\nrules:\n  - {id: %s, level: critical, match: {command: ls}, decision: deny, reason: no}\n"

// Each test has a home directory of its own.
func init() { KnownHome = "HOME" }

// rules is a rules file that denies ls by a rule of that name.
func rules(id string) string { return strings.Replace(denyLs, "%s", id, 1) }

// hooks is a hooks.config.json with one rule for a command.
func hooks(command, decision string) string {
	return `{"PreToolUse":{"Bash":{"` + command + `":[{"reason":"` + command + `","decision":"` + decision + `"}]}}}`
}

// load loads what is in force in dir below root, whose "home" is the home
// directory and "etc" the administrator's.
func load(t *testing.T, root, dir, path string, env ...string) (*Config, error) {
	t.Helper()
	if path != "" {
		path = filepath.Join(root, path)
	}
	for i := range env {
		env[i] = strings.ReplaceAll(env[i], "ROOT", root)
	}
	c, err := Load(Options{
		Parse: rulesfile.ParseNamed, Path: path, Dir: filepath.Join(root, dir), Env: append(Env{"HOME=" + filepath.Join(root, "home")}, env...),
		managed: filepath.Join(root, "etc"),
	})
	return c, rulesfile.Explain(err)
}

// ids lists the rules in force that are in no built-in pack.
func ids(c *Config) string {
	var list []string
	for _, r := range c.Guard.Policy.Rules() {
		if r.Layer.String() != "builtin" {
			list = append(list, r.Layer.String()+":"+r.ID)
		}
	}
	return strings.Join(list, " ")
}

func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		name  string
		files []string
		dir   string
		path  string
		env   []string
		want  string
	}{
		{"nothing", nil, "home/p", "", nil, ""},
		{"user", []string{"home/.config/longline/rules.yaml=" + rules("u")}, "home/p", "", nil, "user:u"},
		{"xdg", []string{"home/.config/longline/rules.yaml=" + rules("u"), "xdg/longline/rules.yaml=" + rules("x")}, "home/p", "", []string{"XDG_CONFIG_HOME=ROOT/xdg"}, "user:u"},
		{"xdg recorded", []string{"home/.config/longline/rules.yaml=" + rules("u"), "xdg/longline/rules.yaml=" + rules("x"), "home/.config/longline/places=XDG_CONFIG_HOME=ROOT/xdg\n"}, "home/p", "", nil, "user:x"},
		{"xdg without a file", []string{"home/.config/longline/rules.yaml=" + rules("u")}, "home/p", "", []string{"XDG_CONFIG_HOME=ROOT/xdg"}, "user:u"},
		{"xdg in the project", []string{"home/.config/longline/rules.yaml=" + rules("u"), "home/p/x/longline/rules.yaml=" + rules("x")}, "home/p", "", []string{"XDG_CONFIG_HOME=ROOT/home/p/x"}, "user:u"},
		{"xdg relative", []string{"home/.config/longline/rules.yaml=" + rules("u")}, "home/p", "", []string{"XDG_CONFIG_HOME=x"}, "user:u"},
		{"named", []string{"home/.config/longline/rules.yaml=" + rules("u"), "n.yaml=" + rules("n")}, "home/p", "n.yaml", nil, "user:n"},
		{"included", []string{"n.yaml=version: 1\ninclude: [d/m.yaml]\n", "d/m.yaml=version: 1\ninclude: [o.yaml]\n", "d/o.yaml=" + rules("o")}, "home/p", "n.yaml", nil, "user:o"},
		{"included from home", []string{"n.yaml=version: 1\ninclude: [~/o.yaml]\n", "home/o.yaml=" + rules("o")}, "home/p", "n.yaml", nil, "user:o"},
		{"managed", []string{"etc/rules.yaml=" + rules("m"), "etc/rules.d/b.yaml=" + rules("b"), "etc/rules.d/a.yaml=" + rules("a"), "etc/rules.d/c.txt=x"}, "home/p", "", nil, "managed:m managed:a managed:b"},
		{"project", []string{"home/p/.git/", "home/p/.longline.yaml=" + rules("p"), "home/p/.claude/longline.yaml=" + rules("c")}, "home/p", "", nil, "project:p project:c"},
		{"project from below", []string{"home/p/.git/", "home/p/.longline.yaml=" + rules("p"), "home/p/a/b/.longline.yaml=" + rules("b"), "home/.longline.yaml=" + rules("no")}, "home/p/a/b/c", "", nil, "project:p project:b"},
		{"no project in home", []string{"home/.longline.yaml=" + rules("no")}, "home", "", nil, ""},
	} {
		root := tree(t, append(test.files, "home/")...)
		replaceIn(t, filepath.Join(root, "home", RecordFile), "ROOT", root)
		c, err := load(t, root, test.dir, test.path, test.env...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := ids(c); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestIncludedNames: a file is included by where links lead, or by its name if it is not there.
func TestIncludedNames(t *testing.T) {
	root := tree(t, "home/real/a.yaml=x")
	if err := os.Symlink(filepath.Join(root, "home/real"), filepath.Join(root, "home/link")); err != nil {
		t.Fatal(err)
	}
	p := &places{Roots: Roots{Home: filepath.Join(root, "home")}}
	for name, want := range map[string]string{"~/link/a.yaml": "home/real/a.yaml", "link/a.yaml": "home/real/a.yaml", "./real/../real/a.yaml": "home/real/a.yaml", "link/none": "home/link/none", "~/none": "home/none"} {
		if got := p.resolve(filepath.Join(root, "home/rules.yaml"), name); got != filepath.Join(root, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestIncludesInside: a project's file includes what is in the working tree that it is in itself.
func TestIncludesInside(t *testing.T) {
	root := tree(t, "p/a.yaml=x", "w/a.yaml=x", "o/a.yaml=x")
	in := func(name string) string { return filepath.Join(root, name) }
	both, one := &places{site: Site{Project: in("p"), Worktree: in("w")}}, &places{site: Site{Project: in("p")}}
	for _, test := range []struct {
		places     *places
		from, name string
		want       bool
	}{
		{both, "p/.longline.yaml", "a.yaml", true},
		{both, "w/.longline.yaml", "a.yaml", true},
		{both, "p/.longline.yaml", "../w/a.yaml", false},
		{both, "w/.longline.yaml", "../p/a.yaml", false},
		{both, "w/.longline.yaml", "../o/a.yaml", false},
		{one, "p/.longline.yaml", "a.yaml", true},
		{one, "p/.longline.yaml", "../w/a.yaml", false},
		{one, "w/.longline.yaml", "a.yaml", false},
	} {
		if _, _, err := test.places.includeInside(in(test.from), test.name); (err == nil) != test.want {
			t.Errorf("%s includes %s: %v", test.from, test.name, err)
		}
	}
}

func TestHooksConfigPlaces(t *testing.T) {
	all := []string{"dir/hooks.config.json=" + hooks("a", "block"), "home/.config/claude/hooks.config.json=" + hooks("b", "block"), "home/.claude/hooks.config.json=" + hooks("c", "block")}
	for _, test := range []struct {
		name  string
		files []string
		env   []string
		want  []string // reasons
	}{
		{"variable", all, []string{"CLAUDE_CONFIG_DIR=ROOT/dir"}, []string{"b"}},
		{"recorded", append([]string{"home/.config/longline/places=CLAUDE_CONFIG_DIR=ROOT/dir"}, all...), nil, []string{"a"}},
		{"then .config", all, nil, []string{"b"}},
		{"then .claude", all[2:], nil, []string{"c"}},
		{"variable without a file", all[2:], []string{"CLAUDE_CONFIG_DIR=ROOT/dir"}, []string{"c"}},
		{"recorded in the project", []string{"home/.config/longline/places=CLAUDE_CONFIG_DIR=ROOT/home/p/.claude", "home/p/.claude/hooks.config.json=" + hooks("d", "block")}, nil, []string{"d"}},
		{"project adds", append([]string{"home/p/.claude/hooks.config.json=" + hooks("d", "block")}, all[2:]...), nil, []string{"c", "d"}},
		{"variable into the project", append([]string{"home/p/.claude/hooks.config.json=" + hooks("d", "approve")}, all[2:]...), []string{"CLAUDE_CONFIG_DIR=ROOT/home/p/.claude"}, []string{"c"}},
	} {
		root := tree(t, append(test.files, "home/p/.git/")...)
		replaceIn(t, filepath.Join(root, "home", RecordFile), "ROOT", root)
		c, err := load(t, root, "home/p", "", test.env...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var got []string
		for _, r := range c.Guard.Policy.Rules() {
			if r.Layer.String() != "builtin" {
				got = append(got, r.Reason)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestBrokenUserFileIsAnError(t *testing.T) {
	for _, test := range []struct {
		name  string
		files []string
		path  string
		want  string
	}{
		{"missing", nil, "none.yaml", `none.yaml": no such file or directory`},
		{"directory", []string{"n.yaml/"}, "n.yaml", "is a directory"},
		{"key", []string{"n.yaml=version: 1\nrulez: []\n"}, "n.yaml", "n.yaml:2:1: unknown key"},
		{"too long", []string{"n.yaml=" + strings.Repeat("# long\n", 1<<20)}, "n.yaml", "at most"},
		{"cycle", []string{"n.yaml=version: 1\ninclude: [m.yaml]\n", "m.yaml=version: 1\ninclude: [n.yaml]\n"}, "n.yaml", "m.yaml:2"},
		{"own", []string{"home/.config/longline/rules.yaml=x"}, "", "rules.yaml:1"},
		{"hooks", []string{"home/.claude/hooks.config.json={"}, "", "hooks.config.json"},
		{"unknown rule", []string{"n.yaml=" + rules("abcdef") + "disable: [abcdeg]\n"}, "n.yaml", `did you mean "abcdef"?`},
	} {
		root := tree(t, append(test.files, "home/p/")...)
		if _, err := load(t, root, "home/p", test.path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
	if os.Geteuid() != 0 {
		root := tree(t, "n.yaml="+rules("x"), "home/p/")
		if err := os.Chmod(filepath.Join(root, "n.yaml"), 0); err != nil {
			t.Fatal(err)
		}
		if _, err := load(t, root, "home/p", "n.yaml"); err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("unreadable: got %v", err)
		}
	}
}

// A broken project or managed file makes every call ask, and hides no deny.
func TestBrokenOtherFilesAsk(t *testing.T) {
	for _, file := range []string{"home/p/.longline.yaml", "home/p/.claude/hooks.config.json", "etc/rules.yaml", "etc/rules.d/a.yaml"} {
		root := tree(t, file+"=nonsense", "n.yaml=version: 1\nbuiltin: false\ndefault_decision: allow\nrules:\n  - {id: x, level: critical, match: {command: shutdown}, decision: deny, reason: no}\n", "home/p/.git/")
		c, err := load(t, root, "home/p", "n.yaml")
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		v, _ := c.Judge(tool.Call{Tool: "Bash", Dir: c.Dir, Script: "true", Shell: true})
		if v.Decision != tool.Ask || !strings.Contains(v.Reason, filepath.Base(file)) {
			t.Errorf("%s: got %v, %q", file, v.Decision, v.Reason)
		}
		if v, _ = c.Judge(tool.Call{Tool: "Bash", Dir: c.Dir, Script: "shutdown", Shell: true}); v.Decision != tool.Deny {
			t.Errorf("%s: a denied command got %v", file, v.Decision)
		}
	}
}

func TestLogPlace(t *testing.T) {
	p := places{Roots: Roots{Home: "/home/me"}}
	for configured, want := range map[string]string{
		"": "/home/me/.claude/hooks-logs/longline.jsonl", "~/x.jsonl": "/home/me/x.jsonl", "logs/x": "/home/me/logs/x", "/var/log//x": "/var/log/x",
	} {
		if got := p.log(configured); got != want {
			t.Errorf("%q: got %q, want %q", configured, got, want)
		}
	}
	if got := (&places{}).log(""); got != "" {
		t.Errorf("without a home: got %q", got)
	}
}

func TestGuardedFiles(t *testing.T) {
	root := tree(t, "home/p/.git/", "n.yaml=version: 1\nlog: {path: ~/l/x.jsonl}\ninclude: [~/dotfiles/more.yaml]\n", "home/dotfiles/more.yaml=version: 1\ninclude: [deeper.yaml]\n",
		"home/dotfiles/deeper.yaml=version: 1\n", "home/p/.longline.yaml=version: 1\ninclude: [rules/part.yaml]\n", "home/p/rules/part.yaml=version: 1\n")
	c, err := load(t, root, "home/p", "n.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(root, "home/l/x.jsonl"); c.Log != want || c.World.Log != want {
		t.Errorf("log is %q, guarded is %q, want %q", c.Log, c.World.Log, want)
	}
	for _, name := range []string{
		"home/.config/longline", "home/.local/state/longline", "home/.cache/longline", "home/.claude/hooks.config.json", "n.yaml", "etc",
		"home/dotfiles/more.yaml", "home/dotfiles/deeper.yaml", "home/p/rules/part.yaml",
	} {
		if !slices.Contains(c.World.Guard, filepath.Join(root, name)) {
			t.Errorf("%s is not guarded: %q", name, c.World.Guard)
		}
	}
}

// replaceIn changes a text in a file, if the file is there.
func replaceIn(t *testing.T, path, old, text string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		return
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(content), old, text)), 0o600); err != nil {
		t.Fatal(err)
	}
}
