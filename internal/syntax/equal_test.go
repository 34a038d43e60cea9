package syntax_test

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	"longline/internal/syntax"

	old "mvdan.cc/sh/v3/syntax"
)

// The tree of mvdan.cc/sh is what this one is held against: both are printed with all
// their fields and places.

// shape says of which types and fields a tree is made: those of this package. What the
// other one has beyond it must be empty.
var shape = map[string]reflect.Type{}

func init() {
	for _, n := range []any{
		syntax.File{},
		syntax.Stmt{},
		syntax.Redirect{},
		syntax.Assign{},
		syntax.ArrayExpr{},
		syntax.ArrayElem{},
		syntax.CallExpr{},
		syntax.DeclClause{},
		syntax.LetClause{},
		syntax.BinaryCmd{},
		syntax.Subshell{},
		syntax.Block{},
		syntax.IfClause{},
		syntax.WhileClause{},
		syntax.ForClause{},
		syntax.WordIter{},
		syntax.CStyleLoop{},
		syntax.CaseClause{},
		syntax.CaseItem{},
		syntax.FuncDecl{},
		syntax.ArithmCmd{},
		syntax.TestClause{},
		syntax.TimeClause{},
		syntax.CoprocClause{},
		syntax.Word{},
		syntax.Lit{},
		syntax.SglQuoted{},
		syntax.DblQuoted{},
		syntax.CmdSubst{},
		syntax.ProcSubst{},
		syntax.ArithmExp{},
		syntax.ExtGlob{},
		syntax.ParamExp{},
		syntax.Slice{},
		syntax.Replace{},
		syntax.Expansion{},
		syntax.BinaryArithm{},
		syntax.UnaryArithm{},
		syntax.ParenArithm{},
		syntax.BinaryTest{},
		syntax.UnaryTest{},
		syntax.ParenTest{},
	} {
		t := reflect.TypeOf(n)
		shape[t.Name()] = t
	}
}

type place interface {
	Offset() uint
	Line() uint
	Col() uint
	IsValid() bool
}

// printer prints a tree.
type printer struct {
	strings.Builder
	places bool // and where everything is
}

func (d *printer) pos(p place) {
	switch {
	case !p.IsValid():
		d.WriteString("-")
	case !d.places:
		d.WriteString("+")
	default:
		fmt.Fprintf(d, "%d:%d:%d", p.Offset(), p.Line(), p.Col())
	}
}

func (d *printer) value(v reflect.Value, indent string) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		d.value(v.Elem(), indent)
	case reflect.Slice:
		d.list(v, indent)
	case reflect.Struct:
		if p, ok := v.Interface().(place); ok {
			d.pos(p)
			return
		}
		d.node(v, indent)
	case reflect.Uint8, reflect.Uint32:
		if v.IsZero() {
			d.WriteString("none")
		} else {
			fmt.Fprintf(d, "%v", v.Interface())
		}
	default:
		fmt.Fprintf(d, "%#v", v.Interface())
	}
}

func (d *printer) list(v reflect.Value, indent string) {
	fmt.Fprintf(d, "[")
	var literal strings.Builder
	for i := range v.Len() {
		// Where there are continuations, literals may be cut in different ways.
		if text, ok := literalOf(v.Index(i)); ok && !d.places {
			literal.WriteString(text)
			if i+1 < v.Len() {
				if _, more := literalOf(v.Index(i + 1)); more {
					continue
				}
			}
			fmt.Fprintf(d, "\n%s  %q", indent, literal.String())
			literal.Reset()
			continue
		}
		fmt.Fprintf(d, "\n%s  ", indent)
		d.value(v.Index(i), indent+"  ")
	}
	fmt.Fprintf(d, "]")
}

func literalOf(v reflect.Value) (string, bool) {
	switch l := v.Interface().(type) {
	case *syntax.Lit:
		return l.Value, true
	case *old.Lit:
		return l.Value, true
	}
	return "", false
}

func (d *printer) node(v reflect.Value, indent string) {
	t := shape[v.Type().Name()]
	if t == nil {
		fmt.Fprintf(d, "unknown %v", v.Type())
		return
	}
	d.WriteString(t.Name())
	if v.CanAddr() && d.places {
		switch n := v.Addr().Interface().(type) {
		case *syntax.CaseItem, *old.CaseItem: // of which one without an end says nothing
		case old.Node:
			d.WriteString(" ")
			d.pos(n.Pos())
			d.WriteString("..")
			d.pos(n.End())
		case syntax.Node:
			d.WriteString(" ")
			d.pos(n.Pos())
			d.WriteString("..")
			d.pos(n.End())
		}
	}
	for i := range t.NumField() {
		if name := t.Field(i).Name; name != "Comments" {
			fmt.Fprintf(d, "\n%s  %s=", indent, name)
			d.value(v.FieldByName(name), indent+"  ")
		}
	}
	for i := range v.NumField() {
		switch name := v.Type().Field(i).Name; name {
		case "Comments", "Last", "CondLast", "ThenLast", "DoLast":
		default:
			if _, ok := t.FieldByName(name); !ok && !v.Field(i).IsZero() {
				fmt.Fprintf(d, "\n%s  and %s", indent, name)
			}
		}
	}
}

func printed(file any, comments []string, places bool) string {
	d := printer{places: places}
	d.value(reflect.ValueOf(file).Elem().FieldByName("Stmts"), "")
	sort.Strings(comments)
	for _, c := range comments {
		d.WriteString("\n" + c)
	}
	return d.String()
}

// trees reads a script twice and prints what came of it.
func trees(script string) (a, b string, errA, errB error) {
	before, errA := old.NewParser(old.KeepComments(true)).Parse(strings.NewReader(script), "")
	now, errB := syntax.Parse(script)
	if errA != nil || errB != nil {
		return "", "", errA, errB
	}
	places := !strings.Contains(script, "\\\n")
	note := func(at uint, text string) string {
		if !places {
			at = 0
		}
		return fmt.Sprintf("%06d #%s", at, text)
	}
	var comments []string
	old.Walk(before, func(n old.Node) bool {
		if c, ok := n.(*old.Comment); ok {
			comments = append(comments, note(c.Hash.Offset(), c.Text))
		}
		return true
	})
	a = printed(before, comments, places)
	comments = nil
	syntax.Walk(now, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			comments = append(comments, note(c.Hash.Offset(), c.Text))
		}
		return true
	})
	return a, printed(now, comments, places), nil, nil
}

// firstDifference shows where two texts part.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			from := max(i-6, 0)
			return strings.Join(x[from:i], "\n") + "\n--- other\n" + strings.Join(x[i:min(i+4, len(x))], "\n") + "\n--- this\n" + strings.Join(y[i:min(i+4, len(y))], "\n")
		}
	}
	return fmt.Sprintf("lengths %d and %d", len(x), len(y))
}
