package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// environmentOf lists the variables of this script that programs get to see.
func environmentOf(led *ledger, s *state) []command.Assign {
	seen := 0
	s.vars.eachMarked(visible, func(string, *variable) bool {
		seen++
		return seen < maxEnv
	})
	if seen == 0 {
		return nil
	}
	var env []command.Assign
	s.vars.eachMarked(visible, func(name string, v *variable) bool {
		if !v.isHanded(name) || name == "PWD" && v.words[0].Same(s.dir) {
			return true
		}
		if v.attrs&exported != 0 || s.inherits(name) {
			as := command.Assign{Name: name, Value: v.words[0]}
			if v.vague || v.attrs&exported == 0 && name != "PATH" && (v.own || led.takenOut(name)) { // without a PATH programs are found as usual
				as.Value = value.Lost(v.words...)
			}
			if env == nil {
				env = make([]command.Assign, 0, seen+2) // and some in front of the command
			}
			env = append(env, as)
		}
		if len(env) >= maxEnv {
			led.gap("too many variables that programs get to see", tool.Span{})
			return false
		}
		return true
	})
	return env
}

// isHanded says whether a variable has a value that programs are handed if it is exported, and
// that they do not know by themselves.
func (v *variable) isHanded(name string) bool {
	return !v.unset && len(v.words) > 0 && v.attrs&(isArray|isAssoc) == 0 && name != "OLDPWD"
}

// maxEnv bounds the variables of a script that programs get to see.
const maxEnv = 64

// prefixes reads the assignments in front of a command. Each sees those before it.
func (r *reader) prefixes(s *state, list []*syntax.Assign, inv *command.Invocation) {
	before := len(inv.Env)
	bear := len(list) > 1 && slices.ContainsFunc(list[1:], r.src.looks)
	for _, a := range list {
		as := r.prefix(s, a)
		if inv.Env = append(inv.Env, as); bear {
			if as.Name == "IFS" { // bash does not join with it yet
				as.Value = command.Word{}
			}
			s.hideBehind([]command.Assign{as}, frontDepth)
		}
	}
	if bear {
		s.bare("", inv.Env[before:])
	}
}

// looks says whether the value of an assignment is more than text, so that it may depend on those before it.
func (src *source) looks(a *syntax.Assign) bool {
	if a.Value == nil {
		return a.Array != nil
	}
	_, text := src.simple(a.Value)
	return !text
}

// prefix reads an assignment in front of a command.
func (r *reader) prefix(s *state, a *syntax.Assign) command.Assign {
	as := command.Assign{Append: a.Append, Prefix: true}
	if a.Name != nil {
		as.Name = a.Name.Value
	}
	as.Value = r.unsplit(s, a.Value, assigned)
	if a.Array != nil || a.Index != nil {
		r.gap("an array before a command", r.src.nodeSpan(a))
		as.Value = command.Word{}
	}
	if v := s.lookup(as.Name); v != nil && (v.vague || v.attrs&(integer|readonly|lowered|uppered) != 0) {
		as.Value = value.Lost(append([]command.Word{as.Value}, v.words...)...) // which shells heed in different ways
		r.abort(s)
	} else if fixed(as.Name) || isFixedInZsh(as.Name) {
		r.abort(s)
	}
	return as
}

// assignments runs a command that has no words left: its assignments change the
// shell, its redirections open files.
//
// Bash assigns first. Other shells open the files first, and what is assigned may read them;
// if one cannot be opened, they assign nothing.
func (r *reader) assignments(st *syntax.Stmt, c *syntax.CallExpr, s *state) []*state {
	var states []*state
	if len(c.Assigns) > 0 && slices.ContainsFunc(st.Redirs, opensMore) {
		states = append(states, s.fork().decide(false))
	}
	if len(c.Assigns) > 0 && slices.ContainsFunc(st.Redirs, bearsOnAssignments) {
		f, stdin := s.fork(), s.stdin
		if red := r.opened(st, c, f); red.reads {
			f.stdin = red.stdin
		}
		r.assignAll(f, c.Assigns)
		f.stdin = stdin
		states = append(states, f.ended())
	}
	r.assignAll(s, c.Assigns)
	if len(st.Redirs) > 0 {
		r.opened(st, c, s)
	}
	s.ended()
	if e, is := makesTemporary(r.lib, st, s); is {
		if told := e.told(s); told != nil {
			return append(states, told...)
		}
	}
	return append(states, s)
}

func (r *reader) assignAll(s *state, list []*syntax.Assign) {
	for _, a := range list {
		r.assignNode(s, a, 0)
	}
}

// bearsOnAssignments says whether it matters that a redirection comes before or after
// assignments: it is not one of the output to a file that the script names.
func bearsOnAssignments(rd *syntax.Redirect) bool {
	if rd.N != nil && rd.N.Value != "1" && rd.N.Value != "2" || rd.Word.Lit() == "" {
		return true
	}
	switch rd.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.DplOut:
		return false
	}
	return true
}

// opensMore says whether a redirection may fail, by its words alone: they are not expanded yet.
func opensMore(rd *syntax.Redirect) bool { return rd.Word.Lit() != "/dev/null" }

// opened carries out the redirections of a command that has no words.
func (r *reader) opened(st *syntax.Stmt, c *syntax.CallExpr, s *state) redirection {
	inv := r.invocation(s, st, nil)
	inv.Output = command.Data{Reach: tool.Exact}
	red := r.redirects(s, st.Redirs, inv)
	if red.reads && len(c.Args) == 0 && len(c.Assigns) == 0 {
		takesRest(&r.ledger, red.stdin, inv.Span)
		// $(<file) prints the file.
		if inv.Output = red.stdin; red.stdin.None {
			inv.Output = command.Data{Taint: red.stdin.Taint} // whatever somebody types
		}
		inv.Output = inv.Output.Perhaps() // the file may not be there; sh prints nothing, nor does bash but for a substitution that is just that
	}
	if r.world.Zsh && !red.reads && (red.file != "" || !s.stdin.None) && len(c.Assigns) == 0 {
		takesRest(&r.ledger, s.stdin, inv.Span)
		inv.Output = s.copiesInput()
	}
	r.deliver(s, inv, red)
	showsItself(&r.ledger, s, inv)
	r.list1(inv)
	return red
}

// copiesInput is what a redirection without a command prints: nothing or, in zsh, what comes in.
func (s *state) copiesInput() command.Data {
	switch {
	case s.stdin.None: // whatever somebody types
		return command.Data{Taint: s.stdin.Taint | command.FromFile}
	case s.stdin.IsEmpty():
		return command.Data{Reach: tool.Exact}
	}
	return command.Data{Taint: s.stdin.Taint}
}

// given is what is assigned, expanded.
type given struct {
	word  command.Word
	array elements
}

// elements are those of an array that is assigned as a whole.
type elements struct {
	words
	keys          []string
	open, indexed bool
}

// assignNode carries out one assignment of the script, with further attributes.
func (r *reader) assignNode(s *state, a *syntax.Assign, attrs attributes) {
	if a.Name != nil {
		r.assignGiven(s, a, r.expandAssign(s, a, attrs, s.lookup(a.Name.Value)), attrs)
	}
}

// expandAssign expands what is assigned to a variable.
func (r *reader) expandAssign(s *state, a *syntax.Assign, attrs attributes, v *variable) (g given) {
	if a.Array != nil {
		if s.isPosix() {
			r.quit(s) // it cannot be read
		}
		if r.src.glued(a.Array) {
			r.gap("an array with text appended to it", r.src.nodeSpan(a))
		}
		if v == nil && a.Append { // the value that it comes with stays the first element
			w, _ := r.inherited(s, a.Name.Value)
			w.Hollow = true
			v = &variable{words: []command.Word{w}, loose: 1}
		}
		g.array = r.expandArray(s, a.Array, a.Append, attrs, v)
		return g
	}
	g.word = r.unsplit(s, a.Value, assigned)
	g.word.Glob = g.word.Glob && g.word.Reach == tool.Exact
	if r.src.disk && command.SecretName(a.Name.Value) {
		g.word.Taint |= command.FromSecret // nobody has seen it, as the script would show it
	}
	return g
}

// assignGiven assigns what has been expanded.
func (r *reader) assignGiven(s *state, a *syntax.Assign, g given, attrs attributes) {
	name, span, w := a.Name.Value, r.src.nodeSpan(a), g.word
	switch {
	case a.Array != nil:
		r.assignArray(s, name, a.Array, g.array, attrs)
		return
	case a.Index != nil:
		r.assignElement(s, name, a.Index, w, a.Append)
		return
	}
	if attrs != 0 && !r.full(s, name, span) {
		v := s.variable(name)
		v.attrs |= attrs
		s.export(v)
	}
	if a.Append {
		if v := s.lookup(name); v != nil && v.attrs&(isArray|isAssoc) != 0 {
			v = s.variable(name)
			v.words = append([]command.Word{w}, v.words...)
			v.blur()
			return
		}
		w = r.added(s, name, w, span)
	}
	r.assign(s, name, w, span)
}

// added is the value that += gives a variable that is not an array. Shells that know nothing beyond
// the standard take that for the name of a program.
func (led *ledger) added(s *state, name string, w command.Word, span tool.Span) command.Word {
	sum := led.sum(s, name, w, span)
	if s.opts&optPosix != 0 {
		old, _ := led.scalar(s, name)
		return sum.Join(old)
	}
	return sum
}

// sum is the value of a variable with another one added to it.
func (led *ledger) sum(s *state, name string, w command.Word, span tool.Span) command.Word {
	old, set := led.scalar(s, name)
	switch v := s.lookup(name); {
	case v != nil && v.attrs&integer != 0 && led.world.Zsh && writesBase(w.Text):
		led.evaluate(s, w, false, 0)
		s.variable(name).takeBase()
		return command.Word{Span: w.Span}
	case v != nil && v.attrs&integer != 0:
		return numberWord(calculate(syntax.Add, led.evaluate(s, old, false, 0), led.evaluate(s, w, false, 0)))
	case set != failed:
		return led.concat(old, w, span)
	}
	return w
}

// glued says whether a word goes on behind the parenthesis that closes an array:
// the parser begins a new word or a comment there, bash does not.
func (src *source) glued(a *syntax.ArrayExpr) bool {
	at := int(a.Rparen.Offset()) + 1
	return at < len(src.text) && strings.IndexByte(" \t\n;&|)<>`", src.text[at]) < 0
}

// special notes a variable that means something to the shell: whoever writes to it
// changes more than a value. It is asked wherever one is written to, however.
func (led *ledger) special(s *state, name string, w command.Word, span tool.Span) {
	switch {
	case name == "RANDOM", name == "OPTIND", name == "SRANDOM", name == "HISTCMD":
		led.refuseSh(s)
		led.evaluate(s, withSpan(w, span), false, 0)
	case isNumberInZsh(name):
		led.zshNumber(s, withSpan(w, span))
	}
	if isFixedInZsh(name) {
		led.refuseZsh(s)
	}
	if other := tiedTo(name); other != "" && led.world.Zsh && (s.lookup(other) != nil || w.Taint&command.FromSecret != 0) {
		v := s.variable(other)
		v.words = append([]command.Word{w}, v.words...)
		v.forget()
	}
	if isShownByShell(name) {
		led.reveals(w, span)
	}
	if why := changedBy(name, w); why != "" {
		led.gap(why, span)
	} else if name == "HISTFILESIZE" && led.world.Getenv != nil {
		if file, _ := led.world.Getenv("HISTFILE"); file != "" {
			led.gap("an assignment by which bash cuts a file: "+name, span)
		}
	} else if isNumber(name) {
		led.noName(span)
	}
	if v := s.lookup(name); !led.full(s, name, span) && v != nil && v.attrs&nameref != 0 {
		led.gap("an assignment through a name reference", span)
	}
}

// isShownByShell says whether a shell may show the value of a variable without being asked to: it says how long a command
// took, warns of a locale or a directory that is not there, or asks for a choice.
func isShownByShell(name string) bool {
	switch name {
	case "TIMEFORMAT", "TIMEFMT", "LANG", "PS3", "PWD", "OLDPWD":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

// isFixedInZsh says whether zsh does not let a script assign to a variable, or only to root.
func isFixedInZsh(name string) bool {
	switch name {
	case "status", "ARGC", "GID", "EGID", "UID", "EUID", "HISTCMD", "LINENO", "PPID", "TTYIDLE", "funcstack", "functrace", "funcfiletrace", "funcsourcetrace",
		"history", "historywords", "parameters", "jobdirs", "jobstates", "jobtexts", "keymaps", "userdirs", "nameddirs", "usergroups", "errnos", "sysparams",
		"pipestatus", "signals", "dirstack", "reswords", "patchars", "widgets", "zsh_eval_context", "ZSH_EVAL_CONTEXT", "ZSH_SUBSHELL", "zsh_scheduled_events", "commands", "modules", "terminfo", "termcap",
		"aliases", "galiases", "saliases", "builtins", "functions", "functions_source", "options", "dis_aliases", "dis_builtins", "dis_functions", "dis_functions_source", "dis_galiases",
		"dis_patchars", "dis_reswords", "dis_saliases":
		return true
	}
	return false
}

// tiedTo is the variable that zsh gives a new value together with another one; "" if there is none.
func tiedTo(name string) string {
	switch upper := strings.ToUpper(name); upper {
	case "WATCH", "FIGNORE", "MAILPATH", "MODULE_PATH", "PSVAR", "FPATH", "MANPATH", "CDPATH", "PATH", "ZSH_EVAL_CONTEXT":
		if name != upper {
			return upper
		}
		return strings.ToLower(name)
	}
	return ""
}

// changedBy says what an assignment to a variable changes beside its value; "" if nothing.
func changedBy(name string, w command.Word) string {
	switch name {
	case "BASH_CMDS", "BASH_ALIASES", "DIRSTACK", "functions", "commands", "aliases", "galiases", "saliases", "builtins", "dis_functions", "options", "modules",
		"_OLD_VIRTUAL_PATH", "_OLD_VIRTUAL_PYTHONHOME", "_OLD_VIRTUAL_PS1": // with which a Python environment is left
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
		if !w.IsKnown() || !ascii(w.Text) { // bash divides even "${a[@]}" at the bytes of a letter
			return "field separators known only at run time"
		}
	case "HISTFILE", "HOSTFILE":
		if w.Text != "/dev/null" && w.Text != "" || !w.IsKnown() {
			return "a variable by which the shell changes or shows a file: " + name
		}
	case "BASH_ARGV0":
		return "an assignment to $0"
	case "argv", "dirstack":
		return "zsh assigns to its parameters or directories"
	}
	return ""
}

// full says whether a variable would be one too many to follow.
func (n *notes) full(s *state, name string, span tool.Span) bool {
	if s.vars.size() <= maxVars || s.lookup(name) != nil {
		return false
	}
	n.gap("too many variables", span)
	return true
}

// fixed says whether bash does not let a script assign to a variable.
func fixed(name string) bool {
	switch name {
	case "UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO", "BASHPID", "FUNCNAME", "GROUPS", "LINENO", "BASH_ARGV0":
		return true
	}
	return false
}

// barred says whether an assignment to a variable may fail, in which case the rest
// of the line may not be run either.
func (led *ledger) barred(s *state, name string) bool {
	if v := s.lookup(name); fixed(name) || v != nil && v.attrs&readonly != 0 {
		led.strand(s)
		return true
	}
	return false
}

// refuses says whether a shell may take an assignment to a name for an error: it is no name, or that of a variable
// that is read-only or may be.
func refuses(led *ledger, s *state, name string) bool {
	if !isName(name) {
		led.abort(s)
		return true
	}
	return fixed(name) || led.world.Zsh && isFixedInZsh(name) || s.lookup(name).resists()
}

// assign gives a variable a value, as far as its attributes let it.
func (led *ledger) assign(s *state, name string, w command.Word, span tool.Span) {
	if led.special(s, name, w, span); led.full(s, name, span) {
		return
	}
	v := s.lookup(name)
	switch {
	case led.barred(s, name):
		if led.perhapsAssign(s, name, w); fixed(name) { // or goes on by itself
			s.variable(name).forget()
		}
		return
	case v == nil || v.attrs == 0:
	case v.vague && v.attrs&(integer|lowered|uppered|isArray|isAssoc) != 0:
		led.evaluate(s, withSpan(w, span), false, 0)
		v = s.variable(name)
		v.words = append([]command.Word{w}, v.words...)
		v.forget()
		return
	case v.attrs&integer != 0:
		n := led.evaluate(s, withSpan(w, span), false, 0)
		if led.world.Zsh && writesBase(w.Text) {
			s.variable(name).takeBase()
			return
		}
		w = numberWord(n)
	}
	if v != nil && v.attrs&(isArray|isAssoc) != 0 {
		if v = s.variable(name); led.world.Zsh { // which makes one value of it
			v.words = append([]command.Word{w}, v.words...)
			v.blur()
			return
		}
		v.setFirst(w)
		return
	}
	if v != nil {
		w = v.cased(w)
	}
	s.set(name, w)
}

// perhapsAssign gives a variable a value that it may not take.
func (here *site) perhapsAssign(s *state, name string, w command.Word) {
	old, _ := here.scalar(s, name)
	v := s.variable(name)
	if v.attrs&(isArray|isAssoc) != 0 {
		v.blur()
		return
	}
	v.words, v.keys, v.unset = []command.Word{w.Join(old)}, nil, false
}

// setFirst gives an array a value without a subscript, which is that of its first element.
func (v *variable) setFirst(w command.Word) {
	if len(v.words) > 0 && v.keys == nil && v.loose != 1 && v.attrs&isAssoc == 0 {
		v.words = append([]command.Word(nil), v.words...)
		v.words[0] = v.cased(w)
		v.unset = false
		return
	}
	v.words = append([]command.Word{w}, v.words...)
	v.blur()
}

// assignArrayWords makes a variable an array of words.
func (led *ledger) assignArrayWords(s *state, name string, list []command.Word, span tool.Span) *variable {
	led.special(s, name, value.Lost(list...), span)
	refused := led.barred(s, name)
	if led.full(s, name, span) {
		return &variable{}
	}
	v := s.variable(name)
	if v.attrs&integer != 0 {
		led.evaluateEach(s, list, span)
		v = s.variable(name)
	}
	for i := range list {
		list[i] = casedElement(&led.site, v, list[i])
	}
	if refused || v.vague || v.attrs&isAssoc != 0 {
		v.words = append(list, v.words...)
		v.attrs |= isArray
		v.blur()
		return v
	}
	v.words, v.keys, v.open, v.unset, v.loose = list, nil, false, false, 0
	v.attrs |= isArray
	if len(list) > maxElems {
		v.blur()
	}
	return s.export(v)
}

// evaluateEach makes numbers of the elements of an array of integers.
func (led *ledger) evaluateEach(s *state, list []command.Word, span tool.Span) {
	for i := range list {
		list[i] = numberWord(led.evaluate(s, withSpan(list[i], span), false, 0))
	}
}

func withSpan(w command.Word, span tool.Span) command.Word {
	w.Span = span
	return w
}

// assignElement assigns to one element of an array.
func (r *reader) assignElement(s *state, name string, index syntax.ArithmExpr, w command.Word, add bool) {
	if s.isPosix() {
		r.gap("an assignment to an element, which is the name of a program where sh has no arrays", r.src.nodeSpan(index))
	}
	r.special(s, name, w, r.src.nodeSpan(index))
	key, sure := r.subscript(s, s.lookup(name), index)
	if !sure || !s.lookup(name).has(key) || r.barred(s, name) {
		r.strand(s) // bash gives up on the line if there is no such element
		sure = false
	}
	if r.full(s, name, r.src.nodeSpan(index)) {
		return
	}
	v := s.variable(name)
	if v.attrs&isAssoc == 0 {
		v.attrs |= isArray
	}
	if v.attrs&integer != 0 {
		n := r.evaluate(s, withSpan(w, r.src.nodeSpan(index)), false, 0)
		if add {
			n, add = calculate(syntax.Add, numberAt(&r.ledger, s, name, key, sure), n), false
		}
		w = numberWord(n)
		v = s.variable(name)
	}
	if !sure || r.world.Zsh && v.attrs&isAssoc == 0 { // zsh counts from one
		r.refuseZsh(s)
		v.words = append([]command.Word{w}, v.words...)
		v.blur()
		return
	}
	v.setElement(key, casedElement(&r.site, v, w), add)
}

// numberAt is the number that an element of an array of integers holds: 0 if there is none.
func numberAt(led *ledger, s *state, name, key string, sure bool) number {
	old := s.lookup(name).at(key, led.world.Zsh)
	switch {
	case !sure || old.set == unknown:
		return number{}
	case old.set == failed:
		return number{0, true}
	}
	return led.evaluate(s, old.words[0], false, 0)
}

// has says whether a variable is sure to have a place for an element with a key: an index
// that counts from the end may lead before the first.
func (v *variable) has(key string) bool {
	negative := strings.HasPrefix(key, "-")
	if v == nil {
		return !negative
	}
	return !v.vague && (!negative || v.attrs&isAssoc != 0)
}

// setElement gives an element of an array a value, or adds to it.
func (v *variable) setElement(key string, w command.Word, add bool) {
	if v.uncertain(key) {
		v.words = append([]command.Word{w}, v.words...)
		v.blur()
		return
	}
	words := append([]command.Word(nil), v.words...)
	if i := v.find(key); i >= 0 {
		if add {
			w = words[i].Concat(w)
		}
		words[i] = w
		v.words = words
		return
	}
	keys := append([]string(nil), v.keys...)
	if keys == nil {
		for i := range words {
			keys = append(keys, numberWord(number{int64(i), true}).Text)
		}
	}
	if v.unset {
		words, keys, v.unset = nil, nil, false
	}
	if len(words) >= maxElems {
		v.words = append(words, w)
		v.blur()
		return
	}
	v.words, v.keys = append(words, w), append(keys, key)
	if v.attrs&isAssoc == 0 && isNumber(key) {
		v.sort()
	}
}

// cased is a value as the attributes for upper and lower case change it.
func (v *variable) cased(w command.Word) command.Word {
	if v.attrs&(lowered|uppered) == 0 {
		return w
	}
	if both := lowered | uppered; !w.IsKnown() || !ascii(w.Text) || v.attrs&both == both { // which cancel each other, or the last counts
		return command.Word{Taint: w.Taint, Plain: w.IsPlain(), Hollow: mayBeEmpty(w)}
	}
	if w.At = 0; v.attrs&lowered != 0 {
		w.Text = strings.ToLower(w.Text)
	} else {
		w.Text = strings.ToUpper(w.Text)
	}
	return w
}

// casedElement is cased for an element of an array, which zsh leaves as it is.
func casedElement(here *site, v *variable, w command.Word) command.Word {
	if here.world.Zsh {
		return w.Join(v.cased(w))
	}
	return v.cased(w)
}

// order sorts the elements of an indexed array; of two with one index the later
// stays. Those of other arrays have no order, or are in it.
func (v *variable) order() {
	if v.keys == nil || v.attrs&isAssoc != 0 {
		return
	}
	words, keys := v.words, v.keys
	v.words, v.keys = nil, nil
	for i, k := range keys {
		v.keys, v.words = append(v.keys, k), append(v.words, words[i])
		v.sort()
	}
	for i := 0; i+1 < len(v.keys); i++ {
		if v.keys[i] == v.keys[i+1] {
			v.keys, v.words = append(v.keys[:i], v.keys[i+1:]...), append(v.words[:i], v.words[i+1:]...)
			i--
		}
	}
}

// blur forgets which elements an array has.
func (v *variable) blur() {
	v.words, v.keys, v.open, v.unset = []command.Word{hollowed(v.words...)}, nil, true, false
}

// sort puts the last element of an indexed array in its place.
func (v *variable) sort() {
	less := func(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b }
	for i := len(v.keys) - 1; i > 0 && less(v.keys[i], v.keys[i-1]); i-- {
		v.keys[i], v.keys[i-1] = v.keys[i-1], v.keys[i]
		v.words[i], v.words[i-1] = v.words[i-1], v.words[i]
	}
}

// expandArray expands the elements of an array that is assigned to a variable.
func (r *reader) expandArray(s *state, a *syntax.ArrayExpr, add bool, attrs attributes, v *variable) (g elements) {
	if v != nil {
		attrs |= v.attrs & isAssoc
	}
	if add {
		g.keep(v)
	}
	assoc := attrs&isAssoc != 0
	g.indexed = g.keys != nil
	before, computed := s.vars, false
	for _, e := range a.Elems {
		if e.Index == nil {
			if g.open = g.open || g.indexed || assoc; assoc {
				r.refuseZsh(s)
			}
			r.fields(s, e.Value, element, &g.words)
			continue
		}
		g.index()
		key, sure := listedSubscript(r, s, attrs, v, e.Index)
		computed = computed || !assoc && !isConstantNumber(e.Index)
		if !assoc && (!sure || key == "0" || !isPlainNumber(key)) { // zsh counts from 1
			r.refuseZsh(s)
		}
		w := r.value(s, e.Value)
		if e.Value != nil && slices.ContainsFunc(e.Value.Parts, isParticular) {
			g.open, w = true, value.Lost(w)
		}
		if !sure || strings.HasPrefix(key, "-") && !assoc {
			r.reveals(w, r.src.nodeSpan(e.Index)) // in the complaint about such an index
			g.list = append(g.list, w)
			g.open = true
			continue
		}
		i, same := findKey(g.keys, key)
		if g.open = g.open || !same; i >= 0 && len(g.keys) == len(g.list) && same {
			g.list[i] = w
			continue
		}
		g.keys, g.list = append(g.keys, key), append(g.list, w)
	}
	if computed && s.vars != before {
		r.gap("subscripts in a list that changes variables", r.src.nodeSpan(a)) // bash expands all elements before it evaluates them
	}
	return g
}

// isConstantNumber says whether a subscript is written as a number.
func isConstantNumber(index syntax.ArithmExpr) bool {
	w, ok := index.(*syntax.Word)
	return ok && isNumber(w.Lit())
}

// listedSubscript evaluates the subscript of an element in a list.
func listedSubscript(r *reader, s *state, attrs attributes, v *variable, index syntax.ArithmExpr) (string, bool) {
	if attrs&isAssoc != 0 {
		key, sure := subscriptKey(r, s, index, true)
		return key, !v.counts(r, s, index) && sure
	}
	return r.subscript(s, nil, index)
}

// isParticular says whether a part of an element with a subscript has braces, which bash expands over the whole, or
// a tilde, which counts in some places.
func isParticular(p syntax.WordPart) bool {
	l, ok := p.(*syntax.Lit)
	return ok && strings.ContainsAny(l.Value, "{~")
}

// keep begins with the elements that a variable has already.
func (g *elements) keep(v *variable) {
	if v != nil && !v.unset {
		g.list, g.keys, g.open, g.loose = append(g.list, v.words...), append(g.keys, v.keys...), v.open, v.loose
	}
}

// index gives the elements so far their keys, if they have none.
func (g *elements) index() {
	if g.indexed {
		return
	}
	g.indexed, g.open = true, g.open || g.loose > 0
	for i := range g.list {
		g.keys = append(g.keys, numberWord(number{int64(i), true}).Text)
	}
}

// assignArray assigns a whole array.
func (led *ledger) assignArray(s *state, name string, a *syntax.ArrayExpr, g elements, attrs attributes) {
	if v := s.lookup(name); v != nil {
		attrs |= v.attrs & (integer | isAssoc)
	}
	if name == "PATH" {
		led.gap("a change to what command names mean", led.src.nodeSpan(a))
	}
	if attrs&integer != 0 {
		led.evaluateEach(s, g.list, led.src.nodeSpan(a))
	}
	for i := range g.list {
		g.list[i] = casedElement(&led.site, &variable{attrs: attrs}, g.list[i])
	}
	v := led.assignArrayWords(s, name, g.list, led.src.nodeSpan(a))
	if attrs&isAssoc != 0 {
		v.attrs = v.attrs&^isArray | isAssoc
	}
	v.attrs |= attrs &^ (isArray | isAssoc)
	if v = s.export(v); v.open {
		return
	}
	if g.open || g.indexed && len(g.keys) != len(g.list) {
		v.blur()
		return
	}
	v.keys, v.loose = g.keys, g.loose
	if v.order(); led.world.Zsh && g.indexed && v.attrs&isAssoc == 0 && !isDense(a, v.keys) {
		v.blur()
	}
}

// isDense says whether an array with subscripts has the same elements in zsh, which counts from 1 and puts empty ones where
// there are none, or none there because it does not take the first.
func isDense(a *syntax.ArrayExpr, keys []string) bool {
	if len(keys) != len(a.Elems) || slices.ContainsFunc(a.Elems, func(e *syntax.ArrayElem) bool { return e.Index == nil }) {
		return false
	}
	for i := range keys {
		if n := int64(i); keys[i] != numberWord(number{n, true}).Text && keys[i] != numberWord(number{n + 1, true}).Text {
			return false
		}
	}
	return true
}
