package config

import (
	"os"
	"os/user"
	"path/filepath"
	"reflect"
	"testing"

	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// claudeIn loads the rules for a project, with what of its settings was confirmed.
func claudeIn(t *testing.T, root, confirmed string) func(script string) tool.Decision {
	t.Helper()
	cfg, err := Load(Options{
		Parse: rulesfile.ParseNamed, Dir: filepath.Join(root, "home/p"), known: filepath.Join(root, "home"), managed: filepath.Join(root, "etc"), claudeAdmin: filepath.Join(root, "admin"),
		Env: Env{"HOME=" + filepath.Join(root, "home")}, Pinned: func(_, _, _ string) string { return confirmed },
	})
	if err != nil {
		t.Fatal(err)
	}
	return func(script string) tool.Decision {
		v, _ := cfg.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: cfg.Dir, Script: script, Shell: true, Edits: true, Attended: true})
		return v.Decision
	}
}

// TestAbsoluteAdditionalDirectory: an absolute directory is taken as it is, also in a
// project.
func TestAbsoluteAdditionalDirectory(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/lib/a.txt=a", "home/.claude/")
	text := `{"permissions":{"additionalDirectories":["` + filepath.Join(root, "home/lib") + `"]}}`
	if err := os.WriteFile(filepath.Join(root, "home/.claude/settings.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if d := claudeIn(t, root, "")("echo x > ../lib/b.txt"); d >= tool.Ask {
		t.Errorf("a file in it is %v", d)
	}
}

// TestSharedSettingsNeverLoosen: what a person has confirmed counts in the settings it
// stands in, which are the person's; the same line in those that a repository brings
// does not.
func TestSharedSettingsNeverLoosen(t *testing.T) {
	const allow = `={"permissions":{"allow":["Bash(npm publish)"]}}`
	const confirmed = `allow "Bash(npm publish)"` + "\n"
	for _, test := range []struct {
		file, confirmed string
		counts          bool
	}{
		{"home/p/.claude/settings.json", confirmed, false},
		{"home/p/.claude/settings.json", "", false},
		{"home/p/.claude/settings.local.json", "", false},
		{"home/p/.claude/settings.local.json", confirmed, true},
		{"home/.claude/settings.json", "", true},
	} {
		root := tree(t, "home/p/.git/", "home/p/.claude/settings.local.json={}", test.file+allow)
		if d := claudeIn(t, root, test.confirmed)("npm publish"); (d < tool.Ask) != test.counts {
			t.Errorf("%s, confirmed %q: %v", test.file, test.confirmed, d)
		}
	}
}

// TestUsualVariables: a variable that names the usual place, or no place, changes nothing
// at all: nothing more is guarded, and nothing is said.
func TestUsualVariables(t *testing.T) {
	home := filepath.Join(tree(t, "home/p/.git/"), "home")
	usual := new(Look).rootsOf(Env{"HOME=" + home}, home+"/p", "", home)
	for _, m := range moves {
		for _, value := range []string{"", below(home, m.standard), below(home, m.standard) + "/", "relative", "."} {
			if r := new(Look).rootsOf(Env{"HOME=" + home, m.variable + "=" + value}, home+"/p", "", home); !reflect.DeepEqual(r, usual) {
				t.Errorf("%s=%q: %+v, want %+v", m.variable, value, r, usual)
			}
		}
	}
}

func TestPasswordHome(t *testing.T) {
	u, err := user.LookupId("0")
	if err != nil || u.HomeDir == "/" {
		t.Skip("there is no user 0 with a home directory")
	}
	if got := passwordHome(0); got != u.HomeDir {
		t.Errorf("%q, want %q", got, u.HomeDir)
	}
	if got := passwordHome(1 << 30); got != "" {
		t.Errorf("of nobody: %q", got)
	}
}

func TestIsLetter(t *testing.T) {
	for c := range 256 {
		want := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if isLetter(byte(c)) != want {
			t.Errorf("%q", rune(c))
		}
	}
}
