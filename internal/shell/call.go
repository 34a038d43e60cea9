package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"

	"mvdan.cc/sh/v3/syntax"
)

// call runs a simple command in one state.
func (r *reader) call(st *syntax.Stmt, c *syntax.CallExpr, s *state) []*state {
	if r.spend() {
		return []*state{s}
	}
	r.substituted, r.loose = false, 0
	words := make([]command.Word, 0, len(c.Args)+1)
	r.args = true
	for _, w := range c.Args {
		words = r.fields(s, w, words)
	}
	r.args = false
	if len(words) == 0 {
		return r.assignments(st, c, s)
	}
	inv := r.invocation(s, st, words)
	loose := r.loose
	red := r.redirects(s, st.Redirs, inv)
	for _, a := range c.Assigns {
		inv.Env = append(inv.Env, r.prefix(s, a))
	}
	r.loose = loose
	if len(c.Args) > 0 {
		if lit := c.Args[0].Lit(); lit != "" {
			if a := s.alias(lit); a != nil && !r.expanding(lit) {
				return r.expandAlias(st, c, s, a, inv)
			}
			if lit[0] == '=' || r.world.Zsh && differsInZsh(lit) {
				r.gap("zsh reads the word "+lit+" in another way", inv.Span)
			}
		}
	}
	return r.execute(st, inv, s, red, true)
}

// differsInZsh says whether a command name means something to zsh that it does
// not mean to bash.
func differsInZsh(name string) bool {
	switch name {
	case "repeat", "noglob", "nocorrect", "-", "foreach", "always", "end", "setopt", "unsetopt", "emulate", "zmodload", "autoload":
		return true
	}
	return name[0] == '{'
}

// invocation starts one with what the shell knows of it.
func (r *reader) invocation(s *state, st *syntax.Stmt, words []command.Word) *command.Invocation {
	return &command.Invocation{
		Words: words, Dir: s.dir, Env: r.environment(s), Stdin: s.stdin, Span: r.stmtSpan(st),
		Pipeline: r.pipe, Stage: r.stage, Via: r.via,
	}
}

// stmtSpan is the span of a statement without the operator that ends it.
func (r *reader) stmtSpan(st *syntax.Stmt) tool.Span {
	start := st.Position
	end := start
	if st.Cmd != nil {
		start = st.Cmd.Pos()
		end = st.Cmd.End()
	}
	for _, rd := range st.Redirs {
		if e := rd.Word.End(); e.After(end) {
			end = e
		}
		if rd.Pos().Offset() < start.Offset() {
			start = rd.Pos()
		}
	}
	return r.src.span(int(start.Offset()), int(end.Offset()))
}

// environment lists the variables of this script that programs get to see.
func (r *reader) environment(s *state) []command.Assign {
	var env []command.Assign
	for i := range s.vars {
		v := &s.vars[i]
		if v.unset || len(v.words) == 0 || v.attrs&(isArray|isAssoc) != 0 || v.name == "PWD" || v.name == "OLDPWD" {
			continue
		}
		if v.attrs&exported != 0 || r.inherited(v.name) {
			env = append(env, command.Assign{Name: v.name, Value: v.words[0]})
		}
	}
	return env
}

// inherited says whether a variable comes with the environment, so that
// assigning to it changes what programs see.
func (r *reader) inherited(name string) bool {
	switch name {
	case "PATH", "HOME", "SHELL", "TMPDIR", "EDITOR", "VISUAL", "PAGER", "LANG", "LD_LIBRARY_PATH", "PYTHONPATH", "NODE_OPTIONS", "BROWSER":
		return true
	}
	if r.world.Getenv != nil {
		_, ok := r.world.Getenv(name)
		return ok
	}
	return false
}

// prefix reads an assignment in front of a command.
func (r *reader) prefix(s *state, a *syntax.Assign) command.Assign {
	as := command.Assign{Append: a.Append, Prefix: true}
	if a.Name != nil {
		as.Name = a.Name.Value
	}
	as.Value = r.assigned(s, a.Value)
	if a.Array != nil || a.Index != nil {
		r.gap("an array in front of a command", r.nodeSpan(a))
		as.Value = command.Word{At: -1}
	}
	return as
}

// assignments runs a command that has no words left: its assignments change the
// shell, its redirections open files.
func (r *reader) assignments(st *syntax.Stmt, c *syntax.CallExpr, s *state) []*state {
	var red redirection
	if len(st.Redirs) > 0 {
		inv := r.invocation(s, st, nil)
		inv.Output = command.Data{Reach: tool.Exact, At: -1}
		red = r.redirects(s, st.Redirs, inv)
		if red.reads && len(c.Args) == 0 && len(c.Assigns) == 0 {
			// $(<file) prints the file.
			inv.Output = red.stdin
		}
		r.deliver(s, inv, red)
		r.list1(inv)
	}
	for _, a := range c.Assigns {
		r.assignNode(s, a, 0)
	}
	if !r.substituted {
		s.end(true)
	}
	if len(st.Redirs) > 0 {
		s.ended()
	}
	return []*state{s}
}

// list1 adds an invocation to the result.
func (r *reader) list1(inv *command.Invocation) {
	if r.remote {
		kept := inv.Effects[:0]
		for _, e := range inv.Effects {
			if !e.Kind.IsPath() {
				kept = append(kept, e)
			}
		}
		inv.Effects = kept
	}
	if r.project && len(inv.Gaps) > 0 {
		// What the project defines is its code, like the code it builds and tests.
		name := inv.Name
		if name == "" {
			name = "task"
		}
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "project:" + name, Reach: tool.Exact, Span: inv.Span})
		inv.Gaps = nil
	}
	r.invocations = append(r.invocations, inv)
}

// assignNode carries out one assignment of the script, with further attributes.
func (r *reader) assignNode(s *state, a *syntax.Assign, attrs attributes) {
	if a.Name == nil {
		return
	}
	name, span := a.Name.Value, r.nodeSpan(a)
	if a.Array != nil {
		if r.glued(a.Array) {
			r.gap("an array with something glued to its end", span)
		}
		r.assignArray(s, name, a.Array, a.Append, attrs)
		return
	}
	w := r.assigned(s, a.Value)
	w.Glob = w.Glob && w.Reach == tool.Exact
	if a.Index != nil {
		r.assignElement(s, name, a.Index, w, a.Append)
		return
	}
	if attrs != 0 {
		s.variable(name).attrs |= attrs
	}
	if a.Append {
		old, set := r.scalar(s, name)
		v := s.lookup(name)
		switch {
		case v != nil && v.attrs&(isArray|isAssoc) != 0:
			v = s.variable(name)
			v.open = true
			return
		case v != nil && v.attrs&integer != 0:
			w = numberWord(calculate(syntax.Add, r.evaluate(s, old, false, 0), r.evaluate(s, w, false, 0)))
		case set != failed:
			w = concat(old, w)
		}
	}
	r.assign(s, name, w, span)
}

// glued says whether a word goes on behind the parenthesis that closes an array:
// the parser begins a new word or a comment there, bash does not.
func (r *reader) glued(a *syntax.ArrayExpr) bool {
	at := int(a.Rparen.Offset()) + 1
	return at < len(r.src.text) && strings.IndexByte(" \t\n;&|)<>`", r.src.text[at]) < 0
}

// assign gives a variable a value, as far as its attributes let it.
func (r *reader) assign(s *state, name string, w command.Word, span tool.Span) {
	switch name {
	case "RANDOM", "OPTIND", "SRANDOM", "HISTCMD":
		r.evaluate(s, withSpan(w, span), false, 0)
	case "BASH_CMDS", "BASH_ALIASES", "DIRSTACK", "functions", "commands", "aliases":
		r.gap("a change to what command names mean", span)
	case "PROMPT_COMMAND", "PS0", "PS1", "PS2":
		if strings.ContainsAny(w.Text, "$`") || name == "PROMPT_COMMAND" || !w.IsKnown() {
			r.gap("a variable that the shell runs as code: "+name, span)
		}
	case "PS4":
		if strings.ContainsAny(w.Text, "$`") || !w.IsKnown() {
			r.gap("a variable that the shell runs as code: "+name, span)
		}
	case "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_LOADABLES_PATH", "EXECIGNORE", "GLOBIGNORE", "FPATH", "fpath", "path":
		r.gap("a variable that changes how the shell reads commands: "+name, span)
	case "IFS":
		if r.world.Zsh && !w.IsKnown() {
			r.gap("field separators that are not known", span)
		}
	}
	v := s.lookup(name)
	if v != nil && v.attrs != 0 {
		switch {
		case v.attrs&readonly != 0:
			if !v.unset {
				return
			}
		case v.attrs&nameref != 0 && len(v.words) == 1 && !v.unset:
			target := v.words[0]
			if !target.IsKnown() || !isName(target.Text) || target.Text == name {
				r.gap("an assignment through a name that is not known", span)
				return
			}
			name = target.Text
		case v.attrs&integer != 0:
			w = numberWord(r.evaluate(s, withSpan(w, span), false, 0))
		case v.attrs&(isArray|isAssoc) != 0:
			v = s.variable(name)
			if len(v.words) > 0 && v.keys == nil {
				v.words = append([]command.Word(nil), v.words...)
				v.words[0] = w
			} else {
				v.open = true
			}
			v.unset = false
			return
		case v.attrs&(lowered|uppered) != 0 && w.IsKnown():
			if w.At = -1; v.attrs&lowered != 0 {
				w.Text = strings.ToLower(w.Text)
			} else {
				w.Text = strings.ToUpper(w.Text)
			}
		}
	}
	s.set(name, w)
}

func withSpan(w command.Word, span tool.Span) command.Word {
	w.Span = span
	return w
}

// assignElement assigns to one element of an array.
func (r *reader) assignElement(s *state, name string, index syntax.ArithmExpr, w command.Word, add bool) {
	if name == "BASH_CMDS" || name == "BASH_ALIASES" || name == "functions" || name == "commands" || name == "aliases" {
		r.gap("a change to what command names mean", r.nodeSpan(index))
	}
	key, sure := r.subscript(s, s.lookup(name), index)
	v := s.variable(name)
	if v.attrs&isAssoc == 0 {
		v.attrs |= isArray
	}
	if v.attrs&integer != 0 {
		w = numberWord(r.evaluate(s, withSpan(w, r.nodeSpan(index)), false, 0))
		v = s.variable(name)
	}
	if !sure {
		v.blur()
		return
	}
	words := append([]command.Word(nil), v.words...)
	if i := v.find(key); i >= 0 {
		if add {
			w = concat(words[i], w)
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
	if len(words) > 4<<10 {
		v.open = true
		return
	}
	v.words, v.keys = append(words, w), append(keys, key)
	if v.attrs&isAssoc == 0 && isNumber(key) {
		v.sort()
	}
}

// order sorts the elements of an indexed array; of two with one index the later
// stays.
func (v *variable) order() {
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
	v.words, v.keys, v.open, v.unset = []command.Word{nothing(v.words)}, nil, true, false
}

// sort puts the last element of an indexed array in its place.
func (v *variable) sort() {
	less := func(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b }
	for i := len(v.keys) - 1; i > 0 && less(v.keys[i], v.keys[i-1]); i-- {
		v.keys[i], v.keys[i-1] = v.keys[i-1], v.keys[i]
		v.words[i], v.words[i-1] = v.words[i-1], v.words[i]
	}
}

// assignArray assigns a whole array.
func (r *reader) assignArray(s *state, name string, a *syntax.ArrayExpr, add bool, attrs attributes) {
	assoc := attrs&isAssoc != 0
	if v := s.lookup(name); v != nil {
		assoc = assoc || v.attrs&isAssoc != 0
		if v.attrs&integer != 0 {
			attrs |= integer
		}
	}
	if name == "path" || name == "PATH" || name == "BASH_CMDS" || name == "BASH_ALIASES" {
		r.gap("a change to what command names mean", r.nodeSpan(a))
	}
	var words []command.Word
	var keys []string
	open := false
	if v := s.lookup(name); add && v != nil && !v.unset {
		words, keys, open = append(words, v.words...), append(keys, v.keys...), v.open
	}
	indexed := keys != nil
	r.loose = 0
	if v := s.lookup(name); add && v != nil {
		r.loose = v.loose
	}
	for _, e := range a.Elems {
		if e.Index == nil && !indexed && !assoc {
			words = r.fields(s, e.Value, words)
			continue
		}
		if e.Index == nil {
			if assoc {
				r.fields(s, e.Value, nil)
			} else {
				words = r.fields(s, e.Value, words)
			}
			open = true
			continue
		}
		if !indexed {
			indexed = true
			for i := range words {
				keys = append(keys, numberWord(number{int64(i), true}).Text)
			}
		}
		probe := variable{attrs: attrs}
		if assoc {
			probe.attrs |= isAssoc
		}
		key, sure := r.subscript(s, &probe, e.Index)
		w := r.value(s, e.Value)
		if !sure {
			open = true
			continue
		}
		keys, words = append(keys, key), append(words, w)
	}
	if attrs&integer != 0 {
		for i := range words {
			words[i] = numberWord(r.evaluate(s, withSpan(words[i], r.nodeSpan(a)), false, 0))
		}
	}
	if !indexed || len(keys) != len(words) {
		open = open || indexed
		keys = nil
	}
	v := s.variable(name)
	v.words, v.keys, v.open, v.unset, v.loose = words, keys, open, false, r.loose
	if keys != nil && !assoc {
		v.order()
	}
	v.attrs |= attrs | isArray
	if assoc {
		v.attrs = v.attrs&^isArray | isAssoc
	}
	if s.opts&optAllexport != 0 {
		v.attrs |= exported
	}
}

// execute runs an invocation: a function, a builtin of the shell, or a program.
func (r *reader) execute(st *syntax.Stmt, inv *command.Invocation, s *state, red redirection, functions bool) []*state {
	first := inv.Words[0]
	if !first.IsKnown() {
		if r.external(st, inv, s, red); len(inv.Gaps) == 0 {
			inv.Gaps = append(inv.Gaps, command.Gap{Why: "which program this runs is not known", Span: first.Span})
		}
		return []*state{s.ended()}
	}
	name := first.Text
	if functions {
		if f := s.function(name); f != nil {
			return r.callFunction(st, f, inv, s, red)
		}
	}
	if states, ok := r.builtin(st, name, inv, s, red); ok {
		return states
	}
	r.external(st, inv, s, red)
	if strings.IndexByte(name, '/') < 0 {
		if f := s.function("command_not_found_handle"); f != nil {
			r.gap("a function that runs for unknown commands", inv.Span)
			r.callFunction(st, f, inv, s.fork(), redirection{})
		}
	}
	s.ended()
	if len(inv.Redirects) > 0 {
		return []*state{s} // they may fail
	}
	switch name {
	case "true", "echo", "pwd":
		s.end(true)
	case "false":
		s.end(false)
	}
	return []*state{s}
}

// external reads an invocation with the library and takes over what it does to
// the state.
func (r *reader) external(st *syntax.Stmt, inv *command.Invocation, s *state, red redirection) {
	if old := r.knownIn(st, inv, s); old != nil {
		*inv = *old
		r.wrote(s, inv, red)
		r.deliver(s, inv, red)
		return
	}
	effects, gaps := inv.Effects, inv.Gaps
	inv.Effects, inv.Gaps = nil, nil
	r.lib.Read(inv, r.world)
	inv.Effects = append(inv.Effects, effects...)
	inv.Gaps = append(inv.Gaps, gaps...)
	switch inv.Output.Reach {
	case tool.Exact:
		inv.Output = r.printed(inv)
	case tool.Prefix:
		// A word that is not known may be none, and have no blank before it.
		inv.Output.Text = strings.TrimRight(inv.Output.Text, " ")
	}
	r.throughLinks(s, inv)
	r.list1(inv)
	r.rememberIn(st, inv, s)
	for i := range inv.Runs {
		d := r.nested(st, inv, s, &inv.Runs[i])
		if len(inv.Runs) == 1 && inv.Output.Reach == tool.Anywhere && !inv.Output.Plain && !inv.Output.None {
			d.Taint |= inv.Output.Taint
			inv.Output = d
		}
	}
	r.wrote(s, inv, red)
	r.deliver(s, inv, red)
}

// printed is what an invocation prints if its words are taken for what they are:
// a pattern among them stands for names that are not known.
func (r *reader) printed(inv *command.Invocation) command.Data {
	for i, w := range inv.Words {
		if !w.Glob {
			continue
		}
		d := command.Data{At: -1, Taint: inv.Output.Taint | w.Taint}
		if i == 1 && len(inv.Words) == 2 && inv.Output.Text != "" && !climbs(w.Text) {
			d.Text, d.Reach = globDir(w.Text), tool.Under
		}
		if inv.Output.Text == "" {
			return inv.Output
		}
		return d
	}
	return inv.Output
}

// record is an invocation that has been read, and the files there were then.
type record struct {
	*command.Invocation
	files []file
}

// knownIn is known for invocations that may run files the script has written.
func (r *reader) knownIn(st *syntax.Stmt, inv *command.Invocation, s *state) *command.Invocation {
	old := r.known(st, inv)
	if old == nil || len(old.Runs) == 0 {
		return old
	}
	for _, rec := range r.seen[st] {
		if rec.Invocation == old && sameSlice(rec.files, s.files, sameFile) {
			return old
		}
	}
	return nil
}

// known returns an equal invocation of the same node, if it has run before.
func (r *reader) known(st *syntax.Stmt, inv *command.Invocation) *command.Invocation {
	if st == nil || r.seen == nil {
		return nil
	}
	for i := len(r.seen[st]) - 1; i >= 0; i-- {
		old := r.seen[st][i].Invocation
		if sameSlice(old.Words, inv.Words, sameWord) && sameWord(old.Dir, inv.Dir) && sameData(old.Stdin, inv.Stdin) &&
			sameSlice(old.Via, inv.Via, func(a, b string) bool { return a == b }) &&
			sameSlice(old.Redirects, inv.Redirects, func(a, b command.Redirect) bool {
				return a.Op == b.Op && a.Fd == b.Fd && sameWord(a.Target, b.Target)
			}) &&
			sameSlice(old.Env, inv.Env, func(a, b command.Assign) bool {
				return a.Name == b.Name && a.Append == b.Append && a.Prefix == b.Prefix && sameWord(a.Value, b.Value)
			}) {
			return old
		}
	}
	return nil
}

func (r *reader) remember(st *syntax.Stmt, inv *command.Invocation) { r.rememberIn(st, inv, nil) }

func (r *reader) rememberIn(st *syntax.Stmt, inv *command.Invocation, s *state) {
	if st == nil || !r.crowd && r.loops == 0 && r.depth == 0 {
		return
	}
	if r.seen == nil {
		r.seen = map[syntax.Node][]record{}
	}
	rec := record{Invocation: inv}
	if s != nil && len(s.files) > 0 {
		rec.files = append(rec.files, s.files...)
	}
	r.seen[st] = append(r.seen[st], rec)
}
