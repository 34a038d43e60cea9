package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/command"
	"longline/internal/modelfile"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

const teamRules = `version: 1
safety_level: critical
builtin: true
default_decision: allow
disable: [git-discard]
allowlists: {commands: [du]}
rules:
  - {id: team-no, level: critical, match: {command: df}, decision: deny, reason: no}
  - {id: team-ask, level: critical, match: {command: uptime}, decision: ask, reason: sure}
  - {id: team-yes, match: {command: whoami}, decision: allow, overrides: [mine-no]}
  - {id: team-drop, level: critical, match: {effect: {kind: control, names: [database.drop]}}, decision: deny, reason: production}
`

const teamModel = `about: the company's tool
commands:
  status: {effects: fetch @local}
  drop: {operands: text..., effects: control database.drop}
`

var (
	teamMade  = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	teamUntil = teamMade.AddDate(0, 1, 0)
)

// parseTeam stands for the reader of bundles: the text is that of the rules.
func parseTeam(path string, text []byte) (*Bundle, error) {
	f, err := rulesfile.Parse(path, text, nil)
	if err != nil {
		return nil, err
	}
	models, err := modelfile.Compile(map[string][]byte{"corpctl.yaml": []byte(teamModel)})
	return &Bundle{Name: "acme", Version: "1.4", From: teamMade, Until: teamUntil, File: f, Models: string(models)}, err
}

func loadTeam(t *testing.T, root string, now time.Time, compiled bool) (*Config, error) {
	t.Helper()
	o := Options{
		Parse: rulesfile.ParseNamed, ParseBundle: parseTeam, Dir: filepath.Join(root, "home/p"), Env: Env{"HOME=" + filepath.Join(root, "home")},
		managed: filepath.Join(root, "etc"), claudeAdmin: filepath.Join(root, "none"), Now: func() time.Time { return now },
	}
	if compiled {
		o.Parse, o.ParseBundle = nil, nil
	}
	return Load(o)
}

func decisionOf(c *Config, script string) (tool.Decision, string) {
	v, _ := c.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: c.Dir, Script: script, Shell: true, Attended: true})
	return v.Decision, v.Rule
}

// TestBundleLayer: a bundle stands between the user and the administrator, while it
// counts and after, read in full and from its compiled form.
func TestBundleLayer(t *testing.T) {
	const mine = "version: 1\nrules:\n  - {id: mine-yes, match: {command: [df, uptime, corpctl drop, id]}, decision: allow, overrides: [team-no, team-drop]}\n  - {id: mine-no, match: {command: whoami}, decision: deny, reason: no}\n"
	const admin = "version: 1\nrules:\n  - {id: admin-yes, match: {command: uptime -p}, decision: allow, overrides: [team-ask]}\n"
	for place, installed := range map[string]string{"the user's": "home/.local/state/longline/bundle/current", "the administrator's": "etc/bundle/current"} {
		root := tree(t, "home/p/.git/", "home/.config/longline/rules.yaml="+strings.ReplaceAll(mine, "overrides: [team-no, team-drop]", ""), "etc/rules.yaml="+admin, installed+"="+teamRules)
		for _, compiled := range []bool{false, true} {
			for _, test := range []struct {
				now                                           time.Time
				df, uptime, uptimeP, whoami, du, drop, status tool.Decision
				notice                                        string
			}{
				{teamMade.Add(time.Hour), tool.Deny, tool.Ask, tool.Allow, tool.Allow, tool.Allow, tool.Deny, tool.Allow, ""},
				{teamUntil, tool.Deny, tool.Ask, tool.Allow, tool.Deny, tool.Allow, tool.Deny, tool.Ask, "expired on 2026-12-01"},
				{teamMade.Add(-48 * time.Hour), tool.Deny, tool.Ask, tool.Allow, tool.Deny, tool.Allow, tool.Deny, tool.Ask, "clock"},
			} {
				c, err := loadTeam(t, root, test.now, compiled)
				if err != nil {
					t.Fatalf("%s, compiled %v: %v", place, compiled, err)
				}
				c.UseMeans(0)
				for script, want := range map[string]tool.Decision{"df": test.df, "uptime": test.uptime, "uptime -p": test.uptimeP, "whoami": test.whoami, "du": test.du, "corpctl drop x": test.drop, "corpctl status": test.status} {
					if got, rule := decisionOf(c, script); got != want {
						t.Errorf("%s, compiled %v, at %s: %s is %s by %s, want %s", place, compiled, test.now, script, got, rule, want)
					}
				}
				expired := test.notice != ""
				if got, _ := decisionOf(c, "git reset --hard HEAD~3"); (got == tool.Ask) != expired {
					t.Errorf("%s, compiled %v, at %s: git reset is %s; only a bundle that counts switches a rule off", place, compiled, test.now, got)
				}
				if c.Guard.Policy.Safety == policy.Critical && expired {
					t.Errorf("%s: an expired bundle lowers the safety level", place)
				}
				if notice := strings.Join(c.Notices, "\n"); !strings.Contains(notice, test.notice) || expired != strings.Contains(notice, "bundle") {
					t.Errorf("%s, at %s: notices are %q", place, test.now, notice)
				}
				if c.Bundle == nil || c.Bundle.Title() != "acme 1.4" || c.Bundle.Path != filepath.Join(root, installed) {
					t.Errorf("the bundle in force is %+v", c.Bundle)
				}
			}
		}
	}
}

// TestBundleShelf: the compiled form of the administrator's bundle is only kept where no
// user can write, and is not taken from elsewhere.
func TestBundleShelf(t *testing.T) {
	root := tree(t, "home/p/.git/", "etc/bundle/current="+teamRules)
	if _, err := loadTeam(t, root, teamMade, false); err != nil {
		t.Fatal(err)
	}
	name := "rules-" + nameHash(filepath.Join(root, "etc/bundle/current")) + ".bin"
	var found []string
	_ = filepath.WalkDir(root, func(path string, _ os.DirEntry, _ error) error {
		if filepath.Base(path) == name {
			found = append(found, strings.TrimPrefix(path, root+"/"))
		}
		return nil
	})
	if len(found) != 1 || found[0] != "etc/compiled/"+name {
		t.Fatalf("the compiled form is at %q", found)
	}
	c := placesOf(Options{Dir: filepath.Join(root, "home/p"), Env: Env{"HOME=" + filepath.Join(root, "home")}, managed: filepath.Join(root, "etc")}).users.dir
	if err := errors.Join(os.MkdirAll(c, 0o700), os.Rename(filepath.Join(root, "etc/compiled", name), filepath.Join(c, name))); err != nil {
		t.Fatal(err)
	}
	if _, err := loadTeam(t, root, teamMade, true); !errors.Is(err, ErrNotCompiled) {
		t.Errorf("a user's compiled form of the administrator's bundle: %v", err)
	}
}

// TestBundleInDoubt: a bundle that others can write, that is broken or cut off makes every
// call ask; one whose key was taken back only forbids.
func TestBundleInDoubt(t *testing.T) {
	const installed = "home/.local/state/longline/bundle/current"
	now := teamMade.Add(time.Hour)
	root := tree(t, "home/p/.git/", installed+"="+teamRules)
	path := filepath.Join(root, installed)
	if c, err := loadTeam(t, root, now, false); err != nil || c.Trouble() != "" {
		t.Fatalf("%v, %+v", err, c)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := loadTeam(t, root, now, false)
	if err != nil || !strings.Contains(c.Trouble(), "the bundle is broken") {
		t.Fatalf("a bundle that everybody can write: %v, %q", err, c.Trouble())
	}
	if got, _ := decisionOf(c, "ls"); got != tool.Ask {
		t.Errorf("ls is %s", got)
	}
	for more, broken := range map[int]bool{0: false, 1: true} {
		large := teamRules + strings.Repeat("#", MaxBundle-len(teamRules)+more)
		if os.Chmod(path, 0o600) != nil || os.WriteFile(path, []byte(large), 0o600) != nil {
			t.Fatal(path)
		}
		if c, err = loadTeam(t, root, now, false); err != nil || strings.Contains(c.Trouble(), "larger than") != broken {
			t.Errorf("%d bytes: %v, %q", len(large), err, c.Trouble())
		}
	}
	if err := os.WriteFile(path, []byte(teamRules), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(teamRules+"# other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := loadTeam(t, root, now, true); !errors.Is(err, ErrNotCompiled) {
		t.Errorf("the compiled form of another text is used: %v", err)
	}
	if err := os.WriteFile(path, []byte("rulez"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err = loadTeam(t, root, now, false); err != nil || c.Trouble() == "" {
		t.Errorf("a broken bundle: %v", err)
	}
	if err := os.WriteFile(path, []byte(teamRules), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), RevokedFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, compiled := range []bool{false, true} {
		c, err := loadTeam(t, root, now, compiled)
		if err != nil || !strings.Contains(strings.Join(c.Notices, ""), "no longer counts") {
			t.Fatalf("revoked: %v, %q", err, c.Notices)
		}
		if got, _ := decisionOf(c, "df"); got != tool.Deny {
			t.Errorf("df is %s", got)
		}
		if got, _ := decisionOf(c, "corpctl status"); got != tool.Ask {
			t.Errorf("corpctl status is %s", got)
		}
	}
}

// TestBundleForAnotherLongline: a bundle that names a rule which is gone still forbids, and
// locks nobody out.
func TestBundleForAnotherLongline(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/.local/state/longline/bundle/current="+strings.Replace(teamRules, "git-discard", "gone", 1))
	c, err := loadTeam(t, root, teamMade.Add(time.Hour), false)
	if err != nil || c.Bundle.Lost == "" || c.Trouble() != "" {
		t.Fatalf("%v, %+v", err, c)
	}
	if got, _ := decisionOf(c, "df"); got != tool.Deny {
		t.Errorf("df is %s", got)
	}
	if got, _ := decisionOf(c, "rm -rf ~/"); got != tool.Deny {
		t.Errorf("rm is %s", got)
	}
}

// TestBundleIsGuarded: what a bundle rests on is written by no agent.
func TestBundleIsGuarded(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/.local/state/longline/bundle/current="+teamRules, "etc/sync.yaml=version: 1")
	c, err := loadTeam(t, root, teamMade.Add(time.Hour), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"home/.local/state/longline/bundle/current", "home/.local/state/longline/bundle/state.json", "etc/bundle/current", "etc/sync.yaml", "home/.config/longline/sync.yaml"} {
		for _, script := range []string{"cp x X", "rm X", "echo x > X", "mv X y"} {
			if got, _ := decisionOf(c, strings.ReplaceAll(script, "X", filepath.Join(root, name))); got != tool.Deny {
				t.Errorf("%s: %s is %s", name, script, got)
			}
		}
	}
}

// TestBundleModelsDoNotHide: of a program that longline knows, its own model counts.
func TestBundleModelsDoNotHide(t *testing.T) {
	models, err := modelfile.Compile(map[string][]byte{"rm.yaml": []byte("operands: text...\n")})
	if err != nil {
		t.Fatal(err)
	}
	lib := command.Builtin().Extended(command.Open(string(models)), "")
	inv := &command.Invocation{Dir: command.Known("/p", tool.Span{}), Words: []command.Word{command.Known("rm", tool.Span{}), command.Known("x", tool.Span{})}}
	lib.Read(inv, &tool.World{Home: "/h", Project: "/p"})
	if len(inv.Effects) == 0 || inv.Effects[0].Kind != tool.Delete {
		t.Errorf("rm does %v", inv.Effects)
	}
}
