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

// foundCall says what a function of a language does, as [pyCall].
func foundCall(lang, name string) string {
	switch lang + " " + name {
	case "ruby system", "ruby exec", "ruby spawn", "ruby IO.popen", "ruby Kernel.system", "ruby Kernel.exec", "ruby Process.spawn", "ruby `",
		"perl system", "perl exec", "perl `", "perl qx",
		"php exec", "php shell_exec", "php system", "php passthru", "php popen", "php proc_open", "php `",
		"lua os.execute", "lua io.popen":
		return "run"
	case "ruby FileUtils.rm_rf", "ruby FileUtils.rm_r", "ruby FileUtils.remove_dir", "ruby FileUtils.remove_entry", "ruby FileUtils.remove_entry_secure", "ruby FileUtils.rmtree", "ruby FileUtils.rm",
		"ruby FileUtils.rm_f", "ruby FileUtils.remove", "perl rmtree", "perl remove_tree", "perl File.Path.rmtree", "perl File.Path.remove_tree":
		return "delete-tree"
	case "ruby File.delete", "ruby File.unlink", "ruby Dir.rmdir", "ruby Dir.delete", "ruby Dir.unlink", "perl unlink", "perl rmdir", "php unlink", "php rmdir", "lua os.remove", "lua lfs.rmdir":
		return "delete"
	case "ruby FileUtils.mv", "ruby File.rename", "perl rename", "php rename", "lua os.rename":
		return "delete-tree/write"
	case "ruby File.write", "ruby IO.write", "ruby File.binwrite", "ruby FileUtils.touch", "php file_put_contents", "php touch":
		return "write"
	case "ruby FileUtils.cp", "ruby FileUtils.cp_r", "php copy":
		return "read/write"
	case "ruby File.read", "ruby IO.read", "ruby File.readlines", "ruby File.binread", "ruby IO.readlines", "php file_get_contents", "php readfile", "php file", "lua io.lines":
		return "read"
	}
	return ""
}

type finder struct {
	lang   string
	tokens []token
	deeds  Deeds
}

// found lists what is found in a program.
func found(lang, text string) []Deed {
	f := finder{lang: lang}
	f.scan(text)
	for i := 0; i < len(f.tokens); i++ {
		t := f.tokens[i]
		if t.kind != tokName || tokenAt(f.tokens, i-1).isOne(".", "->") {
			continue
		}
		name := t.text
		for tokenAt(f.tokens, i+1).is(".") && tokenAt(f.tokens, i+2).kind == tokName {
			name += "." + f.tokens[i+2].text
			i += 2
		}
		if lang == "php" {
			name = strings.ToLower(name)
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
func (f *finder) scan(text string) {
	comment := map[string]string{"ruby": "#", "perl": "#", "php": "#", "lua": "--"}[f.lang]
	for i := 0; i < len(text) && len(f.tokens) < 20_000; {
		c, rest := text[i], text[i:]
		switch {
		case strings.HasPrefix(rest, comment) && !(i > 0 && text[i-1] == '$'), f.lang == "php" && strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			i += len(line)
		case f.lang == "php" && strings.HasPrefix(rest, "/*"):
			if end := strings.Index(rest, "*/"); end > 0 {
				i += end + 2
			} else {
				i = len(text)
			}
		case c == '\'' || c == '"' || c == '`' && f.lang != "lua":
			body, n := delimitedText(rest, c)
			if c == '`' {
				f.tokens = append(f.tokens, token{kind: tokName, text: "`"}, token{kind: tokOp, text: "("})
			}
			f.str(body, c != '\'')
			i += n
		case f.lang == "perl" && (strings.HasPrefix(rest, "qx") || strings.HasPrefix(rest, "qq") || strings.HasPrefix(rest, "q")) && !(i > 0 && isWordByte(text[i-1])):
			n := 1
			if len(rest) > 1 && (rest[1] == 'x' || rest[1] == 'q') {
				n = 2
			}
			if n < len(rest) && strings.IndexByte("({[<|/!", rest[n]) >= 0 {
				closing := rest[n]
				if k := strings.IndexByte("({[<", closing); k >= 0 {
					closing = ")}]>"[k]
				}
				body, _, ok := strings.Cut(rest[n+1:], string(closing))
				if rest[:n] == "qx" {
					f.tokens = append(f.tokens, token{kind: tokName, text: "`"}, token{kind: tokOp, text: "("})
				}
				f.str(body, n == 2)
				if i += n + 1 + len(body); ok {
					i++
				}
				break
			}
			f.name(rest, &i)
		case f.lang == "ruby" && strings.HasPrefix(rest, "%x") && len(rest) > 2 && strings.IndexByte("({[<|!", rest[2]) >= 0:
			closing := rest[2]
			if k := strings.IndexByte("({[<", closing); k >= 0 {
				closing = ")}]>"[k]
			}
			body, _, _ := strings.Cut(rest[3:], string(closing))
			f.tokens = append(f.tokens, token{kind: tokName, text: "`"}, token{kind: tokOp, text: "("})
			f.str(body, true)
			i += 3 + len(body) + 1
		case isLetter(c):
			f.name(rest, &i)
		case isBlank(c) || c == '\r':
			i++
		case strings.HasPrefix(rest, "::"):
			f.tokens = append(f.tokens, token{kind: tokOp, text: "."})
			i += 2
		case strings.HasPrefix(rest, "->"), strings.HasPrefix(rest, ".."):
			f.tokens = append(f.tokens, token{kind: tokOp, text: rest[:2]})
			i += 2
		default:
			f.tokens = append(f.tokens, token{kind: tokOp, text: rest[:1]})
			i++
		}
	}
}

func (f *finder) name(rest string, i *int) {
	n := wordLength(rest)
	f.tokens = append(f.tokens, token{kind: tokName, text: rest[:n]})
	*i += n
}

// delimitedText is the text between quotes, and its length with them.
func delimitedText(rest string, quote byte) (body string, n int) {
	for k := 1; k < len(rest); k++ {
		switch rest[k] {
		case '\\':
			k++
		case quote:
			return rest[1:k], k + 1
		}
	}
	return rest[1:], len(rest)
}

// homeMark stands for the home directory where it is put into a text.
const homeMark = "\x00"

// str adds a string. It is plain if it means just what is written, but for the
// home directory that may be put into it.
func (f *finder) str(body string, interpolates bool) {
	t := token{kind: tokString, text: body, plain: true}
	if interpolates {
		for _, form := range [...]string{`$ENV{HOME}`, `$ENV{'HOME'}`, `#{Dir.home}`, `#{ENV['HOME']}`, `#{ENV["HOME"]}`, `{$_SERVER['HOME']}`} {
			t.text = strings.ReplaceAll(t.text, form, homeMark)
		}
		t.plain = f.lang == "lua" || !strings.Contains(t.text, "#{") && !(f.lang != "ruby" && strings.ContainsAny(t.text, "$@"))
	}
	t.plain = t.plain && !strings.Contains(t.text, `\`)
	f.tokens = append(f.tokens, t)
}

// call is a call whose arguments begin at i.
func (f *finder) call(spec string, i int) {
	if spec == "run" {
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
			if i = next + 1; !tokenAt(f.tokens, next).is(",") {
				break
			}
			if tokenAt(f.tokens, i).kind == tokName && tokenAt(f.tokens, i+1).is(":") || tokenAt(f.tokens, i).is("$") {
				break // options, or a variable for the output
			}
		}
		if len(words) == 1 || f.lang == "php" || f.lang == "lua" {
			f.deeds.add(tool.Execute, words[0].Text)
		} else {
			f.deeds.List = append(f.deeds.List, Deed{Kind: tool.Execute, Words: words})
		}
		return
	}
	for what := range strings.SplitSeq(spec, "/") {
		v, next, ok := f.value(i)
		if !ok {
			return
		}
		tree := what == "delete-tree"
		if tree {
			what = "delete"
		}
		f.deeds.List = append(f.deeds.List, Deed{Kind: tool.ParseKind(what), Target: v.text, Home: v.home, Tree: tree})
		i = next + 1
	}
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

func (f *finder) term(i, depth int) (v constant, next int, ok bool) {
	at := func(k int) token { return tokenAt(f.tokens, i+k) }
	if depth > 5 {
		return v, i, false
	}
	switch t := at(0); {
	case t.kind == tokString:
		if rest, ok := strings.CutPrefix(t.text, homeMark); ok {
			return constant{text: strings.TrimLeft(rest, "/"), home: true}, i + 1, t.plain
		}
		return constant{text: t.text}, i + 1, t.plain
	case t.isName("Dir") && at(1).is(".") && at(2).isName("home"):
		next = i + 3
		if at(3).is("(") && at(4).is(")") {
			next += 2
		}
		return constant{home: true}, next, true
	case t.isName("ENV") && at(1).isOne("[", "{") && (at(2).text == "HOME") && at(3).isOne("]", "}"):
		return constant{home: true}, i + 4, true
	case t.is("$") && at(1).isName("ENV") && at(2).is("{") && at(3).text == "HOME" && at(4).is("}"):
		return constant{home: true}, i + 5, true
	case t.isName("getenv") && at(1).is("(") && at(2).text == "HOME" && at(3).is(")"):
		return constant{home: true}, i + 4, true
	case t.isName("os") && at(1).is(".") && at(2).isName("getenv") && at(3).is("(") && at(4).text == "HOME" && at(5).is(")"):
		return constant{home: true}, i + 6, true
	case t.isName("File") && at(1).is(".") && (at(2).isName("expand_path") || at(2).isName("join")) && at(3).is("("):
		join := at(2).isName("join")
		for i += 4; ; i++ {
			right, next, ok := f.term(i, depth+1)
			if !ok {
				return v, i, false
			}
			if !join {
				right = expandUser(right)
			}
			v = joinPath(v, right)
			if i = next; !tokenAt(f.tokens, i).is(",") {
				return v, i + 1, tokenAt(f.tokens, i).is(")")
			}
		}
	}
	return v, i, false
}
