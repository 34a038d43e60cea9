package command

import (
	"path"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// gitDirUse is a repository or a working tree.
func (r *reader) gitDirUse(w Word) {
	e := r.path(tool.Read, w)
	r.scope.repos = append(r.scope.repos, Word{Text: e.Target, Reach: e.Reach, Span: w.Span})
}

// gitPathUse is a pathspec, which is read unless another effect is named.
func (d *deeds) gitPathUse(kind string, w Word) { d.gitPath(max(tool.ParseKind(kind), tool.Read), w) }

// gitRevision is a revision, an object "REV:PATH", or a path where nothing says
// which. Objects and paths are read: the content of a secret file is as secret
// in the history as on the disk.
func (d *deeds) gitRevision(w Word) {
	if m := w.Made; m != nil && m.Mark != value.Numeral && m.Mark != value.Inherited && strings.HasSuffix(m.Text, ":"+m.Mark) {
		d.gitPath(tool.Read, m.By) // REV:{}
	}
	if w.Reach != tool.Exact {
		// Whatever the revision is, the file in it may be known: "$REV:.env".
		if _, path, ok := strings.Cut(w.Tail, ":"); ok && path != "" {
			d.gitPath(tool.Read, Known(path, w.Span))
		}
	}
	switch {
	case w.Reach == tool.Anywhere && !w.Plain:
		// What comes from a file, the network or another program's output may
		// begin with a dash, and some flags write files. A variable that nobody
		// set in this script is the user's own.
		if w.Taint != 0 || w.Span == (tool.Span{}) {
			d.gap("a word known only at run time may be a flag", w.Span)
		}
	case w.Glob || w.Reach == tool.Under:
		d.gitPath(tool.Read, w)
	case w.Plain:
	default:
		if path, ok := objectPath(w.Text); ok {
			v := w
			v.Text, v.At = path, 0
			d.gitPath(tool.Read, v)
		} else if w.Reach == tool.Exact && d.isPathspec(w.Text) {
			d.gitPath(tool.Read, w)
		}
	}
}

// objectPath is the path in "REV:PATH", ":PATH" and ":1:PATH".
func objectPath(text string) (string, bool) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '/':
			if i == 0 {
				return "", false
			}
		case ':':
			if depth > 0 {
				continue
			}
			rest := text[i+1:]
			if i == 0 {
				if strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "^") {
					return "", false // a search in messages, or magic of a pathspec
				}
				if len(rest) > 1 && rest[0] >= '0' && rest[0] <= '3' && rest[1] == ':' {
					rest = rest[2:]
				}
			}
			return rest, rest != ""
		}
	}
	return "", false
}

// isPathspec decides between path and revision as git does: what is there is a
// path. Where the disk cannot be asked, the look of the word decides.
func (s *surroundings) isPathspec(text string) bool {
	switch {
	case text == "." || text == ".." || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || strings.HasPrefix(text, "/"):
		return true
	case strings.HasPrefix(text, ":(") || strings.HasPrefix(text, ":!") || strings.HasPrefix(text, ":^") || strings.HasPrefix(text, ":/"):
		return true
	case strings.Contains(text, "..") || strings.ContainsAny(text, "^~") || strings.Contains(text, "@{") || text == "@" || strings.HasSuffix(text, "HEAD"):
		return false
	case strings.HasSuffix(text, "/") || strings.HasPrefix(text, ".") || paths.Wild(text):
		return true
	}
	if s.world.Exists == nil {
		return false
	}
	e := s.path(tool.Read, Known(text, tool.Span{}))
	return e.Reach == tool.Exact && s.world.Exists(e.Target)
}

// gitPath is a pathspec: a path or pattern with everything below it, perhaps
// with magic in front.
func (d *deeds) gitPath(kind tool.Kind, w Word) {
	if w.IsKnown() {
		rest, ok := pathspec(w.Text)
		if !ok {
			return // it leaves files out
		}
		if rest == "" {
			rest = "."
		}
		if rest != w.Text {
			w.Text, w.At = rest, 0
		}
		w.Glob = paths.Wild(rest)
	}
	e := d.path(kind, w)
	e.Tree = (kind == tool.Read || kind == tool.Delete) && !e.Pattern
	d.effect(e)
}

// pathspec strips the magic of a pathspec. It returns false where that says
// which files are left out.
func pathspec(text string) (string, bool) {
	if !strings.HasPrefix(text, ":") {
		return text, true
	}
	if magic, rest, ok := strings.Cut(text, ")"); ok && strings.HasPrefix(magic, ":(") {
		return rest, !strings.Contains(magic, "exclude")
	}
	rest := strings.TrimLeft(text[1:], "/!^")
	return rest, !strings.ContainsAny(text[1:len(text)-len(rest)], "!^")
}

// gitRange is "START,END:FILE" or ":NAME:FILE".
func (r *reader) gitRange(w Word) {
	if i := strings.LastIndexByte(w.Text, ':'); i >= 0 {
		v := w
		v.Text, v.At = w.Text[i+1:], w.At.Shift(i+1)
		r.pathUse(tool.Read, v, false)
	}
}

// gitCheckout is an operand of the command that switches branches when given
// one and throws away changes when given paths.
func (r *reader) gitCheckout(w Word) {
	for _, creating := range [...]string{"-b", "-B", "--orphan", "--detach", "-d", "-t", "--track"} {
		if r.flagGiven(creating, true) {
			return // a commit to start from
		}
	}
	paths := len(r.oper) > 1
	if r.dashed >= 0 {
		paths = r.dashed < len(r.oper)
	}
	switch {
	case paths && r.at == 0: // the commit that files are taken from, or the first file
		if r.dashed < 0 && (!w.IsKnown() || r.isPathspec(w.Text)) {
			r.gitRestore(w)
		}
		r.controlOnce("git.discard", w.Span)
	case paths:
		r.gitRestore(w)
	case !w.IsKnown() && !w.Plain && w.Reach != tool.Prefix:
		r.gitRestore(w) // it may be a path as well
	case w.IsKnown() && r.dashed < 0 && w.Text != "-" && r.isPathspec(w.Text):
		r.gitRestore(w)
	default:
		r.controlOnce("git.branch", w.Span)
	}
}

// gitRestore is a path whose uncommitted changes are thrown away.
func (d *deeds) gitRestore(w Word) {
	d.controlOnce("git.discard", w.Span)
	d.gitPath(tool.Write, w)
}

// gitReset is an operand of the command that moves a branch when given a commit
// and only the index when given paths. Moving a branch loses no file, but the
// branch lets go of commits, so it counts as rewriting.
func (r *reader) gitReset(w Word) {
	paths := len(r.oper) > 1
	if r.dashed >= 0 {
		paths = r.dashed < len(r.oper)
	}
	if paths && !r.flagGiven("--hard", true) {
		return
	}
	if w.IsKnown() && (w.Text == "HEAD" || w.Text == "@" || r.dashed < 0 && r.isPathspec(w.Text)) {
		return
	}
	if r.flagGiven("--hard", false) || r.flagGiven("--merge", false) || r.flagGiven("--keep", false) {
		r.controlOnce("git.rewrite", w.Span)
		return
	}
	r.controlOnce("git.redo", w.Span) // the files stay as they are, and the commit in the reflog
}

// gitRename is the new name of a branch. One that is taken by another is lost, with
// what only it holds.
func (r *reader) gitRename(w Word) {
	if last := r.oper[len(r.oper)-1]; last.Span != w.Span || last.Text != w.Text {
		return
	}
	switch {
	case !w.IsKnown() || r.dir.Reach != tool.Exact || r.world.Exists == nil || r.world.ReadFile == nil:
		r.controlOnce("git.rewrite", w.Span)
	case r.gitDir(Follow(r.dir.Text, r.world)) == "":
		r.controlOnce("git.redo", w.Span) // there is no repository, or one is made just now
	case r.branchTaken(w.Text):
		r.controlOnce("git.rewrite", w.Span)
	default:
		r.controlOnce("git.branch", w.Span)
	}
}

// branchTaken says whether there may be a branch of that name besides the one in use.
func (s *surroundings) branchTaken(name string) bool {
	world := s.world
	dir := s.gitDir(Follow(s.dir.Text, world))
	if path.Base(dir) != ".git" || world.Exists(dir+"/reftable") || strings.Contains(name, "..") {
		return true
	}
	if head, err := world.ReadFile(dir + "/HEAD"); err == nil && strings.TrimSpace(string(head)) == "ref: refs/heads/"+name {
		return false
	}
	packed, _ := world.ReadFile(dir + "/packed-refs")
	return world.Exists(dir+"/refs/heads/"+name) || strings.Contains(string(packed)+"\n", " refs/heads/"+name+"\n")
}

// gitPatch is a file of changes that is applied: the paths it names are
// written. One that cannot be read may write anything below.
func (r *reader) gitPatch(w Word) {
	r.pathUse(tool.Read, w, false)
	text, ok := "", false
	if namesStream(w) {
		text, ok = r.inv.Stdin.Text, r.inv.Stdin.Reach == tool.Exact && !r.inv.Stdin.None
	} else if e := r.path(tool.Read, w); e.Reach == tool.Exact && !e.Pattern && r.world.ReadFile != nil {
		data, err := r.world.ReadFile(e.Target)
		text, ok = string(data), err == nil
	}
	if ok && !r.flagGiven("-p", false) && !r.flagGiven("--directory", false) && r.patchedPaths(text, w.Span) {
		return
	}
	e := r.path(tool.Write, Known(".", w.Span))
	e.Tree = true
	r.effect(e)
}

// patchedPaths adds a write for each file that a patch names. It returns false
// when it finds none, or names that are written in another way.
func (d *deeds) patchedPaths(text string, span tool.Span) bool {
	found := false
	for line := range strings.SplitSeq(text, "\n") {
		name, ok := strings.CutPrefix(line, "+++ ")
		if !ok {
			if name, ok = strings.CutPrefix(line, "--- "); !ok {
				if strings.HasPrefix(line, "rename ") || strings.HasPrefix(line, "copy ") || strings.HasPrefix(line, "GIT binary") {
					return false
				}
				continue
			}
		}
		name, _, _ = strings.Cut(strings.TrimSuffix(name, "\r"), "\t")
		if name == "/dev/null" {
			continue
		}
		_, file, ok := strings.Cut(name, "/")
		if !ok || strings.HasPrefix(name, `"`) || strings.Contains(name, "..") {
			return false
		}
		d.effect(d.path(tool.Write, Known(file, span)))
		found = true
	}
	return found
}

// repository adds what comes from working in a repository that is not the
// project's. Reading it runs programs that its own configuration names, which
// is no danger in a repository the user keeps (looking into another one below
// the home directory is everyday work), but where downloads land that
// configuration is a stranger's. Changing it is a write outside the project.
func (r *reader) repository(kind tool.Kind) {
	for _, dir := range r.scope.repos {
		r.repositoryAt(kind, dir)
	}
	if len(r.scope.repos) == 0 {
		r.repositoryAt(kind, r.dir)
	}
}

func (r *reader) repositoryAt(kind tool.Kind, dir Word) {
	if dir.Reach == tool.Anywhere || dir.Reach == tool.Prefix {
		r.gap("the repository is known only at run time", r.inv.Span)
		return
	}
	if dir.Reach == tool.Exact && kind == tool.Execute {
		r.carried(dir.Text)
	}
	if paths.Within(dir.Text, r.world.Project) && !r.staysInside(dir.Text) {
		dir.Text = Follow(dir.Text, r.world)
	}
	if paths.Within(dir.Text, r.world.Project) {
		if kind == tool.Execute && r.world.Sandbox != "" && paths.Within(dir.Text, r.world.Sandbox) && !paths.Within(r.world.Project, r.world.Sandbox) && !r.asCloned(dir) {
			r.execute("config:"+dir.Text+"/.git/config", r.inv.Span)
		}
		return
	}
	switch {
	case kind == tool.Write:
		r.effect(pathEffect(tool.Write, Known(".", r.inv.Span), dir, r.world))
	case paths.Within(dir.Text, r.world.Sandbox) || paths.Within(dir.Text, "/tmp") || paths.Within(dir.Text, "/private/tmp") || paths.Within(dir.Text, "/var/tmp") || paths.Within(dir.Text, "/dev/shm") ||
		r.world.Home != "" && paths.Within(dir.Text, r.world.Home+"/Downloads"):
		if r.asCloned(dir) {
			return
		}
		r.execute("config:"+dir.Text+"/.git/config", r.inv.Span)
	}
}

// controlOnce adds a control effect unless it is there already.
func (f *findings) controlOnce(name string, span tool.Span) {
	for _, e := range f.inv.Effects {
		if e.Kind == tool.Control && e.Target == name {
			return
		}
	}
	f.control(name, span)
}
