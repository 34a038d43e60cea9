package guard_test

import (
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// TestPacks runs the tests inside the packs that longline brings, all packs
// together, each test at the safety level it names.
func TestPacks(t *testing.T) {
	sets := map[policy.Level]*policy.Set{}
	for _, level := range []policy.Level{0, policy.Critical, policy.High, policy.Strict} {
		packs, err := policy.BuiltinFile()
		if err != nil {
			t.Fatal(err)
		}
		if sets[level], _, err = policy.Merge(packs, nil, &policy.File{Safety: level}, nil); err != nil {
			t.Fatal(err)
		}
	}
	rules := func(name string, text []byte) (*policy.File, error) {
		if filepath.Base(name) == "zones.yaml" {
			return &policy.File{}, nil
		}
		return rulesfile.Parse(name, text, nil)
	}
	for name, f := range read(t, "../policy/packs/*.yaml", rules) {
		t.Run(name, func(t *testing.T) {
			for _, test := range f.Tests {
				if test.Dir == "" && unmodelled(sets[test.Safety], test.Command) {
					t.Logf("%s: %s waits for a model of a program", test.Source, test.ID)
					continue
				}
				run(t, sets[test.Safety], []policy.Test{test})
			}
		})
	}
}

// unmodelled says whether a command asks because there is no model of a program
// in it, and so whatever the packs say.
func unmodelled(set *policy.Set, script string) bool {
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true}, world())
	return v.Rule == policy.UnknownID && strings.Contains(v.Reason, "knows no program")
}
