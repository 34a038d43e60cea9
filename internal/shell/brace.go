package shell

import (
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

// braces expands the braces of a word. ok is false if there would be too many
// words.
func braces(w *syntax.Word) (words [][]syntax.WordPart, ok bool) {
	var atoms []atom
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
	steps := 0
	lists, ok := expandBraces(atoms, &steps, 0)
	if !ok {
		return nil, false
	}
	if len(lists) == 1 && len(lists[0]) == len(atoms) {
		return [][]syntax.WordPart{w.Parts}, true // nothing to expand
	}
	for _, a := range atoms {
		if a.lit && a.text == "$" {
			return nil, false // may become the beginning of an expansion
		}
	}
	for _, list := range lists {
		words = append(words, rebuild(list))
	}
	return words, true
}

// rebuild turns atoms back into the parts of a word.
const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

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
			// Braces are expanded before anything else, as text: $x{1,2} is
			// $x1 $x2.
			if p, ok := a.part.(*syntax.ParamExp); ok && p.Short && p.Index == nil && isName(p.Param.Value) {
				name := p.Param.Value
				for i+1 < len(list) && list[i+1].part == nil && strings.Trim(list[i+1].text, nameBytes) == "" {
					i++
					name += list[i].text
				}
				if name != p.Param.Value {
					q := *p
					q.Param = &syntax.Lit{ValuePos: p.Param.ValuePos, ValueEnd: p.Param.ValueEnd, Value: name}
					parts = append(parts, &q)
					continue
				}
			}
			parts = append(parts, a.part)
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

func expandBraces(in []atom, steps *int, depth int) ([][]atom, bool) {
	for i := 0; i < len(in); i++ {
		if *steps++; *steps > 1<<15 || depth > 32 {
			return nil, false
		}
		if !in[i].lit || in[i].text != "{" {
			continue
		}
		end, commas := closing(in, i, steps)
		if end < 0 {
			continue
		}
		var middles [][]atom
		if len(commas) > 0 {
			from := i + 1
			for _, to := range append(commas, end) {
				list, ok := expandBraces(in[from:to], steps, depth+1)
				if !ok {
					return nil, false
				}
				middles = append(middles, list...)
				from = to + 1
			}
		} else if seq, ok, is := sequence(in[i+1 : end]); is {
			if !ok {
				return nil, false
			}
			for _, t := range seq {
				middles = append(middles, []atom{{text: t, pos: in[i].pos}})
			}
		} else {
			continue
		}
		tails, ok := expandBraces(in[end+1:], steps, depth+1)
		if !ok || len(tails)*len(middles) > maxBraces {
			return nil, false
		}
		var out [][]atom
		for _, m := range middles {
			for _, t := range tails {
				one := make([]atom, 0, i+len(m)+len(t))
				one = append(append(append(one, in[:i]...), m...), t...)
				if *steps += len(one); *steps > 1<<15 {
					return nil, false
				}
				out = append(out, one)
			}
		}
		return out, true
	}
	return [][]atom{in}, true
}

// closing finds the brace that closes the one at i, and the commas between them.
func closing(in []atom, i int, steps *int) (end int, commas []int) {
	level := 0
	for j := i; j < len(in); j++ {
		*steps++
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

// sequence reads x..y or x..y..step.
func sequence(in []atom) (list []string, ok, is bool) {
	var b strings.Builder
	for _, a := range in {
		if !a.lit {
			return nil, false, false
		}
		b.WriteString(a.text)
	}
	parts := strings.Split(b.String(), "..")
	if len(parts) != 2 && len(parts) != 3 {
		return nil, false, false
	}
	step := 1
	if len(parts) == 3 {
		n, err := strconv.Atoi(parts[2])
		if err != nil {
			return nil, false, false
		}
		step = max(n, -n, 1)
	}
	from, to := parts[0], parts[1]
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
