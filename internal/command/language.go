package command

import (
	"strings"

	"longline/internal/language"
	"longline/internal/tool"
)

// Uses of the small languages that hide power: each is a named use, written
// once and open to every model. languageUses lists their names.
var languageUses = []string{
	"agent-settings",
	"arg-file",
	"awk",
	"batch",
	"config",
	"container-path",
	"database",
	"delimiter",
	"digits",
	"end-mark",
	"ends-flags",
	"fuzzy-bind",
	"fuzzy-bind:",
	"http-verb-or-path",
	"jq",
	"kube-output",
	"kube-raw",
	"kube-resource",
	"kube-resource:",
	"magic-file",
	"magic-file:",
	"manifest",
	"mongo",
	"mount",
	"package",
	"package-run:",
	"package-script:",
	"packed:",
	"perl-module",
	"perl-split",
	"plain-operand",
	"requirement",
	"requirements",
	"response",
	"psql-output",
	"replace",
	"rewrite:",
	"ruby-library",
	"s3-path",
	"s3-tree",
	"search-root",
	"sed",
	"sed-suffixed",
	"setting-name",
	"source:",
	"sql",
	"sql:",
	"suffix",
	"task:",
	"task-file",
	"values:",
	"yq",
	moduleUse,
}

func knownLanguageUse(name string) bool {
	return listed(languageUses, name) || listed(gitUses, name) || listed(netUses, name)
}

func listed(uses []string, name string) bool {
	for _, u := range uses {
		if u == name {
			return true
		}
	}
	return false
}

// language applies a use of [languageUses].
func (r *reader) language(u Use, w Word) {
	if r.gitUse(u, w) || r.netUse(u, w) {
		return
	}
	switch u.Name {
	case "s3-path":
		r.objectPath(w)
	case "s3-tree":
		r.scope.tree = true
		r.objectPath(w)
	case "agent-settings":
		r.agentSettings(w)
	case "setting-name":
		if !w.IsKnown() && !w.Plain || SecretName(w.Text) {
			r.control("secret.print", w.Span)
		}
	case "mount":
		r.mount(w)
	case "container-path":
		r.containerPath(w)
	case "manifest":
		r.manifest(w)
	case "kube-resource":
		r.resource(u.Arg, w)
	case "kube-output":
		r.kubeOutput(w)
	case "kube-raw":
		r.kubeRaw(w)
	case "http-verb-or-path":
		r.httpVerb(w)
	case "config":
		r.config(w)
	case "rewrite":
		r.rewrite(u.Arg, w)
	case "source":
		r.source(u.Arg, w)
	case "values":
		if !allMatch(w, u.Arg) {
			r.gap("longline does not follow "+quote(w.Text), w.Span)
		}
	case "package":
		r.packageUse(w)
	case "requirement":
		r.requirement(w)
	case "requirements":
		r.requirements(w)
	case "packed":
		r.packed(u.Arg, w)
	case moduleUse: // read with the flag itself
	case "suffix", "digits", "replace", "arg-file", "batch", "delimiter", "end-mark", "task-file", "ends-flags": // looked up where they matter
	case "search-root":
		if w.Reach == tool.Anywhere && !w.Plain {
			r.gap("a word that is not known may be a condition or an action of the search", w.Span)
		}
	case "plain-operand":
		if w.Reach == tool.Anywhere && !w.Plain || strings.HasPrefix(w.Text, "+") {
			r.gap("this word may be a flag", w.Span)
		}
	case "response":
		if w.Reach != tool.Anywhere && strings.HasPrefix(w.Text, "@") {
			r.gap("the file "+quote(w.Text[1:])+" holds further arguments", w.Span)
		}
	case "sed", "awk", "jq":
		r.code(u.Name, r.pieces(u, w))
	case "sed-suffixed":
		r.sedSuffixed(w)
	case "yq":
		r.yqOperand(w)
	case "sql":
		r.code(strings.TrimSuffix("sql-"+u.Arg, "-"), w)
	case "perl-module":
		r.perlModule(w)
	case "perl-split":
		r.perlSplit(w)
	case "ruby-library":
		if !w.IsKnown() || !language.RubyLibrary(w.Text) {
			r.gap("longline does not know the library "+quote(w.Text), w.Span)
		}
	case "magic-file":
		r.magicFile(u.Arg, w)
	case "task":
		if u.Arg == "make" {
			r.makeOperand(w)
		} else {
			r.task(u.Arg, w, r.afterOperand(w))
		}
	case "fuzzy-bind":
		if u.Arg != "preview" {
			r.fuzzyBind(w)
		} else if w.Reach != tool.Exact || !r.fuzzyAction("preview", w.Text, w) {
			r.gap("a preview command that longline does not follow", w.Span)
		}
	case "database":
		r.database(w)
	case "psql-output":
		if cmd, ok := strings.CutPrefix(w.Text, "|"); ok || w.Reach == tool.Anywhere {
			script := w
			script.Text, script.At = cmd, w.At.Shift(1)
			r.use(Use{Name: "script", Arg: "sh"}, script, false)
		} else {
			r.pathUse(tool.Write, w, false)
		}
	case "mongo":
		r.code("mongo", w)
	default:
		r.gap("unknown use "+quote(u.Name), w.Span)
	}
}

// smallLanguage reads a program of one of the languages that longline follows
// construct by construct. ok is false for all other languages, and for programs
// that are not followed to their end.
func (r *reader) smallLanguage(lang, text string) (d language.Deeds, ok bool) {
	return r.followed(lang, text, r.codeArgs(), r.dir)
}

// followed is the same for a program that sees args as its arguments and looks
// for modules in dir first.
func (r *reader) followed(lang, text string, args []Word, dir Word) (d language.Deeds, ok bool) {
	seen := make([]language.Arg, len(args))
	for i, a := range args {
		seen[i] = language.Arg{Text: a.Text, Known: a.IsKnown()}
	}
	d, ok = language.Read(lang, text, seen)
	switch lang {
	case "sql-sqlite", "sql-duckdb":
		d = r.sqlFile(d)
	case "applescript":
		ok = !language.ConnectsShell(text)
	case "perl", "ruby", "php", "lua", "node":
		ok = d.Problem == ""
	case "python":
		ok = d.Problem == "" && !r.shadowed(d.Needs, dir) && r.depends(d.Needs, dir)
	}
	return d, ok
}

// codeArgs is what inline code sees as its arguments.
func (r *reader) codeArgs() []Word {
	if len(r.oper) > 0 && r.oper[0].IsKnown() && r.oper[0].Text == "-" {
		return r.oper[1:]
	}
	return r.oper
}

// shadowed says whether files in a directory would be loaded in place of an
// interpreter's own modules.
func (r *reader) shadowed(modules []string, dir Word) bool {
	if r.world == nil || r.world.Exists == nil {
		return false
	}
	for _, m := range modules {
		at := dir.Text + "/" + m
		if dir.Reach != tool.Exact || r.world.Exists(at) || r.world.Exists(at+".py") || r.world.Exists(at+".pyc") {
			return true
		}
	}
	return false
}

// depends notes the places in which modules of this very script's making would
// take the place of an interpreter's own. It is false if there are too many.
func (r *reader) depends(modules []string, dir Word) bool {
	if len(modules) > 24 {
		return false
	}
	for _, m := range modules {
		for _, name := range [...]string{m, m + ".py"} {
			file := dir
			file.Text, file.Span = clean(dir.Text+"/"+name), r.inv.Span
			r.inv.Runs = append(r.inv.Runs, Nested{File: &file, Known: true, Shell: "python"})
		}
	}
	return true
}

// perform turns the deeds of a program, which stands in w, into effects.
func (r *reader) perform(lang string, w Word, d language.Deeds) {
	for _, x := range d.List {
		target := Word{Text: x.Target, Reach: tool.Exact, Span: w.Span}
		if x.Open {
			target = Word{Span: w.Span}
		}
		switch x.Kind {
		case tool.Read, tool.Write, tool.Create, tool.Delete:
			r.pathUse(x.Kind, target, false)
			r.inv.Composes = r.inv.Composes || x.Kind == tool.Write
		case tool.Fetch, tool.Send:
			r.url(x.Kind, target)
		case tool.Control:
			r.control(x.Target, w.Span)
		case tool.Execute:
			if x.Open {
				r.execute("inline:"+lang, w.Span)
				continue
			}
			dir := r.dir
			r.inv.Runs = append(r.inv.Runs, Nested{Script: &target, Shell: "sh", Dir: &dir})
		}
	}
	r.inv.Inserts = r.inv.Inserts || d.Inserts
	r.scope.volume.limited = r.scope.volume.limited || d.Stops
	if d.Loads {
		r.execute("project:"+lang, w.Span)
	}
	if d.Problem != "" {
		r.gap("longline does not follow this "+lang+" program: "+d.Problem, w.Span)
	}
}

// afterOperand is the operands that follow one.
func (r *reader) afterOperand(w Word) []Word {
	for i := range r.oper {
		if r.oper[i].Span == w.Span && r.oper[i].Text == w.Text {
			return r.oper[i+1:]
		}
	}
	return nil
}

// pieces is the whole program to which a word belongs: some programs join the
// values of all their flags of this use, line by line. Only the first piece
// stands for the whole; of the others nothing is left.
func (r *reader) pieces(u Use, w Word) Word {
	var parts []Word
	for i := range r.given {
		g := &r.given[i]
		if g.flag == nil || len(g.flag.Values) != 1 || len(g.values) != 1 || len(g.flag.Values[0]) == 0 || g.flag.Values[0][0] != u {
			continue
		}
		parts = append(parts, g.values[0])
	}
	if len(parts) < 2 {
		return w
	}
	if parts[0].Span != w.Span || parts[0].Text != w.Text {
		return Word{Reach: tool.Exact, Span: w.Span}
	}
	var b strings.Builder
	for i, p := range parts {
		if !p.IsKnown() {
			return p
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Text)
	}
	return Word{Text: b.String(), Reach: tool.Exact, Span: w.Span}
}
