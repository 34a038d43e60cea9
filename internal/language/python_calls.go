package language

import (
	"path"
	"strings"

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
	if spec == "run" || spec == "start" {
		p.process(i, spec == "start")
		return
	}
	if spec == "temporary" {
		p.temporary(i)
		return
	}
	var sources []*constant
	for what := range strings.SplitSeq(spec, "/") {
		if what != "fetch" && what != "send" && what != "request" && p.isName(i) && p.at(i+1).is("=") {
			p.fail("an argument that is given by its name")
			return
		}
		list := p.arguments(what, i)
		for _, v := range list {
			p.does(what, i, v)
		}
		if what == "into" {
			p.deeds.enter(list, sources)
		}
		i, sources = p.nextArgument(i), list
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
	default:
		kind, manner := deedKind(what)
		p.add(kind, arg)
		p.deeds.inManner(manner)
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
	if HasWord("read write delete into", what) {
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

// process is a program that subprocess runs, perhaps without waiting for it: a list of words, or text.
func (p *pyReader) process(i int, apart bool) {
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
	d.Dir, d.DirHome, d.Apart = run.dir.text, run.dir.home, apart
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
