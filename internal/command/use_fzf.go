package command

import (
	"strings"

	"longline/internal/tool"
)

// fzfActions are actions that run their argument as a shell command.
const fzfActions = "become execute execute-silent execute-multi reload reload-sync preview change-preview"

// fuzzyBind is the use of a list of key bindings, KEY:ACTION[+ACTION],..., as
// fuzzy finders take it. Most actions move about in the list; some run commands.
func (r *reader) fuzzyBind(w Word) {
	if w.Reach != tool.Exact {
		r.gap("an unknown key binding", w.Span)
		return
	}
	rest := w.Text
	for rest != "" {
		key, actions, ok := strings.Cut(rest, ":")
		if !ok || strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-,?") != "" {
			r.gap("a key binding that longline does not follow", w.Span)
			return
		}
		if rest, ok = r.fuzzyActions(actions, w); !ok {
			r.gap("an action of a key binding that longline does not follow", w.Span)
			return
		}
	}
}

// fuzzyActions reads the actions of one binding and returns what follows it.
func (r *reader) fuzzyActions(text string, w Word) (rest string, ok bool) {
	for {
		after := strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz-")
		name := text[:len(text)-len(after)]
		if name == "" {
			return "", false
		}
		if after != "" && after[0] != '+' && after[0] != ',' {
			arg, next, ok := fuzzyArgument(after)
			if !ok || !r.fuzzyAction(name, arg, w) {
				return "", false
			}
			after = next
		}
		switch {
		case after == "":
			return "", true
		case after[0] == ',':
			return after[1:], len(after) > 1
		}
		text = after[1:]
	}
}

// fuzzyArgument takes an argument apart: in brackets of any kind, which end
// where a closing one stands before another action, or all that is left.
func fuzzyArgument(text string) (arg, rest string, ok bool) {
	const opening, closing = "([{<~!@#$%^&*;/|", ")]}>~!@#$%^&*;/|"
	if text[0] == ':' {
		return text[1:], "", true
	}
	kind := strings.IndexByte(opening, text[0])
	if kind < 0 {
		return "", "", false
	}
	closer := closing[kind]
	for i := 1; i < len(text); i++ {
		if text[i] == closer && (i+1 == len(text) || text[i+1] == '+' || text[i+1] == ',') {
			return text[1:i], text[i+1:], true
		}
	}
	return "", "", false
}

func (r *reader) fuzzyAction(name, arg string, w Word) bool {
	switch {
	case hasWord(fzfActions, name), strings.HasPrefix(name, "transform-"), strings.HasPrefix(name, "bg-transform-"):
		if fuzzyRaw(arg) {
			return false
		}
		// A preview is only shown to whoever sits there; anything else works on an item that is not known.
		if name != "preview" && name != "change-preview" {
			arg = fuzzyItems(arg)
		}
		script := Word{Text: arg, Reach: tool.Exact, Span: w.Span}
		r.scriptUse("sh", script, false)
		return true
	case strings.HasPrefix(name, "change-"), hasWord("put print pos search rebind unbind toggle-bind show-header hide-header", name):
		return true
	}
	return false // transform runs what its command prints as actions
}

// fuzzyPlaceholder is the length of a placeholder such as {}, {+2..}, {q} or
// {fzf:action} at the beginning of text, or 0, and whether what it stands for is
// put in without quotes, as part of the command.
func fuzzyPlaceholder(text string) (length int, raw bool) {
	end := strings.IndexByte(text, '}')
	if end < 0 || text[0] != '{' || strings.Trim(text[1:end], "+*0123456789.,-:abcdefghijklmnopqrstuvwxyz") != "" {
		return 0, false
	}
	flags := strings.TrimLeft(text[1:end], "+*sf")
	return end + 1, strings.HasPrefix(flags, "r")
}

func fuzzyRaw(script string) bool {
	for i := range len(script) {
		if n, raw := fuzzyPlaceholder(script[i:]); n > 0 && raw {
			return true
		}
	}
	return false
}

// fuzzyItems puts a word that is not known in the place of every placeholder.
func fuzzyItems(script string) string {
	var b strings.Builder
	for i := 0; i < len(script); {
		if n, _ := fuzzyPlaceholder(script[i:]); n > 0 {
			b.WriteString(`"$!"`) // a variable that no assignment can change
			i += n
			continue
		}
		b.WriteByte(script[i])
		i++
	}
	return b.String()
}
