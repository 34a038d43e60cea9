package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// lookup finds a flag by its name: at the current level, or among the global
// ones of the levels above.
func (l *commandLine) lookup(name string) *Flag {
	last := len(l.levels) - 1
	if f := l.levels[last].Flags.find(name); f != nil {
		return f
	}
	for i := last; i >= 0; i-- {
		if f := l.levels[i].Global.find(name); f != nil {
			return f
		}
	}
	return nil
}

// abbreviated finds the only flag that begins with name, as getopt_long does.
// Two names of flags with equal uses are one.
func (l *commandLine) abbreviated(name string) (f *Flag, ambiguous bool) {
	last := len(l.levels) - 1
	search := func(flags []Flag) {
		for i := range flags {
			if strings.HasPrefix(flags[i].Name, name) {
				if f != nil && !sameUses(f, &flags[i]) {
					ambiguous = true
				}
				f = &flags[i]
			}
		}
	}
	search(l.levels[last].Flags.All())
	for _, level := range l.levels {
		search(level.Global.All())
	}
	return f, ambiguous
}

func sameUses(a, b *Flag) bool {
	if a.Optional != b.Optional || len(a.Values) != len(b.Values) {
		return false
	}
	for i := range a.Values {
		if len(a.Values[i]) != len(b.Values[i]) {
			return false
		}
		for j := range a.Values[i] {
			if a.Values[i][j] != b.Values[i][j] {
				return false
			}
		}
	}
	// Switches mean different things by their names alone.
	return len(a.Values) > 0
}

// flag reads the flag at words[i] with its values and returns the index of the
// next word.
func (r *reader) flag(level *Level, words []Word, i int) int {
	w := words[i]
	switch {
	case mayNameFlags(w):
		r.gap("a glob in a position where it may expand to a flag", w.Span)
		return i + 1
	case w.Text[0] == '+':
		r.plusFlag(w)
		return i + 1
	case level.Grammar == KeyVal && w.Text[0] != '-':
		name, _, _ := strings.Cut(w.Text, "=")
		return r.long(level, words, i, name, w.From(len(name)+1), true)
	}
	if at := r.colon(level, w.Text); at > 0 {
		return r.long(level, words, i, w.Text[:at], w.From(at+1), true)
	}
	if r.isBundle(level, w.Text) {
		return r.bundle(level, words, i)
	}
	name, _, glued := strings.Cut(w.Text, "=")
	if w.Reach != tool.Exact && !glued {
		r.gap("the name of a flag is known only at run time", w.Span)
		return i + 1
	}
	v := w.From(len(name) + 1)
	return r.long(level, words, i, name, v, glued)
}

// mayNameFlags says whether a word is a pattern that may expand to flags, if there are
// files of such names: its wildcards are not only in the value of a flag.
func mayNameFlags(w Word) bool {
	if !w.Glob {
		return false
	}
	name, _, valued := strings.Cut(w.Text, "=")
	return !valued || !paths.Literal(name)
}

// plusFlag is a flag with a plus: cargo +nightly.
func (r *reader) plusFlag(w Word) {
	if w.Reach != tool.Exact || strings.IndexByte(w.Text, '/') >= 0 {
		r.gap("its model does not cover "+quote(w.Text), w.Span)
	}
	r.note(nil, w.Text, nil, w.Span)
}

// isBundle says whether a flag is one letter or several, and not a whole word.
func (l *commandLine) isBundle(level *Level, text string) bool {
	if level.Grammar == Long || strings.HasPrefix(text, "--") || text[0] == '/' {
		return false
	}
	return !l.listedWhole(text)
}

// colon is where the value begins in a flag such as /p:X=1 or -target:Build, if
// what stands before it is listed with a value; otherwise 0.
func (l *commandLine) colon(level *Level, text string) int {
	at := strings.IndexByte(text, ':')
	if at < 2 || at == 2 && text[0] == '-' && level.Grammar != Long || strings.IndexByte(text[:at], '=') >= 0 {
		return 0
	}
	if name, _, _ := strings.Cut(text, "="); l.lookup(name) != nil {
		return 0
	}
	if f := l.lookup(text[:at]); f == nil || len(f.Values) == 0 {
		return 0
	}
	return at
}

// listedWhole says whether a word with one dash and several letters is a flag
// of that very name, in a program that mostly bundles.
func (l *commandLine) listedWhole(text string) bool {
	name, _, _ := strings.Cut(text, "=")
	return len(name) > 2 && l.lookup(name) != nil
}

// long reads a flag whose name is a whole word.
func (r *reader) long(level *Level, words []Word, i int, name string, value Word, glued bool) int {
	span := words[i].Span
	f := r.longFlag(level, name, span)
	switch {
	case f == nil:
		r.unlistedWord(name, value, glued, span)
		return i + 1
	case len(f.Values) == 0:
		if glued && !level.takesBool(value) {
			r.gap("flag "+quote(name)+" takes no value", span)
		}
		var written []Word
		if glued {
			written = append(written, value) // for conditions on it; a switch has no use for it
		}
		r.note(f, f.Name, written, span)
		r.given[len(r.given)-1].off = glued && isOff(value.Text)
		return i + 1
	}
	return r.values(f, words, i, value, glued)
}

// longFlag finds the flag that a whole word names, or nil: as it is listed, with one
// dash more or less, or by its beginning.
func (r *reader) longFlag(level *Level, name string, span tool.Span) *Flag {
	if f := r.lookup(name); f != nil {
		return f
	}
	long := strings.HasPrefix(name, "--")
	if level.Grammar == Long { // programs of this kind take one dash or two
		other := "-" + name
		if long {
			other = name[1:]
		}
		if f := r.lookup(other); f != nil {
			return f
		}
	}
	if !level.Abbrev || !long || len(name) == len("--") {
		return nil
	}
	f, ambiguous := r.abbreviated(name)
	if ambiguous {
		r.gap("ambiguous flag "+quote(name), span)
		return nil
	}
	return f
}

// unlistedWord is a flag that the model does not list.
func (r *reader) unlistedWord(name string, value Word, glued bool, span tool.Span) {
	switch {
	case isHelp(name) && !glued:
		r.scope.help = true
	case !r.unlisted():
		r.unknownFlag(name, span)
	}
	r.note(nil, name, nil, span)
	// An unlisted flag may take the next word as its value; read as an
	// operand that word can only gain effects, and so does a glued one.
	if glued && r.unlisted() {
		r.oper = append(r.oper, value)
	}
}

// takesBool says whether a value is one that switches of this level can be given.
func (l *Level) takesBool(v Word) bool {
	return v.IsKnown() && isBool(v.Text) && (l.Grammar == Long || !l.Abbrev)
}

// has says whether a flag's first value has a use.
func (f *Flag) has(use string) bool {
	if len(f.Values) > 0 {
		for _, u := range f.Values[0] {
			if u.Name == use {
				return true
			}
		}
	}
	return false
}

// isBool says whether a text is a value that a switch can take, in programs that
// let it be written out; what others refuse does nothing.
func isBool(s string) bool { return s == "true" || s == "1" || isOff(s) }

func isOff(s string) bool { return s == "false" || s == "0" }

// values collects a flag's values: a glued one first, then following words.
func (r *reader) values(f *Flag, words []Word, i int, value Word, glued bool) int {
	span := words[i].Span
	var vs []Word
	if glued {
		vs = append(vs, value)
	}
	i++
	switch {
	case f.Optional:
		if !glued && f.takesApart(words[i:]) {
			vs = append(vs, words[i])
			i++
		}
		r.note(f, f.Name, vs, span)
		return i
	case f.namesModule():
		return r.moduleFlag(f, words, i, vs)
	case !glued && f.takesCommand():
		return r.until(f, words, i, span)
	}
	for len(vs) < len(f.Values) {
		if i >= len(words) {
			r.lacksValue(f, span)
			break
		}
		r.mayBeFlags(words[i])
		vs = append(vs, words[i])
		i++
	}
	r.note(f, f.Name, vs, span)
	return i
}

// takesCommand says whether the value of a flag is a command that ends with ";".
func (f *Flag) takesCommand() bool {
	return len(f.Values[0]) > 0 && f.Values[0][0].Name == "command;"
}

// takesApart says whether the next word is surely the value of a flag to which values
// are glued otherwise: no suffix, a number, or an address of this machine.
func (f *Flag) takesApart(next []Word) bool {
	if len(next) == 0 || !next[0].IsKnown() {
		return false
	}
	text := next[0].Text
	return text == "" && f.has("suffix") || f.has("digits") && isNumber(text) || f.has("control") && loopback(text)
}

// moduleFlag is a flag that names a module, which all words behind it belong to.
func (r *reader) moduleFlag(f *Flag, words []Word, i int, glued []Word) int {
	if len(glued) > 0 {
		r.module(f, f.Values[0][0].Name, glued[0], words[i:])
		return len(words)
	}
	if i >= len(words) {
		r.lacksValue(f, words[i-1].Span)
		return i
	}
	r.module(f, f.Values[0][0].Name, words[i], words[i+1:])
	return len(words)
}

// lacksValue notes a flag behind which its value is missing.
func (f *findings) lacksValue(flag *Flag, span tool.Span) {
	f.missing("flag "+quote(flag.Name)+" needs a value", span)
}

// mayBeFlags notes a word that can be, or be followed by, a flag that does something: one
// without quotes of which nothing is known, or names of files, one of which is written as a flag.
func (r *reader) mayBeFlags(w Word) {
	loose := w.Split && !beginsAsPath(w)
	idle := mere
	if w.Taint&Typed != 0 {
		idle |= looks // what is known of it is enough to read
	}
	if !loose && !mayBegin(w) || r.level().Grammar == Plain || len(r.inv.Gaps) > 0 || !r.lib.flagsAct(r.levels, idle) {
		return
	}
	if loose {
		r.gap("without quotes this may be flags", w.Span)
		return
	}
	switch name := r.fileLike(w, '-'); {
	case name == "":
	case name != UnseenFlag:
		r.gap("the file "+quote(name)+" may be read as flags", w.Span)
	case r.lib.flagsAct(r.levels, mere|looks):
		r.gap("a file name that could not be checked may be read as flags", w.Span)
	}
}

// flagsAct says whether there is a flag at one of these levels that does something else than some traits say.
func (lib *Library) flagsAct(levels []*Level, idle traits) bool {
	for i, l := range levels {
		if lib.doing(l.Global.All(), idle) || i == len(levels)-1 && (lib.doing(l.Flags.All(), idle) || lib.acting(l.Modes, idle)) {
			return true
		}
	}
	return false
}

// beginsAsPath says whether a word that is not known is a path, which begins as its
// directory does.
func beginsAsPath(w Word) bool {
	return (w.Reach == tool.Under || w.Glob) && w.Text != "" && w.Text[0] != '-' && paths.Fixed(w.Text) != ""
}

// doing says whether one of the flags does more than to say something.
func (l *Library) doing(flags []Flag, idle traits) bool {
	for i := range flags {
		for _, uses := range flags[i].Values {
			if l.used(uses, idle) {
				return true
			}
		}
	}
	return false
}

// used says whether one of some uses does something else than some traits say.
func (l *Library) used(uses []Use, idle traits) bool {
	return slices.ContainsFunc(uses, func(u Use) bool { return !l.has(u, idle) })
}

// acting says whether a flag brings one of the modes about in which a program does something else.
func (l *Library) acting(modes []Mode, idle traits) bool {
	for i := range modes {
		m := &modes[i]
		switch {
		case len(m.When) == 0:
		case idle&looks == 0 && len(m.Effects)+len(m.Items)+len(m.Flags) > 0,
			slices.ContainsFunc(m.Effects, func(s Spec) bool { return s.Kind != "read" }),
			slices.ContainsFunc(m.Items, func(it Item) bool { return l.used(it.Uses, idle) }),
			l.doing(m.Flags, idle):
			return true
		}
	}
	return false
}

// until collects the words of a command that ends with ";" or "+".
func (r *reader) until(f *Flag, words []Word, i int, span tool.Span) int {
	start := i
	for i < len(words) {
		if w := words[i]; w.IsKnown() && (w.Text == ";" || w.Text == "+" && i > start && words[i-1].Text == "{}") {
			list := words[start:i]
			if w.Text == "+" { // the last word stands for any number of them
				list = slices.Clone(list)
				list[len(list)-1].Split = true
			}
			r.note(f, f.Name, list, span)
			return i + 1
		}
		i++
	}
	if arg := f.Values[0][0].Arg; arg != "rest" && arg != "batch" {
		r.gap("flag "+quote(f.Name)+" has no closing \";\"", span)
	}
	r.note(f, f.Name, words[start:], span)
	return i
}

// bundle reads single-letter flags written together.
func (r *reader) bundle(level *Level, words []Word, i int) int {
	w := words[i]
	text := w.Text
	if n := r.gluedTo(text); n > 0 {
		return r.values(r.lookup(text[:n]), words, i, w.From(n), true)
	}
	for j := 1; j < len(text); j++ {
		f := r.lookup("-" + text[j:j+1])
		switch {
		case f == nil && level.isNumber(text[j]):
			j = r.bundledNumber(text, j, w.Span) // letters may follow: tail -20f
		case f == nil:
			// Whether those behind it are flags or its value is not known.
			r.unlistedLetter(text[j:j+1], w.Span)
			r.noteLetters(text[j+1:], w.Span)
			return i + 1
		case len(f.Values) == 0:
			r.note(f, f.Name, nil, w.Span)
		case w.Reach == tool.Exact && f.endsWithDigits(text[j+1:]):
			j += r.bundledDigits(f, text[j+1:], w.Span)
		default:
			return r.bundledValue(f, words, i, text, j)
		}
	}
	if w.Reach != tool.Exact {
		r.gap("the name of a flag is known only at run time", w.Span)
	}
	return i + 1
}

// bareBundle reads a first word that is single-letter flags without a dash (tar xzf).
// Their values are the following words, in order. It returns the index of the next word.
func (r *reader) bareBundle(level *Level, words []Word) int {
	if level.Grammar != Bundle || len(words) == 0 || !isBareBundle(words[0]) {
		return 0
	}
	text, span := "-"+words[0].Text, words[0].Span
	next := 1
	for j := 1; j < len(text); j++ {
		f := r.lookup("-" + text[j:j+1])
		switch {
		case f == nil && level.isNumber(text[j]):
			j = r.bundledNumber(text, j, span)
		case f == nil:
			r.unlistedLetter(text[j:j+1], span)
		case len(f.Values) == 0:
			r.note(f, f.Name, nil, span)
		default:
			next = r.bareValue(f, words, next, span)
		}
	}
	return next
}

// isBareBundle says whether a first word can be flags without a dash.
func isBareBundle(w Word) bool { return w.IsKnown() && w.Text != "" && w.Text[0] != '-' }

// isNumber says whether a digit in the place of a flag begins a number.
func (l *Level) isNumber(c byte) bool { return l.Numbers && isDigit(c) }

// endsWithDigits says whether the value of a flag ends where its digits do, so that what
// stands behind the flag can be flags again.
func (f *Flag) endsWithDigits(rest string) bool {
	return rest != "" && f.Optional && f.has("digits")
}

// bundledNumber is a number in a bundle, and returns where it ends.
func (l *commandLine) bundledNumber(text string, j int, span tool.Span) int {
	end := j + 1
	for end < len(text) && strings.IndexByte("0123456789,+-", text[end]) >= 0 {
		end++
	}
	l.note(nil, "-"+text[j:end], nil, span)
	return end - 1
}

// unlistedLetter is a letter in a bundle that the model does not list.
func (r *reader) unlistedLetter(letter string, span tool.Span) {
	name := "-" + letter
	if !r.unlisted() {
		r.unknownFlag(name, span)
	}
	r.note(nil, name, nil, span)
}

// bareValue gives a flag of a bundle without dash the next of the words behind it.
func (r *reader) bareValue(f *Flag, words []Word, next int, span tool.Span) int {
	if next >= len(words) {
		r.lacksValue(f, span)
		return next
	}
	r.note(f, f.Name, words[next:next+1], span)
	return next + 1
}

// bundledDigits is a flag whose value ends where its digits do, if it has one; more flags
// may follow. It returns how many digits there are.
func (l *commandLine) bundledDigits(f *Flag, rest string, span tool.Span) int {
	n := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if n == 0 {
		l.note(f, f.Name, nil, span)
	} else {
		l.note(f, f.Name, []Word{{Text: rest[:n], Reach: tool.Exact, Span: span}}, span)
	}
	return n
}

// bundledValue is the last flag of a bundle: its value is the rest of the word, or the next.
func (r *reader) bundledValue(f *Flag, words []Word, i int, text string, j int) int {
	w := words[i]
	if j+1 == len(text) && w.Reach == tool.Exact {
		return r.values(f, words, i, Word{}, false)
	}
	from := j + 1
	if strings.HasPrefix(text[from:], "=") && f.Optional {
		from++
	}
	return r.values(f, words, i, w.From(from), true)
}

// gluedTo is the length of the longest listed flag of several letters and one dash
// that a word begins with and whose value is the rest of it: -MFdeps.d. It matters
// where letters that are not listed pass for harmless.
func (l *commandLine) gluedTo(text string) int {
	if !l.unlisted() {
		return 0
	}
	for n := len(text) - 1; n > 2; n-- {
		if f := l.lookup(text[:n]); f != nil && len(f.Values) > 0 {
			return n
		}
	}
	return 0
}

// noteLetters keeps what may be flags visible to rules that match by flag.
func (l *commandLine) noteLetters(letters string, span tool.Span) {
	for i := range len(letters) {
		l.note(nil, "-"+letters[i:i+1], nil, span)
	}
}

func (l *commandLine) unlisted() bool { return l.level().Unlisted }

func (l *commandLine) note(f *Flag, name string, values []Word, span tool.Span) {
	l.given = append(l.given, flagUse{flag: f, name: name, values: values, level: len(l.levels) - 1, span: span})
}

// appendNames adds the names of the flags that were given.
func (l *commandLine) appendNames(names []string) []string {
	names = slices.Grow(names, len(l.given))
	for i := range l.given {
		names = append(names, l.given[i].name)
	}
	return names
}

func find(flags []Flag, name string) *Flag {
	lo, hi := 0, len(flags)
	for lo < hi {
		if mid := (lo + hi) / 2; flags[mid].Name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(flags) && flags[lo].Name == name {
		return &flags[lo]
	}
	return nil
}
