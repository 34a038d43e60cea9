package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/host"
	"longline/internal/paths"
	"longline/internal/tool"
)

// url is an address that bytes come from or go to.
func (r *reader) url(kind tool.Kind, w Word) {
	text := w.Text
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		scheme, rest = "", text
		if len(text) > 5 && strings.EqualFold(text[:5], "file:") {
			scheme, rest = "file", text[5:]
		}
	}
	switch strings.ToLower(scheme) {
	case "file":
		file := Word{Text: strings.TrimPrefix(rest, "localhost"), Reach: w.Reach, Span: w.Span}
		r.pathUse(tool.Read, file, false)
		r.scope.written = append(r.scope.written, r.path(tool.Write, file))
		return
	case "sftp", "scp", "ftp", "ftps":
		r.fileServer(scheme, rest, w)
	case "", "http", "https", "http-get", "https-get", "ssh", "git", "git+ssh", "ws", "wss", "rsync", "s3", "gs", "oci", "docker", "ldap", "ldaps":
	default:
		r.gap("unknown kind of address "+quote(scheme), w.Span)
	}
	if w.Glob {
		// A query string often holds characters that a shell could expand.
		w.Glob = false
	}
	if at, _, _ := strings.Cut(rest, "/"); strings.HasPrefix(at, ":") && isNumber(at[1:]) {
		rest = "localhost" + rest // a port alone is one of this machine, or an error
	}
	r.scope.request.asks(Word{Text: rest, Reach: w.Reach, Span: w.Span})
	r.host(kind, Word{Text: rest, Reach: w.Reach, Taint: w.Taint, Span: w.Span})
}

// host is the name in front of a port, a path or a query.
func (f *findings) host(kind tool.Kind, w Word) {
	e := tool.Effect{Kind: kind, Span: w.Span}
	end := strings.IndexAny(w.Text, "/?#")
	authority := w.Text
	if end >= 0 {
		authority = authority[:end]
	} else if i := strings.LastIndexByte(authority, ':'); i > strings.LastIndexAny(authority, "@]") {
		end = i // a port follows
	}
	// Programs that fetch expand braces and the like themselves, and take a backslash
	// for this or that: such a host is not known.
	if name, ok := host.Of(authority); ok && (w.Reach == tool.Exact || w.Reach == tool.Prefix && end >= 0) {
		e.Target, e.Reach = name, tool.Exact
	}
	if w.Reach == tool.Prefix && w.Taint&FromFile != 0 || w.Taint&(FromSecret|FromKeys) != 0 {
		// Something read from a file, or a secret, travels in the address.
		f.effect(tool.Effect{Kind: tool.Send, Target: e.Target, Reach: e.Reach, Span: w.Span})
	}
	f.effect(e)
}

// remotePath is "host:path" or a local path, as scp and rsync take it. What is on
// this machine is local by whichever name.
func (r *reader) remotePath(w Word, local tool.Kind, operand bool) {
	address, file, remote := splitRemote(w.Text)
	if !remote {
		r.pathUse(local, w, operand)
		if local == tool.Delete { // what is in the directory
			e := r.path(local, w)
			e.Tree = true
			r.enters(e)
		}
		if local == tool.Write && operand {
			r.copiedTo(w)
			filesInto(r, w)
		}
		return
	}
	if home, ok := r.here(address); ok && strings.HasPrefix(file, ":") {
		r.effect(tool.Effect{Kind: local, Span: w.Span})
	} else if ok {
		before := r.dir
		r.dir = home
		r.remotePath(Word{Text: afterLogin(file), Reach: w.Reach, Glob: paths.Wild(file), Span: w.Span}, local, operand)
		r.dir = before
	}
	// others: only copies go over the net.
	switch local {
	case tool.Write:
		r.host(tool.Send, Word{Text: address, Reach: tool.Exact, Span: w.Span})
	case tool.Read:
		r.host(tool.Fetch, Word{Text: address, Reach: tool.Exact, Span: w.Span})
	}
}

// splitRemote takes "host:path", "[address]:path" and "scheme://host/path" apart. A module
// of a server, wherever that keeps it, has a colon in front.
func splitRemote(text string) (address, file string, remote bool) {
	address, file, remote = strings.Cut(text, ":")
	if scheme, rest, ok := strings.Cut(text, "://"); ok {
		address, file, _ = strings.Cut(rest, "/")
		if remote = scheme != "file"; strings.EqualFold(scheme, "rsync") {
			file = ":" + file
		}
	} else if strings.HasPrefix(text, "[") || strings.Contains(address, "@[") {
		if i := strings.Index(text, "]:"); i >= 0 {
			address, file = text[:i+1], text[i+2:]
		}
	}
	return address, file, remote && !strings.Contains(address, "/")
}

// copiedTo adds what is written below a destination if it is a directory.
func (r *reader) copiedTo(w Word) {
	if r.scope.tree || w.Reach != tool.Exact || isStream(w.Text) {
		return
	}
	for _, source := range r.oper {
		if isSame(source, w) {
			continue // in text that is evaluated all words have one place
		}
		if _, far, remote := strings.Cut(source.Text, ":"); remote && (paths.Fixed(far) != far || source.Reach != tool.Exact) {
			// The server says which names match.
			e := put(r.path(tool.Write, w))
			e.Tree = true
			r.effect(e)
		} else if source.Reach == tool.Exact {
			r.effect(put(r.path(tool.Write, below(w, source, "/:"))))
		}
	}
}

// filesInto takes back that a directory is written itself if files come into it by their names, which copiedTo has added.
func filesInto(r *reader, w Word) {
	at := r.path(tool.Write, w)
	if r.scope.tree || !isCertain(at) || !r.isDirectory(w) || !r.exists(at.Target+"/.") {
		return
	}
	for _, source := range r.oper {
		name := source.Text[strings.LastIndexAny(source.Text, "/:")+1:]
		if !isSame(source, w) && (!source.IsKnown() || name == "" || name == "." || name == ".." || paths.Wild(source.Text)) {
			return
		}
	}
	r.inv.Effects = slices.DeleteFunc(r.inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Write && e.Target == at.Target && e.Span == w.Span && !e.Tree
	})
}

// afterLogin is a path as seen from the directory that a login begins in.
func afterLogin(file string) string {
	if strings.HasPrefix(file, "/") {
		return file
	}
	return "./" + strings.TrimPrefix(file, "~/")
}

// here says whether "user@host" may be this machine, and where one is after a login:
// in the home directory, if it is the user's own.
func (r *reader) here(address string) (home Word, ok bool) {
	if r.world == nil {
		return Word{}, false
	}
	name, ok := host.Of(address)
	if !ok || !host.Here(name, r.world.Host) {
		return Word{}, false
	}
	user := address[:max(strings.LastIndexByte(address, '@'), 0)]
	user, _, _ = strings.Cut(user, ":")
	if r.world.Home == "" || user != "" && user != r.world.User || r.flagGiven("-l", false) {
		return Word{}, true
	}
	return Word{Text: r.world.Home, Reach: tool.Exact}, true
}

// fileServer is the path of an address of a server that gives out files. On this
// machine it is read, and written if something is sent there.
func (r *reader) fileServer(scheme, rest string, w Word) {
	address, file, _ := strings.Cut(rest, "/")
	home, ok := r.here(address)
	if !ok {
		return
	}
	there := Word{Text: "/" + file, Reach: w.Reach, Span: w.Span}
	if strings.HasPrefix(strings.ToLower(scheme), "ftp") {
		there = Word{Span: w.Span} // where it keeps its files is not known
	} else if strings.HasPrefix(file, "~/") {
		there.Text = afterLogin(file)
	}
	e := pathEffect(tool.Read, there, home, r.world)
	r.effect(e)
	e.Kind = tool.Write
	r.scope.written = append(r.scope.written, e)
}

// atFile is data to send, or with @ in front of it the file that holds it.
func (r *reader) atFile(w Word) {
	if name, ok := strings.CutPrefix(w.Text, "@"); ok {
		r.sentFile(Word{Text: name, Reach: w.Reach, Plain: w.Plain, Span: w.Span}, false)
	} else if w.Reach == tool.Anywhere {
		r.pathUse(tool.Read, w, false)
	}
	r.scope.body(w)
}

// param is a parameter of a remote interface, whose value may be that of a file.
func (r *reader) param(w Word) {
	for _, mark := range [...]string{"@", "file://", "fileb://"} {
		if name, ok := strings.CutPrefix(w.Text, mark); ok {
			r.pathUse(tool.Read, Word{Text: name, Reach: w.Reach, Plain: w.Plain, Span: w.Span}, false)
			return
		}
	}
}

// loopback says whether an address to listen at, or a host, is this machine alone.
func loopback(host string) bool {
	if h, port, ok := strings.Cut(host, ":"); ok && isNumber(port) {
		host = h
	}
	host = strings.Trim(strings.ToLower(host), "[]")
	if host == "localhost" || host == "::1" {
		return true
	}
	parts := strings.Split(host, ".")
	for _, p := range parts {
		if !isNumber(p) || len(p) > 3 {
			return false
		}
	}
	return len(parts) == 4 && parts[0] == "127"
}

// address is what somebody is shown: a page of a server on this machine, or
// something else, which may be a program.
func (r *reader) address(w Word) {
	if rest, ok := strings.CutPrefix(w.Text, "http://"); ok && w.IsKnown() {
		if host, _, _ := strings.Cut(rest, "/"); loopback(host) {
			r.control("desktop.show", w.Span)
			return
		}
	}
	if r.viewed(w) {
		r.control("desktop.show", w.Span)
		return
	}
	r.control("desktop.open", w.Span)
}

// viewed says whether w is a file of the project that a browser or a viewer shows: a
// report, a picture, a page. What the desktop would run is not among them.
func (s *surroundings) viewed(w Word) bool {
	const shown = " .html .htm .svg .png .jpg .jpeg .gif .webp .pdf .md .txt .csv "
	e := s.path(tool.Read, w)
	return !strings.Contains(w.Text, ":") && e.Reach == tool.Exact && !e.Pattern && s.inProject(e) && strings.Contains(shown, " "+path.Ext(e.Target)+" ")
}
