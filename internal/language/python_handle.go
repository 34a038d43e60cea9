package language

// A file that a Python program has opened is read when the program makes use of it: at once, or by a name that stands for it, later.

// pyHandle is a file that a call opens to read: the deed, and the bracket of the call.
type pyHandle struct{ deed, call int }

// readsOn looks for files that were opened to read before they were opened anew, and are read after that.
func readsOn(p *pyReader) {
	for _, h := range p.emptied.handles {
		for _, f := range p.emptied.list {
			for k := f.write; k < f.writes; k++ {
				if h.call < f.from && p.deeds.List[h.deed].isSame(&p.deeds.List[k]) && pyReadsBehind(p, h.call-1, p.closing(h.call)+1, f.from, 0) {
					p.deeds.empties(k)
				}
			}
		}
	}
}

// pyLazy are functions that return something which reads a file only when it is gone through.
const pyLazy = "reader DictReader map filter enumerate zip iter islice chain takewhile dropwhile filterfalse starmap accumulate groupby tee cycle zip_longest pairwise batched iterparse enter_context closing TextIOWrapper BufferedReader"

// maxHeld bounds the names that may stand for a file one by the other.
const maxHeld = 8

// pyReadsBehind says whether a file is read behind the token at mark that an expression from start to end stands for, or something that
// goes through it.
func pyReadsBehind(p *pyReader, start, end, mark, depth int) bool {
	for depth < maxHeld && p.spend(1) {
		switch {
		case p.at(end).is("."): // a method of it
			return !p.at(end+1).named("close closed name mode fileno flush isatty readable seekable") && pyReadUntil(p, end) > mark
		case p.at(start-1).is(":=") && p.isName(start-2):
			if pyNameReadsBehind(p, p.at(start-2), end, len(p.tokens), mark, depth) {
				return true
			}
			start -= 2
			continue
		}
		open := p.inside[start]
		if open < 0 {
			return pyStatementReadsBehind(p, start, end, mark, depth)
		}
		if p.indexes(open) && !pyIsLazy(p, open) || p.at(open).is("[") && pyGoesThrough(p, open) {
			return pyReadUntil(p, start) > mark
		}
		for start = open; p.at(open).is("(") && p.indexes(start) && p.isName(start-1); {
			if start--; p.at(start - 1).is(".") {
				start--
			}
		}
		end = p.closing(open) + 1
	}
	return true
}

// pyIsLazy says whether the bracket at open holds what a function is given that reads it only later: a list has such functions, and those
// of the program may be generators.
func pyIsLazy(p *pyReader, open int) bool {
	name := p.at(open - 1)
	if !p.called(open) || name.kind != tokName {
		return false
	}
	if p.names[name.text] > 0 {
		for range p.of(p.tokens, "yield") {
			return true
		}
	}
	return HasWord(pyLazy, name.text)
}

// pyGoesThrough says whether a loop stands in the bracket at open: a list that is made at once.
func pyGoesThrough(p *pyReader, open int) bool {
	for i := open + 1; i < len(p.tokens) && p.inside[i] >= open && p.spend(1); i++ {
		if p.inside[i] == open && p.at(i).isName("for") {
			return true
		}
	}
	return false
}

// pyReadUntil is the token up to which a read at i is made: the condition of a loop is looked at again.
func pyReadUntil(p *pyReader, i int) int {
	for first := i; first >= 0 && p.spend(1); first-- {
		if p.starts(first) && p.at(first).isName("while") {
			return p.blockEnd(first)
		} else if p.starts(first) {
			break
		}
	}
	return i
}

// pyStatementReadsBehind is pyReadsBehind for an expression that stands in no bracket.
func pyStatementReadsBehind(p *pyReader, start, end, mark, depth int) bool {
	first := start
	for first > 0 && !p.starts(first) && p.spend(1) {
		first--
	}
	switch {
	case p.at(first).isName("for"): // it goes on reading as long as the loop runs
		return start > mark || mark < p.blockEnd(first)
	case p.at(first).isName("with"):
		return p.at(end).isName("as") && pyNameReadsBehind(p, p.at(end+1), end+2, p.blockEnd(first), mark, depth)
	}
	for i := first; i < start && p.spend(1); i++ {
		if !p.at(i).is("=") || p.inside[i] >= 0 {
			continue
		}
		for k := first; k < i; k++ {
			if p.isName(k) && !p.at(k+1).is(".") && pyNameReadsBehind(p, p.at(k), p.statementEnd(start), len(p.tokens), mark, depth) {
				return true
			}
		}
		return false
	}
	return start > mark
}

// pyNameReadsBehind is pyReadsBehind for what a name stands for from a token on, up to another one or until it gets another meaning.
func pyNameReadsBehind(p *pyReader, name token, from, to, mark, depth int) bool {
	for i := range p.of(p.tokens, name.text) {
		switch {
		case i < from || p.keyword(i):
		case i >= to || !p.spend(1):
			return false
		case p.at(i-1).named("as for def") || p.starts(i) && p.at(i+1).is("=") || p.inside[i] >= 0 && p.at(p.inside[i]-2).isName("def"):
			return false
		case pyReadsBehind(p, i, i+1, mark, depth+1):
			return true
		}
	}
	return false
}
