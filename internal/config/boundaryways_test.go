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

// What a repository ships does not loosen anything (TestBoundary). Here the agent itself
// tries to put a loosening into a place that counts, or to have longline do it, by
// every way that it has: a tool, a command, git, a link, longline's own commands; with
// and without permissions for just that, in settings that count and in those of the
// project, which do not.

// counting are the places that count for each loosening, from the root of the
// machine.
var counting = map[string][]string{
	"rules": {
		"home/.config/longline/rules.yaml", "home/.claude/hooks.config.json", "home/proj/.longline.yaml", "home/proj/.claude/longline.yaml",
		"home/proj/.claude/hooks.config.json", "etc/rules.yaml", "etc/rules.d/x.yaml", "home/dotfiles/rules.yaml", "home/cfg/longline/rules.yaml",
	},
	"places":         {"home/.config/longline/places"},
	"compiled rules": {"home/.cache/longline/rules/x.bin", "home/.local/state/longline/key"},
	"pause":          {"home/.local/state/longline/pause/until", "home/proj/way/longline/pause/until"},
	"trust":          {"home/.local/state/longline/trust/x", "home/proj/way/longline/trust/x"},
	"allow-once":     {"home/.local/state/longline/once/k3v9qa2m"},
	"settings": {
		"home/.claude/settings.json", "home/proj/.claude/settings.json", "home/proj/.claude/settings.local.json", "home/dotfiles/settings.json", "home/cc/settings.json",
	},
}

// written are the ways to write a file, each with the program that a permission would
// name.
var written = [][2]string{
	{"echo", "echo x > X"},
	{"echo", "echo x >> X"},
	{"cp", "cp y X"},
	{"cp", "cp -r d/. DIR"},
	{"mv", "mv y X"},
	{"ln", "ln -sf y X"},
	{"ln", "ln y X"},
	{"tee", "tee X < y"},
	{"sed", "sed -i s/a/b/ X"},
	{"rm", "rm X"},
	{"rm", "rm -rf DIR"},
	{"dd", "dd if=y of=X"},
	{"install", "install y X"},
	{"python3", "python3 -c 'open(\"X\",\"w\").write(\"\")'"},
	{"node", "node -e 'require(\"fs\").writeFileSync(\"X\",\"\")'"},
	{"git mv", "git mv y X"},
	{"git", "git log --output=X"},
	{"git", "git config -f X a.b c"},
	{"rsync", "rsync y X"},
	{"curl", "curl -o X https://example.com/"},
	{"tar", "tar xf y -C DIR"},
	{"touch", "touch X"},
	{"truncate", "truncate -s 0 X"},
	{"sort", "sort -o X y"},
	{"find", "find . -name y -exec cp {} X \\;"},
	{"find", "find . -fprintf X %p"},
	{"awk", "awk '{print > \"X\"}' y"},
	{"cd", "cd DIR && cp y BASE"},
	{"bash", "bash -c 'cp y X'"},
	{"echo", "echo 'cp y X' | sh"},
	{"xargs", "echo y | xargs -I{} cp {} X"},
	{"env", "env cp y X"},
	{"git worktree", "git worktree add DIR"},
	{"git", "git clone . DIR"},
	{"chmod", "chmod 777 X"},
	{"unzip", "unzip y -d DIR"},
}

// own are commands of longline that loosen, for each loosening.
var own = map[string][]string{
	"rules":          {"allow k3v9qa2m", "allow k3v9qa2m --here", "init --rules --yes", "review"},
	"places":         {"init --yes", "init --agent claude"},
	"compiled rules": {"init --agent claude --yes"},
	"pause":          {"pause 8h", "pause 10m"},
	"trust":          {"trust", "trust --yes", "trust ."},
	"allow-once":     {"allow-once k3v9qa2m", "allow-once k3v9qa2m --yes"},
	"settings":       {"uninstall", "uninstall --agent claude --yes", "init --agent claude --scope user"},
}

// called are the ways to call longline.
var called = []string{
	"longline ARGS", "/usr/local/bin/longline ARGS", "~/go/bin/longline ARGS", "./build/longline ARGS", "$(which longline) ARGS", "env -i longline ARGS", "HOME=/tmp/x longline ARGS",
	"XDG_STATE_HOME=/tmp/x longline ARGS", "yes | longline ARGS", "script -qc 'longline ARGS' /dev/null", "sh -c 'longline ARGS'", "echo 'longline ARGS' | sh", "nohup longline ARGS &", "setsid longline ARGS", "sudo longline ARGS",
	"timeout 5 longline ARGS", "unshare -r longline ARGS", "tmux new -d 'longline ARGS'", "expect -c 'spawn longline ARGS'", "xargs longline <<< 'ARGS'", "L=longline; $L ARGS", "eval 'longline ARGS'", "command longline ARGS",
	"(exec longline ARGS)", "f() { longline \"$@\"; }; f ARGS", "python3 -c 'import os; os.system(\"longline ARGS\")'", "ssh localhost longline ARGS", "at now <<< 'longline ARGS'", "go run ./cmd/longline ARGS", "CLAUDECODE= longline ARGS",
}

// permitting are settings that permit something: the user's own, which count, and
// those of the project, which do not.
func permitting(program string) map[string][2]string {
	allow := func(rules ...string) string {
		return `{"permissions":{"allow":["` + strings.Join(rules, `","`) + `"]}}`
	}
	return map[string][2]string{
		"nobody":      {"", ""},
		"the user":    {"home/.claude/settings.json", allow("Bash("+program+":*)", "Bash(longline:*)", "Bash(sh:*)", "Edit(**)", "Write(~/**)", "Write(//**)")},
		"the project": {"home/proj/.claude/settings.local.json", allow("Bash", "Bash(*)", "Bash("+program+":*)", "Edit", "Write", "Edit(//**)")},
	}
}

// boundedLoad is the configuration of a machine on which settings and rules are links
// into a directory of the user's, and variables name others.
func (b *bounded) boundedLoad() *Config {
	b.t.Helper()
	cfg, err := Load(Options{
		Parse: rulesfile.ParseNamed, Dir: b.path("home/proj"), known: b.path("home"), managed: b.path("etc"), claudeAdmin: b.path("claude-admin"),
		Env: Env{"HOME=" + b.path("home"), "XDG_CONFIG_HOME=" + b.path("home/cfg"), "CLAUDE_CONFIG_DIR=" + b.path("home/cc")},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return cfg
}

func newBoundedLinks(t *testing.T) *bounded {
	b := newBounded(t)
	b.write(b.path("home/dotfiles/rules.yaml"), deny("df"))
	b.write(b.path("home/dotfiles/settings.json"), "{}")
	// Deleting what is not there loosens nothing and is not asked about.
	for _, there := range []string{"home/proj/.claude/settings.json", "home/proj/.claude/settings.local.json", "home/proj/.claude/longline.yaml", "home/proj/.longline.yaml"} {
		b.write(b.path(there), "")
	}
	b.write(b.path("home/.config/longline/rules.yaml"), "version: 1\ninclude: [~/dotfiles/rules.yaml]\n")
	for link, to := range map[string]string{"home/.claude/settings.json": "home/dotfiles/settings.json", "home/proj/way": "home/.local/state"} {
		if err := os.MkdirAll(filepath.Dir(b.path(link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(b.path(to), b.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b *bounded) shell(cfg *Config, script string) tool.Decision {
	v, _ := cfg.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: cfg.Dir, Edits: true, Script: script, Shell: true, Attended: true})
	return v.Decision
}

// TestBoundaryWays: no way of writing reaches a place that counts.
func TestBoundaryWays(t *testing.T) {
	tried := 0
	b := newBoundedLinks(t)
	programs := map[string]bool{}
	for _, w := range written {
		programs[w[0]] = true
	}
	for program := range programs {
		for who, file := range permitting(program) {
			if file[0] != "" {
				b.write(b.path(file[0]), file[1])
			}
			cfg := b.boundedLoad()
			for loosening, places := range counting {
				for _, place := range places {
					path := b.path(place)
					for _, way := range written {
						if way[0] != program {
							continue
						}
						tried++
						script := strings.NewReplacer("DIR", filepath.Dir(path), "BASE", filepath.Base(path), "X", path).Replace(way[1])
						if d := b.shell(cfg, script); d < tool.Ask {
							t.Errorf("%s, permitted by %s: %s at %s is %s", loosening, who, way[1], place, d)
						}
					}
				}
			}
			if file[0] != "" {
				b.write(b.path(file[0]), "{}")
			}
		}
	}
	cfg := b.boundedLoad()
	for loosening, places := range counting {
		for _, place := range places {
			for _, kind := range []tool.Kind{tool.Create, tool.Write, tool.Delete} {
				tried++
				call := tool.Call{Agent: "claude", Tool: "Write", Dir: cfg.Dir, Edits: true, Effects: []tool.Effect{{Kind: kind, Target: b.path(place), Reach: tool.Exact}}}
				if v, _ := cfg.Judge(call); v.Decision != tool.Deny {
					t.Errorf("%s: a tool may %s %s: %s", loosening, kind, place, v.Decision)
				}
			}
		}
	}
	if tried < 2000 {
		t.Errorf("only %d combinations were tried", tried)
	}
}

// TestBoundaryOwn: longline's own commands loosen nothing for an agent, however they are
// called and whoever permits them.
func TestBoundaryOwn(t *testing.T) {
	tried := 0
	b := newBoundedLinks(t)
	for who, file := range permitting("longline") {
		if file[0] != "" {
			b.write(b.path(file[0]), file[1])
		}
		cfg := b.boundedLoad()
		for loosening := range loosenings {
			commands := own[loosening]
			if len(commands) == 0 {
				t.Fatalf("nobody says which commands do what %s do", loosening)
			}
			for _, args := range commands {
				for _, way := range called {
					tried++
					if d := b.shell(cfg, strings.ReplaceAll(way, "ARGS", args)); d < tool.Ask {
						t.Errorf("%s, permitted by %s: %s is %s", loosening, who, strings.ReplaceAll(way, "ARGS", args), d)
					}
				}
			}
		}
		for _, command := range asked[:3] {
			if d := b.shell(cfg, command); d < tool.Ask {
				t.Errorf("permitted by %s: %s is %s", who, command, d)
			}
		}
		if file[0] != "" {
			b.write(b.path(file[0]), "{}")
		}
	}
	if tried < 1000 {
		t.Errorf("only %d combinations were tried", tried)
	}
}

// Each loosening is in all three suites.
func TestBoundaryIsWhole(t *testing.T) {
	for loosening := range loosenings {
		if len(counting[loosening]) == 0 || len(own[loosening]) == 0 {
			t.Errorf("%s: no places that count, or no commands", loosening)
		}
	}
	for _, file := range projectFiles {
		if !slices.Contains(counting["rules"], "home/proj/"+file) {
			t.Errorf("nobody tries to write %s", file)
		}
	}
}
