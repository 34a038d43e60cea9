package agent

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// absolute resolves a path as an agent's file tools do. Some of them expand a
// leading tilde and some do not; the home directory is the graver reading.
func (at place) absolute(name string) (string, bool) {
	switch {
	case name == "~" || strings.HasPrefix(name, "~/"):
		if at.home == "" {
			return name, false
		}
		name = at.home + name[1:]
	case strings.HasPrefix(name, "file://"):
		name = name[len("file://"):]
	}
	if !path.IsAbs(name) {
		if at.dir == "" {
			return name, false
		}
		name = at.dir + "/" + name
	}
	return path.Clean(name), true
}

// path adds an effect on a path. One that cannot be resolved may be any.
func (at place) path(req *Request, kind tool.Kind, name string) {
	target, ok := at.absolute(name)
	reach := tool.Exact
	if !ok {
		reach = tool.Anywhere
	}
	req.does(kind, target, reach)
}

// globBase is the directory in which a file name pattern starts to vary.
func globBase(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
		pattern = pattern[:i]
		i = strings.LastIndexByte(pattern, '/')
		if i == 0 {
			return "/"
		}
		pattern = pattern[:max(i, 0)]
	}
	if pattern == "" {
		return "."
	}
	return pattern
}

func (req *Request) fetch(url string) {
	host, ok := hostOf(url)
	reach := tool.Exact
	if !ok {
		reach = tool.Anywhere
	}
	req.does(tool.Fetch, host, reach)
}

// hostOf takes the host out of a URL. What two URL readers might take
// differently (a backslash, a blank, an escape in the host) has no answer.
func hostOf(url string) (string, bool) {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		if strings.ContainsAny(url, ":@\\ ") {
			return "", false
		}
		rest = url // agents add https:// to a bare name
	} else if s := strings.ToLower(scheme); s != "http" && s != "https" {
		return "", false
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if strings.IndexByte(rest, '\\') >= 0 {
		return "", false
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	host := rest
	if strings.HasPrefix(host, "[") {
		host, _, ok = strings.Cut(host[1:], "]")
		if !ok {
			return "", false
		}
	} else {
		host, _, _ = strings.Cut(host, ":")
	}
	for _, c := range []byte(host) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`\%@"<>^|{}`+"`", c) >= 0 {
			return "", false
		}
	}
	return strings.ToLower(host), host != ""
}

// links adds a fetch for every URL in a piece of prose.
func (req *Request) links(prose string) {
	found := false
	for rest := prose; ; {
		i := strings.Index(strings.ToLower(rest), "http")
		if i < 0 {
			break
		}
		rest = rest[i:]
		end := strings.IndexAny(rest, " \t\r\n\"'<>)]}`")
		if end < 0 {
			end = len(rest)
		}
		if url := rest[:end]; strings.Contains(url, "://") {
			req.fetch(url)
			found = true
		}
		rest = rest[max(end, 4):]
	}
	if !found {
		req.does(tool.Fetch, "", tool.Anywhere)
	}
}

// patch adds the effects of a patch in the form that begins *** Begin Patch.
// The clients' readers are lenient about blanks before a header, so any line
// that could be one counts.
func (req *Request) patch(text string, at place) {
	before := len(req.Call.Effects)
	for line := range strings.Lines(text) {
		header, ok := strings.CutPrefix(strings.TrimSpace(line), "*** ")
		if !ok {
			continue
		}
		verb, name, _ := strings.Cut(header, ":")
		name = strings.TrimSpace(name)
		switch verb {
		case "Add File", "Update File", "Move to":
			at.path(req, tool.Write, name)
		case "Delete File":
			at.path(req, tool.Delete, name)
		case "Begin Patch", "End Patch", "End of File":
		default: // a header that did not exist when this was written
			req.does(tool.Write, "", tool.Anywhere)
		}
	}
	if len(req.Call.Effects) == before {
		req.does(tool.Write, "", tool.Anywhere)
	}
}
