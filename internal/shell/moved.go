package shell

import (
	"path"
	"slices"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// yielding are the links that an invocation makes. One that yields to what is there already matters where something is, or may
// be.
func (here *site) yielding(s *state, inv *command.Invocation) []command.Link {
	if len(inv.Links) == 0 {
		return nil
	}
	links := slices.Clone(inv.Links)
	for i := range links {
		l := &links[i]
		at, below := s.files.holds(l.From)
		l.Yields = l.Yields && (at || !here.absent(l.From)) || below // nothing takes the place of a directory
	}
	return links
}

// linked remembers what an invocation has made another name for something else.
func (led *ledger) linked(s *state, inv *command.Invocation, read *reads, links []command.Link) {
	links = alsoReal(led, links)
	moved := alsoReal(led, moves(inv, read))
	sifted := isSifted(inv)
	for i := range moved {
		moved[i].Sifted = sifted && moved[i].Pattern
		if i > 0 && moved[i].To == moved[i-1].To && moved[i].Pattern == moved[i-1].Pattern {
			moved[i].File = moved[i-1].File
			continue
		}
		moved[i].File = !moved[i].Pattern && isFile(led.world, s, moved[i].To)
	}
	s.uproot(inv, read)
	room := maxMoved
	if len(s.links) > maxNamed {
		room = 0
	}
	made := links
	if len(links)+len(moved) <= room {
		limit := maxMoved
		if len(s.links) > 0 {
			limit = maxRelinked
		}
		made = append(led.copiedTrees(inv, links, limit), led.unpackedLinks(s, inv)...)
	}
	made = append(made, moved...)
	own := len(made)
	made = s.copiedLinks(inv, made, min(room, own+maxRelinked))
	led.leadsOut(s, made[own:])
	led.diverts(made)
	switch {
	case len(made) > min(room, own+maxRelinked):
		led.gap("too many links", inv.Span)
	case len(made) > 0:
		s.links = joinLists(s.links, made)
	}
}

// alsoReal adds what lies behind a link on the disk by the path that the link leads to.
func alsoReal(led *ledger, list []command.Link) []command.Link {
	follow := func(dir string) string { return realDir(led, dir) }
	for _, l := range list[:len(list):len(list)] {
		if real := realPath(follow, l.From, l.Pattern, false); real != l.From {
			l.From = real
			list = append(list, l)
		}
	}
	return list
}

// isFile says whether what lies at a path is no directory. The disk says so, of it or of what was moved there; what the script has made is no
// loss, and its name is enough.
func isFile(w *tool.World, s *state, at string) bool {
	for _, l := range slices.Backward(s.links) {
		if l.From == at {
			return l.File
		}
	}
	if w.Exists == nil || !w.Exists(at) {
		return path.Ext(at) != ""
	}
	return !w.Exists(at + "/.")
}

// moves is what an invocation puts under another name: it takes away what it has
// read, with all below it, and writes something else.
func moves(inv *command.Invocation, read *reads) (list []command.Link) {
	var taken, put []tool.Effect
	for _, e := range inv.Effects {
		switch {
		case e.Kind != tool.Write && !becomes(e), e.Reach != tool.Exact && e.Reach != tool.Under:
		case !e.Tree:
			put = append(put, e)
		case read.hasNamed(e.Target), e.Pattern && read.has(e):
			taken = append(taken, e)
		}
	}
	if len(taken)*len(put) > maxNamed {
		return movesInto(taken, put)
	}
	for _, from := range taken {
		for _, to := range put {
			if to.Target != from.Target {
				list = append(list, movedTo(from, to))
			}
		}
	}
	return append(list, packs(inv, read)...)
}

// packs is the same of files that a program takes away to make others of them, each named after one of them.
func packs(inv *command.Invocation, read *reads) (list []command.Link) {
	for _, from := range inv.Effects {
		if from.Kind != tool.Write || from.Manner != tool.Moved || from.Tree || from.Reach == tool.Anywhere || !read.hasNamed(from.Target) && !read.has(from) {
			continue
		}
		if from.Reach == tool.Under && len(list) < maxMoved { // whatever they are called, they lie beside them
			list = append(list, movedTo(from, from))
		}
		for _, to := range inv.Effects {
			if to.Kind == tool.Write && to.Span == from.Span && to.Target != from.Target && to.Reach != tool.Anywhere && len(list) < maxMoved {
				list = append(list, movedTo(from, to))
			}
		}
	}
	return list
}

// movedTo is what stands for something else after a move.
func movedTo(from, to tool.Effect) command.Link {
	if isExact(from) && isExact(to) {
		return command.Link{From: to.Target, To: from.Target, Moved: true}
	}
	return command.Link{From: patternOf(to), To: patternOf(from), Moved: true, Pattern: true}
}

// patternOf is a pattern of what an effect is on.
func patternOf(e tool.Effect) string {
	switch {
	case e.Pattern:
		return e.Target
	case e.Reach == tool.Under:
		return paths.Escape(e.Target) + "/**"
	}
	return paths.Escape(e.Target)
}

// maxMoved bounds what one invocation moves.
const maxMoved = 8192

// movesInto is the same of many: what is put somewhere under the name of one of those that are taken
// away is that one, as in a directory that all are moved into.
func movesInto(taken, put []tool.Effect) (list []command.Link) {
	named := map[string][]tool.Effect{}
	for _, from := range taken {
		named[path.Base(from.Target)] = append(named[path.Base(from.Target)], from)
	}
	for _, to := range put {
		from := named[path.Base(to.Target)]
		if len(from) == 0 {
			from = taken
		}
		for _, from := range from {
			if to.Target != from.Target && len(list) <= maxMoved {
				list = append(list, movedTo(from, to))
			}
		}
	}
	return list
}
