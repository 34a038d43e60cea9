package command

import (
	"errors"
	"slices"
	"strings"

	"longline/internal/gitstore"
)

// Commits that are made anew one after the other put every version between on the disk. A file that is ignored now, and that
// one of them has, is overwritten by it, and deleted by the next that has none.

// replay looks at what each of some commits puts on the disk, or puts back where it is undone.
func (b *bringing) replay(o *brought, list []gitstore.ID, undone bool) {
	for _, id := range list {
		parents, err := b.store.Parents(id)
		if err != nil {
			o.err = err
		}
		if o.err != nil || o.does != "" {
			return
		}
		from, to := gitstore.ID{}, id
		if len(parents) > 0 {
			from = parents[0]
		}
		if _, err := b.store.Tree(from); errors.Is(err, gitstore.ErrNone) {
			from = gitstore.ID{} // a shallow history begins here
		}
		if undone {
			from, to = to, from
		}
		b.covers(o, from, to, true)
	}
}

// covers looks for files that a commit has, and that are on the disk without being git's: those that it adds, or all it changes.
func (b *bringing) covers(o *brought, from, to gitstore.ID, all bool) {
	if o.err != nil || o.does != "" {
		return
	}
	o.err = b.differences(from, to, func(c gitstore.Change) {
		switch {
		case o.does != "":
		case b.resets && b.hides(c.Path):
			o.full, o.does = b.root+"/"+c.Path, overwrite
		case !c.Gone && (all || c.New):
			if full := b.overwritten(c); full != "" {
				o.full, o.does = full, overwrite
			}
		}
	})
}

// row looks at the commits of a range that are made anew, or undone.
func (b *bringing) row(a, z gitstore.ID, what string, both, undone bool) {
	how := "row"
	if undone {
		how = "undone row"
	}
	b.unread(what, b.once(bringKey{from: a, to: z, how: how + b.releasedText()}, func(o *brought) {
		list, _, err := b.store.Apart([]gitstore.ID{z}, []gitstore.ID{a})
		o.err = err
		b.replay(o, list, undone)
		if both && o.err == nil { // with three dots
			list, _, o.err = b.store.Apart([]gitstore.ID{a}, []gitstore.ID{z})
			b.replay(o, list, undone)
		}
	}))
}

// onto looks at what a rebase puts on the disk: first the commit that it goes on from, then one's own on top. Merges are not
// made anew, or they bring what their parents have.
//
// Where the commits are on top of it already, nothing is made anew, unless it is fetched anew or flags say so.
func (b *bringing) onto(base, tip gitstore.ID, what string, fetched bool) {
	how := "onto"
	if fetched || hasFlagsBut(b.r.given, "-q --quiet -v --verbose --stat -n --no-stat --autostash --no-autostash -m --merge --apply") {
		how = "anew onto"
	}
	b.unread(what, b.once(bringKey{from: b.head(), to: base, how: how + string(tip[:]) + b.releasedText()}, func(o *brought) {
		list, common, err := b.store.Apart([]gitstore.ID{tip}, []gitstore.ID{base})
		if how == "onto" && err == nil && common == base && tip == b.head() && b.isLine(list) {
			return
		}
		b.covers(o, b.head(), base, false)
		if o.err == nil {
			o.err = err
		}
		for i := 0; i < len(list) && o.err == nil; i++ {
			if parents, err := b.store.Parents(list[i]); err == nil && len(parents) < 2 {
				b.replay(o, list[i:i+1], false)
			}
		}
	}))
}

// isLine says whether each of some commits has one before it.
func (b *bringing) isLine(list []gitstore.ID) bool {
	return !slices.ContainsFunc(list, func(id gitstore.ID) bool {
		parents, err := b.store.Parents(id)
		return err != nil || len(parents) != 1
	})
}

// hasFlagsBut says whether flags are given that are not in a list.
func hasFlagsBut(given []flagUse, list string) bool {
	return slices.ContainsFunc(given, func(g flagUse) bool { return !hasWord(list, g.name) })
}

// goOn looks at the commits that are still to come in a row that was begun, by the lines that git has noted: what is done, and
// with which commit.
func (b *bringing) goOn() {
	for _, file := range [...]string{"/rebase-merge/git-rebase-todo", "/sequencer/todo"} {
		text := make([]byte, maxGitConfig)
		n, _ := b.world.ReadAt(b.data+file, 0, text)
		var made, undone []gitstore.ID
		for line := range strings.Lines(string(text[:n])) {
			words := strings.Fields(line)
			if len(words) > 2 && (words[1] == "-C" || words[1] == "-c") {
				words = words[1:]
			}
			if len(words) < 2 || words[0][0] == '#' {
				continue
			}
			id, err := b.store.Resolve(words[1])
			switch {
			case err != nil: // it names none
			case words[0] == "revert":
				undone = append(undone, id)
			default:
				made = append(made, id)
			}
		}
		b.unread("what is left", b.once(bringKey{how: "rest" + file + b.releasedText()}, func(o *brought) {
			b.replay(o, made, false)
			b.replay(o, undone, true)
		}))
	}
}

// pulled looks at what a pull puts over files that are not git's, as far as the commits are here: those that were fetched last,
// and one's own that are made anew on top of them.
func (b *bringing) pulled(ref string) {
	id, err := b.store.Resolve(ref)
	if err != nil {
		return // nothing of it is here
	}
	b.unread("it", b.once(bringKey{from: b.head(), to: id, how: "pulled" + b.releasedText()}, func(o *brought) {
		base, err := b.store.Base(b.head(), id)
		if err != nil {
			base = b.head()
		}
		b.covers(o, base, id, true)
	}))
	if !b.said && b.rebases() {
		b.onto(id, b.head(), "it", true)
	}
}

// follows is the branches, as they were fetched last, of what a pull names.
func (b *bringing) follows(words []Word) (refs []string) {
	if len(words) < 2 {
		if ref, local := b.upstream(""); ref != "" && !local {
			refs = append(refs, ref)
		}
		return refs
	}
	for _, w := range words[1:] {
		if source, _, _ := strings.Cut(strings.TrimPrefix(w.Text, "+"), ":"); w.IsKnown() && words[0].IsKnown() {
			refs = append(refs, "refs/remotes/"+words[0].Text+"/"+strings.TrimPrefix(source, "refs/heads/"))
		}
	}
	return refs
}

// rebases says whether a pull makes one's own commits anew: by a flag, or else by settings.
func (b *bringing) rebases() bool {
	if b.r.anyGiven(true, "--no-rebase", "--ff-only") {
		return false
	}
	if b.r.anyGiven(false, "-r", "--rebase") {
		v := b.r.valueOf("-r", "--rebase")
		return v == nil || !v.IsKnown() || !hasWord("false no off 0", v.Text)
	}
	for i := range b.r.given {
		if g := &b.r.given[i]; g.name == "-c" && len(g.values) > 0 {
			if key, value, _ := strings.Cut(strings.ToLower(g.values[0].Text), "="); strings.HasSuffix(key, ".rebase") {
				return !hasWord("false no off 0", value)
			}
		}
	}
	head, _ := b.line(b.data + "/HEAD")
	branch, all, one := strings.TrimPrefix(head, "ref: refs/heads/"), "", ""
	visit := func(section, part, name, value string) {
		switch {
		case name != "rebase":
		case section == "pull":
			all = value
		case section == "branch" && part == branch:
			one = value
		}
	}
	for _, file := range userSettings(b.world) {
		eachSetting(b.world, file, 0, func(_, section, part, name, value string) { visit(section, part, name, value) })
	}
	b.config(visit)
	if one == "" {
		one = all
	}
	return one != "" && !hasWord("false no off 0", strings.ToLower(one))
}

// overwritten is the file on the disk in whose place another commit puts one, if git does not have it: where it is ignored, git
// takes it for one that nobody needs. It is "" if there is none, or the same.
func (b *bringing) overwritten(c gitstore.Change) string {
	full := b.root + "/" + c.Path
	if !b.world.Exists(full) {
		return b.inTheWay(c)
	}
	if dir, known := b.inIndex()[c.Path]; known && !dir || !known && b.isKept(c.Path) {
		if !b.isReleased(full, c.Path) || b.isCommitted(full, c.Path) {
			return ""
		}
	}
	if content, err := b.store.Blob(c.ID); err == nil && b.same(full, content, c.Link) {
		return ""
	}
	return full
}

// hides says whether a file has changed and git takes it for unchanged, because it was told so. git does not put its changes
// aside, and where a merge fails it sets the file back.
func (b *bringing) hides(name string) bool {
	if b.hidden == nil {
		b.hidden = map[string]bool{}
		entries, _ := b.store.Index()
		for _, e := range entries {
			if full := b.root + "/" + e.Name; e.Assumed && b.world.Exists(full) && !b.holds(full, e) {
				b.hidden[e.Name] = true
			}
		}
	}
	return b.hidden[name]
}

// hidesAny objects if there is such a file.
func (b *bringing) hidesAny() {
	entries, _ := b.store.Index()
	for _, e := range entries {
		if !b.said && b.hides(e.Name) {
			b.object(b.root+"/"+e.Name, overwrite)
		}
	}
}

// isKept says whether the commit that is checked out has a file.
func (b *bringing) isKept(name string) bool {
	_, err := b.store.At(b.head(), name)
	return err == nil
}

// inTheWay is a file on the disk in whose place a commit puts a directory, if git does not have it.
func (b *bringing) inTheWay(c gitstore.Change) string {
	for at := strings.LastIndexByte(c.Path, '/'); c.New && at > 0; at = strings.LastIndexByte(c.Path[:at], '/') {
		full := b.root + "/" + c.Path[:at]
		if b.world.Exists(full + "/.") {
			return ""
		}
		if b.world.Exists(full) {
			if dir, known := b.inIndex()[c.Path[:at]]; known && !dir {
				return ""
			}
			return full
		}
	}
	return ""
}

// patched looks at the files of patches that are committed: where they do not fit, git merges them.
func (b *bringing) patched(words []Word) {
	if len(words) == 0 {
		words = []Word{Known("-", b.r.inv.Span)}
	}
	for _, w := range words {
		text, _ := b.r.patchText(w)
		for line := range strings.Lines(text) {
			_, name, ok := strings.Cut(strings.TrimSpace(line), " b/")
			if !ok || b.said || !strings.HasPrefix(line, "diff --git a/") {
				continue
			}
			full := b.root + "/" + name
			if _, known := b.inIndex()[name]; !known && b.world.Exists(full) && !b.isKept(name) {
				b.object(full, overwrite)
			}
		}
	}
}
