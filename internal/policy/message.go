package policy

import "longline/internal/tool"

// Message is what a verdict says to a person or a model in one line: the rule,
// its reason, and what to do instead.
func Message(v tool.Verdict) string {
	text := sentence(v.Reason)
	if v.Rule != "" {
		text = join("["+v.Rule+"]", text)
	}
	if v.Decision >= tool.Ask {
		text = join(text, sentence(v.Suggest))
	}
	return text
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// sentence ends a text with a full stop if it ends in a letter, a digit or a
// closing bracket or quote; whoever wrote another ending meant it.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	switch c := text[len(text)-1]; {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == ')', c == '"', c == '\'', c == '`':
		return text + "."
	}
	return text
}
