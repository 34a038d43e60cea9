package rulesfile

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"longline/internal/policy"
)

const packsDir = "../policy/packs"

// packs are the packs as they are shipped, with their tests, and the zones.
func packs(t testing.TB) (*policy.File, []byte) {
	t.Helper()
	paths, err := filepath.Glob(packsDir + "/*.yaml")
	files := map[string][]byte{}
	for _, path := range paths {
		if err == nil {
			files[filepath.Base(path)], err = os.ReadFile(path)
		}
	}
	if err != nil || len(files) == 0 {
		t.Fatalf("%d packs: %v", len(files), err)
	}
	rules, zones, err := Packs(files)
	if err != nil {
		t.Fatal(err)
	}
	return rules, zones
}

func readPacks(t testing.TB) *policy.File {
	t.Helper()
	rules, _ := packs(t)
	return rules
}

func TestPacksAreCompiled(t *testing.T) {
	rules, zones := packs(t)
	for name, want := range map[string][]byte{"rules.bin": policy.Encode(rules), "zones.bin": zones} {
		path := filepath.Join(packsDir, name)
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what the packs say; run go generate ./... (%v)", path, err)
		}
	}
}

// Every rule tells the person what it saw and the agent what to do instead.
func TestPacksExplainThemselves(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range readPacks(t).Rules {
		if ids[r.ID] {
			t.Errorf("%s: %s is there twice", r.Source, r.ID)
		}
		ids[r.ID] = true
		if r.Reason == "" || r.Decision >= 0 && r.Suggest == "" {
			t.Errorf("%s: %s lacks a reason or a suggestion", r.Source, r.ID)
		}
	}
	for _, test := range readPacks(t).Tests {
		if test.ID == "" || test.Rule != "" && !ids[test.Rule] {
			t.Errorf("%s: test %q speaks of the rule %q, which is not there", test.Source, test.ID, test.Rule)
		}
	}
}
