package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// redirection is where the redirections of a command lead its streams.
type redirection struct {
	stdin command.Data
	reads bool // stdin is set
	to    sink
	file  string // for toFile and elsewhere
	add   bool   // >> rather than >
	both  bool   // standard error goes where standard output goes
	parts bool   // or where that went before
	err   string // the file that standard error goes to
	net   bool   // standard output goes to a service
	fails bool   // a redirection may fail, and then the command does not run
}

// sink is where standard output goes.
type sink uint8

const (
	toParent  sink = iota
	discarded      // to nowhere, to the standard error, to the network
	toFile
	elsewhere // to a descriptor or a file that is not known
)

// maxRedirects bounds the redirections of one command.
const maxRedirects = 100

// redirects resolves redirections and notes them and their effects in inv.
func (r *reader) redirects(list []*syntax.Redirect, inv *command.Invocation) (red redirection) {
	if len(list) > maxRedirects {
		r.gap("too many redirections", inv.Span)
		list = list[:maxRedirects]
	}
	defer func(was bool) { r.weak = was }(r.weak)
	r.weak = true // a program's are expanded in a process of its own
	for _, rd := range list {
		fd := ""
		if rd.N != nil {
			fd = rd.N.Value
		}
		out := command.Redirect{Op: rd.Op.String(), Fd: fd, Span: r.src.span(int(rd.Pos().Offset()), int(rd.Word.End().Offset()))}
		switch rd.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			out.Target = command.Word{Span: out.Span}
			r.connect(&red, inv, fd, r.document(rd, inv, out.Span))
			inv.Stdin.Hollow = inv.Stdin.Hollow || red.reads // a shell may have to keep it in a file, which may fail
		case syntax.WordHdoc:
			r.beyondPosix(rd)
			w := r.value(rd.Word, ordinary)
			out.Target = w
			d := wordData(w).Ended(w.Hollow)
			handsSecret(inv, d, out.Span)
			r.connect(&red, inv, fd, d)
			inv.Stdin.Hollow = inv.Stdin.Hollow || red.reads // the same
		default:
			var words words
			r.fields(rd.Word, ordinary, &words)
			r.native(words.list)
			if len(words.list) == 1 {
				out.Target = words.list[0]
			} else {
				out.Target = command.Word{Span: out.Span} // bash calls this ambiguous and does not run the command
			}
			r.redirect(rd, out, inv, &red)
		}
		if strings.HasPrefix(fd, "{") {
			r.assign(strings.Trim(fd, "{}"), single(anyNumber()), out.Span)
		}
		inv.Redirects = append(inv.Redirects, out)
	}
	return red
}

// connect makes data the standard input, or what another descriptor reads.
func (r *reader) connect(red *redirection, inv *command.Invocation, fd string, d command.Data) {
	switch fd {
	case "", "0":
		if r.zsh && (red.reads || r.pipe > 0 && r.stage > 0 && !r.s.stdin.None) { // which reads one after the other
			d = command.Data{Taint: red.stdin.Taint | r.s.stdin.Taint | d.Taint}
		}
		red.stdin, red.reads = d, true
		inv.Stdin = d
	case "1": // of what is written there nothing is seen
		red.to = elsewhere
	default:
		r.s.opened |= d.Taint
	}
}

// handsSecret notes that a here-document holds a secret: most programs show what they read.
func handsSecret(inv *command.Invocation, d command.Data, at tool.Span) {
	if d.Taint&command.FromSecret != 0 {
		inv.Effects = append(inv.Effects, shows(at))
	}
}

// document returns the text of a here-document.
func (r *reader) document(rd *syntax.Redirect, inv *command.Invocation, span tool.Span) command.Data {
	if rd.Hdoc == nil {
		return command.Data{Reach: tool.Exact}
	}
	tabs := rd.Op == syntax.DashHdoc
	quoted := slices.ContainsFunc(rd.Word.Parts, func(p syntax.WordPart) bool {
		l, ok := p.(*syntax.Lit)
		return !ok || strings.IndexByte(l.Value, '\\') >= 0
	})
	if !quoted {
		d := wordData(r.documentValue(rd, tabs, span))
		handsSecret(inv, d, span)
		return d
	}
	d := command.Data{Reach: tool.Exact}
	for _, p := range rd.Hdoc.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			r.gap("a here-document that cannot be read", r.src.nodeSpan(rd))
			return command.Data{}
		}
		if len(rd.Hdoc.Parts) == 1 && !tabs {
			d.At = r.src.where(int(l.ValuePos.Offset()), l.Value)
		}
		d.Text += l.Value
	}
	if tabs {
		d.Text = untab(strings.TrimLeft(d.Text, "\t"))
	}
	return d
}

// wordData is the stream that holds a value.
func wordData(w command.Word) command.Data {
	if w.Glob || w.Hollow && w.IfEmpty != "" {
		return command.Data{Taint: w.Taint}
	}
	return command.Data{Text: w.Text, Reach: w.Reach, Plain: w.Plain, Taint: w.Taint, At: w.At, Seen: w.Seen}
}

// documentValue expands an unquoted body. A quote is an ordinary character in it.
func (r *reader) documentValue(rd *syntax.Redirect, tabs bool, span tool.Span) command.Word {
	var list []piece
	for i, p := range rd.Hdoc.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			list = r.pieces([]syntax.WordPart{p}, true, literal, list)
			continue
		}
		text := l.Value
		if tabs {
			if i == 0 {
				text = strings.TrimLeft(text, "\t")
			}
			text = untab(text)
		}
		if strings.IndexByte(text, '\\') >= 0 {
			var b strings.Builder
			for k := 0; k < len(text); k++ {
				if text[k] == '\\' && k+1 < len(text) && (text[k+1] == '$' || text[k+1] == '`' || text[k+1] == '\\') {
					k++
				}
				b.WriteByte(text[k])
			}
			text = b.String()
		}
		w := command.Known(text, tool.Span{})
		if text == l.Value {
			w = r.src.verbatim(text, l.ValuePos.Offset(), 0, 0)
		}
		list = append(list, piece{Word: w, quoted: true})
	}
	return r.fold(list, span)
}

// untab removes the tabs behind each newline.
func untab(s string) string {
	if !strings.Contains(s, "\n\t") {
		return s
	}
	lines := strings.Split(s, "\n")
	for i := 1; i < len(lines); i++ {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "\n")
}

// redirect handles everything but here-documents and here-strings.
func (r *reader) redirect(rd *syntax.Redirect, out command.Redirect, inv *command.Invocation, red *redirection) {
	w, input := out.Target, rd.Op == syntax.RdrIn || rd.Op == syntax.RdrInOut
	if w.Taint&command.FromSecret != 0 {
		inv.Effects = append(inv.Effects, shows(w.Span)) // as the name of a file, or in a complaint
	}
	if w.Text == "!" && rd.Op != syntax.RdrIn {
		r.gap("zsh uses the next word as the file of this redirection", out.Span)
	}
	switch rd.Op {
	case syntax.DplIn, syntax.DplOut:
		if r.duplicate(rd.Op == syntax.DplOut, out, inv, red) {
			return
		}
	case syntax.RdrAll, syntax.AppAll:
		r.beyondPosix(rd)
		r.expandedTwice(w)
	}
	if red.to == toFile && r.zsh && (out.Fd == "" || out.Fd == "1") && !input { // zsh writes to both
		r.write(red.file, func(f *file) { f.mayReceive(command.Data{}) }, false)
	}
	switch host, socket := socketOf(w); {
	case w.IsKnown() && isStream(w.Text):
		r.toStandard(rd, out, inv, red, input)
	case socket:
		reach := tool.Exact
		if host == "" {
			reach = tool.Anywhere
		}
		inv.Effects = append(inv.Effects,
			tool.Effect{Kind: tool.Fetch, Target: host, Reach: reach, Span: w.Span},
			tool.Effect{Kind: tool.Send, Target: host, Reach: reach, Span: w.Span})
		d := command.Data{Taint: command.FromNet}
		if input {
			r.connect(red, inv, out.Fd, d)
		}
		if !input && (out.Fd == "" || out.Fd == "1") {
			red.to, red.net = discarded, true
		}
		r.s.opened |= d.Taint
	default:
		r.toOrFromFile(rd, out, inv, red)
	}
}

// isStream says whether a file is one of the standard streams or nothing at all.
func isStream(path string) bool {
	switch path {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin":
		return true
	}
	return strings.HasPrefix(path, "/dev/fd/") && isNumber(path[len("/dev/fd/"):])
}

// socketOf reads /dev/tcp/HOST/PORT, which bash connects to.
func socketOf(w command.Word) (host string, ok bool) {
	if w.Reach == tool.Anywhere || w.Reach == tool.Under {
		return "", false
	}
	rest, tcp := strings.CutPrefix(w.Text, "/dev/tcp/")
	if !tcp {
		if rest, ok = strings.CutPrefix(w.Text, "/dev/udp/"); !ok {
			return "", false
		}
	}
	host, _, whole := strings.Cut(rest, "/")
	if !whole && w.Reach != tool.Exact {
		return "", true
	}
	return host, true
}

// expandedTwice notes the targets that bash expands a second time.
func (r *reader) expandedTwice(w command.Word) {
	if strings.ContainsAny(w.Text, "$`") || w.Reach != tool.Exact && !w.IsPlain() && w.Reach != tool.Under {
		r.gap("bash expands this redirection twice", w.Span)
	}
}

// toStandard redirects to or from a standard stream, another descriptor or nothing.
func (r *reader) toStandard(rd *syntax.Redirect, out command.Redirect, inv *command.Invocation, red *redirection, input bool) {
	path := out.Target.Text
	number := strings.TrimPrefix(path, "/dev/fd/")
	switch path {
	case "/dev/stdin":
		number = "0"
	case "/dev/stdout":
		number = "1"
	case "/dev/stderr":
		number = "2"
	case "/dev/null":
		number = ""
	}
	if input {
		d := command.Data{Reach: tool.Exact}
		if red.fails = red.fails || len(number) > 1 || number > "2"; number != "" {
			d = r.descriptor(number)
			r.s.stdin = r.s.stdin.Unread() // whoever reads it next goes on behind
		}
		r.connect(red, inv, out.Fd, reopened(d))
		return
	}
	if out.Fd == "2" {
		red.errTo(number)
	} else if out.Fd == "" || out.Fd == "1" {
		red.outTo(number)
	}
	if rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll || rd.Op == syntax.DplOut {
		red.both = red.to != discarded
	}
}

// reopened is a stream that is opened by a name: of a file from its beginning, of a pipe where it is.
func reopened(d command.Data) command.Data {
	if d.Rest {
		return command.Data{Taint: d.Taint, Endless: d.Endless}
	}
	return d
}

// outTo sends standard output to another descriptor.
func (red *redirection) outTo(number string) {
	red.parts = red.parts || red.both
	switch number {
	case "1":
	case "2", "":
		if red.to, red.file = discarded, ""; number == "2" && red.both {
			red.to = elsewhere
		} else if red.err != "" && number == "2" {
			red.to, red.file, red.add = toFile, red.err, true
		}
	default:
		red.to = elsewhere
	}
}

// errTo sends standard error to another descriptor.
func (red *redirection) errTo(number string) {
	red.err, red.both = "", number != "2" && number != ""
}

// duplicate handles >& and <&; it returns false if the word names a file.
func (r *reader) duplicate(output bool, out command.Redirect, inv *command.Invocation, red *redirection) bool {
	w := out.Target
	digits := strings.TrimSuffix(w.Text, "-")
	switch {
	case !w.IsKnown() && !w.IsPlain():
		r.gap("a redirection whose target is known only at run time", w.Span)
		return !output
	case strings.HasPrefix(w.Text, "-") && len(w.Text) > 1: // bash closes the descriptor and goes on with the rest as a word
		r.gap("a redirection to - followed by text", w.Span)
		return true
	case w.IsKnown() && digits != "" && !isNumber(digits):
		r.expandedTwice(w)
		return !output
	case !w.IsKnown():
		digits = "?"
	}
	other := digits != "" && strings.Trim(digits, "012") != ""
	red.fails = red.fails || other
	switch {
	case out.Fd == "1" || out.Fd == "" && output:
		red.outTo(digits)
		red.net = red.net || other && r.descriptor(digits).Taint&command.FromNet != 0
	case out.Fd == "2":
		red.errTo(digits)
	case out.Fd == "0" || out.Fd == "":
		if d := (command.Data{None: true}); digits != "0" {
			if digits != "" {
				d = r.descriptor(digits)
				r.s.stdin = r.s.stdin.Unread()
			}
			r.connect(red, inv, "", d)
		}
	default:
		r.duplicateTo(digits, red)
	}
	return true
}

// duplicateTo makes another descriptor lead where one leads.
func (r *reader) duplicateTo(digits string, red *redirection) {
	switch {
	case digits == "1" && red.to == toFile: // who writes to it is not followed
		r.write(red.file, func(f *file) { f.mayReceive(command.Data{}) }, false)
	case digits == "1" && !r.s.shown: // what is printed to it comes out as well
		r.s.noisy = true
	case digits != "":
		r.s.opened |= r.descriptor(digits).Taint
	}
}

// toOrFromFile opens a file.
func (r *reader) toOrFromFile(rd *syntax.Redirect, out command.Redirect, inv *command.Invocation, red *redirection) {
	w := out.Target
	red.fails = true
	kind := tool.Write
	if rd.Op == syntax.RdrIn {
		kind = tool.Read
	}
	if less, ok := command.Emptied(w, r.world); ok {
		inv.Effects = append(inv.Effects, r.pathEffect(inv, kind, less))
		w.Hollow = false // that is done
	}
	e := r.pathEffect(inv, kind, w)
	if rd.Op == syntax.RdrIn || rd.Op == syntax.RdrInOut {
		read := e
		read.Kind = tool.Read
		inv.Effects = append(inv.Effects, read)
	}
	if rd.Op == syntax.RdrIn {
		r.connect(red, inv, out.Fd, r.content(w, e))
		return
	}
	if inv.Effects = append(inv.Effects, e); r.mayLead(e.Target) {
		r.gap("a file is written where a link of this script may lead", out.Span)
	}
	name := nameOf(e)
	adds := rd.Op == syntax.AppOut || rd.Op == syntax.AppAll || rd.Op == syntax.RdrInOut
	if red.stdin.Path != nil && paths.Clean(inv.Dir.Text, red.stdin.Path.Text) == e.Target { // it is emptied, or grows
		red.stdin = command.Data{Taint: red.stdin.Taint}
		inv.Stdin = red.stdin
	}
	switch {
	case rd.Op == syntax.RdrInOut && out.Fd != "1":
		r.write(name, func(f *file) { f.mayReceive(command.Data{}) }, false)
		r.connect(red, inv, out.Fd, command.Data{Taint: command.FromFile})
	case out.Fd == "2":
		red.err, red.both = name, false
		r.write(name, func(f *file) {
			f.mayReceive(command.Data{Plain: true})
			if !isQuiet(name) {
				f.from = told
			}
		}, false)
	case out.Fd != "" && out.Fd != "1":
		r.write(name, func(f *file) { f.mayReceive(command.Data{}) }, false)
	default:
		red.parts = red.parts || red.both
		red.to, red.add, red.file = toFile, adds, name
		if rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll || rd.Op == syntax.DplOut {
			red.both = true
		}
	}
}

// content is what is known of the content of a file.
func (r *reader) content(w command.Word, e tool.Effect) command.Data {
	d := command.Data{Taint: command.FromFile, Path: &w, Endless: w.IsKnown() && command.EndlessDevice(w.Text)}
	if !isExact(e) {
		d.Taint |= r.anyWritten()
		return d
	}
	if f, ok := r.written(e.Target); ok {
		if r.async > 0 && f.data.Reach != tool.Anywhere {
			note(&r.running, e.Target)
		}
		d = f.data
		d.Path = &w
		d.Taint |= command.FromScript
	}
	if slices.Contains(r.fifos, e.Target) { // whoever writes to it, and when
		d = command.Data{Taint: d.Taint | command.FromNet, Path: &w}
	}
	return d
}

// send sends what was printed where it goes.
func (r *reader) send(d command.Data, red redirection) {
	if red.net && !command.Probes(d) {
		r.gap(command.Telling, tool.Span{})
	}
	r.s.noisy = r.s.noisy || red.parts && !r.s.shown
	if red.both {
		d = command.Data{Taint: d.Taint, Endless: d.Endless}
	}
	switch red.to {
	case toParent:
		if red.fails && !r.s.shown {
			d = d.Perhaps()
		}
		r.emit(d)
	case toFile:
		if d.Endless {
			r.spills(command.Data{Endless: true})
		}
		r.write(red.file, func(f *file) { f.receive(d, red.add) }, !red.add)
	case elsewhere:
		if !r.s.shown {
			r.s.out = behind(r.s.out, command.Data{Taint: d.Taint})
		}
	}
}

// redirected runs a compound command with its redirections. They are listed as an invocation without words.
func (r *reader) redirected(st *syntax.Stmt, run func()) {
	inv := r.invocation(st, nil)
	red := r.redirects(st.Redirs, inv)
	inv.Output = command.Data{Reach: tool.Exact}
	if len(inv.Effects) > 0 {
		inv.Shows = true
		r.leads(inv)
		r.record(inv)
	}
	s := r.s
	in, out, shown := s.stdin, s.out, s.shown
	if red.reads {
		s.stdin = red.stdin
	}
	if red.to == toFile && !red.add {
		r.write(red.file, func(f *file) { f.data = command.Data{Taint: command.FromScript} }, false)
	}
	times := func(i int) int {
		f, _ := s.files.get(inv.Effects[i].Target)
		return f.times
	}
	before := make([]int, len(inv.Effects))
	for i := range before {
		before[i] = times(i)
	}
	s.out, s.shown = command.Data{Reach: tool.Exact}, shown && red.to == toParent
	if red.fails { // and then nothing is done
		r.s = s.child(true)
		run()
		c := r.s
		r.s = s
		r.perhaps(s, c)
		s.place, s.missed, s.gone = s.place.join(c.place).join(c.failed()), nil, s.gone || c.gone
		s.out = c.out
	} else {
		run()
	}
	for i, n := range before {
		if inv.Effects[i].Kind == tool.Read && times(i) != n {
			r.gap("it writes what it is reading", inv.Span)
		}
	}
	printed := s.out
	inv.Relays = inv.Relays || printed.Taint&command.FromNet != 0
	s.out, s.shown = out, shown
	if red.reads {
		s.stdin = in
	}
	r.send(printed, red)
}
