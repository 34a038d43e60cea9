package policy

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// ground is the machine as zones and paths see it, worked out once per call.
type ground struct {
	w        *tool.World
	ask      func(path string) (string, error) // reads links, if not as the world does
	homes    []string                          // the home directory, as given and with links followed
	project  []string
	sandbox  []string
	tables   *[zoneCount]*members
	shared   *zoneTables // what of them is the same for every call
	plain    []string    // paths that are known to be no links and lead through none
	compiled *compiled
	call     int // in which it was asked about last
	length   int // of the script
	words    memo[wordKey, bool]
	trees    memo[treeKey, chance]
	told     memo[string, bool] // files that were looked into
	keys     memo[string, bool] // files of which the beginning was
}

// memo holds answers that one call may need again.
type memo[K comparable, V any] map[K]V

// maxKept bounds the answers of a memo.
const maxKept = 1 << 12

// keep adds an answer, and returns it.
func (m *memo[K, V]) keep(key K, answer V) V {
	if *m == nil {
		*m = memo[K, V]{}
	}
	if len(*m) < maxKept {
		(*m)[key] = answer
	}
	return answer
}

// maxPlain bounds the list that is gone through for each name of each path.
// The directories of home, project and longline's files are among the first.
const maxPlain = 32

// Begin says that the questions that come now are all about one call with a script of this length, until [Set.End]: how much they take together is bounded.
func (s *Set) Begin(length int) {
	if s == nil {
		return
	}
	s.zones.tally = tally{calls: s.zones.calls + 1, open: true, length: length}
	for _, g := range s.grounds {
		if g != nil { // what another call has compared would not count for this one, which is judged as if it were alone
			g.compiled.patterns, g.compiled.rests, g.compiled.insides = nil, nil, nil
		}
	}
}

// End says that the call is judged.
func (s *Set) End() {
	if s != nil {
		s.zones.open = false
	}
}

// tally counts what is compared for one call.
type tally struct {
	calls    int  // so far
	open     bool // several questions are about one call
	compared int  // steps in comparing patterns with members
	looked   int  // members that patterns were held against
	length   int  // of the script
}

// groundOf returns the ground for a world. In a batch the same world comes again
// and again; where its directories really are is found out once.
func (s *Set) groundOf(w *tool.World) *ground {
	if last := s.grounds[0]; last == nil || last.w != w {
		s.grounds[0], s.grounds[1] = s.grounds[1], last
	}
	if last := s.grounds[0]; last == nil || last.w != w {
		s.grounds[0] = s.newGround(w)
	}
	if !s.zones.open {
		s.zones.tally = tally{calls: s.zones.calls + 1}
	}
	s.grounds[0].call = s.zones.calls
	g := *s.grounds[0]
	g.length = s.zones.length
	g.plain = g.plain[:len(g.plain):len(g.plain)]
	return &g
}

// newGround is a ground for a world that was not asked about before. One call may have several that differ only in what they remember of the disk.
func (s *Set) newGround(w *tool.World) *ground {
	if g := s.grounds[1]; g != nil && s.zones.open && g.call == s.zones.calls && sameGround(g.w, w) {
		twin := *g
		twin.w = w
		return &twin
	}
	return newGround(w, &s.zones)
}

// sameGround says whether two worlds have the same zones.
func sameGround(a, b *tool.World) bool {
	return a.Home == b.Home && a.Project == b.Project && a.Sandbox == b.Sandbox && a.Log == b.Log && a.FoldCase == b.FoldCase && (a.Readlink == nil) == (b.Readlink == nil) &&
		slices.Equal(a.Also, b.Also) && slices.Equal(a.Guard, b.Guard) && slices.Equal(a.Own, b.Own) && slices.Equal(a.Settings, b.Settings) &&
		slices.Equal(a.Secrets, b.Secrets) && slices.Equal(a.Hooks, b.Hooks)
}

func newGround(w *tool.World, shared *zoneTables) *ground {
	g := &ground{w: w, shared: shared, tables: new([zoneCount]*members), compiled: new(compiled)}
	g.homes = g.spellings(w.Home)
	g.sandbox = g.spellings(w.Sandbox)
	if !g.tooWide(w.Project) {
		g.project = g.spellings(w.Project)
	}
	for _, dir := range w.Also {
		if !g.tooWide(dir) {
			g.project = append(g.project, g.spellings(dir)...)
		}
	}
	return g
}

// ownFiles are longline's own files on this machine, as members of a zone.
func (g *ground) ownFiles() []string {
	list := g.literal(g.w.Guard)
	for _, log := range g.spellings(g.w.Log) {
		name := log[strings.LastIndexByte(log, '/')+1:]
		ending := name[max(strings.LastIndexByte(name, '.'), 0):]
		if !strings.HasPrefix(ending, ".") {
			ending = ""
		}
		put := paths.Escape(strings.TrimSuffix(log, ending)) + "-*" + paths.Escape(ending)
		list = append(list, paths.Escape(log), put)
	}
	return list
}

// literal lists files of this machine as members of a zone, as given and with links
// followed.
func (g *ground) literal(files []string) []string {
	list := make([]string, 0, 32)
	for _, file := range files {
		for _, path := range g.spellings(file) {
			list = append(list, paths.Escape(path))
		}
	}
	return list
}

// linked finds those members of a zone that are links in the home directory or in
// the project, and lists what they lead to: whoever keeps settings elsewhere and
// links to them has settings there. A name with wildcards is looked for as if
// they stood for nothing.
func (g *ground) linked(members []string) []string {
	if g.w.Readlink == nil {
		return nil
	}
	var list []string
	for _, root := range slices.Concat(g.homes[:min(1, len(g.homes))], g.project[:min(1, len(g.project))]) {
		absent := "" // the last directory that is not there; its neighbours come in a row
		for _, member := range members {
			if member[0] == '/' {
				continue
			}
			name := strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(member, "/"), "~/"), "./"), "*", "")
			first, rest := cut(name)
			if first == absent {
				continue
			}
			to, err := g.readlink(root + "/" + first)
			if tool.Missing(err) {
				absent = first
				continue
			}
			if to == "" && rest == "" {
				continue
			}
			if real, ok := g.elsewhere(root, name); ok {
				list = append(list, paths.Escape(real))
			}
		}
	}
	return list
}

// elsewhere is where a name below a directory leads, if that is not the name itself nor so
// much that it would say nothing.
func (g *ground) elsewhere(root, name string) (real string, ok bool) {
	path := root + "/" + name
	real = g.follow(path, true)
	return real, real != path && real != "" && !g.tooWide(real) && anchored(real, "", root, false)&(same|above) == 0
}

// tooWide says whether a directory holds far more than one project, so that
// "inside the project" would say nothing about a path.
func (g *ground) tooWide(dir string) bool {
	dir = clean(dir)
	if dir == "" || dir == "/" {
		return true
	}
	for _, home := range g.homes {
		if anchored(dir, "", home, g.w.FoldCase)&(same|above) != 0 {
			return true
		}
	}
	at := g.place(dir)
	return g.zoneRelation(ZoneRoot, &at)&same != 0
}

// spellings returns a directory as given and with symbolic links followed.
func (g *ground) spellings(path string) []string {
	path, known := unmask(clean(path))
	if path == "" || !known {
		return nil
	}
	if real, _ := unmask(g.follow(path, true)); real != path && real != "" {
		return []string{path, real}
	}
	return []string{path}
}

// follow replaces symbolic links on the way to a path, and that at its end if
// last is set. Without knowledge of links the path stays as it is.
func (g *ground) follow(path string, last bool) string {
	if g.w.Readlink == nil || len(path) > 4096 {
		return clean(path)
	}
	known := 0
	for _, dir := range g.plain {
		if len(dir) > known && paths.Within(path, dir) {
			known = len(dir)
		}
	}
	real, _ := tool.FollowFrom(known, path, last, g.readlink)
	return real
}

// readlink asks about a path unless it is known to be no link.
func (g *ground) readlink(path string) (string, error) {
	if slices.Contains(g.plain, path) {
		return "", tool.ErrNotLink
	}
	ask := g.w.Readlink
	if g.ask != nil {
		ask = g.ask
	}
	to, err := ask(path)
	if err != nil && !tool.Missing(err) && len(g.plain) < maxPlain {
		g.plain = append(g.plain, path)
	}
	return to, err
}

// clean makes an absolute path lexically short: no empty names, no dots. It
// returns "" for what is not an absolute path.
func clean(path string) string {
	if path == "" || path[0] != '/' {
		return ""
	}
	return paths.Clean("/", path)
}

// unmask takes off other names that systems have for their own root: the path of a
// process's root directory, and the volume that macOS keeps its files on. What is
// below a process's working directory is not known.
func unmask(path string) (plain string, known bool) {
	for strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/System/Volumes/Data") {
		rest, ok := strings.CutPrefix(path, "/System/Volumes/Data")
		if !ok {
			_, rest = cut(path[len("/proc/"):])
			var link string
			if link, rest = cut(rest); link == "task" {
				_, rest = cut(rest)
				link, rest = cut(rest)
			}
			switch link {
			case "root":
				rest = "/" + rest
			case "cwd":
				return "", false
			default:
				return path, true
			}
		} else if rest == "" {
			rest = "/"
		} else if rest[0] != '/' {
			return path, true
		}
		path = rest
	}
	return path, true
}

// cut takes the first name off a path.
func cut(path string) (name, rest string) {
	path = strings.TrimPrefix(path, "/")
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return path, ""
}

// components compares a pattern of names (wildcards stay within a name) with a
// path, both without a leading slash. The path lies same, below or above.
func components(pattern, path string, folding bool) relation {
	for {
		if pattern == "" {
			if path == "" {
				return same
			}
			return below
		}
		if path == "" {
			return above
		}
		if differ(pattern[0], path[0], folding) {
			return 0
		}
		var want, have string
		want, pattern = cut(pattern)
		have, path = cut(path)
		if !matchesComponent(want, have, folding) {
			return 0
		}
	}
}

// differ is quick to say that two names are not the same by how they begin, as most do.
func differ(pattern, name byte, folding bool) bool {
	return pattern != name && !special(pattern) && pattern != '/' && name != '/' && (!folding || name < 0x80 && lower(pattern) != lower(name))
}

// matchesComponent says whether a name matches a pattern of one.
func matchesComponent(pattern, name string, folding bool) bool {
	// Most names differ in their first bytes; only ASCII letters have other
	// cases that are ASCII, and a byte beyond ASCII may be one of theirs.
	for i := range len(pattern) {
		c := pattern[i]
		if special(c) || i < len(name) && folding && name[i] >= 0x80 {
			return matchesPattern(pattern, name, folding)
		}
		if i == len(name) || !sameByte(c, name[i], folding) {
			return false
		}
	}
	return len(pattern) == len(name)
}

// matchesPattern is the same for what may have wildcards and any letters.
func matchesPattern(pattern, name string, folding bool) bool {
	if strings.IndexByte(pattern, '[') >= 0 || strings.IndexByte(pattern, '\\') >= 0 {
		return matches(pattern, name, folding)
	}
	return paths.Wildcards(pattern, name, folding) || folding && foldsBeyond(pattern, name) && matches(pattern, name, true)
}

// mayBeginWith says whether a name could begin with a byte: only ASCII letters have other
// cases that are ASCII, and a byte beyond ASCII may be one of theirs.
func mayBeginWith(c byte, name string, folding bool) bool {
	return sameByte(c, name[0], folding) || folding && name[0] >= 0x80
}

func sameByte(a, b byte, folding bool) bool {
	if a == b {
		return true
	}
	if !folding {
		return false
	}
	return lower(a) == lower(b)
}

// foldsBeyond says whether comparing bytes is not enough to fold the case of a name and of what it is compared with.
func foldsBeyond(pattern, name string) bool { return foldsToASCII(name) || hasUpperUnicode(pattern) }

// foldsToASCII says whether a name has the long s or the sign for kelvin: no other letters beyond ASCII are other cases of ASCII ones.
func foldsToASCII(name string) bool {
	return strings.Contains(name, "\u017f") || strings.Contains(name, "\u212a")
}

// hasUpperUnicode says whether a name has letters beyond ASCII: those have cases that are other bytes.
func hasUpperUnicode(name string) bool {
	for i := range len(name) {
		if name[i] >= 0x80 {
			return true
		}
	}
	return false
}

// anchored compares a path with the pattern rest below the directory root.
func anchored(path, rest, root string, folding bool) relation {
	if root == "/" {
		return components(rest, path[1:], folding)
	}
	if hasPrefix(path, root, folding) {
		if len(path) == len(root) {
			return components(rest, "", folding)
		}
		if path[len(root)] == '/' {
			return components(rest, path[len(root)+1:], folding)
		}
	}
	if path == "/" || len(path) < len(root) && root[len(path)] == '/' && hasPrefix(root, path, folding) {
		return above
	}
	return 0
}

func hasPrefix(text, prefix string, folding bool) bool {
	if strings.HasPrefix(text, prefix) {
		return true
	}
	return folding && len(text) >= len(prefix) && equalFold(text[:len(prefix)], prefix)
}
