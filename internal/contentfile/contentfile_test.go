package contentfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/content"
)

const dir = "../content/rules"

func packs(t *testing.T) []*File {
	t.Helper()
	paths, err := filepath.Glob(dir + "/*.yaml")
	texts := map[string][]byte{}
	for _, p := range paths {
		if err == nil {
			texts[filepath.Base(p)], err = os.ReadFile(p)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := ParseAll(texts)
	if err != nil || len(files) == 0 {
		t.Fatal("no packs", err)
	}
	return files
}

// The form that is embedded is what the packs say.
func TestRulesAreCompiled(t *testing.T) {
	want, err := Compile(packs(t)...)
	if err != nil {
		t.Fatal(err)
	}
	const path = "../content/rules.txt"
	if have, err := os.ReadFile(path); err != nil || string(have) != want {
		t.Errorf("%s is not what the packs say; run go generate ./... (%v)", path, err)
	}
}

// What stands beside the rules holds, and each rule has a text that it finds.
func TestPacks(t *testing.T) {
	files := packs(t)
	text, err := Compile(files...)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := content.ReadWithout(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for _, f := range files {
		for _, test := range f.Tests {
			report := rules.Scan(test.Name, []byte(test.Text))
			found := map[string]bool{}
			for _, f := range report.Findings {
				found[f.Rule] = true
			}
			if test.Rule != "" && !found[test.Rule] {
				t.Errorf("%s: %q: %s finds nothing", test.Source, test.Text, test.Rule)
			}
			if test.Not != "" && found[test.Not] {
				t.Errorf("%s: %q: %s finds something", test.Source, test.Text, test.Not)
			}
			if test.Verdict != "" && report.Verdict.String() != test.Verdict {
				t.Errorf("%s: %q is %v (%.1f), want %s", test.Source, test.Text, report.Verdict, report.Score, test.Verdict)
			}
			tested[test.Rule] = true
		}
	}
	for _, r := range rules.List() {
		if !tested[r.ID] {
			t.Errorf("%s: %s has no test", r.Source, r.ID)
		}
		if !strings.Contains(r.Source, ":") || r.Reason == "" {
			t.Errorf("%s does not say where it is from or what it is about", r.ID)
		}
	}
}
