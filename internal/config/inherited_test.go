package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/modelfile"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// The environment is part of the command: what the agent passes on counts as if it
// stood in front of it, unless it is the user's own affair.
func TestInherited(t *testing.T) {
	for _, test := range []struct {
		name     string
		settings string // of the project
		env      []string
		command  string
		quiet    bool // as without the variable
	}{
		{"no variable", "", nil, "git status", true},
		{"another repository", "", []string{"GIT_DIR=ROOT/home/other/.git"}, "git status", false},
		{"to others it is nothing", "", []string{"GIT_DIR=ROOT/home/other/.git"}, "ls", true},
		{"empty", "", []string{"GIT_DIR=", "GIT_WORK_TREE=", "LESSOPEN=", "NOTHING"}, "git status", true},
		{"another tree", "", []string{"GIT_WORK_TREE=ROOT/home"}, "git switch feature", false},
		{"another index", "", []string{"GIT_INDEX_FILE=ROOT/home/.bashrc"}, "git add x", false},
		{"the project's own repository", "", []string{"GIT_DIR=ROOT/home/p/.git", "GIT_WORK_TREE=ROOT/home/p"}, "git status", true},
		{"a repository in the project", "", []string{"GIT_DIR=ROOT/home/p/evil.git"}, "git status", false},
		{"a part of the project's tree", "", []string{"GIT_WORK_TREE=sub"}, "git status", true},
		{"search path that nothing uses", "", []string{"CDPATH=ROOT/home/other"}, "ls", true},
		{"a distribution's LESSOPEN", "", []string{"LESSOPEN=|/usr/bin/lesspipe %s"}, "less README", true},
		{"the project's LESSOPEN", "", []string{"LESSOPEN=|ROOT/home/p/evil %s"}, "less README", false},
		{"LESSOPEN of its settings", `{"env":{"LESSOPEN":"|evil %s"}}`, nil, "less README", false},
		{"flags of the user", "", []string{"GOFLAGS=-mod=mod -toolexec=/usr/bin/time"}, "go vet ./...", true},
		{"flags that name the project's code", "", []string{"GOFLAGS=-toolexec=./evil"}, "go vet ./...", false},
		{"flags that name an installed tool", "", []string{"GOFLAGS=-toolexec=./.venv/bin/x -modfile=ROOT/home/p/node_modules/.bin/y"}, "go vet ./...", true},
		{"flags that name the project itself", "", []string{"GOFLAGS=-toolexec=./ -modfile=ROOT/home/p/"}, "go vet ./...", true},
		{"harmless flags of its settings", `{"env":{"GOFLAGS":"-mod=vendor"}}`, nil, "go vet ./...", true},
		{"flags of its settings", `{"env":{"GOFLAGS":"-toolexec=evil"}}`, nil, "go vet ./...", false},
		{"wrapper of its settings", `{"env":{"RUSTC_WRAPPER":"evil"}}`, nil, "cargo check", false},
		{"MAKEFLAGS of its settings", `{"env":{"MAKEFLAGS":"-f evil.mk"}}`, nil, "make -n", false},
		{"startup file", `{"env":{"BASH_ENV":"evil"}}`, nil, "ls", false},
		{"preload", `{"env":{"LD_PRELOAD":"/x.so"}}`, nil, "ls", false},
		{"search path of its settings", `{"env":{"PATH":"/x"}}`, nil, "ls", false},
		{"function", `{"env":{"BASH_FUNC_ls%%":"() { evil; }"}}`, nil, "ls", false},
		{"harmless settings", `{"env":{"NODE_ENV":"test","FORCE_COLOR":"1","MY_NAME":"x"}}`, nil, "ls", true},
		{"virtual environment", "", []string{"VIRTUAL_ENV=ROOT/home/p/.venv", "PATH=ROOT/home/p/.venv/bin:/usr/bin"}, "ls", true},
		{"direnv", "", []string{"DIRENV_DIR=-ROOT/home/p", "DIRENV_FILE=ROOT/home/p/.envrc", "PATH=ROOT/home/p/bin:/usr/bin"}, "ls", true},
		{"another home directory", "", []string{"HOME=ROOT/home/.config/gh"}, "cat ~/hosts.yml", false},
		{"another home directory, for others", "", []string{"HOME=ROOT/home/.config/gh"}, "git status", false},
		{"no home directory", "", []string{"HOME="}, "cat ~/etc/shadow", false},
		{"a relative one", "", []string{"HOME=../.config/gh"}, "cat ~/hosts.yml", false},
		{"the home directory by another name", "", []string{"HOME=ROOT/home/p/.."}, "cat ~/hosts.yml", true},
		{"caches in the project", "", []string{"XDG_CACHE_HOME=ROOT/home/p/.cache", "GOCACHE=ROOT/home/p/.cache"}, "ls", true},
	} {
		files := []string{"home/p/.git/", "home/p/sub/", "home/p/Makefile=all:\n\ttrue\n", "home/other/.git/"}
		if test.settings != "" {
			files = append(files, "home/p/.claude/settings.json="+test.settings)
		}
		root := tree(t, files...)
		env := Env{"HOME=" + filepath.Join(root, "home")}
		for _, v := range test.env {
			env = append(env, strings.ReplaceAll(v, "ROOT", root))
		}
		c, err := Load(Options{Parse: rulesfile.ParseNamed, Dir: filepath.Join(root, "home/p"), Env: env, known: filepath.Join(root, "home"), managed: filepath.Join(root, "etc"), claudeAdmin: filepath.Join(root, "claude")})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		call := tool.Call{Agent: "claude", Tool: "Bash", Dir: c.Dir, Script: test.command, Shell: true, Attended: true, Edits: true}
		v, _ := c.Judge(call)
		if origin := map[bool]string{false: "the agent was started with it", true: ".claude/settings.json of the project sets it"}[test.settings != ""]; !test.quiet && !strings.Contains(v.Suggest, origin) {
			t.Errorf("%s: %s says %q and %q, and not that %s", test.name, test.command, v.Reason, v.Suggest, origin)
		}
		if test.quiet && strings.Contains(v.Suggest, "The variable") {
			t.Errorf("%s: %s says %q", test.name, test.command, v.Suggest)
		}
		c.World.Inherited = nil
		without, _ := c.Judge(call)
		if quiet := v.Decision <= without.Decision; quiet != test.quiet || without.Decision >= tool.Ask {
			t.Errorf("%s: %s is %s (%s), without the variables %s", test.name, test.command, v.Decision, v.Reason, without.Decision)
		}
	}
}

// TestSearchPathIsNamed: where a variable chooses the directory that a command works in, whoever
// is asked is told.
func TestSearchPathIsNamed(t *testing.T) {
	for command, want := range map[string]bool{"cd sub && echo x >y": true, "pushd sub && echo x >y": true, "echo x >/srv/y": false, "echo x >/srv/y; cd sub": false} {
		c, err := load(t, tree(t, "home/p/.git/", "home/p/sub/", "home/other/sub/"), "home/p", "", "CDPATH=ROOT/home/other")
		if err != nil {
			t.Fatal(err)
		}
		v, _ := c.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: c.Dir, Script: command, Shell: true, Attended: true, Edits: true})
		if got := strings.Contains(v.Suggest, "The variable CDPATH"); got != want || v.Decision != tool.Ask {
			t.Errorf("%s is %s: %q", command, v.Decision, v.Suggest)
		}
	}
}

// TestInheritedNowhere: where there is no project, nothing that a variable names is in it.
func TestInheritedNowhere(t *testing.T) {
	p := &places{dir: "/"}
	for value, want := range map[string]int{"": 0, "/x": 1, "x": 1} {
		for _, name := range guard.Moving {
			if list := p.inherited(Env{name + "=" + value}, &Settings{}); len(list) != want {
				t.Errorf("%s=%s counts as %+v", name, value, list)
			}
		}
	}
}

// TestInheritedLikeWritten: a variable that the project's settings set is judged as the
// same variable in front of the command, for all that the models know of.
func TestInheritedLikeWritten(t *testing.T) {
	lib := command.Builtin()
	text, err := os.ReadFile("../command/models/variables.yaml")
	if err != nil {
		t.Fatal(err)
	}
	variables, err := modelfile.ParseVariables("variables.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, use := range variables {
		name := strings.ReplaceAll(use.Name, "*", "X")
		for _, value := range []string{"./evil", "/etc/x", "1"} {
			written := &command.Invocation{Words: []command.Word{command.Known("make", tool.Span{})}, Env: []command.Assign{{Name: name, Value: command.Known(value, tool.Span{}), Prefix: true}}, Dir: command.Known("/p", tool.Span{})}
			inherited := &command.Invocation{Words: written.Words, Dir: written.Dir}
			lib.Read(written, &tool.World{Project: "/p", Home: "/h"})
			lib.Read(inherited, &tool.World{Project: "/p", Home: "/h", Inherited: []tool.Variable{{Name: name, Value: value}}})
			if len(written.Effects) != len(inherited.Effects) || len(written.Gaps) != len(inherited.Gaps) {
				t.Errorf("%s=%s: written %v %v, inherited %v %v", name, value, written.Effects, written.Gaps, inherited.Effects, inherited.Gaps)
			}
		}
	}
}
