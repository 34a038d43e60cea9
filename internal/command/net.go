package command

import (
	"strings"

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
		r.pathUse(tool.Read, Word{Text: strings.TrimPrefix(rest, "localhost"), Reach: w.Reach, Span: w.Span}, false)
		return
	case "", "http", "https", "ftp", "ftps", "sftp", "scp", "ssh", "git", "git+ssh", "ws", "wss", "rsync", "s3", "gs", "oci", "docker", "ldap", "ldaps":
	default:
		r.gap("unknown kind of address "+quote(scheme), w.Span)
	}
	if w.Glob {
		// A query string often holds characters that a shell could expand.
		w.Glob = false
	}
	r.host(kind, Word{Text: rest, Reach: w.Reach, Taint: w.Taint, Span: w.Span})
}

// host is the name in front of a port, a path or a query.
func (r *reader) host(kind tool.Kind, w Word) {
	e := tool.Effect{Kind: kind, Span: w.Span}
	end := strings.IndexAny(w.Text, "/?#")
	name := w.Text
	if end >= 0 {
		name = name[:end]
	}
	if i := strings.LastIndexByte(name, '@'); i >= 0 {
		name = name[i+1:]
	}
	if strings.HasPrefix(name, "[") {
		name, _, _ = strings.Cut(name[1:], "]")
	} else if i := strings.IndexByte(name, ':'); i >= 0 && !isIPv6(name) {
		name, end = name[:i], i
	}
	if name == "" || strings.ContainsAny(name, `{}[]*\$`) {
		end, w.Reach = -1, tool.Anywhere // programs that fetch expand such names themselves
	}
	if w.Reach == tool.Exact || w.Reach == tool.Prefix && end >= 0 {
		e.Target, e.Reach = strings.ToLower(strings.TrimSuffix(name, ".")), tool.Exact
	}
	if w.Reach == tool.Prefix && w.Taint&FromFile != 0 || w.Taint&(FromSecret|FromKeys) != 0 {
		// Something read from a file, or a secret, travels in the address.
		r.effect(tool.Effect{Kind: tool.Send, Target: e.Target, Reach: e.Reach, Span: w.Span})
	}
	r.effect(e)
}

// isIPv6 says whether a name can only be an address without brackets and port.
func isIPv6(name string) bool {
	return strings.Count(name, ":") > 1 && strings.Trim(name, "0123456789abcdefABCDEF:.") == ""
}

// remotePath is "host:path" or a local path, as scp and rsync take it.
func (r *reader) remotePath(w Word, local tool.Kind, operand bool) {
	host, _, remote := strings.Cut(w.Text, ":")
	if scheme, rest, ok := strings.Cut(w.Text, "://"); ok {
		host, remote = rest, true
		if scheme == "file" {
			remote = false
		}
	}
	if !remote || strings.Contains(host, "/") && !strings.Contains(w.Text, "://") {
		r.pathUse(local, w, operand)
		if local == tool.Write && operand && !r.scope.tree && w.Reach == tool.Exact && !isStream(w.Text) {
			for _, source := range r.oper {
				if source.Span != w.Span && source.Reach == tool.Exact {
					r.effect(put(r.path(tool.Write, below(w, source, "/:")))) // if it is a directory
				}
			}
		}
		return
	}
	kind := tool.Fetch
	if local == tool.Write {
		kind = tool.Send
	}
	r.host(kind, Word{Text: host, Reach: tool.Exact, Span: w.Span})
}

// atFile is data to send, or with @ in front of it the file that holds it.
func (r *reader) atFile(w Word) {
	if name, ok := strings.CutPrefix(w.Text, "@"); ok {
		r.sentFile(Word{Text: name, Reach: w.Reach, Plain: w.Plain, Span: w.Span}, false)
	} else if w.Reach == tool.Anywhere {
		r.pathUse(tool.Read, w, false)
	}
	r.scope.sends = true
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
	r.control("desktop.open", w.Span)
}

// compose is the start of the containers that the project defines. A definition
// that gives them more of this machine than the project is another matter.
func (r *reader) compose() {
	for _, name := range [...]string{"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"} {
		file := Known(name, r.inv.Span)
		if g := r.flagWith("config"); g != nil && len(g.values) == 1 {
			file = g.values[0]
		}
		text, ok := r.manifestText(file)
		if !ok {
			continue
		}
		if reachesOut(text) {
			r.control("container.run", r.inv.Span)
			return
		}
		break
	}
	r.control("container.project", r.inv.Span)
}

// reachesOut says whether a definition of containers gives them rights or files of
// this machine outside the project.
func reachesOut(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "- "), ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		item := strings.Trim(strings.TrimPrefix(line, "- "), `"' `)
		switch {
		case key == "privileged" && value != "false", key == "cap_add", key == "devices", key == "security_opt", key == "include", key == "extends",
			(key == "network_mode" || key == "pid" || key == "ipc" || key == "userns_mode") && value == "host",
			strings.Contains(line, ".sock"):
			return true
		case key == "source" && outsidePath(value), strings.HasPrefix(line, "- ") && strings.Contains(item, ":/") && outsidePath(item):
			return true
		}
	}
	return false
}

func outsidePath(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || strings.HasPrefix(path, "..") || strings.HasPrefix(path, "$")
}
