package language

// pyText is a Python program as tokens, and the brackets that they stand in.
type pyText struct {
	tokens []token
	inside []int // for each token the index of the bracket that it stands in, or -1
	budget
	mentions
}

func (p *pyText) at(i int) token    { return tokenAt(p.tokens, i) }
func (p *pyText) isName(i int) bool { return p.at(i).kind == tokName }
func (p *pyText) called(i int) bool { return p.at(i).is("(") }

// afterLines is the first index from i on that is not the end of a line.
func (p *pyText) afterLines(i int) int {
	for p.at(i).kind == tokLine {
		i++
	}
	return i
}

// brackets finds the bracket that each token stands in.
func (p *pyText) brackets() {
	p.inside = make([]int, len(p.tokens))
	var open []int
	for i, t := range p.tokens {
		if t.closes() && len(open) > 0 {
			open = open[:len(open)-1]
		}
		p.inside[i] = -1
		if len(open) > 0 {
			p.inside[i] = open[len(open)-1]
		}
		if t.opens() {
			open = append(open, i)
		}
	}
}

// starts says whether a statement begins at token i.
func (p *pyText) starts(i int) bool {
	prev := p.at(i - 1)
	return i == 0 || p.inside[min(i, len(p.inside)-1)] < 0 && (prev.kind == tokLine || prev.isOne(";", ":"))
}

// ends says whether a statement ends in front of token i.
func (p *pyText) ends(i int) bool {
	return i >= len(p.tokens) || p.inside[i] < 0 && (p.tokens[i].kind == tokLine || p.tokens[i].is(";"))
}

// keyword says whether the name at i is that of an argument: f(name=value).
func (p *pyText) keyword(i int) bool {
	open := p.inside[i]
	return open >= 0 && p.tokens[open].is("(") && p.at(i+1).is("=") && p.at(p.before(i)).isOne("(", ",")
}

// before is the index of the token before i, ends of lines left out.
func (p *pyText) before(i int) int {
	for i--; i >= 0 && p.tokens[i].kind == tokLine && p.spend(1); {
		i--
	}
	return i
}

// closing is the index of the bracket that closes the one at i.
func (p *pyText) closing(i int) int {
	for k := i + 1; k < len(p.tokens) && p.spend(1); k++ {
		if p.inside[k] == p.inside[i] && p.tokens[k].closes() {
			return k
		}
	}
	return len(p.tokens)
}

// opening is the index of the bracket that the one at i closes.
func (p *pyText) opening(i int) int {
	for k := i - 1; k >= 0 && p.spend(1); k-- {
		if p.inside[k] == p.inside[i] && p.tokens[k].opens() {
			return k
		}
	}
	return -1
}

// nextArgument is where the argument after the one at i begins.
func (p *pyText) nextArgument(i int) int {
	open := p.inside[min(i, len(p.inside)-1)]
	for ; i < len(p.tokens) && p.inside[i] >= open && p.spend(1); i++ {
		if p.inside[i] == open && p.tokens[i].is(",") {
			return p.afterLines(i + 1)
		}
	}
	return len(p.tokens)
}

// hasKeyword says whether one of several arguments is given by its name among
// those that begin at i.
func (p *pyText) hasKeyword(i int, names string) bool {
	open := p.inside[min(i, len(p.inside)-1)]
	for ; i < len(p.tokens) && p.inside[i] >= open && p.spend(1); i++ {
		if p.inside[i] == open && p.keyword(i) && HasWord(names, p.tokens[i].text) {
			return true
		}
	}
	return false
}

// targetEnd is the index after the target behind the word at i.
func (p *pyText) targetEnd(i int) int {
	k := i + 1
	for ; k < len(p.tokens) && p.spend(1); k++ {
		if t := p.tokens[k]; t.isName("in") || p.inside[k] <= p.inside[i] && (t.kind == tokLine || t.isOne(":", ";", ")")) {
			break
		}
	}
	return k
}

// operandEnds says whether no operator follows in front of token i but those of logic.
func (p *pyText) operandEnds(i int) bool {
	t := p.at(i)
	return t.kind == tokEnd || t.kind == tokLine || t.isOne(":", ";", ",") || t.closes() || t.named("and or else if for")
}

// compared says whether a constant stands alone at i, behind a comparison.
func (p *pyText) compared(i int) bool {
	t := p.at(i)
	return (t.kind == tokString && t.plain || t.kind == tokNumber || t.named("None True False")) && p.operandEnds(i+1)
}

// indexes says whether the bracket at i follows a value, of which it is a call or an index.
func (p *pyText) indexes(i int) bool {
	prev := p.at(i - 1)
	return prev.kind == tokName && !HasWord(pyKeywords, prev.text) || prev.kind == tokString || prev.closes()
}

// elements are where the elements begin of the list that opens at i.
func (p *pyText) elements(i int) (list []int, ok bool) {
	if i < 0 {
		return nil, false
	}
	end := p.closing(i)
	for at := i + 1; at < end && p.spend(1); at = p.nextArgument(at) {
		for p.at(at).kind == tokLine && at < end {
			at++
		}
		if at < end {
			list = append(list, at)
		}
		if len(list) > maxListed || p.at(at).isOne("*", "**") {
			return nil, false
		}
	}
	return list, len(list) > 0
}

// manyArguments says whether the bracket at i opens at least two arguments, each of
// which is one.
func (p *pyText) manyArguments(i int) bool {
	if !p.called(i) {
		return false
	}
	end, n := p.closing(i), 0
	for at := i + 1; at < end && p.spend(1); at = p.nextArgument(at) {
		if p.at(at).isOne("*", "**") {
			return false
		}
		n++
	}
	return n > 1
}

// behindValue says whether the bracket at i stands behind a name or another bracket: it
// holds arguments or an index.
func (p *pyText) behindValue(i int) bool { return p.isName(i-1) || p.at(i-1).isOne(")", "]") }

// alone says whether the name at i is the whole of an argument.
func (p *pyText) alone(i int) bool { return p.isName(i) && p.at(i+1).isOne(",", ")") }

// loop says whether a loop begins at i, behind whose word the tokens are as a pattern says.
func (p *pyText) loop(i int, pattern string) bool {
	return p.at(i).isName("for") && p.spend(1) && !p.at(i-1).is(".") && looks(p.tokens, i+1, pattern)
}

// pyIdentifies says whether a token is a name that a program can give to something.
func pyIdentifies(t token) bool { return t.kind == tokName && !HasWord(pyKeywords, t.text) }
