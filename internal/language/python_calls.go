package language

import (
	"path"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// pyCalls are the functions of modules that reach out of the program, a line for each
// thing that they do: words for what is done to the first argument, and to the second
// after a slash.
const pyCalls = `
delete: os.remove os.unlink os.rmdir os.removedirs
delete-tree: shutil.rmtree
create: os.mkdir os.makedirs os.mkfifo
write: os.chmod os.chown os.utime os.truncate
delete-tree/write: os.rename os.replace os.renames shutil.move
read/write: os.link os.symlink shutil.copy shutil.copy2 shutil.copyfile shutil.copytree
name: os.readlink os.stat os.scandir os.access
shell: os.system subprocess.getoutput subprocess.getstatusoutput os.popen
run: subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen
fetch: urllib.request.urlopen requests.get requests.head httpx.get httpx.head
request: urllib.request.Request
database: sqlite3.connect
fetch/write: urllib.request.urlretrieve
send: requests.post requests.put requests.patch requests.delete httpx.post httpx.put httpx.patch httpx.delete
temporary: tempfile.mkdtemp tempfile.TemporaryDirectory tempfile.NamedTemporaryFile tempfile.TemporaryFile
compile: py_compile.compile
archive: zipfile.ZipFile
`

// pyCall says what a function of a module does that reaches out of the program; "" for
// one that does not.
func pyCall(name string) string { return deedOf(pyCalls, name) }

// deedOf is what a table says that a function does: a line for each deed, with the deed
// and the functions that do it.
func deedOf(table, name string) string {
	for line := range strings.SplitSeq(table, "\n") {
		if deed, functions, _ := strings.Cut(line, ": "); HasWord(functions, name) {
			return deed
		}
	}
	return ""
}

// call is a call of such a function, whose arguments begin at i.
func (p *pyReader) call(spec string, i int) {
	if spec == "run" {
		p.process(i)
		return
	}
	if spec == "temporary" {
		p.temporary(i)
		return
	}
	for what := range strings.SplitSeq(spec, "/") {
		if what != "fetch" && what != "send" && what != "request" && p.isName(i) && p.at(i+1).is("=") {
			p.fail("an argument that is given by its name")
			return
		}
		for _, v := range p.arguments(what, i) {
			p.does(what, i, v)
		}
		i = p.nextArgument(i)
	}
}

// does is what a function does to its argument at i, of which v is the value or nil
// if that is not known.
func (p *pyReader) does(what string, i int, v *constant) {
	var arg any
	if v != nil {
		arg = *v
	}
	switch what {
	case "name":
	case "shell":
		if v == nil || v.home {
			p.add(tool.Execute, nil)
		} else {
			p.add(tool.Execute, v.text)
		}
	case "database":
		p.store(i, v)
	case "fetch", "send", "request":
		p.speaks(what, i, v)
	case "archive", "compile":
		p.loads(what, i, v)
	case "delete-tree":
		p.add(tool.Delete, arg)
		p.deeds.List[len(p.deeds.List)-1].Tree = true
	default:
		p.add(tool.ParseKind(what), arg)
	}
}

// speaks is a call that speaks to the address at i.
func (p *pyReader) speaks(what string, i int, v *constant) {
	kind := tool.Fetch
	body := what == "request" && (p.hasKeyword(i, "method") || p.manyArguments(i-1) && !p.keyword(p.nextArgument(i)))
	if what == "send" || body || p.hasKeyword(i, "data json files") {
		kind = tool.Send
	}
	switch {
	case what == "fetch" && p.isName(i) && p.at(i+1).isOne(",", ")") && p.madeBy(p.at(i).text) == "urllib.request.Request" && kind == tool.Fetch:
		// Whom it asks is known where it is made.
	case v != nil && !v.home:
		p.add(kind, v.text)
	default:
		p.address(kind, i)
	}
}

// loads is a call that reads the archive or program that is named at i. Further
// arguments could make it write to another place.
func (p *pyReader) loads(what string, i int, v *constant) {
	next := p.nextArgument(i)
	reads := p.at(next).plain && p.at(next).text == "r" && p.at(next+1).is(")") || next < len(p.tokens) && p.keyword(next) && p.at(next).text == "doraise"
	if next < len(p.tokens) && !reads {
		p.fail("an unusual way to open a file")
	}
	if v == nil {
		p.add(tool.Read, nil)
		return
	}
	p.add(tool.Read, *v)
	if what == "compile" {
		dir, _ := path.Split(v.text)
		p.add(tool.Create, constant{text: dir + "__pycache__", home: v.home})
	}
}

// address is an address at i that is put together when the program runs. Whom it
// speaks to is known if the beginning is; what it adds may be what was read before.
func (p *pyReader) address(kind tool.Kind, i int) {
	if name := p.at(i).text; p.isName(i) && p.at(i+1).isOne(",", ")") && p.several(name) {
		for _, at := range p.values[name] {
			p.addressAt(kind, at, !p.passed[name])
		}
		return
	}
	p.addressAt(kind, i, false)
}

// addressAt is such an address at i, where an argument stands or all that is assigned.
func (p *pyReader) addressAt(kind tool.Kind, i int, assigned bool) {
	v, next, ok := p.valueIn(i, 0)
	ok = ok && (p.at(next).isOne(",", ")") && !assigned || assigned && p.ends(next))
	if ok && !v.open && !v.home {
		p.add(kind, v.text)
		return
	}
	_, rest, found := strings.Cut(v.text, "://")
	end := strings.IndexAny(rest, "/?#")
	if !ok || v.home || !found || end <= 0 || strings.IndexByte(rest[:end], '@') >= 0 {
		p.add(kind, nil)
		return
	}
	if kind == tool.Fetch && p.reads() {
		kind = tool.Send
	}
	p.add(kind, v.text)
}

// several says whether a name has more than one value, all of which are assigned to it.
func (p *pyReader) several(name string) bool {
	n := p.names[name]
	return p.bound[name] == "" && n > 1 && n <= 8 && n == len(p.values[name])
}

// reads says whether the program sees anything but itself.
func (p *pyReader) reads() bool {
	for i, t := range p.tokens {
		if t.kind == tokName && (HasWord("open stdin argv environ getenv read_text read_bytes input check_output getoutput popen run", t.text) || p.bound[t.text] != "" && !pyKnown(p.bound[t.text])) && !p.keyword(i) {
			return true
		}
	}
	return false
}

// argument are the values that the argument at i can have; one of them is nil if they
// are not known.
func (p *pyReader) argument(i int) []*constant {
	if name := p.at(i).text; p.isName(i) && p.at(i+1).isOne(",", ")") && p.several(name) {
		var all []*constant
		for _, at := range p.values[name] {
			v, next, ok := p.value(at)
			if !ok || !p.over(name, next) {
				return []*constant{nil}
			}
			all = append(all, &v)
		}
		return all
	}
	if list, next, ok := p.possible(i, p.value); ok && p.at(next).isOne(",", ")") {
		return list
	}
	return []*constant{nil}
}

// arguments is the same for what is done to the argument: files may be those of a loop.
func (p *pyReader) arguments(what string, i int) []*constant {
	if HasWord("read write delete", what) {
		if v, next, ok := p.named(i); ok && v.pattern && p.at(next).isOne(",", ")") {
			return []*constant{&v}
		}
	}
	return p.argument(i)
}

// temporary is a new file or directory, which is where such things are unless
// the arguments, which begin at i, say otherwise.
func (p *pyReader) temporary(i int) {
	for ; i < len(p.tokens) && !p.at(i).is(")"); i = p.nextArgument(i) {
		v := p.at(i + 2)
		if !p.keyword(i) || !HasWord("mode delete encoding", p.at(i).text) && !(p.at(i).text == "suffix" && v.kind == tokString && v.plain && !strings.Contains(v.text, "/") && p.at(i+3).isOne(",", ")")) {
			p.fail("a temporary file in an unusual place")
		}
	}
}

// nextArgument is where the argument after the one at i begins.
func (p *pyReader) nextArgument(i int) int {
	open := p.inside[min(i, len(p.inside)-1)]
	for ; i < len(p.tokens) && p.inside[i] >= open && p.spend(1); i++ {
		if p.inside[i] == open && p.tokens[i].is(",") {
			i++
			for p.at(i).kind == tokLine && i < len(p.tokens) {
				i++
			}
			return i
		}
	}
	return len(p.tokens)
}

// hasKeyword says whether one of several arguments is given by its name among
// those that begin at i.
func (p *pyReader) hasKeyword(i int, names string) bool {
	open := p.inside[min(i, len(p.inside)-1)]
	for ; i < len(p.tokens) && p.inside[i] >= open && p.spend(1); i++ {
		if p.inside[i] == open && p.keyword(i) && HasWord(names, p.tokens[i].text) {
			return true
		}
	}
	return false
}

// process is a program that subprocess runs: a list of words, or text.
func (p *pyReader) process(i int) {
	for p.at(i).kind == tokLine && i < len(p.tokens) {
		i++
	}
	open := p.inside[min(i, len(p.inside)-1)]
	shell, dir := false, (*constant)(nil)
	for k := i; k < len(p.tokens) && p.inside[k] >= open && p.spend(1); k++ {
		t := p.tokens[k]
		if p.inside[k] != open || !t.isOne("*", "**") && !p.keyword(k) {
			continue
		}
		switch v := p.at(k + 2); {
		case t.text == "shell" && (v.isName("True") || v.isName("False")) && p.at(k+3).isOne(",", ")"):
			shell = v.isName("True")
		case t.text == "cwd":
			at, next, ok := p.value(k + 2)
			if !ok || !p.at(next).isOne(",", ")") {
				p.add(tool.Execute, nil)
				return
			}
			dir = &at
		case HasWord("capture_output text check timeout stdout stderr stdin input encoding universal_newlines errors", t.text):
		default:
			p.add(tool.Execute, nil)
			return
		}
	}
	words, ok := p.words(i)
	switch {
	case !ok:
		p.add(tool.Execute, nil)
		return
	case shell && !p.at(i).is("["):
		p.add(tool.Execute, words[0].Text)
	case shell:
		p.add(tool.Execute, nil)
		return
	default:
		p.deeds.List = append(p.deeds.List, Deed{Kind: tool.Execute, Words: words})
	}
	if dir != nil {
		d := &p.deeds.List[len(p.deeds.List)-1]
		d.Dir, d.DirHome = dir.text, dir.home
	}
}

// words are the words of a command: a list of values, of which the first is
// known, or one value.
func (p *pyReader) words(i int) (words []Arg, ok bool) {
	if !p.at(i).is("[") {
		v, next, ok := p.value(i)
		return []Arg{{Text: v.text, Known: true}}, ok && !v.home && p.at(next).isOne(",", ")")
	}
	end := i + 1
	for end < len(p.tokens) && p.inside[end] >= i && p.spend(1) {
		end++
	}
	if !p.at(end+1).isOne(",", ")") {
		return nil, false // more is added to the list
	}
	for at := i + 1; at < end; at = p.nextArgument(at) {
		if p.at(at).kind == tokLine && at+1 >= end {
			break
		}
		for p.at(at).kind == tokLine && at < end {
			at++
		}
		if at >= end || p.at(at).isOne("*", "]") {
			return words, false
		}
		v, next, ok := p.value(at)
		for p.at(next).kind == tokLine && next < end {
			next++
		}
		if ok = ok && p.at(next).isOne(",", "]"); !ok && len(words) == 0 {
			return nil, false
		}
		words = append(words, Arg{Text: v.text, Known: ok && !v.home, Home: ok && v.home})
	}
	return words, len(words) > 0
}

// value is the text that the expression at i has, and the index after it.
func (p *pyReader) value(i int) (v constant, next int, ok bool) {
	v, next, ok = p.valueIn(i, 0)
	return v, next, ok && !v.open && !v.pattern
}

// named is the same of a file that is read, which may be each of those in a loop.
func (p *pyReader) named(i int) (v constant, next int, ok bool) {
	v, next, ok = p.valueIn(i, 0)
	return v, next, ok && !v.open
}

// valueIn is the same, or the beginning of it.
func (p *pyReader) valueIn(i, depth int) (v constant, next int, ok bool) {
	if depth > 12 || !p.spend(40) {
		return v, i, false
	}
	if v, i, ok = p.term(i, depth); !ok {
		return v, i, false
	}
	for more := true; more; {
		if !p.spend(40) {
			return v, i, false
		}
		switch t := p.at(i); {
		case t.isOne("+", "/"):
			v, i, ok = p.plus(v, i, depth)
		case t.is(".") && v.path && p.called(i+2):
			v, i, more, ok = p.pathOf(v, i, depth)
		default:
			more = false
		}
		if !ok {
			return v, i, false
		}
	}
	return v, i, true
}

// plus is what becomes of a value by the operator at i and what follows it: two texts
// joined, or two paths.
func (p *pyReader) plus(v constant, i, depth int) (constant, int, bool) {
	right, next, ok := p.term(i+1, depth)
	slash := p.at(i).is("/")
	switch {
	case !ok || slash != (v.path || right.path) || len(v.text) > 4000:
		return v, i, false
	case slash:
		if v.open || right.open {
			return v, i, false
		}
		v = joinPath(v, right)
		v.path = true
	case right.home || v.pattern || right.pattern:
		return v, i, false
	case !v.open:
		v.text += right.text
		v.open = right.open
	}
	return v, next, true
}

// pathOf is what becomes of a path by the method behind the dot at i; more says that it
// is one that makes another path.
func (p *pyReader) pathOf(v constant, i, depth int) (_ constant, next int, more, ok bool) {
	switch name := p.at(i + 1); {
	case p.at(i+3).is(")") && name.named("expanduser resolve absolute"):
		if name.text == "expanduser" {
			v = expandUser(v)
		}
		return v, i + 4, true, true
	case name.isName("joinpath"):
		right, next, ok := p.valueIn(i+3, depth+1)
		if !ok || right.open || !p.at(next).is(")") {
			return v, i, false, false
		}
		v = joinPath(v, right)
		v.path = true
		return v, next + 1, true, true
	}
	return v, i, false, true
}

func joinPath(a, b constant) constant {
	if b.home || strings.HasPrefix(b.text, "/") {
		return b
	}
	if b.pattern || a.pattern {
		walked := strings.HasSuffix(a.text, "**") && !strings.ContainsAny(b.text, "/") // a directory of a walk
		if !walked && (!b.pattern && b.text != "" || paths.Wild(a.text)) || !plainPattern(a.text+b.text) {
			a.open = true // not one that is followed
		}
		a.pattern, a.all, a.deep = true, b.all, a.deep || b.deep
	}
	a.text = path.Join(a.text, b.text)
	return a
}

func expandUser(v constant) constant {
	if rest, ok := strings.CutPrefix(v.text, "~"); ok && !v.home && (rest == "" || rest[0] == '/') {
		v.text, v.home = strings.TrimLeft(rest, "/"), true
	}
	return v
}

// term is the value of an expression without operators.
func (p *pyReader) term(i, depth int) (v constant, next int, ok bool) {
	if end, joined := p.joined[i]; joined && p.at(end+1).kind != tokString {
		v, ok = p.pieces(p.tokens[end].joined.pieces, depth)
		return v, end + 1, ok
	}
	switch t := p.at(i); {
	case t.kind == tokString:
		for ok = true; p.at(i).kind == tokString; i++ {
			ok = ok && p.at(i).plain
			v.text += p.at(i).text
		}
		return v, i, ok
	case t.is("("):
		v, next, ok = p.valueIn(i+1, depth+1)
		return v, next + 1, ok && p.at(next).is(")")
	case t.kind != tokName || p.at(i-1).is("."):
		return v, i, false
	case t.text == "str" && p.called(i+1) && p.bound["str"] == "" && p.names["str"] == 0:
		v, next, ok = p.valueIn(i+2, depth+1)
		v.path = false
		return v, next + 1, ok && !v.open && p.at(next).is(")")
	case p.bound[t.text] != "":
		return p.pathFunction(i, depth)
	}
	return p.variableValue(i, depth)
}

// variableValue is the value of the variable at i.
func (p *pyReader) variableValue(i, depth int) (v constant, next int, ok bool) {
	name := p.at(i).text
	switch {
	case p.temporaryName(i):
		if p.at(i + 1).is(".") {
			i += 2
		}
		return constant{text: "/tmp/python-temporary"}, i + 1, true
	case p.chosen[name] > 0:
		v, next, ok = p.valueIn(p.chosen[name], depth+1)
		for p.at(next).kind == tokLine && next < len(p.tokens) {
			next++
		}
		return v, i + 1, ok && p.at(next).isOne(",", ")", "]")
	case p.names[name] == 1 && len(p.values[name]) == 1:
		v, next, ok = p.valueIn(p.values[name][0], depth+1)
		return v, i + 1, ok && p.over(name, next)
	case p.names[name] == 1:
		v, ok = p.each(name)
		return v, i + 1, ok
	}
	return v, i, false
}

// pieces is the value of a string with expressions; it is open from the first of them
// that is not known.
func (p *pyReader) pieces(list []piece, depth int) (v constant, ok bool) {
	for _, part := range list {
		right := constant{text: part.text}
		if part.expression > 0 {
			var next int
			right, next, ok = p.valueIn(part.expression, depth+1)
			if !ok || right.pattern || !p.at(next).is(")") || right.path || right.home && v.text != "" {
				right = constant{open: true}
			}
		}
		if part.odd {
			right = constant{open: true}
		}
		v.text += right.text
		v.home = v.home || right.home
		if v.open = right.open; v.open || len(v.text) > 4000 {
			v.open = true
			break
		}
	}
	return v, !(v.open && v.text == "")
}

// pathFunction is the value of a function of a module that makes paths.
func (p *pyReader) pathFunction(i, depth int) (v constant, next int, ok bool) {
	what := p.bound[p.at(i).text]
	for i++; p.at(i).is(".") && p.isName(i+1) && what != "pathlib.Path"; i += 2 {
		what += "." + p.at(i+1).text
	}
	open, arg := p.at(i), p.at(i+1)
	switch what {
	case "os.environ":
		return constant{home: true}, i + 3, looks(p.tokens, i, "[ TEXT ]") && arg.text == "HOME"
	case "os.environ.get", "os.getenv":
		return constant{home: true}, i + 3, looks(p.tokens, i, "( TEXT )") && arg.text == "HOME"
	case "os.getcwd":
		return constant{text: "."}, i + 2, looks(p.tokens, i, "( )")
	case "pathlib.Path":
		if looks(p.tokens, i, ". NAME ( )") && arg.named("home cwd") {
			return constant{home: arg.text == "home", path: true}, i + 4, true
		}
	}
	if !HasWord("os.path.expanduser os.path.abspath os.path.normpath os.path.realpath os.path.join pathlib.Path os.fspath", what) || !open.is("(") {
		return v, i, false
	}
	v, next, ok = p.joinedPath(i+1, depth)
	v.path = what == "pathlib.Path"
	if ok && what == "os.path.expanduser" {
		v = expandUser(v)
	}
	return v, next, ok
}

// joinedPath is the path that the arguments from i on make, and the index after them.
func (p *pyReader) joinedPath(i, depth int) (v constant, next int, ok bool) {
	for !p.at(i).is(")") {
		right, next, ok := p.valueIn(i, depth+1)
		if !ok || right.open || !p.at(next).isOne(",", ")") {
			return v, i, false
		}
		v = joinPath(v, right)
		if i = next; p.at(i).is(",") {
			i++
		}
	}
	return v, i + 1, true
}

// isPath says whether the name at i is that of a known path, used with a method.
func (p *pyReader) isPath(i int) bool {
	if open := p.at(i).is("("); open && (p.isName(i-1) || p.at(i-1).isOne(")", "]")) || !open && (p.names[p.at(i).text] != 1 || !p.at(i+1).isOne(".", "/")) {
		return false
	}
	list, next, ok := p.possible(i, p.named)
	return ok && list[0].path && next > i && (next > i+1 || p.at(next).is("."))
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
			p.mode(v, after+1, true)
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
	names := p.argument(i)
	if v, next, ok := p.named(i); ok && v.pattern && p.at(next).isOne(",", ")") {
		names = []*constant{&v}
	}
	switch {
	case p.at(i).kind == tokNumber && p.at(i).text == "0" && p.at(i+1).isOne(",", ")"):
		names[0] = &constant{text: "/dev/stdin"}
	case p.isArgv(i) && p.at(i+6).isOne(",", ")"):
		n := Number(p.at(i + 4).text)
		if n >= 1 && n <= len(p.args) && p.args[n-1].Known {
			names[0] = &constant{text: p.args[n-1].Text}
		}
		p.argv = true
	}
	for _, v := range names {
		if v == nil {
			p.mode(nil, p.nextArgument(i), false)
		} else {
			p.mode(*v, p.nextArgument(i), false)
		}
	}
}

// mode reads the arguments of an opening that follow its name; name is nil if
// that is not known.
func (p *pyReader) mode(name any, i int, method bool) {
	kind := tool.Read
	first := true
	for open := p.inside[min(i, len(p.inside)-1)]; i < len(p.tokens) && p.inside[i] >= open && !p.at(i).is(")"); i, first = p.nextArgument(i), false {
		key := "mode"
		if p.keyword(i) {
			key = p.at(i).text
			i += 2
		} else if !first {
			p.fail("an unusual way to open a file")
			return
		}
		v := p.at(i)
		constant := v.kind == tokString && v.plain && p.at(i+1).isOne(",", ")")
		switch {
		case key == "mode" && constant && strings.Trim(v.text, "rbt") == "":
		case key == "mode" && constant && strings.Trim(v.text, "rwaxbt+") == "":
			if kind = tool.Write; strings.Contains(v.text, "x") {
				kind = tool.Create
			}
		case HasWord("encoding errors newline", key) && (constant || v.isName("None")):
		default:
			p.fail("an unusual way to open a file")
			return
		}
	}
	if v, ok := name.(constant); ok && v.text == "/dev/stdin" {
		return
	}
	p.add(kind, name)
}
