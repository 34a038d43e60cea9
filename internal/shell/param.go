package shell

import (
	"slices"
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
	loose int    // as in [state]
	mixed bool   // the elements may come in any order
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
	from := len(out)
	out = r.expandParam(s, p, quoted, m, out)
	cuts := r.world.Zsh && pairsBraces(p) || s.opts&optPosix != 0 && losesRest(p)
	if cuts || r.world.Zsh && isLengthInZsh(p) {
		lost := piece{quoted: quoted, split: !quoted, cuts: cuts}
		for _, o := range out[from:] {
			lost.Word = hollowed(lost.Word, o.Word)
			if o.sep || o.split && quoted { // to bash it is several words, or none
				lost.quoted, lost.split = false, true
			}
		}
		return append(out[:from], lost)
	}
	return out
}

// losesRest says whether an expansion follows on a tilde in what stands behind an operator: some that sh is leave out what is behind it all then.
func losesRest(p *syntax.ParamExp) (found bool) {
	for _, w := range operandsOf(p) {
		tilde := false
		for _, part := range w.Parts {
			l, ok := part.(*syntax.Lit)
			found = found || tilde && !ok
			tilde = tilde || ok && strings.IndexByte(l.Value, '~') >= 0
		}
	}
	return found
}

// pairsBraces says whether an expansion has an opening brace in what stands behind its operator: zsh reads on to
// the one that closes that.
func pairsBraces(p *syntax.ParamExp) bool {
	var list []*syntax.Word
	if p.Exp != nil {
		list = append(list, p.Exp.Word)
	}
	if p.Repl != nil {
		list = append(list, p.Repl.Orig, p.Repl.With)
	}
	for _, w := range list {
		if w != nil && slices.ContainsFunc(w.Parts, opensBrace) {
			return true
		}
	}
	return false
}

// opensBrace says whether a part of a word has a brace that no backslash stands before.
func opensBrace(p syntax.WordPart) bool {
	l, ok := p.(*syntax.Lit)
	return ok && strings.Contains(strings.ReplaceAll(l.Value, `\{`, ""), "{")
}

// mayHoldZero says whether a value may be the separators that a shell begins with, or end with them. Those of zsh have a zero byte at their
// end: it counts as a character, and a program's argument ends there.
func mayHoldZero(w command.Word) bool { return strings.HasSuffix(w.Text, " \t\n") }

// showsZero says whether such a byte makes a difference to an expansion.
func (src *source) showsZero(p *syntax.ParamExp, l looked) bool {
	return slices.ContainsFunc(l.words, mayHoldZero) && (p.Length || changesText(p) || src.isGlued(p))
}

// changesText says whether an expansion makes another text of a value that is there.
func changesText(p *syntax.ParamExp) bool {
	return hasOperator(p) && (p.Exp == nil || !isConditional(p.Exp.Op))
}

// isGlued says whether text follows an expansion in the same word, perhaps behind the quotes that it stands in.
func (src *source) isGlued(p *syntax.ParamExp) bool {
	rest := strings.TrimPrefix(src.text[min(int(p.End().Offset()), len(src.text)):], `"`)
	return rest != "" && strings.IndexByte(" \t\n;|&)", rest[0]) < 0
}

// isLengthInZsh says whether zsh takes an expansion for the length of another one, as ${#:-x} is.
func isLengthInZsh(p *syntax.ParamExp) bool {
	return !p.Short && !p.Length && p.Param.Value == "#" && (p.Exp != nil || p.Slice != nil || p.Repl != nil)
}

// begunNames is ${!prefix*}: the names of variables, each a word of its own or, where nothing is divided, one behind the other.
func begunNames(p *syntax.ParamExp, quoted bool, m manner) piece {
	if (m == argument || m == element) && (!quoted || p.Names == syntax.NamesPrefixWords) {
		return piece{Word: command.Word{Plain: true}, split: true, many: true}
	}
	return piece{Word: command.Word{Hollow: true}, quoted: quoted, split: !quoted}
}

// expandParam expands a parameter expansion as bash reads it.
func (r *reader) expandParam(s *state, p *syntax.ParamExp, quoted bool, m manner, out []piece) []piece {
	if r.src.goesOn(p) || r.world.Zsh && p.Short && r.src.isLonger(p) {
		r.gap("zsh reads a subscript or modifier after a variable", r.src.nodeSpan(p))
	}
	if r.lacksExpansion(s, p) {
		r.giveUp(s)
	}
	if p.Names != 0 {
		return append(out, begunNames(p, quoted, m))
	}
	l := r.subject(s, p)
	if r.world.Zsh && r.src.isLengthOfFlags(p) {
		return append(out, piece{Word: command.Word{Plain: true}, quoted: quoted, split: !quoted, takes: true})
	}
	r.mustBeSet(s, p, l)
	if r.world.Zsh && r.src.showsZero(p, l) {
		return append(out, piece{Word: hollowed(l.words...), quoted: quoted, split: !quoted, cuts: !p.Length})
	}
	if p.Length {
		return append(out, lengthOf(quoted))
	}
	joins := l.star && !quoted && r.inner && l.joinsIn(s) // in a substitution that is assigned bash joins it
	if p.Exp != nil && isConditional(p.Exp.Op) {
		return asOne(r.conditional(s, p, l, quoted, m, out), len(out), joins)
	}
	if l = operated(r, s, p, l); joins {
		l = l.scattered()
	}
	from := len(out)
	out = emit(l, quoted, s.separator(), out)
	if p.Short && from < len(out) && isNeverEmpty(p.Param.Value) && !(p.Param.Value == "-" && s.isPosix()) {
		out[from].solid = true
	}
	return out
}

// asOne is a list of pieces, of which nothing is known from some on if bash may join them.
func asOne(list []piece, from int, joins bool) []piece {
	if joins {
		return append(list[:from], lostOf(list[from:], false))
	}
	return list
}

// mustBeSet notes that a parameter without a value may be an error.
func (led *ledger) mustBeSet(s *state, p *syntax.ParamExp, l looked) {
	if (s.opts|s.doubt)&optNounset != 0 && l.set != succeeded && !isAll(p.Param.Value) && !(p.Exp != nil && isConditional(p.Exp.Op)) {
		led.leavesUnset(s)
	}
}

// leavesUnset notes that a shell may end, or give up on a text, since a variable has no value.
func (led *ledger) leavesUnset(s *state) {
	led.giveUp(s)
	led.quit(s)
}

// operated is what the operator of an expansion makes of a parameter. Bash looks at what stands behind it only where
// there is a value.
func operated(r *reader, s *state, p *syntax.ParamExp, l looked) looked {
	without := s
	if (l.set != succeeded || slices.ContainsFunc(l.words, func(w command.Word) bool { return nonEmpty(w) != succeeded })) && !p.Short && givesValue(p) {
		without = s.fork()
	}
	if l = r.transform(s, p, operandOf(s, p, l)); without != s {
		s.join(without)
	}
	return l
}

// lacksExpansion says whether the shell may be one that takes an expansion for an error.
func (here *site) lacksExpansion(s *state, p *syntax.ParamExp) bool {
	if p.Short || !here.world.Zsh && s.opts&optPosix == 0 {
		return false
	}
	cased := p.Exp != nil && (p.Exp.Op == syntax.OtherParamOps || p.Exp.Op >= syntax.UpperFirst && p.Exp.Op <= syntax.LowerAll)
	return p.Excl || cased || here.world.Zsh && isLengthInZsh(p) || s.opts&optPosix != 0 && (p.Slice != nil || p.Repl != nil || p.Index != nil)
}

// goesOn says whether zsh reads what stands behind an expansion without braces as part of it.
func (src *source) goesOn(p *syntax.ParamExp) bool {
	return p.Short && src.follows(int(p.End().Offset()), '[', ':')
}

// isLengthOfFlags says whether zsh takes what begins with $# for the length of $-.
func (src *source) isLengthOfFlags(p *syntax.ParamExp) bool {
	return p.Short && p.Param.Value == "#" && strings.HasPrefix(src.text[min(int(p.End().Offset()), len(src.text)):], "-")
}

// isLonger says whether zsh reads a longer name: $10 is the tenth parameter there, and $#x a length.
func (src *source) isLonger(p *syntax.ParamExp) bool {
	at, name := int(p.End().Offset()), p.Param.Value
	if at >= len(src.text) || len(name) != 1 {
		return false
	}
	next := src.text[at]
	digit := next >= '0' && next <= '9'
	return name[0] >= '1' && name[0] <= '9' && digit || name == "#" && (scan.IsNameByte(next) || next == '@' || next == '*' || next == '$')
}

// operandOf is what slices and the like are applied to: nothing if there is no value. Parameters are counted from $0.
func operandOf(s *state, p *syntax.ParamExp, l looked) looked {
	if l.set == failed {
		l.words = nil
	}
	if isAll(p.Param.Value) && p.Slice != nil {
		l.words = append([]command.Word{s.zero}, l.words...)
	}
	return l
}

// mark notes in the pieces of a list that some of its elements may be none, or come in another order.
func (l looked) mark(list []piece) {
	if l.loose == 0 && !l.mixed || !l.list && !l.star {
		return
	}
	for i := range list {
		list[i].scattered = true
	}
}

// isAll says whether a name stands for all parameters.
func isAll(name string) bool { return name == "@" || name == "*" }

// isNeverEmpty says whether a name is that of a parameter that always has a value.
func isNeverEmpty(name string) bool {
	return len(name) == 1 && strings.IndexByte("#?$-", name[0]) >= 0
}

// subject is what an expansion is about, before any operator: a parameter, the keys of an
// array, or what another parameter names.
func (r *reader) subject(s *state, p *syntax.ParamExp) looked {
	if (p.Length || p.Exp != nil && p.Exp.Op == syntax.OtherParamOps) && assignsIn(p.Index) {
		r.gap("a subscript that changes variables", r.src.nodeSpan(p)) // without an element bash evaluates it twice, or not at all
	}
	name, all := p.Param.Value, indexOf(p)
	switch {
	case p.Excl && all != "" && hasOperator(p): // bash takes the elements for the name of a variable
		r.gap("a variable whose name is known only at run time", r.src.nodeSpan(p))
		return looked{words: []command.Word{{}}, set: unknown}
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
	l = l.shuffled(quoted)
	words, from := l.words, len(out)
	if l.more && !(len(words) == 1 && tellsNothing(words[0])) { // which stands for those that are not known as well
		others := value.Lost(words...)
		if words = append(words[:len(words):len(words)], others); slices.ContainsFunc(words, mayBeEmpty) { // and there may be nothing between them
			words = []command.Word{hollowed(words...)}
		}
	}
	if len(out)+len(words) > maxWords {
		return append(out, piece{Word: value.Lost(words...), split: true})
	}
	for i, w := range words {
		if i > 0 {
			out = append(out, l.between(i, quoted, sep))
		}
		out = append(out, l.piece(w, i, quoted, i == len(words)-1))
	}
	if len(words) == 0 && quoted && !l.list {
		out = append(out, piece{Word: command.Known("", tool.Span{}), quoted: true})
	}
	l.mark(out[from:])
	return out
}

// tellsNothing says whether nothing is known of a value but where it comes from.
func tellsNothing(w command.Word) bool { return w.Reach == tool.Anywhere && !w.Plain && w.Made == nil }

// piece is the i-th element; the last may stand for those that are not known.
func (l looked) piece(w command.Word, i int, quoted, last bool) piece {
	if w.At = 0; l.more && quoted && last {
		return piece{Word: w, split: true} // any number of words, also none
	}
	several := l.loose > 0 && (w.Glob || l.list && i+1 >= l.loose && (!w.IsKnown() || w.Hollow))
	return piece{Word: w, quoted: quoted, split: !quoted, env: l.env, sum: l.env, many: several}
}

// between is what stands before the i-th element.
func (l looked) between(i int, quoted bool, sep command.Word) piece {
	switch {
	case !l.star || !quoted:
		return piece{sep: true, many: l.loose > 0 && i+1 >= l.loose}
	case l.loose > 0 && i+1 >= l.loose:
		return piece{quoted: true} // an element that is none has no separator either
	}
	return piece{Word: sep, quoted: true}
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
	if isAll(name) {
		return s.parameters(name)
	}
	v := s.lookup(name)
	if v.isReference() {
		target, ok := r.referred(v)
		if !ok {
			return looked{words: []command.Word{{Hollow: true}}, set: unknown}
		}
		name, v = target, s.lookup(target)
	}
	if v != nil && (changing(name) || r.world.Zsh && tiedTo(name) != "") { // of a pair, one is an array
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

// isReference says whether a variable holds the name of another one that it stands for.
func (v *variable) isReference() bool {
	return v != nil && v.attrs&nameref != 0 && len(v.words) == 1
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
			if l.env, l.more = true, true; l.set == unknown {
				w.Hollow, l.loose = true, 1 // or none
			}
			l.words = []command.Word{w}
		} else if here.world.Zsh { // one that is empty
			l.words, l.set, l.more = []command.Word{{Hollow: true}}, unknown, true
		}
		return l
	case v.open, v.loose > 0:
		l.set = unknown
	case len(v.words) == 0:
		l.set = failed
	}
	l.words, l.more, l.loose = v.words, v.open, v.loose
	l.mixed = v.attrs&isAssoc != 0
	if v.attrs&(isArray|isAssoc) == 0 && l.loose == 0 && len(l.words) == 1 && l.words[0].Hollow {
		l.set, l.loose = unknown, 1 // it may have no value, which is no element
	}
	return l
}

// element is one of an array.
func (r *reader) element(s *state, v *variable, index syntax.ArithmExpr) looked {
	key, sure := r.subscript(s, v, index)
	if v == nil || !sure {
		return looked{words: []command.Word{{Taint: taintOf(v), Hollow: true}}, set: unknown, env: v == nil}
	}
	return v.at(key, r.world.Zsh)
}

// at is the element of an array that has a key.
func (v *variable) at(key string, zsh bool) looked {
	negative := strings.HasPrefix(key, "-")
	if v.open || v.uncertain(key) || negative && v.attrs&(isArray|isAssoc) == 0 || v.attrs&isAssoc == 0 && (zsh || negative && v.keys != nil) { // zsh counts from one
		return looked{words: []command.Word{{Taint: taintOf(v), Hollow: true}}, set: unknown}
	}
	if i := v.find(key); i >= 0 {
		return looked{words: v.words[i : i+1], set: succeeded}
	}
	return looked{set: failed}
}

// changing says whether a variable is one that a shell itself changes, or makes a number of, whatever was
// assigned to it.
func changing(name string) bool {
	switch name {
	case "BASH_ARGC", "BASH_ARGV", "BASH_COMMAND", "BASH_LINENO", "BASH_SOURCE", "BASH_SUBSHELL", "COMP_WORDBREAKS", "EPOCHREALTIME", "EPOCHSECONDS",
		"BASHPID", "PIPESTATUS", "SRANDOM", "LINENO", "PPID", "HISTCHARS", "histchars", "KEYBOARD_HACK", "USERNAME", "pipestatus", "signals", "status":
		return true
	}
	return isNumberInZsh(name)
}

// isNumberInZsh says whether zsh evaluates what is assigned to a variable.
func isNumberInZsh(name string) bool {
	switch name {
	case "RANDOM", "OPTIND", "HISTCMD", "SECONDS", "COLUMNS", "LINES", "HISTSIZE", "SAVEHIST", "KEYTIMEOUT", "LISTMAX", "MAILCHECK", "SHLVL", "ERRNO", "FUNCNEST",
		"UID", "EUID", "GID", "EGID", "TRY_BLOCK_ERROR", "TRY_BLOCK_INTERRUPT", "TTYIDLE":
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
		at, _ := findKey(v.keys, key)
		return at
	}
	n, err := strconv.Atoi(key)
	if err != nil || n < 0 && v.loose > 0 {
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
// before it may stand for any number, or because shells have other keys.
func (v *variable) uncertain(key string) bool {
	if _, sure := findKey(v.keys, key); !sure {
		return true
	}
	n, err := strconv.Atoi(key)
	return v.loose > 0 && (err != nil || n < 0 || n >= v.loose-1)
}

// subscript evaluates the subscript of an array.
func (r *reader) subscript(s *state, v *variable, index syntax.ArithmExpr) (string, bool) {
	if v != nil && v.attrs&isAssoc != 0 {
		key, sure := subscriptKey(r, s, index, false)
		return key, !v.counts(r, s, index) && sure
	}
	n := r.arithm(s, index)
	if !n.known {
		return "", false
	}
	return strconv.FormatInt(n.value, 10), true
}

// counts says whether a variable that may be an associative array may also be another one. Its subscripts are evaluated then.
func (v *variable) counts(r *reader, s *state, index syntax.ArithmExpr) bool {
	if v == nil || !v.vague {
		return false
	}
	r.arithm(s, index)
	return true
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
		w, set := v.scalar(here.world.Zsh)
		if !w.IsKnown() && s.inherits(name) {
			w.Taint |= anybodys(name).Taint // it may still be that of the environment
		}
		return w, set
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
	case c == '#' && (s.many || s.loose > 0), c == '?', c == '$':
		plain.Made = value.Number
	case c == '#':
		plain = command.Known(strconv.Itoa(len(s.params)), tool.Span{})
	case c == '!':
		plain.Of = command.Own
		return plain, unknown, true // until there is something in the background
	case c == '-':
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
		return hollowed(s.params...), unknown
	case n <= len(s.params):
		return s.params[n-1], valueSet(s.params[n-1])
	case s.many:
		return command.Word{Hollow: true}, unknown
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
		return v.first(zsh)
	case len(v.words) == 1:
		return v.words[0], valueSet(v.words[0])
	}
	return command.Known("", tool.Span{}), failed
}

// first is the value of an array without a subscript: its first element, or to zsh all.
func (v *variable) first(zsh bool) (command.Word, status) {
	i := v.find("0")
	if v.open || zsh {
		return command.Word{Taint: taintOf(v), Hollow: v.open || i < 0 || v.uncertain("0") || nonEmpty(v.words[i]) != succeeded}, unknown
	}
	if i < 0 {
		return command.Known("", tool.Span{}), failed
	}
	w := v.words[i]
	if w.Hollow = w.Hollow || v.uncertain("0"); v.uncertain("0") && len(v.words) > 1 { // a pattern may match nothing
		return hollowed(v.words...), succeeded
	}
	return w, succeeded
}

// lacks says whether a variable of the environment may have been taken out of it.
func (here *site) lacks(name string) bool {
	if name != "HOME" && name != "USER" && name != "LOGNAME" && name != "TMPDIR" {
		return false
	}
	return here.takenOut(name)
}

// takenOut says whether a variable may have been taken out of the environment of a program that runs others.
func (here *site) takenOut(name string) bool {
	return slices.ContainsFunc(here.without, func(w command.Word) bool { return !w.IsKnown() || w.Text == name })
}

// inherited is the value of a variable that the script has not set: the shell's own, or the
// environment's.
func (here *site) inherited(s *state, name string) (command.Word, status) {
	if here.lacks(name) {
		return command.Word{Hollow: true}, unknown
	}
	switch name {
	case "HOME":
		if here.world.Home != "" {
			return here.home(), succeeded
		}
	case "PWD":
		return s.dir, succeeded
	case "USER", "LOGNAME":
		return here.user()
	case "PATH":
		return command.Word{Made: value.SearchPath}, unknown
	case "TMPDIR":
		if here.world.Getenv != nil {
			return here.fromEnvironment(name)
		}
	case "IFS":
		return command.Known(" \t\n", tool.Span{}), succeeded
	case "RANDOM", "SECONDS", "UID", "EUID", "PPID", "LINENO", "SHLVL", "OPTIND":
		return numberWord(number{}), succeeded
	case "SRANDOM", "EPOCHSECONDS", "BASHPID", "BASH_SUBSHELL":
		return here.onlyInBash(numberWord(number{}))
	case "EPOCHREALTIME", "HOSTNAME", "HOSTTYPE":
		return here.onlyInBash(command.Word{Plain: true})
	case "OSTYPE", "MACHTYPE":
		return command.Word{Plain: true}, succeeded
	}
	return anybodys(name), unknown
}

// onlyInBash is the value of a variable that zsh does not have.
func (here *site) onlyInBash(w command.Word) (command.Word, status) {
	if here.world.Zsh {
		w.Hollow = true
		return w, unknown
	}
	return w, succeeded
}

// anybodys is the value of a variable that the environment may hold: a secret, if it is named
// like one.
func anybodys(name string) command.Word {
	w := command.Word{Hollow: true}
	if command.SecretName(name) {
		w.Taint = command.FromSecret
	}
	return w
}

// user is the name of the user, as USER has it.
func (here *site) user() (command.Word, status) {
	if here.world.User == "" {
		return command.Word{Plain: true, Hollow: true}, unknown // containers often have none
	}
	return command.Known(here.world.User, tool.Span{}), succeeded
}

// fromEnvironment is the value of a variable that comes with the environment, if it does.
func (here *site) fromEnvironment(name string) (command.Word, status) {
	text, ok := here.world.Getenv(name)
	if !ok {
		return command.Known("", tool.Span{}), failed
	}
	return command.Known(text, tool.Span{}), succeeded
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
		l.words, l.loose = []command.Word{{Plain: v.attrs&isAssoc == 0 && l.list, Hollow: l.star}}, 1
	case v.keys != nil:
		l.mixed = v.attrs&isAssoc != 0
		for _, k := range v.keys {
			text, _ := keyTexts(k) // zsh has no such expansion
			l.words = append(l.words, command.Known(text, tool.Span{}))
		}
	case v.attrs&isArray == 0 && v.mayBeUnset():
		l.words, l.set, l.loose = []command.Word{{Plain: true, Hollow: true}}, unknown, 1
	case !v.unset:
		for i := range v.words {
			l.words = append(l.words, command.Known(strconv.Itoa(i), tool.Span{}))
		}
	}
	return l
}

// mayBeUnset says whether a variable that is no array may have no value, and may have one.
func (v *variable) mayBeUnset() bool {
	w, set := v.scalar(false)
	return set == unknown || set == succeeded && w.Hollow
}

// indirect expands ${!name}.
func (r *reader) indirect(s *state, p *syntax.ParamExp, name string) looked {
	l := indirectInBash(r, s, p, name)
	if (r.world.Zsh || s.opts&optPosix != 0) && !isName(name) && !isNumber(name) { // to zsh ${!#} is a length, to what sh is it is $! without its beginning
		return looked{words: []command.Word{{Hollow: true}}, set: unknown}
	}
	return l
}

// indirectInBash is that as bash has it.
func indirectInBash(r *reader, s *state, p *syntax.ParamExp, name string) looked {
	unknownly := looked{words: []command.Word{{Hollow: true}}, set: unknown}
	if v := s.lookup(name); v.isReference() {
		return looked{words: v.words, set: succeeded}
	}
	target := r.lookup(s, name, p.Index)
	if len(target.words) != 1 || !target.words[0].IsKnown() {
		r.gap("a variable whose name is known only at run time", r.src.nodeSpan(p))
		return unknownly
	}
	text := target.words[0].Text
	if base, rest, found := strings.Cut(text, "["); found {
		return indexed(r, s, base, rest, r.src.nodeSpan(p))
	}
	if isName(text) || isNumber(text) || isAll(text) {
		return r.lookup(s, text, nil)
	}
	r.strand(s) // it is no name
	return unknownly
}

// indexed is what a text names that is a name with a subscript: an element of an array, or
// all.
func indexed(r *reader, s *state, name, subscript string, span tool.Span) looked {
	key := strings.TrimSuffix(subscript, "]")
	v := s.lookup(name)
	switch {
	case isName(name) && (v == nil || v.unset || v.open || v.isReference() || v.vague):
	case isName(name) && (subscript == "@]" || subscript == "*]"):
		return r.elements(s, name, v, key)
	case isName(name) && isNumber(key):
		return v.at(key, false) // zsh has no such expansion
	}
	if !isName(name) || !isConstant(key) {
		r.gap("a subscript that is evaluated", span)
	}
	return looked{words: []command.Word{{Taint: taintOf(v), Hollow: true}}, set: unknown, more: key == "@" || key == "*", list: key == "@", star: key == "*"}
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
