package owner

import (
	"slices"
	"strings"
	"testing"
)

// What owner.txt says is in the files that cannot ask for it.
func TestAgreement(t *testing.T) {
	for _, p := range Disagreements("../..") {
		t.Error(p)
	}
	for _, name := range facts {
		if Fact(name) == "" {
			t.Errorf("owner.txt does not say %s", name)
		}
	}
}

// A release is refused while a fact is a placeholder, a file disagrees, or a plugin has another version, and
// for nothing else.
func TestRelease(t *testing.T) {
	saved := text
	defer func() { text = saved }()
	about := func(problems []string, words string) bool {
		return slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, words) })
	}
	text = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(saved, "example.invalid", "longline.dev"), "longline.invalid", "longline.dev"), "npm-claimed  no", "npm-claimed  yes")
	if problems := Problems("../..", "v9.9.9"); !about(problems, "SECURITY.md") || !about(problems, "maintainer") || !about(problems, "plugin.json has version") || about(problems, "placeholder") {
		t.Errorf("%q", problems)
	}
	text = strings.Replace(text, "security@longline.dev", "security@example.invalid", 1)
	if problems := Problems("../..", "v9.9.9"); !about(problems, `security is a placeholder`) {
		t.Errorf("%q", problems)
	}
	text = strings.Replace(text, "npm-claimed  yes", "npm-claimed  no", 1)
	if problems := Problems("../..", "v9.9.9"); !about(problems, `npm-claimed is a placeholder`) {
		t.Errorf("%q", problems)
	}
}
