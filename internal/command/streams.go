package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/scan"
	"longline/internal/tool"
	"longline/internal/value"
)

// streams says what standard input is used for and what standard output holds.
func (r *reader) streams(modes []*Mode) {
	stdin, output := r.roles(modes)
	if r.inv.Unfed = stdin == "none"; stdin == "" {
		stdin = r.fed(modes)
	}
	if kind, ok := stdinKind(stdin); ok {
		stdinText(r, kind)
	} else if lang, ok := strings.CutPrefix(stdin, "code:"); ok {
		r.stdinCode(lang)
	} else if stdin == "names" {
		r.stdinNames()
	} else if in := r.inv.Stdin; stdin == "secret" && in.Text != "" {
		r.inv.Secrets = append(r.inv.Secrets, Word{Text: strings.TrimSuffix(in.Text, "\n"), Reach: in.Reach, At: in.At})
	}
	picksSettings(r)
	countsOnly(r, output)
	switch output {
	case "stdin", "lines", "few", "matching", "first-field", "thinned":
		r.inv.Selects = true
	}
	r.inv.Passes = r.inv.Selects || strings.HasPrefix(output, "filter")
	r.inv.Output = r.output(output)
	if output != "echo" && output != "printf" && slices.ContainsFunc(r.inv.Words, NamesOutput) {
		r.inv.Output = Data{Taint: r.inv.Output.Taint, Endless: r.inv.Output.Endless}
	}
	if r.inv.Output.Plain && slices.ContainsFunc(r.inv.Words[1:], r.namesOdd) {
		r.inv.Output = Data{Taint: r.inv.Output.Taint}
	}
	r.inv.Output.Taint = r.nulTaint(r.inv.Output)
	if !surelyPrints(r.inv, len(r.given), output) {
		r.inv.Output = r.inv.Output.Perhaps()
	}
}

// namesOdd says whether a word names a variable that is set to something else than a plain word:
// go env prints those that it is asked for.
func (f *findings) namesOdd(w Word) bool {
	return slices.ContainsFunc(f.inv.Env, func(a Assign) bool { return a.Name == w.Text && !a.Value.Plain && mayBeOdd(a.Value) })
}

// nulTaint is the taint of what is printed, with WithNul if flags ask for names that end so. Whoever is
// told where names of its input end does not hand them on.
func (l *commandLine) nulTaint(d Data) Taint {
	if l.flagWith("delimiter") != nil {
		return d.Parted().Taint
	}
	if !d.Plain && slices.ContainsFunc(l.given, func(g flagUse) bool {
		return hasWord("-print0 --print0 -z -Z -0 --null --null-data --null-output --zero --zero-terminated", g.name)
	}) {
		return d.Taint | WithNul
	}
	return d.Taint
}

// NamesOutput says whether a word leads to standard output, or to another stream than the usual
// ones: a program that is given one prints more than it is known to print, or reads something else.
func NamesOutput(w Word) bool {
	return strings.Contains(w.Text, "/dev/stdout") || strings.Contains(w.Text, "/fd/")
}

// surelyPrints says whether a program prints what it should whatever happens, if it is found. A
// program of its own may not be installed, or refuse its input; what every shell does itself
// cannot fail. The others here fail only on a machine on which little else works, and what they
// print stands in front of so many paths that they are believed: see temporary and projectRoot.
func surelyPrints(inv *Invocation, flags int, role string) bool {
	switch role {
	case "echo", "printf", "cwd":
		return flags == 0 && runByShell(inv.Via) && inv.Words[0].Text == inv.Name
	}
	return hasWord("basename dirname sequence temp project", role)
}

// runByShell says whether it is a shell that runs a command, of those that run it.
func runByShell(via []string) bool {
	if len(via) == 0 {
		return true
	}
	last := via[len(via)-1]
	return isShell(last) || last == "." || last == "source"
}

// roles are what the model says of standard input and output.
func (l *commandLine) roles(modes []*Mode) (stdin, output string) {
	stdin, output = l.level().Stdin, l.held(l.level().Output, nil)
	for _, m := range modes {
		if m.Stdin != "" {
			stdin = m.Stdin
		}
		switch {
		case m.Output == "":
		case l.settled(m):
			output = l.held(m.Output, m.When)
		default:
			output = "any"
		}
	}
	return stdin, output
}

// held is a role of the output if it holds with all flags that are given: the model says so
// of them, or they are those that the mode asks for. Others may make the program print
// anything, if only what they are given.
func (l *commandLine) held(role string, when []string) string {
	kind, _, _ := strings.Cut(role, ":")
	if hasWord("any beside settings report archive nothing endless computed filter temp", kind) || role == "" {
		return role
	}
	for i := range l.given {
		g := &l.given[i]
		if !l.keeps(g) && !slices.ContainsFunc(when, func(cond string) bool { return isAbout(cond, g.name) }) {
			return "any"
		}
	}
	return role
}

// keeps says whether what is printed is what the model says, whatever the value of a flag.
func (l *commandLine) keeps(g *flagUse) bool {
	name := g.name
	if len(name) > 1 && isDigit(name[1]) && g.flag == nil {
		name = "-#"
	}
	return hasWord(l.levels[g.level].Holds, name) || hasWord(l.level().Holds, name)
}

// isAbout says whether a condition on flags, which "&" joins, is about one of them.
func isAbout(cond, flag string) bool {
	for part := range strings.SplitSeq(cond, "&") {
		if name, _, _ := strings.Cut(part, "="); name == flag {
			return true
		}
	}
	return false
}

// settled says whether a mode that depends on the values of flags is certain to
// be the one that counts: where a flag is repeated the last value usually wins,
// so all that are given must be known and ask for the same mode.
func (l *commandLine) settled(m *Mode) bool {
	for i := range l.given {
		if asked, matched := l.given[i].asksFor(m); asked && !matched {
			return false
		}
	}
	return true
}

// asksFor says whether a mode has conditions on the value of a flag, and whether the
// value surely meets one of them.
func (g *flagUse) asksFor(m *Mode) (asked, matched bool) {
	for _, cond := range m.When {
		if name, want, valued := strings.Cut(cond, "="); valued && name == g.name {
			asked = true
			matched = matched || g.meets(want, true, true)
		}
	}
	return asked, matched
}

// fed says what standard input is to a program that runs programs and is given
// none: the program to run. Its model shows it by a first operand that is run,
// or by the effect of an interactive shell.
func (r *reader) fed(modes []*Mode) string {
	if r.inv.Stdin.None || r.saysWhatRuns() {
		return ""
	}
	level := r.level()
	if len(level.Operands) > 0 && len(r.oper) == 0 {
		for _, u := range level.Operands[0].Uses {
			if (u.Name == "run" || u.Name == "source") && u.Arg != "" {
				return "code:" + u.Arg
			}
		}
	}
	if isInteractive(level, modes) {
		return "code:" + r.inv.Name
	}
	return ""
}

// saysWhatRuns says whether a flag brings the code to run, or asks for help instead.
func (l *commandLine) saysWhatRuns() bool {
	for i := range l.given {
		g := &l.given[i]
		if hasWord("--version -version -V --help -help -h -?", g.name) || g.flag != nil && g.flag.bringsCode() {
			return true
		}
	}
	return false
}

// bringsCode says whether the value of a flag is code, or a file of it.
func (f *Flag) bringsCode() bool {
	return f.has("code") || f.has("run") || f.has("source") || f.has("script") || f.has("script-before")
}

// isInteractive says whether a program is an interactive shell.
func isInteractive(level *Level, modes []*Mode) bool {
	interactive := Spec{Kind: "execute", Target: "shell:interactive"}
	return slices.Contains(level.Effects, interactive) || slices.ContainsFunc(modes, func(m *Mode) bool {
		return slices.Contains(m.Effects, interactive)
	})
}

// stdinCode is code that arrives on standard input.
func (r *reader) stdinCode(lang string) {
	in := r.inv.Stdin
	known := in.Reach == tool.Exact && !in.None
	lang, byLine := strings.CutSuffix(lang, "-lines")
	switch {
	case in.Taint&FromNet != 0:
		r.execute("fetched:"+lang, r.inv.Span)
	case byLine && !in.None:
		stdinLines(r, lang)
	case lang == ownArguments && !in.None:
		stdinArguments(r)
	case known && isShell(lang):
		r.stdinScript(lang, r.oper)
	case in.Path != nil && isShell(lang):
		r.run(lang, *in.Path)
		r.inv.Runs[len(r.inv.Runs)-1].Stdin = restOf(in)
	case in.Path != nil:
		r.fedFile(lang, *in.Path)
	case known:
		r.stdinSource(lang)
	case in.None:
		r.execute("shell:interactive", r.inv.Span)
	default:
		r.execute("stdin:"+lang, r.inv.Span)
	}
}

// stdinLines is a list of scripts for a shell, one to a line.
func stdinLines(r *reader, shell string) {
	in := r.inv.Stdin
	divided := slices.ContainsFunc(r.given, func(g flagUse) bool {
		return hasWord("-0 --null -d --delimiter -C --colsep -n --max-args -N --max-replace-args -L --max-lines -m -X --xargs --csv --trim", g.name)
	})
	if in.Reach != tool.Exact || divided || strings.Count(in.Text, "\n") > maxSpread {
		r.execute("stdin:"+shell, r.inv.Span)
		return
	}
	for line := range strings.Lines(in.Text) {
		script := Word{Text: strings.TrimSuffix(line, "\n"), Reach: tool.Exact, Taint: in.Taint, Span: r.inv.Span}
		r.inv.Runs = append(r.inv.Runs, Nested{Script: &script, Shell: shell, Stdin: Data{None: true}, Piped: true})
	}
}

// ownArguments is the language of a program that reads lines of what it could be given as arguments.
const ownArguments = "arguments"

// stdinArguments is such lines. They are known, or stand in a file.
func stdinArguments(r *reader) {
	in := r.inv.Stdin
	text, ok := in.Text, in.Reach == tool.Exact
	if e := (tool.Effect{}); !ok && in.Path != nil && in.Path.IsKnown() {
		if e = r.path(tool.Read, *in.Path); e.Reach == tool.Exact && !e.Pattern {
			text, ok = r.sourceFile(ownArguments, e.Target)
		}
		if file := *in.Path; ok {
			file.Text = e.Target
			r.inv.Runs = append(r.inv.Runs, Nested{File: &file, Known: true, Shell: ownArguments})
		}
	}
	if !ok || strings.Count(text, "\n") > maxSpread {
		r.execute("stdin:"+r.inv.Name, r.inv.Span)
		return
	}
	for line := range strings.Lines(text) {
		words := []Word{Known(r.inv.Name, r.inv.Span)}
		for text := range strings.FieldsSeq(line) {
			words = append(words, Known(strings.Trim(text, `"'`), r.inv.Span))
		}
		if len(words) > 1 {
			r.inv.Runs = append(r.inv.Runs, Nested{Words: words, Stdin: Data{None: true}, Piped: true})
		}
	}
}

// stdinScript is a script for a shell that is known.
func (f *findings) stdinScript(shell string, args []Word) {
	in := f.inv.Stdin
	script := Word{Text: in.Text, Reach: tool.Exact, Taint: in.Taint, Span: f.inv.Span, At: in.At}
	if len(args) > 0 {
		args = append([]Word{Known(shell, f.inv.Span)}, args...) // they are $1, $2, ...
	}
	f.inv.Runs = append(f.inv.Runs, Nested{Script: &script, Args: args, Shell: shell, Stdin: restOf(in), Piped: true})
}

// restOf is what the commands of a script that comes from standard input find there: the lines behind them.
func restOf(in Data) Data { return Data{Taint: in.Taint | RestOfScript} }

// stdinSource is code in another language that is known.
func (r *reader) stdinSource(lang string) {
	in := r.inv.Stdin
	text, ok := sourceText(lang, in.Text)
	if !ok {
		r.execute("stdin:"+lang, r.inv.Span)
		return
	}
	code := Word{Text: text, Reach: tool.Exact, Taint: in.Taint, Span: r.inv.Span, At: in.At}
	if text != in.Text {
		code.At = 0
	}
	r.code(lang, code)
}

// stdinNames is a list of files, to be read, that arrives on standard input.
func (r *reader) stdinNames() {
	if in := r.inv.Stdin; in.Reach == tool.Exact && !in.None && len(in.Text) < 4<<10 {
		for name := range strings.FieldsFuncSeq(in.Text, func(c rune) bool { return c == '\n' || c == 0 }) {
			r.pathUse(tool.Read, Known(name, r.inv.Span), false)
			if r.scope.keeps && paths.Climbs(name) {
				r.fileName(Known(name, r.inv.Span))
			}
		}
		return
	}
	if line := r.inv.Stdin.Line(r.inv.Span); r.scope.keeps && r.mayClimb(line) {
		r.gap("file names may be outside the destination", r.inv.Span)
	}
	r.pathUse(tool.Read, r.inv.Stdin.Line(r.inv.Span), false)
}

// Brings reports whether an effect gets from the network what the invocation
// prints or writes. A build tool that gets missing packages from a registry
// writes what it built, not what it got.
func (inv *Invocation) Brings(fetch tool.Effect) bool {
	if fetch.Kind != tool.Fetch || fetch.Target != "@registry" {
		return fetch.Kind == tool.Fetch
	}
	for _, e := range inv.Effects {
		if runsProject(e) {
			return false
		}
	}
	return true
}

// output is what a program writes, as far as its model says.
func (r *reader) output(role string) Data {
	d := Data{Taint: r.inv.Stdin.Taint &^ RestOfScript, Of: r.inv.Stdin.Of}
	if d.Of == value.Branch {
		d.Of = "" // it may make another name of it
	}
	role, arg, _ := strings.Cut(role, ":")
	lines := role
	namesAlone(r, lines)
	switch role {
	case "numbered", "beside-lines", "counted", "tally", "first-field", "thinned", "computed":
		role = "" // apart from what the lines are
	}
	r.inv.Meets = r.scope.patterned
	r.inv.Whole = slices.Contains([]string{"stdin", "lines", "few", "numbered", "beside-lines", "matching", "tally", "counted"}, lines)
	if r.inv.Shows = r.showsTree(lines); !r.inv.Shows {
		d.Taint &^= FromTree
	}
	if r.scope.sweeping || r.inv.Shows && r.scope.listed && role != "archive" { // what packs files notes that itself
		r.swept()
	}
	r.flow(&d, role)
	r.shows(role)
	r.taints(&d)
	switch role {
	case "", "any", "beside", "settings", "committed":
		if role == "settings" {
			d.Taint |= WithSettings
		}
		if r.inv.Commits = r.inv.Commits || role == "committed"; r.inv.Commits {
			d.Taint |= FromVersion
		}
		r.printsBeside(role)
		d.Taint |= r.ownTaint(d.Taint)
		r.numberLines(&d, lines)
	case "nothing":
		d.Reach = tool.Exact
	case "sequence":
		d = r.output("count")
		r.sequence(&d)
	case "echo", "printf":
		r.echoes(r.oper)
		r.prints(&d, role, r.inv.Loose > 0)
	default:
		_ = r.numberOutput(&d, role) || r.listOutput(&d, role, arg) || r.placeOutput(&d, role, arg)
	}
	return d
}

// printsBeside notes that a program prints more than what the command prints that it runs.
func (f *findings) printsBeside(role string) {
	for i := range f.inv.Runs {
		f.inv.Runs[i].Among = f.inv.Runs[i].Among || role == "beside"
	}
}

// ownTaint is FromFile for output that is not from elsewhere and not from a stream: from
// this machine, as what git log and docker inspect print is.
func (f *findings) ownTaint(t Taint) Taint {
	if t&FromNet == 0 && f.inv.Stdin.None {
		return FromFile
	}
	return 0
}

// prints is output that is made of the operands, some of which may be none.
func (l *commandLine) prints(d *Data, how string, loose bool) {
	if how == "echo" {
		l.echo(d)
		d.Full = d.Full && !loose
	} else {
		l.printf(d, loose)
	}
}

// taints adds where what is printed comes from.
func (r *reader) taints(d *Data) {
	for i := range r.inv.Effects {
		e := &r.inv.Effects[i]
		// others: they put nothing into what is printed.
		switch e.Kind {
		case tool.Fetch:
			d.Taint |= r.fetchTaint(e)
		case tool.Read:
			d.Taint |= r.readTaint(e)
		case tool.Control:
			if e.Target == "network.listen" {
				d.Taint |= FromNet // whoever connects says it
			}
			if e.Target == "env.dump" && e.Span == r.inv.Span {
				d.Taint |= FromKeys // all of them, not the one that is named
			}
		}
	}
}

// fetchTaint is where what is fetched comes from.
func (f *findings) fetchTaint(e *tool.Effect) (taint Taint) {
	if f.inv.Brings(*e) && e.Target != "@database" {
		taint = FromNet
	}
	switch e.Target {
	case "@daemon", "@cluster", "@database", "@cloud":
		taint |= FromFile // as much the user's own as a file
	}
	return taint
}

// readTaint is where what a read shows comes from.
func (s *surroundings) readTaint(e *tool.Effect) Taint {
	taint := FromFile
	if e.Reach != tool.Anywhere && s.world.Project != "" && !paths.Within(e.Target, s.world.Project) {
		taint |= FromOutside
	}
	if s.isSecret(*e) {
		taint |= FromKeys
	}
	return taint
}

// numberOutput is output that is a number, or a word of which little is known. It says whether the role is one of those.
func (l *commandLine) numberOutput(d *Data, role string) bool {
	switch role {
	case "plain":
		d.Plain = true
	case "number":
		d.Plain, d.Lines = true, value.AsNumbers
	case "numbers":
		d.Lines = value.AsNumbers
	case "count":
		d.Lines = value.AsNumbers
		d.Endless = d.Endless || slices.ContainsFunc(l.oper, mayBeVast)
	case "words", "branch":
		d.Tame = !slices.ContainsFunc(l.oper, mayBeDashed)
		if role == "branch" && !hasFlagsBut(l.given, "--show-current --abbrev-ref") && (len(l.oper) == 0 || len(l.oper) == 1 && hasWord("HEAD @", l.oper[0].Text) && d.Tame) {
			d.Of = value.Branch
		}
	case "processes":
		d.Plain, d.Of = true, withTexts(d.Of, l.oper)
	case "own-processes":
		d.Plain, d.Of = true, Own
	case "revision":
		// A commit, or what was given if there is no such commit.
		d.Plain = !slices.ContainsFunc(l.oper, mayBeOdd)
	default:
		return false
	}
	d.Taint = 0
	return true
}

// mayBeVast says whether a word is a number that may be very large.
func mayBeVast(w Word) bool { return !w.IsPlain() || w.IsKnown() && len(w.Text) > 9 }

// mayBeDashed says whether a word may begin with a dash.
func mayBeDashed(w Word) bool { return !w.IsKnown() || strings.HasPrefix(w.Text, "-") }

// mayBeOdd says whether the name of a commit may be something else than a plain word.
func mayBeOdd(w Word) bool {
	return !w.IsKnown() || w.Text == "" || strings.ContainsAny(w.Text, "/ \t\n") || w.Text[0] == '-' || w.Text[0] == '.'
}

// withTexts adds what is known of some words to a text, with blanks between them.
func withTexts(text string, words []Word) string {
	for i := range words {
		text = strings.TrimSpace(text + " " + words[i].Text)
	}
	return text
}

// listOutput is output that is a list of names, or what was read. It says whether the role is one of those.
func (r *reader) listOutput(d *Data, role string, arg string) bool {
	switch role {
	case "archive":
		r.packs(d, arg)
	case "filter":
		r.filtered(d, arg)
	case "operands":
		r.joinOperands(d)
	case "stdin":
		r.stdinAgain(d)
	case "lines", "few", "matching":
		r.lines(d, role == "matching")
	default:
		return r.nameOutput(d, role)
	}
	return true
}

// nameOutput is output that is a list of names. It says whether the role is one of those.
func (r *reader) nameOutput(d *Data, role string) bool {
	switch role {
	case "names", "visible-names", "unhidden-names", "unignored-names", "untracked-names", "tracked-names", "tracked-matches":
		role = widened(r, role)
		r.names(d, false)
		d.Found, d.Visible = findsInside(r) && role != "tracked-names", isVisible(role)
		d.Taint |= lists(r, role)
	case "absolute-names":
		if r.flagGiven("--relative-to", false) || r.flagGiven("--relative-base", false) {
			break // what is printed depends on both
		}
		r.names(d, false)
		d.Seen = ""
		d.Taint |= lists(r, role)
		if !r.flagGiven("--strip", false) && !r.flagGiven("-s", false) && !r.flagGiven("--no-symlinks", false) {
			behindLinks(r, d)
		}
	case "all-names":
		r.names(d, false)
		d.Taint |= lists(r, role)
	case "entries":
		r.names(d, true)
		d.Visible = true
		if beginsBehindLinks(r) {
			d.Taint |= Followed
		}
	case "project-names":
		r.projectNames(d)
		d.Visible = true
	case "tracked-project-names":
		r.projectNames(d)
		d.Taint |= holds(role)
	default:
		return false
	}
	return true
}

// behindLinks makes a list of names one of where they lead: a link in the list is printed as what it points at.
func behindLinks(r *reader, d *Data) {
	if d.Reach != tool.Under {
		return
	}
	path := d.Text
	one := len(r.oper) == 1 && r.oper[0].IsKnown() && r.dir.Reach == tool.Exact && r.oper[0].Seen == ""
	if one {
		if path = r.oper[0].Text; !strings.HasPrefix(path, "/") {
			path = r.dir.Text + "/" + path // with what leads up behind links
		}
	}
	switch {
	case !one && slices.ContainsFunc(r.oper, func(w Word) bool { return paths.Climbs(w.Text) }):
		*d = Data{Taint: d.Taint}
	case one:
		d.Text, d.Reach, d.Match, d.Hollow = Follow(path, r.world)+"\n", tool.Exact, "", true
	default:
		d.Text, d.Taint = Follow(path, r.world), d.Taint|Followed
	}
}

// findsInside says whether a search lists the files that hold something particular.
func findsInside(r *reader) bool {
	return len(r.scope.patterns) > 0 && !r.seeksSecrets() && !r.flagGiven("--files-without-match", false)
}

// stdinAgain is output that is what was read: standard input, or nothing at all.
func (r *reader) stdinAgain(d *Data) {
	if len(r.oper) == 0 {
		in := r.inv.Stdin
		d.Text, d.Reach, d.Plain, d.At, d.Match, d.Visible, d.Found, d.Lines, d.Hollow, d.Seen = in.Text, in.Reach, in.Plain, in.At, in.Match, in.Visible, in.Found, in.Lines, in.Hollow, in.Seen
	} else if !slices.ContainsFunc(r.oper, func(w Word) bool { return !w.IsKnown() || w.Text != "/dev/null" }) {
		d.Reach = tool.Exact
	}
}

// placeOutput is output that names a place. It says whether the role is one of those.
func (r *reader) placeOutput(d *Data, role string, arg string) bool {
	switch role {
	case "basename", "dirname":
		r.part(d, role)
	case "cwd":
		if r.dir.Reach == tool.Exact {
			d.Text, d.Reach = r.dir.Text+"\n", tool.Exact
		}
	case "project":
		if !r.inv.sets("GIT_DIR") && !r.flagGiven("--git-dir", false) && !r.flagGiven("--work-tree", false) {
			r.projectRoot(d, r.flagGiven("--bare", false) || r.flagGiven("-c", false))
		}
	case "temp":
		r.temporary(d)
	case "at":
		r.settledAt(d, arg)
		d.Single = len(r.oper) < 2
	case "below":
		r.somewhereBelow(d, arg)
		d.Single = len(r.oper) < 2
	case "located":
		r.located(d)
	default:
		return false
	}
	return true
}

// projectRoot is the root of the project, seen from a directory in it. Nothing is printed
// where there may be no repository, in its own files, and perhaps with a setting.
func (s *surroundings) projectRoot(d *Data, set bool) {
	project, repository := s.world.Project, s.world.Project+"/.git"
	if !paths.Within(s.dir.Text, project) {
		return
	}
	d.Text, d.Reach, d.Taint = project+"\n", tool.Exact, 0
	d.Hollow = set || s.dir.Reach != tool.Exact || !s.exists(s.dir.Text) || !s.exists(repository) || paths.Within(s.dir.Text, repository)
}

// Temporary is what stands for a file or directory that a program makes below /tmp, with a name of its own.
const Temporary = value.Scratch

// temporary is a file or directory that was made just now: below /tmp and never /tmp
// itself, so that it may be deleted.
//
// It is made unless somebody has named a place that may not be there, or a template that some
// program refuses. What is left are a machine without /tmp, and one without room in it: the
// scripts that make a directory, fill it and delete what is in it are so many, and those
// machines so few, that this is believed not to happen.
func (r *reader) temporary(d *Data) {
	if slices.ContainsFunc(r.inv.Env, func(a Assign) bool { return a.Name == "TMPDIR" && a.Value.IsKnown() && !isPlainPath(a.Value) }) {
		return // its words lead elsewhere
	}
	if slices.ContainsFunc(r.inv.Words[1:], func(w Word) bool { return strings.ContainsAny(w.Text, " \t\n*?[\\") }) {
		return // as they do without quotes
	}
	d.Text, d.Reach, d.Taint = Temporary, tool.Under, 0
	usual := !r.inv.sets("TMPDIR") && !slices.ContainsFunc(r.given, mayRefuse) && takesTemplate(r.inv.Words[1:], r.flagGiven("-t", false))
	d.Full = usual
	if d.Single = true; usual && isPlainlyNamed(r) {
		d.Lines = value.AsScratch
	}
}

// isPlainlyNamed says whether no character of the path that a program makes of its words and of TMPDIR means anything to a shell.
func isPlainlyNamed(r *reader) bool {
	if r.world.Getenv == nil {
		return false
	}
	dir, _ := r.world.Getenv("TMPDIR")
	return isPlainPath(Known(dir, tool.Span{})) && !slices.ContainsFunc(r.inv.Words[1:], func(w Word) bool { return !isPlainPath(w) })
}

// isPlainPath says whether no character of a word means anything to a shell.
func isPlainPath(w Word) bool {
	return !strings.ContainsFunc(w.Text, func(c rune) bool { return !strings.ContainsRune("/._-", c) && (c >= 0x80 || !scan.IsNameByte(byte(c))) })
}

// mayRefuse says whether a flag of a program that makes temporary files names a place, or is one
// that only some of these programs know.
func mayRefuse(g flagUse) bool { return !hasWord("-d -q -t -u", g.name) }

// takesTemplate says whether the words of a program that makes temporary files hold at most one
// template, which all such programs take: in /tmp, unless it is a bare name, with six X at its end.
func takesTemplate(words []Word, bare bool) bool {
	where := "/tmp/"
	if bare {
		where = ""
	}
	n := 0
	for _, w := range words {
		if w.IsKnown() && strings.HasPrefix(w.Text, "-") {
			continue
		}
		dir, name := path.Split(w.Text)
		if n++; n > 1 || !w.IsKnown() || w.Hollow || dir != where || !strings.HasSuffix(name, "XXXXXX") {
			return false
		}
	}
	return true
}

// somewhereBelow is something below a directory, which may be one of the home directory.
func (s *surroundings) somewhereBelow(d *Data, dir string) {
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		if s.world.Home == "" {
			return
		}
		dir = s.world.Home + "/" + rest
	}
	d.Text, d.Reach, d.Taint = dir, tool.Under, 0
}

// located is where the programs are that operands name, if all are known.
func (r *reader) located(d *Data) {
	var names []string
	for _, w := range r.oper {
		if !w.IsKnown() {
			return
		}
		names = append(names, w.Text)
	}
	*d = Located(names, r.world)
}

// settledAt is a directory of the home that a tool uses unless variables or a file of
// settings say otherwise: "DIR VARIABLE,… FILE". Where they might, it is below DIR.
func (r *reader) settledAt(d *Data, arg string) {
	home, f := r.world.Home, strings.Fields(arg)
	if home == "" || len(f) != 3 {
		return
	}
	dir := home + strings.TrimPrefix(f[0], "~")
	d.Text, d.Reach, d.Taint = dir, tool.Under, 0
	if r.inv.sets("HOME") {
		return
	}
	for name := range strings.SplitSeq(f[1], ",") {
		if r.maySet(name, dir) {
			return
		}
	}
	if r.world.Exists == nil || r.world.Exists(home+strings.TrimPrefix(f[2], "~")) {
		return
	}
	d.Text, d.Reach, d.Hollow = dir+"\n", tool.Exact, true
}

// maySet says whether a variable may be set to something else than a value.
func (d *deeds) maySet(name, usual string) bool {
	if d.world.Getenv == nil || d.inv.sets(name) {
		return true
	}
	v, ok := d.world.Getenv(name)
	return ok && v != usual && v != ""
}

// Located is where programs of some names are installed, if they are.
func Located(names []string, w *tool.World) Data {
	dirs := []string{"bin", "sbin", "usr/bin", "usr/sbin", "usr/local/bin", "usr/local/sbin", "opt/homebrew/bin", "snap/bin"}
	if home := strings.Trim(w.Home, "/"); home != "" {
		for _, dir := range [...]string{"bin", ".local/bin", "go/bin", ".cargo/bin"} {
			dirs = append(dirs, paths.Escape(home)+"/"+dir)
		}
	}
	d := Data{Text: "/", Reach: tool.Under}
	var list []string
	for _, name := range names {
		if strings.Contains(name, "/") || name == "" {
			return Data{}
		}
		for _, dir := range dirs {
			list = append(list, alternative(dir+"/"+paths.Escape(name)))
		}
	}
	if d.Match = value.AnyOf(list); len(list) == 0 || len(list) > maxNames {
		return Data{}
	}
	return d
}

// Outputs lists the roles that standard output can have in a model.
var Outputs = []string{
	"archive",
	"archive:operand",
	"archive:file",
	"report",
	"nothing",
	"plain",
	"number",
	"numbers",
	"numbered",
	"beside-lines",
	"counted",
	"tally",
	"first-field",
	"thinned",
	"computed",
	"count",
	"sequence",
	"words",
	"branch",
	"located",
	"processes",
	"own-processes",
	"echo",
	"printf",
	"operands",
	"stdin",
	"lines",
	"few",
	"endless",
	"matching",
	"names",
	"absolute-names",
	"all-names",
	"visible-names",
	"unhidden-names",
	"unignored-names",
	"untracked-names",
	"tracked-names",
	"tracked-matches",
	"entries",
	"project-names",
	"tracked-project-names",
	"basename",
	"dirname",
	"cwd",
	"project",
	"revision",
	"temp",
	"any",
	"beside",
	"committed",
	"settings",
	"filter:base64d",
	"filter:hexd",
	"filter:rev",
	"at:~/go GOPATH,GOENV,XDG_CONFIG_HOME ~/.config/go/env",
	"below:~/go",
	"below:~/.cache",
	"below:~/.rustup",
	"below:/usr/local/go",
	"below:/opt/homebrew",
}

// mayShow remembers a word that holds a variable named like a secret. Most programs
// print their words in some way, if only in a complaint.
func (s *scope) mayShow(w Word) {
	if w.Taint&FromSecret != 0 {
		s.shown = w.Span
	}
}

// shows says that a secret is shown by a program that just looks and prints. What
// logs in somewhere needs its password, and what another program does with it is seen there.
func (r *reader) shows(role string) {
	if r.scope.shown.End == 0 || role == "nothing" || slices.ContainsFunc(r.inv.Runs, func(n Nested) bool { return !n.Known }) {
		return
	}
	for _, e := range r.inv.Effects {
		switch e.Kind {
		case tool.Read, tool.Write, tool.Create:
		case tool.Control:
			if !strings.HasPrefix(e.Target, "git.") { // what git keeps, it lists
				return
			}
		default:
			return
		}
	}
	r.control("env.secret", r.scope.shown)
}

// echoes notes words that hold a secret, in a program that prints the words it is given: the
// command that it runs, the request that it makes.
func (f *findings) echoes(words []Word) {
	for _, w := range words {
		if w.Taint&FromSecret != 0 {
			f.control("env.secret", w.Span)
			return
		}
	}
}
