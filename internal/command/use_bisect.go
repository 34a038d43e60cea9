package command

import (
	"strings"

	"longline/internal/gitstore"
)

// bisect looks at the commits that a search may put on the disk: those that the bad
// one descends from and none of the good ones does. Which of them it will be nobody
// knows, so no commit among them may touch a file that matters.
func (b *bringing) bisect(how string, words []Word) {
	given, ok := b.bisected(how, words)
	if !ok {
		return
	}
	bad, good := b.marked()
	switch how {
	case "bisect-reset":
		b.bisectReset(words)
		return
	case "bisect-start":
		if len(words) > 0 { // what it goes to is near that one, wherever it begins
			b.switchTo(words[0], nil)
		}
		first := min(1, len(given))
		bad, good = given[:first], given[first:]
	case "bisect-bad":
		bad = given
	case "bisect-good":
		good = append(good, given...)
	}
	if len(bad) == 0 || len(good) == 0 {
		// The search has not begun yet: it does when the command is given that is missing.
		b.r.inv.Refs |= RefsMade
		if how != "bisect-start" {
			b.r.inv.Refs |= RefsRead | RefsMissing
		}
		return
	}
	b.between(bad, good)
}

// bisected are the commits that a command of the search names, or HEAD if it means that.
func (b *bringing) bisected(how string, words []Word) (given []gitstore.ID, ok bool) {
	if how == "bisect-go" {
		return nil, true // the words are what is run, or passed over
	}
	for _, w := range words {
		id, ok := b.resolve(w)
		if !ok {
			return nil, false
		}
		given = append(given, id)
	}
	if len(given) == 0 && (how == "bisect-bad" || how == "bisect-good") {
		given = []gitstore.ID{b.head()}
	}
	return given, true
}

// bisectReset looks at what the end of the search goes to: where it began, if nothing else
// is named.
func (b *bringing) bisectReset(words []Word) {
	if start, ok := b.line(b.data + "/BISECT_START"); ok && len(words) == 0 {
		words = []Word{Known(start, b.r.inv.Span)}
	}
	b.each("trees", words)
}

// marked are the commits that a search has found to be bad, and those it has found to
// be good. Whatever the two are called, the good ones have their ids behind the name.
func (b *bringing) marked() (bad, good []gitstore.ID) {
	const id = 40
	for _, name := range b.names(b.data + "/refs/bisect") {
		text, _ := b.line(b.data + "/refs/bisect/" + name)
		commit, err := b.store.Resolve(text)
		switch {
		case err != nil || strings.HasPrefix(name, "skip-"):
		case len(name) > id && name[len(name)-id-1] == '-':
			good = append(good, commit)
		default:
			bad = append(bad, commit)
		}
	}
	return bad, good
}

// between looks at all commits that lead from the good ones to the bad.
func (b *bringing) between(bad, good []gitstore.ID) {
	const what = "the search"
	list, _, err := b.store.Apart(bad, good)
	b.unread(what, err)
	for _, id := range list {
		if b.said {
			return
		}
		parents, err := b.store.Parents(id)
		b.unread(what, err)
		var parent gitstore.ID
		if len(parents) > 0 {
			parent = parents[0]
		}
		b.changes(parent, id, what)
	}
}

// changes objects to every change of a file that matters, whatever is on the disk, and of one that git does not have here:
// before or after it, there is one of git's in its place.
func (b *bringing) changes(from, to gitstore.ID, what string) {
	b.eachChange(from, to, what, func(c gitstore.Change) {
		full := b.root + "/" + c.Path
		switch {
		case b.said:
		case b.world.Protected(full):
			b.object(full, "put other versions of")
		case c.Gone && b.world.Exists(full+"/."): // a directory took its place
		default:
			if lost := b.overwritten(c); lost != "" {
				b.object(lost, overwrite)
			}
		}
	})
}
