package command

import (
	"slices"
	"strings"

	"longline/internal/tool"
	"longline/internal/value"
)

// gitURL is where commits come from: a configured remote, an address, or the
// path of another repository. Some addresses name a program to run. In a clone
// (mode "clone") a plain word is a path, elsewhere a remote, or with mode "forge" a
// repository of the forge; with mode "text" nothing is contacted yet, and with mode
// "pull" what comes from there is merged.
func (r *reader) gitURL(mode string, w Word) {
	if mode == "pull" && isAddress(w) {
		r.control("git.foreign", w.Span)
	}
	kind := tool.Fetch
	if mode == "send" {
		kind = tool.Send
	}
	switch {
	case w.Reach == tool.Under:
		r.pathUse(tool.Read, w, false)
		return
	case w.Reach == tool.Anywhere && !w.Plain:
		r.effect(tool.Effect{Kind: kind, Span: w.Span})
		return
	}
	if helper, rest, ok := strings.Cut(w.Text, "::"); ok && !strings.ContainsAny(helper, "/:@") {
		r.gitHelper(helper, mode, Word{Text: rest, Reach: w.Reach, Span: w.Span})
	} else if scheme, rest, ok := strings.Cut(w.Text, "://"); ok {
		r.gitScheme(scheme, kind, mode, Word{Text: rest, Reach: w.Reach, Taint: w.Taint, Span: w.Span})
	} else {
		r.gitPlace(kind, mode, w)
	}
}

// gitHelper is an address "HELPER::rest", for which git starts a program.
func (r *reader) gitHelper(helper, mode string, rest Word) {
	switch helper {
	case "ext", "fd":
		r.execute("inline:"+helper+"::", rest.Span)
	case "http", "https":
		r.gitURL(mode, rest)
	default:
		r.gap("unknown kind of address "+quote(helper+"::"), rest.Span)
	}
}

// gitScheme is an address "SCHEME://rest".
func (r *reader) gitScheme(scheme string, kind tool.Kind, mode string, rest Word) {
	switch strings.ToLower(scheme) {
	case "file":
		rest.Taint = 0
		r.pathUse(localKind(kind), rest, false)
	case "http", "https", "git", "ssh", "git+ssh", "ssh+git", "git+https", "git+http", "ftp", "ftps":
		if mode != "text" {
			r.host(kind, rest)
		}
	default:
		r.gap("unknown kind of address "+quote(scheme+"://"), rest.Span)
	}
}

// gitPlace is "host:path", a path, or the name of a remote or of a forge's repository.
func (r *reader) gitPlace(kind tool.Kind, mode string, w Word) {
	host, _, remote := strings.Cut(w.Text, ":")
	switch {
	case strings.HasPrefix(w.Text, "-"):
		r.gap("an address begins with a dash", w.Span)
	case remote && !strings.Contains(host, "/"):
		if mode != "text" {
			r.host(kind, Word{Text: host, Reach: tool.Exact, Span: w.Span})
		}
	case mode == "clone" || beginsWith("/ . ~", w.Text):
		r.pathUse(localKind(kind), w, false)
	case mode == "forge": // OWNER/NAME on the forge
		r.effect(tool.Effect{Kind: kind, Target: "@forge", Reach: tool.Exact, Span: w.Span})
	case mode != "text":
		r.effect(tool.Effect{Kind: kind, Target: "@remote", Reach: tool.Exact, Span: w.Span})
	}
}

// localKind is what happens to a local repository instead of fetching and sending.
func localKind(kind tool.Kind) tool.Kind {
	if kind == tool.Send {
		return tool.Write
	}
	return tool.Read
}

// gitClone is the directory that a clone makes when none is named. It is derived
// from the address as git does it. Its span is the empty one behind the
// address, where the directory could be written.
func (r *reader) gitClone(w Word) {
	if !slices.ContainsFunc(r.given, func(g flagUse) bool {
		return g.flag == nil || hasWord("--template -c --config --separate-git-dir --bare --mirror --recurse-submodules --recursive", g.name)
	}) {
		r.inv.Clones = true
	}
	operands := len(r.oper)
	if r.dashed >= 0 && len(r.level().After) > 0 {
		operands = r.dashed // what follows is for another program
	}
	if operands > 1 {
		return // the next operand names it
	}
	span := tool.Span{Start: w.Span.End, End: w.Span.End}
	name, ok := cloneName(w.Text)
	if !w.IsKnown() || !ok {
		r.effect(anyName(r.path(tool.Write, Word{Text: ".", Reach: tool.Under, Span: span})))
		return
	}
	if r.anyGiven(false, "--bare", "--mirror") {
		name += ".git"
	}
	e := r.path(tool.Write, Known(name, span))
	e.Tree = true
	r.effect(e)
}

// cloneName is the last part of an address without what git takes off its end.
func cloneName(address string) (string, bool) {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		// Without a path the host names the directory; a port does not.
		host, path, _ := strings.Cut(rest, "/")
		if i := strings.LastIndexByte(host, '@'); i >= 0 {
			host = host[i+1:]
		}
		if strings.Trim(path, "/") == "" {
			host, _, _ = strings.Cut(host, ":")
			path = host
		}
		address = path
	}
	address = strings.TrimRight(address, "/ ")
	address = strings.TrimRight(strings.TrimSuffix(address, "/.git"), "/")
	name := address[strings.LastIndexAny(address, "/:")+1:]
	for _, end := range [...]string{".git", ".bundle"} {
		name = strings.TrimSuffix(name, end)
	}
	return name, name != "" && name != "." && name != ".."
}

// gitPush is where commits are published to.
func (r *reader) gitPush(w Word) { r.gitURL("send", w) }

// gitRefspec is "SOURCE:DESTINATION" with a plus in front to force it. In a push
// an empty source deletes; in a fetch the destination is a local branch.
func gitRefspec(r *reader, mode string, w Word) {
	if mode == "fetch" {
		gitFetched(r, w)
		return
	}
	w = branchHere(r, w)
	source, dest, mapped := strings.Cut(w.Text, ":")
	source, forced := strings.CutPrefix(source, "+")
	if forced || w.Reach == tool.Anywhere && !w.Plain {
		r.controlOnce("git.push.force", w.Span)
	}
	if mapped && source == "" && (dest != "" || !w.IsKnown()) {
		r.controlOnce("git.push.force", w.Span)
		r.controlOnce("git.delete-branch", w.Span)
	}
}

// gitFetched is a refspec of a fetch.
func gitFetched(r *reader, w Word) {
	if w.Reach == tool.Anywhere && !w.Plain {
		r.gap("a refspec is known only at run time", w.Span)
		return
	}
	_, dest, _ := strings.Cut(w.Text, ":")
	if r.prunesInto(dest, !w.IsKnown()) {
		r.controlOnce("git.delete-branch", w.Span)
	}
	r.fetchesInto(dest, strings.HasPrefix(w.Text, "+"), w.Span)
}

// prunesInto says whether a fetch may delete branches among those that it maps to: what the other
// side does not have goes away there. Whoever has settings for it need not say so each time.
func (l *commandLine) prunesInto(dest string, open bool) bool {
	if isTracking(dest) || dest == "" && !open {
		return false
	}
	return strings.Contains(dest, "*") || l.anyGiven(false, "-p", "--prune")
}

// isTracking says whether branches of that name are copies of those of a remote.
func isTracking(dest string) bool { return strings.HasPrefix(dest, "refs/remotes/") }

// fetchesInto is the branch that a fetch changes, if there is one.
func (f *findings) fetchesInto(dest string, forced bool, span tool.Span) {
	if dest == "" || isTracking(dest) {
		return
	}
	if forced {
		f.controlOnce("git.rewrite", span)
	}
	f.controlOnce("git.branch", span)
}

// pushes is what a push publishes: commits on branches of one's own, which others
// look at before they take them, or more than that.
func (r *reader) pushes() {
	kind := r.pushed()
	r.controlOnce(kind, r.inv.Span)
	if r.anyGiven(false, "--all", "--branches", "--tags", "--mirror", "--prune", "-d", "--delete", "-f", "--force", "--force-with-lease", "--repo") {
		r.controlOnce("git.push", r.inv.Span)
	}
}

// pushed is what the operands of a push say.
func (r *reader) pushed() string {
	const all, topic = "git.push", "git.push.topic"
	if len(r.oper) > 0 && (!r.oper[0].IsKnown() || strings.ContainsAny(r.oper[0].Text, ":/.~+")) {
		return all // an address and no remote of the repository
	}
	if len(r.oper) < 2 {
		if sharedBranch(r.currentBranch()) {
			return all
		}
		return topic
	}
	for _, w := range r.oper[1:] {
		if w = branchHere(r, w); !w.IsKnown() || sharedBranch(r.pushedTo(w.Text)) {
			return all
		}
	}
	return topic
}

// branchHere is a word that stands for the name of the branch that is checked out.
func branchHere(r *reader, w Word) Word {
	name := r.currentBranch()
	if w.Of != value.Branch || w.Reach != tool.Anywhere || name == "" || strings.ContainsAny(name, "+:") {
		return w
	}
	return Known(name, w.Span)
}

// pushedTo is the branch that a refspec pushes to.
func (s *surroundings) pushedTo(refspec string) string {
	name := refspec[strings.LastIndexByte(refspec, ':')+1:]
	if name == "HEAD" || name == "@" {
		name = s.currentBranch()
	}
	return strings.TrimPrefix(name, "refs/heads/")
}

// takesRefspecs says whether the operands say which branches are pushed.
func (l *commandLine) takesRefspecs() bool {
	return slices.ContainsFunc(l.level().Operands, func(it Item) bool {
		return slices.ContainsFunc(it.Uses, func(u Use) bool { return u.Name == "git-refspec" })
	})
}

// sharedBranch says whether a branch is, or may be, one that others build on.
func sharedBranch(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return name == "" || strings.HasPrefix(name, "refs/") || strings.ContainsAny(name, "+*") ||
		hasWord("main master trunk develop development dev production prod release releases staging stable next live gh-pages pages hotfix support deploy env", strings.ToLower(first))
}

// currentBranch is the branch that the repository around the directory is on; ""
// if that is not known.
func (s *surroundings) currentBranch() string {
	if s.world.ReadFile == nil || s.dir.Reach != tool.Exact {
		return ""
	}
	for dir := s.dir.Text; dir != "/" && dir != ""; dir = dir[:max(strings.LastIndexByte(dir, '/'), 0)] {
		if data, err := s.world.ReadFile(dir + "/.git/HEAD"); err == nil {
			name, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: refs/heads/")
			if !ok {
				return ""
			}
			return name
		}
	}
	return ""
}
