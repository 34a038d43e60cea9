package command

import (
	"strings"

	"longline/internal/language"
	"longline/internal/tool"
)

// language applies a use of a small language, or of a program that hides power in a word.
func (r *reader) language(u Use, w Word, operand bool) {
	if r.gitUse(u, w) || r.netUse(u, w) {
		return
	}
	switch u.Name {
	case "s3-path":
		r.objectPath(w)
	case "s3-tree":
		r.scope.tree = true
		r.objectPath(w)
	case "address":
		r.address(w)
	case "agent-settings":
		r.agentSettings(w)
	case "setting-name":
		if !w.IsKnown() && !w.Plain || SecretName(w.Text) || strings.Contains(w.Text, "*") {
			r.control("secret.print", w.Span)
		}
	case "variable-name":
		if !w.IsKnown() || SecretName(w.Text) || r.inherits(w.Text) {
			r.control("env.secret", w.Span)
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
		r.config(w, operand)
	case "env-file":
		// Variables for a command: in the project its own, elsewhere they may carry code.
		if e := r.path(tool.Read, w); !r.inProject(e) {
			r.config(w, true)
		} else {
			r.named(w)
		}
	case "rewrite":
		r.rewrite(u.Arg, w)
	case "source":
		r.source(u.Arg, w)
	case "values":
		if !allMatch(w, u.Arg) {
			r.gap("its model does not cover "+quote(w.Text), w.Span)
		}
	case "package":
		r.packageUse(w)
	case "package-source":
		r.packageSource(w)
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
			r.gap("a word known only at run time may be a condition or an action of the search", w.Span)
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
	case "pager-command":
		r.pagerCommand(w, operand)
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
