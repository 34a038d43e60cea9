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
	m := mutator{path: path, source: source, set: set}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && (len(funcs) == 0 || slices.Contains(funcs, fn.Name.Name)) {
			m.name = fn.Name.Name
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				m.node(n)
				return true
			})
		}
	}
	return m.list, nil
}

// mutator collects the changes of a file.
type mutator struct {
	path   string
	source []byte
	set    *token.FileSet
	name   string // of the function
	list   []mutant
}

func (m *mutator) add(from, to token.Pos, by string) {
	at := m.set.Position(from)
	m.list = append(m.list, mutant{m.path, m.source, at.Offset, m.set.Position(to).Offset, by, at.Line, m.name})
}

// not turns a condition round.
func (m *mutator) not(e ast.Expr) {
	m.add(e.Pos(), e.End(), "!("+string(m.source[m.set.Position(e.Pos()).Offset:m.set.Position(e.End()).Offset])+")")
}

// node adds the changes of one node.
func (m *mutator) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		m.not(n.Cond)
	case *ast.BinaryExpr:
		m.operator(n)
	case *ast.Ident:
		if by := map[string]string{"true": "false", "false": "true"}[n.Name]; by != "" {
			m.add(n.Pos(), n.End(), by)
		}
	case *ast.CaseClause:
		for _, e := range n.List {
			if _, ok := e.(*ast.BinaryExpr); ok {
				m.not(e)
			}
		}
		leaveOut(n.Body, m.add)
	case *ast.BlockStmt:
		leaveOut(n.List, m.add)
	}
}

// operator swaps an operator, unless it joins texts.
func (m *mutator) operator(n *ast.BinaryExpr) {
	joins := n.Op == token.ADD && (isString(n.X) || isString(n.Y))
	if by, ok := swaps[n.Op]; ok && !joins {
		m.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), by)
	}
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
