package language

import (
	"strings"

	"longline/internal/tool"
)

// Deeds is what a program does besides computing and printing.
type Deeds struct {
	List    []Deed
	Problem string // why the program could not be followed; "" if it could
	// Needs lists modules that it loads by name: those of the language, unless
	// files of the same name are found first.
	Needs []string
	// Loads says that some of them are not the language's own: code that is
	// installed, or the project's.
	Loads bool
	// Calls lists those of which more is used than facts: they must be the
	// project's, or what they do is not known.
	Calls []string
	// Sets lists variables of the environment that it sets, with their values.
	Sets [][2]string
	// Paths lists directories in which it looks for modules before others.
	Paths []Arg
	// Stops says that it can end before its input does.
	Stops bool
	// Numbers says that it prints numbers and nothing else, if it prints only what it is
	// told to; First that it prints the first field of each line, Names what stands before an equals sign in it.
	Numbers, First, Names bool
	// Inserts says that it adds lines, or other text, that are written in it.
	Inserts bool
}

// Deed is one of them: a read or write of a path, a fetch from an address, a
// control name, or the execution of shell text.
type Deed struct {
	Kind   tool.Kind
	Target string
	Words  []Arg // of an execution without a shell: the program and its arguments
	Home   bool  // the target is relative to the home directory
	Tree   bool  // the target and all that is below it
	Open   bool  // the target is computed at run time
	Inside bool  // of a database: only what the one that is open holds changes
	Beside bool  // the target is relative to the program's own file, if it is in one
	Moved  bool  // a deletion takes something away to put it where a write of the program says
	// Dir is where a command is executed, if it is not where the program runs;
	// DirHome says that it is relative to the home directory.
	Dir     string
	DirHome bool
	Apart   bool // the program need not wait for what it executes
}

func (d *Deeds) add(kind tool.Kind, target string) {
	d.List = append(d.List, Deed{Kind: kind, Target: target})
}

// constant is a text that is known where a program is read.
type constant struct {
	text   string
	home   bool // it is a path below the home directory
	beside bool // it is a path below the directory of the program's own file
	path   bool // an object that stands for a path
	open   bool // only the beginning is known
}

// put adds a deed whose target is a value.
func (d *Deeds) put(kind tool.Kind, v constant) {
	d.List = append(d.List, Deed{Kind: kind, Target: v.text, Home: v.home, Beside: v.beside})
}

func (d *Deeds) addOpen(kind tool.Kind) { d.List = append(d.List, Deed{Kind: kind, Open: true}) }

// deedKind is the kind of deed that a word of a table stands for, and its manner: "tree", "move", or "".
func deedKind(what string) (kind tool.Kind, manner string) {
	switch what {
	case "move":
		return tool.Delete, "move"
	case "into":
		return tool.Write, ""
	}
	what, manner, _ = strings.Cut(what, "-")
	return tool.ParseKind(what), manner
}

// inManner gives the last deed a manner.
func (d *Deeds) inManner(manner string) {
	last := &d.List[len(d.List)-1]
	last.Tree, last.Moved = last.Tree || manner != "", manner == "move"
}

// enter adds writes of what is put into places that may be directories: under the last name of where it comes from.
func (d *Deeds) enter(places, sources []*constant) {
	for _, dir := range places {
		for _, from := range sources {
			if dir == nil || dir.open || from == nil || from.open {
				continue
			}
			name := strings.TrimRight(from.text, "/")
			inside := *dir
			inside.text = strings.TrimRight(dir.text, "/") + "/" + name[strings.LastIndexByte(name, '/')+1:]
			d.put(tool.Write, inside)
		}
	}
}

// fail notes the first thing that could not be followed.
func (d *Deeds) fail(problem string) {
	if d.Problem == "" {
		d.Problem = problem
	}
}

// budget bounds the work of a reader. What looks back or ahead at a distance
// spends it; when it is gone the program counts as too long.
type budget struct{ spent int }

const maxSteps = 2_000_000

// spend says whether there is something left.
func (b *budget) spend(steps int) bool {
	b.spent += steps
	return b.spent < maxSteps
}

// Arg is an argument that a program sees, or a word of a command that it runs.
type Arg struct {
	Text  string
	Known bool
	Home  bool // Text is relative to the home directory
}

// Read reads a program in one of the languages that longline follows construct
// by construct. known is false for all other languages.
func Read(lang, text string, args []Arg) (d Deeds, known bool) {
	if lang == "sql-duckdb" {
		return Deeds{Problem: "DuckDB reads and writes any file"}, true
	}
	if dialect, ok := strings.CutPrefix(lang, "sql"); ok {
		return sqlDeeds(strings.TrimPrefix(dialect, "-"), text), true
	}
	switch lang {
	case "python":
		return pythonDeeds(text, args), true
	case "node":
		return nodeDeeds(text), true
	case "jq", "yq":
		return jqDeeds(text), true
	}
	return readForm(lang, text, "")
}

// ReadForm reads a program of which all is known but some numbers, for each of which
// one of the marks stands. It is false where a mark stands for more than a number in
// the program, or the program cannot be followed.
func ReadForm(lang, form, marks string) (Deeds, bool) {
	d, known := readForm(lang, form, marks)
	return d, known && d.Problem == ""
}

// readForm reads a program in one of the languages in which numbers need not be known.
func readForm(lang, form, marks string) (d Deeds, known bool) {
	switch lang {
	case "sed":
		return sedDeeds(form, marks), true
	case "awk":
		return awkDeeds(form, marks), true
	}
	return d, false
}

func isMark(marks string, c byte) bool { return strings.IndexByte(marks, c) >= 0 }

// marked is how many marks a text holds.
func marked(text, marks string) int {
	n := 0
	for i := range len(text) {
		if isMark(marks, text[i]) {
			n++
		}
	}
	return n
}
