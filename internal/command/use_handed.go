package command

import (
	"strings"

	"longline/internal/language"
	"longline/internal/paths"
	"longline/internal/tool"
)

// handed is a text that a program hands to a function longline does not know, and that may
// be the name of a file. In the project the function may write as all its code may, but
// for what is guarded there: to make a file asks only where that is.
func handed(r *reader, lang string, x language.Deed, span tool.Span) {
	if x.Kind == tool.Execute {
		handedCommand(r, lang, x, span)
		return
	}
	w := Word{Text: x.Target, Reach: tool.Exact, Glob: x.Glob, Span: span}
	switch {
	case x.Home && r.world.Home == "":
		r.pathUse(x.Kind, Word{Span: span}, false)
		return
	case x.Home:
		w.Text = r.atHome(x.Target)
	}
	if x.Open {
		// How it goes on is not known: it is in the directory that it begins with.
		slash := strings.LastIndexByte(w.Text, '/')
		if slash <= 0 || x.Kind == tool.Read {
			return
		}
		w.Text, w.Reach = w.Text[:slash], tool.Under
	}
	e := r.path(x.Kind, w)
	inside := r.inProject(e)
	switch {
	case !inside && !r.hasPlace(e.Target):
	case x.Kind == tool.Read:
		if strings.ContainsAny(w.Text, "./") || r.isSecret(e) {
			r.pathUse(tool.Read, w, false)
		}
	case !inside:
		r.pathUse(tool.Write, w, false)
	case !x.Open && !x.Glob && strings.Contains(w.Text, "."):
		r.pathUse(tool.Create, w, false)
	}
}

// hasPlace says whether there can be something at a path: the directory that it begins
// with is there. Much that begins with a slash is no path.
func (s *surroundings) hasPlace(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	first = "/" + first
	return s.world.Exists == nil || paths.Within(s.world.Home, first) || paths.Within(s.world.Project, first) || s.exists(first)
}

// handedOn are words that a task runner hands to commands which are not read. Those may do with a path what they like:
// one that leads out of the project may be written, and where an option says that something goes into a directory, what
// is there may be removed first. The project's own code may write the rest.
func handedOn(r *reader, _ Use, words []Word) {
	for i, w := range words {
		switch text := w.Text; {
		case w.Split && !beginsAsPath(w):
			r.gap("without quotes this may be options", w.Span)
		case !strings.HasPrefix(text, "-"):
			handedPath(r, w.From(strings.IndexByte(text, '=')+1))
		case strings.Contains(text, "="):
			name, _, _ := strings.Cut(text, "=")
			handedOption(r, name, w.From(len(name)+1))
		case w.Reach != tool.Exact:
			r.gap("the name of an option is known only at run time", w.Span)
		case i+1 < len(words) && saysWhere(text):
			handedOption(r, text, words[i+1])
		}
	}
}

// handedOption is an option of such a command with its value.
func handedOption(r *reader, name string, v Word) {
	switch e := r.path(tool.Write, v); {
	case !saysWhere(name):
		handedPath(r, v)
	case v.Reach == tool.Exact && (strings.Contains(v.Text, "://") || namesNothing(v)):
	case !r.inProject(e):
		if v.Reach != tool.Exact || r.hasPlace(e.Target) {
			r.empties(v)
		}
	case r.losesSource(e):
		r.report(v)
	case !isCertain(e) || r.exists(e.Target+"/."):
		r.empties(v)
	}
}

// handedPath adds that a path may be written which is not in the project.
func handedPath(r *reader, w Word) {
	if text := w.Text; w.Reach == tool.Anywhere || !strings.HasPrefix(text, "/") && !paths.Climbs(text) || strings.Contains(text, "://") {
		return
	}
	if e := r.path(tool.Write, w); !r.inProject(e) && r.hasPlace(e.Target) {
		r.pathUse(tool.Write, w, false)
	}
}

// saysWhere says whether an option has a name of the kind that says where a program puts what it makes: --outDir,
// --basetemp, --report-dir.
func saysWhere(option string) bool {
	if option == "-o" || option == "-d" {
		return true
	}
	var name strings.Builder
	for i, c := range option {
		if c >= 'A' && c <= 'Z' && i > 0 {
			name.WriteByte('-')
		}
		name.WriteRune(c)
	}
	text := name.String()
	return nameHas(text, "out output outdir outputdir outputpath outfile dest destdir destination dist distdir basetemp tempdir tmpdir") ||
		nameHas(text, "dir directory folder path") && nameHas(text, "report reports result results artifacts coverage temp tmp build site public publish clean")
}
