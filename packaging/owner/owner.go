// Package owner knows the facts that only the owner of the project can fill in, from owner.txt, and says
// what keeps a release from going out with them.
package owner

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed owner.txt
var text string

// Fact is what owner.txt says under a name, or "".
func Fact(name string) string {
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` +(.*)$`).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return strings.TrimSpace(m[1])
}

var facts = []string{"name", "email", "security", "homepage", "releases", "github", "npm", "npm-claimed"}

// Disagreements are the files below root that say something else than owner.txt. Tools that run when a release is made ask [Fact];
// these files are read as they are.
func Disagreements(root string) (problems []string) {
	user, repository, _ := strings.Cut(Fact("github"), "/")
	for _, want := range [...]struct{ file, text string }{
		{".goreleaser.yaml", "maintainer: " + Fact("name") + " <" + Fact("email") + ">\n"},
		{".goreleaser.yaml", "github: {owner: " + user + ", name: " + repository + "}\n"},
		{"SECURITY.md", "<" + Fact("security") + ">"},
	} {
		have, err := os.ReadFile(filepath.Join(root, want.file))
		if err != nil || !strings.Contains(string(have), want.text) {
			problems = append(problems, fmt.Sprintf("%s does not have %q", want.file, strings.TrimSpace(want.text)))
		}
	}
	return problems
}

// Problems are what keeps a version from being released: placeholders, files that disagree, plugins of another version.
func Problems(root, version string) (problems []string) {
	for _, name := range facts {
		value := Fact(name)
		if value == "" || strings.Contains(value, ".invalid") || strings.Contains(value, "example.") || name == "npm-claimed" && value != "yes" {
			problems = append(problems, fmt.Sprintf("packaging/owner/owner.txt: %s is a placeholder: %q", name, value))
		}
	}
	problems = append(problems, Disagreements(root)...)
	for _, file := range [...]string{"plugins/claude/.claude-plugin/plugin.json", "plugins/gemini/gemini-extension.json"} {
		var plugin struct{ Version string }
		have, err := os.ReadFile(filepath.Join(root, file))
		if err == nil {
			err = json.Unmarshal(have, &plugin)
		}
		if err != nil || "v"+plugin.Version != version {
			problems = append(problems, fmt.Sprintf("%s has version %q, and the release is %q; see internal/install/plugins.go", file, plugin.Version, version))
		}
	}
	return problems
}
