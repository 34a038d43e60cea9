package command

import (
	"errors"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/paths"
)

// A file that is taken out of the index stays on the disk. If git ignores it, a commit that has the file puts its own in its
// place, and changes that nobody has committed are lost. Whether it is ignored is not looked at: if it is not, git refuses.

// release notes the files that a command takes out of the index: those that are named, or of these the ones that a commit does
// not have, to which the index is set back.
func (b *bringing) release(how string, before, paths, all []Word) {
	if b.r.rehearses() {
		return
	}
	kept := ""
	if how == "unstage" {
		kept = "HEAD"
		if source := b.r.valueOf("-s", "--source"); source != nil {
			kept = revisionText(*source)
		} else if len(before) > 0 && b.isRevision(before[0]) {
			kept, all = revisionText(before[0]), append(before[1:len(before):len(before)], paths...)
		}
	}
	if len(all) == 0 {
		b.r.inv.Releases = append(b.r.inv.Releases, Release{Path: b.root, Kept: kept})
	}
	for _, s := range b.meant(all) {
		for _, path := range b.matched(s) {
			b.r.inv.Releases = append(b.r.inv.Releases, Release{Path: path, Kept: kept})
		}
	}
}

// matched is the paths that a word means: one, those in the index that a pattern matches, or, where these are many, all.
func (b *bringing) matched(s meantPath) (list []string) {
	if s.plain {
		return []string{strings.TrimSuffix(b.root+"/"+s.begin, "/.")}
	}
	entries, _ := b.store.Index()
	for _, e := range entries {
		if (meant{s}).name(e.Name) {
			list = append(list, b.root+"/"+e.Name)
		}
	}
	if len(list) > maxStrays {
		list = []string{b.root}
	}
	return list
}

// revisionText is a revision as it is written; where that is not known, one that has nothing.
func revisionText(w Word) string {
	if w.IsKnown() {
		return w.Text
	}
	return ""
}

// isReleased says whether the script may have taken a file out of the index.
func (b *bringing) isReleased(full, name string) bool {
	for _, r := range b.r.inv.Released {
		if r.To != (gitstore.ID{}) || !paths.Within(full, r.Path) {
			continue
		}
		if r.Kept == "" {
			return true
		}
		id, err := b.store.Resolve(b.spelled(r.Kept))
		if err == nil {
			_, err = b.store.At(id, name)
		}
		if err != nil {
			return true
		}
	}
	return false
}

// replaces looks at the files that the script has taken out of the index, and that a commit has which is checked out.
func (b *bringing) replaces(to gitstore.ID, what string, specs meant) {
	if b.spares || b.releasedText() == "" {
		return
	}
	entries, err := b.store.Index()
	if err != nil {
		return // there is none
	}
	b.unread(what, b.once(bringKey{to: to, how: "released\x00" + b.releasedText(), specs: specs.text()}, func(o *brought) {
		for _, e := range entries {
			if full := b.root + "/" + e.Name; specs.name(e.Name) && b.isReleased(full, e.Name) && b.isReplaced(full, e.Name, to) {
				o.full, o.does = full, overwrite
				return
			}
		}
	}))
}

// isReplaced says whether a commit has another file than is on the disk, and that one is nowhere else.
func (b *bringing) isReplaced(full, name string, to gitstore.ID) bool {
	if !b.world.Exists(full) || b.isCommitted(full, name) {
		return false
	}
	e, err := b.store.At(to, name)
	return !errors.Is(err, gitstore.ErrNone) && !(err == nil && b.holds(full, e))
}

// isCommitted says whether a file is as it was committed.
func (b *bringing) isCommitted(full, name string) bool {
	e, err := b.store.At(b.head(), name)
	return err == nil && b.holds(full, e)
}

// holds says whether a file is the one that git has as well.
func (b *bringing) holds(full string, e gitstore.Entry) bool {
	content, err := b.store.Blob(e.ID)
	return err == nil && b.same(full, content, e.Link)
}

// releasedText tells what the script has taken out of the index from others.
func (b *bringing) releasedText() string {
	if len(b.r.inv.Released) == 0 {
		return ""
	}
	var text strings.Builder
	for _, r := range b.r.inv.Released {
		if r.To == (gitstore.ID{}) {
			text.WriteString(r.Path + "\x00" + r.Kept + "\x00")
		}
	}
	return text.String()
}

// heads are where the command may begin: what is checked out, and what the script switches to.
func (b *bringing) heads() []Release {
	list := []Release{{}}
	for _, r := range b.r.inv.Released {
		if r.Path == b.root && r.To != (gitstore.ID{}) {
			list = append(list, r)
		}
	}
	return list
}

// switched notes what a repository is switched to.
func (b *bringing) switched(to Word) {
	if id, ok := b.branch(to); ok {
		b.r.inv.Releases = append(b.r.inv.Releases, Release{Path: b.root, Kept: to.Text, To: id})
	}
}
