package longline_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentLinks follows every link from one document to another: the file is there,
// and the heading that the link names.
func TestDocumentLinks(t *testing.T) {
	names, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, name := range append(names, "README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md") {
		for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(unfenced(t, name), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			path, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if path != "" {
				target = filepath.Join(filepath.Dir(name), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere", name, m[1])
			} else if anchor != "" && !headings(unfenced(t, target))[anchor] {
				t.Errorf("%s: %s names a heading that is not there", name, m[1])
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links found", links)
	}
}

// unfenced is a document without its blocks of code.
func unfenced(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(string(text), "")
}

// headings are the anchors of a document, as forges make them from its headings.
func headings(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		plain := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(m[1]), "")
		anchors[strings.ReplaceAll(plain, " ", "-")] = true
	}
	return anchors
}
