package language

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// A text that is handed to a function longline does not know may be more than data: a command, code, or a template with code in it, which
// the function runs. Plain words, names of files, statements of SQL and prose are data. What looks like a command is judged as
// one, and what looks like code that reaches out is code that longline cannot read.

const (
	// lookers are modules that only look at the texts that they are given: they take code apart, format, color or count it.
	lookers = `acorn acorn-walk ansi-colors asttokens astor autopep8 bashlex black chalk colorama cosmiconfig csso esbuild eslint espree esprima escodegen flake8 es-module-lexer highlight.js htmlparser2 isort jedi kleur libcst
linguist magic-string markdown markdown-it marked mdast mccabe meriyah mistune mypy nltk parso picocolors postcss prettier prismjs pycodestyle pyflakes pygments pylint radon recast remark rich ruff shell-quote shellwords
shiki sqlglot sqlparse sucrase svelte termcolor terser tiktoken tokenizers tree_sitter tree-sitter ts-morph typescript uglify-js web-tree-sitter yapf`
	// lookerScopes are the same of whole groups of modules.
	lookerScopes = `@babel @swc @typescript-eslint @vue @eslint @types @acorn`
	// showers are functions that only show what they are given.
	showers = `echo secho style print pprint rule info debug warning warn error exception critical log success title suptitle xlabel ylabel set_title set_xlabel set_ylabel legend text annotate`
	// telling are last words of names of functions that run commands.
	telling = `shell sh bash zsh cmd command popen spawn`
)

// onlyLook says whether all modules of a program that are not the language's own only look at texts.
func onlyLook(modules map[string]bool) bool {
	for m := range modules {
		scope, _, _ := strings.Cut(m, "/")
		if !HasWord(lookers, m) && !HasWord(lookers, scope) && !HasWord(lookerScopes, scope) && !pyKnown(m) {
			return false
		}
	}
	return true
}

// tells takes in a text that a function is given which may run it.
func (h *hands) tells(c callee, v constant) {
	switch {
	case c.does == nothing && !c.runs || v.home || v.path || v.pattern || HasWord(showers, strings.ToLower(c.name)) || onlyLook(h.modules):
	case isCode(v.text, h.seesSettings()), c.name == "read_pickle" && strings.Contains(v.text, "://"):
		h.deeds.List = append(h.deeds.List, Deed{Kind: tool.Execute, Open: true, Perhaps: true})
	case mayBeCommand(v.text):
		h.deeds.List = append(h.deeds.List, Deed{Kind: tool.Execute, Target: v.text, Open: v.open, Perhaps: true, Told: h.told(c.name)})
	}
}

// settingsTemplates are modules whose templates see the settings.
const settingsTemplates = `flask quart`

// seesSettings says whether templates see the settings of the program.
func (h *hands) seesSettings() bool { return h.usesAny(settingsTemplates) }

// formed takes in a string with expressions: each part may be code or the beginning of a command.
func (h *hands) formed(c callee, whole *joined) {
	for i, p := range whole.pieces {
		if v := (constant{text: p.text, open: true}); i == 0 || isCode(p.text, h.seesSettings()) {
			h.tells(c, v)
		}
	}
}

// told says whether the name of a function, or of a module, says that it runs commands.
func (h *hands) told(function string) bool {
	words := nameWords(function)
	if len(words) > 0 && HasWord(telling, words[len(words)-1]) || HasWord("system exec execsync run_process open_process runprocess openprocess", strings.ToLower(function)) {
		return true
	}
	for m := range h.modules {
		if words := nameWords(m[strings.LastIndexByte(m, '/')+1:]); len(words) > 1 && slices.ContainsFunc(words, func(w string) bool { return HasWord(telling, w) || w == "exec" }) {
			return true
		}
	}
	return false
}

// maxWords bounds the words of a list that are taken for a command.
const maxWords = 16

// takesWord keeps a text as one of a list, which may be a command.
func (h *hands) takesWord(v constant) {
	if n := len(h.stack); n > 0 && len(h.stack[n-1].words) < maxWords {
		h.stack[n-1].words = append(h.stack[n-1].words, Arg{Text: v.text, Known: !v.open && !v.home && !v.pattern, Home: v.home && !v.open && !v.pattern})
	}
}

// takesAny keeps a value that is not known as a word behind others.
func (h *hands) takesAny() {
	if n := len(h.stack); n > 0 {
		if words := h.stack[n-1].words; len(words) > 0 && len(words) < maxWords && words[len(words)-1] != (Arg{}) {
			h.stack[n-1].words = append(words, Arg{})
		}
	}
}

// listed takes in the texts of a bracket that is closed: together they may be a command.
func (h *hands) listed(c callee) {
	if len(c.words) == 0 || c.does == nothing {
		return
	}
	if first := c.words[0]; len(c.words) > 1 && first.Known && isPlainWord(first.Text) && !onlyLook(h.modules) {
		h.deeds.List = append(h.deeds.List, Deed{Kind: tool.Execute, Words: c.words, Perhaps: true})
	}
	if ordersLoss(c.name, c.words) {
		h.deeds.List = append(h.deeds.List, Deed{Kind: tool.Execute, Open: true, Perhaps: true})
	}
	if n := len(h.stack); c.lists && n > 0 {
		h.stack[n-1].words = append(h.stack[n-1].words, c.words[:min(len(c.words), maxWords-min(len(h.stack[n-1].words), maxWords))]...)
	}
}

// HasSign says whether one of the words behind the first is an option or a path.
func HasSign(words []Arg) bool { return slices.ContainsFunc(words[1:], isSign) }

// isSign says whether a word is an option or a path.
func isSign(a Arg) bool {
	return a.Home || len(a.Text) > 1 && a.Text[0] == '-' || strings.ContainsAny(a.Text, "./~")
}

// isPlainWord says whether a text is a word that may be the name of a program.
func isPlainWord(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isWordByte(c) && strings.IndexByte("./+-", c) < 0 {
			return false
		}
	}
	return text != "" && !isUpper(text[0]) && !isDigit(text[0])
}

// statements are words that begin statements of SQL and the like, not commands.
const statements = `select insert update delete create drop alter with explain pragma show begin commit rollback match merge truncate vacuum use describe set call grant revoke copy attach`

// mayBeCommand says whether a text has the form of a command: several words, or signs of the shell.
func mayBeCommand(text string) bool {
	text = strings.TrimSpace(text)
	if strings.ContainsRune(text, 0) || len(text) > 4000 {
		return false
	}
	first, rest := text, ""
	if at := strings.IndexAny(text, " \t"); at >= 0 {
		first, rest = text[:at], text[at+1:]
	}
	switch {
	case strings.Contains(text, "$(") || strings.Contains(text, "IFS") || strings.ContainsAny(text, ";|`&\n"):
		return !strings.HasPrefix(text, "<")
	case rest == "" || HasWord(statements, strings.ToLower(first)) && !strings.Contains(text, " -"):
		return false
	}
	return isPlainWord(first) || strings.Contains(first, "=") || strings.ContainsAny(first, `(!{\$>'"`)
}

// Signs of code.
const (
	// callSigns are functions through which code reaches out, in front of a bracket.
	callSigns = `eval exec execfile open compile getattr setattr globals __import__ import require system popen rmtree execSync spawnSync spawn unlink unlinkSync rmSync Function constructor`
	// codeCalls are those of them that no sentence has in front of a bracket.
	codeCalls = `eval exec execfile getattr setattr globals __import__ rmtree popen execSync spawnSync unlinkSync rmSync`
	// reachModules are modules that reach out, in front of a dot.
	reachModules = `subprocess shutil builtins __builtin__ __builtins__ posix pty importlib runpy ctypes commands child_process`
	// osNames are what code uses of the machine, behind "os." or "process.".
	osNames = `system popen environ environb getenv putenv remove unlink rmdir removedirs rename renames replace fork kill execv execl execvp execve spawnl spawnv posix_spawn listdir scandir walk open fdopen mkdir makedirs chmod chown
symlink link truncate env exit mainModule binding dlopen chdir getBuiltinModule`
	// lookedUp are modules of which a name alone, that is looked up, reaches out.
	lookedUp = `os posix nt sys io codecs pickle cPickle _pickle marshal code codeop multiprocessing webbrowser`
	// tagWords reach out in a template.
	tagWords = `os sys subprocess shutil builtins import include extends environ popen system process require global globalThis constructor eval exec open attr mainModule module prototype getattr`
	// fileEnds are endings of names of files.
	fileEnds = `py pyi pyc js mjs cjs ts tsx jsx json md txt yml yaml toml cfg ini csv html log sh so db lock go rs c h java rb php xml sql com org net io dev exe dll`
)

// isCode says whether a text holds code that reaches out, or names something that does. settings says that templates see those of the program.
func isCode(text string, settings bool) bool {
	if len(text) < 3 {
		return false
	}
	if strings.Contains(text, "!!python") || strings.Contains(text, `"py/`) || strings.Contains(text, ".. include::") || strings.Contains(text, "::") && strings.Contains(text, ":file:") || strings.Contains(text, "${oc.env:") {
		return true
	}
	return hasTags(text, settings) || namesReach(text) || hasCodeWords(text)
}

// namesReach says whether a text is the name of something that reaches out: os.system, subprocess:run.
func namesReach(text string) bool {
	head, rest, ok := strings.Cut(text, ".")
	if !ok {
		head, rest, ok = strings.Cut(text, ":")
	}
	last := rest[strings.LastIndexAny(rest, ".:")+1:]
	return ok && (HasWord(lookedUp, head) || HasWord(reachModules, head)) && isName(last) && !HasWord(fileEnds, last)
}

// isName says whether a text is one name.
func isName(text string) bool {
	for i := range len(text) {
		if !isWordByte(text[i]) {
			return false
		}
	}
	return text != "" && !isDigit(text[0])
}

// hasCodeWords says whether there are words in a text that reach out, as code uses them.
func hasCodeWords(text string) bool {
	for at := 0; at < len(text); at++ {
		if !isWordByte(text[at]) {
			continue
		}
		end := at
		for end < len(text) && isWordByte(text[end]) {
			end++
		}
		if codeWord(text, at, end) {
			return true
		}
		at = end
	}
	return false
}

// codeWord says whether the word of a text from one index up to another reaches out.
func codeWord(text string, at, end int) bool {
	word, before, after := text[at:end], byte(' '), byte(' ')
	if at > 0 {
		before = text[at-1]
	}
	if end < len(text) {
		after = text[end]
	}
	next := wordAt(text, end+1)
	if calledApart(word, text[end:]) {
		after = '('
	}
	switch {
	case word == "from", word == "import" && after != '(':
		return beginsStatement(text[:at]) && importsReach(text[end:], word == "from")
	case word == "constructor" || word == "prototype":
		return before == '.' || before == '[' || after == ']' || after == '('
	case isInner(word) && (after == '(' || after == '[' || before == '.' || before == '@'):
		return true
	case after == '(':
		return HasWord(callSigns, word) || before == '@' && isQueryName(text, at)
	}
	return after == '.' && before != '/' && next != "" && (memberReaches(word, next) || before == '@' && isQueryName(text, at))
}

// calledApart says whether blanks and a bracket follow a word that is called.
func calledApart(word, rest string) bool {
	apart := strings.TrimLeft(rest, " \t")
	return len(apart) > 1 && apart[0] == '(' && (HasWord(codeCalls, word) || apart[1] == '\'' || apart[1] == '"')
}

// isInner says whether a name is one of those that Python gives to what objects are made of.
func isInner(word string) bool {
	return len(word) > 4 && strings.HasPrefix(word, "__") && strings.HasSuffix(word, "__")
}

// memberReaches says whether a member of something reaches out. A file may be called so.
func memberReaches(of, name string) bool {
	if of == "os" || of == "process" {
		return HasWord(osNames, name)
	}
	return (isInner(of) || HasWord(reachModules, of)) && !HasWord(fileEnds, name)
}

// beginsStatement says whether a statement may begin behind a text.
func beginsStatement(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || strings.IndexByte(";\n:", before[len(before)-1]) >= 0
}

// isQueryName says whether an @ in front of the word at i begins a name, as in a query of a table, and not the second part of an address.
func isQueryName(text string, i int) bool {
	return i < 2 || !isWordByte(text[i-2]) && strings.IndexByte(".-+/:", text[i-2]) < 0
}

// maxImported bounds the names behind such a word that are looked at.
const maxImported = 512

// importsReach says whether what follows the word import, or from, names a module that reaches out.
func importsReach(text string, from bool) bool {
	text = text[:min(len(text), maxImported)]
	if from {
		module, what, found := strings.Cut(text, " import")
		return found && strings.IndexByte(" (*", (what + " ")[0]) >= 0 && len(strings.Fields(module)) == 1 && importsReach(module, false)
	}
	line, _, _ := strings.Cut(text, "\n")
	line, _, _ = strings.Cut(line, ";")
	for _, f := range strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" ,'\"", c) }) {
		head, _, _ := strings.Cut(strings.TrimPrefix(f, "node:"), ".")
		if HasWord(reachModules, head) || HasWord(lookedUp, head) || head == "fs" || head == "pathlib" {
			return true
		}
	}
	return false
}

// wordAt is the word that begins at an index of a text.
func wordAt(text string, at int) string {
	at = min(at, len(text))
	end := at
	for end < len(text) && isWordByte(text[end]) {
		end++
	}
	return text[at:end]
}

// tags are the marks between which templates have code.
var tags = [...][2]string{{"{{", "}}"}, {"{%", "%}"}, {"<%", "%>"}, {"${", "}"}}

// hasTags says whether a text is a template with code in it that may reach out.
func hasTags(text string, settings bool) bool {
	for _, tag := range tags {
		for rest := text; ; {
			_, body, found := strings.Cut(rest, tag[0])
			if !found {
				break
			}
			body, rest, _ = strings.Cut(body, tag[1])
			if tagReaches(body, settings) {
				return true
			}
		}
	}
	return false
}

// tagReaches says whether what stands between such marks may reach out.
func tagReaches(body string, settings bool) bool {
	if strings.Contains(body, "__") || strings.Contains(body, `\`) || strings.Contains(body, `'+'`) || strings.Contains(body, `"+"`) { // a name that is put together
		return true
	}
	for at := 0; at < len(body); at++ {
		word := wordAt(body, at)
		if HasWord(tagWords, word) || settings && HasWord("config request session g", word) {
			return true
		}
		at += len(word)
	}
	return false
}
