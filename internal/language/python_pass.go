package language

// maxPassed bounds the calls of a function whose arguments are looked at.
const maxPassed = 8

// passes finds what the parameters of a function stand for, where that is plain to see:
// the function is defined once, nobody does anything with it but call it, and every call
// gives it as many arguments as it has parameters, in their order. A parameter then has
// the values of its arguments, like a name that they are assigned to.
func (p *pyReader) passes() {
	for _, t := range p.tokens {
		if t.is("@") {
			return // a decorator may call what it decorates
		}
	}
	for i, t := range p.tokens {
		if t.isName("def") && p.starts(i) && p.called(i+2) && p.once(p.at(i+1).text) {
			p.passesTo(i + 1)
		}
	}
}

// passesTo finds what the parameters of the function stand for that is named at def.
func (p *pyReader) passesTo(def int) {
	params, ok := p.simple(def + 2)
	if !ok || len(params) == 0 {
		return
	}
	calls, ok := p.calls(def, len(params))
	if !ok || len(calls) == 0 {
		return
	}
	for k, name := range params {
		if !p.once(name) || len(p.values[name]) > 0 {
			continue
		}
		for _, args := range calls {
			p.values[name] = append(p.values[name], args[k])
		}
		p.names[name], p.passed[name] = len(calls), true
	}
}

// simple are the parameters that begin at i: names, with annotations or without.
func (p *pyText) simple(i int) (names []string, ok bool) {
	end := p.closing(i - 1)
	for i < end {
		if !p.isName(i) || !p.at(i+1).isOne(",", ":", ")") {
			return nil, false
		}
		names = append(names, p.at(i).text)
		next := min(p.nextArgument(i), end)
		for ; i < next; i++ {
			if p.at(i).is("=") || !p.spend(1) {
				return nil, false
			}
		}
	}
	return names, true
}

// calls are where the arguments begin of each call of the function that is named at def;
// false if it is more than called.
func (p *pyReader) calls(def, count int) (list [][]int, ok bool) {
	name := p.at(def).text
	for i := range p.of(p.tokens, name) {
		if i == def {
			continue
		}
		if p.at(i-1).is(".") || !p.called(i+1) || len(list) == maxPassed || !p.spend(4) {
			return nil, false
		}
		args, ok := p.inOrder(i+1, count)
		if !ok {
			return nil, false
		}
		list = append(list, args)
	}
	return list, true
}

// inOrder are where the arguments begin in the bracket at i; false if they are not so
// many, or one is given by its name or as several.
func (p *pyText) inOrder(i, count int) (args []int, ok bool) {
	end := p.closing(i)
	for at := i + 1; at < end && len(args) <= count; at = p.nextArgument(at) {
		if p.keyword(at) || p.at(at).isOne("*", "**") {
			return nil, false
		}
		args = append(args, at)
	}
	return args, len(args) == count
}

// over says whether a value ends in front of a token: one that is assigned at the end of
// the statement, an argument in front of the next or of the bracket.
func (p *pyReader) over(name string, next int) bool {
	return p.ends(next) || p.passed[name] && p.at(next).isOne(",", ")")
}
