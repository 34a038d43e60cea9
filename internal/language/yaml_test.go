package language

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// blankLines are nothing to a shell, however many there are.
var blankLines = regexp.MustCompile(`\n[ \n]*\n`)

// shown writes a node in one line.
func (n yamlNode) shown() string {
	var parts []string
	for i, item := range n.items {
		key := ""
		if n.kind == yamlMap {
			key = fmt.Sprintf("%q: ", n.keys[i])
		}
		parts = append(parts, key+item.shown())
	}
	switch n.kind {
	case yamlMap:
		return "{" + strings.Join(parts, ", ") + "}"
	case yamlList:
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprintf("%q", blankLines.ReplaceAllString(strings.TrimSpace(n.text), "\n"))
}

// realYAML is what a whole reader of YAML makes of a document.
func realYAML(n *yaml.Node) string {
	var parts []string
	switch n.Kind {
	case yaml.DocumentNode:
		return realYAML(n.Content[0])
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			parts = append(parts, fmt.Sprintf("%q: ", n.Content[i].Value)+realYAML(n.Content[i+1]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case yaml.SequenceNode:
		for _, item := range n.Content {
			parts = append(parts, realYAML(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprintf("%q", blankLines.ReplaceAllString(strings.TrimSpace(n.Value), "\n"))
}

// TestYAML: what the small reader reads is what a whole reader of YAML reads.
func TestYAML(t *testing.T) {
	check := func(text string) (read, wrong bool) {
		n, problem := readYAML(text)
		if problem != "" {
			return false, false
		}
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(text), &node); err != nil || node.Kind == 0 {
			return true, false
		}
		if got, want := n.shown(), realYAML(&node); got != want {
			t.Errorf("%q\n  is   %s\n  want %s", text, got, want)
			return true, true
		}
		return true, false
	}
	for _, text := range []string{
		"a: b", "---\na: b\n", "# x\n---\n# y\na: b # c\n", "a:\n  b: c\n  d:\n    - e\n    - f: g\n      h: i\n", "a:\n- b\n- c\nd: e\n",
		"a: 'it''s'\nb: \"x\\ty\\\"\"\n", "a: |\n  one\n   two\n\n  three\nb: c\n", "a: |-\n  one\nb: >\n  two\n  three\n", "a: one\n  two\n  three\nb: c\n",
		"a: 'one\n  two'\nb: c\n", "a: [b, 'c', \"d\", {e: f, g: 'h i'}]\nb: {}\nc: []\n", "'a b': c\n\"d\": e\n", "a: {b: c} # d\n", "a: [b] # c\n", "a: ''\nb: \"\"\n", "- a\n- 'b: c'\n- \"d\"\n- {e: f}\n",
		"a: b:c\nd: http://x/#y\n", "a:\n\n  b: c\n\n\nd: e", "a: 'x' # y\n", "a: \"x\\\\\"\nb: y\n", "a: {'b': \"c\", d: [e, [f]]}\n", "-\n- a\n-\n  - b\n", "a: b\n  # c\nd: e\n", "a: |\n    b\n  # c\nd: e\n", "a: >\n  b\n\n  c\n", "a: >\n  b\n    c\n  d\n  e\n", "a: >\n  b\n\n    c\n\n  d\n", "a: 'b\n\n  c\n  d'\n", "a: \"b \n\n\n  c\"\n", "a: >-\n    b\n      c\nd: e\n", "a: >\n  b\n  \tc\n  d\n",
	} {
		if read, _ := check(text); !read {
			t.Errorf("%q is not read", text)
		}
	}
	for _, text := range []string{"\"a\\\"b\": c\n", "'a: b\n", "a: 'b\n", "a: [b\n", "a: ['b]\n", "a: &x b\n", "a: b\na: c\n", "\ta: b\n", "a: 'b' c\n", "'a':b\n", "a: {b: c} d\n", "a: \"b\\\n  c\"\n", "- - a\n", "a: >1\n   b\n   c\n"} {
		if n, problem := readYAML(text); problem == "" {
			t.Errorf("%q is read as %s", text, n.shown())
		}
	}
	pieces := []string{"a", "b", ":", ": ", "- ", "\n", "\n  ", "\n    ", " ", "'", "\"", "#", " # ", "[", "]", "{", "}", ",", "|", ">", "|-", "---\n", "''", "\\", "x y", "k: v", "\nc: d", "\n- e", "a: >\n  b", "\n   c", "\n  \tc", "a: |\n    b", "\n\n", "a: 'b"}
	random := rand.New(rand.NewPCG(1, 2))
	read, wrong := 0, 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		r, w := check(b.String())
		if r {
			read++
		}
		if w {
			wrong++
		}
		if wrong > 10 {
			break
		}
	}
	t.Logf("%d documents were read", read)
}
