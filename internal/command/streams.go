package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// streams says what standard input is used for and what standard output holds.
func (r *reader) streams(modes []*Mode) {
	level := r.levels[len(r.levels)-1]
	stdin, output := level.Stdin, level.Output
	for _, m := range modes {
		if m.Stdin != "" {
			stdin = m.Stdin
		}
		if m.Output != "" && r.settled(m) {
			output = m.Output
		} else if m.Output != "" {
			output = "any"
		}
	}
	if stdin == "" {
		stdin = r.fed(modes)
	}
	if lang, ok := strings.CutPrefix(stdin, "code:"); ok {
		r.stdinCode(lang)
	} else if stdin == "names" {
		r.stdinNames()
	} else if in := r.inv.Stdin; stdin == "secret" && in.Text != "" {
		r.inv.Secrets = append(r.inv.Secrets, Word{Text: strings.TrimSuffix(in.Text, "\n"), Reach: in.Reach, At: in.At})
	}
	r.inv.Output = r.output(output)
}

// settled says whether a mode that depends on the values of flags is certain to
// be the one that counts: where a flag is repeated the last value usually wins,
// so all that are given must be known and ask for the same mode.
func (l *commandLine) settled(m *Mode) bool {
	for i := range l.given {
		g := &l.given[i]
		asked, matched := false, false
		for _, cond := range m.When {
			name, want, valued := strings.Cut(cond, "=")
			if !valued || name != g.name {
				continue
			}
			asked = true
			if len(g.values) == 0 {
				matched = matched || want == ""
			} else if v := g.values[0]; v.IsKnown() && paths.Stars(want, v.Text) {
				matched = true
			}
		}
		if asked && !matched {
			return false
		}
	}
	return true
}

// fed says what standard input is to a program that runs programs and is given
// none: the program to run. Its model shows it by a first operand that is run,
// or by the effect of an interactive shell.
func (r *reader) fed(modes []*Mode) string {
	if r.inv.Stdin.None {
		return ""
	}
	for i := range r.given {
		g := &r.given[i]
		if hasWord("--version -version -V --help -help -h -?", g.name) || g.flag != nil && (g.flag.has("code") || g.flag.has("run") || g.flag.has("source") || g.flag.has("script") || g.flag.has("script-before")) {
			return ""
		}
	}
	level := r.levels[len(r.levels)-1]
	effects := level.Effects
	for _, m := range modes {
		effects = append(effects[:len(effects):len(effects)], m.Effects...)
	}
	if len(level.Operands) > 0 && len(r.oper) == 0 {
		for _, u := range level.Operands[0].Uses {
			if (u.Name == "run" || u.Name == "source") && u.Arg != "" {
				return "code:" + u.Arg
			}
		}
	}
	if slices.Contains(effects, Spec{Kind: "execute", Target: "shell:interactive"}) {
		return "code:" + r.inv.Name
	}
	return ""
}

// stdinCode is code that arrives on standard input.
func (r *reader) stdinCode(lang string) {
	in := r.inv.Stdin
	switch {
	case in.Taint&FromNet != 0:
		r.execute("fetched:"+lang, r.inv.Span)
	case in.Reach == tool.Exact && !in.None && isShell(lang):
		script := Word{Text: in.Text, Reach: tool.Exact, Taint: in.Taint, Span: r.inv.Span, At: in.At}
		args := r.oper
		if len(args) > 0 {
			args = append([]Word{Known(lang, r.inv.Span)}, args...) // they are $1, $2, ...
		}
		r.inv.Runs = append(r.inv.Runs, Nested{Script: &script, Args: args, Shell: lang})
	case in.Path != nil && isShell(lang):
		r.run(lang, *in.Path)
	case in.Path != nil:
		r.fedFile(lang, *in.Path)
	case in.Reach == tool.Exact && !in.None:
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
	case in.None:
		r.execute("shell:interactive", r.inv.Span)
	default:
		r.execute("stdin:"+lang, r.inv.Span)
	}
}

// stdinNames is a list of files, to be read, that arrives on standard input.
func (r *reader) stdinNames() {
	if in := r.inv.Stdin; in.Reach == tool.Exact && !in.None && len(in.Text) < 4<<10 {
		for name := range strings.FieldsFuncSeq(in.Text, func(c rune) bool { return c == '\n' || c == 0 }) {
			r.pathUse(tool.Read, Known(name, r.inv.Span), false)
		}
		return
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
		if e.Kind == tool.Execute && strings.HasPrefix(e.Target, "project:") {
			return false
		}
	}
	return true
}

// output is what a program writes, as far as its model says.
func (r *reader) output(role string) Data {
	d := Data{Taint: r.inv.Stdin.Taint, Of: r.inv.Stdin.Of}
	role, arg, _ := strings.Cut(role, ":")
	lines := role
	switch role {
	case "numbered", "counted", "first-field", "thinned", "computed":
		role = "" // apart from what the lines are
	}
	if d.Taint&FromTree != 0 && !r.showsTree(lines) {
		d.Taint &^= FromTree
	}
	r.flow(&d, role)
	r.shows(role)
	r.taints(&d)
	switch role {
	case "", "any":
		if d.Taint&FromNet == 0 && r.inv.Stdin.None {
			// Not from elsewhere and not from a stream: from this machine, as
			// what git log and docker inspect print is.
			d.Taint |= FromFile
		}
		r.numberLines(&d, lines)
	case "nothing":
		d.Reach = tool.Exact
	case "sequence":
		d = r.output("count")
		r.sequence(&d)
	case "located":
		var names []string
		for _, w := range r.oper {
			if !w.IsKnown() {
				return d
			}
			names = append(names, w.Text)
		}
		return Located(names, r.world)
	case "echo":
		r.printsSecrets()
		r.echo(&d)
	case "printf":
		r.printsSecrets()
		r.printf(&d)
	case "filter":
		r.filtered(&d, arg)
	default:
		_ = r.numberOutput(&d, role) || r.listOutput(&d, role, arg) || r.placeOutput(&d, role, arg)
	}
	return d
}

// taints adds where what is printed comes from.
func (r *reader) taints(d *Data) {
	for _, e := range r.inv.Effects {
		// others: they put nothing into what is printed.
		switch e.Kind {
		case tool.Fetch:
			if r.inv.Brings(e) && e.Target != "@database" {
				d.Taint |= FromNet
			}
			switch e.Target {
			case "@daemon", "@cluster", "@database", "@cloud":
				d.Taint |= FromFile // as much the user's own as a file
			}
		case tool.Read:
			d.Taint |= FromFile
			if e.Reach != tool.Anywhere && r.world.Project != "" && !paths.Within(e.Target, r.world.Project) {
				d.Taint |= FromOutside
			}
			if r.isSecret(e) {
				d.Taint |= FromKeys
			}
		case tool.Control:
			switch {
			case e.Target == "network.listen":
				d.Taint |= FromNet // whoever connects says it
			case e.Target == "env.dump" && e.Span == r.inv.Span:
				d.Taint |= FromKeys // all of them, not the one that is named
			}
		}
	}
}

// numberOutput is output that is a number, or a word of which little is known. It says whether the role is one of those.
func (l *commandLine) numberOutput(d *Data, role string) bool {
	switch role {
	case "plain":
		d.Plain, d.Taint = true, 0
	case "number":
		d.Plain, d.Lines, d.Taint = true, value.AsNumbers, 0
	case "numbers":
		d.Lines, d.Taint = value.AsNumbers, 0
	case "count":
		d.Plain, d.Lines, d.Taint = true, value.AsNumbers, 0
		for _, w := range l.oper {
			d.Endless = d.Endless || !w.IsPlain() || w.IsKnown() && len(w.Text) > 9
		}
	case "words":
		d.Tame, d.Taint = true, 0
		for _, w := range l.oper {
			d.Tame = d.Tame && w.IsKnown() && !strings.HasPrefix(w.Text, "-")
		}
	case "processes":
		d.Plain, d.Taint = true, 0
		for _, w := range l.oper {
			d.Of = strings.TrimSpace(d.Of + " " + w.Text)
		}
	case "own-processes":
		d.Plain, d.Taint, d.Of = true, 0, Own
	case "revision":
		// A commit, or what was given if there is no such commit.
		d.Plain, d.Taint = true, 0
		for _, w := range l.oper {
			d.Plain = d.Plain && w.IsKnown() && w.Text != "" && !strings.ContainsAny(w.Text, "/ \t\n") && w.Text[0] != '-' && w.Text[0] != '.'
		}
	default:
		return false
	}
	return true
}

// listOutput is output that is a list of names, or what was read. It says whether the role is one of those.
func (r *reader) listOutput(d *Data, role string, arg string) bool {
	switch role {
	case "archive":
		r.packs(d, arg)
	case "operands":
		r.joinOperands(d)
	case "stdin":
		if len(r.oper) == 0 {
			in := r.inv.Stdin
			d.Text, d.Reach, d.Plain, d.At, d.Match, d.Visible, d.Lines, d.Hollow = in.Text, in.Reach, in.Plain, in.At, in.Match, in.Visible, in.Lines, in.Hollow
		} else if !slices.ContainsFunc(r.oper, func(w Word) bool { return !w.IsKnown() || w.Text != "/dev/null" }) {
			d.Reach = tool.Exact
		}
	case "lines", "few":
		r.lines(d, false)
	case "matching":
		r.lines(d, true)
	case "names":
		r.names(d, false)
		d.Visible = len(r.scope.patterns) > 0 && !r.seeksSecrets() // of those that hold something particular
	case "visible-names":
		r.names(d, false)
		d.Visible = true
	case "entries":
		r.names(d, true)
		d.Visible = true
	case "project-names":
		r.projectNames(d)
		d.Visible = true
	default:
		return false
	}
	return true
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
		if paths.Within(r.dir.Text, r.world.Project) {
			d.Text, d.Reach, d.Taint = r.world.Project+"\n", tool.Exact, 0
			d.Hollow = r.world.Exists == nil || !r.world.Exists(r.world.Project+"/.git") // it may be no repository
		}
	case "temp":
		// Below /tmp and never /tmp itself, so that it may be deleted.
		d.Text, d.Reach, d.Taint = "/tmp/tmp.XXXXXXXXXX", tool.Under, 0
		// Where nobody has named a place that may not be there, it does not fail.
		d.Full = !r.flagGiven("-p", false) && !r.flagGiven("--tmpdir", false) &&
			!slices.ContainsFunc(r.inv.Env, func(a Assign) bool { return a.Name == "TMPDIR" }) &&
			!slices.ContainsFunc(r.inv.Words, func(w Word) bool {
				return !w.IsKnown() || w.Text[:min(1, len(w.Text))] != "-" && strings.Contains(w.Text, "X") && paths.Parent(w.Text) != "/tmp"
			})
	case "at":
		r.settledAt(d, arg)
	case "below":
		if dir, ok := strings.CutPrefix(arg, "~/"); !ok || r.world.Home != "" {
			if ok {
				arg = r.world.Home + "/" + dir
			}
			d.Text, d.Reach, d.Taint = arg, tool.Under, 0
		}
	default:
		return false
	}
	return true
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
	for name := range strings.SplitSeq(f[1], ",") {
		if r.world.Getenv == nil || slices.ContainsFunc(r.inv.Env, func(a Assign) bool { return a.Name == name || a.Name == "HOME" }) {
			return
		}
		if v, ok := r.world.Getenv(name); ok && v != dir && v != "" {
			return
		}
	}
	if r.world.Exists == nil || r.world.Exists(home+strings.TrimPrefix(f[2], "~")) {
		return
	}
	d.Text, d.Reach, d.Hollow = dir+"\n", tool.Exact, true
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
	"report",
	"nothing",
	"plain",
	"number",
	"numbers",
	"numbered",
	"counted",
	"first-field",
	"thinned",
	"computed",
	"count",
	"sequence",
	"words",
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
	"visible-names",
	"entries",
	"project-names",
	"basename",
	"dirname",
	"cwd",
	"project",
	"revision",
	"temp",
	"any",
	"filter:base64d",
	"filter:hexd",
	"filter:rev",
	"filter:upper",
	"filter:lower",
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
// logs in somewhere needs its password.
func (r *reader) shows(role string) {
	if r.scope.shown.End == 0 || role == "nothing" || len(r.inv.Runs) > 0 {
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

// printsSecrets finds operands that hold a variable named like a secret, which
// the output then shows.
func (r *reader) printsSecrets() {
	for _, w := range r.oper {
		if w.Taint&FromSecret != 0 {
			r.control("env.secret", w.Span)
			return
		}
	}
}
