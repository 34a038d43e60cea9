package shell

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"longline/internal/command"
	"longline/internal/tool"

	"mvdan.cc/sh/v3/syntax"
)

// looked is what a parameter holds before operators are applied.
type looked struct {
	words []command.Word
	list  bool   // "$@" and "${a[@]}": each element a word of its own
	star  bool   // "$*" and "${a[*]}"
	set   status // whether it has a value
	env   bool   // the script has not set it
	more  bool   // there may be elements beside words
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
func (r *reader) param(s *state, p *syntax.ParamExp, quoted bool, out []piece) []piece {
	if p.Param == nil || p.Flags != nil || p.NestedParam != nil || len(p.Modifiers) > 0 || p.IsSet || p.Width || p.Split != 0 || p.GlobSubst != 0 || p.RcExpand != 0 {
		r.gap("an expansion that this shell may not have", r.nodeSpan(p))
		return append(out, piece{Word: command.Word{At: -1}, quoted: quoted, split: !quoted})
	}
	if r.world.Zsh && p.Short && p.Param != nil && r.src.follows(int(p.End().Offset()), '[', ':') {
		r.gap("zsh reads a subscript or a modifier behind a variable", r.nodeSpan(p))
	}
	name := p.Param.Value
	if p.Names != 0 { // ${!prefix*}
		return append(out, piece{Word: command.Word{At: -1, Plain: true}, quoted: quoted, split: !quoted})
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
			return r.conditional(s, p, l, quoted, out)
		}
	}
	if l.set == failed {
		l.words = nil
	}
	if (name == "@" || name == "*") && p.Slice != nil { // counts from $0
		l.words = append([]command.Word{s.zero}, l.words...)
	}
	l.words = r.transform(s, p, l)
	from := len(out)
	out = emit(l, quoted, r.separator(s), out)
	if len(name) == 1 && strings.IndexByte("#?$-", name[0]) >= 0 && from < len(out) && p.Short {
		out[from].solid = true
	}
	return out
}

// emit turns the elements of a parameter into pieces.
func emit(l looked, quoted bool, sep command.Word, out []piece) []piece {
	words := l.words
	if l.more {
		words = append(words[:len(words):len(words)], command.Word{At: -1})
	}
	if len(out)+len(words) > maxWords {
		return append(out, piece{Word: nothing(words), split: true})
	}
	for i, w := range words {
		w.At = -1
		if i > 0 {
			if l.star && quoted && l.loose > 0 && i+1 >= l.loose {
				// An element that is none has no separator either.
				out = append(out, piece{Word: command.Word{At: -1}, quoted: true})
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
		return command.Word{At: -1}
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
			return looked{words: []command.Word{{At: -1}}, set: unknown}
		}
		name = target.Text
		v = s.lookup(name)
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
			return looked{words: v.words, list: lit == "@", star: lit == "*", set: set, more: v.open, loose: v.loose}
		}
	}
	key, sure := r.subscript(s, v, index)
	if v == nil || !sure || v.open || v.uncertain(key) || r.world.Zsh && v.attrs&isAssoc == 0 { // zsh counts from one
		return looked{words: []command.Word{{At: -1, Taint: taintOf(v)}}, set: unknown, env: v == nil}
	}
	if i := v.find(key); i >= 0 {
		return looked{words: v.words[i : i+1], set: succeeded}
	}
	return looked{set: failed}
}

func taintOf(v *variable) command.Taint {
	if v == nil {
		return 0
	}
	return nothing(v.words).Taint
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
	plain := command.Word{Plain: true, At: -1}
	if name == "" {
		return command.Word{At: -1}, unknown
	}
	switch name[0] {
	case '#':
		if s.many || s.loose > 0 {
			return plain, succeeded
		}
		return command.Known(strconv.Itoa(len(s.params)), tool.Span{}), succeeded
	case '?':
		if s.status != unknown {
			return command.Known(strconv.Itoa(s.last), tool.Span{}), succeeded
		}
		return plain, succeeded
	case '$', '!', '-':
		return plain, succeeded
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		n, err := strconv.Atoi(name)
		switch {
		case err != nil:
			return command.Word{At: -1}, unknown
		case n == 0:
			return s.zero, succeeded
		case s.loose > 0 && n >= s.loose:
			return nothing(s.params), unknown
		case n <= len(s.params):
			return s.params[n-1], valueSet(s.params[n-1])
		case s.many:
			return command.Word{At: -1}, unknown
		}
		return command.Known("", tool.Span{}), failed
	}
	if v := s.lookup(name); v != nil {
		switch {
		case v.unset:
			return command.Known("", tool.Span{}), failed
		case v.attrs&(isArray|isAssoc) != 0:
			if v.open || r.world.Zsh { // zsh takes all elements

				return command.Word{At: -1, Taint: taintOf(v)}, unknown
			}
			if i := v.find("0"); i >= 0 {
				return v.words[i], succeeded
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
	return command.Word{At: -1}, unknown
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
		l.words, l.more = []command.Word{{Plain: v.attrs&isAssoc == 0, At: -1}}, true
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
	unknownly := looked{words: []command.Word{{At: -1}}, set: unknown}
	if v := s.lookup(name); v != nil && v.attrs&nameref != 0 && len(v.words) == 1 {
		return looked{words: v.words, set: succeeded}
	}
	target := r.lookup(s, name, p.Index)
	if len(target.words) != 1 || !target.words[0].IsKnown() {
		r.gap("a variable whose name is not known", r.nodeSpan(p))
		return unknownly
	}
	text := target.words[0].Text
	base, rest, found := strings.Cut(text, "[")
	switch {
	case found && (rest == "@]" || rest == "*]") && isName(base):
		v := s.lookup(base)
		if v == nil || v.unset || v.open {
			return looked{words: []command.Word{{At: -1}}, set: unknown, more: true, list: rest == "@]"}
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
		if !isNameByte(s[i]) {
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

func (r *reader) length(l looked, quoted bool) piece {
	w := command.Word{Plain: true, At: -1}
	switch {
	case l.more, l.loose > 0:
	case l.list || l.star:
		w = command.Known(strconv.Itoa(len(l.words)), tool.Span{})
	case l.set == failed:
		w = command.Known("0", tool.Span{})
	case len(l.words) == 1 && l.words[0].IsKnown():
		w = command.Known(strconv.Itoa(utf8.RuneCountInString(l.words[0].Text)), tool.Span{})
	}
	return piece{Word: w, quoted: quoted, split: !quoted, solid: true}
}

// conditional expands ${x:-w} and its relatives.
func (r *reader) conditional(s *state, p *syntax.ParamExp, l looked, quoted bool, out []piece) []piece {
	has := l.set
	switch p.Exp.Op {
	case syntax.AlternateUnsetOrNull, syntax.DefaultUnsetOrNull, syntax.ErrorUnsetOrNull, syntax.AssignUnsetOrNull:
		if has == succeeded && len(l.words) <= 1 && !l.more {
			has = failed
			for _, w := range l.words {
				has = nonEmpty(w)
			}
		}
	}
	own := func(out []piece) []piece { return emit(l, quoted, r.separator(s), out) }
	other := func(out []piece) []piece {
		if p.Exp.Word == nil {
			return append(out, piece{Word: command.Known("", tool.Span{}), quoted: quoted, split: !quoted})
		}
		from := len(out)
		out = r.pieces(s, p.Exp.Word.Parts, quoted, tildes(p.Exp.Word.Parts), out)
		for i := from; i < len(out); i++ {
			if !out[i].quoted && !out[i].sep {
				out[i].split = true
			}
		}
		return out
	}
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		switch has {
		case succeeded:
			return other(out)
		case failed:
			if quoted {
				return append(out, piece{Word: command.Known("", tool.Span{}), quoted: true})
			}
			return append(out, piece{Word: command.Known("", tool.Span{}), split: true})
		}
		// Either the word or nothing.
		w := r.fold(other(nil), r.nodeSpan(p), " ")
		w = joinWords(w, command.Known("", tool.Span{}))
		return append(out, piece{Word: w, quoted: quoted, split: !quoted, env: l.env})
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if has != succeeded {
			other(nil)
		}
		if has == failed {
			return append(out, piece{Word: command.Word{At: -1}, quoted: quoted, split: !quoted})
		}
		return own(out)
	}
	if has == succeeded {
		return own(out)
	}
	assign := p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull
	if has == failed && !assign {
		return other(out)
	}
	w := r.fold(other(nil), r.nodeSpan(p), " ")
	if has == unknown {
		for _, x := range l.words {
			w = joinWords(w, x)
		}
		if len(l.words) == 0 || l.more {
			w = command.Word{At: -1, Taint: w.Taint}
		}
	}
	if assign && isName(p.Param.Value) {
		if p.Index == nil {
			r.assign(s, p.Param.Value, w, r.nodeSpan(p))
		} else {
			r.gap("an array element assigned inside an expansion", r.nodeSpan(p))
			s.variable(p.Param.Value).blur()
		}
	}
	return append(out, piece{Word: w, quoted: quoted, split: !quoted, env: l.env && has == unknown})
}

// transform applies slices, replacements, trims and case changes.
func (r *reader) transform(s *state, p *syntax.ParamExp, l looked) []command.Word {
	if p.Slice == nil && p.Repl == nil && p.Exp == nil {
		return l.words
	}
	if p.Slice != nil {
		off := r.arithm(s, p.Slice.Offset)
		length := number{known: true, value: -1 << 31}
		if p.Slice.Length != nil {
			length = r.arithm(s, p.Slice.Length)
		}
		return slice(l, off, length, p.Slice.Length != nil)
	}
	var pattern, with command.Word
	if p.Repl != nil {
		pattern = r.pattern(s, p.Repl.Orig)
		with = r.value(s, p.Repl.With)
	} else if p.Exp.Op != syntax.OtherParamOps {
		pattern = r.pattern(s, p.Exp.Word)
	}
	out := make([]command.Word, 0, len(l.words))
	for _, w := range l.words {
		if r.spend() {
			return append(out, command.Word{At: -1})
		}
		if p.Repl != nil {
			out = append(out, replaced(w, pattern, with, p.Repl.All))
			continue
		}
		out = append(out, r.operate(p, w, pattern))
	}
	return out
}

func replaced(w, pattern, with command.Word, all bool) command.Word {
	if w.IsKnown() && pattern.IsKnown() && with.IsKnown() {
		if text, ok := replace(w.Text, pattern.Text, with.Text, all); ok {
			w.Text, w.At = text, -1
			w.Taint |= with.Taint
			return w
		}
	}
	plain := isPlain(w) && with.IsKnown() && plainPart(with.Text) && with.Text != ""
	return command.Word{At: -1, Taint: w.Taint | with.Taint, Plain: plain}
}

// operate applies a trim, a change of case or an @ operator to one value.
func (r *reader) operate(p *syntax.ParamExp, w, pattern command.Word) command.Word {
	lost := command.Word{At: -1, Taint: w.Taint}
	switch op := p.Exp.Op; op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		suffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
		longest := op == syntax.RemLargePrefix || op == syntax.RemLargeSuffix
		if w.IsKnown() && pattern.IsKnown() {
			if text, ok := trim(w.Text, pattern.Text, suffix, longest); ok {
				w.Text, w.At = text, -1
				return w
			}
			return lost
		}
		return trimmed(w, pattern, suffix, longest)
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		if !w.IsKnown() {
			lost.Plain = isPlain(w)
			return lost
		}
		if pattern.Reach != tool.Exact || pattern.Text != "" && pattern.Text != "?" {
			lost.Plain = isPlain(w)
			return lost
		}
		w.Text, w.At = changeCase(w.Text, op), -1
		return w
	case syntax.OtherParamOps:
		letter := ""
		if p.Exp.Word != nil {
			letter = p.Exp.Word.Lit()
		}
		switch {
		case letter == "P":
			r.gap("${"+p.Param.Value+"@P} runs what its value holds", r.nodeSpan(p))
			return lost
		case letter == "Q" && w.IsKnown():
			w.Text, w.At = "'"+strings.ReplaceAll(w.Text, "'", `'\''`)+"'", -1
			return w
		case letter == "U" && w.IsKnown():
			w.Text, w.At = strings.ToUpper(w.Text), -1
			return w
		case letter == "L" && w.IsKnown():
			w.Text, w.At = strings.ToLower(w.Text), -1
			return w
		case letter == "u" && w.IsKnown():
			w.Text, w.At = changeCase(w.Text, syntax.UpperFirst), -1
			return w
		case letter == "E" && w.IsKnown():
			w.Text, w.At = ansi(w.Text), -1
			return w
		}
		return lost
	}
	return lost
}

// trimmed says what is left of a value that is not wholly known.
func trimmed(w, pattern command.Word, suffix, longest bool) command.Word {
	out := command.Word{At: -1, Taint: w.Taint}
	if w.Glob || w.Reach == tool.Under {
		dir := w.Text
		if w.Glob {
			dir = globDir(w.Text)
		}
		switch {
		case climbs(w.Text):
		case suffix:
			out.Text, out.Reach = dir, tool.Under
			if !w.Glob || strings.IndexByte(pattern.Text, '/') >= 0 || !pattern.IsKnown() {
				out.Text = parent(dir)
			}
		case longest && pattern.IsKnown() && pattern.Text == "*/":
			out.Text, out.Reach = ".", tool.Under
		}
		return out
	}
	out.Plain = isPlain(w) && suffix
	if suffix && w.Reach == tool.Prefix && w.Plain && pattern.IsKnown() && !hasGlob(pattern.Text) {
		out.Plain = isPlain(w)
	}
	return out
}

func changeCase(s string, op syntax.ParExpOperator) string {
	switch op {
	case syntax.UpperAll:
		return strings.ToUpper(s)
	case syntax.LowerAll:
		return strings.ToLower(s)
	}
	if s == "" {
		return s
	}
	c, n := utf8.DecodeRuneInString(s)
	if op == syntax.UpperFirst {
		return string(unicode.ToUpper(c)) + s[n:]
	}
	return string(unicode.ToLower(c)) + s[n:]
}

// slice is ${x:offset:length}, of a text or of a list.
func slice(l looked, off, length number, limited bool) []command.Word {
	lost := nothing(l.words)
	if l.more || l.loose > 0 || !off.known || !length.known {
		if len(l.words) == 1 && !l.list && !l.star {
			lost.Plain = isPlain(l.words[0]) && off.known && off.value == 0
			return []command.Word{lost}
		}
		return []command.Word{lost}
	}
	if l.list || l.star {
		return sliceList(l.words, off.value, length.value, limited)
	}
	if len(l.words) != 1 {
		return l.words
	}
	w := l.words[0]
	if !w.IsKnown() {
		lost.Plain = isPlain(w) && off.value == 0
		return []command.Word{lost}
	}
	runes := []rune(w.Text)
	from, to, ok := bounds(len(runes), off.value, length.value, limited)
	if !ok {
		w.Text = ""
	} else {
		w.Text = string(runes[from:to])
	}
	w.At = -1
	return []command.Word{w}
}

// sliceList takes elements of "$@" (which counts from one) or an array.
func sliceList(words []command.Word, off, length int64, limited bool) []command.Word {
	from, to, ok := bounds(len(words), off, length, limited)
	if !ok {
		return nil
	}
	return words[from:to]
}

func bounds(n int, off, length int64, limited bool) (from, to int, ok bool) {
	if off < 0 {
		off += int64(n)
	}
	if off < 0 || off > int64(n) {
		return 0, 0, false
	}
	end := int64(n)
	if limited {
		if length < 0 {
			end += length
		} else {
			end = min(end, off+length)
		}
	}
	if end < off {
		return 0, 0, false
	}
	return int(off), int(end), true
}
