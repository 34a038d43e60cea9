package language

// loops finds the loops over lists of texts: "for (const name of ['a', 'b'])", or over a
// constant that is such a list.
func (j *jsReader) loops() {
	for i, t := range j.tokens {
		name := j.at(i + 3).text
		if !t.isName("for") || j.member(i) || !looks(j.tokens, i+1, "( const NAME of") || j.names[name] != 1 || j.bound[name] != "" {
			continue
		}
		if texts, ok := j.elements(j.listAt(i + 5)); ok {
			j.lists = append(j.lists, textList{name, texts})
		}
	}
}

// listAt is where the list opens that a loop goes through at i: there, or where it is
// declared under the name that stands there; -1 if there is none, or it is more than a
// list.
func (j *jsReader) listAt(i int) int {
	list := j.at(i)
	if list.kind == tokName && j.at(i+1).is(")") && j.names[list.text] == 1 && !j.grows(list.text) {
		if at := j.values[list.text]; at > 0 && j.at(at).is("[") && j.over(j.match[at]+1) {
			return at
		}
		return -1
	}
	if list.is("[") && j.at(j.match[i]+1).is(")") {
		return i
	}
	return -1
}

// over says whether the value of a constant ends in front of token i.
func (j *jsReader) over(i int) bool {
	end := j.at(i)
	return end.kind == tokEnd || end.isOne(";", ",", "}") || end.kind == tokName && !HasWord("in instanceof", end.text)
}

// elements are where the elements begin of the list that opens at i.
func (j *jsReader) elements(i int) (list []int, ok bool) {
	if i < 0 {
		return nil, false
	}
	end := j.match[i]
	for at := i + 1; at < end && j.spend(1); at = j.argument(at) {
		list = append(list, at)
		if len(list) > maxListed || j.at(at).is("...") {
			return nil, false
		}
	}
	return list, len(list) > 0
}

// grows says whether more is done with a list than to declare it, to go through it and to
// count it.
func (j *jsReader) grows(name string) bool {
	for i := range j.of(j.tokens, name) {
		if !j.member(i) && !j.onlyReads(i) {
			return true
		}
	}
	return false
}

// onlyReads says whether the list at i is declared there, gone through or counted.
func (j *jsReader) onlyReads(i int) bool {
	declared := j.at(i-1).isName("const") && j.at(i+1).is("=")
	through := j.at(i-1).isName("of") && j.at(i+1).is(")")
	counted := looks(j.tokens, i+1, ". length") && !j.at(i+3).is("=")
	return declared || through || counted
}

// possible are the values that the argument at i can have, for each of the texts that a
// loop goes through; one of them is nil if they are not known.
func (j *jsReader) possible(i int) []*constant {
	if v, next, ok := j.value(i, 0); ok && j.at(next).isOne(",", ")") {
		return []*constant{&v}
	}
	for _, list := range j.lists {
		var values []*constant
		for _, at := range list.texts {
			j.chosen = map[string]int{list.name: at}
			v, next, ok := j.value(i, 0)
			if !ok || !j.at(next).isOne(",", ")") || !j.spend(40) {
				values = nil
				break
			}
			values = append(values, &v)
		}
		if j.chosen = nil; values != nil {
			return values
		}
	}
	return []*constant{nil}
}
