package paths_test

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/paths"
)

func TestWithin(t *testing.T) {
	for _, test := range []struct {
		path, dir string
		want      bool
	}{
		{"/a", "/a", true},
		{"/a/b", "/a", true},
		{"/a/b", "/a/", true},
		{"/ab", "/a", false},
		{"/a", "/a/b", false},
		{"/a", "/", true},
		{"/", "/", true},
		{"/a", "", false},
		{"", "", false},
		{"a/b", "a", true},
	} {
		if got := paths.Within(test.path, test.dir); got != test.want {
			t.Errorf("Within(%q, %q) = %v", test.path, test.dir, got)
		}
	}
}

func TestClimbs(t *testing.T) {
	for text, want := range map[string]bool{
		"..": true, "a/..": true, "../a": true, "a/../b": true, "/..": true,
		"": false, ".": false, "a": false, "...": false, "a..b": false, "..a": false, "a../b": false, "a/...": false,
	} {
		if got := paths.Climbs(text); got != want {
			t.Errorf("Climbs(%q) = %v", text, got)
		}
	}
}

// What a path is made to lie in, it lies in, and cleaning is what path.Clean does.
func FuzzPaths(f *testing.F) {
	f.Add("/a/b", "c/../d")
	f.Add("/", "../..")
	f.Add("/a", "/b//c/./d/")
	f.Fuzz(func(t *testing.T, dir, name string) {
		dir = paths.Clean("/", dir)
		full := paths.Clean(dir, name)
		if want := path.Clean(dir + "/" + name); !strings.HasPrefix(name, "/") && full != strings.Replace(want, "//", "/", 1) {
			t.Errorf("Clean(%q, %q) = %q, want %q", dir, name, full, want)
		}
		if !strings.HasPrefix(name, "/") && !paths.Climbs(name) && !paths.Within(full, dir) {
			t.Errorf("%q in %q is %q, which is not within", name, dir, full)
		}
		if parent := paths.Parent(full); !paths.Within(full, parent) {
			t.Errorf("%q is not within its parent %q", full, parent)
		}
	})
}

// Nothing else answers these questions: no function has one of their names, and nowhere is
// a path compared with a directory by hand.
func TestNobodyElseAnswers(t *testing.T) {
	const slash = "+\"/\""
	seen := 0
	err := filepath.WalkDir("..", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "../paths/") || strings.HasPrefix(file, "../differ/") {
			return err // differ checks the others, and is on its own for that
		}
		seen++
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return err
		}
		text := func(n ast.Node) string {
			var b strings.Builder
			if err := printer.Fprint(&b, set, n); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				signature := strings.TrimPrefix(text(n.Type), "func")
				switch strings.ToLower(n.Name.Name) {
				case "within", "iswithin", "below", "climbs", "inside":
					if n.Recv == nil && strings.Contains(signature, "string) bool") && !strings.Contains(text(n.Body), "paths.") {
						t.Errorf("%s: %s answers by itself what package paths answers", set.Position(n.Pos()), n.Name.Name)
					}
				}
			case *ast.BinaryExpr:
				equal, ok := n.X.(*ast.BinaryExpr)
				call, ok2 := n.Y.(*ast.CallExpr)
				if n.Op != token.LOR || !ok || !ok2 || equal.Op != token.EQL || text(call.Fun) != "strings.HasPrefix" || len(call.Args) != 2 {
					break
				}
				if a, b := text(equal.X), text(equal.Y); text(call.Args[0]) == a && text(call.Args[1]) == b+slash || text(call.Args[0]) == b && text(call.Args[1]) == a+slash {
					if a != "name" && b != "name" { // the names of agents have slashes too
						t.Errorf("%s: %s: ask paths.Within", set.Position(n.Pos()), text(n))
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || seen < 200 {
		t.Fatal(err, seen)
	}
}
