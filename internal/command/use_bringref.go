package command

import (
	"encoding/hex"
	"strings"

	"longline/internal/gitstore"
)

// Refs is what an invocation has to do with the names in a repository: branches,
// tags, what was fetched last. What it puts on the disk is looked at before it runs,
// so it matters whether a command before it in the same script changes them.
type Refs uint16

const (
	RefsRead    Refs = 1 << iota // it puts on the disk what a name stands for
	RefsMissing                  // and there is no such name yet
	RefsMade                     // it makes names that nobody can foresee
	RefsMoved                    // it makes a name stand for something else
	RefsCloned                   // what it writes is a clone, with settings that git makes
	RefsBegun                    // what it writes is a new repository, with such settings, unless there is one
	RefsHidden                   // it makes git take changed files for unchanged ones
	RefsAside                    // it puts changes aside, and the files back to what they were
	RefsCopied                   // what it writes is a clone, with any settings
)

// fetch notes what a fetch makes of the names. Branches that come from a remote of
// the repository are the repository's own. Whatever comes from an address, a path
// or a bundle, and the commits of a pull request, may be anybody's.
func (b *bringing) fetch(words []Word) {
	if len(words) == 0 {
		return
	}
	own := words[0].IsKnown() && b.isRemote(words[0].Text)
	if !own {
		b.r.inv.Refs |= RefsMade
	}
	for _, w := range words[1:] {
		b.r.inv.Refs |= fetchedRefs(w, words[0].Text, own)
	}
}

// fetchedRefs is what a refspec makes of the names, fetched from a remote that is the
// repository's own or not.
func fetchedRefs(w Word, remote string, own bool) Refs {
	source, dest, _ := strings.Cut(strings.TrimPrefix(w.Text, "+"), ":")
	branch := w.IsKnown() && isBranch(source)
	switch {
	case dest != "" && !(own && branch && sameBranch(source, dest, remote)):
		return RefsMoved | RefsMade
	case !branch:
		return RefsMade
	}
	return 0
}

// pull looks at what is merged of what a pull brings: a branch of this repository.
// What comes from a remote is not here yet, and is the repository's own; what comes
// from elsewhere is somebody else's.
func (b *bringing) pull(words []Word) {
	b.r.inv.Refs |= RefsRead
	b.replaces(b.head(), "it", nil) // which most of what comes has as well
	for _, ref := range b.follows(words) {
		b.pulled(ref)
	}
	b.pullsNew(words)
	if len(words) == 0 {
		if ref, local := b.upstream(""); local {
			b.merge(Known(ref, b.r.inv.Span))
		}
		return
	}
	if from := words[0]; from.IsKnown() && !b.isRemote(from.Text) && !strings.ContainsAny(from.Text, ":~") && b.world.Exists(absolute(b.root+"/"+b.in, from.Text)) {
		b.r.controlOnce("git.foreign", from.Span)
	}
	for _, w := range words[1:] {
		source, _, _ := strings.Cut(strings.TrimPrefix(w.Text, "+"), ":")
		if w.IsKnown() && !isBranch(source) {
			b.r.controlOnce("git.foreign", w.Span)
		}
	}
}

// isBranch says whether the name of something that a remote has is that of a branch
// or a tag. Forges keep what others have sent them under names of its own.
func isBranch(name string) bool {
	if rest, ok := strings.CutPrefix(name, "refs/"); ok {
		return strings.HasPrefix(rest, "heads/") || strings.HasPrefix(rest, "tags/")
	}
	first, _, _ := strings.Cut(name, "/")
	return !hasWord(forgeRefs, first) || first == name
}

// forgeRefs are the names that forges keep those under.
const forgeRefs = "pull pulls pull-requests merge-requests changes"

// sameBranch says whether a fetch puts a branch under its own name.
func sameBranch(source, dest, remote string) bool {
	name := strings.TrimPrefix(source, "refs/heads/")
	return dest == name || dest == "refs/heads/"+name || dest == "refs/remotes/"+remote+"/"+name
}

// isRemote says whether the repository has a remote of that name.
func (b *bringing) isRemote(name string) (found bool) {
	b.config(func(section, part, _, _ string) { found = found || section == "remote" && part == name })
	return found
}

// upstream is the name of what a branch follows, the current one if none is named,
// or "", and whether that is in this very repository.
func (b *bringing) upstream(branch string) (ref string, local bool) {
	if branch == "" {
		branch = b.on
	}
	if branch == "" {
		head, _ := b.line(b.data + "/HEAD")
		branch, _ = strings.CutPrefix(head, "ref: refs/heads/")
	}
	remote, merge := "", ""
	b.config(func(section, part, name, value string) {
		switch {
		case section != "branch" || part != branch:
		case name == "remote":
			remote = value
		case name == "merge":
			merge = value
		}
	})
	switch {
	case branch == "" || remote == "" || merge == "":
		return "", false
	case remote == ".":
		return merge, true
	}
	return "refs/remotes/" + remote + "/" + strings.TrimPrefix(merge, "refs/heads/"), false
}

// fetched are the commits that were fetched last, of which a merge takes all.
func (b *bringing) fetched() (ids []string) {
	for _, f := range b.lastFetched() {
		if len(ids) < 16 {
			ids = append(ids, f.id)
		}
	}
	return ids
}

// config visits the settings of the repository.
func (b *bringing) config(visit func(section, part, name, value string)) {
	if b.settings == nil {
		text := make([]byte, maxGitConfig)
		n, _ := b.world.ReadAt(b.common+"/config", 0, text)
		b.settings = append([]byte{}, text[:n]...)
	}
	readGitConfig(string(b.settings), visit)
}

// spelled is a revision without the ways of naming what a branch follows, and where one is after a switch.
func (b *bringing) spelled(rev string) string {
	if rest, here := strings.CutPrefix(strings.Replace(rev, "@", "HEAD", 1), "HEAD"); here && b.at != (gitstore.ID{}) && strings.Trim(rest, "~^0123456789") == "" {
		return hex.EncodeToString(b.at[:]) + rest
	}
	name, what, ok := strings.Cut(rev, "@{")
	rest := ""
	if ok {
		what, rest, _ = strings.Cut(what, "}")
	}
	if !ok || what != "u" && what != "upstream" {
		return rev
	}
	ref, _ := b.upstream(strings.TrimPrefix(name, "refs/heads/"))
	return ref + rest
}
