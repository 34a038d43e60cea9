package language

import (
	"path"
	"strings"

	"longline/internal/paths"
)

// What expressions of a Python program are worth, where that is plain to see: texts, paths
// and what is made of them.

// value is the text that the expression at i has, and the index after it.
func (p *pyReader) value(i int) (v constant, next int, ok bool) {
	v, next, ok = p.valueIn(i, 0)
	return v, next, ok && !v.open && !v.pattern
}

// named is the same of a file that is read, which may be each of those in a loop.
func (p *pyReader) named(i int) (v constant, next int, ok bool) {
	v, next, ok = p.valueIn(i, 0)
	return v, next, ok && !v.open
}

// valueIn is the same, or the beginning of it.
func (p *pyReader) valueIn(i, depth int) (v constant, next int, ok bool) {
	if depth > 12 || !p.spend(40) {
		return v, i, false
	}
	v, i, ok = p.term(i, depth)
	for more := true; more && ok; {
		if !p.spend(40) {
			return v, i, false
		}
		switch t := p.at(i); {
		case t.isOne("+", "/"):
			v, i, ok = p.plus(v, i, depth)
		case t.is(".") && v.path && p.called(i+2):
			v, i, more, ok = p.pathOf(v, i, depth)
		default:
			more = false
		}
	}
	return v, i, ok
}

// plus is what becomes of a value by the operator at i and what follows it: two texts
// joined, or two paths.
func (p *pyReader) plus(v constant, i, depth int) (constant, int, bool) {
	right, next, ok := p.term(i+1, depth)
	if !ok || len(v.text) > 4000 {
		return v, i, false
	}
	sum, ok := v.plus(right, p.at(i).is("/"))
	if !ok {
		return v, i, false
	}
	return sum, next, true
}

// plus is what two values make with an operator between them: a slash joins paths, a plus
// sign texts. Of a text of which only the beginning is known nothing more is.
func (v constant) plus(right constant, slash bool) (sum constant, ok bool) {
	switch {
	case slash != (v.path || right.path):
		return v, false
	case slash:
		sum = joinPath(v, right)
		sum.path = true
		return sum, !v.open && !right.open
	case right.home || v.pattern || right.pattern:
		return v, false
	case !v.open:
		v.text += right.text
		v.open = right.open
	}
	return v, true
}

// pathOf is what becomes of a path by the method behind the dot at i; more says that it
// is one that makes another path.
func (p *pyReader) pathOf(v constant, i, depth int) (_ constant, next int, more, ok bool) {
	switch name := p.at(i + 1); {
	case p.at(i+3).is(")") && name.named("expanduser resolve absolute"):
		switch name.text {
		case "expanduser":
			v = expandUser(v)
		case "resolve":
			v = behindLink(v)
		}
		return v, i + 4, true, true
	case name.isName("joinpath"):
		right, next, ok := p.valueIn(i+3, depth+1)
		if !ok || right.open || !p.at(next).is(")") {
			return v, i, false, false
		}
		v = joinPath(v, right)
		v.path = true
		return v, next + 1, true, true
	}
	return v, i, false, true
}

// joinPath is a path with another one below it, or in place of it if that is absolute.
func joinPath(a, b constant) constant {
	if b.home || strings.HasPrefix(b.text, "/") {
		return b
	}
	if b.pattern || a.pattern {
		if !followsPattern(a, b) {
			a.open = true
		}
		a.pattern, a.all, a.deep = true, b.all, a.deep || b.deep
	}
	a.text = path.Join(a.text, b.text)
	return a
}

// followsPattern says whether a path with another one below it, one of which is a pattern,
// is a pattern that longline follows.
func followsPattern(a, b constant) bool {
	if !plainPattern(a.text + b.text) {
		return false
	}
	walked := strings.HasSuffix(a.text, "**") && !strings.ContainsAny(b.text, "/") // a directory of a walk
	return walked || (b.pattern || b.text == "") && !paths.Wild(a.text)
}

func expandUser(v constant) constant {
	if rest, ok := strings.CutPrefix(v.text, "~"); ok && !v.home && (rest == "" || rest[0] == '/') {
		v.text, v.home = strings.TrimLeft(rest, "/"), true
	}
	return v
}

// term is the value of an expression without operators.
func (p *pyReader) term(i, depth int) (v constant, next int, ok bool) {
	if end, joined := p.joined[i]; joined && p.at(end+1).kind != tokString {
		v, ok = p.pieces(p.tokens[end].joined.pieces, depth)
		return v, end + 1, ok
	}
	switch t := p.at(i); {
	case t.kind == tokString:
		return p.texts(i)
	case t.is("("):
		return p.enclosed(i, depth)
	case t.kind != tokName || p.at(i-1).is("."):
		return v, i, false
	case p.converts(i):
		v, next, ok = p.enclosed(i+1, depth)
		v.path = false
		return v, next, ok && !v.open
	case p.bound[t.text] != "":
		return p.pathFunction(i, depth)
	}
	return p.variableValue(i, depth)
}

// converts says whether a value is made a text at i.
func (p *pyReader) converts(i int) bool {
	return p.at(i).isName("str") && p.called(i+1) && p.builtin("str")
}

// texts is the text of the strings that stand side by side at i, if they are plain.
func (p *pyText) texts(i int) (v constant, next int, ok bool) {
	for ok = true; p.at(i).kind == tokString; i++ {
		ok = ok && p.at(i).plain
		v.text += p.at(i).text
	}
	return v, i, ok
}

// enclosed is the value of the expression in the parenthesis at i.
func (p *pyReader) enclosed(i, depth int) (v constant, next int, ok bool) {
	v, next, ok = p.valueIn(i+1, depth+1)
	return v, next + 1, ok && p.at(next).is(")")
}

// variableValue is the value of the variable at i.
func (p *pyReader) variableValue(i, depth int) (v constant, next int, ok bool) {
	name := p.at(i).text
	if p.temporaryName(i) {
		if p.at(i + 1).is(".") {
			i += 2
		}
		return constant{text: "/tmp/python-temporary"}, i + 1, true
	}
	if at := p.chosen[name]; at > 0 {
		v, next, ok = p.valueIn(at, depth+1)
		return v, i + 1, ok && p.at(p.afterLines(next)).isOne(",", ")", "]")
	}
	if at, once := p.only(name); once {
		v, next, ok = p.valueIn(at, depth+1)
		return v, i + 1, ok && p.over(name, next)
	}
	if p.names[name] != 1 {
		return v, i, false
	}
	v, ok = p.each(name)
	return v, i + 1, ok
}

// pieces is the value of a string with expressions; it is open from the first of them
// that is not known.
func (p *pyReader) pieces(list []piece, depth int) (v constant, ok bool) {
	for _, part := range list {
		right := p.piece(part, depth, v.text != "")
		v.text += right.text
		v.home = v.home || right.home
		if v.open = right.open || len(v.text) > 4000; v.open {
			break
		}
	}
	return v, !v.open || v.text != ""
}

// piece is the value of a part of such a string; it is open if it is not known. A path
// below the home directory can only stand in front.
func (p *pyReader) piece(part piece, depth int, behind bool) constant {
	unknown := constant{open: true}
	if part.odd {
		return unknown
	}
	if part.expression == 0 {
		return constant{text: part.text}
	}
	v, next, ok := p.valueIn(part.expression, depth+1)
	if !ok || v.pattern || v.path || v.home && behind || !p.at(next).is(")") {
		return unknown
	}
	return v
}

// pathFunction is the value of a function of a module that makes paths.
func (p *pyReader) pathFunction(i, depth int) (v constant, next int, ok bool) {
	what, i := p.function(i)
	switch what {
	case "os.environ":
		return p.homeVariable(i, "[ TEXT ]")
	case "os.environ.get", "os.getenv":
		return p.homeVariable(i, "( TEXT )")
	case "os.getcwd":
		return constant{text: "."}, i + 2, looks(p.tokens, i, "( )")
	case "pathlib.Path.home", "pathlib.Path.cwd":
		return constant{home: what == "pathlib.Path.home", path: true}, i + 2, looks(p.tokens, i, "( )")
	}
	if !HasWord("os.path.expanduser os.path.abspath os.path.normpath os.path.realpath os.path.join pathlib.Path os.fspath", what) || !p.called(i) {
		return v, i, false
	}
	v, next, ok = p.joinedPath(i+1, depth)
	v.path = what == "pathlib.Path"
	switch {
	case ok && what == "os.path.expanduser":
		v = expandUser(v)
	case ok && what == "os.path.realpath":
		v = behindLink(v)
	}
	return v, next, ok
}

// behindLink is what a path leads to if it is that of a link, as a slash behind it says.
func behindLink(v constant) constant {
	if v.text != "" && !v.open && !v.pattern && !strings.HasSuffix(v.text, "/") {
		v.text += "/"
	}
	return v
}

// homeVariable is the value of a variable of the environment that is named at i between
// brackets, if it is the home directory.
func (p *pyText) homeVariable(i int, brackets string) (v constant, next int, ok bool) {
	return constant{home: true}, i + 3, looks(p.tokens, i, brackets) && p.at(i+1).text == "HOME"
}

// joinedPath is the path that the arguments from i on make, and the index after them.
func (p *pyReader) joinedPath(i, depth int) (v constant, next int, ok bool) {
	for !p.at(i).is(")") {
		right, next, ok := p.valueIn(i, depth+1)
		if !ok || right.open || !p.at(next).isOne(",", ")") {
			return v, i, false
		}
		v = joinPath(v, right)
		if i = next; p.at(i).is(",") {
			i++
		}
	}
	return v, i + 1, true
}
