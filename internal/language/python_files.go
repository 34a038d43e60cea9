package language

import (
	"strings"

	"longline/internal/tool"
)

// Files that a Python program opens, and what it does by the methods of paths.

// isPath says whether the name at i is that of a known path, used with a method.
func (p *pyReader) isPath(i int) bool {
	if !p.mayBePath(i) {
		return false
	}
	list, next, ok := p.possible(i, p.named)
	return ok && list[0].path && next > i && (next > i+1 || p.at(next).is("."))
}

// mayBePath says whether an expression that makes a path can begin at i: in brackets that
// hold no arguments, or with a name that has one value.
func (p *pyReader) mayBePath(i int) bool {
	if p.called(i) {
		return !p.behindValue(i)
	}
	return p.names[p.at(i).text] == 1 && p.at(i+1).isOne(".", "/")
}

// pathMethod is an expression at i that makes a path, with its method. It
// returns the index after both.
func (p *pyReader) pathMethod(i int) int {
	list, next, ok := p.possible(i, p.named)
	if !ok {
		// The parts are read as what they are; what is done with the path shows in
		// the names of methods.
		return i + 1
	}
	method := p.at(next + 1)
	if !p.at(next).is(".") || method.kind != tokName {
		return next
	}
	for _, v := range list {
		p.pathDoes(*v, method.text, next+2)
	}
	return next + 2
}

// pathDoes is a method of the path v; what it is called with begins at after.
func (p *pyReader) pathDoes(v constant, name string, after int) {
	switch {
	case v.pattern && HasWord("touch mkdir rmdir", name):
		p.fail("the method " + Quote(name) + " of a path that is computed")
	case HasWord("read_text read_bytes", name):
		p.add(tool.Read, v)
	case name == "open":
		if p.called(after) {
			p.mode(v, after+1)
		}
	case HasWord("write_text write_bytes", name):
		p.add(tool.Write, v)
	case HasWord("touch mkdir", name):
		p.add(tool.Create, v)
	case HasWord("unlink rmdir", name):
		p.add(tool.Delete, v)
	case HasWord("exists is_file is_dir stat name stem suffix suffixes parent parts glob rglob iterdir as_posix", name):
	default:
		p.fail("the method " + Quote(name) + " of a path")
	}
}

// open is the opening of a file.
func (p *pyReader) open(i int) {
	if !p.called(i + 1) {
		p.fail("open used as a value")
		return
	}
	i += 2
	names := p.arguments("read", i)
	switch {
	case p.at(i).kind == tokNumber && p.at(i).text == "0" && p.at(i+1).isOne(",", ")"):
		names[0] = &constant{text: "/dev/stdin"}
	case p.isArgv(i) && p.at(i+6).isOne(",", ")"):
		if arg := p.argvText(Number(p.at(i + 4).text)); arg != nil {
			names[0] = arg
		}
		p.argv = true
	}
	for _, v := range names {
		if v == nil {
			p.mode(nil, p.nextArgument(i))
		} else {
			p.mode(*v, p.nextArgument(i))
		}
	}
}

// argvText is what the program sees as an argument of a number; nil if that is not known.
func (p *pyReader) argvText(n int) *constant {
	if n < 1 || n > len(p.args) || !p.args[n-1].Known {
		return nil
	}
	return &constant{text: p.args[n-1].Text}
}

// mode reads the arguments of an opening that follow its name, from i on; name is nil if it is not known.
func (p *pyReader) mode(name any, i int) {
	kind, truncates := tool.Read, false
	first := true
	for open := p.inside[min(i, len(p.inside)-1)]; i < len(p.tokens) && p.inside[i] >= open && !p.at(i).is(")"); i, first = p.nextArgument(i), false {
		key := "mode"
		if p.keyword(i) {
			key = p.at(i).text
			i += 2
		} else if !first {
			key = "" // none has so many that are given without a name
		}
		opens, ok := p.openOption(key, i)
		if !ok {
			p.fail("an unusual way to open a file")
			return
		}
		if opens != tool.Read {
			kind, truncates = opens, strings.Contains(p.at(i).text, "w")
		}
	}
	if v, ok := name.(constant); ok && v.text == "/dev/stdin" {
		return
	}
	p.add(kind, name)
	if v, ok := name.(constant); ok && v.pattern && kind == tool.Write && !truncates { // what the files hold stays
		p.add(tool.Read, name)
	}
}

// openOption says what an argument of an opening, whose value stands at i, lets the
// program do to the file; false if that is not known.
func (p *pyReader) openOption(key string, i int) (kind tool.Kind, ok bool) {
	v := p.at(i)
	constant := v.isText() && p.at(i+1).isOne(",", ")")
	if key == "mode" {
		kind, ok = openMode(v.text)
		return kind, ok && constant
	}
	return tool.Read, HasWord("encoding errors newline", key) && (constant || v.isName("None"))
}

// openMode says what a mode of opening lets a program do to a file.
func openMode(mode string) (kind tool.Kind, ok bool) {
	switch {
	case strings.Trim(mode, "rbt") == "":
		return tool.Read, true
	case strings.Trim(mode, "rwaxbt+") != "":
		return tool.Read, false
	case strings.Contains(mode, "x"):
		return tool.Create, true
	}
	return tool.Write, true
}
