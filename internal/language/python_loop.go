package language

import (
	"path"
	"strings"
)

// A loop over the names of files, such as "for p in sorted(glob.glob('data/*.csv'))",
// binds a name to each file that a pattern matches. What the program reads through that
// name is the pattern.

// each is what a name stands for that a loop binds, and only the loop.
func (p *pyReader) each(name string) (v constant, ok bool) {
	if !p.once(name) || len(p.values[name]) > 0 || p.passed[name] {
		return v, false
	}
	if dir, place := p.walked(name); place == 0 {
		return dir, true
	}
	found := 0
	for at := range p.of(p.tokens, name) {
		i := at - 1
		if !p.loop(i, "NAME in") {
			continue
		}
		list, next, known := p.files(i+3, 0)
		if found++; !known || !p.goneThrough(next) {
			return v, false
		}
		v = list
	}
	return v, found == 1
}

// goneThrough says whether what a loop goes through ends in front of token i.
func (p *pyText) goneThrough(i int) bool {
	return p.at(i).isOne(":", "]", ")", "}") || p.at(i).isName("if")
}

// files is a list of files that the expression at i makes, as a pattern, and the index
// after it.
func (p *pyReader) files(i, depth int) (v constant, next int, ok bool) {
	if depth > 6 || !p.spend(40) {
		return v, i, false
	}
	if !p.isName(i) {
		return p.below(i)
	}
	name := p.at(i).text
	if p.arranges(i) {
		return p.arranged(i+1, depth)
	}
	if at, once := p.only(name); once && p.bound[name] == "" && p.at(i+1).isOne(":", ")", ",", "]") {
		v, next, ok = p.files(at, depth+1)
		return v, i + 1, ok && p.over(name, next)
	}
	if _, place := p.walked(name); place == 2 {
		return constant{text: "*", pattern: true, all: true}, i + 1, true
	}
	return p.listing(i)
}

// arranges says whether a function is called at i that arranges a list.
func (p *pyReader) arranges(i int) bool {
	name := p.at(i).text
	return HasWord("sorted list reversed set", name) && p.called(i+1) && p.builtin(name)
}

// listing is what a function of a module lists at i, or a method of a path.
func (p *pyReader) listing(i int) (v constant, next int, ok bool) {
	if what, at := p.function(i); HasWord("glob.glob glob.iglob os.listdir", what) && p.called(at) {
		return p.listed(what, at)
	}
	return p.below(i)
}

// arranged is a list of files that is an argument of a function which arranges it. The
// bracket of the arguments opens at i; others say how to sort.
func (p *pyReader) arranged(i, depth int) (v constant, next int, ok bool) {
	v, next, ok = p.files(i+1, depth+1)
	if ok && p.at(next).is(",") {
		next = p.closing(i)
	}
	return v, next + 1, ok && p.at(next).is(")")
}

// listed is what a function of a module lists, whose arguments begin behind the bracket at.
func (p *pyReader) listed(what string, at int) (v constant, next int, ok bool) {
	arg, after, known := p.value(at + 1)
	known = known && !arg.path
	if what == "os.listdir" {
		// The names alone, hidden ones too.
		return constant{text: "*", pattern: true, all: true}, after + 1, known && p.at(after).is(")")
	}
	end := p.closing(at)
	if p.at(after).is(",") && p.keyword(after+1) && p.at(after+1).text == "recursive" && after+4 == end {
		after = end
	}
	return matched(arg), end + 1, known && after == end && plainPattern(arg.text)
}

// below is what a method of the path at i lists.
func (p *pyReader) below(i int) (v constant, next int, ok bool) {
	dir, at, known := p.value(i)
	if !known || !dir.path || !p.at(at).is(".") || !p.called(at+2) {
		return v, i, false
	}
	end := p.closing(at + 2)
	switch name := p.at(at + 1).text; name {
	case "iterdir":
		v = matched(joinPath(dir, constant{text: "*"}))
		v.all = true
		return v, end + 1, end == at+3 && plainPattern(v.text)
	case "glob", "rglob":
		arg, after, known := p.value(at + 3)
		if !known || after != end {
			return v, i, false
		}
		v, ok = globbed(dir, arg, name == "rglob")
		return v, end + 1, ok
	}
	return v, i, false
}

// globbed is what a pattern matches below a directory, at any depth or as it says.
func globbed(dir, pattern constant, deep bool) (v constant, ok bool) {
	if pattern.home || pattern.path || strings.HasPrefix(pattern.text, "/") {
		return v, false
	}
	last := path.Base(pattern.text)
	if deep {
		pattern.text = "**/" + pattern.text
	}
	v = matched(joinPath(dir, pattern))
	v.all = strings.Trim(last, "*?.") == "" // it matches hidden names as well
	v.deep = strings.Contains(pattern.text, "**")
	return v, plainPattern(v.text)
}

// walked says of a name that "for root, dirs, files in os.walk(dir)" binds, and only
// that, which of the three it is, and which directories the first of them stands for;
// place is -1 for other names.
func (p *pyReader) walked(name string) (dir constant, place int) {
	if p.names[name] != 1 || len(p.values[name]) > 0 {
		return dir, -1
	}
	for i := range p.of(p.tokens, name) {
		for range 2 {
			if p.at(i-1).is(",") && p.isName(i-2) {
				i -= 2
			}
		}
		i--
		if !p.loop(i, "NAME , NAME , NAME in") {
			continue
		}
		place := p.placeOf(name, i+1)
		what, at := p.function(i + 7)
		if place < 0 || what != "os.walk" || !p.called(at) {
			continue
		}
		v, next, ok := p.value(at + 1)
		if !ok || !looks(p.tokens, next, ") :") {
			return dir, -1
		}
		return joinPath(v, constant{text: "**", pattern: true, all: true, deep: true}), place
	}
	return dir, -1
}

// placeOf says which of three names with commas between them, from i on, is a name; -1 if
// none is.
func (p *pyText) placeOf(name string, i int) int {
	for k := 2; k >= 0; k-- {
		if p.at(i+2*k).text == name {
			return k
		}
	}
	return -1
}

// function is the name of what is called at i, and the index after it.
func (p *pyReader) function(i int) (string, int) {
	what := p.bound[p.at(i).text]
	if !p.isName(i) || what == "" {
		return "", i
	}
	for i++; p.at(i).is(".") && p.isName(i+1); i += 2 {
		what += "." + p.at(i+1).text
	}
	return what, i
}

func matched(v constant) constant {
	v.pattern = true
	return v
}

// plainPattern says whether a pattern means the same to Python and to a shell.
func plainPattern(text string) bool {
	for part := range strings.SplitSeq(text, "/") {
		if part == ".." {
			return false
		}
	}
	return text != "" && !strings.ContainsAny(text, "[]{}\\!()|\n")
}
