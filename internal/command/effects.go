package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// scope is what some flags establish for the uses of other words.
type scope struct {
	tree      bool          // operands stand for everything below them
	aims      []string      // patterns of names that a search is after, limited to them or not
	patterned bool          // something is searched for
	listed    bool          // files are read that a list names, hidden ones among them
	sweeping  bool          // all files of directories and lists are read or kept, see swept
	tracked   bool          // if no other is named, of the one where it runs
	patterns  []string      // regular expressions that lines of a list are picked by
	later     *Word         // the directory that operands, not flags, are seen from
	project   *Word         // the directory that the program works on, if not where it runs
	help      bool          // --help or --version was given and is not listed
	brief     bool          // nothing but a short flag for help or version was given
	address   Word          // a word of a known beginning that something from a file is part of
	sends     bool          // the request carries data
	written   []tool.Effect // what is written on this machine if it does
	request   webRequest
	login     *Word       // where a login on this very machine begins
	outDir    *Word       // the directory that downloads go to, if a flag names one
	logs      []tool.Span // files that are written besides
	repos     []Word      // directories of repositories that flags name
	stores    int         // how many of them have no working tree around them that counts
	outputs   []Word      // files of downloads, seen from outDir
	volume    volume
	carried   bool       // a mere word is content of a file
	tells     bool       // an operand that is a mere word is secret
	keys      tool.Span  // a word that holds secrets as such and may be sent
	clears    bool       // what the program has made is cleared away
	numbers   bool       // the code that is run prints numbers only, if it prints what it is told to
	keeps     bool       // what is copied keeps its whole path below the destination
	symbolic  bool       // links that are made hold their target as text, seen from the link
	first     bool       // it prints the first field of each line
	names     bool       // it prints what stands before an equals sign in each line
	behind    bool       // it follows the links that are its operands
	spares    bool       // it puts nothing in the place of others
	machine   *tool.Span // a word that names another machine, on which the program acts
	shown     tool.Span  // a word that holds a secret and may come up in what is printed
}

// finish turns the scanned flags and operands into effects.
func (r *reader) finish() {
	inv, last := r.inv, len(r.levels)-1
	inv.Operands = r.oper
	loads(r)
	if r.asksForHelp() {
		return
	}
	r.asksBriefly()
	if last > 0 && r.levels[last] == r.levels[last-1] {
		r.gap("unknown subcommand "+quote(inv.Path[len(inv.Path)-1]), inv.Span)
	}
	fromEnvironment(r)
	var room [8]*Mode
	modes := r.activeModes(room[:0])
	for _, m := range modes {
		r.scope.tree = r.scope.tree || m.Tree
		r.scope.keeps = r.scope.keeps || m.has("keeps-path")
		r.scope.spares = r.scope.spares || m.spares(&inv.Stdin)
		inv.Follows = inv.Follows || m.has("follows")
		if inv.Unpacks |= m.unpacking(); m.has("member") {
			inv.Unpacks |= Prints
		}
		r.scope.behind = r.scope.behind || m.has("enters")
	}
	before, plain := r.dir, len(inv.Effects)
	r.flagValues(modes, true)
	if r.dir != before {
		loads(r)
	}
	r.flagValues(modes, false)
	flagged := len(inv.Effects)
	if later := r.scope.later; later != nil {
		r.dir = *later
	}
	r.operands(modes)
	r.specs(r.levels[last].Effects)
	for _, m := range modes {
		r.specs(m.Effects)
	}
	r.backups()
	r.strays(r.given)
	r.overwritten(modes)
	r.scope.clears = r.clearing(modes)
	r.embedded()
	r.tellsHost()
	served(r)
	if r.scope.sends {
		r.sendAlong()
	}
	r.handsOut()
	actsElsewhere(r)
	r.dry(plain, flagged)
	r.streams(modes)
	r.lands(modes)
	for i := range inv.Runs {
		inv.Runs[i].Again = inv.Runs[i].Again || slices.ContainsFunc(modes, func(m *Mode) bool { return m.has("repeats") })
	}
}

// asksForHelp says whether help is asked for and nothing else: a known program does
// nothing else then. Among other words it is a flag that the model does not list.
func (r *reader) asksForHelp() bool {
	if !r.scope.help {
		return false
	}
	if len(r.given) == 1 && len(r.oper) == 0 && r.dashed < 0 {
		return true
	}
	for _, g := range r.given {
		if g.flag == nil && isHelp(g.name) {
			r.unknownFlag(g.name, g.span)
		}
	}
	return false
}

// activeModes adds the modes that apply: those of the last level, and those that flags
// ask for at the levels above it.
func (l *commandLine) activeModes(modes []*Mode) []*Mode {
	last, operands := len(l.levels)-1, l.count()
	for i, level := range l.levels {
		l.asking = i
		for k := range level.Modes {
			if m := &level.Modes[k]; (i == last || len(m.When) > 0) && l.active(m, operands) {
				modes = append(modes, m)
			}
		}
	}
	l.asking = 0
	return modes
}

func isHelp(name string) bool { return name == "--help" || name == "--version" }

// asksBriefly takes the gap back that one of the short flags for help and version
// leaves if it is all there is and the model does not list it. A program that means
// something else by it lacks the rest, or does no more than it does without:
// unlike for their long names, those effects stay.
func (r *reader) asksBriefly() {
	if len(r.given) != 1 || len(r.oper) > 0 || r.dashed >= 0 {
		return
	}
	g := r.given[0]
	if g.flag != nil || !hasWord("-h -? -help -v -V -version", g.name) {
		return
	}
	r.inv.Gaps = slices.DeleteFunc(r.inv.Gaps, func(gap Gap) bool { return gap.Span == g.span })
	r.scope.brief = true
}

// count is the number of operands, without assignments for a command that
// follows them: with nothing but those there is no command.
func (l *commandLine) count() int {
	level := l.level()
	n := len(l.oper)
	if len(level.Operands) > 0 && len(level.Operands[0].Uses) > 0 && level.Operands[0].Uses[0].Name == "assign" {
		for _, w := range l.oper {
			if !isAssignment(w) {
				break
			}
			n--
		}
	}
	return n
}

// active says whether a mode applies. What is not known counts as given: a
// mode can only add.
func (l *commandLine) active(m *Mode, operands int) bool {
	streams := 0
	if l.piped {
		streams = 1
	}
	if !m.Piped.fits(streams) || !m.Operands.fits(operands) {
		return false
	}
	for _, u := range m.Unless {
		if l.flagGiven(u, true) {
			return false
		}
	}
	for _, w := range m.When {
		if l.flagGiven(w, false) {
			return true
		}
	}
	return len(m.When) == 0
}

// has says whether a mode has a use for an operand.
func (m *Mode) has(use string) bool {
	for i := range m.Items {
		if slices.ContainsFunc(m.Items[i].Uses, func(u Use) bool { return u.Name == use }) {
			return true
		}
	}
	return false
}

// spares says whether what is in the place of something stays in a mode, perhaps because nobody who is asked says otherwise.
func (m *Mode) spares(in *Data) bool {
	for i := range m.Items {
		if slices.ContainsFunc(m.Items[i].Uses, func(u Use) bool { return u.Name == "spares" && (u.Arg != "asks" || !mayAgree(in)) }) {
			return true
		}
	}
	return false
}

// mayAgree says whether what a program reads may say yes to a question. Only lines of a no surely do not.
func mayAgree(in *Data) bool {
	if in.None {
		return false
	}
	if in.Reach != tool.Exact {
		return true
	}
	for line := range strings.Lines(in.Text) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.ToLower(line), "n") {
			return true
		}
	}
	return false
}

// fits says whether a number is one that the condition asks for.
func (p Presence) fits(n int) bool {
	// others: any number will do.
	switch p {
	case None:
		return n == 0
	case One:
		return n == 1
	case Some:
		return n > 0
	}
	return true
}

// flagGiven says whether a flag, or a flag with a certain value, is given, or
// all flags that are joined by "&". Where the value is not known the answer is
// the opposite of certain.
func (l *commandLine) flagGiven(cond string, certain bool) bool {
	if !l.mayBeGiven(cond) {
		return false
	}
	if first, rest, joined := strings.Cut(cond, "&"); joined {
		return l.flagGiven(first, certain) && l.flagGiven(rest, certain)
	}
	name, want, valued := strings.Cut(cond, "=")
	given := false
	for i := range l.given {
		g := &l.given[i]
		if g.name != name || !l.mayBeMeant(g, certain) {
			continue
		}
		is := g.meets(want, valued, certain)
		if certain && !is {
			return false // given twice, it is the last one that counts
		}
		given = given || is
	}
	return given
}

// mayBeGiven is quick to say that a flag is not given: a condition begins with its name.
func (l *commandLine) mayBeGiven(cond string) bool {
	for i := range l.given {
		if strings.HasPrefix(cond, l.given[i].name) {
			return true
		}
	}
	return false
}

// mayBeMeant says whether a condition on flags can be about this one, not only about
// its name: letters of an unlisted word may not be flags at all, and a flag of the
// program is none of its subcommand (git -C dir branch).
func (l *commandLine) mayBeMeant(g *flagUse, certain bool) bool {
	if g.flag == nil || g.perhaps {
		return !certain
	}
	return g.level >= l.asking || !l.ofLevel(g)
}

// meets says whether a flag was given with a value that a pattern matches, if there is
// a pattern. Where the value is not known the answer is the opposite of certain.
func (g *flagUse) meets(want string, valued, certain bool) bool {
	switch {
	case !valued:
		return !g.off || !certain
	case len(g.values) == 0:
		return want == ""
	case !g.values[0].IsKnown():
		return !certain
	}
	return paths.Stars(want, g.values[0].Text)
}

// ofLevel says whether a flag that was given to the program is another one than the
// flag of that name which its subcommand has: it takes another kind of value.
func (l *commandLine) ofLevel(g *flagUse) bool {
	level := l.levels[l.asking]
	own := level.Flags.find(g.name)
	for i := range level.Modes {
		if f := find(level.Modes[i].Flags, g.name); f != nil {
			own = f
		}
	}
	return own != nil && !slices.EqualFunc(own.Values, g.flag.Values, slices.Equal[[]Use])
}

// flagValues applies the uses of the values given to flags: in a first pass
// those that establish facts for others, in a second the rest.
func (r *reader) flagValues(modes []*Mode, before bool) {
	for i := range r.given {
		g := &r.given[i]
		if g.flag == nil || len(g.flag.Values) == 0 {
			continue
		}
		if g.flag.takesCommand() {
			if !before {
				r.each(g.flag.Values[0][0], g.values, i)
			}
			continue
		}
		for k := range g.values {
			if used := r.flagValue(g, k, modes, before); !used && !before {
				r.gap("nothing says what the value of "+quote(g.name)+" is used for", g.values[k].Span)
			}
		}
	}
}

// flagValue applies the uses that the model and the active modes have for a value of a
// flag. It says whether there are any.
func (r *reader) flagValue(g *flagUse, k int, modes []*Mode, before bool) bool {
	var uses []Use
	if k < len(g.flag.Values) {
		uses = g.flag.Values[k]
	}
	used := r.apply(uses, g.values[k], before)
	for _, m := range modes {
		if f := find(m.Flags, g.name); f != nil && k < len(f.Values) {
			used = r.apply(f.Values[k], g.values[k], before) || used
		}
	}
	return used
}

func (r *reader) apply(uses []Use, w Word, before bool) bool {
	for _, u := range uses {
		if r.lib.has(u, first) == before {
			r.use(u, w, false)
		}
	}
	return len(uses) > 0
}

// operands gives each operand the uses of every form that is active.
func (r *reader) operands(modes []*Mode) {
	level := r.level()
	used := make([]bool, len(r.oper))
	fits := r.forms(modes, used)
	if r.feedsUnknown(level, modes) {
		r.gap("what "+quote(r.inv.Name)+" reads may be a program", r.inv.Span)
	}
	r.programAlone(level.Operands)
	r.taskDefault(level.Operands)
	for _, m := range modes {
		r.taskDefault(m.Items)
	}
	for i, ok := range used {
		if !ok {
			r.gap("unexpected operand "+quote(r.oper[i].Text), r.oper[i].Span)
		}
	}
	if !fits && len(r.inv.Gaps) == 0 && !r.scope.brief {
		r.missing("an operand is missing", r.inv.Span)
	}
}

// forms applies every form of the operands that is active. It says whether there are
// enough operands for one of them, or no forms at all.
func (r *reader) forms(modes []*Mode, used []bool) (fits bool) {
	level, split, forms := r.level(), len(r.oper), 0
	if r.dashed >= 0 && len(level.After) > 0 {
		split = r.dashed
		forms++
		fits = r.assign(level.After, split, len(r.oper), used) || split == 0
	}
	if len(level.Operands) > 0 {
		forms++
		fits = r.assign(level.Operands, 0, split, used) || fits
	}
	for _, m := range modes {
		if len(m.Items) > 0 {
			forms++
			fits = r.assign(m.Items, 0, split, used) || fits
		}
	}
	return fits || forms == 0
}

// feedsUnknown says whether a program whose operands nobody can follow is given none, but
// something to read, and its model does not say what becomes of that.
func (r *reader) feedsUnknown(level *Level, modes []*Mode) bool {
	if len(r.oper) > 0 || r.inv.Stdin.None {
		return false
	}
	it := level.Operands
	return len(it) == 1 && slices.Equal(it[0].Uses, []Use{{Name: "gap"}}) && !saysInput(level, modes)
}

// saysInput says whether a model says what becomes of standard input.
func saysInput(level *Level, modes []*Mode) bool {
	return level.Stdin != "" && level.Stdin != "none" || isInteractive(level, modes) || slices.ContainsFunc(modes, func(m *Mode) bool { return m.Stdin != "" })
}

// assign applies a list of items to the operands from..to. It returns whether
// there were enough of them.
func (r *reader) assign(items []Item, from, to int, used []bool) bool {
	spare := to - from - required(items) // operands left for optional items and the many
	enough := spare >= 0
	at := from
	for i, it := range items {
		if f := r.lib.rest(&it); f != nil && at < to {
			r.at = at
			f(r, it.Uses[0], r.oper[at:to])
			for ; at < to; at++ {
				used[at] = true
			}
			return enough
		}
		end := at + 1
		switch {
		case it.Many:
			end = to - required(items[i+1:])
		case it.Optional:
			if spare <= 0 {
				end = at
			}
			spare--
		default:
			if end >= to && r.inv.Loose > 0 {
				at = r.lastCertain(items[:i], from, min(at, to)) // whichever is the last
			}
		}
		at = r.assignItem(it, at, min(end, to), it.Many && i == len(items)-1, used)
	}
	return enough
}

// lastCertain is the first of the operands from..at of which each may be the last one, if any number stands before
// it: those behind it may be no words at all, or are what else the words of a list may be.
func (l *commandLine) lastCertain(items []Item, from, at int) int {
	if len(items) == 0 || !items[len(items)-1].Many || at >= len(l.oper) {
		return at
	}
	for ; at > from; at-- {
		w, before := &l.oper[at], &l.oper[at-1]
		if w.IsKnown() || !(w.Hollow && w.IfEmpty == "") && (w.Span != before.Span || w.Span.End == 0) {
			break
		}
	}
	return at
}

// required is how many operands a list of items needs.
func required(items []Item) (n int) {
	for _, it := range items {
		if !it.Many && !it.Optional {
			n++
		}
	}
	return n
}

// assignItem applies the uses of an item to the operands from..to, and returns where it
// stopped: assignments end with the first word that is none. The last item of many is that of all further operands.
func (r *reader) assignItem(it Item, from, to int, last bool, used []bool) int {
	assigns := it.Many && len(it.Uses) == 1 && it.Uses[0].Name == "assign"
	at := from
	for ; at < to && !(assigns && !isAssignment(r.oper[at])); at++ {
		r.at = at
		r.inv.Shifts = r.inv.Shifts || !last && !r.oper[at].IsKnown()
		for _, u := range it.Uses {
			r.use(u, r.oper[at], true)
		}
		used[at] = used[at] || len(it.Uses) > 0
	}
	return at
}

// isAssignment says whether a word in front of a command sets a variable. The names
// of variables may be any text: exported functions have such names.
func isAssignment(w Word) bool { return strings.IndexByte(w.Text, '=') > 0 }

// specs adds effects that do not come from a word.
func (r *reader) specs(specs []Spec) {
	for _, s := range specs {
		kind := tool.ParseKind(s.Kind)
		switch {
		case r.workedOut(kind, s.Target):
		case s.Target == "env.dump" && r.inv.Silenced():
		case s.Target == "?":
			r.effect(tool.Effect{Kind: kind, Span: r.inv.Span}) // anywhere
		case kind == tool.Execute:
			r.execute(s.Target, r.inv.Span)
		case !kind.IsPath():
			r.effect(tool.Effect{Kind: kind, Target: s.Target, Reach: tool.Exact, Span: r.inv.Span})
		default:
			r.ownFiles(kind, s.Target)
		}
	}
}

// Silenced reports whether what an invocation prints goes nowhere: it is only asked whether something is there.
func (inv *Invocation) Silenced() bool {
	silenced := inv.Silent
	for i := range inv.Redirects {
		switch rd := &inv.Redirects[i]; {
		case rd.Op == "&>" || rd.Op == "&>>", rd.Fd == "" && strings.HasPrefix(rd.Op, ">"), rd.Fd == "1":
			silenced = rd.Op != ">&" && rd.Target.IsKnown() && rd.Target.Text == "/dev/null"
		case rd.Fd != "" && !isNumber(rd.Fd):
			return false
		}
	}
	return silenced
}

// workedOut adds effects whose targets depend on the repository, the project or the words
// that were given. It says whether a target is of that kind.
func (r *reader) workedOut(kind tool.Kind, target string) bool {
	switch target {
	case "@repository":
		r.repository(kind)
		return true
	case "@swept", "@swept:tracked":
		r.scope.sweeping, r.scope.tracked = true, r.scope.tracked || target != "@swept"
		return true
	case "@words", "@operands", "@traced", "@stored":
		showsWords(r, target)
		return true
	case "@worktree":
		r.worktree()
		return true
	case "@registry":
		tellsRegistry(r)
		return false
	case "@untracked":
		leftUnignored(r)
		return true
	case "@untracked/**":
		putAside(r)
		return true
	case composeUse:
		r.compose()
		return true
	case "container.build":
		runsProjectOf(r)
		return false
	case "git.push":
		if r.takesRefspecs() {
			r.pushes()
			return true
		}
		return false
	}
	if how, ok := strings.CutPrefix(target, bringPrefix); ok {
		r.bring(how)
		return true
	}
	if files, ok := strings.CutPrefix(target, namedPrefix); ok {
		readsNamed(r, files)
		return true
	}
	if which, ok := strings.CutPrefix(target, shownPrefix); ok {
		showsSettings(r, which)
		return true
	}
	if dir, ok := strings.CutPrefix(target, "@emptied:"); ok {
		r.inManner(tool.Emptied, func() { r.ownFiles(kind, dir) })
		return true
	}
	if places, ok := strings.CutPrefix(target, loginPrefix); ok {
		showsLogins(r, places)
		return true
	}
	if setting, ok := strings.CutPrefix(target, settingPrefix); ok {
		settled(r, kind, setting)
		return true
	}
	if packagesOf(r, target) {
		return true
	}
	if name, ok := strings.CutPrefix(target, "task:"); ok && kind == tool.Execute {
		runner, task, _ := strings.Cut(name, ":")
		r.task(runner, Known(task, r.inv.Span), r.oper)
		return true
	}
	return false
}

// showsWords adds what a program shows of the words that it is given, or of a repository.
func showsWords(r *reader, which string) {
	switch which {
	case "@stored":
		r.inv.Stored = true
	case "@words":
		r.echoes(r.inv.Words[1:])
	case "@operands":
		r.echoes(r.oper)
	case "@traced":
		readsTraced(r)
	}
}

// readsTraced adds reads of all files that the words behind a tracer name, be it in a script: it shows what a program reads that only
// counts it.
func readsTraced(r *reader) {
	for _, w := range r.oper {
		if !w.IsKnown() || strings.IndexByte(w.Text, ' ') < 0 {
			r.effect(r.path(tool.Read, w))
			continue
		}
		for name := range strings.FieldsFuncSeq(w.Text, func(c rune) bool { return strings.ContainsRune(" \t\n'\"`()<>;&|=", c) }) {
			r.effect(r.path(tool.Read, Known(name, w.Span)))
		}
	}
}

// ownFiles adds an effect on a path that a model names: with "/**" on all that is below it,
// with "/..." on something of any name there.
func (r *reader) ownFiles(kind tool.Kind, name string) {
	target, tree := strings.CutSuffix(name, "/**")
	target, some := strings.CutSuffix(target, "/...")
	e := r.path(kind, r.ownPath(target))
	if e.Tree = tree; some && e.Reach == tool.Exact {
		e.Reach, e.Tree = tool.Under, true
	}
	makes := kind == tool.Write || kind == tool.Create
	e.Put = e.Tree && makes // what it brings along, not all that is there
	r.effect(e)
	switch {
	case !makes:
	case hasWord("./** ./* ./... ./*/**", name):
		r.madeAt(kind)
		r.madeByFlags(kind)
	case tree && strings.HasPrefix(name, "./"):
		r.madeByFlags(kind)
	}
}

// madeAt adds the directories that the operands of a program may name which makes files of any
// name where it runs, if the model says no more of them than that they are text.
func (r *reader) madeAt(kind tool.Kind) {
	level := r.level()
	if !slices.ContainsFunc(level.Operands, func(it Item) bool { return !mereText(it.Uses) }) && len(level.Operands) > 0 {
		for _, w := range r.oper {
			// What downloads or rewrites something calls that by its name.
			if e, ok := r.makes(kind, w); ok && (kind == tool.Create || looksLikePlace(w)) {
				r.effect(e)
			}
		}
	}
}

func mereText(uses []Use) bool { return len(uses) == 1 && uses[0].Name == "text" }

// madeByFlags adds the directories that flags may name for a program that makes a tree of files
// in the project: values of which the model says no more than that they are text, and that
// look like places.
func (r *reader) madeByFlags(kind tool.Kind) {
	for i := range r.given {
		g := &r.given[i]
		if g.flag == nil || len(g.values) != 1 || len(g.flag.Values) != 1 || !mereText(g.flag.Values[0]) {
			continue
		}
		if looksLikePlace(g.values[0]) {
			r.madeIn(kind, g.values[0])
		}
	}
}

// looksLikePlace says whether a word is written like a path to somewhere else than a plain
// directory here.
func looksLikePlace(w Word) bool {
	return w.IsKnown() && w.Text != "" && (strings.IndexByte("./~", w.Text[0]) >= 0 || strings.Contains(w.Text, "/.")) && !strings.ContainsAny(w.Text, " \n")
}

// ownPath is a path that a model names: absolute, below the home directory, or
// below the directory the program runs in.
func (d *deeds) ownPath(target string) Word {
	if rest, ok := strings.CutPrefix(target, "~"); ok {
		if d.world.Home == "" {
			return Word{Span: d.inv.Span}
		}
		target = d.world.Home + rest
	}
	return Word{Text: target, Reach: tool.Exact, Glob: paths.Wild(target), Span: d.inv.Span}
}

func (s *surroundings) path(kind tool.Kind, w Word) tool.Effect {
	return pathEffect(kind, w, s.dir, s.world)
}

func (f *findings) effect(e tool.Effect) {
	if e.Kind == tool.Execute && e.Reach == tool.Under {
		// Which file it is, is not known; that it is a file there, is.
		e.Target, e.Reach = e.Target+"/**", tool.Exact
	}
	e.Pattern = e.Pattern && e.Kind != tool.Execute // its name says so
	f.inv.Effects = append(f.inv.Effects, e)
}

func (f *findings) control(name string, span tool.Span) {
	f.effect(tool.Effect{Kind: tool.Control, Target: name, Reach: tool.Exact, Span: span})
}

func (d *deeds) execute(name string, span tool.Span) {
	if strings.HasPrefix(name, "project:") {
		d.elsewhere(span)
	}
	d.effect(tool.Effect{Kind: tool.Execute, Target: name, Reach: tool.Exact, Span: span})
}

// dry removes what a declared rehearsal does not do. It is the one place where a
// flag takes effects away; the model must name the flag. The effects from..to are
// those of values of flags: what these do by themselves, beside files, happens all the same.
func (r *reader) dry(from, to int) {
	if !r.rehearses() {
		return
	}
	kept := r.inv.Effects[:0]
	for i, e := range r.inv.Effects {
		switch e.Kind {
		case tool.Create, tool.Write, tool.Delete, tool.Send, tool.Control:
			if slices.Contains(r.scope.logs, e.Span) || e.Kind == tool.Control && (atOnce(e.Target) || i >= from && i < to) {
				kept = append(kept, e) // a rehearsal is logged, too
			}
		default:
			kept = append(kept, e)
		}
	}
	r.inv.Effects = kept
}

// atOnce says whether something is done by whoever only says what would be done:
// secrets are shown, and what runs as another user does so from the start.
func atOnce(control string) bool {
	switch control {
	case "secret.print", "secret.send", "cloud.secret", "cluster.secret", "forge.secret", "env.dump", "env.secret", "privilege":
		return true
	}
	return false
}
