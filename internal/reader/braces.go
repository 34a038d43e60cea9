package reader

import (
	"slices"
	"strconv"
	"strings"

	"longline/internal/syntax"
)

// maxBraces bounds the words that one brace expansion may yield.
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
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.IndexByte(l.Value, '{') >= 0 {
			return true
		}
	}
	return false
}

// bracesOf expands braces as bash does, if it can be followed; own says that others may make something else of them.
func bracesOf(w *syntax.Word) (words [][]syntax.WordPart, own, ok bool) {
	atoms, ok := atomsOf(w)
	if !ok {
		return nil, false, false
	}
	if slices.ContainsFunc(w.Parts, quotesApart) {
		return nil, true, true
	}
	if leavesOpen(atoms) {
		return nil, true, true
	}
	var b bracing
	lists, ok := b.expand(atoms, 0)
	if !ok || b.lost {
		return nil, b.lost, ok
	}
	if len(lists) == 1 && len(lists[0]) == len(atoms) {
		return [][]syntax.WordPart{w.Parts}, b.own, true // nothing to expand
	}
	for i, a := range atoms {
		if a.lit && a.text == "$" {
			return nil, false, false // may become the beginning of an expansion
		}
		b.own = b.own || runsTogether(a.part, atoms[i+1:])
	}
	for _, list := range lists {
		words = append(words, rebuild(list))
	}
	return words, b.own, true
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

// quotesApart says whether quotes within an expansion within quotes hold what bash takes for quotes or braces of the word: it looks for braces before it
// reads expansions, and takes the inner quotes for the end of the outer ones.
func quotesApart(part syntax.WordPart) (found bool) {
	q, ok := part.(*syntax.DblQuoted)
	if !ok || len(q.Parts) == 0 {
		return false
	}
	depth := 0
	var open []bool // which of the nodes at hand are quotes
	syntax.Walk(q, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil:
			if open[len(open)-1] {
				depth--
			}
			open = open[:len(open)-1]
			return true
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.Lit:
			found = found || depth > 1 && strings.ContainsAny(n.Value, "'{},\\`")
		case *syntax.SglQuoted:
			found = found || depth > 1
		}
		_, is := n.(*syntax.DblQuoted)
		if open = append(open, is); is {
			depth++
		}
		return true
	})
	return found
}

// runsTogether says whether a part of a word with braces is one that zsh expands before them: what is
// split, a list, or a name that goes on in them.
func runsTogether(part syntax.WordPart, behind []atom) bool {
	switch p := part.(type) {
	case *syntax.CmdSubst:
		return true
	case *syntax.DblQuoted:
		return slices.ContainsFunc(p.Parts, isBareList) || holdsList(&syntax.Word{Parts: p.Parts})
	case *syntax.ParamExp:
		return isBareList(p) || holdsList(&syntax.Word{Parts: []syntax.WordPart{p}}) || p.Short && len(behind) > 0 && behind[0].lit && behind[0].text == "{"
	}
	return false
}

// atomsOf takes a word apart; ok is false if it is too long.
func atomsOf(w *syntax.Word) (atoms []atom, ok bool) {
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
			if len(atoms) > 4<<10 {
				return nil, false
			}
			atoms = append(atoms, atom{text: l.Value[i : i+n], pos: l.ValuePos, lit: n == 1})
			i += n - 1
		}
	}
	return atoms, true
}

// nameBytes are those that the name of a variable is made of.
const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// rebuild turns atoms back into the parts of a word.
func rebuild(list []atom) []syntax.WordPart {
	var parts []syntax.WordPart
	var b strings.Builder
	var pos syntax.Pos
	flush := func() {
		if b.Len() > 0 {
			// The text stands nowhere in the script, so its end is its beginning.
			parts = append(parts, &syntax.Lit{ValuePos: pos, ValueEnd: pos, Value: b.String()})
			b.Reset()
		}
	}
	for i := 0; i < len(list); i++ {
		a := list[i]
		if a.part != nil {
			flush()
			part, taken := withName(a.part, list[i+1:])
			parts = append(parts, part)
			i += taken
			continue
		}
		if b.Len() == 0 {
			pos = a.pos
		}
		b.WriteString(a.text)
	}
	flush()
	return parts
}

// withName is a part of a word with the atoms behind it that belong to the name of a variable, and
// how many these are. Braces are expanded before anything else, as text: $x{1,2} is $x1 $x2.
func withName(part syntax.WordPart, behind []atom) (syntax.WordPart, int) {
	p, ok := part.(*syntax.ParamExp)
	if !ok || !p.Short || p.Index != nil || !isName(p.Param.Value) {
		return part, 0
	}
	name, n := p.Param.Value, 0
	for n < len(behind) && behind[n].part == nil && strings.Trim(behind[n].text, nameBytes) == "" {
		name += behind[n].text
		n++
	}
	if n == 0 {
		return part, 0
	}
	q := *p
	q.Param = &syntax.Lit{ValuePos: p.Param.ValuePos, ValueEnd: p.Param.ValueEnd, Value: name}
	return &q, n
}

// bracing is a brace expansion that is being carried out, with the steps that it has taken.
type bracing struct {
	steps int
	own   bool // there is a sequence of which shells make different things
	lost  bool // or one that nobody can follow
}

// maxBraceSteps bounds what one brace expansion may cost.
const maxBraceSteps = 1 << 15

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
		middles, ok, is := b.middles(in[:end], i+1, commas, depth)
		if !is {
			continue
		}
		if !ok {
			return nil, false
		}
		return b.product(in[:i], middles, in[end+1:], depth)
	}
	return [][]atom{in}, true
}

// middles are what the braces whose content is that from an offset on stand for; is is false
// if they are no expansion.
func (b *bracing) middles(in []atom, from int, commas []int, depth int) (list [][]atom, ok, is bool) {
	if len(commas) == 0 {
		b.own = b.own || !isCommon(in[from:])
		texts, ok, is := sequence(in[from:])
		b.lost = b.lost || slices.Contains(texts, "\\") // which bash makes nothing of
		for _, t := range texts {
			list = append(list, []atom{{text: t, pos: in[from-1].pos}})
		}
		return list, ok, is
	}
	for _, to := range append(commas, len(in)) {
		one, ok := b.expand(in[from:to], depth+1)
		if !ok {
			return nil, false, true
		}
		list = append(list, one...)
		from = to + 1
	}
	return list, true, true
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

// sequence reads x..y or x..y..step; is is false if it is none, ok if it is too long.
func sequence(in []atom) (list []string, ok, is bool) {
	from, to, step, is := sequenceEnds(in)
	if !is {
		return nil, false, false
	}
	a, err1 := strconv.Atoi(from)
	z, err2 := strconv.Atoi(to)
	switch {
	case err1 == nil && err2 == nil:
		width := 0
		if padded(from) || padded(to) {
			width = max(len(from), len(to))
		}
		list, ok = count(a, z, step, func(n int) string { return pad(n, width) })
		return list, ok, true
	case len(from) == 1 && len(to) == 1 && isLetter(from[0]) && isLetter(to[0]):
		list, ok = count(int(from[0]), int(to[0]), step, func(c int) string { return string(rune(c)) })
		return list, ok, true
	}
	return nil, false, false
}

// isCommon says whether all shells that expand braces make the same of what stands in them without a
// comma: numbers with no sign but a minus and no step backwards, or letters of one case. What has no dots
// in it is text.
func isCommon(in []atom) bool {
	var b strings.Builder
	for _, a := range in {
		if b.WriteString(a.text); !a.lit {
			b.WriteByte('$')
		}
	}
	text := b.String()
	if !strings.Contains(text, "..") {
		return true
	}
	from, to, step, is := sequenceEnds(in)
	given := strings.Count(text, "..") > 1
	switch {
	case !is || strings.ContainsAny(text, "+$") || given && (step < 1 || strings.Contains(text, "..-") && strings.LastIndex(text, "..-") > strings.Index(text, "..")):
		return false
	case len(from) == 1 && len(to) == 1 && isLetter(from[0]) && isLetter(to[0]):
		return !given && (from[0] < 'a') == (to[0] < 'a')
	}
	_, err1 := strconv.Atoi(from)
	_, err2 := strconv.Atoi(to)
	return err1 == nil && err2 == nil && !(given && (padded(from) || padded(to) || strings.HasSuffix(text, "..0")))
}

// sequenceEnds are where a sequence begins and ends, and its step.
func sequenceEnds(in []atom) (from, to string, step int, is bool) {
	var b strings.Builder
	for _, a := range in {
		if !a.lit {
			return "", "", 0, false
		}
		b.WriteString(a.text)
	}
	parts := strings.Split(b.String(), "..")
	switch len(parts) {
	case 2:
		return parts[0], parts[1], 1, true
	case 3:
		n, err := strconv.Atoi(parts[2])
		return parts[0], parts[1], max(n, -n, 1), err == nil
	}
	return "", "", 0, false
}

// count goes from one number to another, up or down; ok is false if there are too many.
func count(from, to, step int, write func(int) string) (list []string, ok bool) {
	if from > to {
		step = -step
	}
	for n := from; step > 0 && n <= to || step < 0 && n >= to; n += step {
		if len(list) > maxBraces {
			return nil, false
		}
		list = append(list, write(n))
	}
	return list, true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func padded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}

func pad(n, width int) string {
	s := strconv.Itoa(max(n, -n))
	sign := ""
	if n < 0 {
		sign = "-"
	}
	if fill := width - len(s) - len(sign); fill > 0 {
		s = strings.Repeat("0", fill) + s
	}
	return sign + s
}
