package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// Of files that are moved to names which a script counts, those are lost that others get the names of: a second loop begins to count again,
// or counts by another variable.

// maxRecounted bounds how often the names of two places are compared in a script.
const maxRecounted = 128

// countedAgain adds the loss of files that were moved, at another place of the script, to names that are counted now again.
func countedAgain(led *ledger, inv *command.Invocation, to tool.Effect) {
	shape, counters := counted(led, to)
	if len(counters) == 0 {
		return
	}
	for _, before := range led.invocations {
		at := slices.IndexFunc(before.Effects, func(e tool.Effect) bool {
			return isDestination(e) && !isExact(e) && e.Span.End <= to.Span.Start && e.Span.Start < e.Span.End
		})
		if at < 0 || len(movedBy(before)) == 0 {
			continue
		}
		if led.recounted++; led.recounted > maxRecounted {
			gapIn(inv, "more files are moved to counted names than longline follows")
			return
		}
		there := before.Effects[at]
		was, others := counted(led, there)
		if was != shape || !beginsAgain(led.given, there.Span.End, to.Span.Start, others, counters) {
			continue
		}
		for _, from := range movedBy(before) {
			if from.Kind, from.Span = tool.Delete, to.Span; !slices.Contains(inv.Effects, from) {
				inv.Effects = append(inv.Effects, from)
			}
		}
	}
}

// counted is how a name stands in the script, with a sign in the place of what is counted, and the variables that count.
func counted(led *ledger, e tool.Effect) (shape string, counters []string) {
	text := asWritten(led, e.Span)
	if strings.Count(text, "$") != 1 { // one number, and else what is known
		return "", nil
	}
	before, within, after, ok := arithmetic(text)
	if !ok {
		before, after, _ = strings.Cut(text, "$")
		named := strings.TrimPrefix(after, "{")
		within = nameAt(named)
		if named != after {
			within += "}"
		}
		after = strings.TrimPrefix(named, within)
	}
	shape = before + "$" + after
	for within != "" {
		name := nameAt(within)
		if name != "" && !isDigits(name) && len(counters) < maxStaying && led.spellings.counts(led.given, name) {
			counters = append(counters, name)
		}
		within = within[max(1, len(name)):]
	}
	return shape, counters
}

// isCounter says whether a script adds to a variable.
func isCounter(script, name string) bool {
	for set := range assignments(script, name) {
		switch set.op {
		case "++", "--", "+=", "-=":
			return true
		case "=":
			if strings.HasPrefix(set.rest, "$((") && strings.Contains(valueOf(set.rest), name) {
				return true
			}
		case "":
			if at := set.at; at > 1 && (script[at-2:at] == "++" || script[at-2:at] == "--") {
				return true
			}
		}
	}
	return false
}

// beginsAgain says whether what counts at one place of a script begins anew before another one: there it is another variable, or it is set
// to a number in between.
func beginsAgain(script string, from, to int, first, second []string) bool {
	for _, name := range second {
		if !slices.Contains(first, name) {
			return true
		}
		for set := range assignments(script, name) {
			if set.at >= from && set.at < to && set.op == "=" && isDigits(valueOf(set.rest)) {
				return true
			}
		}
	}
	return false
}
