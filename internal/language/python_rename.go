package language

import "strconv"

// The names of a program count as one, wherever they stand. Many a function calls its parameter what a loop outside calls
// what it passes:
//
//	def show(path): print(open(path).read())
//	for path in ["a", "b"]: show(path)
//
// Such a parameter gets another name, in its function and nowhere else, which changes nothing of what the program does.

// renames gives parameters of functions names of their own.
func (p *pyText) renames() {
	used := map[string]int{}
	for i, t := range p.tokens {
		if t.kind == tokName && !p.at(i-1).is(".") {
			used[t.text]++
		}
	}
	number := 1 // of the last name that was made up
	for i, t := range p.tokens {
		if t.isName("def") && p.called(i+2) && p.outermost(i) {
			number = p.renamesIn(i, used, number)
		}
	}
}

// outermost says whether a statement begins at i that is indented by nothing.
func (p *pyText) outermost(i int) bool {
	prev := p.at(i - 1)
	return i == 0 || p.inside[i] < 0 && prev.kind == tokLine && prev.text == ""
}

// renamesIn renames the parameters of the function that is defined at i. New names end with numbers, which go on from one function to
// the next.
func (p *pyText) renamesIn(i int, used map[string]int, number int) int {
	params, ok := p.simple(i + 3)
	body := p.closing(i+2) + 1
	if !ok || !p.at(body).is(":") { // nothing is said of what it returns
		return number
	}
	end := body
	for ; end < len(p.tokens) && p.spend(1); end++ {
		t := p.tokens[end]
		if t.kind == tokLine && p.inside[end] < 0 && t.text == "" && p.at(end+1).kind != tokLine {
			break
		}
		if t.named("def lambda class global nonlocal import match case") {
			return number // where names mean something else again
		}
	}
	for _, name := range params {
		at := p.refers(i+3, end, name)
		if len(at) == 0 || len(at) == used[name] || p.inside[at[0]] != i+2 || len(at) > 1 && at[1] < body {
			continue
		}
		other := name
		for used[other] > 0 {
			number++
			other = name + "_" + strconv.Itoa(number)
		}
		for _, k := range at {
			p.tokens[k].text = other
		}
		used[other], used[name] = len(at), used[name]-len(at)
	}
	return number
}

// refers is where a variable stands between two tokens.
func (p *pyText) refers(from, to int, name string) (at []int) {
	for k := from; k < to && p.spend(1); k++ {
		if p.tokens[k].isName(name) && !p.at(k-1).is(".") && !p.keyword(k) {
			at = append(at, k)
		}
	}
	return at
}
