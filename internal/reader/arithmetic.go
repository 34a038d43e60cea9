package reader

import (
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// Arithmetic and tests are not computed. What is in them is looked at: what runs there, what they assign, and text that is evaluated.

// arithm looks at an arithmetic expression: at what runs in it, and what it assigns.
func (r *reader) arithm(x syntax.Node) {
	if x == nil || x == syntax.ArithmExpr(nil) {
		return
	}
	syntax.Walk(x, func(n syntax.Node) bool {
		if b, is := n.(*syntax.BinaryArithm); is && (b.Op == syntax.Quo || b.Op == syntax.Rem || b.Op == syntax.Pow || b.Op == syntax.QuoAssgn || b.Op == syntax.RemAssgn || b.Op == syntax.Shl || b.Op == syntax.Shr) {
			r.s.shaken = true // it may be an error
		}
		w, is := n.(*syntax.Word)
		if !is {
			return n != nil
		}
		if l := w.Lit(); l != "" {
			r.evaluate(command.Known(l, r.src.nodeSpan(w)), false)
			return false
		}
		if p, element := w.Parts[0].(*syntax.ParamExp); element && len(w.Parts) == 1 && !p.Dollar.IsValid() {
			r.arithm(p.Index)
			r.evaluateName(p.Param.Value, r.src.nodeSpan(w))
			return false
		}
		r.operand(w)
		return false
	})
	for _, name := range assignedIn(x) {
		r.assign(name, single(anyNumber()), tool.Span{})
	}
}

// operand looks at a word that arithmetic evaluates.
func (r *reader) operand(w *syntax.Word) {
	v, env := r.value(w, literal), false
	v.Span = r.src.nodeSpan(w)
	if p, one := w.Parts[0].(*syntax.ParamExp); one && len(w.Parts) == 1 {
		env = isName(p.Param.Value) && !r.s.touched(p.Param.Value) && p.Exp == nil && p.Repl == nil && !p.Excl
	}
	r.evaluate(v, env)
}

// evaluate looks at a text that arithmetic evaluates: a subscript in it can run commands. What the environment holds is not believed to be code.
func (r *reader) evaluate(w command.Word, env bool) {
	r.reveals(w, w.Span) // what is no number is complained about
	form, numbers := w.Form()
	if w.IsKnown() {
		form, numbers = w.Text, true
	}
	if strings.Trim(form, "0123456789+-*/%()<>=&|^!~?:,# \t\n"+value.Numeral+value.Numerals) != "" && !(w.IsKnown() && (isName(form) || isNumber(form[:1]) && isName("x"+strings.ReplaceAll(form, "#", "")))) || !numbers {
		if r.s.shaken = true; !env || w.IsKnown() {
			r.gap("arithmetic on a value that may be more than a number", w.Span)
		}
	} else if n := strings.TrimLeft(form, "+-"); w.IsKnown() && (!isNumber(n) && n != "" || len(n) > 1 && n[0] == '0' || len(n) > 18) {
		r.s.shaken = true
	}
	if w.IsKnown() && isName(form) {
		r.evaluateName(form, w.Span)
	}
}

// evaluateName looks at what a variable holds, or the environment.
func (r *reader) evaluateName(name string, span tool.Span) {
	switch {
	case r.s.touched(name):
		for _, w := range r.variable(name).alts {
			if w.Span = span; w.IsKnown() && isName(w.Text) {
				r.gap("arithmetic on a value that may be more than a number", span)
				continue
			}
			r.evaluate(w, false)
		}
	case command.SecretName(name):
		r.reveals(command.Word{Taint: command.FromSecret}, span)
	case r.world.Getenv != nil:
		if text, ok := r.world.Getenv(name); ok && strings.Trim(text, "0123456789") != "" {
			r.gap("arithmetic on a value that may be more than a number", span)
		}
	}
}

// assignedIn are the variables that an arithmetic expression assigns to.
func assignedIn(x syntax.Node) (names []string) {
	add := func(to syntax.ArithmExpr) {
		if w, ok := to.(*syntax.Word); ok {
			if name := w.Lit(); isName(name) {
				names = append(names, name)
			} else if p, ok := w.Parts[0].(*syntax.ParamExp); ok && !p.Dollar.IsValid() {
				names = append(names, p.Param.Value)
			}
		}
	}
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryArithm:
			if n.Op >= syntax.Assgn {
				add(n.X)
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				add(n.X)
			}
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		}
		return n != nil
	})
	return names
}

// plainName says whether a name operand is nothing but a name, perhaps with a constant subscript: what else there is, bash evaluates.
func (r *reader) plainName(w command.Word) bool {
	if !w.IsKnown() {
		if !w.IsPlain() {
			r.gap("a variable name known only at run time that may be evaluated", w.Span)
		}
		return false
	}
	base, rest, found := strings.Cut(w.Text, "[")
	if !found {
		return true
	}
	sub, closed := strings.CutSuffix(rest, "]")
	if !closed || !isName(base) || strings.ContainsAny(rest, "$`(\\'\"") {
		r.gap("a subscript that is evaluated", w.Span)
		return false
	}
	r.evaluate(command.Known(sub, w.Span), false)
	return true
}

func isName(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := range len(s) {
		if !scan.IsNameByte(s[i]) {
			return false
		}
	}
	return true
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func number(n int) string { return strconv.Itoa(n) }

// test looks at an expression of [[ ]].
func (r *reader) test(x syntax.TestExpr) {
	matches, from := false, []command.Word(nil)
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryTest:
			if w, is := n.Y.(*syntax.Word); is && n.Op == syntax.TsReMatch { // a bad expression is shown
				matches = true
				r.reveals(r.value(w, ordinary), r.src.nodeSpan(w))
			}
			if n.Op >= syntax.TsEql && n.Op <= syntax.TsGtr {
				for _, side := range [...]syntax.TestExpr{n.X, n.Y} {
					if w, ok := side.(*syntax.Word); ok {
						r.operand(w)
					}
				}
				return false
			}
		case *syntax.UnaryTest:
			if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar) {
				r.plainName(r.value(w, ordinary))
				return false
			}
		case *syntax.Word:
			from = append(from, r.value(n, ordinary))
			return false
		}
		return n != nil
	})
	for _, name := range [...]string{"MATCH", "match", "BASH_REMATCH"} {
		if matches {
			r.setVariable(name, variable{alts: []command.Word{lost(from...)}, list: name != "MATCH", open: name != "MATCH"})
		}
	}
}
