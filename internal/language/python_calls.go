package language

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// What a Python program does outside of itself, and to what: texts and paths that are plain to see.

// pyCalls are the functions of modules that reach out of the program, a line for each
// thing that they do: words for what is done to the first argument, and to the second
// after a slash.
const pyCalls = `
delete: os.remove os.unlink os.rmdir os.removedirs
delete-tree: shutil.rmtree
create: os.mkdir os.makedirs
write: os.chmod os.utime os.truncate
move/write: os.rename os.replace os.renames
move/into: shutil.move
read/into: shutil.copy shutil.copy2
read/write: shutil.copyfile
read-tree/write-tree: shutil.copytree
name: os.readlink os.stat os.scandir os.access
shell: os.system subprocess.getoutput subprocess.getstatusoutput os.popen
run: subprocess.run subprocess.call subprocess.check_call subprocess.check_output
start: subprocess.Popen
fetch: urllib.request.urlopen requests.get requests.head httpx.get httpx.head
fetch/write: urllib.request.urlretrieve
send: requests.post requests.put requests.patch requests.delete httpx.post httpx.put httpx.patch httpx.delete
`

// pathCalls are the same of methods of paths.
const pathCalls = `
read: read_text read_bytes
write: write_text write_bytes touch chmod
create: mkdir
delete: unlink rmdir
move/write: rename replace
`

// pyCall says what a function of a module does that reaches out of the program; "" for one that does not.
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

// call is a call of such a function, whose arguments stand in the bracket at i.
func (p *pyReader) call(spec string, i int) {
	list, sure := p.arguments(i)
	at := len(p.tokens)
	if len(list) > 0 && sure {
		at = list[0]
	}
	if spec == "run" || spec == "start" {
		p.process(at, list, spec == "start")
		return
	}
	var sources []*constant
	for k, what := range strings.Split(spec, "/") {
		if at = len(p.tokens); k < len(list) && sure && !p.keyword(list[k]) {
			at = list[k]
		}
		values := p.possible(at)
		for _, v := range values {
			p.does(what, v, list)
		}
		if what == "into" {
			p.deeds.enter(values, sources)
		}
		sources = values
	}
}

// does is what a function does to its argument, of which v is the value or nil if that is not known.
func (p *pyReader) does(what string, v *constant, list []int) {
	kind, manner := deedKind(what)
	switch what {
	case "name":
		return
	case "shell":
		kind = tool.Execute
	case "fetch", "send":
		if kind = tool.Fetch; what == "send" || p.given(list, "data json files method content") || v != nil && v.open && p.reads() {
			kind = tool.Send
		}
		if v != nil && v.open && !namesServer(v.text) {
			v = nil
		}
	}
	switch {
	case v == nil, v.open && what != "fetch" && what != "send", v.home && !kind.IsPath():
		p.fail("what it does is computed at run time")
	default:
		p.deeds.put(kind, *v)
		p.deeds.inManner(manner)
	}
}

// given says whether one of some arguments is given by its name.
func (p *pyReader) given(list []int, names string) bool {
	for _, at := range list {
		if p.keyword(at) && HasWord(names, p.at(at).text) {
			return true
		}
	}
	return false
}

// namesServer says whether the beginning of an address names the server and nobody else.
func namesServer(address string) bool {
	_, rest, found := strings.Cut(address, "://")
	end := strings.IndexAny(rest, "/?#")
	return found && end > 0 && strings.IndexByte(rest[:end], '@') < 0
}

// reads says whether the program sees anything but itself.
func (p *pyReader) reads() bool {
	for _, t := range p.tokens {
		if t.named("open stdin argv environ getenv read_text read_bytes input check_output getoutput popen run") {
			return true
		}
	}
	return p.deeds.Loads
}

// open is a call of open at i.
func (p *pyReader) open(i int) int {
	if !p.called(i + 1) {
		p.fail("open used as a value")
		return i + 1
	}
	list, sure := p.arguments(i + 1)
	if !sure || len(list) == 0 || p.keyword(list[0]) {
		p.fail("an unusual way to open a file")
		return i + 2
	}
	for _, v := range p.possible(list[0]) {
		p.opens(v, list[1:])
	}
	return i + 2
}

// opens is the opening of a file, with the arguments behind its name.
func (p *pyReader) opens(v *constant, list []int) {
	mode := "r"
	for k, at := range list {
		name := "mode"
		if p.keyword(at) {
			name = p.at(at).text
			at += 2
		} else if k > 0 {
			name = "buffering"
		}
		switch {
		case name == "mode" && p.at(at).isText() && p.over(at+1):
			mode = p.at(at).text
		case !HasWord("buffering encoding errors newline", name):
			p.fail("an unusual way to open a file")
		}
	}
	if v == nil || v.open {
		p.fail("the name of a file is computed at run time")
		return
	}
	if !strings.ContainsAny(mode, "wax") || strings.Contains(mode, "+") {
		p.deeds.put(tool.Read, *v)
	}
	switch {
	case strings.Contains(mode, "x"):
		p.deeds.put(tool.Create, *v)
	case strings.ContainsAny(mode, "wa+"):
		p.deeds.put(tool.Write, *v)
	}
}

// path is what a method does of a path that begins at i, if one does. It returns the index after it.
func (p *pyReader) path(i int) int {
	v, next, ok := p.value(i, 0)
	list := []*constant{&v}
	if !ok {
		list, next = p.loopValues(i)
	}
	if len(list) == 0 || list[0] == nil || !list[0].path || next <= i || !looks(p.tokens, next, ". NAME") {
		return i + 1
	}
	name := p.at(next + 1).text
	spec := deedOf(pathCalls, name)
	for _, v := range list {
		switch {
		case v == nil || v.open || spec == "" && name != "open":
			p.attribute(next + 1)
		case !p.called(next + 2):
			p.fail("the method of a path used as a value")
		case name == "open":
			args, sure := p.arguments(next + 2)
			if !sure {
				p.fail("an unusual way to open a file")
			}
			p.opens(v, args)
		default:
			what, second, more := strings.Cut(spec, "/")
			p.does(what, v, nil)
			if more {
				for _, to := range p.possible(p.skip(next + 3)) {
					p.does(second, to, nil)
				}
			}
		}
	}
	return next + 2
}

// process is a program that subprocess runs, perhaps without waiting for it: a list of words at i, or text.
func (p *pyReader) process(i int, list []int, apart bool) {
	d, shell := p.processOptions(list)
	d.Apart = apart
	if p.at(i).is("[") && p.over(p.match[i]+1) && !shell {
		words, sure := p.arguments(i)
		for _, at := range words {
			v, next, ok := p.value(at, 0)
			ok = ok && !v.open && p.over(next)
			d.Words = append(d.Words, Arg{Text: v.text, Known: ok && !v.home, Home: ok && v.home})
		}
		if sure && len(words) > 0 && d.Words[0] != (Arg{}) {
			p.deeds.List = append(p.deeds.List, d)
			return
		}
	} else if v, next, ok := p.value(i, 0); ok && !v.open && !v.home && p.over(next) {
		if d.Target = v.text; !shell {
			d.Words = []Arg{{Text: v.text, Known: true}}
		}
		p.deeds.List = append(p.deeds.List, d)
		return
	}
	p.fail("what it runs is computed at run time")
}

// processOptions is how a program is run, by the arguments behind its words.
func (p *pyReader) processOptions(list []int) (d Deed, shell bool) {
	d.Kind = tool.Execute
	for _, at := range list[min(1, len(list)):] {
		switch name := p.at(at).text; {
		case !p.keyword(at):
			p.fail("an unusual way to run a program")
		case name == "shell" && p.at(at+2).named("True False"):
			shell = p.at(at+2).text == "True"
		case name == "cwd":
			v, next, ok := p.value(at+2, 0)
			if d.Dir, d.DirHome = v.text, v.home; !ok || v.open || !p.over(next) {
				p.fail("where a program runs is computed at run time")
			}
		case !HasWord("capture_output text check timeout stdout stderr stdin input encoding universal_newlines errors", name):
			p.fail("an unusual way to run a program")
		}
	}
	return d, shell
}

// possible are the values that the argument at i can have, for each of the texts of a loop; one of them is nil if they are not known.
func (p *pyReader) possible(i int) []*constant {
	if v, next, ok := p.value(i, 0); ok && p.over(next) {
		return []*constant{&v}
	}
	if list, next := p.loopValues(i); len(list) > 0 && p.over(next) {
		return list
	}
	return []*constant{nil}
}

// loopValues are the values of the expression at i for each of the texts of a loop, and the index after it.
func (p *pyReader) loopValues(i int) (list []*constant, next int) {
	for _, l := range p.loops {
		if p.marked[l.name] != 1 || p.bound[l.name] != "" {
			continue
		}
		list = nil
		for _, at := range l.texts {
			p.chosen = map[string]int{l.name: at}
			v, end, ok := p.value(i, 0)
			if !ok || !p.spend(40) {
				list = nil
				break
			}
			list, next = append(list, &v), end
		}
		if p.chosen = nil; list != nil {
			return list, next
		}
	}
	return nil, i
}

// value is the text or path that the expression at i has, or the beginning of it, and the index after it.
func (p *pyReader) value(i, depth int) (v constant, next int, ok bool) {
	if depth > 12 || !p.spend(40) {
		return v, i, false
	}
	v, i, ok = p.term(i, depth)
	for ok && p.spend(40) && len(v.text) < 4000 {
		switch t := p.at(i); {
		case t.isOne("+", "/"):
			right, next, known := p.term(i+1, depth)
			if !known || t.is("/") != (v.path || right.path) || t.is("+") && (right.home || v.open) || t.is("/") && (v.open || right.open) {
				return v, i, false
			}
			if i = next; t.is("+") {
				v.text, v.open = v.text+right.text, right.open
			} else {
				v = joinPath(v, right)
				v.path = true
			}
		case v.path && p.at(i+1).named("expanduser absolute") && looks(p.tokens, i+2, "( )"):
			if p.at(i+1).text == "expanduser" {
				v = expandUser(v)
			}
			i += 4
		case v.path && looks(p.tokens, i, ". parent") && p.at(i+2).is("/") && v.beside: // Path(__file__).parent
			v.text = path.Dir(v.text)
			i += 2
		default:
			return v, i, true
		}
	}
	return v, i, false
}

// term is the value of an expression without operators.
func (p *pyReader) term(i, depth int) (v constant, next int, ok bool) {
	if end, joined := p.joined[i]; joined && p.at(end+1).kind != tokString {
		v = p.pieces(p.tokens[end].joined.pieces, depth)
		return v, end + 1, !v.open || v.text != ""
	}
	switch t := p.at(i); {
	case t.kind == tokString:
		for ok = true; p.at(i).kind == tokString; i++ {
			ok = ok && p.at(i).plain
			v.text += p.at(i).text
		}
		return v, i, ok
	case t.is("("), t.isName("str") && p.called(i+1):
		if t.kind == tokName {
			i++
		}
		v, next, ok = p.value(i+1, depth+1)
		v.path = v.path && t.is("(")
		return v, next + 1, ok && p.at(next).is(")")
	case t.kind != tokName || p.at(i-1).is("."):
		return v, i, false
	case p.chosen[t.text] > 0:
		v, next, ok = p.value(p.chosen[t.text], depth+1)
		return v, i + 1, ok && p.over(next)
	case p.bound[t.text] != "":
		return p.pathFunction(i, depth)
	case p.values[t.text] > 0 && p.marked[t.text] == 1:
		v, next, ok = p.value(p.values[t.text], depth+1)
		return v, i + 1, ok && p.ends(next)
	}
	return v, i, false
}

// pieces is the value of a string with expressions; it is open from the first of them that is not known.
func (p *pyReader) pieces(list []piece, depth int) (v constant) {
	for _, part := range list {
		right, next, known := constant{text: part.text}, 0, !part.odd
		if part.expression > 0 && known {
			right, next, known = p.value(part.expression, depth+1)
			known = known && !right.open && !right.path && p.at(next).is(")") && (!right.home || v.text == "")
		}
		if !known {
			v.open = true
			break
		}
		v.text, v.home = v.text+right.text, v.home || right.home
	}
	return v
}

// pathFunction is the value of a function of a module that makes paths, or of an argument.
func (p *pyReader) pathFunction(i, depth int) (v constant, next int, ok bool) {
	what := p.bound[p.at(i).text]
	for i++; looks(p.tokens, i, ". NAME"); i += 2 {
		what += "." + p.at(i+1).text
	}
	switch what {
	case "sys.argv":
		if n := Number(p.at(i + 1).text); looks(p.tokens, i, "[ NUMBER ]") && n > 0 && n <= len(p.args) {
			return constant{text: p.args[n-1].Text}, i + 3, p.args[n-1].Known
		}
	case "os.environ":
		return constant{home: true}, i + 3, looks(p.tokens, i, "[ TEXT ]") && p.at(i+1).text == "HOME"
	case "os.environ.get", "os.getenv":
		return constant{home: true}, i + 3, looks(p.tokens, i, "( TEXT )") && p.at(i+1).text == "HOME"
	case "os.getcwd":
		return constant{text: "."}, i + 2, looks(p.tokens, i, "( )")
	case "pathlib.Path.home", "pathlib.Path.cwd":
		return constant{home: what == "pathlib.Path.home", path: true}, i + 2, looks(p.tokens, i, "( )")
	case "os.path.expanduser", "os.path.abspath", "os.path.normpath", "os.path.join", "pathlib.Path":
		for i++; !p.at(i).is(")"); i = p.next(i) {
			right, next, known := p.value(i, depth+1)
			if !known || right.open || !p.over(next) {
				return v, i, false
			}
			v = joinPath(v, right)
		}
		if v.path = what == "pathlib.Path"; what == "os.path.expanduser" {
			v = expandUser(v)
		}
		return v, i + 1, true
	}
	return v, i, false
}

// joinPath is a path with another one below it, or in place of it if that is absolute.
func joinPath(a, b constant) constant {
	if b.home || strings.HasPrefix(b.text, "/") {
		return b
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
