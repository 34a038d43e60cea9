package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/scan"
	"longline/internal/tool"
)

// Of several files that are moved to a name only the last is left, though nobody knows the name, as of "data/$(date +%F).csv". A name
// is one and the same wherever it is written in the same way, if all variables in it have one value throughout the script.

// onOneName adds the loss of files that are moved to a name that is not known, one after the other.
func onOneName(led *ledger, inv *command.Invocation, to tool.Effect, taken []tool.Effect) {
	name := spelled(led, inv, to)
	if name == "" || !isOneFileName(name) && !endsKnown(led, inv, to.Span) && !isNumberedFile(led, name, to) && !isInFresh(led, name, to) || !stays(led.given, name, new(int)) || madeAs(led, name) {
		return
	}
	for _, from := range taken {
		if len(inv.Via) > 0 && !isExact(from) {
			from.Kind = tool.Delete
			inv.Effects = append(inv.Effects, from)
		}
	}
	added := 0
	for _, before := range led.spellings.to[name] {
		if led.spellings.compared++; led.spellings.compared > maxSpelled || added > maxStaying {
			gapIn(inv, "more files are moved to one name than longline follows")
			return
		}
		for _, from := range movedBy(before.by) {
			if moved := movedTo(from, before.there); (moved.From == moved.To || slices.Contains(inv.Moves, moved)) && !(isExact(from) && slices.Contains(targets(taken), from.Target)) {
				from.Kind, from.Span = tool.Delete, to.Span
				inv.Effects = append(inv.Effects, from)
				added++
			}
		}
	}
}

// maxSpelled bounds how often what is moved to a name is held against what was moved to it before.
const maxSpelled = 2048

// spellings are the names that are not known and that the first invocations have made something by, as they are written.
type spellings struct {
	surveyed int // so many invocations
	made     map[string]bool
	to       map[string][]spelledMove
	lays     bool // they may have made a directory
	compared int
	counters map[string]bool // which variables count; see [isCounter]
}

// spelledMove is an invocation that may move something to such a name.
type spelledMove struct {
	by    *command.Invocation
	there tool.Effect
}

// survey looks at the invocations that have been noted since it was asked last.
func (p *spellings) survey(led *ledger) *spellings {
	for ; p.surveyed < len(led.invocations); p.surveyed++ {
		inv := led.invocations[p.surveyed]
		for _, e := range inv.Effects {
			created, put := e.Kind == tool.Create, isDestination(e) && !isExact(e)
			p.lays = p.lays || created && e.Manner != tool.Plain
			if !created && !put {
				continue
			}
			name := spelled(led, inv, e)
			if p.made == nil {
				p.made, p.to = map[string]bool{}, map[string][]spelledMove{}
			}
			p.made[name] = p.made[name] || created
			if list := p.to[name]; put && name != "" && (len(list) == 0 || list[len(list)-1].by != inv) {
				p.to[name] = append(list, spelledMove{inv, e})
			}
		}
	}
	return p
}

// counts is [isCounter] for a variable of the script.
func (p *spellings) counts(script, name string) bool {
	is, known := p.counters[name]
	if !known {
		if p.counters == nil {
			p.counters = map[string]bool{}
		}
		is = isCounter(script, name)
		p.counters[name] = is
	}
	return is
}

func targets(list []tool.Effect) (names []string) {
	for _, e := range list {
		names = append(names, e.Target)
	}
	return names
}

// spelled is how the word for something stands in the script, without quotes, if it is not known what it is; else "".
func spelled(led *ledger, inv *command.Invocation, e tool.Effect) string {
	if !slices.ContainsFunc(inv.Words, func(w command.Word) bool { return w.Span == e.Span && !w.IsKnown() && !w.Glob }) {
		return ""
	}
	return asWritten(led, e.Span)
}

// isOneFileName says whether something stands behind all that is not known of a name, so that it is hardly one of a directory.
func isOneFileName(name string) bool {
	at := strings.LastIndexAny(name, "$)}`")
	if at < 0 || strings.HasSuffix(name, "/") {
		return false
	}
	rest := name[at+1:]
	if name[at] == '$' {
		rest = strings.TrimLeftFunc(rest, func(c rune) bool { return c < 0x80 && scan.IsNameByte(byte(c)) })
	}
	return rest != ""
}

// endsKnown says whether that can be said of the value of the word for it, wherever the script has put the value together.
func endsKnown(led *ledger, inv *command.Invocation, at tool.Span) bool {
	w, is := wordAt(inv, at)
	if !is {
		return false
	}
	e := led.pathEffect(inv, tool.Write, w)
	end := paths.FixedEnd(e.Target)
	return e.Pattern && end != "" && !strings.HasSuffix(end, "/")
}

// madeAs says whether the script has made a directory by that name, or by how it begins.
func madeAs(led *ledger, name string) bool {
	return led.spellings.survey(led).made[name]
}

// maxStaying bounds the variables that are looked at for one name.
const maxStaying = 32

// stays says whether a text means the same wherever it stands in a script: what it counts, and the variables that the script gives
// several values, are others each time. It is given how many variables have been looked at.
func stays(script, text string, looked *int) bool {
	for before, expr, after, ok := arithmetic(text); ok; before, expr, after, ok = arithmetic(text) {
		if *looked++; *looked > maxStaying || !repeats(script, expr, looked) {
			return false
		}
		text = before + after
	}
	if strings.Contains(text, "((") {
		return false
	}
	for {
		_, rest, more := strings.Cut(text, "$")
		if !more {
			return true
		}
		if number := numberOfShell(rest); number != "" {
			text = rest[len(number):]
			continue
		}
		text = strings.TrimLeft(rest, "{#!")
		name := nameAt(text)
		switch {
		case name == "" && (text == "" || text[0] != '('), isAnother(name):
			return false
		case name == "":
			continue
		}
		if *looked++; *looked > maxStaying {
			return false
		}
		if isCut(text[len(name):]) && isCounter(script, name) {
			continue // several numbers have such a part
		}
		if value, one := soleValue(script, name); (!one || !stays(script, value, looked)) && !wraps(script, name) {
			return false
		}
	}
}

// numberOfShell is what a text begins with behind the sign of an expansion, if that is a number which comes again: that of the shell's
// process or of its line, how long it has been running, how a command ended, or how long a value is; else "".
func numberOfShell(text string) string {
	inner, braced := strings.CutPrefix(text, "{")
	name := nameAt(inner)
	switch {
	case braced && strings.HasPrefix(inner, "#") && nameAt(inner[1:]) != "":
		name = inner[:1+len(nameAt(inner[1:]))]
	case name == "LINENO" || name == "SECONDS":
	case inner != "" && (inner[0] == '$' || inner[0] == '?'):
		name = inner[:1]
	default:
		return ""
	}
	switch {
	case !braced:
		return name
	case strings.HasPrefix(inner[len(name):], "}"):
		return text[:len(name)+2]
	}
	return ""
}

// isCut says whether what stands behind a name makes an expansion stand for a part of the value, or for what is the same for many values.
func isCut(rest string) bool {
	if rest == "" || strings.IndexByte("%#/:+", rest[0]) < 0 {
		return false
	}
	return rest[0] != ':' || len(rest) > 1 && strings.IndexByte("-=?", rest[1]) < 0
}

// isAnother says whether the shell gives a variable another value each time.
func isAnother(name string) bool {
	switch name {
	case "RANDOM", "SRANDOM", "SECONDS", "EPOCHREALTIME", "LINENO", "BASHPID", "REPLY", "_":
		return true
	}
	return name != "" && name[0] >= '0' && name[0] <= '9'
}

// nameAt is the name of a variable that a text begins with.
func nameAt(text string) string {
	end := 0
	for end < len(text) && scan.IsNameByte(text[end]) {
		end++
	}
	return text[:end]
}

// isDeclared says whether a script declares what stands behind a part of it.
func isDeclared(before string) bool {
	return slices.ContainsFunc(strings.Fields(before[strings.LastIndexAny(before, ";\n&|(){}")+1:]), isDeclaration)
}

// soleValue is how the one value is written that a script gives a variable; "" if it gives it none. Where the name stands in another
// place than in front of a value, the variable may get others there.
func soleValue(script, name string) (value string, one bool) {
	for at := 0; name != ""; {
		i := strings.Index(script[at:], name)
		if i < 0 {
			return value, true
		}
		start, end := at+i, at+i+len(name)
		at = end
		switch before := script[max(start-1, 0)]; {
		case start > 0 && (scan.IsNameByte(before) || strings.IndexByte("$.-/", before) >= 0), end < len(script) && scan.IsNameByte(script[end]), before == '{' && start > 1 && script[start-2] == '$':
			continue // it is used, or another word
		case (end == len(script) || script[end] != '=') && isDeclared(script[:start]):
			continue // it gets no value there
		case end == len(script) || script[end] != '=':
			return "", false
		}
		written, _, _ := strings.Cut(script[end+1:], ";")
		written, _, _ = strings.Cut(written, "\n")
		written, _, _ = strings.Cut(written, "&&")
		if written = strings.TrimSpace(written); value != "" && value != written || strings.Contains(written, "$"+name) {
			return "", false
		}
		value = written
	}
	return "", false
}
