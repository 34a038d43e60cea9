package longline_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every fault of the document names tests, and they exist: `TestX` is a function,
// in `TestX/case` the case is written in the function's file.
func TestFaultsHaveTests(t *testing.T) {
	functions := map[string][]string{} // name of the test to the texts of the files it is in
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			functions[m[1]] = append(functions[m[1]], string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, name := range []string{"docs/threat-model.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests := -1 // which column names tests
		for line := range strings.Lines(string(text)) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			if !strings.HasPrefix(line, "|") {
				tests = -1
				continue
			}
			if strings.TrimSpace(cells[len(cells)-1]) == "Tests" {
				tests = len(cells) - 1
				continue
			}
			if tests < 0 || strings.HasPrefix(line, "| ---") {
				continue
			}
			rows++
			named := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[tests], -1)
			if len(named) == 0 && strings.TrimSpace(cells[tests]) != "none" {
				t.Errorf("%s: no test is named in %s", name, line)
			}
			for _, m := range named {
				function, part, _ := strings.Cut(m[1], "/")
				found := false
				for _, text := range functions[function] {
					found = found || part == "" || strings.Contains(text, `"`+part+`"`)
				}
				if !found {
					t.Errorf("%s speaks of %s, which does not exist", name, m[1])
				}
			}
		}
	}
	if rows < 20 {
		t.Errorf("only %d rows name tests", rows)
	}
}
