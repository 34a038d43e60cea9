package shell

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// A name that a script makes of that of a file, by taking away how it begins or ends, may be the same for several files: of a.csv and
// a.txt only one is left as "${f%.*}". And it may be that of a file which is there. The disk says which files there are.

// maxDerived bounds the names that are made so, and maxDeeper those of files that may come to lie in directories of which no more is known.
const maxDerived, maxDeeper = 2048, 64

const manyDerived = "more files get names made of theirs than longline compares"

// onDerivedName adds the loss of a file that another one is moved on top of so.
func onDerivedName(led *ledger, s *state, inv *command.Invocation, to tool.Effect, taken []tool.Effect) {
	seen, sieves := map[string]string{}, siftedFor(led, isSifted(inv))
	list, _ := derivedNames(led, &namer{led: led, s: s, inv: inv, steady: true}, to, taken[0])
	for _, l := range list {
		if sieves != nil && sieves.LeaveOneOf(l.From) {
			continue
		}
		if have, is := seen[l.To]; is && have != l.From {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Delete, Target: have, Reach: tool.Exact, Span: to.Span})
			return
		}
		seen[l.To] = l.From
	}
}

// getsNames notes the names that files are moved or copied to so, or that what a command makes of them is written to. Of files that are moved, none is at its own name any more. Where these
// names are not known, they may be those of any files that are at such a place.
func getsNames(led *ledger, s *state, inv *command.Invocation) {
	if inv.Remote || led.world.Entries == nil || led.world.Exists == nil {
		return
	}
	if !inv.Puts {
		writesNames(led, s, inv)
		return
	}
	from, to := takesAndPuts(led, inv)
	if to == nil {
		return
	}
	list, known := derivedNames(led, &namer{led: led, s: s, inv: inv}, *to, *from)
	if !known {
		inv.Becomes = append(inv.Becomes, anyNames(led, *to, *from)...)
		return
	}
	gone, moved := map[string]bool{}, len(movedBy(inv)) > 0 && !isSifted(inv)
	for _, l := range list {
		if l.From == l.To {
			continue
		}
		if !gone[l.To] {
			inv.Becomes = append(inv.Becomes, l)
		}
		gone[l.From] = moved
	}
}

// takesAndPuts are the effects on the files that a command takes, and on the names made of theirs; nil if it has no such.
func takesAndPuts(led *ledger, inv *command.Invocation) (from, to *tool.Effect) {
	for _, e := range inv.Effects {
		if e.Kind == tool.Write && e.Reach == tool.Anywhere {
			return nil, nil // that is asked about
		}
		takes := from == nil && (e.Kind == tool.Read || e.Manner == tool.Moved)
		if takes {
			e = asNamed(inv, e)
		}
		switch {
		case isExact(e) || to != nil || e.Reach == tool.Anywhere:
		case takes:
			from = &e
		case from != nil && e.Kind == tool.Write && e.Manner != tool.Moved && e.Span != from.Span && isMadeUp(led, inv, e, *from):
			to = &e
		}
	}
	return from, to
}

// asNamed is an effect on one of the files that the pattern matches by which a command names them as one on all of these.
func asNamed(inv *command.Invocation, e tool.Effect) tool.Effect {
	if w, is := wordAt(inv, e.Span); is && isExact(e) && w.Glob && w.Reach == tool.Exact && inv.Dir.Reach == tool.Exact {
		e.Target, e.Pattern = paths.Clean(inv.Dir.Text, w.Text), true
	}
	return e
}

// maxPiped bounds how far back the beginning of a pipeline is looked for.
const maxPiped = 8

// writesNames is getsNames for what is written to files that are emptied for it. The names that theirs are made of are those of files that the
// command reads, or one that feeds it.
func writesNames(led *ledger, s *state, inv *command.Invocation) {
	for _, to := range inv.Effects {
		if isExact(to) || !isDestination(to) || !fillsAt(inv, to.Span) {
			continue
		}
		readers := []*command.Invocation{inv}
		for i := len(led.invocations) - 1; i >= 0 && i >= len(led.invocations)-maxPiped && inv.Pipeline > 0; i-- {
			if o := led.invocations[i]; o.Pipeline == inv.Pipeline && o.Stage < inv.Stage {
				readers = append(readers, o)
			}
		}
		for _, o := range readers {
			at := slices.IndexFunc(o.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && !isExact(e) && e.Span != to.Span })
			if at < 0 {
				continue
			}
			list, _ := derivedNames(led, &namer{led: led, s: s, inv: o}, to, o.Effects[at])
			for _, l := range list {
				if l.From != l.To {
					inv.Becomes = append(inv.Becomes, l)
				}
			}
			break
		}
	}
}

// fillsAt says whether a word is for a file whose content gives way to what a command prints or reads.
func fillsAt(inv *command.Invocation, at tool.Span) bool {
	return slices.Contains(inv.Fills, at) || slices.Contains(inv.Filled, at) || slices.ContainsFunc(inv.Redirects, func(red command.Redirect) bool {
		return red.Target.Span == at && strings.HasPrefix(strings.TrimPrefix(red.Op, "&"), ">") && !strings.Contains(red.Op, ">>")
	})
}

// isBeside says whether a command runs in the directory of each file that an effect is on.
func isBeside(led *ledger, inv *command.Invocation, e tool.Effect) bool {
	return inv.Dir.Reach == tool.Under && rawAt(led, e.Span) == filledIn
}

// isMadeUp says whether a script makes up the word for the place of an effect, or it is one in the directory of each file that another is on.
func isMadeUp(led *ledger, inv *command.Invocation, e, from tool.Effect) bool {
	text := rawAt(led, e.Span)
	return text == "" || strings.Contains(text, "$") || strings.Contains(text, filledIn) || strings.Contains(text, "`") || isBeside(led, inv, from)
}

// anyNames are the names that files may get which are moved or copied to a place of which a pattern is known: any there, and their own in
// directories there.
func anyNames(led *ledger, to, from tool.Effect) (list []command.Link) {
	files, all := sources(led, from)
	if all && len(files) == 0 {
		return nil
	}
	pattern := patternOf(to)
	list = []command.Link{{To: pattern, Pattern: true}}
	seen := map[string]bool{}
	for _, file := range files {
		if name := path.Base(file); !seen[name] {
			if seen[name] = true; len(seen) > maxDeeper {
				return append(list, command.Link{To: pattern + "/*", Pattern: true})
			}
			list = append(list, command.Link{To: pattern + "/" + paths.Escape(name), Pattern: true})
		}
	}
	return list
}

// sources are the files that an invocation takes, and the directories if it takes these with all below them.
func sources(led *ledger, from tool.Effect) (files []string, all bool) {
	find := lookout{world: led.world, entries: led.entriesIn, left: maxSame, dirs: from.Tree && from.Manner != tool.Moved}
	if find.files(patternOf(from)); find.left < 0 {
		return nil, false
	}
	slices.Sort(find.found)
	return find.found, true
}

// derivedNames are the files that an effect is on, and the names that are made of theirs for the place of another effect. It says whether
// these are all.
func derivedNames(led *ledger, n *namer, to, from tool.Effect) (list []command.Link, all bool) {
	inv := n.inv
	if led.world.Entries == nil || led.world.Exists == nil || inv.Remote || isExact(from) {
		return nil, false
	}
	_, name, _ := namesPlace(led, inv, to)
	word, source, known := namesPlace(led, inv, from)
	beside := isBeside(led, inv, from)
	n.beside = beside
	if !known || name == "" || !beside && inv.Dir.Reach != tool.Exact {
		return nil, false
	}
	files, all := sources(led, from)
	if !all {
		gapIn(inv, manyDerived)
		return nil, true
	}
	if len(files) == 0 {
		return nil, true
	}
	around, ok := n.around(source, name)
	if !ok {
		return nil, false
	}
	for _, file := range files {
		dir, seen := inv.Dir.Text, seenFrom(inv, word, file)
		if beside {
			dir, seen = paths.Parent(file), []string{path.Base(file)}
		}
		made := 0
		for _, value := range seen {
			if led.derived++; led.derived > maxDerived {
				gapIn(inv, manyDerived)
				return nil, true
			}
			if value, ok = around.cut(value); !ok {
				continue
			}
			derived, known := n.made(name, value)
			if !known {
				return nil, false
			}
			made++
			if link, is := comesTo(led, file, paths.Clean(dir, derived), strings.HasSuffix(derived, "/")); is && !slices.Contains(list, link) {
				list = append(list, link)
			}
		}
		if made == 0 {
			return nil, false
		}
	}
	return list, true
}

// namesPlace is the word that names the place of an effect, and how the script writes it: without a flag that it is the value of.
func namesPlace(led *ledger, inv *command.Invocation, e tool.Effect) (w command.Word, raw string, is bool) {
	raw = rawAt(led, e.Span)
	w, is = wordAt(inv, e.Span)
	flag, _, glued := strings.Cut(w.Text, "=")
	if flag += "="; !is || !glued || paths.Clean(inv.Dir.Text, w.Text) == e.Target {
		return w, raw, is
	}
	quote := ""
	if raw != "" && raw[0] == '"' {
		quote, raw = raw[:1], raw[1:]
	}
	rest, ok := strings.CutPrefix(raw, flag)
	return w.From(len(flag)), quote + rest, ok
}

// wordAt is the word of a command, or of a redirection of it, at a place of the script.
func wordAt(inv *command.Invocation, at tool.Span) (w command.Word, is bool) {
	if i := slices.IndexFunc(inv.Words, func(w command.Word) bool { return w.Span == at }); i >= 0 {
		return inv.Words[i], true
	}
	if i := slices.IndexFunc(inv.Redirects, func(red command.Redirect) bool { return red.Target.Span == at }); i >= 0 {
		return inv.Redirects[i].Target, true
	}
	return w, false
}

// comesTo is a file that is put at a place, or into the directory there. In one that the script makes there is none of its name.
func comesTo(led *ledger, file, place string, dir bool) (l command.Link, is bool) {
	if led.world.Exists(place + "/.") {
		return command.Link{From: file, To: place + "/" + path.Base(file)}, true
	}
	return command.Link{From: file, To: place}, !dir && !makesDirectory(led, place)
}

// rawAt is what stands at a place of the script.
func rawAt(led *ledger, at tool.Span) string {
	if at.Start >= at.End || at.End > len(led.given) {
		return ""
	}
	return led.given[at.Start:at.End]
}

// asWritten is that without quotes.
func asWritten(led *ledger, at tool.Span) string {
	return strings.ReplaceAll(strings.ReplaceAll(rawAt(led, at), `"`, ""), "'", "")
}

// seenFrom is how the value of a word that is a pattern or from a list may name a file. A list that is known by where the files are may name
// them in several ways.
func seenFrom(inv *command.Invocation, w command.Word, file string) []string {
	below, is := strings.CutPrefix(file, strings.TrimSuffix(inv.Dir.Text, "/")+"/")
	switch {
	case !is:
		return []string{file}
	case strings.HasPrefix(w.Text, "/"):
		return []string{file, below, "./" + below}
	case w.Text == "." || strings.HasPrefix(w.Text, "./"):
		return []string{"./" + below}
	}
	return []string{below}
}
