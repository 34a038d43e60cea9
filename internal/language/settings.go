package language

import "strings"

// What a project's settings hold is often put together from the environment and from files of secrets, so that what code prints of them
// is not what stands in the code. A value that is named like a secret counts as one if it is taken from settings: a module or an
// object of such a name.

const settingsWords = `settings setting config configs configuration conf cfg env environment secrets credentials creds dynaconf`

// settingsNamed says whether a name, or a path of a module, is one of settings. A file of data is what it says.
func settingsNamed(name string) bool {
	if strings.HasSuffix(name, ".json") {
		return false
	}
	for _, w := range nameWords(name) {
		if HasWord(settingsWords, w) {
			return true
		}
	}
	return false
}

// secretPart is a part of an expression that is named like a secret: the member, key or variable whose tokens begin at start and end in
// front of end, with all that it is a part of.
type secretPart struct {
	start, end int
	member     bool // it is a part of something else
	settings   bool // of something that is named like settings
}

// secretPartAt is the part that the token at i names; ok is false if that is none, or if it is called, set or a key that is given a value.
func secretPartAt(tokens []token, i int) (p secretPart, ok bool) {
	t, next := tokenAt(tokens, i), tokenAt(tokens, i+1)
	switch {
	case !SecretName(t.text), t.kind != tokName && !t.isText():
		return p, false
	case t.kind == tokName:
		p.start, p.end = i, i+1
		ok = !next.isOne("(", "=") && !(next.is(":") && tokenAt(tokens, i-1).isOne("{", ","))
	case tokenAt(tokens, i-1).is("[") && next.is("]"), tokenAt(tokens, i-1).is("(") && tokenAt(tokens, i-2).isName("get"):
		p.start, p.end = i-1, i+2
		for k := p.end - 1; tokenAt(tokens, k).is(","); k += 2 { // a value for want of it
			p.end = k + 3
		}
		before := tokenAt(tokens, i-2)
		ok = before.kind == tokName || before.closes()
	}
	if !ok {
		return p, false
	}
	p.wholeOf(tokens)
	return p, true
}

// wholeOf goes back to where the expression begins that the part is one of.
func (p *secretPart) wholeOf(tokens []token) {
	for at := p.start; at > 0; {
		switch t := tokens[at]; {
		case tokens[at-1].isOne(".", "?.") && at > 1:
			at -= 2
		case t.isOne("[", "(") && (tokens[at-1].kind == tokName || tokens[at-1].closes()):
			at--
		default:
			return
		}
		if tokens[at].closes() {
			from := opening(tokens, at)
			for k := from; k < at; k++ {
				p.settings = p.settings || tokens[k].isText() && settingsNamed(tokens[k].text)
			}
			at = from
		}
		p.settings = p.settings || tokens[at].kind == tokName && settingsNamed(tokens[at].text)
		p.start, p.member = at, true
	}
}

// opening is the bracket that the one at i closes, or the first token.
func opening(tokens []token, i int) int {
	for depth := 0; i > 0; i-- {
		if t := tokens[i]; t.closes() {
			depth++
		} else if t.opens() {
			if depth--; depth == 0 {
				break
			}
		}
	}
	return i
}

// takenFromSettings says whether a variable is given something that is named like settings, or a part of it.
func takenFromSettings(tokens []token, name string) bool {
	for i, t := range tokens {
		if !t.isName(name) {
			continue
		}
		k := i + 1
		for t := tokenAt(tokens, k); t.kind == tokName || t.isOne(",", ":", "}"); t = tokenAt(tokens, k) {
			k++
		}
		if !tokenAt(tokens, k).is("=") {
			continue
		}
		if valueTells(tokens, k+1, func(k int) bool {
			return (tokens[k].kind == tokName || tokens[k].isText()) && settingsNamed(tokens[k].text)
		}) {
			return true
		}
	}
	return false
}

// valueTells says whether something is true of a token of the value of a variable, which begins at i.
func valueTells(tokens []token, i int, is func(int) bool) bool {
	for k := i; k < min(i+maxValue, len(tokens)) && !tokens[k].is(";") && tokens[k].kind != tokLine && !(tokens[k].fresh && k > i); k++ {
		if is(k) {
			return true
		}
	}
	return false
}

// maxValue bounds the tokens of a value that are looked at.
const maxValue = 32
