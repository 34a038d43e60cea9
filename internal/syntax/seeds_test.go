package syntax_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"longline/internal/differ/grammar"

	"go.yaml.in/yaml/v4"
)

// seeds are the scripts of the repository: golden decisions, examples of models and
// documents, what bash is asked about, and n generated ones.
func seeds(t testing.TB, n int) []string {
	set := map[string]bool{}
	for _, pattern := range []string{"../guard/testdata/decisions/*.yaml", "../command/models/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			var v any
			if err := yaml.Unmarshal(read(t, file), &v); err != nil {
				t.Fatal(file, err)
			}
			scalars(v, set)
		}
	}
	documents, _ := filepath.Glob("../../docs/*.md")
	for _, file := range append(documents, "../../README.md") {
		for i, text := range strings.Split(string(read(t, file)), "```") {
			if i%2 == 1 {
				_, block, _ := strings.Cut(text, "\n")
				set[block] = true
				for line := range strings.Lines(block) {
					set[line] = true
				}
				continue
			}
			for j, code := range strings.Split(text, "`") {
				if j%2 == 1 {
					set[code] = true
				}
			}
		}
	}
	for line := range strings.Lines(string(read(t, "../reader/testdata/confirm.txt"))) {
		set[strings.NewReplacer("⏎", "\n", "⇥", "\t", "~", "").Replace(line)] = true
	}
	g, err := grammar.New()
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		set[strings.Join(g.Statements(rand.New(rand.NewPCG(uint64(i), 1))), "\n")] = true
	}
	list := make([]string, 0, len(set))
	for script := range set {
		list = append(list, script)
	}
	sort.Strings(list)
	return list
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// scalars collects the texts of a document.
func scalars(v any, set map[string]bool) {
	switch v := v.(type) {
	case string:
		set[v] = true
	case []any:
		for _, x := range v {
			scalars(x, set)
		}
	case map[string]any:
		for k, x := range v {
			set[k] = true
			scalars(x, set)
		}
	}
}
