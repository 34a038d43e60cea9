package language

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// Texts that a program hands to functions longline does not know, of modules that are not
// the language's own. Such a text may be the name of a file that the function reads or
// writes; what the function is called says which.

// handing is what a function that longline does not know may do to what it is given.
type handing uint8

const (
	nothing handing = iota // it is known, or no function at all
	reads                  // its name says that it reads
	writes                 // it may read and write
)

// Names of functions that only read or look, by how they begin or as a whole: they read
// files, search, show or compare, or ask a server for something that is its own.
const (
	readingStarts = `read load parse imread from scan find list search lookup`
	readingNames  = `exists isfile isdir is_file is_dir ls glob filter select echo print info debug warning warn error log startswith endswith includes safeparse
get head post put patch delete options request`
)

// handingOf is what a function of a name may do; several says that it is given more than
// one argument, which of one that opens files may be how.
func handingOf(name string, several bool) handing {
	name = strings.ToLower(strings.TrimLeft(name, "_"))
	if HasWord(readingNames, name) || strings.HasPrefix(name, "open") && !several {
		return reads
	}
	for start := range strings.FieldsSeq(readingStarts) {
		if strings.HasPrefix(name, start) {
			return reads
		}
	}
	return writes
}

// handed adds what a function may do to a text that it is given.
func (d *Deeds) handed(h handing, v constant) {
	v, ok := namesFile(v)
	if !ok || h == nothing {
		return
	}
	deed := Deed{Kind: tool.Read, Target: v.text, Home: v.home, Beside: v.beside, Glob: v.pattern, Open: v.open, Perhaps: true}
	d.List = append(d.List, deed)
	if h == writes {
		deed.Kind = tool.Write
		d.List = append(d.List, deed)
	}
}

// namesFile is the path that a text may be, which can stand in an address.
func namesFile(v constant) (constant, bool) {
	if scheme, rest, ok := strings.Cut(v.text, "://"); ok && !v.home {
		kind, _, _ := strings.Cut(scheme, "+")
		switch kind {
		case "sqlite", "duckdb":
			v.text, _, _ = strings.Cut(strings.TrimPrefix(rest, "/"), "?")
		case "file":
			v.text = rest
		default:
			return v, false
		}
	}
	v = expandUser(v)
	if len(v.text) > 4000 || strings.ContainsAny(v.text, "\n\x00") {
		return v, false
	}
	// A separator, or a place that is only named to say where something else is.
	return v, strings.Trim(v.text, "/.~") != ""
}

// origin says where a value comes from.
type origin uint8

const (
	unsure  origin = iota // it is not known
	own                   // it is something that longline knows
	foreign               // a module that is not the language's own
)

// callee is what stands in front of a bracket that is open.
type callee struct {
	does   handing // to what stands in the bracket
	name   string  // of the function
	from   origin
	group  bool  // it is none, and what is in the bracket is one value
	loose  bool  // it is none, and statements stand there
	stores bool  // what stands in the bracket is kept, or handed to the program's own functions
	runs   bool  // a known text is code at most, not the name of a file
	lists  bool  // it is none, and what is in the bracket belongs to what is around it
	words  []Arg // texts that stand in the bracket
}

// hands goes through a program, in which modules are used that are not the language's own.
type hands struct {
	tokens []token
	reader interface {
		indexes(i int) bool                             // the bracket at i stands behind a value
		displays(h *hands, i int, c *callee)            // it stands for itself
		callsOut(h *hands, i int, c *callee)            // it calls what stands in front of it
		origin(h *hands, i int) origin                  // of the name at i
		handedTexts(i int) (list []*constant, next int) // that the expression at i can have, and the index after it
		varies(i int) bool                              // a variable stands at i
	}
	python  bool
	modules map[string]bool // those that are used
	deeds   *Deeds
	from    []origin // for each token where the expression comes from that ends there
	stack   []callee
	// kept are texts that a program keeps in lists and the like. Where a function is given
	// something that is not known, it may be any of them.
	kept    []constant
	unknown handing // what functions may do that are given such a thing
}

// find finds what is handed to functions. spend bounds the work.
func (h *hands) find(spend func(int) bool) {
	h.from = make([]origin, len(h.tokens))
	for i := 0; i < len(h.tokens) && spend(1); i++ {
		if next := h.text(i); next > i {
			i = next - 1
			h.from[i] = own
			continue
		}
		switch t := &h.tokens[i]; {
		case t.kind == tokName:
			h.from[i] = h.reader.origin(h, i)
		case t.kind == tokString:
			h.from[i] = own
			if t.joined != nil && len(t.joined.pieces) > 0 { // what it begins with
				begun := constant{text: t.joined.pieces[0].text, open: true}
				h.deeds.handed(h.around().does, begun)
				h.formed(h.around(), t.joined)
			}
		case t.opens():
			h.stack = append(h.stack, h.opens(i))
		case t.closes():
			h.closes(i)
		}
	}
	for _, v := range h.kept {
		h.deeds.handed(h.unknown, v)
		if h.unknown != nothing {
			h.tells(callee{does: h.unknown}, v)
		}
	}
}

// sign says whether the token at i is one of several operators.
func (h *hands) sign(i int, signs string) bool {
	t := tokenAt(h.tokens, i)
	return t.kind == tokOp && HasWord(signs, t.text)
}

// word says whether the token at i is one of several names.
func (h *hands) word(i int, words string) bool {
	t := tokenAt(h.tokens, i)
	return t.kind == tokName && HasWord(words, t.text)
}

// around is the innermost bracket that is open.
func (h *hands) around() callee {
	if len(h.stack) == 0 {
		return callee{loose: true}
	}
	return h.stack[len(h.stack)-1]
}

// opens is what the bracket at i opens. What stands for itself is handed on with all that
// is in it.
func (h *hands) opens(i int) callee {
	c := h.around()
	switch {
	case h.sign(i, "{") || !h.reader.indexes(i):
		c = callee{does: c.does, name: c.name, stores: c.stores || c.loose, runs: c.runs, group: h.sign(i, "("), lists: true}
		h.reader.displays(h, i, &c)
	case h.sign(i, "("):
		c = callee{name: h.tokens[i-1].text, from: h.from[i-1]}
		h.reader.callsOut(h, i, &c)
		if c.from == foreign {
			h.rows(i)
			h.destroys(c.name, i)
		}
	default:
		c = callee{from: h.from[i-1]}
	}
	return c
}

// closes takes in the bracket at i. What a known function returns may be anything that it
// was given.
func (h *hands) closes(i int) {
	c := h.around()
	if c.from == foreign || c.group && i > 0 && h.from[i-1] == foreign {
		h.from[i] = foreign
	}
	h.stack = h.stack[:max(len(h.stack)-1, 0)]
	h.listed(c)
}

// text takes in the text that an expression at i has, if it is handed to a function that
// longline does not know, or kept. It returns the index after it, or i.
func (h *hands) text(i int) int {
	c := h.around()
	if c.does == nothing && !c.stores && !c.runs {
		return i
	}
	list, next := h.reader.handedTexts(i)
	if next <= i && h.reader.varies(i) {
		h.unknown = max(h.unknown, c.does)
	}
	if h.sign(i-1, ",") && !slices.ContainsFunc(list, func(v *constant) bool { return v != nil }) {
		h.takesAny()
	}
	for _, v := range list {
		switch {
		case v == nil:
		case c.runs:
			h.tells(c, *v)
			h.asks(c, *v)
		case c.does == nothing:
			h.kept = append(h.kept, *v)
		default:
			h.gives(c, *v)
			if len(list) == 1 {
				h.takesWord(*v)
			}
		}
	}
	return next
}

// gives hands a text to a function. Some modules take the values of settings from a file.
func (h *hands) gives(c callee, v constant) {
	if !v.open && SecretName(v.text) && (h.modules["decouple"] || h.modules["environs"]) {
		h.deeds.add(tool.Read, settingsFile)
		return
	}
	h.deeds.handed(c.does, v)
	h.tells(c, v)
	h.asks(c, v)
}

// asks hands a statement to a function.
func (h *hands) asks(c callee, v constant) {
	if !h.modules["sqlite3"] { // what looks at its statements itself
		h.deeds.queried(c.name, v, h.modules["duckdb"])
	}
}

// libraryCalls are functions of modules that do something whatever they are given, or less
// than others: a line for each thing that they do.
const libraryCalls = `
settings: dotenv.dotenv_values environs.dump
settings-returned: dotenv.config @next/env.loadEnvConfig
settings-picked: vite.loadEnv
settings-loaded: dotenv.load_dotenv dotenv.find_dotenv
database.drop: chromadb.reset pymongo.drop pymongo.remove motor.drop motor.remove mongoengine.drop
clipboard.read: pyperclip.paste
code: click.edit click.launch typer.launch cloudpickle.loads cloudpickle.load dill.loads dill.load
`

// libraryCall is what a function of a name does, of one of the modules that are used; "" if
// nothing is known of it.
func (h *hands) libraryCall(function string) string {
	if HasWord(`flushall flushdb dropdatabase dropcollection dropall droptable droptables deletemany deleteone findoneanddelete deletebyquery`, strings.ToLower(strings.ReplaceAll(function, "_", ""))) {
		return "database.drop" // whatever the client
	}
	for line := range strings.Lines(libraryCalls) {
		deed, functions, _ := strings.Cut(line, ": ")
		for f := range strings.FieldsSeq(functions) {
			if module, name, _ := strings.Cut(f, "."); name == function && h.modules[module] {
				return deed
			}
		}
	}
	return ""
}

// settingsFile is where such modules find settings unless they are told.
const settingsFile = ".env"

// sqlTakers are functions that take a statement of SQL.
const sqlTakers = `execute executemany executescript exec_driver_sql execute_sql text sql query raw read_sql read_sql_query fetch fetchrow fetchval exec run prepare unsafe $executeRawUnsafe $queryRawUnsafe`

// queried adds what a statement loses that a function of a name is given, and which files
// it reads and writes if the database is in the program itself. Of one that is not wholly
// known the first word must say it.
func (d *Deeds) queried(function string, v constant, inside bool) {
	if !HasWord(sqlTakers, function) || v.home {
		return
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(v.text), " ")
	if v.open && !HasWord("drop truncate", strings.ToLower(word)) || !v.open && rest == "" {
		return
	}
	dialect := ""
	if inside {
		dialect = "duckdb"
	}
	for _, x := range sqlDeeds(dialect, v.text).List {
		lost := x.Kind == tool.Control && HasWord("database.drop database.admin", x.Target)
		if lost || inside && x.Kind.IsPath() {
			d.List = append(d.List, x)
		}
	}
}
