package session

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// Seen is a call that was judged, as the journal learns from it.
type Seen struct {
	Call    *tool.Call
	Verdict *tool.Verdict
	Invs    []*command.Invocation
	// Runs says that it will run or has run; what was only asked about has not yet.
	Runs bool
	// Once says that a person has allowed it once.
	Once          bool
	Home, Project string
}

// prints are the control effects that show a secret.
var prints = []string{"secret.print", "cloud.secret", "cluster.secret", "forge.secret", "env.dump", "clipboard.read", "secret.send"}

// Learn returns the lines that a call adds to the journal; none that is there already.
func (j *Journal) Learn(s Seen, now int64) []Entry {
	l := learner{j: j, now: now}
	l.denials(&s)
	if s.Runs {
		if s.Verdict.Asks && s.Verdict.Decision == tool.Ask { // so a person has agreed
			l.add(Agreed, digest(s.Call))
		}
		for _, path := range s.Verdict.Secrets {
			l.add(Secret, "read", path)
		}
		for _, e := range s.Call.Effects {
			l.prints(e)
			if writes(e) {
				l.wrote(e)
			}
		}
		for _, inv := range s.Invs {
			l.invocation(&s, inv)
		}
	}
	return l.new
}

// Met returns the line about untrusted text, if it is new.
func (j *Journal) Met(verdict, where, kinds string, now int64) []Entry {
	l := learner{j: j, now: now}
	l.add(Untrusted, verdict, where, kinds)
	return l.new
}

type learner struct {
	j   *Journal
	now int64
	new []Entry
}

// add adds a line unless it is there, or there are too many of its kind.
func (l *learner) add(k Kind, texts ...string) {
	for _, t := range texts {
		if len(t) > maxText || strings.IndexByte(t, 0) >= 0 {
			k, texts = Full, []string{string(k)} // nobody works with such names
			break
		}
	}
	e := Entry{k, l.now, texts}
	if n := most(k); n > 0 && l.j.count(k) >= n {
		e = Entry{Full, l.now, []string{string(k)}}
	}
	if e.Kind != Denied && e.Kind != Lifted && e.Kind != Ran && l.j.has(e) && !l.ranSince(e) {
		return // of those three the order counts
	}
	l.j.Entries = append(l.j.Entries, e)
	l.new = append(l.new, e)
}

// ranSince says whether a line is about a directory whose code has run since it was fetched.
func (l *learner) ranSince(e Entry) bool {
	if e.Kind != Fetched || e.Texts[2] != "tree" {
		return false
	}
	for _, old := range slices.Backward(l.j.Entries) {
		if old.Kind == Ran && old.Texts[0] == e.Texts[0] || old.same(e) {
			return old.Kind == Ran
		}
	}
	return false
}

// denials adds what was denied, and lifts what is not denied any more: a person has
// allowed it, or the very call that was denied is not.
func (l *learner) denials(s *Seen) {
	if s.Verdict.Decision != tool.Deny && l.j.count(Denied) == 0 {
		return
	}
	var standing []tool.Denial
	if past := l.j.Past(); past != nil {
		standing = past.Denied
	}
	l.lift(s, standing)
	if s.Once || s.Verdict.Decision != tool.Deny {
		return
	}
	// That of the rule whose reason was given comes first: it is named later.
	found := slices.Clone(s.Verdict.Denied)
	slices.SortStableFunc(found, func(a, b tool.Denial) int {
		return rank(a.Rule == s.Verdict.Rule) - rank(b.Rule == s.Verdict.Rule)
	})
	for _, d := range found {
		if names(standing, d) {
			continue
		}
		standing = append(standing, d)
		l.add(denialEntry(d, l.now).Kind, denialEntry(d, l.now).Texts...)
	}
}

// lift lifts the denials that stand no longer.
func (l *learner) lift(s *Seen, standing []tool.Denial) {
	mark := s.Call.Mark()
	for _, d := range standing {
		switch {
		case s.Once && (d.Call == mark || names(s.Verdict.Again, d) || names(s.Verdict.Denied, d)):
			l.add(Lifted, key(d), "allow-once")
		case d.Call == mark && s.Verdict.Decision < tool.Deny:
			l.add(Lifted, key(d), "the rules")
		}
	}
}

// names reports whether a denial is among others.
func names(list []tool.Denial, d tool.Denial) bool {
	return slices.ContainsFunc(list, func(x tool.Denial) bool { return key(x) == key(d) })
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// prints adds a secret that is shown.
func (l *learner) prints(e tool.Effect) {
	if e.Kind == tool.Control && slices.Contains(prints, e.Target) {
		l.add(Secret, "print", e.Target)
	}
}

func writes(e tool.Effect) bool {
	return (e.Kind == tool.Write || e.Kind == tool.Create) && e.Reach == tool.Exact && !e.Pattern &&
		strings.HasPrefix(e.Target, "/") && !strings.HasPrefix(e.Target, "/dev/")
}

func (l *learner) wrote(e tool.Effect) {
	if !e.Tree {
		l.add(Written, e.Target)
	}
}

func (l *learner) invocation(s *Seen, inv *command.Invocation) {
	if inv.Remote {
		return
	}
	for _, e := range inv.Effects {
		l.prints(e)
	}
	if inv.Code != nil && inv.Code.Fetched != nil && inv.Code.Fetched.Tree && !inv.Code.Fetched.Ran {
		l.add(Ran, inv.Code.Fetched.Path)
	}
	if inv.Code != nil {
		for _, p := range inv.Code.Adds {
			l.added(p)
		}
	}
	from, brings := fetches(inv)
	if !brings {
		from, brings = l.copies(inv)
	}
	trees := brings || unpacks(inv)
	for _, e := range inv.Effects {
		switch {
		case !writes(e) || s.isRoot(e.Target):
		case trees && e.Tree:
			l.add(Fetched, e.Target, from, "tree")
		case brings:
			l.add(Fetched, e.Target, from, "")
		default:
			l.wrote(e)
		}
	}
}

// added adds what is new by an invocation.
func (l *learner) added(what string) {
	kind, name, _ := strings.Cut(what, " ")
	at := strings.LastIndexByte(name, ' ')
	switch {
	case kind == "remote":
		l.add(Remote, name[:max(at, 0)], name[at+1:], "")
	case kind == "pulled":
		l.add(Remote, name[:max(at, 0)], name[at+1:], kind)
	default:
		l.add(Added, kind, name)
	}
}

// isRoot reports whether a path is the project, or the home directory.
func (s *Seen) isRoot(path string) bool { return path == s.Project || path == s.Home }

// unpacks says whether a command fills a directory with code of others: out of an archive, or from a forge.
func unpacks(inv *command.Invocation) bool {
	reads := 0
	for _, e := range inv.Effects {
		switch {
		case e.Kind == tool.Fetch && e.Target == "@forge":
			return true
		case e.Kind == tool.Read && (e.Tree || e.Pattern || e.Reach != tool.Exact):
			return false
		case e.Kind == tool.Read:
			reads++
		}
	}
	return inv.Unpacks&^command.Patches != 0 && reads == 1
}

// fetches says whether a command brings something from the network, and from where.
func fetches(inv *command.Invocation) (from string, brings bool) {
	brings = inv.Stdin.Taint&command.FromNet != 0
	for _, e := range inv.Effects {
		if e.Kind == tool.Fetch && inv.Brings(e) && isOthers(inv, e.Target) {
			brings = true
			if e.Reach == tool.Exact {
				from = e.Target
			}
		}
	}
	return from, brings
}

// isOthers says whether anybody may have put there what comes from a host. The repository's remote, the database, the
// cluster and the services of this machine are the user's own, and what installs packages writes down their names.
func isOthers(inv *command.Invocation, host string) bool {
	switch host {
	case "@forge", "@cloud":
		return true
	case "@registry":
		return !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && strings.HasPrefix(e.Target, "package.") })
	}
	return !strings.HasPrefix(host, "@")
}

// copies says whether a command only hands on what was fetched before: it reads it,
// and runs nothing.
func (l *learner) copies(inv *command.Invocation) (from string, is bool) {
	for _, e := range inv.Effects {
		// others: they do not say where the text is from.
		switch e.Kind {
		case tool.Execute:
			return "", false
		case tool.Read:
			for i := range l.j.Entries {
				if x := &l.j.Entries[i]; x.Kind == Fetched && e.Reach == tool.Exact && (x.Texts[0] == e.Target || x.Texts[2] == "tree" && strings.HasPrefix(e.Target, x.Texts[0]+"/")) {
					from, is = x.Texts[1], true
				}
			}
		}
	}
	return from, is
}
