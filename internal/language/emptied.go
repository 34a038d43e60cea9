package language

import (
	"strings"

	"longline/internal/tool"
)

// A file that a program opens to write it anew is empty from then on: what it held is lost if the program
// reads it only then, or writes nothing.

// empties adds that what a file held is lost, which is written by one of the deeds.
func (d *Deeds) empties(write int) {
	lost := d.List[write]
	if lost.Kind, lost.Emptied = tool.Delete, true; !lost.Open {
		d.List = append(d.List, lost)
	}
}

// isSame says whether two deeds are on the same path.
func (d *Deed) isSame(o *Deed) bool {
	return !d.Open && !o.Open && d.Target == o.Target && d.Home == o.Home && d.Beside == o.Beside && d.Glob == o.Glob
}

// isZero says whether a token is the number, or none.
func isZero(t token) bool { return t.kind == tokNumber && t.text == "0" || t.kind == tokEnd }

// blanks says whether a program for each line is nothing but one statement that leaves nothing of the line: a substitution of all of it, or,
// where there are variables, a value for it.
func blanks(text string, variables bool) bool {
	text = strings.Trim(text, "; \t\n")
	if len(text) > 2 && text[0] == 's' && strings.IndexByte("/|#,!:@%", text[1]) >= 0 {
		if parts := strings.Split(text[2:], text[1:2]); len(parts) == 3 {
			whole := strings.TrimSuffix(strings.TrimPrefix(parts[0], "^"), "$")
			return (whole == ".*" || whole == ".+") && parts[1] == "" && strings.Trim(parts[2], "gsmi") == ""
		}
	}
	switch text = strings.ReplaceAll(text, " ", ""); text {
	case "D": // of sed
		return !variables
	case `$_=""`, `$_=''`, `$_=undef`, `undef$_`, `undef($_)`, `$_=nil`, `$_.clear`:
		return variables
	}
	return false
}

// replaces says whether a program for each line is nothing but one statement that puts a text of its own in the place of the line.
func replaces(text string, variables bool) bool {
	text = strings.Trim(text, "; \t\n")
	if len(text) > 2 && text[0] == 's' && strings.IndexByte("/|#,!:@%", text[1]) >= 0 {
		if parts := strings.Split(text[2:], text[1:2]); len(parts) == 3 {
			whole := strings.TrimSuffix(strings.TrimPrefix(parts[0], "^"), "$")
			return (whole == ".*" || whole == ".+") && !strings.ContainsAny(parts[1], "&\\$@#") && strings.Trim(parts[2], "gsmi") == ""
		}
	}
	value, is := strings.CutPrefix(strings.ReplaceAll(text, " ", ""), "$_=")
	quoted := len(value) > 1 && (value[0] == '"' || value[0] == '\'') && strings.IndexByte(value[1:], value[0]) == len(value)-2
	return variables && is && quoted && !strings.ContainsAny(value, "$@#")
}

// pyEmptied are the files that a Python program has opened to write them anew, those that it has opened to read, and the last
// statement "with".
type pyEmptied struct {
	list    []pyOpened
	handles []pyHandle
	with    int // the index of its word
	done    int // how many deeds there were
}

// pyOpened is such a file: the deeds that write it, and the tokens that run while it is open.
type pyOpened struct{ write, writes, from, to int }

// opensEmpty notes that the file of the deeds from write on is opened anew, by a call whose bracket opens at call.
func opensEmpty(p *pyReader, call, write int) {
	if call < 0 {
		return
	}
	start := call
	for start > 0 && !p.starts(start) && p.spend(1) {
		start--
	}
	f := pyOpened{write: write, writes: len(p.deeds.List), from: call}
	header := p.at(start).isName("with")
	switch end := p.closing(call) + 1; {
	case header:
		f.to = p.blockEnd(start)
	case looks(p.tokens, start, "NAME =") && p.at(start+2).text == p.at(call-1).text:
		f.to = closedAt(p, p.at(start).text, end)
	default:
		f.to = p.statementEnd(start)
	}
	p.emptied.list = append(p.emptied.list, f)
	takes := takesFirst(p, start, p.closing(call)+1, header)
	for k := f.write; k < f.writes; k++ {
		lost := takes || writesNothing(p, call, header)
		if header && p.emptied.with == start {
			for r := p.emptied.done; r < f.write; r++ {
				lost = lost || p.deeds.List[r].Kind == tool.Read && p.deeds.List[r].isSame(&p.deeds.List[k])
			}
		}
		if lost {
			p.deeds.empties(k)
		}
	}
}

// pyTakes are methods of a file that do not write it.
const pyTakes = "read readline readlines readinto close"

// takesFirst says whether the first use of the name that a file gets, which a statement from start on opens by a call up to end, is to read
// from it, or to close it.
func takesFirst(p *pyReader, start, end int, header bool) bool {
	var name string
	switch {
	case header && p.at(end).isName("as"):
		end++
		name = p.at(end).text
	case looks(p.tokens, start, "NAME =") && p.ends(end):
		name = p.at(start).text
	default:
		return false
	}
	until := len(p.tokens)
	for i := range p.of(p.tokens, name) {
		switch {
		case i <= end || p.at(i-1).is(".") || !p.spend(1):
		case i > until:
			return false
		case looks(p.tokens, i+1, ". NAME (") && p.at(i+2).named("write writelines"): // what it is given comes first
			until = p.closing(i + 3)
		case p.at(i + 1).is("."):
			return p.at(i + 2).named(pyTakes)
		default:
			return p.at(i-1).isName("in") || p.at(i-1).is("(") && p.at(i-2).named("load safe_load reader DictReader list")
		}
	}
	return false
}

// writesNothing says whether nothing is written to a file that a call opens, whose bracket is at i.
func writesNothing(p *pyReader, i int, header bool) bool {
	end := p.closing(i) + 1
	switch {
	case header:
		for end < len(p.tokens) && !p.at(end).isOne(":", ",") && p.spend(1) {
			end++
		}
		return p.at(end).is(":") && p.at(p.afterLines(end+1)).isName("pass")
	case p.at(end).is("."):
		return p.at(end+1).named(pyTakes) || p.at(end+1).isName("write") && p.called(end+2) && isNothing(p, end+3)
	}
	return p.starts(i-1) && p.ends(end)
}

// isNothing says whether the argument at i, the last one, is a text without anything in it.
func isNothing(p *pyReader, i int) bool {
	t := p.at(i)
	return t.kind == tokString && t.plain && t.text == "" && p.at(i+1).is(")")
}

// readsEmptied looks at the deeds of the token at i for what reads files that are empty by then.
func readsEmptied(p *pyReader, i, done int) {
	if p.at(i).isName("with") && p.starts(i) {
		p.emptied.with, p.emptied.done = i, done
	}
	for r := done; r < len(p.deeds.List) && len(p.emptied.list) > 0; r++ {
		if p.deeds.List[r].Kind != tool.Read {
			continue
		}
		for _, f := range p.emptied.list {
			for k := f.write; k < f.writes && f.from < i && i < f.to; k++ {
				if p.deeds.List[k].isSame(&p.deeds.List[r]) {
					p.deeds.empties(k)
				}
			}
		}
	}
}

// closedAt is where a file is closed again that a name stands for.
func closedAt(p *pyReader, name string, i int) int {
	for ; i < len(p.tokens) && p.spend(1); i++ {
		if p.at(i).isName(name) && p.at(i+1).is(".") && p.at(i+2).isName("close") {
			break
		}
	}
	return i
}

// statementEnd is where the statement ends that begins at i.
func (p *pyText) statementEnd(i int) int {
	for !p.ends(i) && p.spend(1) {
		i++
	}
	return i
}

// blockEnd is where the block ends of a statement that begins at i: before the first line that is indented no further.
func (p *pyText) blockEnd(i int) int {
	depth := 0
	for k := i - 1; k >= 0 && p.spend(1); k-- {
		if p.tokens[k].kind == tokLine && p.inside[k] < 0 {
			depth = len(p.tokens[k].text)
			break
		}
	}
	for ; i < len(p.tokens) && p.spend(1); i++ {
		next := p.at(i + 1).kind
		if t := p.tokens[i]; t.kind == tokLine && p.inside[i] < 0 && next != tokLine && len(t.text) <= depth {
			break
		}
	}
	return i
}

// jsEmpties looks at the deeds of a call, whose arguments begin at i, for files that lose what they held. Streams read and write at the
// same time, wherever they are made.
func jsEmpties(j *jsReader, name string, i, done int) {
	second := j.at(j.argument(i))
	switch {
	case done == len(j.deeds.List):
	case HasWord("writeFile writeFileSync writeTextFile writeTextFileSync", name):
		if second.kind == tokString && second.plain && second.text == "" {
			j.deeds.empties(done)
		}
	case HasWord("truncate truncateSync", name):
		if isZero(second) {
			j.deeds.empties(done)
		}
	case name == "createWriteStream" && looks(j.tokens, i+1, ") . end ( )"):
		j.deeds.empties(done)
	case HasWord("createWriteStream createReadStream readFile readFileSync", name):
		for k := range j.deeds.List[done:] {
			jsStreams(j, name, done+k, second.kind != tokEnd)
		}
	}
}

// jsStreams holds a deed of a function that opens a file against those before it.
func jsStreams(j *jsReader, name string, k int, options bool) {
	d := j.deeds.List[k]
	others := j.reading
	switch {
	case name == "createWriteStream" && options:
		return // it may add to the file
	case name == "createWriteStream":
		j.writing = append(j.writing, k)
	default:
		others = j.writing
		if name == "createReadStream" {
			j.reading = append(j.reading, k)
		}
	}
	for _, o := range others {
		if j.deeds.List[o].isSame(&d) {
			j.deeds.empties(k)
			return
		}
	}
}
