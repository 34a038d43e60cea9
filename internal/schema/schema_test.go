package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(Of(name))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name+".json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// documents reads all documents of a YAML text as a JSON reader would have them.
func documents(t *testing.T, text []byte) []any {
	t.Helper()
	var list []any
	dec := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var doc any
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, plain(doc))
	}
}

func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	case map[any]any:
		m := map[string]any{}
		for k, e := range v {
			m[fmt.Sprint(k)] = plain(e)
		}
		return m
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case int:
		return json.Number(strconv.Itoa(v))
	}
	return v
}

// Everything that is shipped fits its schema.
func TestShippedFiles(t *testing.T) {
	for _, test := range []struct {
		name, glob string
		least      int
	}{
		{"rules", "../policy/packs/*.yaml", 10},
		{"tests", "../guard/testdata/decisions/*.yaml", 5},
		{"models", "../command/models/*.yaml", 50},
	} {
		s := compiled(t, test.name)
		files, err := filepath.Glob(test.glob)
		if err != nil || len(files) < test.least {
			t.Fatalf("%s: %d files, %v", test.glob, len(files), err)
		}
		for _, file := range files {
			switch filepath.Base(file) {
			case "zones.yaml", "variables.yaml":
				continue // of a form of their own, which only longline's makers write
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, doc := range documents(t, text) {
				if err := s.Validate(doc); err != nil {
					t.Errorf("%s, document %d: %v", file, i+1, err)
				}
			}
		}
	}
}

// Every file that the documents tell somebody to write fits its schema.
func TestDocumentedFiles(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, file := range append(files, "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split(string(text), "\n```") {
			language, block, _ := strings.Cut(part, "\n")
			name := ""
			switch {
			case language == "yaml" && (strings.Contains(block, "\ntrust_level:") || strings.Contains(block, "\nsource: ")):
				continue // the rules of the guard in Rust, which are imported, or a machine's sync.yaml
			case language == "yaml" && strings.Contains("\n"+block, "\nversion: 1"):
				name = "rules"
			case language == "yaml" && strings.Contains("\n"+block, "\ntests:"):
				name = "tests"
			case language == "json" && strings.HasPrefix(block, "{\"PreToolUse\""):
				name = "hooks"
			default:
				continue
			}
			seen[name]++
			for _, doc := range documents(t, []byte(block)) {
				if err := compiled(t, name).Validate(doc); err != nil {
					t.Errorf("%s, block %d: %v\n%s", file, i, err, block)
				}
			}
		}
	}
	if seen["rules"] < 10 || seen["tests"] < 1 || seen["hooks"] < 1 {
		t.Errorf("too few: %v", seen)
	}
}

func TestGoodAndBad(t *testing.T) {
	for _, test := range []struct {
		name, text string
		good       bool
	}{
		{"rules", "version: 1", true},
		{"rules", "version: 2", false},
		{"rules", "{}", false},
		{"rules", "{version: 1, saftey_level: high}", false},
		{"rules", "{version: 1, safety_level: higher}", false},
		{"rules", "{version: 1, log: {path: x, content: structure, keep: 30}}", true},
		{"rules", "{version: 1, log: {content: none}}", false},
		{"rules", "{version: 1, rules: [{id: x, match: {command: ls}, decision: deny}]}", true},
		{"rules", "{version: 1, rules: [{id: x, match: {command: ls}, decision: block}]}", false},
		{"rules", "{version: 1, rules: [{id: x, decision: deny}]}", false},
		{"rules", "{version: 1, rules: [{id: x, match: {effect: {kind: [read, writ]}}, decision: deny}]}", false},
		{"rules", "{version: 1, rules: [{id: x, match: {effect: {kind: read, zones: secrets, except: {paths: a}, with: {kind: send}}}, decision: deny}]}", true},
		{"rules", "{version: 1, rules: [{id: x, match: {env: {A: 1, B: null}}, decision: deny}]}", true},
		{"tests", "tests: [{command: ls, expected: {decision: allow}}]", true},
		{"tests", "tests: [{command: ls}]", false},
		{"hooks", `{"PreToolUse":{"Bash":[{"command":"rm","args":"-rf","decision":"block","reason":"x"}]}}`, true},
		{"hooks", `{"PreToolUse":{"Bash":{"rm":[{"pattern":"-rf","decision":"block"}]}}, "Stop": 1}`, true},
		{"hooks", `{"PreToolUse":{"Bash":{"rm":{"decision":"approve","patterns":[]}}}}`, true},
		{"hooks", `{"PreToolUse":{"Bash":[{"command":"rm","decision":"deny"}]}}`, false},
		{"hooks", `{"PreToolUse":{"Write":[{"decision":"block"}]}}`, true},
		{"hooks", `{"PreToolUse":{"Bash":"rm"}}`, false},
		{"models", "{switches: -a -b, flags: {-o: write}, operands: read...}", true},
		{"models", "{switch: -a}", false},
	} {
		docs := documents(t, []byte(test.text))
		if err := compiled(t, test.name).Validate(docs[0]); (err == nil) != test.good {
			t.Errorf("%s %s: %v", test.name, test.text, err)
		}
	}
}

// Every key that a parser reads is in the schema of its files. The keys are read
// from the parsers' sources: the texts that are keys of maps of readers.
func TestKeysOfParsers(t *testing.T) {
	for _, test := range []struct {
		files   []string
		schemas []string
	}{
		{[]string{"../rulesfile/rulesfile.go", "../rulesfile/rule.go", "../rulesfile/effect.go"}, []string{"rules"}},
		{[]string{"../rulesfile/hooksconfig.go"}, []string{"hooks"}},
		{[]string{"../modelfile/modelfile.go"}, []string{"models"}},
	} {
		var known []string
		for _, name := range test.schemas {
			known = keys(Of(name), known)
		}
		found := 0
		for _, file := range test.files {
			for _, key := range readers(t, file) {
				found++
				if !slices.Contains(known, key) {
					t.Errorf("%s reads %q, which the schema %v does not have", file, key, test.schemas)
				}
			}
		}
		if found < 5 {
			t.Errorf("%v: only %d keys found", test.files, found)
		}
	}
}

// keys lists the names of all properties of a schema.
func keys(v any, list []string) []string {
	switch v := v.(type) {
	case Schema:
		if properties, ok := v["properties"].(Schema); ok {
			for name := range properties {
				list = append(list, name)
			}
		}
		for _, e := range v {
			list = keys(e, list)
		}
	case []Schema:
		for _, e := range v {
			list = keys(e, list)
		}
	}
	return list
}

func readers(t *testing.T, file string) []string {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				list = append(list, text)
			}
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			m, ok := n.Type.(*ast.MapType)
			if _, reads := m0(m).(*ast.FuncType); !ok || !reads {
				return true
			}
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					add(pair.Key)
				}
			}
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if index, ok := left.(*ast.IndexExpr); ok && strings.HasPrefix(fmt.Sprint(index.X), "fields") {
					add(index.Index)
				}
			}
		}
		return true
	})
	return list
}

func m0(m *ast.MapType) ast.Expr {
	if m == nil {
		return nil
	}
	return m.Value
}
