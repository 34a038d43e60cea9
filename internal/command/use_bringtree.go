package command

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/paths"
	"longline/internal/tool"
)

// open finds the repository that a directory is in.
func (b *bringing) open(dir string) bool {
	if b.repository = b.r.lib.repository(b.world, dir); b.repository == nil {
		return false
	}
	b.in = strings.TrimPrefix(strings.TrimPrefix(dir, b.root), "/")
	return true
}

func absolute(dir, path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return dir + "/" + path
}

func (b *bringing) names(dir string) []string { return namesIn(b.world, dir) }

// namesIn lists what is in a directory.
func namesIn(w *tool.World, dir string) []string {
	entries, _ := w.Entries(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

// line reads a file of one line.
func (b *bringing) line(path string) (string, bool) { return lineOf(b.world, path) }

func lineOf(w *tool.World, path string) (string, bool) {
	var room [4096]byte
	n, err := w.ReadAt(path, 0, room[:])
	if n == 0 || err != nil && err != io.EOF {
		return "", false
	}
	return strings.TrimSpace(string(room[:n])), true
}

// unread says that something could not be looked at. What git would not find
// either is no reason to ask.
func (b *bringing) unread(what string, err error) {
	if err != nil && !b.said && !errors.Is(err, gitstore.ErrNone) {
		b.said = true
		b.r.gap("what "+what+" brings cannot be read from the repository: "+err.Error(), b.r.inv.Span)
	}
}

func (b *bringing) isRevision(w Word) bool {
	if !w.IsKnown() {
		return true
	}
	if strings.ContainsAny(w.Text, "^~@") || w.Text == "-" {
		return true
	}
	_, err := b.store.Resolve(w.Text)
	return err == nil || !errors.Is(err, gitstore.ErrNone)
}

// resolve returns what a revision stands for.
func (b *bringing) resolve(w Word) (id gitstore.ID, ok bool) {
	b.r.inv.Refs |= RefsRead
	if !w.IsKnown() {
		if !b.said {
			b.said = true
			b.r.gap("which version of the files this checks out is known only at run time", w.Span)
		}
		return id, false
	}
	id, err := b.store.Resolve(b.spelled(w.Text))
	if errors.Is(err, gitstore.ErrNone) || w.Text == "FETCH_HEAD" {
		b.r.inv.Refs |= RefsMissing
	}
	b.unread(quote(w.Text), err)
	if err == nil {
		b.foreign(w, id)
	}
	return id, err == nil
}

func (b *bringing) diff(from, to gitstore.ID, what string, root string, paths []Word) {
	specs := b.meant(paths)
	b.unread(what, b.once(bringKey{from: from, to: to, root: root, how: b.how() + b.releasedText(), specs: specs.text()}, func(o *brought) {
		o.err = b.differences(from, to, func(c gitstore.Change) {
			if specs.name(c.Path) {
				b.see(o, root+"/"+c.Path, c)
				o.script(root, c)
			}
		})
	}))
}

// eachChange calls f for every file in which two commits differ; none is an empty one.
func (b *bringing) eachChange(from, to gitstore.ID, what string, f func(gitstore.Change)) {
	b.unread(what, b.differences(from, to, f))
}

// differences is the same. What differs is found out once, if it is not too much.
func (b *bringing) differences(from, to gitstore.ID, f func(gitstore.Change)) error {
	key := [2]gitstore.ID{from, to}
	if list, known := b.differing[key]; known {
		for _, c := range list {
			f(c)
		}
		return nil
	}
	var list []gitstore.Change
	err := b.eachDifference(from, to, func(c gitstore.Change) {
		f(c)
		list = append(list, c)
	})
	if b.held += len(list) + 1; err == nil && b.held < maxDiffering {
		if b.differing == nil {
			b.differing = map[[2]gitstore.ID][]gitstore.Change{}
		}
		b.differing[key] = list
	}
	return err
}

func (b *bringing) eachDifference(from, to gitstore.ID, f func(gitstore.Change)) error {
	var trees [2]gitstore.ID
	for i, id := range [...]gitstore.ID{from, to} {
		if id == (gitstore.ID{}) {
			continue
		}
		tree, err := b.store.Tree(id)
		if err != nil {
			return err
		}
		trees[i] = tree
	}
	return b.store.Diff(trees[0], trees[1], f)
}

// alters is what becomes of a file that matters, if it would be another than is on the disk.
func (b *bringing) alters(full string, c gitstore.Change) (does string) {
	if !b.world.Protected(full) {
		return ""
	}
	there := b.world.Exists(full)
	if c.Gone {
		if there {
			return "take away"
		}
		return ""
	}
	// A clone may leave contents where they were until they are needed.
	if content, err := b.store.Blob(c.ID); err == nil && there && b.same(full, content, c.Link) {
		return ""
	}
	return "put another"
}

// overwrite is what becomes of a file that git ignores, and another commit has.
const overwrite = "overwrite"

// link notes a link that is put on the disk, if it is another than is there.
func (b *bringing) link(o *brought, full string, id gitstore.ID) {
	if o.links.Full() {
		o.err = gitstore.ErrTooMuch
		return
	}
	content, err := b.store.Blob(id)
	if err != nil || b.same(full, content, true) {
		return
	}
	o.links.Add(full, string(content))
}

func (b *bringing) object(full, does string) {
	b.said = true
	name := strings.TrimPrefix(full, b.root+"/")
	if does == overwrite && b.hidden[name] {
		b.r.gap("it would lose the changes in "+quote(name)+", which git takes for unchanged", b.r.inv.Span)
		return
	}
	if does == overwrite {
		b.r.gap("it would overwrite "+quote(name)+", which git does not have here", b.r.inv.Span)
		return
	}
	b.r.gap("it would "+does+" "+quote(name)+", which configures an agent or longline", b.r.inv.Span)
}

// same says whether a file holds just that content.
func (b *bringing) same(full string, content []byte, link bool) bool {
	if b.world.Readlink == nil {
		return false
	}
	to, err := b.world.Readlink(full)
	if link {
		return err == nil && to == string(content)
	}
	if err == nil {
		return false
	}
	room := make([]byte, len(content)+1)
	n := 0
	for n < len(room) {
		got, err := b.world.ReadAt(full, int64(n), room[n:])
		if n += got; got == 0 || err != nil {
			break
		}
	}
	return n == len(content) && bytes.Equal(room[:n], content)
}

func (b *bringing) head() gitstore.ID {
	if b.at != (gitstore.ID{}) {
		return b.at
	}
	id, err := b.store.Resolve("HEAD")
	if err != nil {
		return gitstore.ID{} // nothing is committed yet
	}
	return id
}

// pathspec is what a pathspec begins and ends with, as seen from the root of the
// working tree, and whether it is a path without wildcards.
func (b *bringing) pathspec(w Word) (begin, end string, plain bool) {
	if !w.IsKnown() || strings.HasPrefix(w.Text, ":") || strings.Contains(w.Text, "..") || strings.HasPrefix(w.Text, "/") {
		return "", "", false // it may be all
	}
	path := strings.TrimPrefix(w.Text, "./")
	if b.in != "" {
		path = b.in + "/" + path
	}
	if fixed := paths.Fixed(path); fixed != path {
		return fixed, paths.Ending(path), false
	}
	return strings.TrimSuffix(path, "/."), "", true
}

// index looks at what the index holds.
func (b *bringing) index(paths []Word) {
	b.eachIndexed("index", paths, func(e gitstore.Entry) gitstore.Change {
		return gitstore.Change{Path: e.Name, ID: e.ID, Link: e.Link}
	})
}

// remove looks at the files that matter and would go from the disk with others.
func (b *bringing) remove(paths []Word) {
	b.eachIndexed("remove", paths, func(e gitstore.Entry) gitstore.Change { return gitstore.Change{Path: e.Name, Gone: true} })
}

// eachIndexed looks at what becomes of the files that the index holds.
func (b *bringing) eachIndexed(how string, paths []Word, becomes func(gitstore.Entry) gitstore.Change) {
	entries, err := b.store.Index()
	if err != nil {
		return // there is none
	}
	specs := b.meant(paths)
	b.unread("it", b.once(bringKey{how: how, specs: specs.text()}, func(o *brought) {
		for _, e := range entries {
			if specs.name(e.Name) {
				b.see(o, b.root+"/"+e.Name, becomes(e))
			}
		}
	}))
}

// aside looks at the files that matter and are not as they were committed, or not
// committed at all: those are put aside with the rest.
func (b *bringing) aside(untracked bool) {
	how := "aside"
	if untracked {
		how = "aside-all"
	}
	_ = b.once(bringKey{how: how}, func(o *brought) { b.putAllAside(o, untracked) })
}

func (b *bringing) putAllAside(o *brought, untracked bool) {
	entries, err := b.store.Index()
	if err != nil {
		entries = nil
	}
	tracked := map[string]gitstore.Entry{}
	for _, e := range entries {
		tracked[e.Name] = e
	}
	for _, name := range b.names(b.root) {
		b.putAside(o, name, tracked, untracked)
		if strings.HasPrefix(name, ".") && name != ".git" {
			for _, inner := range b.names(b.root + "/" + name) {
				b.putAside(o, name+"/"+inner, tracked, untracked)
			}
		}
	}
}

// putAside looks at one file.
func (b *bringing) putAside(o *brought, name string, tracked map[string]gitstore.Entry, untracked bool) {
	full := b.root + "/" + name
	if o.does != "" || !b.world.Protected(full) {
		return
	}
	e, ok := tracked[name]
	if !ok && (!untracked || strings.HasSuffix(name, ".local.json")) {
		return // what is somebody's own is ignored by git, by the way that agents set it up
	}
	if ok {
		if content, err := b.store.Blob(e.ID); err == nil && b.same(full, content, e.Link) {
			return
		}
	}
	o.full, o.does = full, "take away or change"
}
