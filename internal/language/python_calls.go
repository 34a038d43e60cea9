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
	if p.sends(what, i) {
		kind = tool.Send
	}
	switch {
	case what == "fetch" && kind == tool.Fetch && p.alone(i) && p.madeBy(p.at(i).text) == "urllib.request.Request":
		// Whom it asks is known where it is made.
	case v != nil && !v.home:
		p.add(kind, v.text)
	default:
		p.address(kind, i)
	}
}

// sends says whether a call that speaks to the address at i may send something.
func (p *pyReader) sends(what string, i int) bool {
	return what == "send" || p.hasKeyword(i, "data json files") || what == "request" && p.hasBody(i)
}

// hasBody says whether a request to the address at i may have a body: a method is named,
// or there is a second argument.
func (p *pyReader) hasBody(i int) bool {
	return p.hasKeyword(i, "method") || p.manyArguments(i-1) && !p.keyword(p.nextArgument(i))
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
	if name := p.at(i).text; p.alone(i) && p.several(name) {
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
	over := p.at(next).isOne(",", ")")
	if assigned {
		over = p.ends(next)
	}
	switch {
	case !ok, !over, v.home, v.open && !namesServer(v.text):
		p.add(kind, nil)
	case v.open && kind == tool.Fetch && p.reads():
		p.add(tool.Send, v.text)
	default:
		p.add(kind, v.text)
	}
}

// namesServer says whether the beginning of an address names the server and nobody else.
func namesServer(address string) bool {
	_, rest, found := strings.Cut(address, "://")
	end := strings.IndexAny(rest, "/?#")
	return found && end > 0 && strings.IndexByte(rest[:end], '@') < 0
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
	if name := p.at(i).text; p.alone(i) && p.several(name) {
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

// process is a program that subprocess runs: a list of words, or text.
func (p *pyReader) process(i int) {
	i = p.afterLines(i)
	run, ok := p.processOptions(i)
	if !ok {
		p.add(tool.Execute, nil)
		return
	}
	words, ok := p.words(i)
	if !ok || run.shell && p.at(i).is("[") {
		p.add(tool.Execute, nil)
		return
	}
	d := Deed{Kind: tool.Execute, Words: words}
	if run.shell {
		d = Deed{Kind: tool.Execute, Target: words[0].Text}
	}
	d.Dir, d.DirHome = run.dir.text, run.dir.home
	p.deeds.List = append(p.deeds.List, d)
}

// pyProcess is how subprocess runs a program: with a shell or without, and where.
type pyProcess struct {
	shell bool
	dir   constant
}

// processOptions reads how a program is run from the arguments that begin at i; false if
// one may change what is run.
func (p *pyReader) processOptions(i int) (run pyProcess, ok bool) {
	open := p.inside[min(i, len(p.inside)-1)]
	for k := i; k < len(p.tokens) && p.inside[k] >= open && p.spend(1); k++ {
		t := p.tokens[k]
		if p.inside[k] != open || !t.isOne("*", "**") && !p.keyword(k) {
			continue
		}
		if !p.processOption(t.text, k+2, &run) {
			return run, false
		}
	}
	return run, true
}

// processOption reads an option and its value at i; false if it may change what is run.
func (p *pyReader) processOption(name string, i int, run *pyProcess) bool {
	switch name {
	case "shell":
		run.shell = p.at(i).isName("True")
		return p.at(i).named("True False") && p.at(i+1).isOne(",", ")")
	case "cwd":
		v, next, ok := p.value(i)
		run.dir = v
		return ok && p.at(next).isOne(",", ")")
	}
	return HasWord("capture_output text check timeout stdout stderr stdin input encoding universal_newlines errors", name)
}

// words are the words of a command: a list of values, of which the first is
// known, or one value.
func (p *pyReader) words(i int) (words []Arg, ok bool) {
	if p.at(i).is("[") {
		return p.listWords(i)
	}
	v, next, ok := p.value(i)
	return []Arg{{Text: v.text, Known: true}}, ok && !v.home && p.at(next).isOne(",", ")")
}

// listWords are the words of the list that opens at i and is all of an argument.
func (p *pyReader) listWords(i int) (words []Arg, ok bool) {
	end := i + 1
	for end < len(p.tokens) && p.inside[end] >= i && p.spend(1) {
		end++
	}
	if !p.at(end+1).isOne(",", ")") {
		return nil, false // more is added to the list
	}
	for at := p.afterLines(i + 1); at < end; at = p.nextArgument(at) {
		if p.at(at).isOne("*", "]") {
			return nil, false
		}
		word, known := p.word(at)
		if !known && len(words) == 0 {
			return nil, false
		}
		words = append(words, word)
	}
	return words, len(words) > 0
}

// word is the element at i of a list of words, and whether it is known.
func (p *pyReader) word(i int) (word Arg, known bool) {
	v, next, ok := p.value(i)
	known = ok && p.at(p.afterLines(next)).isOne(",", "]")
	return Arg{Text: v.text, Known: known && !v.home, Home: known && v.home}, known
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
	v, i, ok = p.term(i, depth)
	for more := true; more && ok; {
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
	}
	return v, i, ok
}

// plus is what becomes of a value by the operator at i and what follows it: two texts
// joined, or two paths.
func (p *pyReader) plus(v constant, i, depth int) (constant, int, bool) {
	right, next, ok := p.term(i+1, depth)
	if !ok || len(v.text) > 4000 {
		return v, i, false
	}
	sum, ok := v.plus(right, p.at(i).is("/"))
	if !ok {
		return v, i, false
	}
	return sum, next, true
}

// plus is what two values make with an operator between them: a slash joins paths, a plus
// sign texts. Of a text of which only the beginning is known nothing more is.
func (v constant) plus(right constant, slash bool) (sum constant, ok bool) {
	switch {
	case slash != (v.path || right.path):
		return v, false
	case slash:
		sum = joinPath(v, right)
		sum.path = true
		return sum, !v.open && !right.open
	case right.home || v.pattern || right.pattern:
		return v, false
	case !v.open:
		v.text += right.text
		v.open = right.open
	}
	return v, true
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

// joinPath is a path with another one below it, or in place of it if that is absolute.
func joinPath(a, b constant) constant {
	if b.home || strings.HasPrefix(b.text, "/") {
		return b
	}
	if b.pattern || a.pattern {
		if !followsPattern(a, b) {
			a.open = true
		}
		a.pattern, a.all, a.deep = true, b.all, a.deep || b.deep
	}
	a.text = path.Join(a.text, b.text)
	return a
}

// followsPattern says whether a path with another one below it, one of which is a pattern,
// is a pattern that longline follows.
func followsPattern(a, b constant) bool {
	if !plainPattern(a.text + b.text) {
		return false
	}
	walked := strings.HasSuffix(a.text, "**") && !strings.ContainsAny(b.text, "/") // a directory of a walk
	return walked || (b.pattern || b.text == "") && !paths.Wild(a.text)
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
		return p.texts(i)
	case t.is("("):
		return p.enclosed(i, depth)
	case t.kind != tokName || p.at(i-1).is("."):
		return v, i, false
	case p.converts(i):
		v, next, ok = p.enclosed(i+1, depth)
		v.path = false
		return v, next, ok && !v.open
	case p.bound[t.text] != "":
		return p.pathFunction(i, depth)
	}
	return p.variableValue(i, depth)
}

// converts says whether a value is made a text at i.
func (p *pyReader) converts(i int) bool {
	return p.at(i).isName("str") && p.called(i+1) && p.builtin("str")
}

// texts is the text of the strings that stand side by side at i, if they are plain.
func (p *pyText) texts(i int) (v constant, next int, ok bool) {
	for ok = true; p.at(i).kind == tokString; i++ {
		ok = ok && p.at(i).plain
		v.text += p.at(i).text
	}
	return v, i, ok
}

// enclosed is the value of the expression in the parenthesis at i.
func (p *pyReader) enclosed(i, depth int) (v constant, next int, ok bool) {
	v, next, ok = p.valueIn(i+1, depth+1)
	return v, next + 1, ok && p.at(next).is(")")
}

// variableValue is the value of the variable at i.
func (p *pyReader) variableValue(i, depth int) (v constant, next int, ok bool) {
	name := p.at(i).text
	if p.temporaryName(i) {
		if p.at(i + 1).is(".") {
			i += 2
		}
		return constant{text: "/tmp/python-temporary"}, i + 1, true
	}
	if at := p.chosen[name]; at > 0 {
		v, next, ok = p.valueIn(at, depth+1)
		return v, i + 1, ok && p.at(p.afterLines(next)).isOne(",", ")", "]")
	}
	if at, once := p.only(name); once {
		v, next, ok = p.valueIn(at, depth+1)
		return v, i + 1, ok && p.over(name, next)
	}
	if p.names[name] != 1 {
		return v, i, false
	}
	v, ok = p.each(name)
	return v, i + 1, ok
}

// pieces is the value of a string with expressions; it is open from the first of them
// that is not known.
func (p *pyReader) pieces(list []piece, depth int) (v constant, ok bool) {
	for _, part := range list {
		right := p.piece(part, depth, v.text != "")
		v.text += right.text
		v.home = v.home || right.home
		if v.open = right.open || len(v.text) > 4000; v.open {
			break
		}
	}
	return v, !v.open || v.text != ""
}

// piece is the value of a part of such a string; it is open if it is not known. A path
// below the home directory can only stand in front.
func (p *pyReader) piece(part piece, depth int, behind bool) constant {
	unknown := constant{open: true}
	if part.odd {
		return unknown
	}
	if part.expression == 0 {
		return constant{text: part.text}
	}
	v, next, ok := p.valueIn(part.expression, depth+1)
	if !ok || v.pattern || v.path || v.home && behind || !p.at(next).is(")") {
		return unknown
	}
	return v
}

// pathFunction is the value of a function of a module that makes paths.
func (p *pyReader) pathFunction(i, depth int) (v constant, next int, ok bool) {
	what, i := p.function(i)
	switch what {
	case "os.environ":
		return p.homeVariable(i, "[ TEXT ]")
	case "os.environ.get", "os.getenv":
		return p.homeVariable(i, "( TEXT )")
	case "os.getcwd":
		return constant{text: "."}, i + 2, looks(p.tokens, i, "( )")
	case "pathlib.Path.home", "pathlib.Path.cwd":
		return constant{home: what == "pathlib.Path.home", path: true}, i + 2, looks(p.tokens, i, "( )")
	}
	if !HasWord("os.path.expanduser os.path.abspath os.path.normpath os.path.realpath os.path.join pathlib.Path os.fspath", what) || !p.called(i) {
		return v, i, false
	}
	v, next, ok = p.joinedPath(i+1, depth)
	v.path = what == "pathlib.Path"
	if ok && what == "os.path.expanduser" {
		v = expandUser(v)
	}
	return v, next, ok
}

// homeVariable is the value of a variable of the environment that is named at i between
// brackets, if it is the home directory.
func (p *pyText) homeVariable(i int, brackets string) (v constant, next int, ok bool) {
	return constant{home: true}, i + 3, looks(p.tokens, i, brackets) && p.at(i+1).text == "HOME"
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

// mode reads the arguments of an opening that follow its name; name is nil if
// that is not known.
func (p *pyReader) mode(name any, i int) {
	kind := tool.Read
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
			kind = opens
		}
	}
	if v, ok := name.(constant); ok && v.text == "/dev/stdin" {
		return
	}
	p.add(kind, name)
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
