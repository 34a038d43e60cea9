package command

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

func (s *scope) httpMethod(w Word) {
	s.request.method = &w
	if !readsOnly(w) {
		s.sends = true
	}
}

// cookie is text that travels with a request, or the file of a cookie jar.
func (r *reader) cookie(w Word) {
	if strings.Contains(w.Text, "=") || w.Reach == tool.Anywhere {
		r.scope.sends = true
		r.secret(w)
	} else {
		r.pathUse(tool.Read, w, false)
	}
}

func (s *scope) body(w Word) {
	s.sends = true
	s.request.bodies = append(s.request.bodies, w)
}

func (s *scope) ftpCommand(w Word) {
	if !looksOnly(w) {
		s.sends = true
	}
}

// jqEnv is a filter, which may show the environment.
func (f *findings) jqEnv(w Word) {
	if !w.IsKnown() || strings.Contains(w.Text, "env") || strings.Contains(w.Text, "$ENV") {
		f.control("env.dump", w.Span)
	}
}

// outputDir is the directory that downloads go to.
func (r *reader) outputDir(w Word) {
	before := r.dir
	r.chdir(w)
	into := r.dir
	r.scope.outDir, r.dir = &into, before
	r.named(w)
	r.landsAt(w)
}

// urlTree is an address from which a tree of files comes.
func (r *reader) urlTree(w Word) {
	e := pathEffect(tool.Write, Known(".", w.Span), r.outDir(), r.world)
	e.Tree = true
	r.effect(e)
}

// readsOnly says whether a request's method asks for something and brings
// nothing along.
func readsOnly(w Word) bool {
	switch strings.ToUpper(w.Text) {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND":
		return w.IsKnown()
	}
	return false
}

// header is text that travels with a request. Written out it is part of the
// command that everyone sees; what is filled in at run time is data, with @ it is
// a file, and some names say that a credential follows.
func (r *reader) header(w Word) {
	if file, ok := strings.CutPrefix(w.Text, "@"); ok {
		r.pathUse(tool.Read, Word{Text: file, Reach: w.Reach, Span: w.Span}, false)
		r.scope.sends = true
	} else if w.Reach != tool.Exact || isCredential(w.Text) {
		r.scope.sends = true
	}
}

// isCredential says whether a header's name is one that carries credentials.
func isCredential(header string) bool {
	name, _, named := strings.Cut(header, ":")
	if !named {
		return false
	}
	switch name = strings.ToLower(strings.TrimSpace(name)); name {
	case "authorization", "proxy-authorization", "cookie":
		return true
	}
	return strings.HasSuffix(name, "api-key") || strings.HasSuffix(name, "apikey") || strings.HasSuffix(name, "token")
}

// form is a field of a form: "name=text", "name=@file" or "name=<file".
func (r *reader) form(w Word) {
	r.scope.body(w)
	_, value, ok := strings.Cut(w.Text, "=")
	if ok && value != "" && (value[0] == '@' || value[0] == '<') {
		file, _, _ := strings.Cut(value[1:], ";")
		r.sentFile(Word{Text: strings.Trim(file, `"`), Reach: w.Reach, Span: w.Span}, false)
	} else if w.Reach == tool.Anywhere {
		r.pathUse(tool.Read, w, false)
	}
}

// dataField is "name=text" to send, or with @ in place of the sign a file.
func (r *reader) dataField(w Word) {
	r.scope.body(w)
	if i := strings.IndexAny(w.Text, "=@"); i >= 0 && w.Text[i] == '@' {
		r.sentFile(Word{Text: w.Text[i+1:], Reach: w.Reach, Span: w.Span}, false)
	} else if w.Reach == tool.Anywhere {
		r.pathUse(tool.Read, w, false)
	}
}

// writeOut is a format in which one directive names a file to write to; with @
// in front it is read from a file.
func (r *reader) writeOut(w Word) {
	switch file, ok := strings.CutPrefix(w.Text, "@"); {
	case ok:
		r.pathUse(tool.Read, Word{Text: file, Reach: w.Reach, Span: w.Span}, false)
		r.gap("the format is known only at run time", w.Span)
	case w.Reach != tool.Exact || strings.Contains(w.Text, "%output{"):
		r.gap("the format may write files", w.Span)
	}
}

// looksOnly says whether a command to a file server changes nothing there.
func looksOnly(w Word) bool {
	verb, _, _ := strings.Cut(strings.TrimLeft(w.Text, "-+* "), " ")
	switch strings.ToUpper(verb) {
	case "SIZE", "STAT", "CDUP", "CWD", "PWD", "NOOP", "SYST", "FEAT", "HELP", "MDTM", "LIST", "NLST", "REST", "TYPE", "MLST":
		return w.IsKnown()
	}
	return false
}

// dnsWord is a name to look up, "@server" to ask, "+option", or a type or class
// of record. The server of a name learns what was looked up, so the whole name
// must be known.
func (f *findings) dnsWord(w Word) {
	switch {
	case w.Reach != tool.Exact:
		f.effect(tool.Effect{Kind: tool.Fetch, Span: w.Span})
	case strings.HasPrefix(w.Text, "+"):
	case strings.HasPrefix(w.Text, "@"):
		w.Text = w.Text[1:]
		f.host(tool.Fetch, w)
	case !strings.Contains(w.Text, ".") && strings.ToUpper(w.Text) == w.Text:
	default:
		f.host(tool.Fetch, w)
	}
}

// streamHost is a host that standard input is sent to. With nothing to read, or
// only the word that ends the session, it is asked and no more.
func (f *findings) streamHost(w Word) {
	in := f.inv.Stdin
	if text := strings.TrimSpace(in.Text); !in.None && (in.Reach != tool.Exact || text != "" && text != "Q") {
		f.host(tool.Send, w)
	}
	f.host(tool.Fetch, w) // what it answers is printed
}

// httpie is an operand of a request in the order "METHOD ADDRESS ITEM...", where
// the method may be left out. What is piped in is sent.
func (r *reader) httpie(w Word) {
	address := r.addressAt()
	switch {
	case r.at < address:
		r.scope.httpMethod(w)
	case r.at == address:
		if w.Reach == tool.Exact && isShortAddress(w.Text) {
			w.Text, w.At = "localhost"+w.Text, 0
		}
		r.url(tool.Fetch, w)
		if r.anyGiven(false, "-d", "--download") && !r.anyGiven(true, "-o", "--output") {
			r.urlFile("*", w) // the server may name it
		}
		if !r.inv.Stdin.None && !r.anyGiven(true, "--ignore-stdin", "-I") {
			r.scope.sends = true
		}
	default:
		r.httpItem(w)
	}
}

// isShortAddress says whether an address is one of this machine, without its name: a port and a path.
func isShortAddress(text string) bool {
	port, ok := strings.CutPrefix(text, ":")
	end := 0
	for end < len(port) && isDigit(port[end]) {
		end++
	}
	return ok && !strings.HasPrefix(port, "//") && (end == len(port) || port[end] == '/' || port[end] == '?')
}

// addressAt is which operand of a request is the address.
func (l *commandLine) addressAt() int {
	if len(l.oper) > 1 && l.oper[0].IsKnown() && isMethod(l.oper[0].Text) {
		return 1
	}
	return 0
}

func isMethod(s string) bool {
	for i := range len(s) {
		if s[i]|0x20 < 'a' || s[i]|0x20 > 'z' {
			return false
		}
	}
	return s != ""
}

// httpItem is a part of a request as httpie and its kin take it: "name:value" a
// header, "name==value" a query, "name=value" and "name:=json" data, with @ in
// place of or behind the sign a file.
func (r *reader) httpItem(w Word) {
	i := strings.IndexAny(w.Text, ":=@")
	if i < 0 {
		r.scope.sends = true
		if w.Reach != tool.Exact {
			r.pathUse(tool.Read, w, false)
		}
		return
	}
	sign, rest := w.Text[i:], ""
	for _, s := range [...]string{":=@", "==@", ":=", "==", "=@", ":@", "=", "@", ":"} {
		if strings.HasPrefix(sign, s) {
			sign, rest = s, sign[len(s):]
			break
		}
	}
	if strings.HasSuffix(sign, "@") {
		file, _, _ := strings.Cut(rest, ";")
		r.sentFile(Word{Text: file, Reach: w.Reach, Span: w.Span}, false)
	}
	switch {
	case sign != ":" && sign != "==":
		r.scope.body(w)
	case w.Reach != tool.Exact || isCredential(w.Text):
		r.scope.sends = true
	}
}

// outDir is where downloads go.
func (r *reader) outDir() Word {
	if d := r.scope.outDir; d != nil {
		return *d
	}
	return r.dir
}

// climbs says whether a part of an address that stands for several may be one that names other
// directories.
func climbs(l *commandLine) bool {
	return slices.ContainsFunc(l.oper, mayClimb) || slices.ContainsFunc(l.given, func(g flagUse) bool { return slices.ContainsFunc(g.values, hasClimbing) })
}

func mayClimb(w Word) bool { return !w.IsKnown() || hasClimbing(w) }

func hasClimbing(w Word) bool {
	_, rest, _ := strings.Cut(w.Text, "{")
	for group := range strings.SplitSeq(rest, "{") {
		parts, _, _ := strings.Cut(group, "}")
		if strings.Contains(parts, "..") || strings.Contains(parts, "/") {
			return true
		}
	}
	return false
}

// output1 is the file a download is written to, seen from the directory that
// another flag may name.
func (r *reader) output1(w Word) {
	if namesStream(w) {
		return
	}
	if w.IsKnown() && strings.Contains(w.Text, "#") {
		// "#1" stands for a part of the address.
		if climbs(&r.commandLine) {
			r.gap("a part of the address may lead to another directory", w.Span)
		}
		dir := w.Text[:strings.LastIndexByte(w.Text[:strings.IndexByte(w.Text, '#')], '/')+1]
		w = Word{Text: "./" + dir, Reach: tool.Under, Span: w.Span}
		if strings.HasPrefix(dir, "/") {
			w.Text = dir
		}
	}
	if r.outDir() != r.dir {
		// The directory is where it lands; what looks absolute is below it too.
		w.Text = strings.TrimLeft(w.Text, "/")
		r.effect(put(pathEffect(tool.Write, w, r.outDir(), r.world)))
		return
	}
	r.named(w)
	r.scope.outputs = append(r.scope.outputs, w)
	e := put(pathEffect(tool.Write, w, r.dir, r.world))
	e.Tree = e.Reach == tool.Under // whatever the parts of the address are
	r.effect(e)
}

// urlFile is the file that a download gets from its address, or fallback if the
// address has no last part. A fallback of "*" means that the server names it.
func (r *reader) urlFile(fallback string, w Word) {
	// The empty span behind the address is where a name could be written.
	span := tool.Span{Start: w.Span.End, End: w.Span.End}
	name := ""
	if text, _, _ := strings.Cut(w.Text, "#"); w.Reach == tool.Exact {
		text, _, _ = strings.Cut(text, "?")
		if _, rest, ok := strings.Cut(text, "://"); ok {
			text = rest
		}
		if i := strings.LastIndexByte(text, '/'); i >= 0 {
			name = text[i+1:]
		}
		if name == "" {
			name = fallback
		}
	}
	if name == "" || fallback == "*" || name == "." || name == ".." || strings.ContainsAny(name, "{}[]*%\\") {
		r.effect(anyName(pathEffect(tool.Write, Word{Text: ".", Reach: tool.Under, Span: span}, r.outDir(), r.world)))
		return
	}
	r.effect(put(pathEffect(tool.Write, Known(name, span), r.outDir(), r.world)))
}

// put marks a write as of something that may be a directory.
func put(e tool.Effect) tool.Effect {
	e.Put = true
	return e
}

// anyName marks a write as of a file of any name in a directory: one that tools read
// by itself, as well.
func anyName(e tool.Effect) tool.Effect {
	e.Tree = true
	return e
}

// sendAlong adds a send beside each fetch of a request that carries data.
func (r *reader) sendAlong() {
	found := len(r.scope.written) > 0
	for _, e := range r.scope.written {
		r.effect(e)
	}
	for _, e := range r.inv.Effects {
		if e.Kind == tool.Send {
			found = true
		}
		if e.Kind == tool.Fetch {
			found = true
			e.Kind = tool.Send
			r.effect(e)
		}
	}
	if !found {
		r.effect(tool.Effect{Kind: tool.Send, Span: r.inv.Span})
	}
}
