package powershell

import (
	"strings"

	"longline/internal/syntax"
)

// The pieces of trees.

func (p *parser) pos(at int) syntax.Pos { return p.places.At(min(max(at, 0), len(p.text))) }

func (p *parser) lit(text string, start int) *syntax.Lit {
	return &syntax.Lit{ValuePos: p.pos(start), ValueEnd: p.pos(max(p.at, start)), Value: text}
}

// quoted is a word that is a text.
func (p *parser) quoted(text string, start, end int) *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{p.text1(text, start, end)}}
}

func (p *parser) text1(text string, start, end int) syntax.WordPart {
	return &syntax.SglQuoted{Left: p.pos(start), Right: p.pos(max(end-1, start)), Value: text}
}

// pattern is a word that is a pattern of names.
func (p *parser) pattern(text string, start, end int) *syntax.Word {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c < 0x80 && !isNameByte(c) && strings.IndexByte("*?[]/.-,:", c) < 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{ValuePos: p.pos(start), ValueEnd: p.pos(end), Value: b.String()}}}
}

// variable is the value of a variable, in quotes.
func (p *parser) variable(name string, start, end int) syntax.WordPart {
	e := &syntax.ParamExp{Dollar: p.pos(start), Rbrace: p.pos(max(end-1, start)), Param: &syntax.Lit{ValuePos: p.pos(start), ValueEnd: p.pos(end), Value: name}}
	return p.inQuotes(e, start, end)
}

func (p *parser) inQuotes(part syntax.WordPart, start, end int) syntax.WordPart {
	return &syntax.DblQuoted{Left: p.pos(start), Right: p.pos(max(end-1, start)), Parts: []syntax.WordPart{part}}
}

// output is what statements print.
func (p *parser) output(list []*syntax.Stmt, start int) *syntax.CmdSubst {
	return &syntax.CmdSubst{Left: p.pos(start), Right: p.pos(max(p.at-1, start)), Stmts: list}
}

func (p *parser) stmt(cmd syntax.Command, start int) *syntax.Stmt {
	return &syntax.Stmt{Cmd: cmd, Position: p.pos(start)}
}

// call is a simple command.
func (p *parser) call(start, _ int, words ...*syntax.Word) *syntax.Stmt {
	return p.stmt(&syntax.CallExpr{Args: words}, start)
}

// pipe hands what one statement prints to another.
func (p *parser) pipe(x, y *syntax.Stmt, start int) *syntax.Stmt {
	return p.stmt(&syntax.BinaryCmd{OpPos: p.pos(start), Op: syntax.Pipe, X: x, Y: y}, start)
}

// set gives a variable a value.
func (p *parser) set(name string, v val, start int) *syntax.Stmt {
	a := &syntax.Assign{Name: p.lit(inShell(name), start)}
	delete(p.tables, name)
	delete(p.lists, name)
	switch {
	case v.isTable && v.table != nil:
		p.tables[name] = v.table
	case len(v.words) > 1:
		p.lists[name] = true
	}
	if len(v.words) == 1 {
		a.Value = v.words[0]
	} else if len(v.words) == 0 {
		a.Value = p.quoted("", start, start)
	} else {
		a.Array = &syntax.ArrayExpr{Lparen: p.pos(start), Rparen: p.pos(len(p.text))}
		for _, w := range v.words {
			a.Array.Elems = append(a.Array.Elems, &syntax.ArrayElem{Value: w})
		}
	}
	return p.stmt(&syntax.CallExpr{Assigns: []*syntax.Assign{a}}, start)
}

// inShell is the name that a variable has in the tree: those of the environment keep theirs, the others get one that
// means nothing to a shell.
func inShell(name string) string {
	if rest, ok := strings.CutPrefix(name, "env:"); ok {
		return rest
	}
	return "_ps_" + name
}

// constant is the text of a word that is one.
func constant(w *syntax.Word) string {
	text, _ := known(w)
	return text
}

func known(w *syntax.Word) (text string, ok bool) {
	for _, part := range w.Parts {
		q, is := part.(*syntax.SglQuoted)
		if !is {
			return "", false
		}
		text += q.Value
	}
	return text, true
}

func isLetter(c byte) bool   { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool    { return c >= '0' && c <= '9' }
func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c >= 0x80 }

// plainName says whether a text can be the name of a function for a shell.
func plainName(name string) bool {
	return strings.IndexFunc(name, func(c rune) bool { return c < 0x80 && !isNameByte(byte(c)) && c != '-' && c != '.' }) < 0
}

// hasWord says whether a list of words has a word.
func hasWord(list, word string) bool {
	for rest := list; word != ""; {
		i := strings.Index(rest, word)
		if i < 0 {
			break
		}
		end := i + len(word)
		if (i == 0 || rest[i-1] == ' ' || rest[i-1] == '\n') && (end == len(rest) || rest[end] == ' ' || rest[end] == '\n') {
			return true
		}
		rest = rest[end:]
	}
	return false
}
