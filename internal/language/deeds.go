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
	// Stops says that it can end before its input does.
	Stops bool
	// Inserts says that it adds lines that are written in it.
	Inserts bool
}

// Deed is one of them: a read or write of a path, a fetch from an address, a
// control name, or the execution of shell text.
type Deed struct {
	Kind   tool.Kind
	Target string
	Open   bool // the target is computed at run time
	Beside bool // the target is relative to the program's own file, if it is in one
}

func (d *Deeds) add(kind tool.Kind, target string) {
	d.List = append(d.List, Deed{Kind: kind, Target: target})
}

func (d *Deeds) addOpen(kind tool.Kind) { d.List = append(d.List, Deed{Kind: kind, Open: true}) }

// fail notes the first thing that could not be followed.
func (d *Deeds) fail(problem string) {
	if d.Problem == "" {
		d.Problem = problem
	}
}

// Arg is an argument that a program sees.
type Arg struct {
	Text  string
	Known bool
}

// Read reads a program in one of the languages that longline follows construct
// by construct. known is false for all other languages.
func Read(lang, text string, args []Arg) (d Deeds, known bool) {
	if dialect, ok := strings.CutPrefix(lang, "sql"); ok {
		return sqlDeeds(strings.TrimPrefix(dialect, "-"), text), true
	}
	switch lang {
	case "sed":
		return sedDeeds(text), true
	case "awk":
		return awkDeeds(text), true
	case "jq", "yq":
		return jqDeeds(text), true
	case "mongo":
		return mongoDeeds(text), true
	case "applescript":
		return applescriptDeeds(text), true
	case "perl":
		return perlDeeds(text), true
	case "ruby":
		return rubyDeeds(text), true
	case "php":
		return phpDeeds(text), true
	case "lua":
		return luaDeeds(text), true
	case "python":
		return pythonDeeds(text, args), true
	case "node":
		return nodeDeeds(text), true
	}
	return Deeds{}, false
}
