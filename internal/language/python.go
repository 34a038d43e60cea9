package language

import "strings"

// A Python program is known if every name in it is one of a module of which longline knows what it offers, a member that
// values of the language have, or the program's own. Objects through which all can be reached (modules as values, names with
// leading underscores, frames, code) cannot be named in that subset. What functions of modules do outside of the
// program is a deed, see python_calls.go. All else is a problem: the program is unknown code, and contained.

// pythonDeeds reads a program; args are what it sees as sys.argv[1:].
func pythonDeeds(text string, args []Arg) Deeds {
	s := scriptScanner{cursor: cursor{text: text}, python: true}
	s.scan(0)
	p := pyReader{tokens: s.tokens, args: args, bound: map[string]string{}, members: map[string]bool{}, marked: map[string]int{}, values: map[string]int{}, joined: map[int]int{}}
	p.deeds.Problem = s.problem
	p.brackets()
	p.imports()
	p.targets()
	p.parameters()
	for i := 0; i < len(p.tokens) && p.spend(1); {
		i = max(i+1, p.read(i))
	}
	if !p.spend(0) {
		p.fail("it is too long")
	}
	return p.deeds
}

type pyReader struct {
	tokens  []token
	inside  []int // for each token the index of the bracket that it stands in, or -1
	match   []int // for each bracket the index of its partner
	args    []Arg
	bound   map[string]string // what imports bring in, and under which names
	members map[string]bool   // what the program's classes and functions are called, and what they give self
	stored  []bool            // tokens that belong to what is given a value
	marked  map[string]int    // how often a name may be given a value
	values  map[string]int    // where the value of one begins that is given one by a statement of its own
	loops   []pyLoop
	chosen  map[string]int // where the text begins that the name of a loop has for now
	joined  map[int]int    // strings with expressions: from their first token to their last
	budget
	deeds Deeds
}

// pyLoop is a name that a loop, or the calls of a function, bind to each of some texts, and where they begin.
type pyLoop struct {
	name  string
	texts []int
}

// maxListed bounds the texts of a list that are looked at one by one.
const maxListed = 32

func (p *pyReader) fail(problem string) { p.deeds.fail(problem) }
func (p *pyReader) at(i int) token      { return tokenAt(p.tokens, i) }
func (p *pyReader) isName(i int) bool   { return p.at(i).kind == tokName }
func (p *pyReader) called(i int) bool   { return p.at(i).is("(") }

// brackets finds the bracket that each token stands in, and strings with expressions.
func (p *pyReader) brackets() {
	p.inside, p.match = make([]int, len(p.tokens)), make([]int, len(p.tokens))
	var open []int
	for i, t := range p.tokens {
		p.match[i] = len(p.tokens)
		if t.closes() && len(open) > 0 {
			last := open[len(open)-1]
			p.match[last], p.match[i] = i, last
			open = open[:len(open)-1]
		}
		p.inside[i] = -1
		if len(open) > 0 {
			p.inside[i] = open[len(open)-1]
		}
		if t.opens() {
			open = append(open, i)
		}
		if t.joined != nil {
			p.joined[t.joined.from] = i
		}
	}
}

// starts says whether a statement begins at token i, ends whether one ends in front of it.
func (p *pyReader) starts(i int) bool {
	prev := p.at(i - 1)
	return i == 0 || i < len(p.tokens) && p.inside[i] < 0 && (prev.kind == tokLine || prev.isOne(";", ":"))
}

func (p *pyReader) ends(i int) bool {
	return i >= len(p.tokens) || p.inside[i] < 0 && (p.tokens[i].kind == tokLine || p.tokens[i].is(";"))
}

// over says whether an argument or an element ends in front of token i.
func (p *pyReader) over(i int) bool { return p.at(p.skip(i)).isOne(",", ")", "]") }

// skip is the first index from i on that is not the end of a line.
func (p *pyReader) skip(i int) int {
	for p.at(i).kind == tokLine && p.spend(1) {
		i++
	}
	return i
}

// keyword says whether the name at i is that of an argument: f(name=value).
func (p *pyReader) keyword(i int) bool {
	before := i - 1
	for p.at(before).kind == tokLine && p.spend(1) {
		before--
	}
	return i < len(p.tokens) && p.inside[i] >= 0 && p.at(p.inside[i]).is("(") && p.at(i+1).is("=") && p.at(before).isOne("(", ",")
}

// indexes says whether the bracket at i follows a value, of which it is a call or an index.
func (p *pyReader) indexes(i int) bool {
	prev := p.at(i - 1)
	return prev.kind == tokName && !HasWord(pyKeywords, prev.text) || prev.kind == tokString || prev.closes()
}

// next is where the argument after the one at i begins, or the bracket that closes.
func (p *pyReader) next(i int) int {
	for ; i < len(p.tokens) && p.spend(1); i++ {
		switch t := p.tokens[i]; {
		case t.opens():
			i = p.match[i]
		case t.closes():
			return i
		case t.is(","):
			return p.skip(i + 1)
		}
	}
	return len(p.tokens)
}

// arguments are where those begin of the bracket at i; ok is false if one stands for several.
func (p *pyReader) arguments(i int) (list []int, ok bool) {
	end := p.match[i]
	for at := p.skip(i + 1); at < end && p.spend(1); at = p.next(at) {
		if list = append(list, at); len(list) > maxListed || p.at(at).isOne("*", "**") {
			return list, false
		}
	}
	return list, true
}

// imports binds the names that import statements bring in, and blanks the statements out.
func (p *pyReader) imports() {
	for i := 0; i < len(p.tokens); i++ {
		if t := p.tokens[i]; !t.named("import from") || t.text == "from" && !p.starts(i) || p.at(i-1).is(".") {
			continue
		}
		if !p.starts(i) {
			p.fail("an import in an unusual place")
			return
		}
		end := i + 1
		for !p.ends(end) && p.spend(1) {
			end++
		}
		if p.tokens[i].text == "import" {
			for at := i + 1; at < end; at++ {
				at = p.imported("", at)
			}
		} else {
			p.importedFrom(i+1, end)
		}
		for k := i; k < end; k++ {
			p.tokens[k] = token{kind: tokLine}
		}
		i = end
	}
}

// importedFrom reads "MODULE import NAME as NAME, ..." from token i up to end.
func (p *pyReader) importedFrom(i, end int) {
	module, at := p.dotted(i)
	p.loads(module)
	if !p.at(at).isName("import") {
		p.fail("an import that longline cannot read")
		return
	}
	for at++; at < end; at++ {
		if t := p.at(at); t.kind == tokName {
			at = p.imported(module, at)
		} else if !t.isOne("(", ")", ",") && t.kind != tokLine {
			p.fail("an import that longline cannot read")
			return
		}
	}
}

// dotted reads a module's name at token i.
func (p *pyReader) dotted(i int) (string, int) {
	name := p.at(i).text
	if !p.isName(i) {
		p.fail("an import that longline cannot read")
	}
	for i++; looks(p.tokens, i, ". NAME") && p.spend(1); i += 2 {
		name += "." + p.at(i+1).text
	}
	return name, i
}

// imported binds one name that is imported, from a module or as one; it returns the index of the comma after it.
func (p *pyReader) imported(module string, i int) int {
	name, i := p.dotted(i)
	as, _, _ := strings.Cut(name, ".")
	what := as
	if module == "" {
		p.loads(name)
	} else {
		what = module + "." + name
		offers := pyModule(module)
		if strings.HasPrefix(name, "__") && !HasWord(pyFacts, name) || pyKnown(module) && !HasWord(offers, name) && !HasWord(offers, "."+name) && pyCall(what) == "" || HasWord("environ argv getenv", name) {
			p.fail("an import of " + Quote(what))
		}
	}
	if p.at(i).isName("as") {
		if as = p.at(i + 1).text; module == "" {
			what = name
		}
		i += 2
	}
	if old, ok := p.bound[as]; ok && old != what || p.at(i).kind == tokName {
		p.fail("two imports called " + Quote(as))
	}
	p.bound[as] = what
	return i
}

// loads notes a module that is loaded. One of Python's own that is in no table may act when it is.
func (p *pyReader) loads(name string) {
	head, _, _ := strings.Cut(name, ".")
	switch {
	case strings.HasSuffix(name, "__main__"), pyKnown(name) && pyModule(name) == "" && !HasWord(pyQuiet, name):
		p.fail("an import of " + Quote(name))
	case !pyKnown(name):
		p.deeds.Loads = true
	}
	p.deeds.Needs = append(p.deeds.Needs, head)
}

// targets finds what may be given a value, by whatever means. Too much is found rather than too little: a name has a known value only
// if it is found once.
func (p *pyReader) targets() {
	p.stored = make([]bool, len(p.tokens))
	start := 0
	for i, t := range p.tokens {
		if p.starts(i) {
			start = i
		}
		switch {
		case t.kind == tokName:
			p.binds(i)
		case t.is(":="):
			p.marks(i-1, i)
		case t.is(":") && p.inside[i] < 0 && !p.at(start).named(pyKeywords):
			p.marks(start, i)
		case t.assigns() && p.inside[i] < 0:
			p.marks(start, i)
			if i == start+1 && t.is("=") {
				p.values[p.at(start).text] = i + 1
			}
		}
	}
}

// binds takes in what the word at i gives a value.
func (p *pyReader) binds(i int) {
	end := i + 1
	switch t := p.at(i); {
	case p.at(i - 1).is("."):
		if p.at(end).assigns() && p.at(i-2).isName("self") {
			p.members[t.text] = true
		}
	case t.named("for"):
		for end < len(p.tokens) && !p.at(end).isName("in") && p.spend(1) {
			end++
		}
		p.marks(i+1, end)
		p.loop(i)
	case t.named("def class"):
		p.members[p.at(i+1).text] = true
		p.marked[p.at(i+1).text]++
		p.counts(i+2, p.closes(i+2)+1)
	case t.named("lambda"):
		for end < len(p.tokens) && !(p.at(end).is(":") && p.inside[end] == p.inside[i]) && p.spend(1) {
			end++
		}
		p.counts(i+1, end)
	case t.named("as"):
		p.marks(i+1, p.closes(i+1)+1)
	case t.named("del global nonlocal"):
		p.marks(i+1, i+2)
	case t.named("match case") && p.starts(i) && !p.at(i+1).isOne("=", ".", ",", ")", "["):
		p.fail("a pattern that is matched")
	}
}

// closes is the index of the bracket that closes the one at i, or i if there is none.
func (p *pyReader) closes(i int) int {
	if p.at(i).opens() {
		return p.match[i]
	}
	return i
}

// marks counts the names from one token up to another as given a value.
func (p *pyReader) marks(from, to int) {
	for k := max(from, 0); k < min(to, len(p.tokens)); k++ {
		p.stored[k] = true
	}
	p.counts(from, to)
}

func (p *pyReader) counts(from, to int) {
	for k := max(from, 0); k < min(to, len(p.tokens)) && p.spend(1); k++ {
		// What a parameter is said to be, or has for want of a value, is only looked at, and so is what stands before a member.
		if p.isName(k) && !p.at(k-1).isOne(".", ":", "->", "|") && !(p.at(k-1).is("=") && !p.stored[k]) && !p.at(k+1).isOne(".", "[", "(") {
			p.marked[p.at(k).text]++
		}
	}
}

// loop keeps a loop over texts that are written in it, at i: for NAME in ['a', 'b'].
func (p *pyReader) loop(i int) {
	if !looks(p.tokens, i+1, "NAME in") || !p.at(i+3).isOne("[", "(") || !p.at(p.match[i+3]+1).isOne(":", "]", ")") {
		return
	}
	if texts, ok := p.arguments(i + 3); ok && len(texts) > 0 {
		p.loops = append(p.loops, pyLoop{p.at(i + 1).text, texts})
	}
}

// parameters keeps the parameters of functions that are only called, with an argument for each: they are bound as by a loop.
func (p *pyReader) parameters() {
	calls := map[string][]int{} // where the arguments open
	odd := map[string]bool{}
	for i, t := range p.tokens {
		if t.kind == tokName && p.members[t.text] && !p.keyword(i) {
			if odd[t.text] = odd[t.text] || !p.called(i+1) || p.at(i-1).is("."); !p.at(i - 1).isName("def") {
				calls[t.text] = append(calls[t.text], i+1)
			}
		}
	}
	for i, t := range p.tokens {
		name := p.at(i + 1).text
		if !t.isName("def") || p.marked[name] != 1 || odd[name] || len(calls[name]) == 0 || len(calls[name]) > maxListed {
			continue
		}
		params, sure := p.arguments(i + 2)
		texts := make([][]int, len(params))
		for _, open := range calls[name] {
			args, plain := p.arguments(open)
			sure = sure && plain && len(args) == len(params)
			for k := 0; sure && k < len(args); k++ {
				sure = !p.keyword(args[k]) && !p.keyword(params[k])
				texts[k] = append(texts[k], args[k])
			}
		}
		for k, at := range params {
			if sure {
				p.loops = append(p.loops, pyLoop{p.at(at).text, texts[k]})
			}
		}
	}
}

// changed says whether the expression from start up to end is given a value, not something that it is an index of.
func (p *pyReader) changed(start, end int) bool {
	if !p.stored[start] || p.at(end).isOne(".", "(") {
		return false
	}
	for open := p.inside[start]; open >= 0; open = p.inside[open] {
		if p.indexes(open) {
			return false
		}
	}
	return true
}

// read judges what stands at token i; it returns the index after what it has looked at.
func (p *pyReader) read(i int) int {
	switch t := p.tokens[i]; {
	case t.is(".") && p.isName(i+1):
		p.attribute(i + 1)
		return i + 2
	case t.is("."):
		p.fail("a dot at the end of a line")
	case t.is("(") && !p.indexes(i):
		return p.path(i)
	case t.kind == tokName && !p.keyword(i) && !p.at(i-1).named("def class"):
		return p.name(i)
	}
	return i + 1
}

// name judges the name at i, which is no attribute.
func (p *pyReader) name(i int) int {
	name := p.at(i).text
	switch {
	case p.bound[name] != "" && p.marked[name] > 0:
		p.fail("two meanings of " + Quote(name))
	case p.bound[name] != "":
		return p.module(i)
	case name == "open":
		return p.open(i)
	case name == "file" && p.marked[name] > 0 && !p.called(i+1): // a usual name for one; what was called so before Python 3 is only ever called
	case HasWord(pyForbidden, name), strings.HasPrefix(name, "__") && !HasWord("__name__ __file__", name), name == "type" && !p.typeShown(i):
		p.fail("the name " + Quote(name))
	case p.values[name] > 0:
		return p.path(i)
	}
	return i + 1
}

// typeShown says whether the class that type(x) returns at i is only shown or compared: it could be called.
func (p *pyReader) typeShown(i int) bool {
	if !p.called(i + 1) {
		return false
	}
	end := p.match[i+1] + 1
	after := p.at(end)
	shown := p.inside[i] > 0 && p.at(p.inside[i]-1).named("print str repr") && after.isOne(",", ")")
	return shown || after.is(".") && p.at(end+1).named("__name__ __qualname__") || after.isOne("==", "!=") || after.named("is in not")
}

// attribute is a name behind a dot on something that is not a module.
func (p *pyReader) attribute(i int) {
	name := p.tokens[i].text
	own := p.members[name] && (name[0] != '_' || p.at(i-2).isName("self")) || p.deeds.Loads
	switch {
	case name == "format":
		if s := p.at(i - 2); !s.isText() || strings.ContainsAny(s.text, ".[") && strings.Contains(s.text, "{") {
			p.fail("a format that may look into objects")
		}
	case name == "replace" && p.usesPaths():
		if list, sure := p.arguments(min(i+1, len(p.tokens)-1)); !p.called(i+1) || len(list) < 2 || !sure {
			p.fail("replace, which also moves files")
		}
	case HasWord(pyMethods, name):
	case HasWord(pyPathWrites, name), HasWord(pyReach, name), HasWord(pyStandard, name), HasWord(pyOld, name), strings.HasPrefix(name, "__"), !own:
		p.fail("the attribute " + Quote(name))
	}
}

// usesPaths says whether objects that stand for paths are about.
func (p *pyReader) usesPaths() bool {
	for _, what := range p.bound {
		if strings.HasPrefix(what, "pathlib") || !pyKnown(what) {
			return true
		}
	}
	return false
}

// module follows a name that an import brought in to what is used of it, and returns the index after that.
func (p *pyReader) module(start int) int {
	what, i := p.bound[p.at(start).text], start+1
	if !pyKnown(what) {
		return p.foreign(what, i)
	}
	for pyModule(what) != "" {
		name := p.at(i + 1).text
		if !looks(p.tokens, i, ". NAME") {
			p.fail("a module used as a value")
			return i
		}
		if offers := pyModule(what); !HasWord(offers, name) && !HasWord(offers, "."+name) && pyCall(what+"."+name) == "" && name != "__version__" {
			p.fail("the name " + Quote(what+"."+name))
			return i
		}
		what += "." + name
		i += 2
	}
	if p.changed(start, i) && what != "os.environ" {
		p.fail("a change of " + Quote(what))
	}
	switch spec := pyCall(what); {
	case spec != "" && !p.called(i):
		p.fail(Quote(what) + " used as a value")
	case spec != "":
		p.call(spec, i)
		return i + 1
	case what == "pathlib.Path":
		return max(i, p.path(start))
	case what == "sys.path":
		p.searchPath(i)
	case what == "sys.argv" && !p.at(i).is("[") && !looks(p.tokens, start-2, "len ("):
		p.fail("the arguments used as a value")
	case what == "os.environ", what == "os.getenv":
		p.variable(start, i, what == "os.environ")
	}
	return i
}

// foreign is the use of a module that is not Python's own, or of something of one, up to i: the project's code runs. Nothing may
// lead from there to Python's own modules.
func (p *pyReader) foreign(what string, i int) int {
	last := what[strings.LastIndexByte(what, '.')+1:]
	for !HasWord(pyFacts, last) && looks(p.tokens, i, ". NAME") && p.spend(1) {
		last = p.at(i + 1).text
		what += "." + last
		i += 2
	}
	root, rest, _ := strings.Cut(what, ".")
	if !HasWord(pyFacts, last) || p.called(i) {
		p.deeds.Calls = append(p.deeds.Calls, root)
	}
	for part := range strings.SplitSeq(rest, ".") {
		bare := strings.TrimLeft(part, "_")
		if bare == "" && part != "" || strings.HasPrefix(part, "__") && !HasWord(pyFacts, part) || HasWord(pyReach, part) || HasWord(pyReach, bare) || HasWord(pyStandard, bare) || HasWord(pyStandard, part) || HasWord(pyOld, bare) || HasWord(pyPathWrites, bare) {
			p.fail("the name " + Quote(part))
		}
	}
	if p.changed(i-1, i) {
		p.fail("a change of " + Quote(what))
	}
	return i
}

// searchPath is a use of sys.path, which ends in front of i: it is looked at, or one directory is added.
func (p *pyReader) searchPath(i int) {
	if p.at(i).isOne(")", "[", ",") {
		if p.at(i).is("[") || p.inside[i-1] > 0 && p.at(p.inside[i-1]-1).isName("print") && !p.members["print"] {
			return
		}
	}
	at := i + 3
	if looks(p.tokens, i, ". insert ( NUMBER ,") {
		at = i + 5
	} else if !looks(p.tokens, i, ". append (") {
		at = len(p.tokens)
	}
	if v, next, ok := p.value(at, 0); ok && !v.open && p.at(next).is(")") {
		p.deeds.Paths = append(p.deeds.Paths, Arg{Text: v.text, Known: true, Home: v.home})
		return
	}
	p.fail("a change of where modules are looked for")
}

// variable is a look at one variable of the environment that is named at i: one that holds no secret.
func (p *pyReader) variable(start, i int, dict bool) {
	if dict && looks(p.tokens, i, ". get") {
		i += 2
	} else if dict && !p.at(i).is("[") {
		i = len(p.tokens)
	}
	name := p.at(i + 1)
	if dict && p.starts(start) && looks(p.tokens, i, "[ TEXT ] = TEXT") && p.ends(i+5) {
		p.deeds.Sets = append(p.deeds.Sets, [2]string{name.text, p.at(i + 4).text})
		return
	}
	if !p.at(i).opens() || !name.isText() || !p.at(i+2).isOne(",", ")", "]") || SecretName(name.text) || p.changed(start, len(p.tokens)) {
		p.fail("a look at the environment")
	}
}
