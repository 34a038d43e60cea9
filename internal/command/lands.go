package command

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// lands works out where what is fetched is put: see [Landing].
func (r *reader) lands(modes []*Mode) {
	how := r.levels[len(r.levels)-1].Lands
	for _, m := range modes {
		if m.Lands != "" {
			how = m.Lands
		}
	}
	l := &r.inv.Lands
	if how == "" || how == "written" && len(l.Words) == 0 {
		*l = Landing{Words: l.Words}
		return
	}
	l.Is, l.Named = true, how == "operand"
	if len(l.Words) > 0 {
		l.Name = r.fetchedName()
		return
	}
	l.Name = r.fetchedName()
	if l.Named {
		for _, e := range r.inv.Effects {
			// The program's own choice, where its model knows it.
			if (e.Kind == tool.Write || e.Kind == tool.Create) && e.Reach == tool.Exact && !e.Pattern {
				l.Name = path.Base(e.Target)
			}
		}
	} else {
		l.Flag = how
	}
	// What is added stands behind the last word of the command; flags would do
	// anywhere, but operands must follow those that are there.
	if n := len(r.inv.Words); n > 0 {
		l.After = r.inv.Words[n-1].Span.End
	}
	if r.dashed > 0 && len(r.levels[len(r.levels)-1].After) > 0 {
		// What stands behind "--" is for another program.
		l.After = r.oper[r.dashed-1].Span.End
	}
}

// fetchedName is the last part of the address that is fetched from.
func (r *reader) fetchedName() string {
	for i := range r.oper {
		if name := LastName(r.oper[i].Text); name != "" && r.oper[i].IsKnown() {
			return name
		}
	}
	return ""
}

// LastName is the name that what an address leads to usually gets: its last
// part, without a query, a trailing slash or ".git".
func LastName(address string) string {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	if _, rest, ok := strings.Cut(address, "://"); ok {
		host, path, slash := strings.Cut(rest, "/")
		if !slash || strings.Trim(path, "/") == "" {
			return ""
		}
		address = host + "/" + path
	}
	address = strings.TrimRight(address, "/")
	address = strings.TrimSuffix(address, ".git")
	address = strings.TrimRight(address, "/")
	if i := strings.LastIndexAny(address, "/:"); i >= 0 {
		address = address[i+1:]
	}
	if address == "." || address == ".." {
		return ""
	}
	return address
}
