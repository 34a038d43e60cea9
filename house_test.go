package longline_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"longline/internal/agent"
)

// The shape of the code. No function has more than 25 ways through it; the other bounds
// are what holds now. A change that makes it worse fails, and whoever makes it better
// lowers them.
const (
	wantedComplexity, wantedLines = 25, 80

	maxNinetieth  = 10 // ways through nine functions in ten
	maxTangled    = 0  // functions with more ways than are wanted
	maxLong       = 0  // functions with more lines, without "long:" and a reason in their comment
	maxComplexity = wantedComplexity
	maxLines      = 150
	maxMethods    = 133 // of one type
)

// crowded are the types that have more methods.
var crowded = map[string]int{
	"command.reader": 252, // most uses of a word have one
	"reader.reader":  224, // it is still to be divided
}

// sources parses all Go files of the program, without tests and tools.
func sources(t *testing.T, set *token.FileSet, without ...string) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	for _, root := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || slices.Contains(without, filepath.ToSlash(filepath.Dir(path))):
				return nil
			}
			files[path], err = parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// sorted are the keys of a map in their order.
func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// complexity is the number of ways through a function: one, and one more for each
// place where it goes one of two ways.
func complexity(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// functionName is what a function is called in a list: its file and its name.
func functionName(path string, fn *ast.FuncDecl) string {
	name := fn.Name.Name
	if typ := receiver(fn); typ != "" {
		name = typ + "." + name
	}
	return strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "internal/") + " " + name
}

func TestFunctionsStaySimple(t *testing.T) {
	set := token.NewFileSet()
	files := sources(t, set, tools...)
	var ways []int
	var worst []string
	tangled, long := 0, 0
	for _, path := range sorted(files) {
		for _, d := range files[path].Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			n, lines := complexity(fn), set.Position(fn.End()).Line-set.Position(fn.Pos()).Line+1
			ways = append(ways, n)
			if n > wantedComplexity {
				tangled++
			}
			if lines > wantedLines && !strings.Contains(fn.Doc.Text(), "long:") {
				long++
			}
			if n > maxComplexity || lines > maxLines || n > wantedComplexity && strings.HasPrefix(filepath.ToSlash(path), "internal/cli/") {
				worst = append(worst, fmt.Sprintf("%s: %d ways, %d lines", functionName(path, fn), n, lines))
			}
		}
	}
	slices.Sort(ways)
	ninetieth := ways[len(ways)*9/10]
	t.Logf("%d functions: median %d ways, ninetieth percentile %d, most %d; %d have more than %d, %d more than %d lines",
		len(ways), ways[len(ways)/2], ninetieth, ways[len(ways)-1], tangled, wantedComplexity, long, wantedLines)
	if len(worst) > 0 {
		t.Errorf("more than %d ways or %d lines:\n%s", maxComplexity, maxLines, strings.Join(worst, "\n"))
	}
	if ninetieth > maxNinetieth || tangled > maxTangled || long > maxLong {
		t.Errorf("the ninetieth percentile is %d (at most %d), %d functions have more than %d ways (at most %d), %d more than %d lines (at most %d): divide what you added",
			ninetieth, maxNinetieth, tangled, wantedComplexity, maxTangled, long, wantedLines, maxLong)
	}
}

// receiver is the type that a function is a method of, or nothing.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return ""
	}
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if of, ok := typ.(*ast.IndexExpr); ok {
		typ = of.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// TestTypesStaySmall: no type does everything. What needs only part of a type's fields
// is a method of that part.
func TestTypesStaySmall(t *testing.T) {
	methods := map[string]int{}
	files := sources(t, token.NewFileSet(), tools...)
	for _, path := range sorted(files) {
		for _, d := range files[path].Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && receiver(fn) != "" {
				methods[files[path].Name.Name+"."+receiver(fn)]++
			}
		}
	}
	most := ""
	for _, name := range sorted(methods) {
		if most == "" || methods[name] > methods[most] {
			most = name
		}
		if bound := max(maxMethods, crowded[name]); methods[name] > bound {
			t.Errorf("%s has %d methods, at most %d are accepted", name, methods[name], bound)
		}
	}
	t.Logf("%d types; %s has the most methods, %d", len(methods), most, methods[most])
}

// enum is a type of ours with a constant for each of its values.
type enum struct {
	pkg, name string
	values    []string
}

// enums finds the types that are declared in a package and whose constants stand in
// one block, counted.
func enums(files map[string]*ast.File) []enum {
	var list []enum
	for _, path := range sorted(files) {
		for _, d := range files[path].Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.CONST || len(gen.Specs) < 3 {
				continue
			}
			first := gen.Specs[0].(*ast.ValueSpec)
			typ, ok := first.Type.(*ast.Ident)
			if !ok || len(first.Values) != 1 || !ast.IsExported(typ.Name) && len(gen.Specs) < 4 {
				continue
			}
			if !counts(first.Values[0]) {
				continue // flags that are added up, and numbers with a meaning
			}
			e := enum{pkg: files[path].Name.Name, name: typ.Name}
			for _, spec := range gen.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if name.Name != "_" && !strings.HasSuffix(strings.ToLower(name.Name), "count") {
						e.values = append(e.values, name.Name)
					}
				}
			}
			list = append(list, e)
		}
	}
	return list
}

// counts says whether an expression is iota, or that with a number added or taken away.
func counts(e ast.Expr) bool {
	if sum, ok := e.(*ast.BinaryExpr); ok && (sum.Op == token.ADD || sum.Op == token.SUB) {
		e = sum.X
	}
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "iota"
}

// decisive are the types by whose values something is decided.
var decisive = []string{
	"tool.Kind", "tool.Decision", "tool.Reach", "policy.Layer", "policy.Level", "policy.Zone", "policy.LogContent", "policy.Wall",
	"agent.Kind", "agent.use", "command.Presence", "command.Grammar", "content.Verdict",
}

// TestSwitchesAreWhole: a switch over one of our types names all of its values or says
// what happens to the others, so that a new kind of effect, decision, layer or word
// cannot fall through unseen.
func TestSwitchesAreWhole(t *testing.T) {
	set := token.NewFileSet()
	files := sources(t, set, tools...)
	all := slices.DeleteFunc(enums(files), func(e enum) bool { return !slices.Contains(decisive, e.pkg+"."+e.name) })
	if len(all) != len(decisive) {
		t.Fatalf("of %d types only %d were found: %v", len(decisive), len(all), all)
	}
	looked := 0
	for _, path := range sorted(files) {
		file := files[path]
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SwitchStmt)
			if !ok || s.Tag == nil {
				return true
			}
			var named []string
			whole := false
			for _, c := range s.Body.List {
				clause := c.(*ast.CaseClause)
				whole = whole || clause.List == nil
				for _, e := range clause.List {
					switch e := e.(type) {
					case *ast.Ident:
						named = append(named, file.Name.Name+"."+e.Name)
					case *ast.SelectorExpr:
						if pkg, ok := e.X.(*ast.Ident); ok {
							named = append(named, pkg.Name+"."+e.Sel.Name)
						}
					}
				}
			}
			for _, e := range all {
				var missing []string
				has := 0
				for _, v := range e.values {
					if slices.Contains(named, e.pkg+"."+v) {
						has++
					} else {
						missing = append(missing, v)
					}
				}
				if has < 2 || has < len(named) {
					continue // it is not about this type
				}
				looked++
				if len(missing) > 0 && !whole && !remarked(set, file, s) {
					t.Errorf("%s: the switch over %s.%s says nothing about %s: name them, add a default that fails closed, or say in a comment \"others:\" what becomes of them",
						set.Position(s.Pos()), e.pkg, e.name, strings.Join(missing, ", "))
				}
			}
			return true
		})
	}
	if looked < 20 {
		t.Errorf("only %d switches were looked at", looked)
	}
	t.Logf("%d types, %d switches", len(all), looked)
}

// remarked says whether a comment in or just before a switch tells what becomes of
// the values that it does not name.
func remarked(set *token.FileSet, file *ast.File, s *ast.SwitchStmt) bool {
	from, to := set.Position(s.Pos()).Line-1, set.Position(s.End()).Line
	return slices.ContainsFunc(file.Comments, func(c *ast.CommentGroup) bool {
		line := set.Position(c.End()).Line
		return from <= line && line <= to && strings.Contains(c.Text(), "others:")
	})
}

// onlyTested are exported names that nothing but tests uses, or the standard library,
// each with what it is for.
var onlyTested = map[string]string{
	"internal/install.Plugins": "tests hold the files below plugins/ against it",
	"internal/policy.Decode":   "tests hold the compiled form of rules against the written one",
	"method Unwrap":            "package errors calls it",
}

// An exported name is used by something that is built: what only tests need belongs to
// them. The names of packages are told apart; those of methods are not, as it is not
// known of whose method a call is.
func TestExportedNamesAreUsed(t *testing.T) {
	set := token.NewFileSet()
	files := sources(t, set, forTests...)
	used, declared := map[string]bool{}, map[string]token.Pos{}
	for _, path := range sorted(files) {
		file, dir := files[path], filepath.ToSlash(filepath.Dir(path))
		imports := map[string]string{}
		for _, i := range file.Imports {
			if of, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "longline/"); ours {
				name := of[strings.LastIndexByte(of, '/')+1:]
				if i.Name != nil {
					name = i.Name.Name
				}
				imports[name] = of
			}
		}
		own := map[*ast.Ident]bool{}
		for _, id := range exported(file) {
			own[id] = true
			declared[dir+"."+id.Name] = id.Pos()
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.IsExported() {
				own[fn.Name] = true
				declared["method "+fn.Name.Name] = fn.Name.Pos()
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && imports[x.Name] != "" {
					used[imports[x.Name]+"."+n.Sel.Name], used["method "+n.Sel.Name] = true, true
					return false
				}
			case *ast.Ident:
				if !own[n] {
					used[dir+"."+n.Name], used["method "+n.Name] = true, true
				}
			}
			return true
		})
	}
	for name, pos := range declared {
		if !used[name] && onlyTested[name] == "" {
			t.Errorf("%s: nothing uses %s but tests, if at all", set.Position(pos), name)
		}
	}
	for name := range onlyTested {
		if used[name] || declared[name] == token.NoPos {
			t.Errorf("%s is used, or gone; take it out of onlyTested", name)
		}
	}
}

// exported lists the names that a file declares for other packages. A constant of
// several may be there for the others' sake.
func exported(file *ast.File) (list []*ast.Ident) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				list = append(list, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					list = append(list, s.Name)
				case *ast.ValueSpec:
					if d.Tok == token.VAR {
						list = append(list, s.Names...)
					}
				}
			}
		}
	}
	return slices.DeleteFunc(list, func(id *ast.Ident) bool { return !id.IsExported() })
}

// agentFolders are the directories that belong to one agent: its own, and what an
// administrator has for it.
func agentFolders() []string {
	folders := map[string]bool{}
	for _, b := range agent.Belonging() {
		for _, dir := range b.Folders {
			folders[dir] = true
		}
		for _, path := range slices.Concat(b.Settings, b.Hooks) {
			if path = strings.TrimPrefix(path, "~"); path[0] == '/' {
				folders[strings.Trim(path, "/")] = true
			}
		}
	}
	for _, a := range agent.All {
		if dir := a.Facts().Dir; dir != "" {
			folders[dir] = true
		}
	}
	return sorted(folders)
}

// A path in the directory of an agent is spelled in package agent, in the file of that
// agent, and everything else asks for it. Sentences for people may name one.
func TestPathsOfAgentsStandWithThem(t *testing.T) {
	set := token.NewFileSet()
	files := sources(t, set, "internal/agent")
	folders := agentFolders()
	for _, path := range sorted(files) {
		if ast.IsGenerated(files[path]) {
			continue
		}
		ast.Inspect(files[path], func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, dir := range folders {
				if strings.Contains("/"+text+"/", "/"+dir+"/") && (!strings.ContainsAny(text, " \n") || strings.HasPrefix(text, "/")) {
					t.Errorf("%s: %q is in a directory of an agent: ask package agent for it", set.Position(lit.Pos()), text)
					break
				}
			}
			return true
		})
	}
	if len(folders) < 20 {
		t.Errorf("only %d directories are known: %q", len(folders), folders)
	}
}
