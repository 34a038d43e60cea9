package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/agent"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// HOME is believed if it is the caller's own and outside the project; else the
// password database is.
func TestHome(t *testing.T) {
	root := tree(t, "home/p/.git/", "known/inner/", "other/", "file=x", "known/src/.git/", "wide/", "direnv/.envrc=export HOME=/x", "settings/.claude/settings.json={\"env\": {\"HOME\": \"/x\"}}", "plain/.envrc=PATH_add $HOME/bin", "names/.claude/settings.json={\"env\": {\"HOME\": \"$HOME/x\"}}")
	if err := os.Chmod(filepath.Join(root, "wide"), 0o777); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(root, name) }
	if err := os.Symlink(at("home/p"), at("link")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(at("same/.claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	// A project that is not a repository, and names itself.
	if err := os.MkdirAll(at("itself"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("itself/.envrc"), []byte("export HOME=$PWD\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Far into a long file, too.
	long := "{\"x\": \"" + strings.Repeat("y", 200_000) + "\", \"env\": {\"HOME\": \"" + at("other") + "/\"}}"
	if err := os.WriteFile(at("same/.claude/settings.json"), []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ home, project, known, want, why string }{
		{"home", "home/p", "known", "home", ""},
		{"home", "home/p", "", "home", ""},
		{"home", "home/p", "home", "home", ""},
		{"", "home/p", "known", "known", ""},
		{"home/p", "home/p", "known", "known", "in the project"},
		{"home/p/x", "home/p", "known", "known", "not there"},
		{"link", "home/p", "known", "known", "in the project"},
		{"link", "home/p", "", "", "in the project"},
		{"known/inner", "home/p", "known", "known", "inside your home directory"},
		{"gone", "home/p", "known", "known", "not there"},
		{"file", "home/p", "known", "known", "not there"},
		{"other", "", "known", "other", ""},
		{"home/p", "elsewhere", "known", "known", "in a repository"},
		{"other", "known/src", "known", "known", "not the one that the project is in"},
		{"other", "known/src", "", "other", ""},
		{"wide", "home/p", "known", "known", "by everybody"},
		{"wide", "home/p", "wide", "wide", ""},
		{"other", "direnv", "known", "known", "set by a file of the project"},
		{"other", "settings", "known", "other", ""}, // it is plainly set to something else
		{"other", "same", "known", "known", "set by a file of the project"},
		{"other", "names", "known", "known", "set by a file of the project"},
		{"other", "plain", "known", "other", ""},
		{"other", "other", "known", "other", ""}, // an agent that was started at home
		{"known/inner", "known/inner", "known", "known", "inside your home directory"},
		{"itself", "itself", "known", "known", "set by a file of the project"},
	} {
		in := func(name string) string {
			if name == "" {
				return ""
			}
			return at(name)
		}
		got, why := new(Look).homeOf(Env{"HOME=" + in(test.home)}, in(test.project), in(test.project), in(test.known))
		if got != in(test.want) || !strings.Contains(why, test.why) || (why == "") != (test.why == "") {
			t.Errorf("%+v: got %q, %q", test, got, why)
		}
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(at("other"), 12345, 12345); err != nil {
			t.Fatal(err)
		}
		if got, why := new(Look).homeOf(Env{"HOME=" + at("other")}, "", "", at("known")); got != at("known") || !strings.Contains(why, "another user") {
			t.Errorf("a home directory of another user: %q, %q", got, why)
		}
	}
}

// No variable moves a place, whatever it points to; what was recorded does.
func TestVariablesMoveNothing(t *testing.T) {
	root := tree(t, "home/.config/longline/rules.yaml=version: 1", "home/cache/evil@v1/longline/rules.yaml=version: 1", "elsewhere/longline/", "home/p/.git/")
	home := filepath.Join(root, "home")
	if err := os.Symlink(filepath.Join(home, ".config"), filepath.Join(root, "same")); err != nil {
		t.Fatal(err)
	}
	usual := new(Look).rootsOf(Env{"HOME=" + home}, "", "", home)
	for _, m := range moves {
		for _, value := range []string{home + "/p", home + "/cache/evil@v1", root + "/elsewhere", "/proc/self/cwd/c", "relative", "/", home, "/usr", root + "/same"} {
			r := new(Look).rootsOf(Env{"HOME=" + home, m.variable + "=" + value}, home+"/p", "", home)
			if r.Config[0] != usual.Config[0] || r.State != usual.State || r.Cache != usual.Cache || r.Claude[0] != usual.Claude[0] || len(r.Config) != 1 || len(r.Claude) != 1 {
				t.Errorf("%s=%s: %+v", m.variable, value, r)
			}
		}
	}
	for _, env := range []Env{nil, {"HOME="}, {"HOME=relative"}} { // the password database says
		if r := new(Look).rootsOf(env, "", "", home); r.State != usual.State || r.Config[0] != usual.Config[0] || r.Claude[0] != usual.Claude[0] || len(r.Told) != 0 {
			t.Errorf("%q: %+v", env, r)
		}
	}
	r := new(Look).rootsOf(Env{"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/cache/evil@v1"}, "", "", home)
	if len(r.Told) != 1 || !strings.Contains(r.Told[0], `run "longline init"`) {
		t.Errorf("told %q", r.Told)
	}
	if r = new(Look).rootsOf(Env{"HOME=" + home, "XDG_CONFIG_HOME=" + root + "/same"}, "", "", home); len(r.Told) != 0 {
		t.Errorf("of a mere spelling it is said: %q", r.Told)
	}
	record := filepath.Join(home, RecordFile)
	if err := os.WriteFile(record, []byte("XDG_CONFIG_HOME="+root+"/elsewhere\nCLAUDE_CONFIG_DIR=relative\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, env := range []Env{{"HOME=" + home}, {"HOME=" + home, "XDG_CONFIG_HOME=" + root + "/elsewhere"}, {"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/p"}} {
		if r := new(Look).rootsOf(env, "", "", home); r.Config[0] != root+"/elsewhere/longline" || r.Claude[0] != usual.Claude[0] {
			t.Errorf("%q: %+v", env, r)
		}
	}
	if err := os.Chmod(record, 0o666); err != nil {
		t.Fatal(err)
	}
	if r := new(Look).rootsOf(Env{"HOME=" + home}, "", "", home); r.Config[0] != usual.Config[0] {
		t.Errorf("a record that others may write counts: %+v", r)
	}
}

func TestMovable(t *testing.T) {
	root := tree(t, "home/.config/longline/", "mine/", "repo/.git/")
	home := filepath.Join(root, "home")
	env := Env{"HOME=" + home, "XDG_CONFIG_HOME=" + root + "/mine", "XDG_STATE_HOME=" + root + "/repo/x", "XDG_CACHE_HOME=" + home + "/.cache", "CLAUDE_CONFIG_DIR=relative"}
	if got := strings.Join(Movable(env), " "); got != "XDG_CONFIG_HOME="+root+"/mine" {
		t.Errorf("got %q", got)
	}
	// What is recorded stays, whether the variable says the same, something that cannot be recorded, or nothing.
	if err := os.WriteFile(filepath.Join(home, RecordFile), []byte("XDG_CONFIG_HOME="+root+"/mine\nXDG_STATE_HOME="+root+"/state\nCLAUDE_CONFIG_DIR="+root+"/claude\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env = Env{"HOME=" + home, "XDG_CONFIG_HOME=" + root + "/mine", "CLAUDE_CONFIG_DIR=relative"}
	got := Movable(env)
	slices.Sort(got)
	if want := []string{"CLAUDE_CONFIG_DIR=" + root + "/claude", "XDG_CONFIG_HOME=" + root + "/mine", "XDG_STATE_HOME=" + root + "/state"}; !slices.Equal(got, want) {
		t.Errorf("with a record: %q, want %q", got, want)
	}
}

// What a person has told longline is not read by an agent, wherever it was recorded.
func TestRecordedState(t *testing.T) {
	root := tree(t, "home/.config/longline/", "home/p/.git/", "elsewhere/longline/held/x=secret")
	home := filepath.Join(root, "home")
	if err := os.WriteFile(filepath.Join(home, RecordFile), []byte("XDG_STATE_HOME="+root+"/elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := Load(Options{Parse: rulesfile.ParseNamed, Dir: home + "/p", known: home, Env: Env{"HOME=" + home}})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"cat X/held/x", "base64 X/key", "grep -r . X", "cp X/held/x .", "echo hi >X/pause/until", "rm -r X"} {
		script := strings.ReplaceAll(command, "X", root+"/elsewhere/longline")
		if v, _ := cfg.Judge(tool.Call{Tool: "Bash", Dir: cfg.Dir, Script: script, Shell: true, Edits: true}); v.Decision < tool.Ask {
			t.Errorf("%s is %s", command, v.Decision)
		}
	}
}

// TestMovedSettings: where a variable of a client moves its settings, they are guarded
// there as they are in their usual place, and what else is there is not.
func TestMovedSettings(t *testing.T) {
	variables := 0
	for _, a := range agent.All {
		h := a.Facts().Hooks
		if h == nil || h.Variable == "" {
			continue
		}
		variables++
		for _, test := range []struct {
			name, record, variable string
			counts                 bool
		}{
			{"set", "", "ROOT/home/moved", true},
			{"unclean", "", "ROOT/home/moved/x/..", true},
			{"recorded", h.Variable + "=ROOT/home/moved\n", "", true},
			{"neither", "", "", false},
			{"relative", "", "moved", false},
		} {
			root := tree(t, "home/p/.git/", "home/moved/", "home/"+RecordFile+"="+test.record)
			replaceIn(t, filepath.Join(root, "home", RecordFile), "ROOT", root)
			moved := filepath.Join(root, "home/moved")
			c, err := Load(Options{
				Env:   Env{"HOME=" + filepath.Join(root, "home"), h.Variable + "=" + strings.ReplaceAll(test.variable, "ROOT", root)},
				Parse: rulesfile.ParseNamed, Dir: filepath.Join(root, "home/p"), managed: filepath.Join(root, "etc"), known: filepath.Join(root, "home"),
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{h.User, h.Second} {
				_, rest, _ := strings.Cut(file, "/")
				if rest == "" {
					continue
				}
				v, _ := c.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: c.Dir, Script: "echo x > " + filepath.Join(moved, rest), Shell: true})
				if (v.Rule == "agent-files") != test.counts {
					t.Errorf("%s, %s %s: a write to %s in the moved directory is %s by %s", a.Name(), h.Variable, test.name, rest, v.Decision, v.Rule)
				}
			}
		}
	}
	if variables < 4 {
		t.Errorf("only %d agents have a variable", variables)
	}
}
