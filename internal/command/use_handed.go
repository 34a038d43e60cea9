package command

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

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
