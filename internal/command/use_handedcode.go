package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/language"
	"longline/internal/tool"
)

// handedCommand is a text that a program hands to a function longline does not know, and that may be code or a command which the function
// runs. Of a command the program must be a known one, unless the function is one that runs commands, and there must be more to it
// than to a sentence that begins with such a word.
func handedCommand(r *reader, lang string, x language.Deed, span tool.Span) {
	switch {
	case x.Words != nil:
		if n := r.executed(x, Word{Span: span}); (language.HasSign(x.Words) || isSubcommand(r, n.Words)) && isSureCommand(r, n.Words) {
			r.inv.Runs = append(r.inv.Runs, n)
		}
	case x.Open && x.Target == "":
		r.execute("inline:"+lang, span)
	default:
		at, ok := commandIn(r, x.Target, x.Told)
		if !ok && !x.Open && isScriptWith(r, x.Target) {
			at, ok = 0, true
		}
		switch {
		case !ok:
		case x.Open:
			r.inv.Runs = append(r.inv.Runs, Nested{Words: begunWords(x.Target[at:], span), Dir: &r.dir, Among: true})
		default:
			text := Known(x.Target[at:], span)
			r.inv.Runs = append(r.inv.Runs, Nested{Script: &text, Shell: "sh", Dir: &r.dir, Among: true})
		}
	}
}

// isSubcommand says whether words begin with a known program and the name of one of its commands.
func isSubcommand(r *reader, words []Word) bool {
	return len(words) > 1 && words[1].IsKnown() && onlyNames(r, []string{words[0].Text, words[1].Text})
}

// isSureCommand says whether words are a command of a known program that takes all of them, whatever those are that are not known.
func isSureCommand(r *reader, words []Word) bool {
	if len(words) == 0 || !words[0].IsKnown() || !r.lib.Has(path.Base(words[0].Text)) {
		return false
	}
	probe := Invocation{Words: slices.Clone(words), Dir: r.dir, Stdin: Data{None: true}}
	for i, w := range probe.Words {
		if !w.IsKnown() {
			probe.Words[i] = Known("x", w.Span)
		}
	}
	r.lib.Read(&probe, r.world)
	return len(probe.Gaps) == 0
}

// begunWords are the words of a command of which only the beginning is known.
func begunWords(text string, span tool.Span) (words []Word) {
	list := strings.Fields(text)
	if !strings.HasSuffix(text, " ") {
		list = list[:max(len(list)-1, 0)]
	}
	for _, w := range list {
		words = append(words, Known(w, span))
	}
	return append(words, Word{Span: span})
}

// commandIn is where in a text a command begins, by the name of its program and what follows it. Two known programs that are
// joined by a sign of the shell are commands, too.
func commandIn(r *reader, text string, told bool) (start int, ok bool) {
	known := -1 // where the part before this one begins, if with a program
	for at := 0; at < len(text); {
		for at < len(text) && strings.IndexByte(" \t\n;|&(`{!", text[at]) >= 0 {
			at++
		}
		start := at
		for at < len(text) && strings.IndexByte(" \t\n;|&()`", text[at]) < 0 {
			at++
		}
		word, rest := text[start:at], text[at:]
		if setsVariable(word) {
			continue
		}
		next := strings.IndexAny(rest, "\n;|&(`")
		if next < 0 {
			next = len(rest)
		}
		program := word != "" && r.lib.Has(path.Base(word)) && !compares(rest[:next])
		switch {
		case told && start == 0 && strings.TrimSpace(rest) != "":
			return 0, true
		case program && (told || isCommandLine(r, rest[:next])):
			return start, true
		case program && known >= 0:
			return known, true
		}
		if known = -1; program && next < len(rest) && strings.IndexByte("|&", rest[next]) >= 0 {
			known = start
		}
		at += next
	}
	return 0, false
}

// compares says whether what follows a word makes it part of a comparison or of other code.
func compares(rest string) bool {
	words := strings.Fields(rest)
	if len(words) == 0 {
		return false
	}
	if strings.IndexByte("=,:", words[0][0]) >= 0 || hasWord("in is not and or", words[0]) {
		return true
	}
	return slices.ContainsFunc(words[:min(len(words), 2)], func(w string) bool { return w != "--" && strings.Trim(w, "<>=!~+*-:,") == "" })
}

// setsVariable says whether a word of a command gives a variable a value.
func setsVariable(word string) bool {
	name, _, found := strings.Cut(word, "=")
	return found && name != "" && !strings.ContainsAny(name, "-./:'\"<>!$")
}

// isCommandLine says whether what follows the name of a program is more than the rest of a sentence: it has options or paths, or it
// names files that are there.
func isCommandLine(r *reader, rest string) bool {
	for i, w := range strings.Fields(rest) {
		if isCommandWord(w) {
			return true
		}
		if w = strings.Trim(w, `'"`); i < maxOperands && w != "" && r.dir.Reach == tool.Exact && r.exists(clean(r.dir.Text+"/"+w)) {
			return true
		}
	}
	return false
}

// maxOperands bounds the words of which it is looked up whether they are files.
const maxOperands = 6

// isCommandWord says whether a word is an option or a path, or may stand for one. Numbers and versions are neither.
func isCommandWord(w string) bool {
	switch {
	case strings.Trim(w, "v0123456789./%+,?") == "" && strings.IndexByte("v0123456789", w[0]) >= 0:
		return false
	case strings.HasPrefix(w, "--") && len(w) > 2, len(w) > 1 && w[0] == '-' && w[1] >= 'A', strings.ContainsAny(w, "/~$*"):
		return true
	}
	dot := strings.IndexByte(w, '.')
	return dot >= 0 && dot+1 < len(strings.Trim(w, `'"`))
}
