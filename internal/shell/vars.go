package shell

import (
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"

	"mvdan.cc/sh/v3/syntax"
)

// declClause is export, declare, local and readonly, as the parser knows them:
// with assignments among their words.
func (r *reader) declClause(st *syntax.Stmt, c *syntax.DeclClause, s *state) []*state {
	if r.spend() {
		return one(s)
	}
	r.substituted = false
	variant := c.Variant.Value
	if variant == "local" && r.depth == 0 { // an error, but words are expanded
		kept := s.fork()
		r.depth++
		r.declClause(st, c, s)
		r.depth--
		return one(kept.end(false))
	}
	words := []command.Word{r.verbatim(variant, c.Variant.Pos().Offset(), c.Variant.Pos().Offset(), c.Variant.End().Offset())}
	inv := r.invocation(s, st, words)
	out := command.Data{Reach: tool.Exact, At: -1}
	red := r.redirects(s, st.Redirs, inv)
	if variant == "nameref" {
		r.gap("nameref is no command of bash", inv.Span)
	}
	if f := s.function(variant); f != nil {
		r.gap("a function has taken the name of "+variant, inv.Span)
	}
	var attrs, drop attributes
	var flags string
	names := 0
	for _, a := range c.Args {
		if a.Name == nil { // an option, or something that expands to assignments
			for _, w := range r.fields(s, a.Value, nil) {
				inv.Words = append(inv.Words, w)
				if w.IsKnown() && len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+') {
					at := attributesOf(w.Text[1:])
					if w.Text[0] == '-' {
						attrs |= at
						flags += w.Text[1:]
					} else {
						drop |= at
					}
					continue
				}
				names++
				r.declWord(s, variant, w, attrs, flags, inv)
			}
			continue
		}
		names++
		name := a.Name.Value
		all := attrs
		switch variant {
		case "export":
			all |= exported
		case "readonly":
			all |= readonly
		}
		if strings.Contains(flags, "f") {
			r.exportFunction(s, name, variant, flags)
			continue
		}
		r.declVar(s, variant, name, flags, inv)
		switch {
		case a.Naked && a.Array == nil && a.Value == nil:
			if a.Index != nil {
				r.subscript(s, s.lookup(name), a.Index)
			}
			v := s.variable(name)
			v.attrs = v.attrs&^drop | all
			inv.Words = append(inv.Words, command.Known(name, r.nodeSpan(a)))
		default:
			if a.Value != nil && attrs&(isArray|isAssoc) != 0 && r.looksLikeArray(s, a) {
				r.gap("an array in quotes that is evaluated", r.nodeSpan(a))
			}
			r.assignDecl(s, a, all)
			v := s.variable(name)
			v.attrs &^= drop
			w := command.Word{At: -1, Span: r.nodeSpan(a)}
			if len(v.words) == 1 && v.attrs&(isArray|isAssoc) == 0 {
				w = concat(command.Known(name+"=", r.nodeSpan(a)), v.words[0])
				w.Span = r.nodeSpan(a)
				if v.attrs&exported != 0 {
					as := command.Assign{Name: name, Value: withSpan(v.words[0], r.nodeSpan(a)), Append: a.Append, Prefix: true}
					inv.Env = append(inv.Env, as)
				}
			}
			inv.Words = append(inv.Words, w)
		}
	}
	if names == 0 { // it prints them
		out = command.Data{Taint: command.FromSecret, At: -1}
	}
	if r.known(st, inv) == nil {
		r.model(st, variant, inv, s)
		r.throughLinks(s, inv)
		r.list1(inv)
		r.remember(st, inv)
	}
	r.send(s, out, red)
	return one(s.end(true))
}

// assignDecl assigns inside a declaration. With the attribute n the value is a
// name, with i it is evaluated.
func (r *reader) assignDecl(s *state, a *syntax.Assign, attrs attributes) {
	name := a.Name.Value
	ro := attrs & readonly
	attrs &^= readonly
	if attrs&nameref != 0 && a.Value != nil {
		w := r.value(s, a.Value)
		v := s.variable(name)
		v.words, v.unset, v.attrs = []command.Word{w}, false, v.attrs|attrs
		if !w.IsKnown() || !isName(w.Text) {
			r.gap("a name reference whose target is evaluated", r.nodeSpan(a))
		}
		return
	}
	r.assignNode(s, a, attrs)
	if v := s.variable(name); ro != 0 {
		v.attrs |= ro
	}
}

// looksLikeArray says whether a quoted value is read as an array by declare -a.
func (r *reader) looksLikeArray(s *state, a *syntax.Assign) bool {
	if v := r.value(s.fork(), a.Value); v.IsKnown() {
		return strings.HasPrefix(v.Text, "(") && strings.ContainsAny(v.Text, "$`")
	} else {
		return !isPlain(v) && v.Reach != tool.Prefix
	}
}

func attributesOf(flags string) (a attributes) {
	for i := 0; i < len(flags); i++ {
		switch flags[i] {
		case 'x':
			a |= exported
		case 'i':
			a |= integer
		case 'n':
			a |= nameref
		case 'r':
			a |= readonly
		case 'a':
			a |= isArray
		case 'A':
			a |= isAssoc
		case 'l':
			a |= lowered
		case 'u':
			a |= uppered
		}
	}
	return a
}

// declVar makes a local variable where the declaration is a function's.
func (r *reader) declVar(s *state, variant, name, flags string, inv *command.Invocation) {
	local := variant == "local" || variant == "declare" || variant == "typeset"
	if !local || r.depth == 0 || strings.Contains(flags, "g") {
		return
	}
	if v := s.lookup(name); v != nil && v.local == r.depth {
		return
	}
	s.own()
	v := variable{name: name, unset: true, local: r.depth}
	if strings.Contains(flags, "I") {
		if old := s.lookup(name); old != nil {
			v = *old
			v.local = r.depth
		}
	}
	s.vars = append(s.vars, v)
}

func (r *reader) exportFunction(s *state, name, variant, flags string) {
	if variant != "export" && !strings.Contains(flags, "x") {
		return
	}
	s.own()
	if f := s.function(name); f != nil {
		f.exp = true
	}
}

// declWord is a word of a declaration that is not written as an assignment: it
// came out of quotes or an expansion, and bash looks at it again.
func (r *reader) declWord(s *state, variant string, w command.Word, attrs attributes, flags string, inv *command.Invocation) {
	name, value, is := strings.Cut(w.Text, "=")
	if w.Reach == tool.Anywhere || w.Glob || !is && !w.IsKnown() {
		r.gapIn(inv, variant+" of a variable that is not known")
		return
	}
	plain := strings.TrimSuffix(name, "+")
	if strings.IndexByte(name, '[') >= 0 {
		r.plainName(withSpan(command.Known(plain, w.Span), w.Span))
		base, _, _ := strings.Cut(plain, "[")
		if isName(base) {
			v := s.variable(base)
			v.attrs |= isArray
			v.blur()
		}
		return
	}
	if !isName(plain) {
		r.gapIn(inv, variant+" of something that is no name")
		return
	}
	if strings.Contains(flags, "f") {
		r.exportFunction(s, plain, variant, flags)
		return
	}
	switch variant {
	case "export":
		attrs |= exported
	case "readonly":
		attrs |= readonly
	}
	r.declVar(s, variant, plain, flags, inv)
	if !is {
		s.variable(plain).attrs |= attrs
		return
	}
	v := w
	v.Text, v.At = value, -1
	if attrs&(isArray|isAssoc) != 0 && strings.HasPrefix(value, "(") {
		if strings.ContainsAny(value, "$`") || !v.IsKnown() {
			r.gapIn(inv, "an array in quotes that is evaluated")
		}
		vv := s.variable(plain)
		vv.attrs, vv.words, vv.open, vv.unset = vv.attrs|attrs, nil, true, false
		return
	}
	if name != plain {
		old, _ := r.scalar(s, plain)
		v = concat(old, v)
	}
	s.variable(plain).attrs |= attrs &^ readonly
	r.assign(s, plain, v, w.Span)
	s.variable(plain).attrs |= attrs
	if attrs&exported != 0 {
		inv.Env = append(inv.Env, command.Assign{Name: plain, Value: withSpan(v, w.Span), Prefix: true})
	}
}

// declWords is a declaration whose name the parser did not see as one, as in
// "command export X=1".
func (r *reader) declWords(s *state, name string, args []command.Word, inv *command.Invocation) {
	var attrs attributes
	flags := ""
	for _, w := range args {
		if w.IsKnown() && len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+') {
			if w.Text[0] == '-' {
				attrs |= attributesOf(w.Text[1:])
				flags += w.Text[1:]
			}
			continue
		}
		r.declWord(s, name, w, attrs, flags, inv)
	}
	if given := len(inv.Env); given > 0 {
		probe := command.Invocation{Dir: inv.Dir, Span: inv.Span, Env: inv.Env}
		r.lib.Read(&probe, r.world)
		inv.Effects, inv.Gaps = append(inv.Effects, probe.Effects...), append(inv.Gaps, probe.Gaps...)
	}
	s.end(true)
}

// unset removes variables and functions.
func (r *reader) unset(s *state, args []command.Word) {
	funcs := false
	for _, w := range args {
		if !r.plainName(w) {
			continue
		}
		switch {
		case w.Text == "-f":
			funcs = true
		case w.Text == "-v":
			funcs = false
		case strings.HasPrefix(w.Text, "-"):
		case !isName(w.Text):
			base, key, _ := strings.Cut(w.Text, "[")
			if isName(base) {
				s.variable(base).remove(strings.TrimSuffix(key, "]"))
			}
		default:
			if !funcs {
				if v := s.lookup(w.Text); v == nil || !v.unset {
					s.unsetVar(w.Text)
					if v == nil && s.function(w.Text) == nil {
						continue
					}
					if v != nil {
						continue
					}
				}
			}
			if s.function(w.Text) != nil {
				s.own()
				s.funcs = append(s.funcs, function{name: w.Text, gone: true})
			}
		}
	}
}

// remove unsets one element of an array.
func (v *variable) remove(key string) {
	i := v.find(key)
	if i < 0 || v.open || !isNumber(key) && v.attrs&isAssoc == 0 {
		v.blur()
		return
	}
	words, keys := v.words, v.keys
	v.words, v.keys = nil, []string{}
	for j, w := range words {
		if j == i {
			continue
		}
		k := strconv.Itoa(j)
		if keys != nil {
			k = keys[j]
		}
		v.words, v.keys = append(v.words, w), append(v.keys, k)
	}
}

// set changes options and positional parameters.
func (r *reader) set(s *state, args []command.Word, inv *command.Invocation) {
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !w.IsKnown() {
			if w.Reach == tool.Anywhere {
				// It may be options as well as parameters.
				r.gapIn(inv, "set with a word that is not known")
			}
			s.params, s.many, s.loose = args[i:], true, 1
			return
		}
		text := w.Text
		switch {
		case text == "--":
			r.positional(s, args[i+1:], len(inv.Words))
			return
		case text == "-":
			if i+1 < len(args) {
				r.positional(s, args[i+1:], len(inv.Words))
			}
			return
		case len(text) > 1 && (text[0] == '-' || text[0] == '+'):
			on := text[0] == '-'
			if strings.Trim(text[1:], "abefhkmnoptuvxBCEHPT") != "" {
				return // an error
			}
			for _, c := range text[1:] {
				if c == 'o' {
					if i+1 < len(args) {
						i++
						r.option(s, optionNamed(args[i].Text), on)
					}
					continue
				}
				r.option(s, optionLetter(c), on)
			}
		default:
			r.positional(s, args[i:], len(inv.Words))
			return
		}
	}
}

func (r *reader) positional(s *state, words []command.Word, given int) {
	s.params, s.many, s.loose = words, false, 0
	if r.loose > 0 {
		// r.loose counts from the name of the command.
		s.loose = max(1, r.loose-(given-len(words)))
	}
}

func (r *reader) option(s *state, o options, on bool) {
	if on {
		s.opts |= o
	} else {
		s.opts &^= o
	}
	if o == optXtrace && on {
		if v := s.lookup("PS4"); v != nil && !v.unset {
			r.gap("set -x evaluates PS4", tool.Span{})
		}
	}
}

func optionLetter(c rune) options {
	switch c {
	case 'e':
		return optErrexit
	case 'a':
		return optAllexport
	case 'x':
		return optXtrace
	case 'f':
		return optNoglob
	}
	return 0
}

func optionNamed(name string) options {
	switch name {
	case "errexit":
		return optErrexit
	case "allexport":
		return optAllexport
	case "xtrace":
		return optXtrace
	case "noglob":
		return optNoglob
	case "extglob":
		return optExtglob
	case "globstar":
		return optGlobstar
	case "nullglob":
		return optNullglob
	case "dotglob":
		return optDotglob
	case "lastpipe":
		return optLastpipe
	}
	return 0
}

func (r *reader) shopt(s *state, args []command.Word, inv *command.Invocation) {
	mode := byte(0)
	for _, w := range args {
		if !w.IsKnown() {
			r.gapIn(inv, "a shell option that is not known")
			continue
		}
		switch {
		case w.Text == "-s" || w.Text == "-so" || w.Text == "-os":
			mode = 's'
		case w.Text == "-u" || w.Text == "-uo" || w.Text == "-ou":
			mode = 'u'
		case strings.HasPrefix(w.Text, "-"):
		case mode != 0:
			r.option(s, optionNamed(w.Text), mode == 's')
		}
	}
}

func (r *reader) shift(s *state, args []command.Word) {
	n := 1
	if len(args) > 0 {
		v, ok := parseNumber(args[0].Text)
		if !args[0].IsKnown() || !ok {
			s.params, s.many, s.loose = nil, true, 0
			s.ended()
			return
		}
		n = int(v)
	}
	switch {
	case s.loose > 0 && n >= s.loose:
		// One that is gone may have stood for many or for none.
		s.params, s.loose = []command.Word{nothing(s.params)}, 1
		s.ended()
	case n >= 0 && n <= len(s.params):
		s.params = s.params[n:]
		if s.loose > 0 {
			s.loose -= n
			s.ended()
			return
		}
		s.end(true)
	case s.many:
		s.params = nil
		s.ended()
	default:
		s.end(false)
	}
}

// read assigns a line of the standard input to variables.
func (r *reader) read(s *state, args []command.Word, inv *command.Invocation) []*state {
	raw, array := false, ""
	delim := byte('\n')
	exotic, bad := false, false
	from := ""
	var names []command.Word
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !w.IsKnown() {
			r.plainName(w)
			names = append(names, w)
			continue
		}
		if len(names) == 0 && len(w.Text) > 1 && w.Text[0] == '-' {
			flags := w.Text[1:]
			for j := 0; j < len(flags); j++ {
				switch c := flags[j]; c {
				case 'r':
					raw = true
				case 'e', 's':
				case 'a', 'd', 'i', 'n', 'N', 'p', 't', 'u':
					value := command.Known(flags[j+1:], w.Span)
					if value.Text == "" && i+1 < len(args) {
						i++
						value = args[i]
					}
					j = len(flags)
					switch c {
					case 'a':
						array = value.Text
						r.plainName(value)
					case 'd':
						delim = 0
						if value.IsKnown() && value.Text != "" {
							delim = value.Text[0]
						}
					case 'u':
						from = value.Text
						exotic = exotic || !value.IsKnown()
					case 'p':
					default:
						exotic = true
					}
				default: // not an option: it fails and assigns nothing
					bad = true
				}
			}
			continue
		}
		r.plainName(w)
		names = append(names, w)
	}
	in := s.stdin
	if from != "" && from != "0" {
		in = r.descriptor(s, from, "/dev/fd/"+from)
		exotic = true
	}
	line, more := command.Word{At: -1, Taint: in.Taint}, unknown
	switch {
	case bad:
	case in.None:
		line, more = command.Known("", inv.Span), failed
	case in.Reach == tool.Exact && !exotic && raw && delim != 0:
		text, rest, found := strings.Cut(in.Text, string(delim))
		line = command.Word{Text: text, Reach: tool.Exact, Taint: in.Taint, At: -1}
		more = ok(found)
		if from == "" {
			s.stdin = command.Data{Text: rest, Reach: tool.Exact, Taint: in.Taint, At: -1}
		}
	case in.Reach == tool.Exact && !exotic && delim != 0:
		// Without -r backslashes are removed; only text without them is read.
		text, rest, found := strings.Cut(in.Text, string(delim))
		if strings.IndexByte(text, '\\') < 0 {
			line = command.Word{Text: text, Reach: tool.Exact, Taint: in.Taint, At: -1}
			more = ok(found)
			s.stdin = command.Data{Text: rest, Reach: tool.Exact, Taint: in.Taint, At: -1}
		} else {
			s.stdin = command.Data{Taint: in.Taint, At: -1}
		}
	case in.Reach == tool.Under:
		line.Text, line.Reach = in.Text, tool.Under
	case in.Plain:
		line.Plain = true
	case exotic && from == "":
		s.stdin = command.Data{Taint: in.Taint, At: -1}
	}
	r.spread(s, line, names, array, inv)
	s.setStatus(more)
	return one(s)
}

// spread splits a line over variables.
func (r *reader) spread(s *state, line command.Word, names []command.Word, array string, inv *command.Invocation) {
	give := func(name command.Word, w command.Word) {
		if !name.IsKnown() {
			return
		}
		base, _, sub := strings.Cut(name.Text, "[")
		if !isName(base) {
			return
		}
		if sub {
			v := s.variable(base)
			v.attrs |= isArray
			v.blur()
			return
		}
		r.assign(s, base, w, name.Span)
	}
	ifs, known := r.ifs(s)
	if !known || !line.IsKnown() {
		w := line
		if array != "" && isName(array) {
			v := s.variable(array)
			v.words, v.keys, v.attrs, v.open, v.unset = []command.Word{nothing([]command.Word{line})}, nil, v.attrs|isArray, true, false
			return
		}
		if len(names) > 1 && w.Reach != tool.Exact && !w.Plain {
			w = command.Word{At: -1, Taint: line.Taint}
		}
		for _, n := range names {
			give(n, w)
		}
		if len(names) == 0 {
			r.assign(s, "REPLY", w, inv.Span)
		}
		return
	}
	if len(names) == 0 && array == "" {
		r.assign(s, "REPLY", line, inv.Span)
		return
	}
	limit := len(names)
	if array != "" {
		limit = 1 << 10
	}
	parts := splitLine(line.Text, ifs, limit)
	if array != "" {
		if !isName(array) {
			return
		}
		v := s.variable(array)
		v.words, v.keys, v.attrs, v.open, v.unset = nil, nil, v.attrs|isArray, false, false
		for _, p := range parts {
			v.words = append(v.words, command.Word{Text: p, Reach: tool.Exact, Taint: line.Taint, At: -1})
		}
		return
	}
	for i, n := range names {
		w := command.Word{Reach: tool.Exact, Taint: line.Taint, At: -1}
		if i < len(parts) {
			w.Text = parts[i]
		}
		give(n, w)
	}
}

// splitLine splits the way read does: the last part keeps its separators.
func splitLine(text, ifs string, limit int) []string {
	blanks := ""
	for i := 0; i < len(ifs); i++ {
		if isBlank(ifs[i]) {
			blanks += ifs[i : i+1]
		}
	}
	text = strings.TrimLeft(text, blanks)
	var parts []string
	for ifs != "" && len(parts) < limit-1 && text != "" {
		n := strings.IndexAny(text, ifs)
		if n < 0 {
			break
		}
		parts = append(parts, text[:n])
		text = strings.TrimLeft(text[n:], blanks)
		if text != "" && strings.IndexByte(ifs, text[0]) >= 0 {
			text = strings.TrimLeft(text[1:], blanks)
		}
	}
	text = strings.TrimRight(text, blanks)
	if limit > 0 && len(parts) == limit-1 && ifs != "" {
		// One separator at the end is dropped if it is the only one.
		if t := strings.TrimRight(text, ifs); t != text && !strings.ContainsAny(t, ifs) && len(text)-len(t) == 1 {
			text = t
		}
	}
	if text != "" {
		parts = append(parts, text)
	}
	return parts
}

// mapfile fills an array with lines.
func (r *reader) mapfile(s *state, args []command.Word, inv *command.Invocation) {
	name, exotic, trim := "MAPFILE", false, false
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !w.IsKnown() {
			r.gapIn(inv, "mapfile with a word that is not known")
			return
		}
		if len(w.Text) > 1 && w.Text[0] == '-' {
			switch c := w.Text[len(w.Text)-1]; {
			case strings.IndexByte(w.Text, 'C') > 0:
				i++
				r.gapIn(inv, "mapfile runs a command")
				if i < len(args) && args[i].IsKnown() {
					r.inline(args[i].Text+" 0 x", &source{at: -1, whole: args[i].Span}, s.fork())
				}
			case c == 't':
				trim = true
			case strings.IndexByte("dnOsucC", c) >= 0:
				i++
				exotic = true
			}
			continue
		}
		name = w.Text
		if !r.plainName(w) || !isName(name) {
			return
		}
	}
	v := s.variable(name)
	v.attrs |= isArray
	v.words, v.keys, v.unset, v.open = nil, nil, false, false
	in := s.stdin
	if in.Reach != tool.Exact || in.None || exotic || !trim {
		v.words, v.open = []command.Word{{At: -1, Taint: in.Taint}}, true
		if in.Reach == tool.Under {
			v.words[0].Text, v.words[0].Reach = in.Text, tool.Under
		}
		if in.None {
			v.words, v.open = nil, false
		}
		return
	}
	for _, l := range strings.Split(strings.TrimSuffix(in.Text, "\n"), "\n") {
		if len(v.words) > 1<<10 {
			v.open = true
			break
		}
		v.words = append(v.words, command.Word{Text: l, Reach: tool.Exact, Taint: in.Taint, At: -1})
	}
}

// getopts takes the next option; which it is, is not followed.
func (r *reader) getopts(s *state, args []command.Word) []*state {
	if len(args) < 2 {
		return one(s.end(false))
	}
	if r.plainName(args[1]) {
		r.assign(s, args[1].Text, command.Word{Plain: true, At: -1}, args[1].Span)
	}
	s.set("OPTARG", nothing(s.params))
	s.set("OPTIND", command.Word{Plain: true, At: -1})
	return one(s.ended())
}

// printfVar handles printf -v, which assigns instead of printing.
func (r *reader) printfVar(s *state, args []command.Word, red redirection) redirection {
	if len(args) == 0 || !args[0].IsKnown() || !strings.HasPrefix(args[0].Text, "-v") {
		return red
	}
	name := command.Known(args[0].Text[2:], args[0].Span)
	rest := args[1:]
	if name.Text == "" {
		if len(args) < 2 {
			return red
		}
		name, rest = args[1], args[2:]
	}
	if !r.plainName(name) || !isName(name.Text) {
		r.forget(s, name)
		return red
	}
	// What it would print is what the model says of the same words without -v.
	probe := &command.Invocation{Words: append([]command.Word{command.Known("printf", name.Span)}, rest...), Dir: s.dir, Span: name.Span}
	r.lib.Read(probe, r.world)
	w := command.Word{Text: probe.Output.Text, Reach: probe.Output.Reach, Plain: probe.Output.Plain, Taint: probe.Output.Taint, At: -1}
	r.assign(s, name.Text, w, name.Span)
	red.stdout = discarded
	return red
}
