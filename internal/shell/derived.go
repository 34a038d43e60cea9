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
// a.txt only one is left as "${f%.*}". The disk says which files there are.

// maxDerived bounds the names that are made so.
const maxDerived = 2048

const manyDerived = "more files get names made of theirs than longline compares"

// onDerivedName adds the loss of a file that another one is moved on top of so.
func onDerivedName(led *ledger, inv *command.Invocation, to tool.Effect, taken []tool.Effect) {
	if len(taken) != 1 {
		return
	}
	seen := map[string]string{}
	for _, l := range derivedNames(led, inv, to, taken[0]) {
		if have, is := seen[l.To]; is && have != l.From {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Delete, Target: have, Reach: tool.Exact, Span: to.Span})
			return
		}
		seen[l.To] = l.From
	}
}

// getsNames notes the names that files are moved or copied to so, or that what a command makes of them is written to. Of files that are moved,
// none is at its own name any more.
func getsNames(led *ledger, inv *command.Invocation) {
	if !inv.Puts {
		writesNames(led, inv)
		return
	}
	from, to := -1, -1
	for i := range inv.Effects {
		switch e := &inv.Effects[i]; {
		case isExact(*e) || to >= 0:
		case from < 0 && (e.Kind == tool.Read || e.Manner == tool.Moved):
			from = i
		case from >= 0 && isDestination(*e) && e.Span != inv.Effects[from].Span:
			to = i
		}
	}
	if to < 0 {
		return
	}
	gone := map[string]bool{}
	for _, l := range derivedNames(led, inv, inv.Effects[to], inv.Effects[from]) {
		if !gone[l.To] && l.From != l.To {
			inv.Becomes = append(inv.Becomes, l)
		}
		gone[l.From] = len(movedBy(inv)) > 0
	}
}

// maxPiped bounds how far back the beginning of a pipeline is looked for.
const maxPiped = 8

// writesNames is getsNames for what is written to files that are emptied for it. The names that theirs are made of are those of files that the
// command reads, or one that feeds it.
func writesNames(led *ledger, inv *command.Invocation) {
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
			for _, l := range derivedNames(led, o, to, o.Effects[at]) {
				if l.From != l.To {
					inv.Becomes = append(inv.Becomes, l)
				}
			}
			break
		}
	}
}

// fillsAt says whether a word is for a file that is emptied to be filled with what a command prints or reads.
func fillsAt(inv *command.Invocation, at tool.Span) bool {
	return slices.Contains(inv.Fills, at) || slices.ContainsFunc(inv.Redirects, func(red command.Redirect) bool {
		return red.Target.Span == at && strings.HasPrefix(strings.TrimPrefix(red.Op, "&"), ">") && !strings.Contains(red.Op, ">>")
	})
}

// derivedNames are the files that an effect is on, and the names that are made of theirs for the place of another effect, unless these are
// directories. There are none if not all are known.
func derivedNames(led *ledger, inv *command.Invocation, to, from tool.Effect) (list []command.Link) {
	if led.world.Entries == nil || led.world.Exists == nil || inv.Remote || keepsNames(inv) || isExact(from) {
		return nil
	}
	name, source := asWritten(led, to.Span), asWritten(led, from.Span)
	word, known := wordAt(inv, from.Span)
	beside := inv.Dir.Reach == tool.Under && source == "{}" // it runs in the directory of each
	variable, is := strings.CutPrefix(source, "$")
	variable = strings.TrimSuffix(strings.TrimPrefix(variable, "{"), "}")
	if !known || strings.HasSuffix(name, "/") || !beside && (inv.Dir.Reach != tool.Exact || !is || nameAt(variable) != variable || variable == "") {
		return nil
	}
	looked := 0
	if name, is = inTermsOf(led.given, name, variable, &looked); !is || name == "" || strings.Contains(name, "$") == beside {
		return nil
	}
	find := lookout{world: led.world, entries: led.entriesIn, left: maxSame}
	if find.files(patternOf(from)); find.left < 0 {
		gapIn(inv, manyDerived)
		return nil
	}
	slices.Sort(find.found)
	for _, file := range find.found {
		dir := inv.Dir.Text
		value, ok := seenFrom(inv, word, file)
		derived, all := filled(name, variable, value)
		if beside {
			dir, ok = paths.Parent(file), true
			derived = strings.ReplaceAll(derived, "{}", path.Base(file))
		}
		if led.derived++; led.derived > maxDerived {
			gapIn(inv, manyDerived)
			return nil
		}
		if !ok || !all {
			return nil
		}
		if place := paths.Clean(dir, derived); !led.world.Exists(place+"/.") && !makesDirectory(led, place) {
			list = append(list, command.Link{From: file, To: place})
		}
	}
	return list
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

// asWritten is what stands at a place of the script, without quotes.
func asWritten(led *ledger, at tool.Span) string {
	if at.Start >= at.End || at.End > len(led.given) {
		return ""
	}
	return withoutQuotes(led.given[at.Start:at.End])
}

func withoutQuotes(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, `"`, ""), "'", "")
}

// seenFrom is how the value of a word that is a pattern or from a list names a file.
func seenFrom(inv *command.Invocation, w command.Word, file string) (string, bool) {
	if strings.HasPrefix(w.Text, "/") {
		return file, true
	}
	below, ok := strings.CutPrefix(file, strings.TrimSuffix(inv.Dir.Text, "/")+"/")
	if w.Text == "." || strings.HasPrefix(w.Text, "./") {
		below = "./" + below
	}
	return below, ok
}

// inTermsOf is a text in which all variables but one are what the script says they are. It is given how many have been looked at.
func inTermsOf(script, text, variable string, looked *int) (string, bool) {
	var out strings.Builder
	for {
		before, rest, more := strings.Cut(text, "$")
		if out.WriteString(before); !more {
			return out.String(), true
		}
		inner, braced := strings.CutPrefix(rest, "{")
		name := nameAt(inner)
		if *looked++; name == "" || *looked > maxStaying {
			return "", false
		}
		if text = inner[len(name):]; name == variable {
			out.WriteString(strings.TrimSuffix("$"+rest, text))
			continue
		}
		if braced {
			if text, more = strings.CutPrefix(text, "}"); !more {
				return "", false
			}
		}
		written, one := soleValue(script, name)
		value, ok := inTermsOf(script, withoutQuotes(written), variable, looked)
		if !one || !ok || written == "" {
			return "", false
		}
		out.WriteString(value)
	}
}

// filled is a text in which a variable, which it has in braces or before another sign, has a value.
func filled(text, variable, value string) (string, bool) {
	var out strings.Builder
	for {
		before, rest, more := strings.Cut(text, "$")
		if out.WriteString(before); !more {
			return out.String(), true
		}
		inner, braced := strings.CutPrefix(rest, "{")
		text = inner[len(variable):]
		of, ok := value, true
		if braced {
			cut, behind, closed := strings.Cut(text, "}")
			if of, ok = withoutEnds(value, cut); !closed || !ok {
				return "", false
			}
			text = behind
		}
		out.WriteString(of)
	}
}

// withoutEnds is what is left of a text if that is cut which an expansion says behind the name of a variable.
func withoutEnds(text, cut string) (string, bool) {
	if cut == "" {
		return text, true
	}
	pattern := strings.TrimLeft(cut, cut[:1])
	n := len(cut) - len(pattern)
	if cut[0] != '%' && cut[0] != '#' || n > 2 || strings.ContainsAny(pattern, "$`{\\") {
		return "", false
	}
	return trim(text, pattern, cut[0] == '%', n == 2)
}
