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
func indexOf(p *syntax.ParamExp) string { return allOf(p.Index) }

// allOf returns "@" or "*" for a subscript that means all elements.
func allOf(index syntax.ArithmExpr) string {
	if w, ok := index.(*syntax.Word); ok {
		if l := w.Lit(); l == "@" || l == "*" {
			return l
		}
	}
	return ""
}

// param expands one parameter expansion.
func (r *reader) param(s *state, p *syntax.ParamExp, quoted bool, m manner, out []piece) []piece {
	if p.Short && r.src.follows(int(p.End().Offset()), '[', ':') {
		r.gap("zsh reads a subscript or modifier after a variable", r.src.nodeSpan(p))
	}
	name := p.Param.Value
	if p.Names != 0 { // ${!prefix*}
		return append(out, piece{Word: command.Word{Plain: true}, quoted: quoted, split: !quoted})
	}
	l := r.subject(s, p)
	if p.Length {
		return append(out, lengthOf(l, quoted))
	}
	if p.Exp != nil && isConditional(p.Exp.Op) {
		return r.conditional(s, p, l, quoted, m, out)
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
	out = emit(l, quoted, s.separator(), out)
	for i := from; i < len(out); i++ {
		out[i].scattered = out[i].scattered || l.loose > 0 && (l.list || l.star)
	}
	if len(name) == 1 && strings.IndexByte("#?$-", name[0]) >= 0 && from < len(out) && p.Short {
		out[from].solid = true
	}
	return out
}

// subject is what an expansion is about, before any operator: a parameter, the keys of an
// array, or what another parameter names.
func (r *reader) subject(s *state, p *syntax.ParamExp) looked {
	name, all := p.Param.Value, indexOf(p)
	switch {
	case p.Excl && all != "":
		return s.keys(name, all)
	case p.Excl:
		return r.indirect(s, p, name)
	}
	return r.lookup(s, name, p.Index)
}

// isConditional says whether an operator is that of ${x:-w} or one of its relatives.
func isConditional(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return true
	}
	return false
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
func (s *state) separator() command.Word {
	ifs, known := s.ifs()
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
	if name == "@" || name == "*" {
		return s.parameters(name)
	}
	v := s.lookup(name)
	if v != nil && v.attrs&nameref != 0 && len(v.words) == 1 {
		target, ok := r.referred(v)
		if !ok {
			return looked{words: []command.Word{{}}, set: unknown}
		}
		name, v = target, s.lookup(target)
	}
	if v != nil && changing(name) {
		return looked{words: []command.Word{{Taint: taintOf(v), Hollow: true}}, set: unknown, more: index != nil}
	}
	if index == nil {
		w, set := r.scalar(s, name)
		return looked{words: []command.Word{w}, set: set, env: v == nil && !isNumber(name)}
	}
	if all := allOf(index); all != "" {
		return r.elements(s, name, v, all)
	}
	return r.element(s, v, index)
}

// parameters are those that "$@" and "$*" stand for.
func (s *state) parameters(name string) looked {
	set := succeeded
	switch {
	case s.many || s.loose > 0:
		set = unknown
	case len(s.params) == 0:
		set = failed
	}
	return looked{words: s.params, list: name == "@", star: name == "*", set: set, more: s.many, loose: s.loose}
}

// referred is the variable that a name reference stands for, if that is known.
func (n *notes) referred(v *variable) (string, bool) {
	target := v.words[0]
	if !target.IsKnown() || strings.IndexByte(target.Text, '[') >= 0 {
		n.gap("a name reference whose target is evaluated", tool.Span{})
		return "", false
	}
	return target.Text, isName(target.Text) && target.Text != v.name
}

// elements are all those of an array.
func (here *site) elements(s *state, name string, v *variable, all string) looked {
	l := looked{list: all == "@", star: all == "*", set: succeeded}
	switch {
	case v == nil || v.unset:
		var w command.Word
		if w, l.set = here.scalar(s, name); l.set != failed {
			l.words, l.env, l.more = []command.Word{w}, true, true
		}
		return l
	case v.open:
		l.set = unknown
	case len(v.words) == 0:
		l.set = failed
	}
	l.words, l.more, l.gaps, l.loose = v.words, v.open, v.keys != nil || v.attrs&isAssoc != 0, v.loose
	return l
}

// element is one of an array.
func (r *reader) element(s *state, v *variable, index syntax.ArithmExpr) looked {
	key, sure := r.subscript(s, v, index)
	if v == nil || !sure || v.open || v.uncertain(key) || v.attrs&isAssoc == 0 && (r.world.Zsh || strings.HasPrefix(key, "-") && v.keys != nil) { // zsh counts from one
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
			r.gap("a subscript that is evaluated", r.src.nodeSpan(index))
			return "", false
		}
		key := r.value(s, w)
		r.reveals(key, r.src.nodeSpan(index)) // keys are names
		if strings.ContainsAny(key.Text, "$`") {
			r.gap("a subscript that is evaluated", r.src.nodeSpan(index))
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
func (here *site) scalar(s *state, name string) (command.Word, status) {
	if name == "" {
		return command.Word{}, unknown
	}
	if w, set, is := s.parameter(name); is {
		return w, set
	}
	if v := s.lookup(name); v != nil {
		return v.scalar(here.world.Zsh)
	}
	return here.inherited(s, name)
}

// parameter is the value of one that is no variable.
func (s *state) parameter(name string) (w command.Word, set status, is bool) {
	plain := command.Word{Plain: true}
	switch c := name[0]; {
	case c >= '0' && c <= '9':
		w, set = s.positional(name)
		return w, set, true
	case c == '#' && (s.many || s.loose > 0), c == '?':
		plain.Made = value.Number
	case c == '#':
		plain = command.Known(strconv.Itoa(len(s.params)), tool.Span{})
	case c == '!':
		plain.Of = command.Own
	case c == '$', c == '-':
	default:
		return command.Word{}, unknown, false
	}
	return plain, succeeded, true
}

// positional is the value of a parameter that is a number.
func (s *state) positional(name string) (command.Word, status) {
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

// scalar is the value of a variable of the script without a subscript.
func (v *variable) scalar(zsh bool) (command.Word, status) {
	switch {
	case v.unset && v.bare && v.attrs&integer != 0:
		return command.Word{Plain: true, Hollow: true}, unknown
	case v.unset && v.bare:
		return command.Known("", tool.Span{}), unknown
	case v.unset:
	case v.attrs&(isArray|isAssoc) != 0:
		if v.open || zsh { // zsh takes all elements
			return command.Word{Taint: taintOf(v)}, unknown
		}
		if i := v.find("0"); i >= 0 {
			w := v.words[i]
			w.Hollow = w.Hollow || v.uncertain("0") // a pattern may match nothing
			return w, succeeded
		}
	case len(v.words) == 1:
		return v.words[0], valueSet(v.words[0])
	}
	return command.Known("", tool.Span{}), failed
}

// inherited is the value of a variable that the script has not set: the shell's own, or the
// environment's.
func (here *site) inherited(s *state, name string) (command.Word, status) {
	plain := command.Word{Plain: true}
	switch name {
	case "HOME":
		if here.world.Home != "" {
			return here.home(), succeeded
		}
	case "PWD":
		return s.dir, succeeded
	case "USER", "LOGNAME":
		if here.world.User != "" {
			return command.Known(here.world.User, tool.Span{}), succeeded
		}
		return plain, unknown
	case "PATH":
		return command.Word{Made: value.SearchPath}, unknown
	case "TMPDIR":
		if here.world.Getenv != nil {
			if v, ok := here.world.Getenv(name); ok {
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
func (s *state) keys(name, op string) looked {
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
		r.gap("a variable whose name is known only at run time", r.src.nodeSpan(p))
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
	case found && (!isName(base) || !isNumber(strings.TrimSuffix(rest, "]"))):
		r.gap("a subscript that is evaluated", r.src.nodeSpan(p))
		return unknownly
	case found:
		return s.lookup(base).at(strings.TrimSuffix(rest, "]"))
	case isName(text), isNumber(text), text == "@", text == "*":
		return r.lookup(s, text, nil)
	}
	return unknownly
}

// at is the element of an array that has a key, as it is written.
func (v *variable) at(key string) looked {
	if v == nil || v.open {
		return looked{words: []command.Word{{}}, set: unknown}
	}
	if i := v.find(key); i >= 0 {
		return looked{words: v.words[i : i+1], set: succeeded}
	}
	return looked{set: failed}
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
