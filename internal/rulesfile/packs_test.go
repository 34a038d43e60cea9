package rulesfile

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"longline/internal/policy"
)

var update = flag.Bool("update", false, "write the compiled packs anew")

const packsDir = "../policy/packs"

// readPacks reads all packs as they are shipped, with their tests.
func readPacks(t testing.TB) *policy.File {
	t.Helper()
	names, err := filepath.Glob(packsDir + "/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no packs: %v", err)
	}
	var files []*policy.File
	for _, name := range names {
		if filepath.Base(name) == "zones.yaml" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse(filepath.Base(name), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	all, err := Join("builtin", files)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestPacksAreCompiled(t *testing.T) {
	zonesText, err := os.ReadFile(packsDir + "/zones.yaml")
	if err != nil {
		t.Fatal(err)
	}
	zones, err := ParseZones("zones.yaml", zonesText)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"rules.bin": policy.Encode(readPacks(t)), "zones.bin": zones} {
		path := filepath.Join(packsDir, name)
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what the packs say; run go generate ./internal/policy (%v)", path, err)
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
