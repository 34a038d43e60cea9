package command

import (
	"slices"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/tool"
)

// A remote that the session has added may be anybody's: what comes from there is asked about as from its address. One that was there before
// is the user's own.

// addsRemote notes that a remote is added, unless there is one of that name.
func addsRemote(r *reader) {
	dir := r.workingTree()
	if dir.Reach != tool.Exact || len(r.oper) < 2 || !r.oper[0].IsKnown() || strings.Contains(r.oper[0].Text, " ") {
		return
	}
	name, there := r.oper[0].Text, false
	if b := (bringing{r: r, world: r.world}); b.open(dir.Text) {
		b.config(func(section, part, key, value string) {
			there = there || section == "remote" && part == name && key == "url" && value != r.oper[1].Text && r.world.Exists(dir.Text)
		})
	}
	if !there {
		r.inv.adds("remote " + dir.Text + " " + name)
	}
}

// newRemotes are the remotes that the session has added to the repository.
func (b *bringing) newRemotes() (names []string) {
	if b.world.Past == nil {
		return nil
	}
	for _, remote := range b.world.Past.Remotes {
		if repo := b.r.lib.repository(b.world, remote.Dir); repo != nil && repo.root == b.root && b.isRemote(remote.Name) {
			names = append(names, remote.Name)
		}
	}
	return names
}

// othersNew says whether a commit is a branch of a remote that the session has added, and of none that was there before.
func (b *bringing) othersNew(id gitstore.ID) bool {
	added := b.newRemotes()
	if len(added) == 0 {
		return false
	}
	var theirs, own []string
	b.config(func(section, remote, name, _ string) {
		switch {
		case section != "remote" || name != "url":
		case slices.Contains(added, remote):
			theirs = append(theirs, "refs/remotes/"+remote+"/")
		default:
			own = append(own, "refs/remotes/"+remote+"/")
		}
	})
	has := func(begin []string) bool {
		list, err := b.store.Refs(begin...)
		return err != nil || slices.Contains(list, id)
	}
	return has(theirs) && (len(own) == 0 || !has(own))
}

// pullsNew asks about a pull from a remote that the session has added.
func (b *bringing) pullsNew(words []Word) {
	added, name := b.newRemotes(), ""
	if len(added) == 0 {
		return
	}
	if len(words) > 0 {
		name = words[0].Text
	} else if ref, local := b.upstream(""); !local {
		name, _, _ = strings.Cut(strings.TrimPrefix(ref, "refs/remotes/"), "/")
	}
	if slices.Contains(added, name) {
		b.r.controlOnce("git.foreign", b.r.inv.Span)
		for _, remote := range b.world.Past.Remotes {
			if remote.Name == name {
				b.r.inv.adds("pulled " + remote.Dir + " " + name)
			}
		}
	}
}
