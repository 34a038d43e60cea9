package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
)

// Zsh keeps the quotes of a subscript: to it m["k"] and m[k] are two elements, to bash one. A key that is written with quotes is kept
// as both texts, with keyMark between them.
const keyMark = "\x00"

// keyTexts are a key as bash and as zsh have it.
func keyTexts(key string) (bash, zsh string) {
	if bash, zsh, both := strings.Cut(key, keyMark); both {
		return bash, zsh
	}
	return key, key
}

// findKey is the place of a key among others; sure is false if it is not the same for all shells.
func findKey(keys []string, key string) (at int, sure bool) {
	bash, zsh := keyTexts(key)
	at = slices.IndexFunc(keys, func(k string) bool { b, _ := keyTexts(k); return b == bash })
	return at, at == slices.IndexFunc(keys, func(k string) bool { _, z := keyTexts(k); return z == zsh })
}

// subscriptKey is the key that the subscript of an associative array stands for. Within the parentheses of an array quotes are removed by all
// shells.
func subscriptKey(r *reader, s *state, index syntax.ArithmExpr, listed bool) (string, bool) {
	w, ok := index.(*syntax.Word)
	if !ok {
		r.gap("a subscript that is evaluated", r.src.nodeSpan(index))
		return "", false
	}
	key := r.value(s, w)
	r.reveals(key, r.src.nodeSpan(index)) // keys are names
	if strings.ContainsAny(key.Text, "$`") {
		r.gap("a subscript that is evaluated", r.src.nodeSpan(index))
	}
	if slices.ContainsFunc(w.Parts, isElement) { // to arithmetic; a key is text
		return "", false
	}
	if !key.IsKnown() || key.Text == "" || !r.src.fillsBrackets(w) || strings.Contains(key.Text, keyMark) {
		return "", false
	}
	if !r.world.Zsh {
		return key.Text, true
	}
	if slices.ContainsFunc(w.Parts, holdsEscape) { // which may stay
		return "", false
	}
	if listed || !slices.ContainsFunc(w.Parts, isQuotes) {
		return key.Text, true
	}
	kept, ok := keptQuotes(r, s, w.Parts)
	return key.Text + keyMark + kept, ok && !strings.ContainsAny(key.Text, "\"'\\[](){}")
}

// fillsBrackets says whether there are no blanks beside a subscript, which would belong to the key.
func (src *source) fillsBrackets(w *syntax.Word) bool {
	from, to := int(w.Pos().Offset()), int(w.End().Offset())
	return from > 0 && to < len(src.text) && src.text[from-1] == '[' && src.text[to] == ']'
}

// isElement says whether a part of a subscript is an element of an array without a dollar sign.
func isElement(p syntax.WordPart) bool {
	e, ok := p.(*syntax.ParamExp)
	return ok && !e.Dollar.IsValid()
}

// isQuotes says whether a part of a word is quotes.
func isQuotes(p syntax.WordPart) bool {
	switch p.(type) {
	case *syntax.SglQuoted, *syntax.DblQuoted:
		return true
	}
	return false
}

// keptQuotes is what parts of a word stand for if their quotes stay; ok is false if they hold more than text and variables.
func keptQuotes(r *reader, s *state, parts []syntax.WordPart) (text string, ok bool) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if holdsEscape(p) {
				return "", false
			}
			text += p.Value
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			text += "'" + p.Value + "'"
		case *syntax.DblQuoted:
			inner, ok := keptQuotes(r, s, p.Parts)
			if !ok || p.Dollar {
				return "", false
			}
			text += `"` + inner + `"`
		case *syntax.ParamExp:
			w, ok := plainValue(r, s, p)
			if !ok {
				return "", false
			}
			text += w.Text
		default:
			return "", false
		}
	}
	return text, true
}

// plainValue is the value of a variable that an expansion without any operator stands for, if it is known.
func plainValue(r *reader, s *state, p *syntax.ParamExp) (command.Word, bool) {
	if hasOperator(p) || p.Excl || p.Length || p.Index != nil || p.Names != 0 || isAll(p.Param.Value) || r.src.goesOn(p) || r.src.isLonger(p) {
		return command.Word{}, false
	}
	w, _ := r.scalar(s, p.Param.Value)
	return w, w.IsKnown() && !w.Hollow
}
