package reader

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/packed"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// A repository can ship a link under a harmless name, and rules take a pattern or a list for one of ordinary files: what is named by a pattern, a
// list or a whole tree is held against what lies on the disk.

// maxMet bounds the names on the disk that the patterns of one command are replaced by or repeated on, maxSpoken the files of secrets that are
// spoken of for one pattern, and maxWalked the directories that are looked at for one.
const maxMet, maxSpoken, maxWalked, maxNamesSeen = 32, 3, 200, 20_000

// disk is what is asked of the machine, and what it has said: each thing is asked once.
type disk struct {
	world        *tool.World
	listed       []directory
	namesSeen    int
	linksUnder   map[string][]string // by directory, the links below it
	secretsUnder map[string][]string // and the files of secrets
	archives     map[string][]link   // the links in archives, by the names and texts that they have there
	sizeRead     int                 // how much was read of them
	odd          bool                // there are, or the script makes, names that are divided where they are lines of a list
	oddOnes      map[string][]string // by directory, paths that mislead
	oddDirs      int                 // looked through for them
}

// meeting is an effect on what a pattern, a list or a tree stands for, which is repeated on the links that it may go through and on the files of
// secrets that it may show.
type meeting struct {
	r     *reader
	inv   *command.Invocation
	e     tool.Effect
	words selection
	own   bool // it is the invocation's own
	past  bool // it may be on what lies behind a link that a search meets
	dirs  int  // that were looked at
	met   int  // effects that were added
}

// selection is what is known of the names that stand at a place of the script.
type selection struct {
	some    bool
	from    command.Taint
	visible bool // none is hidden
	found   bool // all are of files that a search has found something in
	glued   bool // something stands behind them, or they lie behind links
	written bool // they stand in the script as they are
}

func selectionAt(inv *command.Invocation, at tool.Span) selection {
	l := selection{visible: true, found: true, written: true}
	note := func(w command.Word) {
		if w.Span == at && !w.IsKnown() {
			l.from |= w.Taint
			l.some = true
			shown := w.Visible || w.Glob && w.Taint == 0 && path.Base(w.Text)[0] != '.' // as wildcards of the shell do
			l.visible, l.found, l.written = l.visible && shown, l.found && w.Found, l.written && w.Taint == 0
			l.glued = l.glued || w.Tail != "" || w.Taint&command.Followed != 0 || w.Made != nil && w.Made.Text != w.Made.Mark
		}
	}
	for _, w := range inv.Words {
		note(w)
	}
	for _, rd := range inv.Redirects {
		note(rd.Target)
	}
	if !l.some {
		return selection{written: true}
	}
	return l
}

// throughPatterns repeats the effects of an invocation on what their patterns, lists and trees meet on the disk. A pattern that is read is replaced
// by the names that it matches, if these are few and nothing before it can have changed them. The first effects are its own, the others of links.
func (r *reader) throughPatterns(inv *command.Invocation, own int) {
	if r.world.Entries == nil || r.remote {
		return
	}
	meetsSecrets(r, inv)
	for i, n := 0, len(inv.Effects); i < n; i++ {
		e := inv.Effects[i]
		if !e.Kind.IsPath() || e.Reach != tool.Exact && e.Reach != tool.Under {
			continue
		}
		m := meeting{r: r, inv: inv, e: e, words: selectionAt(inv, e.Span), own: i < own, past: inv.Follows}
		switch w := firstWild(e.Target); {
		case e.Reach == tool.Under:
			m.past = m.past || m.words.glued
			m.tree(e.Target, "")
		case !e.Pattern:
			if e.Tree && (inv.Follows || i >= own && inv.Shows) { // what its model has not seen
				m.tree(e.Target, "")
			}
		case w.name != "" && !r.named(inv, i, w):
			m.past = m.past || m.words.glued || strings.Count(w.rest, "/") > 1
			m.level(w.dir, w.name+w.rest, false)
		}
		if m.met > maxMet || m.dirs > maxWalked && m.e.Kind != tool.Read {
			gapIn(inv, "more links match than can be followed")
			return
		}
	}
}

// meetsSecrets notes whether an invocation that may print lines of what it reads searches where files of secrets are.
func meetsSecrets(r *reader, inv *command.Invocation) {
	prints := inv.Meets || inv.Shows || inv.Selects
	inv.Meets = inv.Stored || prints && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Read && (e.Tree && e.Reach == tool.Exact || e.Reach == tool.Under) && len(r.secretsBelow(paths.GlobRoot(e.Target), false)) > 0
	})
}

// level meets what a pattern matches in a directory, which may lie behind a link.
func (m *meeting) level(dir, pattern string, behind bool) {
	name, rest, more := paths.CutGlob(pattern)
	if list, ok := paths.Alternatives(name); ok {
		for _, one := range list {
			if one == value.Everything && m.e.Kind == tool.Read {
				continue // where only some names of a list are known
			}
			if more {
				one += "/" + rest
			}
			m.level(dir, one, behind)
		}
		return
	}
	if strings.Contains(name, "**") || strings.IndexByte(name, '(') >= 0 {
		m.tree(dir, pattern)
		return
	}
	if m.dirs++; m.dirs > maxWalked || m.met > maxMet {
		return
	}
	if !paths.Wild(name) {
		at := paths.Clean(strings.TrimSuffix(dir, "/")+"/", paths.Unescape(name))
		_, err := m.r.world.Readlink(at)
		m.meet(tool.Entry{Name: path.Base(at), Dir: true, Link: err == nil}, at, rest, behind)
		return
	}
	list, _ := m.r.entries(dir)
	for _, entry := range list {
		if is, sure := paths.Match(name, entry.Name); (is || !sure) && (entry.Name[0] != '.' || name[0] == '.') {
			m.meet(entry, strings.TrimSuffix(dir, "/")+"/"+entry.Name, rest, behind)
		}
	}
}

// meet meets one name that the beginning of a pattern matches.
func (m *meeting) meet(entry tool.Entry, at, rest string, behind bool) {
	switch {
	case rest != "":
		if entry.Name[0] == '.' && m.e.Kind != tool.Read { // it may be git's, or an agent's
			there := m.e
			if there.Target = paths.Escape(at) + "/" + rest; !slices.Contains(m.inv.Effects, there) {
				m.inv.Effects = append(m.inv.Effects, there)
			}
		}
		if entry.Dir || entry.Link {
			m.level(at, rest, behind || entry.Link)
		}
	case behind && (m.e.Kind == tool.Read || m.e.Kind == tool.Delete) && m.r.absent(at):
	case behind || entry.Link:
		m.add(at)
	case m.e.Tree && m.past:
		m.tree(at, "")
	default:
		m.secret(at)
	}
}

// add repeats the effect on a path.
func (m *meeting) add(at string) {
	there := m.e
	there.Target, there.Pattern, there.Reach = at, false, tool.Exact
	if m.met++; m.met <= maxMet && !slices.Contains(m.inv.Effects, there) {
		m.inv.Effects = append(m.inv.Effects, there)
	}
}

// secret repeats a read on a file of secrets.
func (m *meeting) secret(at string) {
	searches := m.e.Reach == tool.Under || firstWild(m.e.Target).searches()
	if m.e.Kind == tool.Read && (!searches || m.inv.Shows || m.inv.Sweeps) && m.r.isSecret(at) && !m.r.absent(at) {
		m.e.Manner = tool.Met
		m.add(at)
	}
}

// tree meets what lies below a directory, with what is left of a pattern.
func (m *meeting) tree(dir, pattern string) {
	if reads := m.e.Kind == tool.Read; !(m.e.Unlinks() && !m.past) && (!reads || m.inv.Shows || m.inv.Sweeps || m.inv.Follows) {
		name := path.Base(pattern)
		list := m.r.linksBelow(dir)
		if m.past {
			list = m.r.behindLinks(dir, list)
		}
		for _, at := range list {
			if is, sure := paths.Match(name, path.Base(at)); pattern != "" && !m.past && !m.words.written && !is && sure {
				continue
			}
			m.e.Tree = m.e.Tree || m.past
			m.add(at)
		}
	}
	m.secrets(dir, pattern)
}

// secrets repeats it on the files of secrets below a directory.
func (m *meeting) secrets(dir, pattern string) {
	if m.e.Kind != tool.Read || !m.inv.Shows && !m.inv.Sweeps || m.own && m.e.Tree && !m.e.Pattern {
		return // of its own trees the model knows
	}
	if pattern == "" && m.e.Reach == tool.Under && m.words.from&(command.FromListed|command.FromGit|command.FromHidden) == 0 && !(m.words.some && m.words.written) {
		return // as far as its model says there are none in the list
	}
	for _, at := range m.r.secretsBelow(dir, m.words.visible) {
		if (pattern == "" || reaches(pattern, at[len(strings.TrimSuffix(dir, "/")):], true)) && m.r.lib.Comes(m.r.world, m.words.from, at) && (!m.words.found || m.r.finds(dir, at)) {
			m.secret(at)
		}
	}
}

// isPlainPattern says whether a word is a pattern of its own that does not climb.
func isPlainPattern(w command.Word) bool {
	return w.Glob && w.Reach == tool.Exact && !w.Hollow && w.Taint == 0 && !paths.GlobClimbs(w.Text)
}

// dirsMatching are the directories that a pattern of cd matches, if they are few, surely all, and nothing can have changed them.
func (r *reader) dirsMatching(dir, to command.Word) (list []command.Word) {
	if r.world.Entries == nil || r.remote || r.loops > 0 || !isPlainPattern(to) || dir.Reach != tool.Exact || !r.untouched() {
		return nil
	}
	dirs, rest := []string{dir.Text}, to.Text
	if rest[0] == '/' {
		dirs = []string{""}
	}
	for more := true; more; {
		var name string
		var next []string
		if name, rest, more = paths.CutGlob(strings.TrimPrefix(rest, "/")); name == "" || name == "." {
			continue
		}
		for _, at := range dirs {
			entries, whole := r.entries(at + "/")
			for _, entry := range entries {
				is, sure := paths.Match(name, entry.Name)
				if !sure || !whole {
					return nil
				}
				if is && (entry.Dir || entry.Link) && (entry.Name[0] != '.' || name[0] == '.') {
					next = append(next, at+"/"+entry.Name)
				}
			}
		}
		if dirs = next; len(dirs) > maxAlternatives {
			return nil
		}
	}
	for _, at := range dirs {
		list = append(list, command.Word{Text: at, Reach: tool.Exact})
	}
	return list
}

// reaches says whether a pattern may match a path, or else the beginning of the pattern, each without what stands before them both.
func reaches(pattern, at string, whole bool) bool {
	name, rest, more := paths.CutGlob(strings.TrimPrefix(pattern, "/"))
	first, below, deep := strings.Cut(strings.TrimPrefix(at, "/"), "/")
	if list, ok := paths.Alternatives(name); ok {
		return slices.ContainsFunc(list, func(one string) bool {
			if more {
				one += "/" + rest
			}
			return (one != value.Everything || !whole) && reaches(one, at, whole)
		})
	}
	if strings.Contains(name, "**") || strings.IndexByte(name, '(') >= 0 {
		is, sure := paths.Match(path.Base(pattern), path.Base(at))
		return !whole || !more || is || !sure
	}
	if is, sure := paths.Match(name, first); !is && sure {
		return false
	}
	return !deep && (!more || !whole) || deep && more && reaches(rest, below, whole)
}

// below looks at all that lies below a directory, but for packages and what is git's own.
func (d *disk) below(top string, meets func(at string, entry tool.Entry)) {
	dirs := []string{top}
	for i := 0; i < len(dirs) && i < maxWalked; i++ {
		entries, _ := d.entries(dirs[i])
		for _, entry := range entries {
			at := strings.TrimSuffix(dirs[i], "/") + "/" + entry.Name
			if meets(at, entry); entry.Dir && !entry.Link && entry.Name != ".git" && !slices.Contains(command.Installs, entry.Name) {
				dirs = append(dirs, at)
			}
		}
	}
}

// linksBelow are links on the disk that are a path or lie below it, and that lead out of it: out of the project, too, or to what is protected or
// secret.
func (d *disk) linksBelow(top string) (list []string) {
	if d.world.Entries == nil || d.world.Readlink == nil {
		return nil
	}
	if list, known := d.linksUnder[top]; known {
		return list
	}
	defer func() { keep(&d.linksUnder, top, list) }()
	if real := d.follow(top); real != top && d.leadsAway(real, top) {
		return []string{top}
	}
	d.below(top, func(at string, entry tool.Entry) {
		if entry.Link && len(list) < maxLinks && d.leadsAway(d.follow(at), top) {
			list = append(list, at)
		}
	})
	return list
}

// behindLinks is where links below a directory lead.
func (d *disk) behindLinks(top string, links []string) (list []string) {
	key := top + "\x00"
	if list, known := d.linksUnder[key]; known {
		return list
	}
	for _, at := range links {
		list = append(list, d.follow(at))
	}
	keep(&d.linksUnder, key, list)
	return list
}

// keep notes an answer about the disk.
func keep(have *map[string][]string, key string, list []string) {
	if *have == nil {
		*have = map[string][]string{}
	}
	(*have)[key] = list[:len(list):len(list)]
}

// leadsAway says whether what a link below a directory leads to is of another kind than what lies there.
func (d *disk) leadsAway(to, dir string) bool {
	if paths.Within(to, d.world.Project) && !paths.Within(to, dir) && strings.Contains(to[len(d.world.Project):], "/.") || to == d.world.Project {
		return true
	}
	return !paths.Within(to, dir) && (d.world.Project == "" || !paths.Within(to, d.world.Project)) ||
		d.world.Protected != nil && d.world.Protected(to) || d.isSecret(to)
}

// secretsBelow are files of secrets below a directory.
func (d *disk) secretsBelow(top string, visible bool) (list []string) {
	if d.world.Entries == nil || d.world.Secret == nil {
		return nil
	}
	key := top
	if visible {
		key += "\x00"
	}
	if list, known := d.secretsUnder[key]; known {
		return list
	}
	defer func() { keep(&d.secretsUnder, key, list) }()
	d.below(top, func(at string, entry tool.Entry) {
		if !entry.Dir && !entry.Link && len(list) < maxMet && !(visible && strings.Contains(at[len(top):], "/.")) && d.isSecret(at) {
			list = append(list, at)
		}
	})
	return list
}

// finds says whether a search below a directory before may have found a file of secrets by what is in it: a word that the search was given may
// match something there.
func (r *reader) finds(dir, file string) bool {
	if r.world.ReadSecret == nil {
		return false
	}
	text, err := r.world.ReadSecret(file)
	return slices.ContainsFunc(r.invocations, func(search *command.Invocation) bool {
		if !search.Output.Found || search.Output.Reach != tool.Under || search.Output.Text != dir {
			return false
		}
		return err != nil || slices.ContainsFunc(search.Words[1:], func(w command.Word) bool { return mayFind(search, w, dir, text) })
	})
}

// mayFind says whether a search may find a text by one of its words.
func mayFind(search *command.Invocation, w command.Word, dir string, text []byte) bool {
	switch {
	case !w.IsKnown():
		return true
	case strings.HasPrefix(w.Text, "--"):
		return !strings.HasPrefix(w.Text, "--in") && !strings.HasPrefix(w.Text, "--ex") && !strings.HasPrefix(w.Text, "--files-with-")
	case strings.HasPrefix(w.Text, "-"):
		return strings.ContainsAny(w.Text, "efLv")
	case w.Text == "" || paths.Clean(search.Dir.Text, w.Text) == dir:
		return false
	}
	text = bytes.ToLower(text)
	return slices.ContainsFunc(strings.Split(w.Text, "|"), func(either string) bool {
		return bytes.Contains(text, []byte(strings.ToLower(longestPart(either))))
	})
}

// longestPart is the longest text that surely is in whatever an expression matches.
func longestPart(expression string) (longest string) {
	part := ""
	for i := 0; i < len(expression); i++ {
		c := expression[i]
		switch c {
		default:
			part += string(c)
		case '?', '*', '{', '\\', '}', '[', ']', '(', ')', '.', '+', '^', '$':
			if part != "" && (c == '?' || c == '*' || c == '{') {
				part = part[:len(part)-1] // which may be missing
			}
			if len(part) > len(longest) {
				longest = part
			}
			if part = ""; c == '\\' {
				i++
			} else if c == '[' || c == '{' || c == '(' {
				return longest // what follows may be anything
			}
		}
	}
	if len(part) > len(longest) {
		longest = part
	}
	return longest
}

// named puts names in the place of the pattern that is read at an index, if these are few and surely all.
func (r *reader) named(inv *command.Invocation, i int, w wildPath) bool {
	e := inv.Effects[i]
	if e.Kind != tool.Read || w.rest != "" || w.searches() || r.loops > 0 || !r.untouched() {
		return false
	}
	found, all := r.entries(w.dir)
	var names []string
	for _, entry := range found {
		if is, sure := paths.Match(w.name, entry.Name); (is || !sure) && (entry.Name[0] != '.' || w.name[0] == '.') {
			all, names = all && sure, append(names, entry.Name)
		}
	}
	if !all || len(names) == 0 || len(names) > maxMet {
		return false
	}
	for k, name := range names {
		there := e
		if there.Target, there.Pattern = strings.TrimSuffix(w.dir, "/")+"/"+name, false; k == 0 {
			inv.Effects[i] = there
		} else if !slices.Contains(inv.Effects, there) {
			inv.Effects = append(inv.Effects, there)
		}
	}
	return true
}

// copiedTrees adds the links and the files of secrets on the disk that an invocation copies or moves with a directory, or by their names.
func (r *reader) copiedTrees(inv *command.Invocation, add func(link)) {
	for _, e := range inv.Effects {
		if e.Kind != tool.Read || e.Keeps() || e.Reach == tool.Anywhere || !slices.ContainsFunc(inv.Effects, puts) {
			continue
		}
		dir := e.Target
		if !isExact(e) {
			dir = paths.GlobRoot(e.Target)
		}
		var held []link
		if !inv.Follows || e.Manner == tool.Moved {
			for _, at := range r.linksBelow(dir) {
				if !e.Pattern || reaches(e.Target, at, !e.Tree) {
					held = append(held, link{From: at, To: r.follow(at)})
				}
			}
		}
		if e.Tree || e.Manner == tool.Moved || !isExact(e) {
			held = append(held, r.secretsHeld(e)...)
		}
		for _, l := range held {
			for i, put := range inv.Effects {
				if !puts(put) || put.Target == e.Target || !isExact(put) && slices.ContainsFunc(inv.Effects[:i], func(p tool.Effect) bool { return puts(p) && p.Target == put.Target }) {
					continue
				}
				if !isExact(e) || !isExact(put) {
					add(link{paths.GlobRoot(put.Target), l.To, l.copied, true})
					continue
				}
				rest := l.From[len(dir):]
				add(link{put.Target + rest, l.To, l.copied, l.unsure})
				add(link{put.Target + "/" + path.Base(dir) + rest, l.To, l.copied, l.unsure})
				if above := paths.Parent(put.Target); slices.Contains(r.uproots, above) { // it is not put into what is there no more
					add(link{above + rest, l.To, l.copied, l.unsure})
				}
			}
		}
	}
}

// secretsHeld are the files of secrets among what is read, as copies of themselves, which only matter where something is shown. Of many, the
// whole directory is one.
func (d *disk) secretsHeld(e tool.Effect) (list []link) {
	dir := e.Target
	if !isExact(e) {
		dir = paths.GlobRoot(e.Target)
	}
	for _, at := range d.secretsBelow(dir, false) {
		if e.Pattern && !reaches(e.Target, at, !e.Tree) {
			continue
		}
		if list = append(list, link{From: at, To: at, copied: true, unsure: true}); len(list) > maxSpoken {
			return []link{{From: dir, To: at, copied: true, unsure: true}}
		}
	}
	return list
}

// unpacked adds the links and the files of secrets that come out of an archive: of one on the disk, or of directories that commands before have
// read. Directories in front of a name may be left out.
func (r *reader) unpacked(inv *command.Invocation, add func(link)) {
	if r.remote || inv.Puts || !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return puts(e) && e.Tree }) ||
		slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && e.Tree }) {
		return
	}
	read := r.readBefore
	if archive := slices.IndexFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && isExact(e) }); archive >= 0 && inv.Stdin.None {
		if _, wrote := r.written(inv.Effects[archive].Target); !wrote && !r.absent(inv.Effects[archive].Target) {
			read = func() []tool.Effect { return readBy(nil, inv) }
		}
	}
	for _, e := range read() {
		for _, l := range r.heldIn(e) {
			r.unpackedAt(inv, l, add)
		}
	}
}

// readBefore is what commands before have read.
func (r *reader) readBefore() []tool.Effect {
	for ; r.readUpTo < len(r.invocations); r.readUpTo++ {
		r.readSoFar = readBy(r.readSoFar, r.invocations[r.readUpTo])
	}
	return r.readSoFar
}

// readBy adds what a command reads, of which not everything is looked at.
func readBy(list []tool.Effect, inv *command.Invocation) []tool.Effect {
	for _, e := range inv.Effects {
		if e.Kind == tool.Read && e.Reach != tool.Anywhere && len(list) <= maxMet && !slices.ContainsFunc(list, func(o tool.Effect) bool { return o.Target == e.Target }) {
			list = append(list, e)
		}
	}
	return list
}

// unpackedAt adds the links that one in an archive becomes.
func (r *reader) unpackedAt(inv *command.Invocation, l link, add func(link)) {
	for name, more := l.From, true; more; _, name, more = strings.Cut(name, "/") {
		for _, put := range inv.Effects {
			if !puts(put) || put.Pattern {
				continue
			}
			at := link{paths.Clean(put.Target, "./"+name), l.To, l.copied, l.unsure}
			if !l.copied {
				at.To = r.follow(paths.Clean(paths.Parent(at.From), l.To))
			}
			if l.copied || r.leadsAway(at.To, put.Target) {
				add(at)
			}
		}
	}
}

// heldIn are the links in an archive, or those and the files of secrets in a directory, by the names that they have there.
func (d *disk) heldIn(e tool.Effect) (list []link) {
	switch {
	case e.Tree || !isExact(e):
		for _, at := range d.linksBelow(paths.GlobRoot(e.Target)) {
			list = append(list, link{From: at[1:], To: d.follow(at)})
		}
		for _, l := range d.secretsHeld(e) {
			l.From = l.From[1:]
			list = append(list, l)
		}
	case d.world.ReadAt != nil && d.archives[e.Target] != nil:
		return d.archives[e.Target]
	case d.world.ReadAt != nil && d.sizeRead < maxUnpacked:
		list = []link{}
		for _, l := range packed.Links(func(offset int64, room []byte) (int, error) {
			n, err := d.world.ReadAt(e.Target, offset, room)
			d.sizeRead += n
			return n, err
		}) {
			list = append(list, link{From: l.Name, To: l.Text})
		}
		if d.archives == nil {
			d.archives = map[string][]link{}
		}
		d.archives[e.Target] = list
	}
	return list
}

// maxUnpacked bounds what is read of all the archives that a script unpacks.
const maxUnpacked = 8 << 20

// untouched says whether nothing that has run so far can have made a file.
func (r *reader) untouched() bool {
	for ; !r.makes && r.checked < len(r.invocations); r.checked++ {
		inv := r.invocations[r.checked]
		r.makes = len(inv.Gaps) > 0 || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
			return e.Kind != tool.Read && e.Kind != tool.Fetch && e.Kind != tool.Delete
		})
	}
	return !r.makes && len(r.gaps) == 0
}

// directory is one that has been listed.
type directory struct {
	dir   string
	list  []tool.Entry
	whole bool
}

// entries lists a directory, which is asked for once.
func (d *disk) entries(dir string) ([]tool.Entry, bool) {
	for i := range d.listed {
		if d.listed[i].dir == dir {
			return d.listed[i].list, d.listed[i].whole
		}
	}
	if d.namesSeen > maxNamesSeen {
		return nil, false
	}
	l := directory{dir: dir}
	l.list, l.whole = d.world.Entries(dir)
	if d.namesSeen += len(l.list); len(d.listed) < 2*maxWalked {
		d.listed = append(d.listed, l)
	}
	return l.list, l.whole
}

// wildPath is a pattern, taken apart at its first name with wildcards.
type wildPath struct {
	dir  string // before that name, without backslashes
	name string // "" if there is none
	rest string // behind it
}

func firstWild(pattern string) wildPath {
	at := 0
	for at < len(pattern) {
		end := strings.IndexByte(pattern[at+1:], '/')
		if end < 0 {
			end = len(pattern)
		} else {
			end += at + 1
		}
		if part := pattern[at:end]; paths.Fixed(part) != part && !paths.Literal(part) || strings.IndexByte(part, '(') >= 0 {
			return wildPath{paths.Unescape(pattern[:at]), strings.TrimPrefix(part, "/"), pattern[end:]}
		}
		at = end
	}
	return wildPath{dir: paths.Unescape(pattern)}
}

// searches says whether a pattern is what searches look for; they do not follow the links that they meet.
func (w wildPath) searches() bool { return w.name == "**" || strings.IndexByte(w.name, '(') >= 0 }
