package agent

import (
	"cmp"
	"path"
	"strings"

	"longline/internal/host"
	"longline/internal/language"
	"longline/internal/paths"
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
	case len(name) > 5 && strings.EqualFold(name[:5], "file:"):
		name = name[5:]
		if rest, ok := strings.CutPrefix(name, "//"); ok {
			name = strings.TrimPrefix(rest, "localhost")
		}
		name = language.Unescaped(name)
	}
	if !path.IsAbs(name) && !paths.OfWindows(name) {
		if at.dir == "" {
			return name, false
		}
		name = at.dir + "/" + name
	}
	if paths.OfWindows(name) {
		native, ok := paths.FromWindows(name)
		if !ok {
			return name, false
		}
		name = native
	}
	return path.Clean(name), true
}

// here is the directory of the call as paths are judged.
func (at place) here() string {
	if dir, ok := paths.FromWindows(at.dir); ok && paths.OfWindows(at.dir) {
		return dir
	}
	return at.dir
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

// globRoot is where a search by a pattern begins.
func globRoot(pattern string) string {
	if path, ok := paths.FromWindows(pattern); ok && paths.OfWindows(pattern) {
		pattern = path
	}
	return cmp.Or(paths.GlobRoot(pattern), ".")
}

func (req *Request) fetch(url string) {
	host, ok := hostOf(url)
	reach := tool.Exact
	if !ok {
		reach = tool.Anywhere
	}
	req.does(tool.Fetch, host, reach)
}

// hostOf takes the host out of a URL, in its one form. What two URL readers might
// take differently (a backslash, a blank) has no answer.
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
	return host.Of(rest)
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
