package command

import (
	"path"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// gitDirUse is a repository or a working tree.
func (r *reader) gitDirUse(mode string, w Word) {
	e := r.path(tool.Read, w)
	if mode == "store" {
		r.scope.stores++
	}
	r.scope.repos = append(r.scope.repos, Word{Text: e.Target, Reach: e.Reach, Span: w.Span})
}

// gitPathUse is a pathspec, which is read unless another effect is named.
func gitPathUse(r *reader, kind string, w Word) {
	how, n := max(tool.ParseKind(kind), tool.Read), len(r.inv.Effects)
	r.gitPath(how, w)
	if r.scope.tree { // those that are ignored as well
		for i := n; i < len(r.inv.Effects); i++ {
			r.inv.Effects[i].Tree = true
		}
		e := r.path(how, w)
		r.noteListed(e, w)
		if e.Reach != tool.Anywhere && !isCertain(e) {
			r.scope.listed = true
		}
	}
}

// gitRevision is a revision, an object "REV:PATH", or a path where nothing says
// which. Objects and paths are read: the content of a secret file is as secret
// in the history as on the disk.
func (d *deeds) gitRevision(w Word) {
	d.gitObject(w)
	switch {
	case w.Reach == tool.Anywhere && !w.Plain:
		// What comes from a file, the network or another program's output may
		// begin with a dash, and some flags write files. A variable that nobody
		// set in this script is the user's own.
		if w.Taint != 0 || w.Span == (tool.Span{}) {
			d.gap("a word known only at run time may be a flag", w.Span)
		}
		d.inv.Commits = true // it may be REV:PATH
	case w.Glob || w.Reach == tool.Under:
		if path, ok := objectPath(w.Text); ok {
			w.Text, w.At = path, 0
			d.inv.Commits = true
		}
		d.gitPath(tool.Read, w)
	case !w.Plain:
		d.gitWord(w)
	}
}

// gitWord is an object or a path whose beginning, or all of it, is known; a revision is
// nothing that is read.
func (d *deeds) gitWord(w Word) {
	if path, ok := objectPath(w.Text); ok {
		w.Text, w.At = path, 0
		d.inv.Commits = true
		d.gitPath(tool.Read, w)
	} else if w.Reach != tool.Exact && strings.HasSuffix(w.Text, ":") { // of any path
		d.inv.Commits = true
	} else if w.Reach == tool.Exact && d.isPathspec(w.Text) {
		d.gitPath(tool.Read, w)
	}
}

// gitObject is the file in "REV:PATH" if it is known, whatever the revision is, or if it
// is one of those that a program finds.
func (d *deeds) gitObject(w Word) {
	if m := madeOfNames(w); m != nil && strings.HasSuffix(m.Text, ":"+m.Mark) {
		d.inv.Commits = true
		d.gitPath(tool.Read, m.By) // REV:{}
	}
	if w.Reach == tool.Exact {
		return
	}
	if _, path, ok := strings.Cut(w.Tail, ":"); ok && path != "" {
		d.inv.Commits = true
		d.gitPath(tool.Read, Known(path, w.Span))
	}
}

// madeOfNames is how a word is made of the names of files that a program finds, or nil.
func madeOfNames(w Word) *Made {
	if m := w.Made; m != nil && m.Mark != value.Numeral && m.Mark != value.Inherited && m.Mark != value.Scratch {
		return m
	}
	return nil
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
			if i == 0 {
				return indexPath(text[1:])
			}
			return text[i+1:], text[i+1:] != ""
		}
	}
	return "", false
}

// indexPath is the path of an object in the index, of which ":" has been read.
func indexPath(text string) (string, bool) {
	if beginsWith("/ ( ! ^", text) {
		return "", false // a search in messages, or magic of a pathspec
	}
	if len(text) > 1 && text[0] >= '0' && text[0] <= '3' && text[1] == ':' {
		text = text[2:]
	}
	return text, text != ""
}

// isPathspec decides between path and revision as git does: what is there is a
// path. Where the disk cannot be asked, the look of the word decides.
func (s *surroundings) isPathspec(text string) bool {
	switch {
	case isPathText(text) || beginsWith(":( :! :^ :/", text):
		return true
	case looksLikeRevision(text):
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

// looksLikeRevision says whether a text is written as only a revision is.
func looksLikeRevision(text string) bool {
	return strings.Contains(text, "..") || strings.ContainsAny(text, "^~") || strings.Contains(text, "@{") || text == "@" || strings.HasSuffix(text, "HEAD")
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
	if r.anyGiven(true, "-b", "-B", "--orphan", "--detach", "-d", "-t", "--track") {
		return // a commit to start from
	}
	paths := r.givesPaths()
	switch {
	case paths && r.at == 0: // the commit that files are taken from, or the first file
		if r.dashed < 0 && (!w.IsKnown() || r.isPathspec(w.Text)) {
			r.gitRestore(w)
		}
		r.controlOnce("git.discard", w.Span)
	case paths || r.mayBePath(w):
		r.gitRestore(w)
	default:
		r.controlOnce("git.branch", w.Span)
	}
}

// givesPaths says whether there are paths behind a commit, or behind "--".
func (l *commandLine) givesPaths() bool {
	if l.dashed >= 0 {
		return l.dashed < len(l.oper)
	}
	return len(l.oper) > 1
}

// mayBePath says whether a single word can be a path, and not a commit.
func (r *reader) mayBePath(w Word) bool {
	if !w.IsKnown() {
		return !w.Plain && w.Reach != tool.Prefix
	}
	return r.dashed < 0 && w.Text != "-" && r.isPathspec(w.Text)
}

// anyGiven says whether one of some flags is given; see [commandLine.flagGiven].
func (l *commandLine) anyGiven(certain bool, flags ...string) bool {
	for _, flag := range flags {
		if l.flagGiven(flag, certain) {
			return true
		}
	}
	return false
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
	if r.givesPaths() && !r.flagGiven("--hard", true) {
		return
	}
	if w.IsKnown() && (w.Text == "HEAD" || w.Text == "@" || r.dashed < 0 && r.isPathspec(w.Text)) {
		return
	}
	if r.anyGiven(false, "--hard", "--merge", "--keep") {
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
	text, ok := r.patchText(w)
	if ok && makesLink(text) {
		r.gap("the patch makes a symbolic link", w.Span)
	}
	if ok && !r.anyGiven(false, "-p", "--directory") && r.patchedPaths(text, w.Span) {
		return
	}
	e := r.path(tool.Write, Known(".", w.Span))
	e.Tree = true
	r.effect(e)
}

// makesLink says whether a patch makes a symbolic link.
func makesLink(text string) bool {
	return strings.Contains(text, "\nnew file mode 120000") || strings.Contains(text, "\nnew mode 120000")
}

// patchText is the text of a file, or of standard input, if it can be read.
func (d *deeds) patchText(w Word) (text string, ok bool) {
	if in := d.inv.Stdin; namesInput(w) {
		return in.Text, in.Reach == tool.Exact && !in.None
	}
	e := d.path(tool.Read, w)
	if !isCertain(e) || d.world.ReadFile == nil {
		return "", false
	}
	data, err := d.world.ReadFile(e.Target)
	return string(data), err == nil
}

// patchedPaths adds a write for each file that a patch names. It returns false
// when it finds none, or names that are written in another way.
func (d *deeds) patchedPaths(text string, span tool.Span) bool {
	found := false
	for line := range strings.SplitSeq(text, "\n") {
		if namesOtherwise(line) {
			return false
		}
		if !strings.HasPrefix(line, "+++ ") && !strings.HasPrefix(line, "--- ") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimSuffix(line[len("+++ "):], "\r"), "\t")
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

// namesOtherwise says whether a line of a patch names files in another way than in front
// of their changes.
func namesOtherwise(line string) bool {
	return strings.HasPrefix(line, "rename ") || strings.HasPrefix(line, "copy ") || strings.HasPrefix(line, "GIT binary")
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
	if r.scope.stores > 0 && r.scope.stores == len(r.scope.repos) {
		treeHere(r, kind, r.scope.repos[r.scope.stores-1])
	}
}

// treeHere is what comes from working in a repository that a flag names while no flag says where its
// working tree is: it is the current directory, whatever lies there. Only the project's own files
// and those around the repository are what people expect.
func treeHere(r *reader, kind tool.Kind, store Word) {
	switch dir := r.outOfProject(r.dir.Text); {
	case r.dir.Reach != tool.Exact:
		r.gap("the working tree is known only at run time", r.inv.Span)
	case paths.Within(dir, r.world.Project), store.Reach == tool.Exact && store.Text == dir+"/.git":
	case kind == tool.Write:
		r.effect(r.path(tool.Write, Known(".", r.inv.Span)))
	default:
		r.treeUse(tool.Read, Known(".", r.inv.Span))
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
	dir.Text = r.outOfProject(dir.Text)
	inside := paths.Within(dir.Text, r.world.Project)
	switch {
	case inside && kind != tool.Execute:
	case kind == tool.Write:
		r.effect(pathEffect(tool.Write, Known(".", r.inv.Span), dir, r.world))
	case r.downloadsLandAt(dir.Text, inside) && !r.asCloned(dir):
		r.execute("config:"+dir.Text+"/.git/config", r.inv.Span)
	}
}

// outOfProject is where a path of the project is if a link leads out of it.
func (s *surroundings) outOfProject(path string) string {
	if paths.Within(path, s.world.Project) && !s.staysInside(path) {
		return Follow(path, s.world)
	}
	return path
}

// downloadsLandAt says whether a directory, inside the project or outside, is one that
// downloads are put into: those of the project go to the sandbox.
func (s *surroundings) downloadsLandAt(dir string, inside bool) bool {
	w := s.world
	if inside {
		return w.Sandbox != "" && paths.Within(dir, w.Sandbox) && !paths.Within(w.Project, w.Sandbox)
	}
	for _, place := range [...]string{w.Sandbox, "/tmp", "/private/tmp", "/var/tmp", "/dev/shm"} {
		if paths.Within(dir, place) {
			return true
		}
	}
	return w.Home != "" && paths.Within(dir, w.Home+"/Downloads")
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
