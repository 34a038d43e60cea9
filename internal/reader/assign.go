package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// What assignments and declarations make of variables, and which of them change more than a value.

// assign gives a variable a value. Some mean something to the shell: whoever writes to them changes more than a value.
func (r *reader) assign(name string, v variable, span tool.Span) {
	w := command.Word{Reach: tool.Exact}
	if len(v.alts) > 0 {
		w = anyOf(v.alts)
	}
	if why := r.changedBy(name, w); why != "" {
		r.gap(why, span)
	}
	switch name {
	case "TIMEFORMAT", "TIMEFMT", "LANG", "PS3", "PWD", "OLDPWD":
		r.reveals(w, span)
	case "RANDOM", "OPTIND", "SRANDOM", "HISTCMD", "COLUMNS", "LINES", "HISTSIZE", "SAVEHIST":
		w.Span = span
		r.evaluate(w, false)
		v = single(anyNumber())
	default:
		if strings.HasPrefix(name, "LC_") {
			r.reveals(w, span)
		}
	}
	old, had := r.s.vars.get(name)
	v.exported, v.assoc = v.exported || had && old.exported, v.assoc || had && old.assoc && v.list
	switch name {
	case "UID", "EUID", "PPID", "BASHPID", "FUNCNAME", "GROUPS", "LINENO", "BASH_VERSINFO", "status", "GID", "EGID":
		r.s.shaken = true // some shells do not let a script assign to them
	}
	if had && (old.odd || old.readonly) {
		w.Span = span
		r.s.shaken = r.s.shaken || old.readonly
		if old.integer {
			r.evaluate(w, false)
		}
		v.alts = []command.Word{lost(append(v.values(), old.alts...)...)}
		v.odd, v.integer, v.readonly, v.unset = old.odd, old.integer, old.readonly, false
	}
	if had && old.list && !v.list { // the first element, or all
		v = variable{alts: []command.Word{lost(append(v.values(), old.alts...)...)}, list: true, open: true, exported: v.exported}
	}
	if r.src != nil && r.src.disk && command.SecretName(name) {
		v.alts = slices.Clone(v.alts)
		for i := range v.alts { // nobody has seen it, as the script would show it
			v.alts[i].Taint |= command.FromSecret
		}
	}
	r.setVariable(name, v)
}

// changedBy says what an assignment to a variable changes beside its value; "" if nothing.
func (r *reader) changedBy(name string, w command.Word) string {
	switch name {
	case "BASH_CMDS", "BASH_ALIASES", "DIRSTACK", "functions", "commands", "aliases", "galiases", "saliases", "builtins", "dis_functions", "options", "modules",
		"_OLD_VIRTUAL_PATH", "_OLD_VIRTUAL_PYTHONHOME", "_OLD_VIRTUAL_PS1":
		return "a change to what command names mean"
	case "PROMPT_COMMAND", "chpwd_functions", "precmd_functions", "preexec_functions", "periodic_functions", "zshexit_functions", "zshaddhistory_functions":
		return "a variable that the shell runs as code: " + name
	case "PS0", "PS1", "PS2", "PS4", "PROMPT", "RPROMPT":
		if strings.ContainsAny(w.Text, "$`%") || !w.IsKnown() {
			return "a variable that the shell runs as code: " + name
		}
	case "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_LOADABLES_PATH", "BASH_COMPAT", "POSIXLY_CORRECT", "EXECIGNORE", "GLOBIGNORE", "FPATH", "fpath", "path", "cdpath", "BASH_XTRACEFD", "NULLCMD", "READNULLCMD":
		return "a variable that changes how the shell reads commands: " + name
	case "IFS":
		if !w.IsKnown() || strings.IndexFunc(w.Text, func(c rune) bool { return c >= 0x80 }) >= 0 {
			return "field separators known only at run time"
		}
	case "HISTFILE", "HOSTFILE":
		if w.Text != "/dev/null" && w.Text != "" || !w.IsKnown() {
			return "a variable by which the shell changes or shows a file: " + name
		}
	case "HISTFILESIZE":
		if r.world.Getenv != nil {
			if file, _ := r.world.Getenv("HISTFILE"); file != "" {
				return "an assignment by which bash cuts a file: " + name
			}
		}
	case "CLAUDE_PROJECT_DIR":
		return "a variable by which clients say what the project is"
	case "BASH_ARGV0":
		return "an assignment to $0"
	case "argv", "dirstack":
		return "zsh assigns to its parameters or directories"
	case "watch", "WATCH", "fignore", "FIGNORE", "mailpath", "MAILPATH", "manpath", "module_path", "psvar", "PSVAR":
		if r.zsh {
			return "zsh assigns to another variable as well: " + name
		}
	}
	if isNumber(name) {
		return "an assignment to something that is not a variable"
	}
	return ""
}

// assignments carries out those of a command that has no words, or of a declaration.
func (r *reader) assignment(a *syntax.Assign, exported bool) {
	if a.Name == nil {
		return
	}
	name, span := a.Name.Value, r.src.nodeSpan(a)
	switch {
	case a.Array != nil:
		r.beyondPosix(a)
		r.assignArray(name, a, span)
		return
	case a.Index != nil:
		r.beyondPosix(a)
		r.arithmIndex(name, a.Index)
		r.s.shaken = true // there may be no such element
		old := r.variable(name)
		v := variable{alts: []command.Word{lost(append(append(r.alternatives(a.Value), old.alts...), keyOf(r, a.Index)...)...)}, list: true, open: true}
		r.assign(name, v, span)
		return
	}
	v := variable{alts: r.alternatives(a.Value), exported: exported}
	for i := range v.alts {
		v.alts[i].Glob = v.alts[i].Glob && v.alts[i].Reach == tool.Exact
	}
	if a.Append {
		r.beyondPosix(a)
		v.alts = r.appended(name, v.alts)
	}
	r.assign(name, v, span)
}

// keyOf is the subscript of an element, as text.
func keyOf(r *reader, index syntax.ArithmExpr) []command.Word {
	if w, ok := index.(*syntax.Word); ok {
		return []command.Word{r.value(w, literal)}
	}
	return nil
}

// appended are the values that += gives a variable, of which nothing is known but where they come from.
func (r *reader) appended(name string, alts []command.Word) []command.Word {
	return []command.Word{lost(append(alts[:len(alts):len(alts)], r.variable(name).alts...)...)}
}

// arithmIndex looks at a subscript, which may be the key of an associative array.
func (r *reader) arithmIndex(name string, index syntax.ArithmExpr) {
	w, ok := index.(*syntax.Word)
	if ok && strings.ContainsAny(r.value(w, literal).Text, "$`") {
		r.gap("a subscript that is evaluated", r.src.nodeSpan(index))
	}
	if v := r.variable(name); !v.assoc || !ok {
		r.arithm(index)
	}
}

// maxElements bounds the elements of an array that are known.
const maxElements = 64

// assignArray assigns a whole array.
func (r *reader) assignArray(name string, a *syntax.Assign, span tool.Span) {
	if at := int(a.Array.Rparen.Offset()) + 1; at < len(r.src.text) && strings.IndexByte(" \t\n;&|)<>`", r.src.text[at]) < 0 {
		r.gap("an array with text appended to it", span)
	}
	var list words
	v := variable{list: true}
	if a.Append {
		old := r.variable(name)
		if v.open = old.open || !old.list && !old.unset; old.list || v.open {
			list.list = append(list.list, old.alts...)
		}
	}
	for _, e := range a.Array.Elems {
		if e.Index != nil {
			r.arithmIndex(name, e.Index)
			list.list, v.open = append(list.list, r.value(e.Value, ordinary)), true
			continue
		}
		r.fields(e.Value, ordinary, &list)
	}
	if name == "PATH" {
		r.gap("a change to what command names mean", span)
	}
	if v.alts = list.list; v.open || len(v.alts) > maxElements {
		v.alts, v.open = []command.Word{lost(v.alts...)}, true
	}
	r.assign(name, v, span)
}

// declare is export, declare, local and readonly, as the parser knows them: with assignments among their words.
func (r *reader) declare(st *syntax.Stmt, c *syntax.DeclClause) {
	if r.spend(1 + len(c.Args)/8) {
		return
	}
	variant := c.Variant.Value
	inv := r.invocation(st, []command.Word{r.src.verbatim(variant, c.Variant.Pos().Offset(), c.Variant.Pos().Offset(), c.Variant.End().Offset())})
	if f, _ := r.s.funcs.get(variant); len(f.defs) > 0 || variant == "nameref" {
		r.gap("a function has taken the name of "+variant, inv.Span)
	}
	red := r.redirects(st.Redirs, inv)
	standard := variant == "export" || variant == "readonly"
	if !standard {
		r.beyondPosix(c)
	}
	defer func(was bool) { r.weak = was }(r.weak)
	r.weak = r.weak || red.fails || variant == "local" && r.depth == 0 || standard && r.depth > 0
	flags, secret := r.declareAll(c, inv)
	inv.Output = command.Data{Reach: tool.Exact}
	if all := len(c.Args) == 0 || !slices.ContainsFunc(c.Args, func(a *syntax.Assign) bool { return a.Name != nil || !strings.HasPrefix(a.Value.Lit(), "-") }); all && !strings.ContainsAny(flags, "fF") {
		secret = command.FromSecret
		r.reveals(command.Word{Taint: secret}, inv.Span)
		inv.Output = command.Data{Taint: secret}
	} else if strings.ContainsAny(flags, "pfF") || r.zsh && variant != "export" {
		r.reveals(command.Word{Taint: secret}, inv.Span)
		inv.Output = command.Data{Taint: secret}
	}
	r.model(inv, variant)
	r.leads(inv)
	r.record(inv)
	r.send(inv.Output, red)
}

// declareAll declares what the words of a declaration name. It returns the flags, and where the values come from.
func (r *reader) declareAll(c *syntax.DeclClause, inv *command.Invocation) (flags string, secret command.Taint) {
	again := map[*syntax.Assign][]command.Word{} // shells assign one after the other, or expand all first
	for _, a := range c.Args {
		if a.Name != nil && a.Value != nil && slices.ContainsFunc(c.Args, func(o *syntax.Assign) bool { return o != a && o.Name != nil && mentions(a.Value, o.Name.Value) }) {
			again[a] = r.alternatives(a.Value)
		}
	}
	for _, a := range c.Args {
		if a.Name != nil && !(a.Naked && a.Array == nil && a.Value == nil) {
			secret |= r.declareName(c.Variant.Value, flags, a, inv)
			if v := r.variable(a.Name.Value); again[a] != nil && !v.list {
				v.alts = unite(v.alts, again[a], maxListed)
				r.setVariable(a.Name.Value, v)
			}
			continue
		}
		given := words{list: []command.Word{{}}}
		if a.Name == nil {
			given.list = nil
			r.fields(a.Value, argument, &given)
		} else if given.list[0] = command.Known(a.Name.Value, r.src.nodeSpan(a)); a.Index != nil {
			r.arithmIndex(a.Name.Value, a.Index)
		}
		if given.loose > 0 {
			r.gap(c.Variant.Value+" of words known only at run time", inv.Span)
		}
		for _, w := range given.list {
			if inv.Words = append(inv.Words, w); w.IsKnown() && len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+') {
				flags += w.Text
			} else {
				r.declareWord(c.Variant.Value, flags, w, inv)
				secret |= value.Lost(r.variable(w.Text).alts...).Taint
			}
		}
	}
	return flags, secret
}

// ownsVariables says whether a declaration in a function is one of variables of its own.
func ownsVariables(variant string) bool {
	return variant == "local" || variant == "declare" || variant == "typeset"
}

// declareName declares an assignment that is written as one; it returns where the value comes from.
func (r *reader) declareName(variant, flags string, a *syntax.Assign, inv *command.Invocation) command.Taint {
	name, span := a.Name.Value, r.src.nodeSpan(a)
	if a.Value != nil && hasBraces(a.Value) {
		r.gap("a declaration with braces", span)
	}
	if a.Value != nil && strings.ContainsAny(flags, "aA") {
		r.gap("an array in quotes that is evaluated", span)
	}
	if ownsVariables(variant) {
		r.hide(name, !strings.Contains(flags, "x"))
	}
	if strings.Contains(flags, "A") {
		r.declared(variant, flags, name, span)
	}
	r.assignment(a, variant == "export" || strings.Contains(flags, "x") && !strings.Contains(flags, "+x"))
	r.declared(variant, flags, name, span)
	v, w := r.variable(name), command.Word{Span: span}
	if !v.list {
		one := anyOf(v.values())
		w = command.Known(name+"=", span).Concat(one)
		w.Span = span
		if one.Span = span; v.exported {
			inv.Env = append(inv.Env[:len(inv.Env):len(inv.Env)], command.Assign{Name: name, Value: one, Append: a.Append, Prefix: true})
		}
	}
	inv.Words = append(inv.Words, w)
	return value.Lost(v.alts...).Taint
}

// declared gives a variable the attributes of a declaration.
func (r *reader) declared(variant, flags, name string, span tool.Span) {
	v := r.variable(name)
	if strings.Contains(flags, "n") || strings.Contains(variant, "nameref") {
		r.gap("a name reference", span)
	}
	if strings.ContainsAny(flags, "nilucEFLRZ") {
		for _, w := range v.alts {
			w.Span = span
			if strings.ContainsAny(flags, "iEF") && r.s.touched(name) && !v.unset {
				r.evaluate(w, false)
			}
		}
		v.odd, v.integer = true, v.integer || strings.ContainsAny(flags, "iEF")
	}
	if strings.ContainsAny(flags, "aA") && !v.list {
		if r.s.touched(name) && !v.unset {
			v.open = true
		} else {
			v.alts = nil
		}
		v.list, v.unset = true, false
		if strings.Contains(flags, "A") {
			v.open, v.assoc = true, !v.open && len(v.alts) == 0
		}
	}
	v.readonly = v.readonly || variant == "readonly" || strings.Contains(flags, "r")
	if variant == "export" || strings.Contains(flags, "x") {
		v.exported = true
	}
	if variant == "export" && strings.Contains(flags, "n") || strings.Contains(flags, "+x") {
		v.exported, v.alts, v.odd = false, []command.Word{lost(v.alts...)}, false
	}
	r.setVariable(name, v)
}

// declareWord reads a word of a declaration that is not written as an assignment: a name, or what came out of quotes or an expansion.
func (r *reader) declareWord(variant, flags string, w command.Word, inv *command.Invocation) {
	name, text, is := strings.Cut(w.Text, "=")
	exported := variant == "export" || strings.Contains(flags, "x")
	if strings.Contains(flags, "f") && w.IsKnown() {
		if exported {
			gapIn(inv, "a function that programs get to see")
		}
		if variant == "readonly" || strings.Contains(flags, "r") {
			gapIn(inv, "a function that is read-only")
		}
		return
	}
	plain := strings.TrimSuffix(name, "+")
	switch {
	case w.Reach == tool.Anywhere || w.Glob || !is && !w.IsKnown():
		gapIn(inv, variant+" of a variable known only at run time")
	case strings.IndexByte(name, '[') >= 0:
		r.plainName(command.Known(plain, w.Span))
	case !isName(plain):
		gapIn(inv, variant+" of something that is not a name")
	case !is:
		if ownsVariables(variant) {
			r.hide(plain, true)
		}
		if had := r.s.touched(plain); r.depth > 0 && variant == "local" && !strings.ContainsAny(flags, "aA") { // it has no value, or in some shells the old one
			now := variable{unset: true}
			if old := r.variable(plain); had && (r.zsh || r.posix || old.exported) {
				now = now.join(old)
			}
			r.setVariable(plain, now)
		}
		r.declared(variant, flags, plain, w.Span)
	default:
		v := w.From(len(w.Text) - len(text))
		if v.At = 0; strings.ContainsAny(flags, "aA") {
			gapIn(inv, "an array in quotes that is evaluated")
		}
		alts := []command.Word{v}
		if name != plain {
			alts = r.appended(plain, alts)
		}
		r.assign(plain, variable{alts: alts, exported: exported}, w.Span)
		if r.declared(variant, flags, plain, w.Span); exported {
			inv.Env = append(inv.Env[:len(inv.Env):len(inv.Env)], command.Assign{Name: plain, Value: anyOf(alts), Prefix: true})
		}
	}
}
