package command

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// TextPrefix begins the language of files that are no programs, but whose text can name further files: sources that include
// others, manual pages, scripts for a linker. Whoever writes such a text in a script can have any file printed by it.
const TextPrefix = "text-"

// ModulesOf is the language of a directory in which modules are looked for before all others: the
// arguments are the names of those that a program loads. See [language.PythonReaches].
const ModulesOf = TextPrefix + "modules"

// Loaded is the language of files that a program takes code or settings from by their names.
const Loaded = TextPrefix + "loaded"

// loads notes the files that the program looks for where it works and in the directories of the project above, whatever it is told to do.
func loads(r *reader) {
	for _, level := range r.levels {
		for _, name := range level.Loads {
			dir := worksIn(r)
			loadsFrom(r, name, dir)
			at := r.path(tool.Read, dir)
			for n := 0; n < maxAbove && isCertain(at) && at.Target != r.world.Project && paths.Within(at.Target, r.world.Project); n++ {
				at.Target = paths.Parent(at.Target)
				loadsFrom(r, name, Known(at.Target, dir.Span))
			}
		}
	}
}

// worksIn is the directory that the program works on.
func worksIn(r *reader) Word {
	if dir := r.scope.project; dir != nil {
		return *dir
	}
	return r.dir
}

// projectDir is the directory that the program works on, while its words are seen from where it runs.
func projectDir(r *reader, w Word) {
	r.named(w)
	e := r.path(tool.Read, w)
	r.scope.project = &Word{Text: e.Target, Reach: e.Reach, Span: w.Span}
	loads(r)
}

// runsProjectOf notes that what the directory says is done which the program works on.
func runsProjectOf(r *reader) {
	if dir := r.scope.project; dir != nil {
		r.config(*dir, false)
	}
}

// loadsFrom is a directory in which the program looks for files of some names. The project's own are what they are; one that this
// very script writes is not what is on the disk.
func loadsFrom(r *reader, names string, dir Word) {
	e := r.path(tool.Read, dir)
	if e.Reach != tool.Exact || e.Pattern {
		return
	}
	for name := range strings.SplitSeq(names, "|") {
		at := Word{Text: clean(e.Target + "/" + name), Reach: tool.Exact, Span: r.inv.Span}
		r.inv.Runs = append(r.inv.Runs, Nested{File: &at, Known: true, Shell: Loaded})
	}
}

// textOf is a file whose text names others that become part of what is made of it. The project's own are
// what they are; one that this very script writes is code.
func textOf(r *reader, kind string, w Word) {
	if isStream(w.Text) && w.IsKnown() {
		stdinText(r, kind)
		return
	}
	r.noteListed(r.path(tool.Read, w), w)
	file := w
	r.inv.Runs = append(r.inv.Runs, Nested{File: &file, Known: true, Shell: TextPrefix + kind})
}

// stdinText is such a text on standard input.
func stdinText(r *reader, kind string) {
	switch in := r.inv.Stdin; {
	case in.None:
	case in.Path != nil && in.Taint&FromNet == 0:
		textOf(r, kind, *in.Path)
	default:
		r.gap("the text on standard input may name further files", r.inv.Span)
	}
}

// stdinKind is the kind of such a text that a model says standard input is.
func stdinKind(stdin string) (string, bool) { return strings.CutPrefix(stdin, "code:"+TextPrefix) }
