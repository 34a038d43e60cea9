package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mutant is one change of a file. All changes of a part are compiled into its tests,
// and package chosen says which of them is alive: building takes much longer than
// most tests.
type mutant struct {
	path     string
	line     int
	fn       string
	what, by string
	same     int // how many of the same name come before
}

// String names a mutant however the lines around it move.
func (m mutant) String() string {
	text := fmt.Sprintf("%s %s: %s is %s", strings.TrimPrefix(m.path, "internal/"), m.fn, brief(m.what), brief(m.by))
	if m.same > 0 {
		text += fmt.Sprintf(" (%d)", m.same+1)
	}
	return text
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

// swap is the operator that stands in for another, and the function of package chosen
// that does it if it takes one.
type swap struct{ by, call string }

var swaps = map[token.Token]swap{
	token.EQL: {by: "!="}, token.NEQ: {by: "=="}, token.LAND: {by: "||"}, token.LOR: {by: "&&"},
	token.LSS: {"<=", "Less"}, token.LEQ: {"<", "AtMost"}, token.GTR: {">=", "More"}, token.GEQ: {">", "AtLeast"},
	token.ADD: {"-", "Plus"}, token.SUB: {"+", "Minus"},
}

// mutator collects the changes of a file.
type mutator struct {
	path   string
	source []byte
	set    *token.FileSet
	info   *types.Info
	first  int    // the number of its first mutant
	fn     string // the function it is at
	list   []mutant
	names  map[string]int
	edits  []edit
}

// edit replaces a text of the file. Of those at one place, the ends of expressions come
// first, the inner before the outer, and the beginnings last, the outer before the inner.
type edit struct {
	from, to   int
	text       string
	rank, turn int
}

// mutate lists the changes of a file: conditions are turned round, operators swapped,
// truth values turned round, statements left out. The text has them all.
func (m *mutator) mutate(file *ast.File, funcs []string) (text []byte) {
	m.names = map[string]int{}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && (len(funcs) == 0 || slices.Contains(funcs, fn.Name.Name)) {
			m.fn = fn.Name.Name
			m.ends(fn.Type, fn.Body)
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
					return false
				}
				m.node(n)
				return true
			})
		}
	}
	if len(m.list) == 0 {
		return m.source
	}
	m.edit(file.Name.End(), file.Name.End(), `; import chosen_ "longline/internal/mutants/chosen"`, 1)
	return m.text()
}

// text makes the edits.
func (m *mutator) text() []byte {
	slices.SortFunc(m.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.rank, b.rank), cmp.Compare(a.turn, b.turn))
	})
	var out []byte
	at := 0
	for _, e := range m.edits {
		out = append(append(out, m.source[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, m.source[at:]...)
}

func (m *mutator) at(pos token.Pos) int { return m.set.Position(pos).Offset }

func (m *mutator) edit(from, to token.Pos, text string, rank int) {
	turn := len(m.edits)
	if rank == 0 {
		turn = -turn
	}
	m.edits = append(m.edits, edit{m.at(from), m.at(to), text, rank, turn})
}

// wrap puts a text before a node and another behind it.
func (m *mutator) wrap(n ast.Node, before, behind string) {
	m.edit(n.Pos(), n.Pos(), before, 2)
	m.edit(n.End(), n.End(), behind, 0)
}

// add adds a mutant, and returns the expression that says whether it is alive, and its
// number.
func (m *mutator) add(from, to token.Pos, by string) (on string, id int) {
	one := mutant{path: m.path, line: m.set.Position(from).Line, fn: m.fn, what: string(m.source[m.at(from):m.at(to)]), by: by}
	name := one.String()
	one.same = m.names[name]
	m.names[name]++
	id = m.first + len(m.list)
	m.list = append(m.list, one)
	return fmt.Sprintf("chosen_.On(%d)", id), id
}

// node adds the changes of one node.
func (m *mutator) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncLit:
		m.ends(n.Type, n.Body)
	case *ast.IfStmt:
		m.not(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					m.not(e)
				}
			}
		}
	case *ast.BinaryExpr:
		m.operator(n)
	case *ast.Ident:
		m.truth(n)
	case *ast.CaseClause:
		m.leaveOut(n.Body)
	case *ast.BlockStmt:
		m.leaveOut(n.List)
	}
}

// plain reports whether an expression is a bool that is known only at run time.
func (m *mutator) plain(e ast.Expr) bool {
	tv := m.info.Types[e]
	basic, ok := tv.Type.(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0 && tv.Value == nil
}

// not turns a condition round. For == and != that is what swapping them does.
func (m *mutator) not(e ast.Expr) {
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) || !m.plain(e) {
		return
	}
	on, _ := m.add(e.Pos(), e.End(), "!("+string(m.source[m.at(e.Pos()):m.at(e.End())])+")")
	m.wrap(e, "((", ") != "+on+")")
}

// truth turns a truth value round.
func (m *mutator) truth(n *ast.Ident) {
	tv := m.info.Types[n]
	if _, ok := tv.Type.(*types.Basic); !ok || tv.Value == nil || n.Name != "true" && n.Name != "false" {
		return
	}
	if n.Name == "true" {
		on, _ := m.add(n.Pos(), n.End(), "false")
		m.edit(n.Pos(), n.End(), "!"+on, 1)
	} else {
		on, _ := m.add(n.Pos(), n.End(), "true")
		m.edit(n.Pos(), n.End(), on, 1)
	}
}

// operator swaps an operator, unless it joins texts or constants.
func (m *mutator) operator(n *ast.BinaryExpr) {
	s, ok := swaps[n.Op]
	tv := m.info.Types[n]
	basic, _ := tv.Type.Underlying().(*types.Basic)
	if !ok || tv.Value != nil || basic == nil || basic.Info()&types.IsString != 0 || n.Op == token.LAND && !m.plain(n) {
		return
	}
	end := n.OpPos + token.Pos(len(n.Op.String()))
	on, id := m.add(n.OpPos, end, s.by)
	switch {
	case s.call != "":
		m.wrap(n, fmt.Sprintf("chosen_.%s%s(%d, ", s.call, m.typeOf(n.X), id), ")")
		m.edit(n.OpPos, end, ",", 1)
	case n.Op == token.EQL || n.Op == token.NEQ:
		m.wrap(n, "((", ") != "+on+")")
	default: // a || b is !(!a && !b), and stops where that does
		m.wrap(n, "(((", ") != "+on+") != "+on+")")
		m.edit(n.OpPos, end, fmt.Sprintf(") != %s %s (", on, n.Op), 1)
	}
}

// typeOf is the type that a function of package chosen is made for, where it has a short
// name: of 1<<n the compiler would not find it.
func (m *mutator) typeOf(e ast.Expr) string {
	if basic, ok := m.info.Types[e].Type.(*types.Basic); ok && basic.Info()&types.IsUntyped == 0 {
		return "[" + basic.Name() + "]"
	}
	return ""
}

// leaveOut leaves out statements that can be, each by itself.
func (m *mutator) leaveOut(list []ast.Stmt) {
	for _, s := range list {
		if can(s) {
			on, _ := m.add(s.Pos(), s.End(), "")
			m.wrap(s, "if !"+on+" { ", " }")
		}
	}
}

func can(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE || s.Tok == token.BREAK
	case *ast.ReturnStmt:
		return len(s.Results) == 0
	}
	return false
}

// ends ends a function for the compiler, which does not see that a statement which may
// be left out ends it.
func (m *mutator) ends(fn *ast.FuncType, body *ast.BlockStmt) {
	switch {
	case fn.Results == nil:
	case len(fn.Results.List[0].Names) > 0:
		m.edit(body.Rbrace, body.Rbrace, "; return; ", 1)
	default:
		m.edit(body.Rbrace, body.Rbrace, `; panic("left out"); `, 1)
	}
}
