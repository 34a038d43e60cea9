package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// maxMet bounds the links that the patterns of one invocation are followed through.
const maxMet = 256

// maxRead bounds the names that a pattern is replaced by.
const maxRead = 32

// throughPatterns holds patterns against what is there on the disk. Effects are
// repeated on the links that they match: a repository can ship a link under a
// harmless name, and rules follow only what is named. A pattern that is read is
// replaced by the names that it matches, if these are few and nothing before it can
// have changed them: rules have to take "package*.json" for all that it could be.
func (r *reader) throughPatterns(inv *command.Invocation) {
	if r.world.Entries == nil || r.remote {
		return
	}
	for i, n := 0, len(inv.Effects); i < n; i++ {
		e := inv.Effects[i]
		if !e.Pattern || e.Reach != tool.Exact || e.Kind != tool.Read && e.Kind != tool.Write {
			continue
		}
		dir, name, rest := firstWild(e.Target)
		if name == "**" || strings.IndexByte(name, '(') >= 0 {
			continue // what searches look for; they do not follow the links that they meet
		}
		found, whole := r.entriesIn(dir)
		if whole && rest == "" && r.namesMatched(inv, i, dir, name, found) {
			continue
		}
		for _, entry := range found {
			if is, sure := paths.Match(name, entry.Name); !entry.Link || sure && !is {
				continue
			}
			if len(inv.Effects) > n+maxMet {
				inv.Gaps = append(inv.Gaps, command.Gap{Why: "more links match than can be followed", Span: e.Span})
				return
			}
			inv.Effects = append(inv.Effects, onLink(e, dir+"/"+entry.Name, rest))
		}
	}
}

// onLink is an effect on a link that a pattern matches, or on what the rest of the pattern matches
// behind it.
func onLink(e tool.Effect, link, rest string) tool.Effect {
	e.Target, e.Pattern = link+rest, isWild(rest)
	if e.Pattern {
		e.Target = paths.Escape(link) + rest
	}
	return e
}

// namesMatched replaces a pattern that is read by the names that it matches, if it can.
func (r *reader) namesMatched(inv *command.Invocation, i int, dir, pattern string, found []tool.Entry) bool {
	e := inv.Effects[i]
	if e.Kind != tool.Read || r.loops > 0 || r.outside || !r.untouched() {
		return false
	}
	names, sure := matching(pattern, found)
	if !sure || len(names) == 0 || len(names) > maxRead {
		return false
	}
	for k, have := range names {
		if e.Target, e.Pattern = dir+"/"+have, false; k == 0 {
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
	if r.world.Entries == nil || r.remote || r.start == "" || inv.Dir.Reach != tool.Exact || inv.Dir.Text != r.start || (s.opts|s.doubt)&optNullglob != 0 || r.loops > 0 || r.outside {
		return
	}
	for i := 1; i < len(inv.Words); i++ {
		w := &inv.Words[i]
		if !w.Glob || w.Reach != tool.Exact || strings.IndexByte(w.Text, '/') >= 0 || !r.untouched() {
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
}

// ownLitter takes deletions away that nobody loses anything by: what is not there now,
// beside things that are, was made by this very script when it is deleted, unless
// something was moved to that place; and a file that this script has overwritten before,
// as all that was in it is gone already. It counts only what is written out: a value may be
// another one than it seems, and takes no objection away.
func (r *reader) ownLitter(st *syntax.Stmt, s *state, inv *command.Invocation) {
	if !writtenOut(st, inv) || r.start == "" || inv.Dir.Reach != tool.Exact || inv.Dir.Text != r.start {
		return
	}
	if r.world.Exists == nil || r.remote || r.outside || r.loops > 0 || len(inv.Gaps) > 0 || len(inv.Via) > 0 {
		return // elsewhere, or who runs it may have put other things under these names
	}
	all := len(inv.Effects)
	defer func() { inv.Cleared = len(inv.Effects) < all }()
	inv.Effects = slices.DeleteFunc(inv.Effects, func(e tool.Effect) bool {
		if e.Kind != tool.Delete || e.Reach != tool.Exact || e.Pattern || !paths.Within(e.Target, r.world.Project) {
			return false
		}
		made := s.wrote(e.Target)
		if (r.world.Exists(e.Target) || !r.world.Exists(paths.Parent(e.Target))) && (made == nil || !made.replaced || e.Tree) {
			return false
		}
		if r.world.Protected == nil || r.world.Protected(e.Target) {
			return false
		}
		return r.untouched() || made != nil && r.onlyMade()
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
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-/+", c))
}

// onlyMade says whether what has run so far has made and changed files, and neither
// deleted nor moved any, nor changed something else.
func (n *notes) onlyMade() bool {
	for _, inv := range n.invocations {
		if len(inv.Gaps) > 0 || len(inv.Links) > 0 {
			return false
		}
		for _, e := range inv.Effects {
			switch {
			case e.Kind == tool.Delete, e.Kind == tool.Control, e.Tree && e.Kind == tool.Write:
				return false
			case e.Kind == tool.Execute && !strings.HasPrefix(e.Target, "project:") && !strings.HasPrefix(e.Target, "file:") && !strings.HasPrefix(e.Target, "edited:") && !strings.HasPrefix(e.Target, "planted:"):
				return false
			}
		}
	}
	return len(n.gaps) == 0
}

// untouched says whether nothing that has run so far can have made a file.
func (r *reader) untouched() bool {
	for ; !r.touched && r.checked < len(r.invocations); r.checked++ {
		inv := r.invocations[r.checked]
		r.touched = len(inv.Gaps) > 0
		for _, e := range inv.Effects {
			r.touched = r.touched || e.Kind != tool.Read && e.Kind != tool.Fetch && e.Kind != tool.Delete
		}
	}
	return !r.touched && len(r.gaps) == 0
}

// entriesIn lists a directory, which is asked for once.
func (r *reader) entriesIn(dir string) ([]tool.Entry, bool) {
	for i := range r.looked {
		if l := &r.looked[i]; l.dir == dir {
			return l.list, l.whole
		}
	}
	found := directory{dir: dir}
	found.list, found.whole = r.world.Entries(dir)
	if len(r.looked) < 64 {
		r.looked = append(r.looked, found)
	}
	return found.list, found.whole
}

// directory is one that has been listed.
type directory struct {
	dir   string
	list  []tool.Entry
	whole bool
}

// firstWild takes a pattern apart at its first name with wildcards: the directory
// before it, without backslashes, and what follows.
func firstWild(pattern string) (dir, name, rest string) {
	at := 0
	for at < len(pattern) {
		end := strings.IndexByte(pattern[at+1:], '/')
		if end < 0 {
			end = len(pattern)
		} else {
			end += at + 1
		}
		if isWild(pattern[at:end]) {
			return plain(pattern[:at]), strings.TrimPrefix(pattern[at:end], "/"), pattern[end:]
		}
		at = end
	}
	return plain(pattern), "", ""
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
