package reader

import (
	"slices"
	"strings"

	"longline/internal/syntax"
)

// maxBraces bounds what one brace expansion may yield.
const maxBraces = 256

// atom is one unit of a word for brace expansion: an unquoted byte, an escaped
// pair, or a whole quoted or expanded part.
type atom struct {
	text string
	part syntax.WordPart // nil for text
	pos  syntax.Pos
	lit  bool // text that may be brace syntax
}

// hasBraces says whether a word may contain a brace expansion.
func hasBraces(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		l, ok := p.(*syntax.Lit)
		return ok && strings.IndexByte(l.Value, '{') >= 0
	})
}

// bracesOf expands lists in braces that are not inside each other. Nothing is known of a word with other braces that may be expanded, or with anything else in
// it of which shells make different things; ok is false if there are too many words.
func bracesOf(w *syntax.Word) (words [][]syntax.WordPart, known, ok bool) {
	atoms := atomsOf(w)
	is := func(i int, text string) bool { return atoms[i].lit && atoms[i].text == text }
	lists, expanded, odd := [][]atom{nil}, false, !areApart(w.Parts)
	for i := 0; i < len(atoms); i++ {
		if odd = odd || is(i, "}"); !is(i, "{") { // that closes nothing
			for k := range lists {
				lists[k] = append(lists[k], atoms[i])
			}
			continue
		}
		end, from, divided := i+1, i+1, false
		var middles [][]atom
		for ; end < len(atoms) && !is(end, "}"); end++ {
			switch {
			case is(end, "{"), is(end, ".") && end+1 < len(atoms) && is(end+1, "."):
				odd = true
			case is(end, ","):
				middles, from, divided = append(middles, atoms[from:end]), end+1, true
			}
		}
		if odd = odd || end == len(atoms); odd {
			break
		}
		if middles = append(middles, atoms[from:end]); !divided {
			middles = [][]atom{atoms[i : end+1]}
		}
		if len(lists)*len(middles) > maxBraces || len(lists)*len(middles)*len(atoms) > 1<<15 {
			return nil, false, false
		}
		var longer [][]atom
		for _, list := range lists {
			for _, m := range middles {
				longer = append(longer, append(list[:len(list):len(list)], m...))
			}
		}
		lists, i, expanded = longer, end, expanded || divided
	}
	if !expanded && isNoList(textOf(atoms)) {
		return [][]syntax.WordPart{w.Parts}, areApart(w.Parts) || !slices.ContainsFunc(w.Parts, isDoubleQuoted), true // nothing to expand
	}
	if odd {
		return nil, false, true
	}
	for _, list := range lists {
		words = append(words, rebuild(list))
	}
	return words, true, true
}

// textOf is what of a word may be brace syntax.
func textOf(atoms []atom) string {
	var b strings.Builder
	for _, a := range atoms {
		if a.lit {
			b.WriteString(a.text)
		} else {
			b.WriteByte('x')
		}
	}
	return b.String()
}

// isNoList says whether braces in a text make no list. Of a long one nobody knows.
func isNoList(text string) bool {
	return len(text) < 1<<14 && !strings.Contains(text, ",") && !strings.Contains(text, "..")
}

func isDoubleQuoted(p syntax.WordPart) bool {
	_, is := p.(*syntax.DblQuoted)
	return is
}

// areApart says whether the parts of a word mean the same wherever braces put them: text, quotes, and values of one variable that do not run together
// with the text behind them.
func areApart(parts []syntax.WordPart) bool {
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.IndexByte(p.Value, '$') >= 0 {
				return false
			}
		case *syntax.SglQuoted:
		case *syntax.DblQuoted:
			if slices.ContainsFunc(p.Parts, func(q syntax.WordPart) bool { return !isText(q) && !isValue(q) }) {
				return false
			}
		case *syntax.ParamExp:
			if !isValue(p) || p.Short && (i+1 == len(parts) || !isText(parts[i+1]) || parts[i+1].(*syntax.Lit).Value[0] != '/') {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func isText(p syntax.WordPart) bool {
	l, is := p.(*syntax.Lit)
	return is && l.Value != ""
}

// isValue says whether a part of a word is nothing but the value of a variable.
func isValue(part syntax.WordPart) bool {
	p, is := part.(*syntax.ParamExp)
	return is && p.Param != nil && isName(p.Param.Value) && p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil && !p.Length && !p.Excl && p.Names == 0
}

// atomsOf takes a word apart.
func atomsOf(w *syntax.Word) (atoms []atom) {
	for _, p := range w.Parts {
		l, isLit := p.(*syntax.Lit)
		if !isLit {
			atoms = append(atoms, atom{part: p, pos: p.Pos()})
			continue
		}
		for i := 0; i < len(l.Value); i++ {
			n := 1
			if l.Value[i] == '\\' && i+1 < len(l.Value) {
				n = 2
			}
			atoms = append(atoms, atom{text: l.Value[i : i+n], pos: l.ValuePos, lit: n == 1})
			i += n - 1
		}
	}
	return atoms
}

// rebuild turns atoms back into the parts of a word.
func rebuild(list []atom) []syntax.WordPart {
	var parts []syntax.WordPart
	var b strings.Builder
	for i, a := range list {
		if a.part != nil {
			parts = append(parts, a.part)
			continue
		}
		if b.WriteString(a.text); i+1 == len(list) || list[i+1].part != nil {
			// The text stands nowhere in the script, so its end is its beginning.
			parts = append(parts, &syntax.Lit{ValuePos: a.pos, ValueEnd: a.pos, Value: b.String()})
			b.Reset()
		}
	}
	return parts
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
