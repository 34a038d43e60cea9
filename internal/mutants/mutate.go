package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// mutant is one change of a file.
type mutant struct {
	path       string
	source     []byte
	start, end int // what is replaced
	by         string
	line       int
	fn         string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: in %s: %s is %s", m.path, m.line, m.fn, brief(string(m.source[m.start:m.end])), brief(m.by))
}

// key names a mutant however the lines around it move.
func (m mutant) key() string {
	return fmt.Sprintf("%s %s: %s is %s", strings.TrimPrefix(m.path, "internal/"), m.fn, brief(string(m.source[m.start:m.end])), brief(m.by))
}

func brief(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 90 {
		text = text[:90] + "..."
	}
	if text == "" {
		return "gone"
	}
	return "`" + text + "`"
}

// text is the file with the change.
func (m mutant) text() []byte {
	return slices.Concat(m.source[:m.start], []byte(m.by), m.source[m.end:])
}

// swaps are the operators that stand in for each other.
var swaps = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+",
}

// mutate lists the changes of a file: conditions are turned round, operators swapped,
// truth values turned round, statements left out.
func mutate(path string, source []byte, funcs []string) ([]mutant, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var list []mutant
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || len(funcs) > 0 && !slices.Contains(funcs, fn.Name.Name) {
			continue
		}
		add := func(from, to token.Pos, by string) {
			list = append(list, mutant{path, source, set.Position(from).Offset, set.Position(to).Offset, by, set.Position(from).Line, fn.Name.Name})
		}
		not := func(e ast.Expr) {
			add(e.Pos(), e.End(), "!("+string(source[set.Position(e.Pos()).Offset:set.Position(e.End()).Offset])+")")
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				not(n.Cond)
			case *ast.BinaryExpr:
				by, ok := swaps[n.Op]
				if text, isText := n.X.(*ast.BasicLit); isText && text.Kind == token.STRING || isString(n.Y) {
					ok = ok && n.Op != token.ADD // texts that are joined
				}
				if ok {
					add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), by)
				}
			case *ast.Ident:
				switch n.Name {
				case "true":
					add(n.Pos(), n.End(), "false")
				case "false":
					add(n.Pos(), n.End(), "true")
				}
			case *ast.CaseClause:
				for _, e := range n.List {
					if _, ok := e.(*ast.BinaryExpr); ok {
						not(e)
					}
				}
				leaveOut(n.Body, add)
			case *ast.BlockStmt:
				leaveOut(n.List, add)
			}
			return true
		})
	}
	return list, nil
}

func isString(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// leaveOut leaves out statements that can be, each by itself.
func leaveOut(list []ast.Stmt, add func(from, to token.Pos, by string)) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt:
			add(s.Pos(), s.End(), "")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				add(s.Pos(), s.End(), "")
			}
		case *ast.BranchStmt:
			if s.Tok == token.CONTINUE || s.Tok == token.BREAK {
				add(s.Pos(), s.End(), "")
			}
		case *ast.ReturnStmt:
			if len(s.Results) == 0 {
				add(s.Pos(), s.End(), "")
			}
		}
	}
}
