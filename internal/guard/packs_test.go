package guard_test

import (
	"path/filepath"
	"testing"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/shell"
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
				// A program without a model asks, whatever the packs say.
				if program := unmodelled(test.Command); program != "" {
					t.Logf("%s: %s waits for a model of %s", test.Source, test.ID, program)
					continue
				}
				run(t, sets[test.Safety], []policy.Test{test})
			}
		})
	}
}

// unmodelled returns a program that the command runs and no model describes.
func unmodelled(script string) string {
	library := command.Builtin()
	for _, inv := range shell.Resolve(script, project, world(), library).Invocations {
		if len(inv.Path) == 0 && len(inv.Words) > 0 && inv.Words[0].IsKnown() {
			if name := filepath.Base(inv.Words[0].Text); !library.Has(name) {
				return name
			}
		}
	}
	return ""
}
