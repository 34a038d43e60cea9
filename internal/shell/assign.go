package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"

	"mvdan.cc/sh/v3/syntax"
)

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
		as.Value = command.Word{}
	}
	return as
}

// assignments runs a command that has no words left: its assignments change the
// shell, its redirections open files.
func (r *reader) assignments(st *syntax.Stmt, c *syntax.CallExpr, s *state) []*state {
	var red redirection
	if len(st.Redirs) > 0 {
		inv := r.invocation(s, st, nil)
		inv.Output = command.Data{Reach: tool.Exact}
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
			w = old.Concat(w)
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
		}
		if v != nil {
			w = v.cased(w)
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
	w = v.cased(w)
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
	if len(words) > 4<<10 {
		v.open = true
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
	if !w.IsKnown() {
		return command.Word{Taint: w.Taint, Plain: w.IsPlain()}
	}
	if w.At = 0; v.attrs&lowered != 0 {
		w.Text = strings.ToLower(w.Text)
	} else {
		w.Text = strings.ToUpper(w.Text)
	}
	return w
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
	v.words, v.keys, v.open, v.unset = []command.Word{value.Lost(v.words...)}, nil, true, false
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
	if name == "path" || name == "PATH" || name == "BASH_CMDS" || name == "BASH_ALIASES" || name == "fpath" || name == "argv" && r.world.Zsh {
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
	for i := range words {
		words[i] = v.cased(words[i])
	}
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
