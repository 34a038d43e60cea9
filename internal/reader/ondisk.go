package reader

import (
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
	sizeRead     int                 // how much was read of archives
	signs        string              // at which names are divided that there are, or that the script makes
	oddOnes      map[string][]string // by directory, the paths with such names below it
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
	glued   bool // something stands behind them, or they lie behind links
	written bool // they stand in the script as they are
}

func selectionAt(inv *command.Invocation, at tool.Span) selection {
	l := selection{visible: true, written: true}
	note := func(w command.Word) {
		if w.Span == at && !w.IsKnown() {
			l.from |= w.Taint
			l.some = true
			shown := w.Visible || w.Glob && w.Taint == 0 && path.Base(w.Text)[0] != '.' // as wildcards of the shell do
			l.visible, l.written = l.visible && shown, l.written && w.Taint == 0
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
	packedSecrets(r, inv)
	for i, n := 0, len(inv.Effects); i < n; i++ {
		e := inv.Effects[i]
		if !e.Kind.IsPath() || e.Reach != tool.Exact && e.Reach != tool.Under {
			continue
		}
		m := meeting{r: r, inv: inv, e: e, words: selectionAt(inv, e.Span), own: i < own, past: inv.Follows}
		w := firstWild(e.Target)
		m.swept(w)
		switch {
		case e.Reach == tool.Under:
			m.past = m.past || m.words.glued
			m.tree(e.Target, "")
		case !e.Pattern:
			if e.Tree && (inv.Follows || i >= own && inv.Shows) { // what its model has not seen
				m.tree(e.Target, "")
			} else if e.Tree && inv.Sweeps {
				m.secrets(e.Target, "")
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

// swept meets the files of secrets in the directories that a pattern matches, if all that is in them is shown.
func (m *meeting) swept(w wildPath) {
	if m.inv.Sweeps && m.e.Tree && m.e.Pattern {
		m.secrets(w.dir, "")
	}
}

// packedSecrets notes which files of secrets are in an archive that an invocation makes.
func packedSecrets(r *reader, inv *command.Invocation) {
	for _, e := range inv.Effects {
		if !inv.Packs || e.Kind != tool.Read || !(e.Tree && e.Reach == tool.Exact || e.Reach == tool.Under) {
			continue
		}
		list := r.secretsBelow(paths.GlobRoot(e.Target), false)
		for _, at := range list[:min(len(list), maxSpoken)] {
			inv.Packed = append(inv.Packed, tool.Effect{Kind: tool.Read, Target: at, Reach: tool.Exact, Manner: tool.Met, Span: e.Span})
		}
	}
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
		e := m.e
		m.e.Manner = tool.Met
		m.add(at)
		m.e = e
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
	if m.e.Kind != tool.Read || !m.inv.Shows && !m.inv.Sweeps || m.own && m.e.Tree && !m.e.Pattern && !m.inv.Sweeps {
		return // it does not show what is in them
	}
	if pattern == "" && m.e.Reach == tool.Under && m.words.from&(command.FromListed|command.FromGit|command.FromHidden) == 0 && !m.inv.Sweeps && !(m.words.some && m.words.written) {
		return // as far as its model says there are none in the list
	}
	for _, at := range m.r.secretsBelow(dir, m.words.visible && !(m.inv.Sweeps && m.e.Tree)) {
		if (pattern == "" || reaches(pattern, at[len(strings.TrimSuffix(dir, "/")):], true)) && m.r.lib.Comes(m.r.world, m.words.from, at) {
			m.secret(at)
		}
	}
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

// copiedTrees adds the files of secrets on the disk that an invocation copies or moves with a directory, or by their names. Links that it copies
// are not followed.
func (r *reader) copiedTrees(inv *command.Invocation, add func(link)) {
	for _, e := range inv.Effects {
		if e.Kind != tool.Read || e.Keeps() || e.Reach == tool.Anywhere || !slices.ContainsFunc(inv.Effects, puts) {
			continue
		}
		dir := e.Target
		if !isExact(e) {
			dir = paths.GlobRoot(e.Target)
		}
		if (!inv.Follows || e.Manner == tool.Moved) && slices.ContainsFunc(r.linksBelow(dir), func(at string) bool { return !e.Pattern || reaches(e.Target, at, !e.Tree) }) {
			r.gap("a link that leaves its directory is copied or moved", inv.Span)
		}
		if !e.Tree && e.Manner != tool.Moved && isExact(e) {
			continue
		}
		for _, l := range r.secretsHeld(e) {
			for i, put := range inv.Effects {
				if !puts(put) || put.Target == e.Target || !isExact(put) && slices.ContainsFunc(inv.Effects[:i], func(p tool.Effect) bool { return puts(p) && p.Target == put.Target }) {
					continue
				}
				if !isExact(e) || !isExact(put) {
					add(link{paths.GlobRoot(put.Target), l.To, true, true})
					continue
				}
				rest := l.From[len(dir):]
				add(link{put.Target + rest, l.To, true, true})
				add(link{put.Target + "/" + path.Base(dir) + rest, l.To, true, true})
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

// unpacked adds the files of secrets that come out of an archive of directories that commands before have read, and notes one on the disk that has
// links in it. Directories in front of a name may be left out.
func (r *reader) unpacked(inv *command.Invocation, add func(link)) {
	writes := slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return puts(e) && e.Tree })
	if r.remote || inv.Puts || !writes || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && e.Tree }) {
		return
	}
	for _, e := range inv.Effects {
		if _, wrote := r.written(e.Target); e.Kind == tool.Read && isExact(e) && !wrote && inv.Stdin.None && !r.absent(e.Target) {
			if r.holdsLinks(e.Target) {
				r.gap("links come out of an archive", inv.Span)
			}
			return
		}
	}
	for _, e := range r.readBefore() {
		if (e.Tree || !isExact(e)) && len(r.linksBelow(paths.GlobRoot(e.Target))) > 0 || !e.Tree && isExact(e) && r.holdsLinks(e.Target) {
			r.gap("links may come out of an archive", inv.Span)
		}
		for _, l := range r.secretsHeld(e) {
			unpackedAt(inv, l, add)
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

// unpackedAt adds where a file of an archive may be put.
func unpackedAt(inv *command.Invocation, l link, add func(link)) {
	for name, more := l.From[1:], true; more; _, name, more = strings.Cut(name, "/") {
		for _, put := range inv.Effects {
			if puts(put) && !put.Pattern {
				add(link{paths.Clean(put.Target, "./"+name), l.To, true, true})
			}
		}
	}
}

// holdsLinks says whether there are links in an archive that may lead out of where it is unpacked.
func (d *disk) holdsLinks(archive string) bool {
	if d.world.ReadAt == nil || d.sizeRead > maxUnpacked {
		return false
	}
	return slices.ContainsFunc(packed.Links(func(offset int64, room []byte) (int, error) {
		n, err := d.world.ReadAt(archive, offset, room)
		d.sizeRead += n
		return n, err
	}), func(l packed.Link) bool { return strings.HasPrefix(l.Text, "/") || strings.Contains(l.Text, "..") })
}

// maxUnpacked bounds what is read of all the archives that a script unpacks.
const maxUnpacked = 8 << 20

// misleads says whether the paths that a word stands for may lead elsewhere where they are divided: there is a name on the disk, or one that the script
// makes, with one of some signs in it.
func (r *reader) misleads(w command.Word, signs string) bool {
	if divides(signs, r.signs) || r.world.Entries == nil || r.remote {
		return divides(signs, r.signs)
	}
	e := r.pathEffect(&command.Invocation{Dir: r.dir()}, tool.Read, w)
	root := e.Target
	if e.Pattern {
		root = paths.GlobRoot(e.Target)
	}
	return e.Reach != tool.Anywhere && slices.ContainsFunc(r.oddNames(root), func(at string) bool {
		return divides(signs, at[len(root):]+"/") && (!e.Pattern || covers(e.Target, at))
	}) || divides(signs, r.signs)
}

// divides says whether there is one of some signs in names, or a blank in front of one, which is taken away from a line.
func divides(signs, names string) bool {
	return strings.ContainsAny(names, signs) || strings.Contains(names, "/ ")
}

// oddNames are the paths below a directory that have one of the signs in them at which names are divided.
func (d *disk) oddNames(root string) (list []string) {
	if list, known := d.oddOnes[root]; known {
		return list
	}
	for dirs := []string{root}; len(dirs) > 0 && d.signs != blanks; dirs = dirs[1:] {
		entries, whole := d.world.Entries(dirs[0])
		if d.oddDirs += 1 + len(entries)/64; !whole && len(entries) > 0 || d.oddDirs > 5*maxWalked || len(list) > maxMet {
			d.signs = blanks // there may be others
		}
		for _, entry := range entries {
			at := strings.TrimSuffix(dirs[0], "/") + "/" + entry.Name
			if strings.ContainsAny(at[len(root):], blanks) {
				list = append(list, at)
			}
			if entry.Dir && entry.Name != ".git" && !slices.Contains(command.Installs, entry.Name) {
				dirs = append(dirs, at)
			}
		}
	}
	keep(&d.oddOnes, root, list)
	return list
}

// blanks are the signs at which names are divided, or that are taken out of them, and lineEnds those that also matter where they are lines.
const blanks, lineEnds = " \t\n\r'\"\\", "\n\r'\"\\"

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
