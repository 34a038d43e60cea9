package command

import (
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"longline/internal/tool"
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
func (r *reader) settled(m *Mode) bool {
	for i := range r.given {
		g := &r.given[i]
		asked, matched := false, false
		for _, cond := range m.When {
			name, want, valued := strings.Cut(cond, "=")
			if !valued || name != g.name {
				continue
			}
			asked = true
			if len(g.values) == 0 {
				matched = matched || want == ""
			} else if v := g.values[0]; v.IsKnown() && starMatch(want, v.Text) {
				matched = true
			}
		}
		if asked && !matched {
			return false
		}
	}
	return true
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
	case in.Path != nil:
		r.run(lang, *in.Path)
	case in.Reach == tool.Exact && !in.None:
		text, ok := sourceText(lang, in.Text)
		if !ok {
			r.execute("stdin:"+lang, r.inv.Span)
			return
		}
		code := Word{Text: text, Reach: tool.Exact, Taint: in.Taint, Span: r.inv.Span, At: in.At}
		if text != in.Text {
			code.At = -1
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

// Brings says whether an effect gets from the network what the invocation
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
	d := Data{At: -1, Taint: r.inv.Stdin.Taint, Of: r.inv.Stdin.Of}
	role, arg, _ := strings.Cut(role, ":")
	r.flow(&d, role)
	r.shows(role)
	for _, e := range r.inv.Effects {
		switch e.Kind {
		case tool.Fetch:
			if r.inv.Brings(e) {
				d.Taint |= FromNet
			}
			switch e.Target {
			case "@daemon", "@cluster", "@database", "@cloud":
				d.Taint |= FromFile // as much the user's own as a file
			}
		case tool.Read:
			d.Taint |= FromFile
			if e.Reach != tool.Anywhere && r.world.Project != "" && !within(e.Target, r.world.Project) {
				d.Taint |= FromOutside
			}
		case tool.Control:
			if e.Target == "network.listen" {
				d.Taint |= FromNet // whoever connects says it
			}
		}
	}
	switch role {
	case "", "any":
		if d.Taint&FromNet == 0 && r.inv.Stdin.None {
			// Not from elsewhere and not from a stream: from this machine, as
			// what git log and docker inspect print is.
			d.Taint |= FromFile
		}
	case "nothing":
		d.Reach = tool.Exact
	case "plain":
		d.Plain, d.Taint = true, 0
	case "words":
		d.Tame, d.Taint = true, 0
		for _, w := range r.oper {
			d.Tame = d.Tame && w.IsKnown() && !strings.HasPrefix(w.Text, "-")
		}
	case "located":
		var names []string
		for _, w := range r.oper {
			if !w.IsKnown() {
				return d
			}
			names = append(names, w.Text)
		}
		return Located(names, r.world)
	case "processes":
		d.Plain, d.Taint = true, 0
		for _, w := range r.oper {
			d.Of = strings.TrimSpace(d.Of + " " + w.Text)
		}
	case "own-processes":
		d.Plain, d.Taint, d.Of = true, 0, Own
	case "echo":
		r.printsSecrets()
		r.echo(&d)
	case "printf":
		r.printsSecrets()
		r.printf(&d)
	case "operands":
		r.joinOperands(&d)
	case "stdin":
		if len(r.oper) == 0 {
			in := r.inv.Stdin
			d.Text, d.Reach, d.Plain, d.At, d.Match = in.Text, in.Reach, in.Plain, in.At, in.Match
		} else if !slices.ContainsFunc(r.oper, func(w Word) bool { return !w.IsKnown() || w.Text != "/dev/null" }) {
			d.Reach = tool.Exact
		}
	case "lines", "few":
		r.lines(&d, false)
	case "matching":
		r.lines(&d, true)
	case "names":
		r.names(&d, false)
	case "entries":
		r.names(&d, true)
	case "project-names":
		r.projectNames(&d)
	case "basename", "dirname":
		r.part(&d, role)
	case "cwd":
		if r.dir.Reach == tool.Exact {
			d.Text, d.Reach = r.dir.Text+"\n", tool.Exact
		}
	case "project":
		if within(r.dir.Text, r.world.Project) {
			d.Text, d.Reach, d.Taint = r.world.Project+"\n", tool.Exact, 0
		}
	case "revision":
		// A commit, or what was given if there is no such commit.
		d.Plain, d.Taint = true, 0
		for _, w := range r.oper {
			d.Plain = d.Plain && w.IsKnown() && w.Text != "" && !strings.ContainsAny(w.Text, "/ \t\n") && w.Text[0] != '-' && w.Text[0] != '.'
		}
	case "temp":
		// Below /tmp and never /tmp itself, so that it may be deleted.
		d.Text, d.Reach, d.Taint = "/tmp/tmp.XXXXXXXXXX", tool.Under, 0
	case "filter":
		r.filtered(&d, arg)
	}
	return d
}

// Located is where programs of some names are installed, if they are.
func Located(names []string, w *tool.World) Data {
	dirs := []string{"bin", "sbin", "usr/bin", "usr/sbin", "usr/local/bin", "usr/local/sbin", "opt/homebrew/bin", "snap/bin"}
	if home := strings.Trim(w.Home, "/"); home != "" {
		for _, dir := range [...]string{"bin", ".local/bin", "go/bin", ".cargo/bin"} {
			dirs = append(dirs, EscapeGlob(home)+"/"+dir)
		}
	}
	d := Data{Text: "/", Reach: tool.Under, At: -1}
	var list []string
	for _, name := range names {
		if strings.Contains(name, "/") || name == "" {
			return Data{At: -1}
		}
		for _, dir := range dirs {
			list = append(list, alternative(dir+"/"+EscapeGlob(name)))
		}
	}
	if d.Match = anyOf(list); len(list) == 0 || len(list) > maxNames {
		return Data{At: -1}
	}
	return d
}

// Outputs lists the roles that standard output can have in a model.
var Outputs = []string{
	"nothing",
	"plain",
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
}

// part is the last name of a known path, or the directory in front of it.
func (r *reader) part(d *Data, which string) {
	if len(r.given) > 0 || len(r.oper) == 0 || !r.oper[0].IsKnown() || r.oper[0].Text == "" {
		return
	}
	text := r.oper[0].Text
	switch {
	case which == "dirname" && len(r.oper) == 1:
		text = path.Dir(text)
	case which == "basename" && len(r.oper) == 1:
		text = path.Base(text)
	case which == "basename" && len(r.oper) == 2 && r.oper[1].IsKnown():
		text = path.Base(text)
		if cut := strings.TrimSuffix(text, r.oper[1].Text); cut != "" {
			text = cut
		}
	default:
		return
	}
	d.Text, d.Reach = text+"\n", tool.Exact
}

func (r *reader) joinOperands(d *Data) {
	var b strings.Builder
	for i, w := range r.oper {
		if i > 0 {
			b.WriteByte(' ')
		}
		if !w.IsKnown() {
			d.Text, d.Reach, d.Taint = b.String(), tool.Prefix, d.Taint|w.Taint
			if i == 0 && len(r.oper) == 1 && !w.Glob {
				d.Text, d.Reach, d.Plain, d.Of = w.Text, w.Reach, w.Plain, w.Of
			}
			return
		}
		b.WriteString(w.Text)
	}
	d.Text, d.Reach = b.String()+"\n", tool.Exact
	if len(r.oper) == 1 {
		d.At = r.oper[0].At
	}
}

// echo joins its operands; the flags -n, -e and -E stand in front of them.
func (r *reader) echo(d *Data) {
	words, newline, escapes := r.oper, true, false
	for len(words) > 0 && words[0].IsKnown() && len(words[0].Text) > 1 && words[0].Text[0] == '-' && strings.Trim(words[0].Text[1:], "neE") == "" {
		for _, c := range words[0].Text[1:] {
			switch c {
			case 'n':
				newline = false
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		words = words[1:]
	}
	rest := reader{inv: r.inv, oper: words}
	rest.joinOperands(d)
	if d.Reach == tool.Exact && !newline {
		d.Text = strings.TrimSuffix(d.Text, "\n")
	}
	if escapes && strings.Contains(d.Text, `\`) {
		if text, ok := unescape(d.Text); ok {
			d.Text, d.At = text, -1
		} else {
			*d = Data{Taint: d.Taint, At: -1}
		}
	}
}

// printf formats with %s, %d and %b; other formats are not followed.
func (r *reader) printf(d *Data) {
	words := r.oper
	if len(words) > 0 && words[0].IsKnown() && words[0].Text == "--" {
		words = words[1:]
	}
	if len(words) == 0 || !words[0].IsKnown() || strings.HasPrefix(words[0].Text, "-v") {
		return
	}
	args := words[1:]
	format, ok := unescape(words[0].Text)
	if !ok {
		return
	}
	var b strings.Builder
	for first := true; first || len(args) > 0; first = false {
		before := len(args)
		for i := 0; i < len(format); i++ {
			if format[i] != '%' || i+1 == len(format) {
				b.WriteByte(format[i])
				continue
			}
			i++
			if format[i] == '%' {
				b.WriteByte('%')
				continue
			}
			if strings.IndexByte("sdb", format[i]) < 0 {
				d.Text, d.Reach = b.String(), tool.Prefix
				return
			}
			if len(args) == 0 {
				continue
			}
			if !args[0].IsKnown() {
				d.Text, d.Reach, d.Taint = b.String(), tool.Prefix, d.Taint|args[0].Taint
				return
			}
			text := args[0].Text
			if format[i] == 'b' {
				if text, ok = unescape(text); !ok {
					d.Text, d.Reach = b.String(), tool.Prefix
					return
				}
			}
			b.WriteString(text)
			args = args[1:]
		}
		if len(args) == before {
			break
		}
	}
	d.Text, d.Reach = b.String(), tool.Exact
	if len(words) == 1 && d.Text == words[0].Text {
		d.At = words[0].At
	}
}

// unescape resolves the backslash escapes of echo -e and printf.
func unescape(s string) (string, bool) {
	if !strings.Contains(s, `\`) {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if j := strings.IndexByte(`abefnrtv\"'`, s[i]); j >= 0 {
			b.WriteByte("\a\b\x1b\f\n\r\t\v\\\"'"[j])
			continue
		}
		digits, base, start := 3, 8, i
		switch {
		case s[i] == 'x':
			digits, base, start = 2, 16, i+1
		case s[i] == '0':
			start = i + 1
		case s[i] < '0' || s[i] > '7':
			if s[i] == 'u' || s[i] == 'U' || s[i] == 'c' {
				return "", false
			}
			b.WriteByte('\\')
			b.WriteByte(s[i])
			continue
		}
		value, end := 0, start
		for end < len(s) && end < start+digits {
			v := digit(s[end])
			if v < 0 || v >= base {
				break
			}
			value, end = value*base+v, end+1
		}
		if end == start && s[i] == 'x' {
			return "", false
		}
		b.WriteByte(byte(value))
		i = end - 1
	}
	return b.String(), true
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// filtered is known text sent through a filter that longline can compute.
func (r *reader) filtered(d *Data, filter string) {
	in := r.inv.Stdin
	if in.Reach != tool.Exact || in.None || len(r.oper) > 0 {
		return
	}
	text, ok := in.Text, true
	switch filter {
	case "base64d":
		text, ok = decode(decodeBase64, text)
	case "hexd":
		text, ok = decode(hex.DecodeString, text)
	case "rev":
		text = eachLine(text, reverse)
	case "upper":
		text = strings.ToUpper(text)
	case "lower":
		text = strings.ToLower(text)
	}
	if ok {
		d.Text, d.Reach = text, tool.Exact
	}
}

func decode(f func(string) ([]byte, error), text string) (string, bool) {
	out, err := f(strings.Join(strings.Fields(text), ""))
	return string(out), err == nil
}

func eachLine(text string, f func(string) string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = f(l)
	}
	return strings.Join(lines, "\n")
}

func reverse(s string) string {
	rs := []rune(s)
	for i, j := 0, len(rs)-1; i < j; i, j = i+1, j-1 {
		rs[i], rs[j] = rs[j], rs[i]
	}
	return string(rs)
}

// mayShow remembers a word that holds a variable named like a secret. Most programs
// print their words in some way, if only in a complaint.
func (r *reader) mayShow(w Word) {
	if w.Taint&FromSecret != 0 {
		r.scope.shown = w.Span
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
		default:
			return
		}
	}
	r.control("env.dump", r.scope.shown)
}

// printsSecrets finds operands that hold a variable named like a secret, which
// the output then shows.
func (r *reader) printsSecrets() {
	for _, w := range r.oper {
		if w.Taint&FromSecret != 0 {
			r.control("env.dump", w.Span)
			return
		}
	}
}
