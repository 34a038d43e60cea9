package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// maxRead bounds the names that a pattern is replaced by.
const maxRead = 32

// leads repeats the effects of an invocation on what its paths may lead to: through links, the parent directory,
// patterns and copies.
func (led *ledger) leads(s *state, inv *command.Invocation) {
	throughLinks(led, s, inv, 0)
	throughDots(inv)
	copiesOver(led, inv)
	known := len(inv.Effects)
	led.throughPatterns(inv, 0)
	if len(inv.Effects) > known && len(s.links) > 0 { // behind links on the disk may lie what was moved
		throughLinks(led, s, inv, known)
	}
	own := readsOwnCopies(inv)
	if own {
		led.noteCopied(inv)
	}
	if own || inv.Shows {
		led.throughCopies(inv)
	}
}

// showsItself is leads for what the shell does itself. What it reads may be shown by any command behind it.
func showsItself(led *ledger, s *state, inv *command.Invocation) {
	inv.Shows = inv.Shows || len(inv.Redirects) > 0
	led.leads(s, inv)
}

// throughPatterns holds patterns against what is there on the disk. Effects are
// repeated on the links that they match: a repository can ship a link under a
// harmless name, and rules follow only what is named. A pattern that is read is
// replaced by the names that it matches, if these are few and nothing before it can
// have changed them: rules have to take "package*.json" for all that it could be. Effects before the first have been held against the disk.
func (led *ledger) throughPatterns(inv *command.Invocation, first int) {
	if led.world.Entries == nil || led.remote {
		return
	}
	for i, n := first, len(inv.Effects); i < n; i++ {
		e := inv.Effects[i]
		inSearched(led, inv, e)
		if !mayMeet(inv, e) {
			continue
		}
		led.inHidden(inv, e)
		if led.namesMatched(inv, i) {
			continue
		}
		led.meetsSecrets(inv, e)
		if !led.meetsLinks(inv, i, n+maxMet) {
			inv.Gaps = append(inv.Gaps, command.Gap{Why: "more links match than can be followed", Span: e.Span})
			return
		}
	}
}

// inHidden repeats a change on the hidden directories that the first name with wildcards matches: what is
// changed in there may be what configures git or an agent, by whichever pattern.
func (led *ledger) inHidden(inv *command.Invocation, e tool.Effect) {
	w := firstWild(e.Target)
	if !e.Pattern || w.rest == "" || w.searches() || !strings.HasPrefix(w.name, ".") || e.Kind == tool.Read {
		return
	}
	found, _ := led.entriesIn(w.dir)
	room := maxMet
	for _, entry := range found {
		if entry.Dir && strings.HasPrefix(entry.Name, ".") && w.mayMatch(entry.Name) && room > 0 {
			e.Target = paths.Escape(strings.TrimSuffix(w.dir, "/")+"/"+entry.Name) + w.rest
			e.Pattern = isWild(e.Target)
			inv.Effects = append(inv.Effects, e)
			room--
		}
	}
}

// throughDots repeats effects on what patterns reach through the parent directory: ".*" matches
// ".." in dash, and in bash before 5.2.
func throughDots(inv *command.Invocation) {
	for i, n := 0, len(inv.Effects); i < n; i++ {
		e := inv.Effects[i]
		if !e.Pattern || e.Reach != tool.Exact || !e.Kind.IsPath() || !strings.Contains(e.Target, "/.") {
			continue
		}
		for _, target := range withParents(e.Target) {
			e.Target, e.Pattern = target, isWild(target)
			inv.Effects = append(inv.Effects, e)
		}
	}
}

// maxParents bounds the names of one pattern that are taken for the parent directory.
const maxParents = 4

// withParents are the paths that a pattern matches if names in it that can be ".." are. Patterns of
// searches, which find no such name, are left alone.
func withParents(pattern string) (list []string) {
	if w := firstWild(pattern); w.name == "" || w.searches() {
		return nil
	}
	ways := [][]string{strings.Split(pattern, "/")}
	for i, part := range ways[0] {
		if !paths.CanBeParent(part) || len(ways) == 1<<maxParents {
			continue
		}
		for _, way := range ways {
			way = slices.Clone(way)
			way[i] = ".."
			ways = append(ways, way)
			list = append(list, paths.Clean("/", strings.Join(way, "/")))
		}
	}
	return list
}

// mayMeet says whether an effect may be on links that nobody names: those that a pattern matches, that are in a
// list, or that lie in a directory of a program that goes through them.
func mayMeet(inv *command.Invocation, e tool.Effect) bool {
	switch {
	case !e.Kind.IsPath():
	case e.Reach == tool.Exact && e.Pattern:
		return !firstWild(e.Target).searches() || carries(inv)
	case e.Reach == tool.Exact:
		return e.Tree && inv.Follows
	case e.Reach == tool.Under:
		return carries(inv)
	}
	return false
}

// carries says whether an invocation shows or keeps what it reads, or does something else with it than count, compare or search:
// nobody learns what lies behind a link otherwise.
func carries(inv *command.Invocation) bool {
	return inv.Shows || inv.Sweeps || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind != tool.Read })
}

// onLink is an effect on a link that a pattern matches, or on what the rest of the pattern matches
// behind it.
func onLink(e tool.Effect, link, rest string) tool.Effect {
	e.Target, e.Pattern, e.Reach = link+rest, isWild(rest), tool.Exact
	if e.Pattern {
		e.Target = paths.Escape(link) + rest
	}
	return e
}

// namesMatched replaces a pattern that is read by the names that it matches, if it can.
func (led *ledger) namesMatched(inv *command.Invocation, i int) bool {
	e := inv.Effects[i]
	if e.Kind != tool.Read || !e.Pattern || led.inLoop() || !led.untouched() {
		return false
	}
	w := firstWild(e.Target)
	if w.name == "" || w.rest != "" || w.searches() {
		return false
	}
	found, whole := led.entriesIn(w.dir)
	if !whole {
		return false
	}
	names, sure := matching(w.name, found)
	if !sure || len(names) == 0 || len(names) > maxRead {
		return false
	}
	for k, have := range names {
		if e.Target, e.Pattern = w.dir+"/"+have, false; k == 0 {
			inv.Effects[i] = e
		} else {
			inv.Effects = append(inv.Effects, e)
		}
	}
	return true
}

// matching are the names that the shell puts in the place of a pattern; sure is
// false if that cannot be said.
func matching(pattern string, list []tool.Entry) (names []string, sure bool) {
	for _, e := range list {
		if e.Name[0] == '.' && pattern[0] != '.' {
			continue
		}
		is, sure := paths.Match(pattern, e.Name)
		if !sure {
			return nil, false
		}
		if is {
			names = append(names, e.Name)
		}
	}
	return names, true
}

// unmatched makes of patterns that match nothing on the disk what the shell makes of
// them: the words as they are, as of an option "-?" or a filter ".a[0]". (A shell that
// calls that an error does not run the command.)
func (r *reader) unmatched(inv *command.Invocation, s *state) {
	if r.world.Entries == nil || (s.opts|s.doubt)&optNullglob != 0 || !r.runsAsFound(inv) {
		return
	}
	for i := 1; i < len(inv.Words); i++ {
		w := &inv.Words[i]
		if !namesPattern(w) || !r.untouched() || s.isPosix() && w.At == 0 { // which may stand for another one
			continue
		}
		list, whole := r.entriesIn(inv.Dir.Text)
		if !whole {
			return
		}
		if names, sure := matching(w.Text, list); sure && len(names) == 0 {
			w.Text, w.Glob = plain(w.Text), false
		}
	}
	for _, w := range inv.Words[1:] {
		if w.Glob && w.Reach == tool.Exact && !w.Hollow && r.untouched() && matchesFiles(&r.ledger, w.Text) {
			inv.Flat++
		}
	}
}

// matchesFiles says whether all that a pattern matches on the disk are files: no directories, and no links.
func matchesFiles(led *ledger, pattern string) bool {
	if pattern[0] != '/' {
		pattern = paths.Escape(led.start) + "/" + pattern
	}
	w := firstWild(pattern)
	if paths.Climbs(w.dir) || w.name == "" || w.rest != "" || w.searches() || paths.CanBeParent(w.name) {
		return false
	}
	list, whole := led.entriesIn(w.dir)
	names, sure := matching(w.name, list)
	return whole && sure && len(names) > 0 && !slices.ContainsFunc(list, func(e tool.Entry) bool { return (e.Dir || e.Link) && slices.Contains(names, e.Name) })
}

// namesPattern says whether a word is a pattern of names in the directory itself, which its
// list has: those that stand for directories themselves are not listed.
func namesPattern(w *command.Word) bool {
	return w.Glob && w.Reach == tool.Exact && !w.Hollow && strings.IndexByte(w.Text, '/') < 0 && !paths.CanBeParent(w.Text)
}

// runsAsFound says whether an invocation runs once, on this machine, where the script begins.
func (r *reader) runsAsFound(inv *command.Invocation) bool {
	return !r.remote && !r.inLoop() && r.start != "" && inv.Dir.Reach == tool.Exact && inv.Dir.Text == r.start
}

// unignores notes that the list of files that git ignores is another one now: what it holds, or how it goes on.
func (led *ledger) unignores(path string, d command.Data, adds bool) {
	switch {
	case command.ListsIgnored(path): // for searches alone, which take back what it says
		if d.Reach != tool.Exact || strings.IndexByte(d.Text, '!') >= 0 {
			led.ignores = &command.Data{}
		}
	case !strings.HasSuffix(path, "/.gitignore") && !strings.HasSuffix(path, "/info/exclude"):
	case adds && d.Reach == tool.Exact && strings.IndexByte(d.Text, '!') < 0:
	case adds:
		led.ignores = &command.Data{}
	default:
		led.ignores = &d
	}
}

// clears notes a directory that is deleted with all below it.
func (led *ledger) clears(e tool.Effect) {
	led.unignores(e.Target, command.Data{}, false)
	if e.Pattern && matchesBeginning(e.Target, paths.Parent(e.Target)+"/.gitignore") && strings.Contains(e.Target, "/.") {
		led.ignores = &command.Data{}
	}
	if e.Tree && e.Reach == tool.Exact && !slices.Contains(led.deleted, e.Target) && len(led.deleted) < maxNamed {
		led.deleted = append(led.deleted, e.Target)
	}
}

// ownLitter takes deletions away that nobody loses anything by: what is not there now,
// beside things that are, was made by this very script when it is deleted, unless
// something was moved to that place; and a file that this script has overwritten before,
// as all that was in it is gone already. It counts only what is written out: a value may be
// another one than it seems, and takes no objection away.
func (r *reader) ownLitter(st *syntax.Stmt, s *state, inv *command.Invocation) {
	if r.world.Exists == nil || r.remote || r.inLoop() || r.start == "" || inv.Dir.Reach != tool.Exact || len(inv.Gaps) > 0 || len(inv.Via) > 0 || !writtenOut(st, inv) {
		return // elsewhere, or who runs it may have put other things under these names
	}
	all := len(inv.Effects)
	defer func() { inv.Cleared = len(inv.Effects) < all }()
	inv.Effects = slices.DeleteFunc(inv.Effects, func(e tool.Effect) bool {
		if !r.deletesOne(e) {
			return false
		}
		made := s.wrote(e.Target)
		litter := isLitter(&r.ledger, e, made) && (!e.Pattern && r.untouched() || len(r.invocations) <= maxOwn && (made != nil || mayHaveMade(r.invocations, e)) && onlyMade(&r.ledger, inv, e))
		if litter {
			s.files.takes(e, s.toil)
			r.clears(e)
		}
		return litter
	})
}

// deletesOne says whether an effect deletes one thing in the project, or what matches a pattern there.
func (here *site) deletesOne(e tool.Effect) bool {
	return e.Kind == tool.Delete && e.Reach == tool.Exact && paths.Within(e.Target, here.world.Project)
}

// isLitter says whether nothing is lost with a file: it is not there, or the script has put
// something else in its place. It configures nothing.
func isLitter(led *ledger, e tool.Effect, made *file) bool {
	if !isAbsent(led, e) && (made == nil || !made.replaced || e.Tree || e.Pattern) {
		return false
	}
	return led.world.Protected != nil && !led.world.Protected(e.Target)
}

// isAbsent says whether there surely is nothing on the disk that a deletion takes: a directory that it would be in is there, and
// it is not.
func isAbsent(led *ledger, e tool.Effect) bool {
	if e.Pattern {
		w := firstWild(e.Target)
		if w.name == "" || w.rest != "" || w.searches() || led.world.Entries == nil {
			return false
		}
		list, whole := led.entriesIn(w.dir)
		return whole && !slices.ContainsFunc(list, func(there tool.Entry) bool { return w.mayMatch(there.Name) })
	}
	there := led.world.Exists
	if there == nil || there(e.Target) {
		return false
	}
	for dir := paths.Parent(e.Target); paths.Within(dir, led.world.Project); dir = paths.Parent(dir) {
		if there(dir) {
			return true
		}
	}
	return false
}

// maxOwn bounds the invocations before a deletion that are looked at for what made the file.
const maxOwn = 256

// mayHaveMade says whether one of some invocations may have made what a deletion takes, on whichever way through the script.
func mayHaveMade(invs []*command.Invocation, gone tool.Effect) bool {
	return slices.ContainsFunc(invs, func(inv *command.Invocation) bool {
		return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
			switch {
			case e.Kind != tool.Write && e.Kind != tool.Create || e.Reach == tool.Anywhere:
				return false
			case e.Pattern:
				is, _ := paths.Match(e.Target, strings.ReplaceAll(gone.Target, "*", "x"))
				return is
			case gone.Pattern:
				is, _ := paths.Match(gone.Target, e.Target)
				return is || e.Reach != tool.Exact && paths.Within(paths.Parent(gone.Target), e.Target)
			}
			return paths.Within(gone.Target, e.Target) && (e.Target == gone.Target || e.Reach != tool.Exact)
		})
	})
}

// writtenOut says whether an invocation is just the words of a statement, each of which
// stands there as it is.
func writtenOut(st *syntax.Stmt, inv *command.Invocation) bool {
	if st == nil {
		return false
	}
	call, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) != len(inv.Words) {
		return false
	}
	for i, a := range call.Args {
		if a.Lit() == "" || a.Lit() != inv.Words[i].Text || strings.IndexFunc(a.Lit(), notPlain) >= 0 {
			return false
		}
	}
	return true
}

func notPlain(c rune) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-/+*", c))
}

// onlyMade says whether what has run before a deletion has made and changed files, and neither
// deleted nor moved any, nor changed something else than what is deleted now. A link that was made goes alone.
func onlyMade(led *ledger, deletes *command.Invocation, gone tool.Effect) bool {
	var moves, linked bool
	var becomes, lost bool // a file has become what is deleted, and one that was there before has become another one
	for _, inv := range led.invocations {
		other := func(e tool.Effect) bool {
			switch {
			case e.Kind != tool.Write:
			case e.Manner == tool.Moved && !e.Tree:
				moves = true
				becomes = becomes || e.Reach == tool.Anywhere || mayHaveMade([]*command.Invocation{inv}, gone)
				lost = lost || !isAbsent(led, e)
				return false
			case e.Manner == 0 && e.Target == gone.Target:
				return false
			}
			return takesAway(e)
		}
		misleads := func(l command.Link) bool { return mayLead(l, gone) || paths.Within(deletes.Dir.Text, l.From) }
		if len(inv.Gaps) > 0 || slices.ContainsFunc(inv.Links, misleads) || slices.ContainsFunc(inv.Effects, other) {
			return false
		}
		linked = linked || len(inv.Links) > 0
	}
	return len(led.gaps) == 0 && !(becomes && lost) && !(linked && moves)
}

// mayLead says whether a deletion may be one through a link, and not of the link itself or of something beside it.
func mayLead(l command.Link, gone tool.Effect) bool {
	return gone.Pattern || l.Pattern || l.Vague || l.Moved || l.To == command.Somewhere || gone.Target != l.From && paths.Within(gone.Target, l.From)
}

// takesAway says whether an effect may delete or move files, or change something else.
func takesAway(e tool.Effect) bool {
	switch {
	case e.Kind == tool.Delete, e.Kind == tool.Control, e.Tree && e.Kind == tool.Write:
		return true
	case e.Kind == tool.Execute:
		kind, _, named := strings.Cut(e.Target, ":")
		return !named || kind != "project" && kind != "file" && kind != "edited" && kind != "planted"
	}
	return false
}

// untouched says whether nothing that has run so far can have made a file.
func (led *ledger) untouched() bool {
	for ; !led.touched && led.checked < len(led.invocations); led.checked++ {
		inv := led.invocations[led.checked]
		led.touched = len(inv.Gaps) > 0
		for _, e := range inv.Effects {
			led.touched = led.touched || e.Kind != tool.Read && e.Kind != tool.Fetch && e.Kind != tool.Delete
		}
	}
	return !led.touched && len(led.gaps) == 0
}

// entriesIn lists a directory, which is asked for once.
func (led *ledger) entriesIn(dir string) ([]tool.Entry, bool) {
	for i := range led.looked {
		if l := &led.looked[i]; l.dir == dir {
			return l.list, l.whole
		}
	}
	found := directory{dir: dir}
	found.list, found.whole = led.world.Entries(dir)
	if len(led.looked) < 64 {
		led.looked = append(led.looked, found)
	}
	return found.list, found.whole
}

// directory is one that has been listed.
type directory struct {
	dir   string
	list  []tool.Entry
	whole bool
}

// wildPath is a pattern, taken apart at its first name with wildcards.
type wildPath struct {
	dir  string // before that name, without backslashes
	name string // "" if there is none
	rest string // behind it
}

// firstWild takes a pattern apart.
func firstWild(pattern string) wildPath {
	at := 0
	for at < len(pattern) {
		end := strings.IndexByte(pattern[at+1:], '/')
		if end < 0 {
			end = len(pattern)
		} else {
			end += at + 1
		}
		if isWild(pattern[at:end]) {
			return wildPath{plain(pattern[:at]), strings.TrimPrefix(pattern[at:end], "/"), pattern[end:]}
		}
		at = end
	}
	return wildPath{dir: plain(pattern)}
}

// searches says whether a pattern is what searches look for; they do not follow the links
// that they meet.
func (w wildPath) searches() bool { return w.name == "**" || strings.IndexByte(w.name, '(') >= 0 }

// mayMatch says whether a name may be one that the pattern matches.
func (w wildPath) mayMatch(name string) bool {
	is, sure := paths.Match(w.name, name)
	return is || !sure
}

// isWild says whether a part of a pattern stands for more than itself.
func isWild(part string) bool {
	for i := 0; i < len(part); i++ {
		switch part[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		case '(':
			return true // alternatives
		}
	}
	return false
}

// plain is a part of a pattern without its backslashes.
func plain(part string) string {
	if strings.IndexByte(part, '\\') < 0 {
		return part
	}
	var b strings.Builder
	for i := 0; i < len(part); i++ {
		if part[i] == '\\' && i+1 < len(part) {
			i++
		}
		b.WriteByte(part[i])
	}
	return b.String()
}
