package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// report is a file that a program makes of its own content: a binary, a report, a
// profile. None of these is what a person wrote, so where such a file takes the place
// of a source, the source is lost.
func (r *reader) report(w Word) {
	before := len(r.inv.Effects)
	r.pathUse(tool.Write, w, false)
	for _, e := range r.inv.Effects[before:len(r.inv.Effects):len(r.inv.Effects)] {
		if r.losesSource(e) {
			e.Kind, e.Put = tool.Delete, false
			r.effect(e)
		}
	}
}

// replaces is a word with another use: what is written there is of another kind than what people write, as with report.
func replaces(r *reader, w Word) {
	for _, e := range r.inv.Effects[:len(r.inv.Effects):len(r.inv.Effects)] {
		if e.Span == w.Span && r.losesSource(e) {
			e.Kind, e.Put = tool.Delete, false
			r.effect(e)
		}
	}
}

// unlinks is a word with another use: a file that is there is deleted, and a link put in its place. Of another link
// nothing is lost.
func unlinks(r *reader, w Word) {
	if r.world.Exists == nil || r.world.Readlink == nil || r.scope.spares {
		return
	}
	for _, e := range r.inv.Effects[:len(r.inv.Effects):len(r.inv.Effects)] {
		if e.Span != w.Span || e.Kind != tool.Write || e.Manner == tool.Linked || !isCertain(e) {
			continue
		}
		_, err := r.world.Readlink(e.Target)
		if r.world.Exists(e.Target) && err != nil && !r.lists(e.Target) {
			e.Kind, e.Put, e.Tree = tool.Delete, false, false
			r.effect(e)
		}
	}
}

// lists says whether something is a directory in which there is something.
func (s *surroundings) lists(path string) bool {
	if s.world.Entries == nil {
		return false
	}
	list, _ := s.world.Entries(path)
	return len(list) > 0
}

// generate is a source that a tool makes of others. It may take the place of what the tool
// made before: most say in it that it is generated. Another source is lost.
func (r *reader) generate(w Word, operand bool) {
	before := len(r.inv.Effects)
	r.pathUse(tool.Write, w, operand)
	for _, e := range r.inv.Effects[before:len(r.inv.Effects):len(r.inv.Effects)] {
		if r.losesSource(e) && !hasWord(".js .mjs .cjs .css .md", path.Ext(e.Target)) && !r.saysGenerated(e.Target) {
			e.Kind, e.Put = tool.Delete, false
			r.effect(e)
		}
	}
}

// saysGenerated says whether a file says of itself, near its beginning, that a tool made it.
func (s *surroundings) saysGenerated(file string) bool {
	if s.world.ReadFile == nil {
		return false
	}
	text, err := s.world.ReadFile(file)
	return err == nil && strings.Contains(strings.ToLower(string(text[:min(len(text), 2000)])), "generated")
}

// overwritten adds what is lost where a tool of the project is told to put its output in
// the place of a source. What generates sources says so by the use "generate".
func (r *reader) overwritten(modes []*Mode) {
	if !slices.ContainsFunc(r.inv.Effects, runsProject) {
		return
	}
	for _, g := range r.given {
		if g.flag == nil || len(g.values) == 0 || !puts(g.flag) && !putInModes(g.name, modes) {
			continue
		}
		for _, e := range r.inv.Effects[:len(r.inv.Effects):len(r.inv.Effects)] {
			if e.Span == g.values[0].Span && r.losesSource(e) {
				e.Kind, e.Put = tool.Delete, false
				r.effect(e)
			}
		}
	}
}

// clearing says whether a command clears away what its program has made.
func (l *commandLine) clearing(modes []*Mode) bool {
	clears := func(specs []Spec) bool {
		return slices.ContainsFunc(specs, func(s Spec) bool {
			return s.Kind == "delete" && strings.HasSuffix(s.Target, "/**") || s == Spec{"control", "package.cache"}
		})
	}
	return clears(l.level().Effects) || slices.ContainsFunc(modes, func(m *Mode) bool { return clears(m.Effects) })
}

// cleared adds what such a command deletes where flags or variables say that it is
// elsewhere than usual.
func (r *reader) cleared() {
	if !r.scope.clears {
		return
	}
	for _, e := range r.inv.Effects[:len(r.inv.Effects):len(r.inv.Effects)] {
		if e.Kind == tool.Write && e.Span != r.inv.Span && r.isThere(e) {
			e.Kind, e.Put, e.Tree = tool.Delete, false, true
			r.effect(e)
		}
	}
}

// isThere says whether there may be something at the target of an effect.
func (s *surroundings) isThere(e tool.Effect) bool {
	return e.Reach != tool.Exact || e.Pattern || s.world.Exists == nil || s.world.Exists(e.Target)
}

// puts says whether the value of a flag is a file that is written.
func puts(f *Flag) bool { return f.has("write") || f.has("log") }

// putInModes says whether it is one in a mode.
func putInModes(flag string, modes []*Mode) bool {
	return slices.ContainsFunc(modes, func(m *Mode) bool {
		f := find(m.Flags, flag)
		return f != nil && puts(f)
	})
}

// losesSource says whether a write replaces a file that somebody wrote.
func (s *surroundings) losesSource(e tool.Effect) bool {
	return e.Kind == tool.Write && isCertain(e) && IsSource(path.Base(e.Target)) && s.exists(e.Target)
}

// IsSource says whether a file of this name is written by people: code, documents and
// definitions of a project. What tools report in has other names.
func IsSource(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".go", ".py", ".pyi", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte", ".rs", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp",
		".java", ".kt", ".kts", ".scala", ".groovy", ".gradle", ".swift", ".m", ".mm", ".cs", ".fs", ".vb", ".rb", ".php", ".pl", ".pm", ".lua", ".r", ".jl", ".ex", ".exs", ".erl", ".hs",
		".clj", ".cljs", ".dart", ".nim", ".zig", ".ml", ".mli", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".sql", ".proto", ".graphql", ".tf", ".nix", ".css", ".scss", ".sass", ".less",
		".md", ".mdx", ".rst", ".adoc", ".tex", ".toml", ".mod", ".sum", ".csproj", ".sln", ".ipynb", ".el", ".vim", ".cmake", ".mk":
		return true
	}
	switch name {
	case "package.json", "package-lock.json", "tsconfig.json", "composer.json", "pom.xml", "build.xml", "Makefile", "GNUmakefile", "makefile", "Dockerfile", "Containerfile",
		"Gemfile", "Rakefile", "Justfile", "justfile", "CMakeLists.txt", "meson.build", "README", "LICENSE", "docker-compose.yml", "compose.yaml", ".gitignore", ".gitattributes":
		return true
	}
	return false
}

// empties is a directory that a program makes anew: it removes what is there before it
// writes.
func (d *deeds) empties(w Word) { emptiesOthers(d, "", w) }

// emptiesOthers is a directory that is emptied first. With a mark, what the program itself has left there does not count.
func emptiesOthers(d *deeds, mark string, w Word) {
	if namesNothing(w) {
		return
	}
	d.named(w)
	d.landsAt(w)
	e := d.path(tool.Write, w)
	e.Tree = true
	if !d.isThere(e) {
		e.Kind = tool.Create
	}
	d.effect(e)
	if e.Kind == tool.Write && !d.isEmptyDir(e) && (mark == "" || !d.holdsMarked(e, mark)) {
		e.Kind = tool.Delete
		d.effect(e)
	}
}

// holdsMarked says whether there is nothing in a directory but what a program makes there: directories with numbers, and for each name
// a link that has a mark in the place of the number.
func (s *surroundings) holdsMarked(e tool.Effect, mark string) bool {
	if !isCertain(e) || s.world.Entries == nil {
		return false
	}
	list, whole := s.world.Entries(e.Target)
	return whole && !slices.ContainsFunc(list, func(one tool.Entry) bool {
		if one.Link {
			return !strings.HasSuffix(one.Name, mark)
		}
		link := strings.TrimRight(one.Name, "0123456789") + mark
		return !one.Dir || link == one.Name+mark || !slices.ContainsFunc(list, func(l tool.Entry) bool { return l.Link && l.Name == link })
	})
}

// isEmptyDir says whether there is a directory in which nothing is.
func (s *surroundings) isEmptyDir(e tool.Effect) bool {
	if !isCertain(e) || s.world.Entries == nil || !s.exists(e.Target+"/.") {
		return false
	}
	list, whole := s.world.Entries(e.Target)
	return whole && len(list) == 0
}

// typedFile is "KIND:FILE" or "KIND=FILE", or several with commas between them: a report of that kind
// in the file, or without a file on standard output.
func typedFile(r *reader, w Word) {
	if w.Reach != tool.Exact {
		if at := strings.IndexAny(w.Text, ":="); w.Reach == tool.Prefix && at >= 0 {
			r.report(w.From(at + 1))
			return
		}
		r.report(Word{Span: w.Span})
		return
	}
	for part := range strings.SplitSeq(w.Text, ",") {
		if at := strings.IndexAny(part, ":="); at >= 0 {
			r.report(Known(part[at+1:], w.Span))
		}
	}
}

// writeList is paths with commas between them, each a file that is written or a
// directory that is written to.
func (d *deeds) writeList(w Word) {
	if w.Reach != tool.Exact {
		d.treeUse(tool.Write, Word{Span: w.Span})
		return
	}
	for part := range strings.SplitSeq(w.Text, ",") {
		d.treeUse(tool.Write, Known(part, w.Span))
	}
}

// settingsFile is "KEY=VALUE", or several with semicolons or commas between them, for a
// part of the program that has settings of its own. A value may be a file that is
// written: seen from the working directory, or from the one that the model names.
func (r *reader) settingsFile(dir string, w Word) {
	if w.Reach != tool.Exact {
		if _, _, ok := strings.Cut(w.Text, "="); ok || w.Reach != tool.Prefix {
			r.report(Word{Span: w.Span})
		}
		return
	}
	for part := range strings.FieldsFuncSeq(w.Text, func(c rune) bool { return c == ';' || c == ',' }) {
		_, file, ok := strings.Cut(part, "=")
		if !ok || isPlainSetting(file) {
			continue
		}
		r.report(Known(file, w.Span))
		if dir != "" && !strings.HasPrefix(file, "/") {
			// The directory may be anywhere: what matters is where the name leads from it.
			r.report(Known(dir+"/"+file, w.Span))
		}
	}
}

// property is "NAME=VALUE" for the project's own definition of its build, which may take
// the value for a directory: to write below, and in a run that cleans, to delete. If the
// model lists names, only these are taken so.
func (r *reader) property(names string, w Word) {
	name, value, ok := strings.Cut(w.Text, "=")
	listed := names == "" || nameHas(name, strings.ReplaceAll(names, "|", " "))
	if !ok || w.Reach != tool.Exact || isPlainSetting(value) || !listed {
		return
	}
	e := r.path(tool.Write, w.From(len(name)+1))
	if isPlainWord(value) && !r.exists(e.Target) {
		return
	}
	e.Put, e.Tree = true, names != "" || e.Tree
	r.effect(e)
	e.Put = false
	if slices.ContainsFunc(r.oper, mayClean) {
		e.Kind, e.Tree = tool.Delete, true
		r.effect(e)
	}
}

// isPlainWord says whether a text does not look like a path.
func isPlainWord(text string) bool {
	return !strings.Contains(text, "/") && !strings.HasPrefix(text, ".")
}

// isPlainSetting says whether a value is a number, or switches something on or off.
func isPlainSetting(value string) bool {
	return isBool(value) || strings.Trim(value, "0123456789.") == ""
}

// mayClean says whether a task may be one that clears away what others have made.
func mayClean(task Word) bool {
	return !task.IsKnown() || strings.Contains(strings.ToLower(task.Text), "clean")
}

// backups adds the copies that a program keeps of the files it changes, and the files that
// it names after others. What is added to a name can make another one of it.
func (r *reader) backups() {
	for _, g := range r.given {
		if g.flag == nil || len(g.values) == 0 || isExactly(g.values[0], "") || !g.flag.has("suffix") && !g.flag.has("affix") {
			continue
		}
		r.renamed(g.values[0], g.flag.has("affix"))
	}
}

// renamed adds what is written beside the files that are, under names with something added.
func (d *deeds) renamed(suffix Word, affix bool) {
	for _, e := range d.inv.Effects[:len(d.inv.Effects):len(d.inv.Effects)] {
		switch {
		case e.Kind != tool.Write && (!affix || e.Kind != tool.Create) || e.Reach != tool.Exact:
		case !suffix.IsKnown():
			d.effect(tool.Effect{Kind: tool.Write, Span: suffix.Span})
			return
		case affix && (e.Pattern || e.Target == d.dir.Text || d.exists(e.Target+"/.")): // files in it are named so
		case affix:
			d.effect(d.affixed(e, suffix))
		default:
			d.effect(d.backup(e, suffix))
		}
	}
}

// prefix is the beginning of the names of files that the program makes.
func prefix(r *reader, w Word) {
	r.pathUse(tool.Write, w, false)
	if w.IsKnown() {
		r.pathUse(tool.Write, asPattern(w, "", "*"), false)
	}
}

// ending is a file of which the program makes another one, named after it: with an ending more,
// or, unless the program only adds one, with one less. Of one that is kept that is a new one; one
// that is named may have any name. One that is not kept is moved: what it held is in the other one only.
func ending(r *reader, how string, w Word) {
	kind := tool.Write
	if strings.HasPrefix(how, "kept") {
		kind = tool.Create
	} else {
		for i := range r.inv.Effects {
			if e := &r.inv.Effects[i]; e.Kind == tool.Write && e.Span == w.Span {
				e.Manner = tool.Moved
			}
		}
	}
	if !w.IsKnown() && !w.Glob {
		return // that may be any file already
	}
	dir, name := path.Split(w.Text)
	if how == "named" {
		r.pathUse(kind, asPattern(w, dir, "*"), false)
		return
	}
	r.pathUse(kind, asPattern(w, "", ".*"), false)
	if at := strings.LastIndexByte(name, '.'); at > 0 && !strings.HasSuffix(how, "added") {
		w.Text = dir + name[:at]
		r.pathUse(kind, w, false)
	}
}

// asPattern is the pattern that a word, or another text in its place, becomes with more behind it.
func asPattern(w Word, text, more string) Word {
	if text != "" {
		w.Text = text
	}
	if !w.Glob {
		w.Text, w.Glob = paths.Escape(w.Text), true
	}
	w.Text += more
	return w
}

// affix is a part of the names of files that the program makes. With a slash in it, it
// leads to another directory.
func (f *findings) affix(w Word) {
	if !w.IsKnown() || strings.Contains(w.Text, "/") {
		f.gap("files are named after "+quote(w.Text)+", which may be outside their directory", w.Span)
	}
}

// affixed is a file that is named after another one, with an affix behind the name. What
// begins with a percent sign is filled in by the program.
func (s *surroundings) affixed(e tool.Effect, affix Word) tool.Effect {
	added, _, filled := strings.Cut(affix.Text, "%")
	w := Word{Text: e.Target + added, Reach: tool.Exact, Span: affix.Span}
	if filled {
		w.Text, w.Glob = paths.Escape(w.Text)+"*", true
	}
	made := s.path(tool.Write, w)
	made.Put = true
	return made
}

// backup is the copy that is kept of a file: with a star in the suffix, that is the new name,
// and with a slash it may be anywhere.
func (s *surroundings) backup(e tool.Effect, suffix Word) tool.Effect {
	dir, name := path.Split(e.Target)
	made := name + suffix.Text
	if strings.Contains(suffix.Text, "*") {
		made = strings.ReplaceAll(suffix.Text, "*", name)
	}
	w := Word{Text: dir + made, Reach: tool.Exact, Glob: e.Pattern, Span: suffix.Span}
	if strings.Contains(suffix.Text, "/") {
		w.Text = made // seen from the working directory
	}
	copied := s.path(tool.Write, w)
	copied.Put = true
	return copied
}

// strays finds values that lead to another directory, among those of which the model says no
// more than that they are text, if the program makes files: they may be part of a name.
func (f *findings) strays(given []flagUse) {
	if !slices.ContainsFunc(f.inv.Effects, func(e tool.Effect) bool { return makes(e.Kind) }) {
		return
	}
	for i := range given {
		g := &given[i]
		if g.flag == nil || len(g.values) != 1 || len(g.flag.Values) != 1 || !mereText(g.flag.Values[0]) {
			continue
		}
		if w := g.values[0]; w.IsKnown() && !strings.ContainsAny(w.Text, " \n") && paths.Climbs(w.Text) {
			f.fileName(w)
		}
	}
}
