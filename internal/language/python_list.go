package language

// textList is a name that a loop binds to each of some texts, and where they begin.
type textList struct {
	name  string
	texts []int
}

// maxListed bounds the texts of a list that are looked at one by one.
const maxListed = 32

// loops finds the loops over lists of texts: "for name in ['a', 'b']:", or over a name
// that such a list is assigned to once.
func (p *pyReader) loops() {
	for i, t := range p.tokens {
		name := p.at(i + 1).text
		if !t.isName("for") || p.at(i-1).is(".") || !looks(p.tokens, i+1, "NAME in") || p.names[name] != 1 || p.bound[name] != "" || len(p.values[name]) > 0 {
			continue
		}
		if texts, ok := p.elements(p.listAt(i + 3)); ok {
			p.lists = append(p.lists, textList{name, texts})
		}
	}
}

// listAt is where the list opens that a loop goes through at i: there, or where it is
// assigned to the name that stands there; -1 if there is none, or it is more than a list.
func (p *pyReader) listAt(i int) int {
	list := p.at(i).text
	if at, ok := p.only(list); ok && p.isName(i) && p.bound[list] == "" && p.at(i+1).is(":") && !p.grows(list) {
		if p.at(at).isOne("[", "(") && p.ends(p.closing(at)+1) {
			return at
		}
		return -1
	}
	if p.at(i).isOne("[", "(") && p.at(p.closing(i)+1).isOne(":", "]", ")") {
		return i
	}
	return -1
}

// grows says whether more is done with a list than to assign it, to go through it and to
// count it: something may be added to it.
func (p *pyReader) grows(name string) bool {
	for i := range p.of(p.tokens, name) {
		if !p.at(i-1).is(".") && !p.onlyReads(i) {
			return true
		}
	}
	return false
}

// onlyReads says whether the list at i is assigned there, gone through or counted.
func (p *pyReader) onlyReads(i int) bool {
	assigned := p.starts(i) && p.at(i+1).is("=")
	through := p.at(i-1).isName("in") && p.at(i+1).isOne(":", "]", ")")
	counted := looks(p.tokens, i-2, "len ( NAME )")
	return assigned || through || counted
}

// possible are the values that the expression at i can have, for each of the texts that
// a loop goes through, and the index after it.
func (p *pyReader) possible(i int, read func(int) (constant, int, bool)) (values []*constant, next int, ok bool) {
	v, next, ok := read(i)
	if ok {
		return []*constant{&v}, next, true
	}
	for _, list := range p.lists {
		values = nil
		for _, at := range list.texts {
			p.chosen = map[string]int{list.name: at}
			v, end, known := read(i)
			if !known || !p.spend(40) {
				values = nil
				break
			}
			values, next = append(values, &v), end
		}
		if p.chosen = nil; values != nil {
			return values, next, true
		}
	}
	return nil, next, false
}
