package language

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// What a program in one of several languages surely names: calls of functions
// that delete, write, read or run something, with arguments that are constants.
// Whether they are reached is not looked at. This only ever adds objections to
// code that is unknown; nothing is allowed by it.

// What functions do, as in pyCalls.
const (
	rubyCalls = `
run: system exec spawn IO.popen Kernel.system Kernel.exec Process.spawn ` + "`" + `
delete-tree: FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure FileUtils.rmtree FileUtils.rm FileUtils.rm_f FileUtils.remove
delete: File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink
move/write: FileUtils.mv File.rename
write: File.write IO.write File.binwrite FileUtils.touch
read/write: FileUtils.cp
read-tree/write-tree: FileUtils.cp_r
read: File.read IO.read File.readlines File.binread IO.readlines
`
	perlCalls = `
run: system exec qx ` + "`" + `
delete-tree: rmtree remove_tree File.Path.rmtree File.Path.remove_tree
delete: unlink rmdir
move/write: rename
`
	phpCalls = `
run: exec shell_exec system passthru popen proc_open ` + "`" + `
delete: unlink rmdir
move/write: rename
write: file_put_contents touch
read/write: copy
read: file_get_contents readfile file
`
	luaCalls = `
run: os.execute io.popen
delete: os.remove lfs.rmdir
move/write: os.rename
read: io.lines
`
)

// foundCall says what a function of a language does, as [pyCall].
func foundCall(lang, name string) string {
	switch lang {
	case "ruby":
		return deedOf(rubyCalls, name)
	case "perl":
		return deedOf(perlCalls, name)
	case "php":
		return deedOf(phpCalls, strings.ToLower(name))
	}
	return deedOf(luaCalls, name)
}

type finder struct {
	lexer
	lang string
}

// found lists what is found in a program.
func found(lang, text string) []Deed {
	f := finder{lexer: lexer{cursor: cursor{text: text}}, lang: lang}
	f.scan()
	for i := 0; i < len(f.tokens); i++ {
		if t := f.tokens[i]; t.kind != tokName || tokenAt(f.tokens, i-1).isOne(".", "->") {
			continue
		}
		name := f.tokens[i].text
		for tokenAt(f.tokens, i+1).is(".") && tokenAt(f.tokens, i+2).kind == tokName {
			name += "." + f.tokens[i+2].text
			i += 2
		}
		if spec := foundCall(lang, name); spec != "" {
			at := i + 1
			if tokenAt(f.tokens, at).is("(") {
				at++
			}
			f.call(spec, at)
		}
	}
	return f.deeds.List
}

// scan takes a program apart as far as names, strings and comments go.
func (f *finder) scan() {
	for f.more() && len(f.tokens) < 20_000 {
		switch c := f.text[f.at]; {
		case f.pause(c), f.quoting():
		case isQuote(c) || c == '`' && f.lang != "lua":
			f.quotes(c)
		case isLetter(c):
			f.emit(token{kind: tokName, text: f.word()})
		case f.ahead("::"):
			f.at += 2
			f.emit(token{kind: tokOp, text: "."})
		case f.ahead("->"), f.ahead(".."):
			f.op(2)
		default:
			f.op(1)
		}
	}
}

// pause passes over blanks and comments.
func (f *finder) pause(c byte) bool {
	switch {
	case isBlank(c) || c == '\r':
		f.at++
	case f.lang == "lua" && f.ahead("--"), f.lang == "php" && f.ahead("//"), f.lang != "lua" && c == '#' && f.peek(-1) != '$':
		f.line()
	case f.lang == "php" && f.ahead("/*"):
		f.comment("/*", "*/")
	default:
		return false
	}
	return true
}

// quotes reads a string, or a command between backticks.
func (f *finder) quotes(quote byte) {
	rest := f.rest()[1:]
	body, _, ended := f.quoted(quote, true)
	if !ended {
		body = rest
	}
	if quote == '`' {
		f.command()
	}
	f.put(body, quote != '\'')
}

// command emits what a command between quotes of its own is called.
func (f *finder) command() {
	f.emit(token{kind: tokName, text: "`"})
	f.emit(token{kind: tokOp, text: "("})
}

// quoting reads what an operator of Perl or Ruby quotes, if one stands here.
func (f *finder) quoting() bool {
	n := f.quotingLength()
	if n == 0 || !f.among(n, "({[<|!") && !(f.lang == "perl" && f.peek(n) == '/') {
		return false
	}
	if n == 2 && f.peek(1) == 'x' {
		f.command()
	}
	f.at += n
	body, _, _ := strings.Cut(f.rest()[1:], string(partner(f.peek(0))))
	f.take(len(body) + 2)
	f.put(body, n == 2)
	return true
}

// quotingLength is how long a quoting operator is that stands here: "%x" of Ruby, or "q",
// "qq" and "qx" of Perl; 0 if there is none.
func (f *finder) quotingLength() int {
	switch {
	case f.lang == "ruby" && f.ahead("%x"):
		return 2
	case f.lang != "perl" || f.peek(0) != 'q' || isWordByte(f.peek(-1)):
		return 0
	case f.among(1, "qx"):
		return 2
	}
	return 1
}

// homeMark stands for the home directory where it is put into a text.
const homeMark = "\x00"

// put adds a string. It is plain if it means just what is written, but for the
// home directory that may be put into it.
func (f *finder) put(body string, interpolates bool) {
	t := token{kind: tokString, text: body, plain: true}
	if interpolates {
		for _, form := range [...]string{`$ENV{HOME}`, `$ENV{'HOME'}`, `#{Dir.home}`, `#{ENV['HOME']}`, `#{ENV["HOME"]}`, `{$_SERVER['HOME']}`} {
			t.text = strings.ReplaceAll(t.text, form, homeMark)
		}
		t.plain = f.lang == "lua" || !strings.Contains(t.text, "#{") && !(f.lang != "ruby" && strings.ContainsAny(t.text, "$@"))
	}
	t.plain = t.plain && !strings.Contains(t.text, `\`)
	f.emit(t)
}

// call is a call whose arguments begin at i.
func (f *finder) call(spec string, i int) {
	if spec == "run" {
		f.runs(i)
		return
	}
	for what := range strings.SplitSeq(spec, "/") {
		v, next, ok := f.value(i)
		if !ok {
			return
		}
		kind, manner := deedKind(what)
		f.deeds.List = append(f.deeds.List, Deed{Kind: kind, Target: v.text, Home: v.home})
		f.deeds.inManner(manner)
		i = next + 1
	}
}

// runs is a call that runs the command or the words that begin at i.
func (f *finder) runs(i int) {
	var words []Arg
	for {
		v, next, ok := f.value(i)
		if !ok {
			return
		}
		text := strings.ReplaceAll(v.text, homeMark, "~")
		if v.home {
			text = path.Join("~", text)
		}
		words = append(words, Arg{Text: text, Known: true})
		if i = next + 1; !tokenAt(f.tokens, next).is(",") || f.option(i) {
			break
		}
	}
	if len(words) == 1 || f.lang == "php" || f.lang == "lua" {
		f.deeds.add(tool.Execute, words[0].Text)
	} else {
		f.deeds.List = append(f.deeds.List, Deed{Kind: tool.Execute, Words: words})
	}
}

// option says whether the argument at i is no word of a command: an option, or a variable
// for the output.
func (f *finder) option(i int) bool {
	return looks(f.tokens, i, "NAME :") || tokenAt(f.tokens, i).is("$")
}

// value is a text made of constants and the home directory.
func (f *finder) value(i int) (v constant, next int, ok bool) {
	v, i, ok = f.term(i, 0)
	for ok && tokenAt(f.tokens, i).isOne("+", ".", "..") {
		right, next, found := f.term(i+1, 0)
		if !found || right.home {
			return v, i, false
		}
		v.text += right.text
		i = next
	}
	return v, i, ok
}

// homes are the ways in which programs name the home directory, as their tokens.
var homes = [...]string{"Dir . home ( )", "Dir . home", "ENV [ HOME ]", "ENV { HOME }", "$ ENV { HOME }", "getenv ( HOME )", "os . getenv ( HOME )"}

// home is the index after a name of the home directory that begins at i, or i.
func (f *finder) home(i int) int {
	for _, form := range homes {
		at := i
		for word := range strings.SplitSeq(form, " ") {
			if t := tokenAt(f.tokens, at); t.text != word || t.kind == tokString && word != "HOME" {
				at = i
				break
			}
			at++
		}
		if at > i {
			return at
		}
	}
	return i
}

func (f *finder) term(i, depth int) (v constant, next int, ok bool) {
	t := tokenAt(f.tokens, i)
	if t.kind == tokString {
		rest, home := strings.CutPrefix(t.text, homeMark)
		if home {
			rest = strings.TrimLeft(rest, "/")
		}
		return constant{text: rest, home: home}, i + 1, t.plain
	}
	if end := f.home(i); end > i {
		return constant{home: true}, end, true
	}
	method := tokenAt(f.tokens, i+2)
	if depth > 5 || !looks(f.tokens, i, "File . NAME (") || !method.named("expand_path join") {
		return v, i, false
	}
	return f.joined(i+4, depth, method.text == "expand_path")
}

// joined is the path that the arguments from i on make, and the index after them. Where it
// is expanded, a tilde stands for the home directory.
func (f *finder) joined(i, depth int, expand bool) (v constant, next int, ok bool) {
	for ; ; i++ {
		right, next, ok := f.term(i, depth+1)
		if !ok {
			return v, i, false
		}
		if expand {
			right = expandUser(right)
		}
		v = joinPath(v, right)
		if i = next; !tokenAt(f.tokens, i).is(",") {
			return v, i + 1, tokenAt(f.tokens, i).is(")")
		}
	}
}
