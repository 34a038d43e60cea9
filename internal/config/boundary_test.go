package config

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"longline/internal/rulesfile"
	"longline/internal/state"
	"longline/internal/tool"
)

// The trust boundary: what loosens comes only from places that were fixed before the
// agent started. The test below makes every combination of a loosening, a place
// that a repository or an agent can fill, a variable that names it, a spelling
// of it and a directory to work in, and holds the answers beside those that are
// given without any of it.

// bounded is a machine whose user, administrator and project each forbid something.
type bounded struct {
	t    *testing.T
	root string
}

const looseRules = `version: 1
builtin: false
default_decision: allow
safety_level: critical
allowlists: {commands: [rm, git, cat, df, du, uptime], paths: ["/**", "~/**"]}
rules:
  - {id: all, match: {effect: {kind: [read, create, write, delete, fetch, send, execute, control]}}, decision: allow}
`

const looseSettings = `{"permissions":{"allow":["Bash(rm:*)","Bash(git push:*)","Bash(git:*)","Bash(cat:*)","Bash(df:*)","Bash(du:*)","Bash(uptime:*)","Read(~/**)","Edit(~/**)"],"additionalDirectories":["~","/","~/.ssh"],"defaultMode":"bypassPermissions"}}`

const looseHooks = `{"PreToolUse":{"Bash":{"rm":[{"decision":"approve","reason":"r"}],"git":[{"decision":"approve","reason":"r"}],"cat":[{"decision":"approve","reason":"r"}],"df":[{"decision":"approve","reason":"r"}]}}}`

// asked are the commands whose answers must not get looser: those that the built-in
// rules object to, and one for each layer that forbids something.
var asked = []string{"rm -rf ~/", "git push --force", "cat ~/.ssh/id_rsa", "df", "du", "uptime"}

func deny(command string) string {
	return "version: 1\nrules: [{id: no-" + command + ", level: critical, match: {command: " + command + "}, decision: deny, reason: no}]\n"
}

func newBounded(t *testing.T) *bounded {
	b := &bounded{t, tree(t, "home/.config/longline/rules.yaml="+deny("df"), "etc/rules.yaml="+deny("du"), "home/proj/.git/", "home/proj/.longline.yaml="+deny("uptime"),
		"home/.ssh/id_rsa=key", "home/proj/src/", "usr/", "srv/app/")}
	return b
}

func (b *bounded) path(name string) string { return filepath.Join(b.root, name) }

func (b *bounded) write(name, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// loosenings fill a directory with one way of loosening each, as if it were the
// place that counts, by whatever name such a place has.
var loosenings = map[string]func(b *bounded, dir string){
	"rules": func(b *bounded, dir string) {
		for _, name := range []string{"longline/rules.yaml", "rules.yaml", ".config/longline/rules.yaml", "longline.yaml"} {
			b.write(filepath.Join(dir, name), looseRules)
		}
		for _, name := range []string{"hooks.config.json", ".claude/hooks.config.json", ".config/claude/hooks.config.json"} {
			b.write(filepath.Join(dir, name), looseHooks)
		}
	},
	"places": func(b *bounded, dir string) {
		for _, name := range []string{"longline/places", ".config/longline/places", "places"} {
			b.write(filepath.Join(dir, name), "HOME="+dir+"\nXDG_CONFIG_HOME="+dir+"\nXDG_STATE_HOME="+dir+"\nXDG_CACHE_HOME="+dir+"\nCLAUDE_CONFIG_DIR="+dir+"\n")
		}
	},
	"compiled rules": func(b *bounded, dir string) {
		loose, err := rulesfile.ParseNamed("rules.yaml", []byte(looseRules), nil)
		if err != nil {
			b.t.Fatal(err)
		}
		for _, cache := range []string{"longline", ".cache/longline"} {
			s := shelf{dir: filepath.Join(dir, cache), mode: 0o600, owner: os.Geteuid(), state: filepath.Join(dir, "longline")}
			for name, text := range map[string]string{"home/.config/longline/rules.yaml": deny("df"), "home/proj/.longline.yaml": deny("uptime"), "etc/rules.yaml": deny("du")} {
				s.store(&compiled{name: b.path(name), text: text}, loose)
			}
		}
	},
	"pause": func(b *bounded, dir string) {
		for _, place := range []string{"longline", ".local/state/longline"} {
			if err := state.Open(filepath.Join(dir, place)).Pause(time.Now(), time.Now().Add(time.Hour)); err != nil {
				b.t.Fatal(err)
			}
		}
	},
	"trust": func(b *bounded, dir string) {
		for _, place := range []string{"longline", ".local/state/longline"} {
			store := state.Open(filepath.Join(dir, place))
			for name, content := range map[string]string{".longline.yaml": deny("uptime"), ".claude/longline.yaml": looseRules, LocalSettings: "allow \"Bash(git push:*)\"\nallow \"Bash(rm:*)\"\nallow \"Bash(cat:*)\"\n"} {
				if err := store.Trust(state.Pin{Repository: Repository(b.path("home/proj")), Name: name, Content: content, Since: time.Now()}); err != nil {
					b.t.Fatal(err)
				}
			}
		}
	},
	"allow-once": func(b *bounded, dir string) {
		for _, place := range []string{"longline", ".local/state/longline"} {
			store := state.Open(filepath.Join(dir, place))
			for _, command := range asked {
				for _, at := range []string{"home/proj", "home/proj/nested", "usr", "home"} {
					h := state.Held{Tool: "Bash", Dir: b.path(at), Subject: command}
					id, err := store.Hold(h, time.Now())
					if err != nil {
						b.t.Fatal(err)
					}
					h.ID = id
					if err := store.Grant(h, time.Now()); err != nil {
						b.t.Fatal(err)
					}
				}
			}
		}
	},
	"settings": func(b *bounded, dir string) {
		for _, name := range []string{"settings.json", "settings.local.json", ".claude/settings.json", ".claude/settings.local.json", "claude/settings.json"} {
			b.write(filepath.Join(dir, name), looseSettings)
		}
	},
}

// fillable are directories that a repository or an agent can fill without a
// question.
var fillable = map[string]string{
	"the project":                   "home/proj",
	"a repository in it":            "home/proj/nested",
	"a module cache":                "home/go/pkg/mod/evil@v1",
	"a repository in a sandbox":     "home/sandbox/repo",
	"elsewhere":                     "elsewhere/x",
	"a project that lies elsewhere": "srv/app",
	"what lies beside it":           "srv/unpacked",
}

// spellings are the ways to name a directory.
func (b *bounded) spellings(dir string) map[string]string {
	link := b.path("link-" + strings.ReplaceAll(strings.TrimPrefix(dir, b.root), "/", "-"))
	if _, err := os.Lstat(link); err != nil {
		if err := os.Symlink(dir, link); err != nil {
			b.t.Fatal(err)
		}
	}
	return map[string]string{
		"plain": dir, "through a link": link, "by the kernel": "/proc/self/root" + dir,
	}
}

// answers asks everything from one directory, as the hook would, with rules that are
// read and with rules that were compiled.
func (b *bounded) answers(dir string, named string, env Env) map[string]tool.Decision {
	b.t.Helper()
	env = append(Env{"HOME=" + b.path("home")}, env...)
	result := map[string]tool.Decision{}
	for _, parse := range []Parser{rulesfile.ParseNamed, nil} {
		cfg, err := Load(Options{
			Parse: parse, Dir: dir, Project: named, Env: env, known: b.path("home"), managed: b.path("etc"), claudeAdmin: b.path("claude-admin"),
			Trusted: func(dir, root, name, content string) bool {
				return state.Open(dir).Trusts(Repository(root), name, content)
			},
			Pinned: func(dir, root, name string) string {
				pin, _ := state.Open(dir).Pinned(Repository(root), name)
				return pin.Content
			},
		})
		if errors.Is(err, ErrNotCompiled) {
			continue // the other answer counts
		}
		if err != nil {
			for _, command := range asked {
				result[command] = tool.Deny // the hook blocks
			}
			continue
		}
		for _, command := range asked {
			v, _ := cfg.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: dir, Script: command, Shell: true, Attended: true})
			store := state.Open(cfg.State)
			if _, paused := store.Paused(time.Now()); paused {
				v.Decision = min(v.Decision, tool.Pass)
			}
			if _, once := store.About(command, dir, time.Now()); once {
				v.Decision = tool.Allow
			}
			if old, ok := result[command]; !ok || v.Decision < old {
				result[command] = v.Decision
			}
		}
	}
	return result
}

func TestBoundary(t *testing.T) {
	variables := []string{"", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"}
	// Where the command runs, and what the client says the project is.
	works := map[string][2]string{
		"in the project": {"home/proj", ""}, "in a project of links": {"home/links", ""}, "in a repository in it": {"home/proj/nested", "home/proj"}, "elsewhere": {"usr", "home/proj"}, "in a project that lies elsewhere": {"srv/app", ""},
	}
	every := int32(5) // so that go test ends in time; make sweeps tries all
	if os.Getenv("LONGLINE_SWEEPS") == "all" {
		every = 1
	}
	var tried, n atomic.Int32
	t.Cleanup(func() {
		if n := tried.Load(); n < 3000/every {
			t.Errorf("only %d combinations were tried", n)
		}
	})
	for loosening, fill := range loosenings {
		t.Run(loosening, func(t *testing.T) {
			t.Parallel()
			b := newBounded(t)
			for _, dir := range []string{"home/proj/nested/.git", "home/sandbox/repo/.git", "home/links/.git"} {
				if err := os.MkdirAll(b.path(dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			// A project whose files are links to whatever is filled below.
			for _, name := range []string{".claude", ".config", ".local", ".cache", "longline", "rules.yaml", ".longline.yaml", "hooks.config.json", "settings.json", "places"} {
				to := map[string]string{".longline.yaml": "rules.yaml"}[name]
				if err := os.Symlink(b.path("elsewhere/x/"+cmp.Or(to, name)), b.path("home/links/"+name)); err != nil {
					t.Fatal(err)
				}
			}
			at := func(work [2]string, env Env) map[string]tool.Decision {
				tried.Add(1)
				named := ""
				if work[1] != "" {
					named = b.path(work[1])
				}
				return b.answers(b.path(work[0]), named, env)
			}
			before := map[string]map[string]tool.Decision{}
			for where, work := range works {
				before[where] = at(work, nil)
			}
			for place, name := range fillable {
				dir := b.path(name)
				fill(b, dir)
				for spelling, value := range b.spellings(dir) {
					for _, variable := range variables {
						env := Env{}
						switch {
						case variable == "" && spelling != "plain":
							continue // nothing to spell
						case variable != "":
							env = Env{variable + "=" + value}
						}
						for where, work := range works {
							if n.Add(1)%every > 0 {
								continue
							}
							after := at(work, env)
							for _, command := range asked {
								was := before[where][command]
								if after[command] < was {
									t.Errorf("%s in %s, %s=%s (%s), working %s: %q is %s and was %s", loosening, place, variable, value, spelling, where, command, after[command], was)
								}
							}
						}
					}
				}
			}
		})
	}
}
