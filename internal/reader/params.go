package reader

import (
	"slices"
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// held is what a parameter holds before operators are applied.
type held struct {
	words []command.Word
	list  bool // "$@" and "${a[@]}": each element a word of its own
	star  bool // "$*" and "${a[*]}"
	set   bool // it surely has a value
	unset bool // it surely has none
	more  bool // there may be other elements
	loose int  // 1 + index of the first element that may stand for any number
}

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
func (r *reader) param(p *syntax.ParamExp, quoted bool, m manner, out []piece) []piece {
	if p.Short && r.goesOn(p) {
		return append(out, piece{Word: command.Word{}, quoted: quoted, split: !quoted})
	}
	if p.Names != 0 {
		return append(out, piece{Word: command.Word{Plain: true, Hollow: true}, split: true, many: true})
	}
	if p.Slice != nil || p.Repl != nil || p.Index != nil || p.Excl || p.Exp != nil && p.Exp.Op >= syntax.UpperFirst {
		r.beyondPosix(p)
	}
	h := r.subject(p)
	conditional := p.Exp != nil && p.Exp.Op <= syntax.AssignUnsetOrNull
	r.s.shaken = r.s.shaken || r.s.opts.nounset && !h.set && !conditional && !h.list && !h.star
	switch {
	case p.Length:
		return append(out, piece{Word: anyNumber(), quoted: quoted, split: !quoted})
	case conditional:
		return r.conditional(p, h, quoted, m, out)
	case p.Slice != nil || p.Repl != nil || p.Exp != nil:
		return r.operated(p, h, quoted, out)
	}
	if r.s.opts.traced {
		r.reveals(value.Lost(h.words...), r.src.nodeSpan(p))
	}
	if len(out)+len(h.words) > maxWords {
		return append(out, piece{Word: lost(h.words...), quoted: quoted, split: !quoted})
	}
	return h.emit(quoted, r.separator(), out)
}

// goesOn notes what zsh takes for a part of an expansion without braces; it says whether that may be a longer name.
func (r *reader) goesOn(p *syntax.ParamExp) bool {
	c := r.src.behind(p)
	if c == '[' || c == ':' && len(r.src.text) > int(p.End().Offset())+1 && isLetter(r.src.text[p.End().Offset()+1]) {
		r.gap("zsh reads a subscript or modifier after a variable", r.src.nodeSpan(p))
	}
	return r.zsh && (isNumber(p.Param.Value) && c >= '0' && c <= '9' || c >= 0x80) // of which some are letters
}

// operated is what an operator makes of a value, or of the elements of a list: nothing is known of that but where it comes from.
func (r *reader) operated(p *syntax.ParamExp, h held, quoted bool, out []piece) []piece {
	var with []command.Word
	add := func(w *syntax.Word) {
		if w != nil {
			with = append(with, r.value(w, ordinary))
		}
	}
	switch {
	case p.Slice != nil:
		r.s.shaken = true // it may be an error
		r.arithm(p.Slice.Offset)
		r.arithm(p.Slice.Length)
	case p.Repl != nil:
		add(p.Repl.Orig)
		add(p.Repl.With)
	default:
		add(p.Exp.Word)
		if p.Exp.Op == syntax.OtherParamOps && !(len(with) > 0 && with[0].IsKnown() && strings.Trim(with[0].Text, "QUuLEak") == "") {
			r.gap("an expansion that may run what a variable holds", r.src.nodeSpan(p))
		}
	}
	w := lost(append(with, h.words...)...)
	if h.list && quoted {
		return append(out, piece{Word: w, split: true, many: true})
	}
	if p.Exp != nil && p.Exp.Op == syntax.RemSmallSuffix && !h.list && !h.star && len(h.words) == 1 && len(with) == 1 {
		w = cutEnd(h.words[0], with[0])
	}
	return append(out, piece{Word: w, quoted: quoted, split: !quoted})
}

// cutEnd is a value without an ending of its last name, as an extension is. What is left of a path below a directory is below it.
func cutEnd(w, end command.Word) command.Word {
	ends := end.IsKnown() && end.Text != "" && !strings.ContainsAny(end.Text, "*?[]\\/()#~^") && w.IfEmpty == ""
	switch {
	case end.IsKnown() && end.Text == "/" && w.IfEmpty == "" && (w.IsKnown() || w.Glob || w.Reach == tool.Under):
		w.Text, w.At = strings.TrimSuffix(w.Text, "/"), 0 // which is the same place
		return w
	case !ends:
	case w.IsKnown():
		w.Text, w.At = strings.TrimSuffix(w.Text, end.Text), 0
		return w
	case w.Glob && w.Reach == tool.Exact && strings.HasSuffix(w.Text, "*"+end.Text) && !paths.GlobClimbs(w.Text):
		w.Text, w.At = strings.TrimSuffix(w.Text, end.Text), 0
		return w
	case w.Reach == tool.Under && (w.Tail == "" || strings.HasSuffix(w.Tail, end.Text)):
		w.Tail, w.Made, w.At = strings.TrimSuffix(w.Tail, end.Text), nil, 0
		return w
	}
	return lost(w, end)
}

// separator is what "$*" joins with.
func (r *reader) separator() command.Word {
	if strings.Contains(r.whole, "IFS") {
		return command.Word{}
	}
	return command.Known(" ", tool.Span{})
}

// emit turns the elements of a parameter into pieces.
func (h held) emit(quoted bool, sep command.Word, out []piece) []piece {
	list := h.words
	if h.more {
		list = append(list[:len(list):len(list)], lost(list...))
	}
	for i, w := range list {
		sure := h.loose == 0 || i+1 < h.loose
		if i > 0 {
			if h.star && quoted {
				out = append(out, piece{Word: sep, quoted: true})
			} else {
				out = append(out, piece{sep: true, many: !sure})
			}
		}
		p := piece{Word: w, quoted: quoted, split: !quoted, many: h.list && !sure && (!w.IsKnown() || w.Hollow)}
		if p.At = 0; h.more && i == len(list)-1 {
			p.quoted, p.split = false, true // any number of words, also none
		}
		out = append(out, p)
	}
	if len(list) == 0 && quoted && !h.list {
		out = append(out, piece{Word: command.Known("", tool.Span{}), quoted: true})
	}
	return out
}

// subject is what an expansion is about, before any operator: a parameter, or what another parameter names, which is not known.
func (r *reader) subject(p *syntax.ParamExp) held {
	h := r.lookup(p.Param.Value, p.Index)
	switch {
	case !p.Excl:
		return h
	case allOf(p.Index) == "": // else the keys of an array
		r.gap("a variable whose name is known only at run time", r.src.nodeSpan(p))
	}
	return held{words: []command.Word{lost(h.words...)}, list: true, more: true, loose: 1}
}

// lookup finds the value of a parameter with an optional subscript.
func (r *reader) lookup(name string, index syntax.ArithmExpr) held {
	s, all := r.s, allOf(index)
	switch {
	case name == "@" || name == "*":
		sure := !s.many && s.loose == 0
		return held{words: s.params, list: name == "@", star: name == "*", set: len(s.params) > 0 && sure, unset: len(s.params) == 0 && !s.many, more: s.many, loose: s.loose}
	case index == nil || !r.zsh && isFirst(index):
		w, set := r.scalar(name)
		return held{words: []command.Word{w}, set: set == succeeded, unset: set == failed}
	case all == "":
		r.arithmIndex(name, index)
	}
	v := r.variable(name)
	h := held{list: all == "@", star: all == "*"}
	switch {
	case v.odd || all == "": // which of them it is is not known
		return held{words: []command.Word{lost(v.alts...)}, list: h.list, more: all != ""}
	case v.list && v.open:
		h.words, h.more, h.loose = []command.Word{lost(v.alts...)}, true, 1
	case v.list:
		h.words, h.set, h.unset, h.loose = v.alts, len(v.alts) > 0, len(v.alts) == 0, looseIn(v.alts)
	default:
		w, set := r.scalar(name)
		if h.set, h.unset = set == succeeded, set == failed; !h.unset {
			h.words = []command.Word{w}
		}
		if !h.unset && w.Hollow {
			h.loose = 1
		}
	}
	return h
}

// isFirst says whether a subscript is that of the first element, which is what the name alone stands for.
func isFirst(index syntax.ArithmExpr) bool {
	w, ok := index.(*syntax.Word)
	return ok && w.Lit() == "0"
}

// looseIn is 1 + the index of the first word that may stand for any number of words.
func looseIn(list []command.Word) int {
	return 1 + slices.IndexFunc(list, func(w command.Word) bool { return w.Glob || w.Split || w.Reach == tool.Under })
}

// status says whether a variable is set.
type status uint8

const (
	unknown status = iota
	succeeded
	failed
)

// scalar returns the value of a variable or special parameter, for the combination at hand.
func (r *reader) scalar(name string) (command.Word, status) {
	if w, set, is := r.special(name); is {
		return w, set
	}
	v := r.variable(name)
	switch {
	case v.odd, v.list && (v.open || r.zsh || len(v.alts) == 0 || looseIn(v.alts) > 0):
		return lost(v.alts...), unknown
	case v.list:
		return v.alts[0], succeeded
	case v.unset:
		return command.Known("", tool.Span{}), failed
	}
	w := anyOf(v.alts)
	if i := r.pick(name, len(v.alts)); i >= 0 {
		w = v.alts[i]
	}
	if w.Reach == tool.Anywhere || w.Hollow {
		return w, unknown
	}
	return w, succeeded
}

// special is the value of a parameter that is no variable, or not like others.
func (r *reader) special(name string) (w command.Word, set status, is bool) {
	s := r.s
	switch c := name[0]; {
	case c >= '0' && c <= '9':
		w, set = r.s.positional(name)
		return w, set, true
	case c == '#' && (s.many || s.loose > 0), c == '?', c == '$':
		return anyNumber(), succeeded, true
	case c == '#':
		return command.Known(number(len(s.params)), tool.Span{}), succeeded, true
	case c == '!':
		return command.Word{Plain: true, Hollow: true, Of: command.Own}, unknown, true
	case c == '-':
		return command.Word{Plain: true}, unknown, true
	case name == "_": // the last word of the command before
		return command.Word{Taint: r.assigned}, unknown, true
	case name == "PWD" && !r.s.touched("PWD"):
		return r.dir(), succeeded, true
	}
	return w, set, false
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
		return lost(s.params...), unknown
	case n <= len(s.params):
		if w := s.params[n-1]; w.Reach != tool.Anywhere && !w.Hollow {
			return w, succeeded
		}
		return s.params[n-1], unknown
	case s.many:
		return lost(s.params...), unknown
	}
	return command.Known("", tool.Span{}), failed
}

// inherited is a variable that the script has not set: the shell's own, or the environment's.
func (r *reader) inherited(name string) variable {
	if len(r.without) > 0 && slices.ContainsFunc(r.without, func(w command.Word) bool { return !w.IsKnown() || w.Text == name }) {
		if name == "HOME" && r.world.Home != "" { // which is then the one of the user
			return variable{alts: []command.Word{command.Known(r.world.Home, tool.Span{}), lost()}}
		}
		return single(lost())
	}
	switch name {
	case "HOME":
		if r.world.Home != "" {
			return single(command.Known(r.world.Home, tool.Span{}))
		}
	case "USER", "LOGNAME":
		if r.world.User != "" {
			return single(command.Known(r.world.User, tool.Span{}))
		}
		return single(command.Word{Plain: true, Hollow: true}) // containers often have none
	case "PATH":
		return single(command.Word{Made: value.SearchPath})
	case "TMPDIR":
		if r.world.Getenv != nil {
			if text, ok := r.world.Getenv(name); ok {
				return single(command.Known(text, tool.Span{}))
			}
			return variable{unset: true}
		}
	case "IFS":
		if r.zsh { // there is a zero byte in it
			return single(command.Word{})
		}
		return single(command.Known(" \t\n", tool.Span{}))
	case "OLDPWD":
		return variable{alts: r.s.old}
	case "RANDOM", "SECONDS", "UID", "EUID", "PPID", "LINENO", "SHLVL", "OPTIND":
		return single(anyNumber())
	case "SRANDOM", "EPOCHSECONDS", "BASHPID", "EPOCHREALTIME", "HOSTNAME", "HOSTTYPE":
		return single(command.Word{Plain: true, Hollow: r.zsh})
	case "OSTYPE", "MACHTYPE":
		return single(command.Word{Plain: true})
	}
	if r.early && r.world.Getenv != nil {
		if _, ok := r.world.Getenv(name); !ok {
			return variable{unset: true}
		}
	}
	w := command.Word{Hollow: true}
	if command.SecretName(name) {
		w.Taint = command.FromSecret
	}
	return single(w)
}

// conditional expands ${x:-w} and its relatives.
func (r *reader) conditional(p *syntax.ParamExp, h held, quoted bool, m manner, out []piece) []piece {
	if name := p.Param.Value; (r.zsh || r.posix) && (holdsLit(p.Exp.Word, "{") || !isName(name) && !isNumber(name)) { // shells differ
		return append(out, piece{Word: lost(append(wordsOf(r.given(p, quoted, m)), h.words...)...), split: true, many: true})
	}
	if r.zsh && holdsLit(p.Exp.Word, "(") {
		r.gap("a pattern that zsh may run code for", r.src.nodeSpan(p))
	}
	h = h.orNull(p.Exp.Op)
	list := r.given(p, quoted, m)
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return r.alternate(p, h, list, quoted, out)
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		r.reveals(r.fold(list, tool.Span{}), r.src.nodeSpan(p))
		r.s.shaken = r.s.shaken || !h.set
		return r.itself(h, quoted, out)
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if !h.set {
			r.assignDefault(p, h, list)
		}
	}
	switch {
	case h.set:
		return r.itself(h, quoted, out)
	case h.unset:
		return append(out, list...)
	case h.list || h.star || h.more || len(h.words) != 1 || quoted && severalIn(list):
		return append(out, piece{Word: lost(append(wordsOf(list), h.words...)...), split: true, many: true})
	}
	switch r.pick("-"+number(int(p.Pos().Offset())), 2) {
	case 0:
		return r.itself(h, quoted, out)
	case 1:
		return append(out, list...)
	}
	w := r.itself(h, quoted, nil)[0].Word.Join(r.fold(list, r.src.nodeSpan(p)))
	return append(out, piece{Word: w, quoted: quoted, split: !quoted})
}

// holdsLit says whether there is a sign in the text of a word, or a pattern in it.
func holdsLit(w *syntax.Word, sign string) bool {
	return w != nil && slices.ContainsFunc(w.Parts, func(part syntax.WordPart) bool {
		l, ok := part.(*syntax.Lit)
		_, group := part.(*syntax.ExtGlob)
		return group || ok && strings.Contains(l.Value, sign)
	})
}

func severalIn(list []piece) bool {
	return slices.ContainsFunc(list, func(p piece) bool { return p.sep || p.many })
}

// orNull is a value for an operator, to some of which an empty one is none.
func (h held) orNull(op syntax.ParExpOperator) held {
	switch op {
	case syntax.AlternateUnsetOrNull, syntax.DefaultUnsetOrNull, syntax.ErrorUnsetOrNull, syntax.AssignUnsetOrNull:
	default:
		return h
	}
	if len(h.words) == 1 && !h.list && !h.star {
		empty := h.words[0].Reach == tool.Exact && h.words[0].Text == ""
		h.set, h.unset = h.set && !empty, h.unset || empty
	} else if len(h.words) > 0 && !h.unset {
		h.set = false
	}
	return h
}

// given is the word behind such an operator.
func (r *reader) given(p *syntax.ParamExp, quoted bool, m manner) []piece {
	if p.Exp.Word == nil {
		return []piece{{Word: command.Known("", tool.Span{}), quoted: quoted}}
	}
	if m == literal && !quoted {
		m = ordinary
	}
	list := r.pieces(p.Exp.Word.Parts, quoted, m, nil)
	for i := range list {
		list[i].split = list[i].split || !quoted && !list[i].quoted
	}
	return list
}

// itself is a value that takes the place of its default: where it is empty, that does.
func (r *reader) itself(h held, quoted bool, out []piece) []piece {
	if len(h.words) != 1 || h.list || h.star || h.more {
		return h.emit(quoted, r.separator(), out)
	}
	w := h.words[0]
	w.Hollow = w.Hollow && w.IfEmpty != ""
	return append(out, piece{Word: w, quoted: quoted, split: !quoted})
}

// alternate is ${x:+w}.
func (r *reader) alternate(p *syntax.ParamExp, h held, list []piece, quoted bool, out []piece) []piece {
	switch {
	case h.set:
		return append(out, list...)
	case h.unset && quoted:
		return append(out, piece{Word: command.Known("", tool.Span{}), quoted: true})
	case h.unset:
		return out
	case severalIn(list):
		return append(out, piece{Word: lost(wordsOf(list)...), split: true, many: true})
	}
	w := r.fold(list, r.src.nodeSpan(p))
	w.Hollow = true
	return append(out, piece{Word: w, quoted: quoted, split: !quoted})
}

// assignDefault is ${x:=w}, where the word may be assigned.
func (r *reader) assignDefault(p *syntax.ParamExp, h held, list []piece) {
	if p.Excl || p.Index != nil || !isName(p.Param.Value) {
		r.gap("a variable assigned inside an expansion", r.src.nodeSpan(p))
		return
	}
	for i := range list {
		list[i].split = false
	}
	v := single(r.fold(slices.Clone(list), r.src.nodeSpan(p)))
	if !h.unset {
		w := h.words[0]
		w.Hollow = false
		v.alts = append(v.alts, w)
	}
	r.assign(p.Param.Value, v, r.src.nodeSpan(p))
}
