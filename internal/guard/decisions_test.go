package guard_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/guard"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

const (
	home    = "/home/dev"
	project = "/home/dev/proj"
)

// world is a machine on which nothing exists, so that decisions do not depend
// on where the tests run.
func world() *tool.World {
	return &tool.World{
		Home: home, Project: project, User: "dev",
		Guard: []string{home + "/.config/longline", home + "/.claude/hooks-logs/longline.jsonl", "/etc/longline", "/usr/local/bin/longline"},
		Getenv: func(name string) (string, bool) {
			if name == "HOME" {
				return home, true
			}
			return "", false
		},
		ReadFile:   func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		ReadSecret: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		Readlink:   func(string) (string, error) { return "", tool.ErrNotLink },
		Exists:     func(path string) bool { return path == "/tmp/." },
	}
}

// realDisk is the machine that the tests run on, for a user of bash with a home directory
// and a project on it, and the policy that they are judged by.
func realDisk(g *guard.Guard, home, project string) *tool.World {
	w := config.World(config.Env{"SHELL=/bin/bash"}, config.Site{Project: project}, home)
	w.Protected = func(path string) bool { return g.Policy.Protected(w, path) }
	return w
}

// shipped is the policy of somebody who has written no rules.
func shipped() (*policy.Set, error) {
	packs, err := policy.BuiltinFile()
	if err != nil {
		return nil, err
	}
	set, _, err := policy.Merge(packs, nil, nil, nil)
	return set, err
}

// builtin is a guard with that policy.
func builtin(t testing.TB) *guard.Guard {
	t.Helper()
	set, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	return &guard.Guard{Library: command.Builtin(), Policy: set}
}

// read parses the files that match a pattern, by their names.
func read[T any](t testing.TB, pattern string, parse func(name string, text []byte) (T, error)) map[string]T {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]T{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimSuffix(filepath.Base(name), ".yaml")] = f
	}
	return files
}

// zshWorld is that machine for somebody whose shell may be zsh.
func zshWorld() *tool.World {
	w := world()
	w.Zsh = true
	return w
}

// run judges the tests of a file and says what is not as wanted.
func run(t *testing.T, set *policy.Set, tests []policy.Test) { runIn(t, set, tests, world) }

func runIn(t *testing.T, set *policy.Set, tests []policy.Test, world func() *tool.World) {
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	for _, test := range tests {
		dir := test.Dir
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(project, dir)
		}
		call := tool.Call{Tool: "Bash", Dir: dir, Script: test.Command, Shell: true, Edits: test.Edits, Attended: true}
		call.Past = g.PastOf(test.Session, call, world())
		w := world()
		if test.Means&tool.Undo != 0 {
			w.Undo = func(path string) bool { return paths.Within(path, project) }
		}
		v, _ := g.Judge(call, w)
		if v.Decision != test.Decision {
			t.Errorf("%s: %s\n\t%s\n\tgot %s, want %s: [%s] %s", test.Source, test.ID, test.Command, v.Decision, test.Decision, v.Rule, v.Reason)
			continue
		}
		spoke := test.Rule == "" || test.Rule == v.Rule
		for _, f := range v.Findings {
			spoke = spoke || f.Rule == test.Rule && f.Decision == v.Decision
		}
		if !spoke {
			t.Errorf("%s: %s\n\t%s\n\t%s by %q, want it by %q", test.Source, test.ID, test.Command, v.Decision, v.Rule, test.Rule)
		}
	}
}

// TestDecisions holds the shipped policy to the decisions in testdata; those of the files zsh*.yaml are
// about a shell that may be zsh. There is no flag that updates them: a decision changes by hand or not at all.
func TestDecisions(t *testing.T) {
	set, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for name, tests := range read(t, "testdata/decisions/*.yaml", rulesfile.ParseTests) {
		total += len(tests)
		where := world
		if strings.HasPrefix(name, "zsh") {
			where = zshWorld
		}
		t.Run(name, func(t *testing.T) { runIn(t, set, tests, where) })
	}
	if total < 300 {
		t.Errorf("only %d decisions", total)
	}
}

// TestMatchers runs the tests inside the rules files of testdata, each on that
// file alone: one file per matcher.
func TestMatchers(t *testing.T) {
	rules := func(name string, text []byte) (*policy.File, error) { return rulesfile.Parse(name, text, nil) }
	for name, f := range read(t, "testdata/matchers/*.yaml", rules) {
		t.Run(name, func(t *testing.T) {
			set, _, err := policy.Merge(nil, nil, f, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Tests) == 0 {
				t.Fatal("no tests")
			}
			run(t, set, f.Tests)
		})
	}
}
