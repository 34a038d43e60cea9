package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// A secret is a value that the script got hold of without anybody seeing it: a variable named like one, or what a file of secrets sets. It may be
// kept, compared and handed to programs. It may not come to light, and the shell itself brings to light more than echo does.

// reveals notes that the shell shows a word at some place if it holds a secret.
func (r *reader) reveals(w command.Word, span tool.Span) {
	if w.Taint&command.FromSecret == 0 || slices.Contains(r.revealed, span) || len(r.revealed) > maxGaps {
		return
	}
	r.revealed = append(r.revealed, span)
	r.record(&command.Invocation{Span: span, Output: command.Data{Reach: tool.Exact}, Effects: []tool.Effect{shows(span)}})
}

// shows is the effect that a secret comes to light.
func shows(span tool.Span) tool.Effect {
	return tool.Effect{Kind: tool.Control, Target: "env.secret", Reach: tool.Exact, Span: span}
}

// complains notes the words of a builtin that hold a secret and that it may show, if only to say that it cannot use them.
func complains(name string, inv *command.Invocation) {
	switch name {
	case ":", "set", "eval", "trap", "printf": // which keep them to themselves, or are asked about
		return
	case "test", "[":
		if !slices.ContainsFunc(inv.Words, func(w command.Word) bool { return w.Hollow && w.Split }) { // without it, another word is taken for an operator
			return
		}
	}
	for _, w := range inv.Words[1:] {
		if w.Taint&command.FromSecret != 0 && !assigns(w) {
			inv.Effects = append(inv.Effects, shows(w.Span))
			return
		}
	}
}

// assigns says whether a word is an assignment to a variable that is known.
func assigns(w command.Word) bool {
	name, _, ok := strings.Cut(w.Text, "=")
	return ok && w.Reach != tool.Under && isName(strings.TrimSuffix(name, "+"))
}

// discreet are the words of a builtin without the secrets that it keeps to itself.
func discreet(name string, words []command.Word) []command.Word {
	switch name {
	case ":", "set", "eval", "export", "declare", "typeset", "local", "readonly":
	default:
		return words
	}
	words = slices.Clone(words)
	for i := range words {
		if name == ":" || name == "set" || name == "eval" || assigns(words[i]) {
			words[i].Taint &^= command.FromSecret
		}
	}
	return words
}

func (d *disk) isSecret(path string) bool {
	return d.world.Secret != nil && d.world.Secret(tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact})
}
