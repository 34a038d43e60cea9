package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/agent"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// Where the user database names a home directory, another HOME counts only if the record
// there says so, whatever it is and wherever the work is.
func TestHome(t *testing.T) {
	root := tree(t, "known/src/.git/", "known/inner/", "other/", "told/", "srv/app/", "file=x")
	at := func(name string) string {
		if name == "" {
			return ""
		}
		return filepath.Join(root, name)
	}
	for name, to := range map[string]string{"link": "known", "away": "other"} {
		if err := os.Symlink(at(to), at(name)); err != nil {
			t.Fatal(err)
		}
	}
	record := "HOME=" + at("told") + "\nHOME=" + at("gone") + "\nHOME=" + at("link") + "/none\nXDG_CONFIG_HOME=" + at("other") + "\n"
	write := func(text string, mode os.FileMode) {
		path := filepath.Join(at("known"), RecordFile)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	write(record, 0o600)
	homes := map[string]string{
		"": "known", "known": "known", "known/": "known", "link": "known", "told": "told",
		"other": "known", "away": "known", "known/inner": "known", "known/src": "known", "srv": "known", "srv/app": "known", "file": "known", "gone": "known", "told/x": "known",
	}
	for name, want := range homes {
		for _, work := range []string{"", "known/src", "srv/app", "other", "told"} {
			home, why := new(Look).homeOf(Env{"HOME=" + at(name)}, at(work), at("known"))
			if home != at(want) || (why == "") != (name == "" || want == "told" || name == "link" || filepath.Clean(name) == "known") {
				t.Errorf("HOME is %s, work in %q: %q, %q, want %q", name, work, home, why, at(want))
			}
		}
	}
	write(record, 0o666) // somebody else can have written it
	if home, why := new(Look).homeOf(Env{"HOME=" + at("told")}, "", at("known")); home != at("known") || why == "" {
		t.Errorf("a record that others may write counts: %q, %q", home, why)
	}
	// The record stays out of reach where another home directory counts.
	write(record, 0o600)
	cfg, err := Load(Options{Parse: rulesfile.ParseNamed, Dir: at("srv/app"), known: at("known"), managed: at("etc"), Env: Env{"HOME=" + at("told")}})
	if err != nil || cfg.World.Home != at("told") {
		t.Fatal(err, cfg.World.Home)
	}
	for _, command := range []string{"echo HOME=/x >> " + at("known/.config/longline/places"), "rm -r " + at("known/.config/longline")} {
		if v, _ := cfg.Judge(tool.Call{Tool: "Bash", Dir: cfg.Dir, Script: command, Shell: true, Edits: true}); v.Decision != tool.Deny {
			t.Errorf("%s is %s", command, v.Decision)
		}
	}
}

// Where the user database names none that is there, HOME counts if nothing that runs as the user
// can have made it. All of a temporary directory is the user's own, so that what counts here is
// what stands in a machine already.
func TestUnknownHome(t *testing.T) {
	root := tree(t, "home/", "file=x")
	for _, known := range []string{"", root + "/gone", root + "/file"} {
		for home, why := range map[string]string{
			"": "", root + "/home": "made by a program of yours", root + "/gone": "does not exist", root + "/file": "does not exist", "/": "", "relative": "", "/proc/self/cwd": "", "/tmp": "", "/dev/shm": "",
		} {
			if got, said := new(Look).homeOf(Env{"HOME=" + home}, "", known); got != "" || !strings.Contains(said, why) {
				t.Errorf("HOME is %q, known is %q: %q, %q", home, known, got, said)
			}
		}
	}
	own := func(path string, uid int, mode uint32) glimpse { return glimpse{path, directory, mode, uid} }
	me := os.Geteuid()
	for name, test := range map[string]struct {
		seen []glimpse
		work string
		want bool
	}{
		"as usual":                  {nil, "/homes/a/src", true},
		"at home":                   {nil, "/homes/a", false},
		"below the project":         {nil, "/homes", false},
		"somebody else's":           {[]glimpse{own("/homes/a", me+1, 0o700)}, "", false},
		"open to all":               {[]glimpse{own("/homes/a", me, 0o707)}, "", false},
		"beside it":                 {[]glimpse{own("/homes", me, 0o755)}, "", false},
		"in a directory of a group": {[]glimpse{own("/homes", me+1, 0o775)}, "", false},
		"in one like /tmp":          {[]glimpse{own("/homes", me+1, 0o777)}, "", false},
		"a repository":              {[]glimpse{own("/homes/a/.git", me, 0o755)}, "", false},
		"cannot be looked at":       {[]glimpse{{"/homes", unknown, 0, 0}}, "", false},
	} {
		l := &Look{seen: append(test.seen, own("/homes/a", me, 0o700), own("/homes", me+1, 0o755), own("/", me+1, 0o755), glimpse{path: "/homes/a/.git", kind: nothing}, glimpse{path: "/homes/.git", kind: nothing})}
		if home, why := l.homeOf(Env{"HOME=/homes/a"}, test.work, ""); (home == "/homes/a") != test.want || (why == "") != test.want {
			t.Errorf("%s: %q, %q", name, home, why)
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
	root := tree(t, "home/.config/longline/", "mine/", "repo/.git/", "other/", "repo/x/")
	home := filepath.Join(root, "home")
	said := func(env ...string) string {
		t.Helper()
		at, list := movable(new(Look), env, home)
		text := strings.TrimPrefix(at, root)
		for _, r := range list {
			text += strings.ReplaceAll(" "+strings.Join(append([]string{r.Home + ":"}, r.Lines...), " "), root, "")
		}
		return text
	}
	for _, test := range []struct{ record, home, want string }{
		{"", "home", "/home /home: XDG_CONFIG_HOME=/mine"},
		{"", "other", "/other /home: HOME=/other /other: XDG_CONFIG_HOME=/mine XDG_CACHE_HOME=/home/.cache"},
		{"", "repo/x", "/home /home: XDG_CONFIG_HOME=/mine"},
		{"", "gone", "/home /home: XDG_CONFIG_HOME=/mine"},
		// What is recorded stays, whether the variable says the same, something that cannot be recorded, or nothing.
		{"HOME=/mine XDG_CONFIG_HOME=/mine XDG_STATE_HOME=/state CLAUDE_CONFIG_DIR=/claude", "home", "/home /home: HOME=/mine XDG_CONFIG_HOME=/mine XDG_STATE_HOME=/state CLAUDE_CONFIG_DIR=/claude"},
		{"XDG_STATE_HOME=/state", "other", "/other /home: XDG_STATE_HOME=/state HOME=/other /other: XDG_CONFIG_HOME=/mine XDG_CACHE_HOME=/home/.cache"},
		{"HOME=/other", "other", "/other /other: XDG_CONFIG_HOME=/mine XDG_CACHE_HOME=/home/.cache"},
	} {
		text := strings.ReplaceAll(strings.ReplaceAll(test.record, " ", "\n"), "=", "="+root)
		if err := os.WriteFile(filepath.Join(home, RecordFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := said("HOME="+filepath.Join(root, test.home), "XDG_CONFIG_HOME="+root+"/mine", "XDG_STATE_HOME="+root+"/repo/x", "XDG_CACHE_HOME="+home+"/.cache", "CLAUDE_CONFIG_DIR=relative"); got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
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
