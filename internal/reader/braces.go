package reader

import (
	"slices"
	"strconv"
	"strings"

	"longline/internal/syntax"
)

// Bounds on what one brace expansion may yield, and on what it may cost.
const maxBraces, maxBraceSteps = 256, 1 << 15

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

// bracesOf expands braces: lists, and rows of numbers that count up. Nothing is known of a word with anything else in it of which shells make different
// things; ok is false if there are too many words.
func bracesOf(w *syntax.Word) (words [][]syntax.WordPart, known, ok bool) {
	atoms := atomsOf(w)
	var b bracing
	lists, ok := b.expand(atoms, 0)
	if !ok {
		return nil, false, false
	}
	if len(lists) == 1 && len(lists[0]) == len(atoms) && !b.odd && !leavesOpen(atoms) {
		return [][]syntax.WordPart{w.Parts}, !slices.ContainsFunc(w.Parts, nestsQuotes), true // nothing to expand
	}
	if b.odd || leavesOpen(atoms) || !areApart(w.Parts) {
		return nil, false, true
	}
	for _, list := range lists {
		words = append(words, rebuild(list))
	}
	return words, true, true
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

// nestsQuotes says whether there are quotes in expansions in quotes: bash looks for braces before it reads expansions, and takes the inner quotes for
// the end of the outer ones.
func nestsQuotes(part syntax.WordPart) (found bool) {
	q, ok := part.(*syntax.DblQuoted)
	if !ok {
		return false
	}
	for _, inner := range q.Parts {
		syntax.Walk(inner, func(n syntax.Node) bool {
			switch n.(type) {
			case *syntax.CmdSubst, *syntax.ProcSubst:
				return false
			case *syntax.DblQuoted, *syntax.SglQuoted:
				found = true
			}
			return n != nil && !found
		})
	}
	return found
}

// leavesOpen says whether a word has braces that belong to no pair, and others that may: shells do not agree on which these are.
func leavesOpen(atoms []atom) bool {
	depth, stray, divided := 0, false, false
	for i, a := range atoms {
		switch {
		case !a.lit:
		case a.text == "{":
			depth++
		case a.text == "}":
			depth--
			stray = stray || depth < 0
		case a.text == ",", a.text == "." && i > 0 && atoms[i-1].lit && atoms[i-1].text == ".":
			divided = true
		}
	}
	return divided && (stray || depth != 0)
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

// bracing is a brace expansion that is being carried out, with the steps that it has taken.
type bracing struct {
	steps int
	odd   bool // there is a row of which nothing is known
}

// expand expands the first braces, and with them those inside and behind them; ok is false if
// that would be too much.
func (b *bracing) expand(in []atom, depth int) (words [][]atom, ok bool) {
	for i := range in {
		if b.steps++; b.steps > maxBraceSteps || depth > 32 {
			return nil, false
		}
		if !in[i].lit || in[i].text != "{" {
			continue
		}
		end, commas := b.closing(in, i)
		if end < 0 {
			continue
		}
		middles, ok := b.middles(in[:end], i+1, commas, depth)
		if !ok {
			return nil, false
		}
		if len(middles) > 0 {
			return b.product(in[:i], middles, in[end+1:], depth)
		}
	}
	return [][]atom{in}, true
}

// middles are what the braces whose content is that from an offset on stand for; there are none
// if they are no expansion.
func (b *bracing) middles(in []atom, from int, commas []int, depth int) (list [][]atom, ok bool) {
	if len(commas) == 0 {
		for _, n := range b.row(in[from:]) {
			list = append(list, []atom{{text: strconv.Itoa(n), pos: in[from-1].pos}})
		}
		return list, len(list) <= maxBraces
	}
	for _, to := range append(commas, len(in)) {
		one, ok := b.expand(in[from:to], depth+1)
		if !ok {
			return nil, false
		}
		list = append(list, one...)
		from = to + 1
	}
	return list, true
}

// product joins what stands before braces with all that they stand for, and with all that is
// behind them, expanded.
func (b *bracing) product(before []atom, middles [][]atom, behind []atom, depth int) (words [][]atom, ok bool) {
	tails, ok := b.expand(behind, depth+1)
	if !ok || len(tails)*len(middles) > maxBraces {
		return nil, false
	}
	for _, m := range middles {
		for _, t := range tails {
			one := make([]atom, 0, len(before)+len(m)+len(t))
			one = append(append(append(one, before...), m...), t...)
			if b.steps += len(one); b.steps > maxBraceSteps {
				return nil, false
			}
			words = append(words, one)
		}
	}
	return words, true
}

// closing finds the brace that closes the one at i, and the commas between them.
func (b *bracing) closing(in []atom, i int) (end int, commas []int) {
	level := 0
	for j := i; j < len(in); j++ {
		b.steps++
		if !in[j].lit {
			continue
		}
		switch in[j].text {
		case "{":
			level++
		case "}":
			if level--; level == 0 {
				return j, commas
			}
		case ",":
			if level == 1 {
				commas = append(commas, j)
			}
		}
	}
	return -1, nil
}

// row counts from one number up to another. Rows of letters, with steps, with signs or with zeros in front are not read.
func (b *bracing) row(in []atom) (list []int) {
	text := ""
	for _, a := range in {
		if text += a.text; len(text) > 16 {
			break
		}
	}
	from, to, is := strings.Cut(text, "..")
	if !is {
		return nil
	}
	x, err1 := strconv.Atoi(from)
	y, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || x > y || strconv.Itoa(x) != from || strconv.Itoa(y) != to || slices.ContainsFunc(in, func(a atom) bool { return !a.lit }) {
		b.odd = true
		return nil
	}
	for n := x; n <= y && len(list) <= maxBraces; n++ {
		list = append(list, n)
	}
	return list
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
