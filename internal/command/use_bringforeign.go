package command

import (
	"encoding/hex"
	"slices"
	"strings"

	"longline/internal/gitstore"
)

// maxLog bounds what is read of a log of git.
const maxLog = 1 << 19

// foreign asks about a revision that was fetched before and may be anybody's: from an address, a path or a pull request. git
// notes what was fetched last, and by which command a branch was made. What was checked out here once is known.
func (b *bringing) foreign(w Word, id gitstore.ID) {
	name := w.Text
	if end := strings.IndexAny(name, "~^@"); end > 0 {
		name = name[:end]
		if tip, err := b.store.Resolve(name); err == nil {
			id = tip
		}
	}
	head := b.head()
	key := name + string(id[:]) + string(head[:])
	others, known := b.others[key]
	if !known && id != head && (b.othersFetched(id) || b.othersMade(name, 0) || b.othersNew(id)) && !strings.Contains(b.log("HEAD", b.data), " "+hex.EncodeToString(id[:])+" ") {
		base, err := b.store.Base(head, id)
		others = err != nil || base != id
	}
	if b.others == nil {
		b.others = map[string]bool{}
	}
	if b.others[key] = others; others {
		b.r.controlOnce("git.foreign", w.Span)
	}
}

// log is what git has noted about a name.
func (b *bringing) log(name, dir string) string {
	room := make([]byte, 16<<10)
	var text []byte
	for len(text) < maxLog {
		n, err := b.world.ReadAt(dir+"/logs/"+name, int64(len(text)), room)
		text = append(text, room[:n]...)
		if n < len(room) || err != nil {
			break
		}
	}
	return string(text)
}

// othersFetched says whether a commit is among those that were fetched last, and not as a branch or tag of one of the
// repository's remotes.
func (b *bringing) othersFetched(id gitstore.ID) bool {
	want, list := hex.EncodeToString(id[:]), b.lastFetched()
	for _, f := range list {
		if f.id != want || isBranch(f.name) && b.isOwn(f) {
			continue
		}
		own := false
		for _, o := range list {
			own = own || f.kind == "tag " && o.from == f.from && b.isOwn(o)
		}
		if !own {
			return true
		}
	}
	return false
}

// isOwn says whether something comes from a remote of the repository. That may have another address elsewhere in the settings:
// its branches are known by where they were put.
func (b *bringing) isOwn(f fetchedRef) bool {
	own, added := f.from == "" || f.from == ".", b.newRemotes()
	b.config(func(section, remote, name, value string) {
		if own || section != "remote" || name != "url" || slices.Contains(added, remote) {
			return
		}
		at, err := b.store.Resolve("refs/remotes/" + remote + "/" + f.name)
		own = plainAddress(value) == plainAddress(f.from) || f.kind == "branch " && err == nil && hex.EncodeToString(at[:]) == f.id
	})
	return own
}

// fetchedRef is a line about what was fetched last.
type fetchedRef struct{ id, kind, name, from string }

// lastFetched is what was fetched last: "ID<tab><tab>branch 'name' of place", or only the place.
func (b *bringing) lastFetched() (list []fetchedRef) {
	room := make([]byte, 16<<10)
	n, _ := b.world.ReadAt(b.data+"/FETCH_HEAD", 0, room)
	for line := range strings.Lines(string(room[:n])) {
		id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		_, note, _ := strings.Cut(rest, "\t")
		f := fetchedRef{id: id, from: note}
		if kind, more, ok := strings.Cut(note, "'"); ok {
			f.kind = kind
			f.name, f.from, _ = strings.Cut(more, "' of ")
		}
		list = append(list, f)
	}
	return list
}

// plainAddress is an address without what differs between two ways of writing it: git leaves out the user and the ending.
func plainAddress(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	if user, rest, ok := strings.Cut(url, "@"); ok && !strings.Contains(user, "/") {
		url = rest
	}
	return strings.TrimSuffix(strings.TrimRight(url, "/"), ".git")
}

// othersMade says whether a branch was made, or last moved, by a fetch from elsewhere, or from a branch that was.
func (b *bringing) othersMade(name string, depth int) bool {
	if remote, _, _ := strings.Cut(strings.TrimPrefix(name, "refs/remotes/"), "/"); depth > 0 && slices.Contains(b.newRemotes(), remote) {
		return true
	}
	rest := strings.TrimPrefix(name, "refs/")
	if first, _, _ := strings.Cut(rest, "/"); hasWord(forgeRefs, first) && first != rest {
		return true
	}
	for _, ref := range [...]string{"refs/heads/" + name, "refs/remotes/" + name, "refs/" + rest} {
		_, last, _ := strings.Cut(lastLine(b.log(ref, b.common)), "\t")
		switch what, args, _ := strings.Cut(last, " "); {
		case what == "branch:" && depth < 8:
			if from := args[strings.LastIndexByte(args, ' ')+1:]; b.othersMade(from, depth+1) {
				return true
			}
		case what == "fetch" || what == "fetch:":
			if b.othersAsked(args) || b.othersMapped(ref) {
				return true
			}
		}
	}
	return false
}

func lastLine(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// othersAsked says whether the words of a fetch, as git notes them, name an address, a path or a pull request.
func (b *bringing) othersAsked(args string) bool {
	args = args[:max(strings.LastIndexByte(args, ':'), 0)] // what came of it
	from := ""
	for w := range strings.FieldsSeq(args) {
		switch {
		case w[0] == '-' || strings.Trim(w, "0123456789") == "": // flags, and depths
		case from == "":
			from = w
		default:
			if source, _, _ := strings.Cut(strings.TrimPrefix(w, "+"), ":"); !isBranch(source) {
				return true
			}
		}
	}
	return strings.ContainsAny(from, "/:") && !b.isRemote(from)
}

// othersMapped says whether the settings make a remote's pull requests appear under a name.
func (b *bringing) othersMapped(ref string) (found bool) {
	b.config(func(section, _, name, value string) {
		source, dest, _ := strings.Cut(strings.TrimPrefix(value, "+"), ":")
		begin, _, _ := strings.Cut(dest, "*")
		found = found || section == "remote" && name == "fetch" && begin != "" && strings.HasPrefix(ref, begin) &&
			!isBranch(source) && !strings.HasPrefix(source, "refs/*")
	})
	return found
}
