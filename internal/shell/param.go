package shell

import (
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// looked is what a parameter holds before operators are applied.
type looked struct {
	words []command.Word
	list  bool   // "$@" and "${a[@]}": each element a word of its own
	star  bool   // "$*" and "${a[*]}"
	set   status // whether it has a value
	env   bool   // the script has not set it
	more  bool   // there may be elements beside words
	gaps  bool   // the elements have keys, or not every number has one
	loose int    // as in [state]
}

// indexOf returns "@" or "*" for ${a[@]} and ${a[*]}.
func indexOf(p *syntax.ParamExp) string {
	if w, ok := p.Index.(*syntax.Word); ok {
		if l := w.Lit(); l == "@" || l == "*" {
			return l
		}
	}
	return ""
}

// param expands one parameter expansion.
func (r *reader) param(s *state, p *syntax.ParamExp, quoted bool, m manner, out []piece) []piece {
	if p.Short && r.src.follows(int(p.End().Offset()), '[', ':') {
		r.gap("zsh reads a subscript or modifier after a variable", r.nodeSpan(p))
	}
	name := p.Param.Value
	if p.Names != 0 { // ${!prefix*}
		return append(out, piece{Word: command.Word{Plain: true}, quoted: quoted, split: !quoted})
	}
	var l looked
	switch {
	case p.Excl && indexOf(p) != "":
		l = r.keys(s, name, indexOf(p))
	case p.Excl:
		l = r.indirect(s, p, name)
	default:
		l = r.lookup(s, name, p.Index)
	}
	if p.Length {
		return append(out, r.length(l, quoted))
	}
	if p.Exp != nil {
		switch op := p.Exp.Op; op {
		case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
			syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
			return r.conditional(s, p, l, quoted, m, out)
		}
	}
	if l.set == failed {
		l.words = nil
	}
	if (name == "@" || name == "*") && p.Slice != nil { // counts from $0
		l.words = append([]command.Word{s.zero}, l.words...)
	}
	l = r.transform(s, p, l)
	if r.world.Zsh && p.Slice != nil && p.Slice.Offset != nil && r.src.follows(int(p.Slice.Offset.Pos().Offset())-1, 0, ':') {
		l.words = []command.Word{value.Lost(l.words...)} // a modifier, as in ${x:h}
	}
	from := len(out)
	out = emit(l, quoted, r.separator(s), out)
	if l.loose > 0 && (l.list || l.star) {
		for i := from; i < len(out); i++ {
			out[i].scattered = true
		}
	}
	if len(name) == 1 && strings.IndexByte("#?$-", name[0]) >= 0 && from < len(out) && p.Short {
		out[from].solid = true
	}
	return out
}

// emit turns the elements of a parameter into pieces.
func emit(l looked, quoted bool, sep command.Word, out []piece) []piece {
	words := l.words
	if l.more {
		words = append(words[:len(words):len(words)], value.Lost(words...))
	}
	if len(out)+len(words) > maxWords {
		return append(out, piece{Word: value.Lost(words...), split: true})
	}
	for i, w := range words {
		w.At = 0
		if i > 0 {
			if l.star && quoted && l.loose > 0 && i+1 >= l.loose {
				// An element that is none has no separator either.
				out = append(out, piece{Word: command.Word{}, quoted: true})
			} else if l.star && quoted {
				out = append(out, piece{Word: sep, quoted: true})
			} else {
				out = append(out, piece{sep: true})
			}
		}
		if l.more && quoted && i == len(words)-1 {
			// Any number of words, also none.
			out = append(out, piece{Word: w, split: true})
			continue
		}
		out = append(out, piece{Word: w, quoted: quoted, split: !quoted, env: l.env, many: w.Glob && l.loose > 0})
	}
	if len(words) == 0 && quoted && !l.list {
		out = append(out, piece{Word: command.Known("", tool.Span{}), quoted: true})
	}
	return out
}

// separator is what "$*" joins with: the first byte of IFS.
func (r *reader) separator(s *state) command.Word {
	ifs, known := r.ifs(s)
	if !known {
		return command.Word{}
	}
	if ifs == "" {
		return command.Known("", tool.Span{})
	}
	return command.Known(ifs[:1], tool.Span{})
}

// lookup finds the value of a parameter with an optional subscript.
func (r *reader) lookup(s *state, name string, index syntax.ArithmExpr) looked {
	switch name {
	case "@", "*":
		set := succeeded
		if len(s.params) == 0 {
			set = failed
		}
		if s.many {
			set = unknown
		}
		if s.loose > 0 {
			set = unknown
		}
		return looked{words: s.params, list: name == "@", star: name == "*", set: set, more: s.many, loose: s.loose}
	}
	v := s.lookup(name)
	if v != nil && v.attrs&nameref != 0 && len(v.words) == 1 {
		target := v.words[0]
		if !target.IsKnown() || !isName(target.Text) || target.Text == name {
			if !target.IsKnown() || strings.IndexByte(target.Text, '[') >= 0 {
				r.gap("a name reference whose target is evaluated", tool.Span{})
			}
			return looked{words: []command.Word{{}}, set: unknown}
		}
		name = target.Text
		v = s.lookup(name)
	}
	if v != nil && changing(name) {
		return looked{words: []command.Word{{Taint: taintOf(v), Hollow: true}}, set: unknown, more: index != nil}
	}
	if index == nil {
		w, set := r.scalar(s, name)
		return looked{words: []command.Word{w}, set: set, env: v == nil && !isNumber(name)}
	}
	if w, ok := index.(*syntax.Word); ok {
		if lit := w.Lit(); lit == "@" || lit == "*" {
			if v == nil || v.unset {
				w, set := r.scalar(s, name)
				if set == failed {
					return looked{list: lit == "@", star: lit == "*", set: failed}
				}
				return looked{words: []command.Word{w}, list: lit == "@", star: lit == "*", set: set, env: true, more: true}
			}
			set := succeeded
			if len(v.words) == 0 {
				set = failed
			}
			if v.open {
				set = unknown
			}
			return looked{words: v.words, list: lit == "@", star: lit == "*", set: set, more: v.open, gaps: v.keys != nil || v.attrs&isAssoc != 0, loose: v.loose}
		}
	}
	key, sure := r.subscript(s, v, index)
	if v == nil || !sure || v.open || v.uncertain(key) || v.attrs&isAssoc == 0 && strings.HasPrefix(key, "-") && v.keys != nil || r.world.Zsh && v.attrs&isAssoc == 0 { // zsh counts from one
		return looked{words: []command.Word{{Taint: taintOf(v)}}, set: unknown, env: v == nil}
	}
	if i := v.find(key); i >= 0 {
		return looked{words: v.words[i : i+1], set: succeeded}
	}
	return looked{set: failed}
}

// changing says whether a variable is one that bash itself changes, whatever was
// assigned to it.
func changing(name string) bool {
	switch name {
	case "BASH_ARGC", "BASH_ARGV", "BASH_COMMAND", "BASH_LINENO", "BASH_SOURCE", "BASH_SUBSHELL", "COMP_WORDBREAKS", "EPOCHREALTIME", "EPOCHSECONDS", "HISTCMD",
		"PIPESTATUS", "RANDOM", "SECONDS", "SHLVL", "SRANDOM":
		return true
	}
	return false
}

func taintOf(v *variable) command.Taint {
	if v == nil {
		return 0
	}
	return value.Lost(v.words...).Taint
}

// find returns the index in words of the element with the given key.
func (v *variable) find(key string) int {
	if v.unset {
		return -1
	}
	if v.keys != nil {
		for i, k := range v.keys {
			if k == key {
				return i
			}
		}
		return -1
	}
	n, err := strconv.Atoi(key)
	if err != nil {
		return -1
	}
	if n < 0 && v.loose > 0 {
		return -1
	}
	if n < 0 {
		n += len(v.words)
	}
	if n < 0 || n >= len(v.words) {
		return -1
	}
	return n
}

// uncertain says whether the element of a key may be another one, because one
// before it may stand for any number.
func (v *variable) uncertain(key string) bool {
	n, err := strconv.Atoi(key)
	return v.loose > 0 && (err != nil || n < 0 || n >= v.loose-1)
}

// subscript evaluates the subscript of an array.
func (r *reader) subscript(s *state, v *variable, index syntax.ArithmExpr) (string, bool) {
	if v != nil && v.attrs&isAssoc != 0 {
		w, ok := index.(*syntax.Word)
		if !ok {
			r.gap("a subscript that is evaluated", r.nodeSpan(index))
			return "", false
		}
		key := r.value(s, w)
		r.reveals(key, r.nodeSpan(index)) // keys are names
		if strings.ContainsAny(key.Text, "$`") {
			r.gap("a subscript that is evaluated", r.nodeSpan(index))
		}
		return key.Text, key.IsKnown()
	}
	n := r.arithm(s, index)
	if !n.known {
		return "", false
	}
	return strconv.FormatInt(n.value, 10), true
}

// scalar returns the value of a variable or special parameter.
func (r *reader) scalar(s *state, name string) (command.Word, status) {
	plain := command.Word{Plain: true}
	if name == "" {
		return command.Word{}, unknown
	}
	switch name[0] {
	case '#':
		if s.many || s.loose > 0 {
			plain.Made = value.Number
			return plain, succeeded
		}
		return command.Known(strconv.Itoa(len(s.params)), tool.Span{}), succeeded
	case '?':
		plain.Made = value.Number
		return plain, succeeded
	case '!':
		plain.Of = command.Own
		return plain, succeeded
	case '$', '-':
		return plain, succeeded
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		n, err := strconv.Atoi(name)
		switch {
		case err != nil:
			return command.Word{}, unknown
		case n == 0:
			return s.zero, succeeded
		case s.loose > 0 && n >= s.loose:
			return value.Lost(s.params...), unknown
		case n <= len(s.params):
			return s.params[n-1], valueSet(s.params[n-1])
		case s.many:
			return command.Word{}, unknown
		}
		return command.Known("", tool.Span{}), failed
	}
	if v := s.lookup(name); v != nil {
		switch {
		case v.unset && v.bare && v.attrs&integer != 0:
			return command.Word{Plain: true, Hollow: true}, unknown
		case v.unset && v.bare:
			return command.Known("", tool.Span{}), unknown
		case v.unset:
			return command.Known("", tool.Span{}), failed
		case v.attrs&(isArray|isAssoc) != 0:
			if v.open || r.world.Zsh { // zsh takes all elements

				return command.Word{Taint: taintOf(v)}, unknown
			}
			if i := v.find("0"); i >= 0 {
				w := v.words[i]
				w.Hollow = w.Hollow || v.uncertain("0") // a pattern may match nothing
				return w, succeeded
			}
			return command.Known("", tool.Span{}), failed
		case len(v.words) == 1:
			return v.words[0], valueSet(v.words[0])
		}
		return command.Known("", tool.Span{}), failed
	}
	switch name {
	case "HOME":
		if r.world.Home != "" {
			return r.home(), succeeded
		}
	case "PWD":
		return s.dir, succeeded
	case "USER", "LOGNAME":
		if r.world.User != "" {
			return command.Known(r.world.User, tool.Span{}), succeeded
		}
		return plain, unknown
	case "PATH":
		return command.Word{Made: value.SearchPath}, unknown
	case "TMPDIR":
		if r.world.Getenv != nil {
			if v, ok := r.world.Getenv(name); ok {
				return command.Known(v, tool.Span{}), succeeded
			}
			return command.Known("", tool.Span{}), failed
		}
	case "IFS":
		return command.Known(" \t\n", tool.Span{}), succeeded
	case "RANDOM", "SRANDOM", "SECONDS", "EPOCHSECONDS", "EPOCHREALTIME", "UID", "EUID", "PPID", "BASHPID", "LINENO",
		"BASH_VERSION", "HOSTNAME", "OSTYPE", "HOSTTYPE", "MACHTYPE", "SHLVL", "BASH_SUBSHELL", "OPTIND":
		return plain, succeeded
	}
	w := command.Word{Hollow: true}
	if command.SecretName(name) {
		w.Taint = command.FromSecret
	}
	return w, unknown
}

// valueSet says whether a variable that holds w is set: always, but a value that
// is not known may be one that stands for "perhaps unset".
func valueSet(w command.Word) status {
	if w.Reach == tool.Anywhere {
		return unknown
	}
	return succeeded
}

// keys expands ${!a[@]}.
func (r *reader) keys(s *state, name, op string) looked {
	l := looked{list: op == "@", star: op == "*", set: succeeded}
	v := s.lookup(name)
	switch {
	case v == nil:
		l.more = true
	case v.open, v.loose > 0:
		l.words, l.more = []command.Word{{Plain: v.attrs&isAssoc == 0}}, true
	case v.keys != nil:
		for _, k := range v.keys {
			l.words = append(l.words, command.Known(k, tool.Span{}))
		}
	case !v.unset:
		for i := range v.words {
			l.words = append(l.words, command.Known(strconv.Itoa(i), tool.Span{}))
		}
	}
	return l
}

// indirect expands ${!name}.
func (r *reader) indirect(s *state, p *syntax.ParamExp, name string) looked {
	unknownly := looked{words: []command.Word{{}}, set: unknown}
	if r.world.Zsh && !isName(name) { // to zsh ${!#} is a length
		return unknownly
	}
	if v := s.lookup(name); v != nil && v.attrs&nameref != 0 && len(v.words) == 1 {
		return looked{words: v.words, set: succeeded}
	}
	target := r.lookup(s, name, p.Index)
	if len(target.words) != 1 || !target.words[0].IsKnown() {
		r.gap("a variable whose name is known only at run time", r.nodeSpan(p))
		return unknownly
	}
	text := target.words[0].Text
	base, rest, found := strings.Cut(text, "[")
	switch {
	case found && (rest == "@]" || rest == "*]") && isName(base):
		v := s.lookup(base)
		if v == nil || v.unset || v.open {
			return looked{words: []command.Word{{}}, set: unknown, more: true, list: rest == "@]"}
		}
		return looked{words: v.words, set: succeeded, list: rest == "@]", star: rest == "*]"}
	case found:
		if !isName(base) || !isNumber(strings.TrimSuffix(rest, "]")) {
			r.gap("a subscript that is evaluated", r.nodeSpan(p))
			return unknownly
		}
		v := s.lookup(base)
		if v == nil || v.open {
			return unknownly
		}
		if i := v.find(strings.TrimSuffix(rest, "]")); i >= 0 {
			return looked{words: v.words[i : i+1], set: succeeded}
		}
		return looked{set: failed}
	case isName(text), isNumber(text), text == "@", text == "*":
		return r.lookup(s, text, nil)
	}
	return unknownly
}

func isName(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !scan.IsNameByte(s[i]) {
			return false
		}
	}
	return true
}

func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
