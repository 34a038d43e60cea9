package command

import (
	"strings"

	"longline/internal/tool"
)

// apiField is "key=value" of a call to a forge; "key=@file" reads a file.
func (r *reader) apiField(w Word) {
	if _, value, _ := strings.Cut(w.Text, "="); strings.HasPrefix(value, "@") {
		r.pathUse(tool.Read, Word{Text: value[1:], Reach: w.Reach, Span: w.Span}, false)
	}
}

// forgeAPI is the endpoint of a call to a forge. The method decides what it
// does; without one, fields or a body make it a POST, as the manuals of such
// programs say. A graphql call is always a POST and its query says what it does.
func (r *reader) forgeAPI(w Word) {
	if strings.Contains(w.Text, "://") {
		r.url(tool.Fetch, w)
	} else {
		r.effect(tool.Effect{Kind: tool.Fetch, Target: "@forge", Reach: tool.Exact, Span: w.Span})
	}
	var method *Word
	body, query := false, ""
	known := true // whether query is all there is
	for i := range r.given {
		g := &r.given[i]
		switch g.name {
		case "-X", "--method":
			if len(g.values) > 0 {
				method = &g.values[0]
			}
		case "-f", "--raw-field", "-F", "--field":
			body = true
			if len(g.values) > 0 {
				v := g.values[0]
				if !v.IsKnown() {
					known = known && v.Reach == tool.Prefix && strings.Contains(v.Text, "=") && !strings.HasPrefix(v.Text, "query=")
				} else if q, ok := strings.CutPrefix(v.Text, "query="); ok {
					if query += q; strings.HasPrefix(q, "@") {
						known = false
					}
				}
			}
		case "--input":
			body, known = true, false
		}
	}
	switch {
	case w.IsKnown() && strings.Trim(w.Text, "/") == "graphql":
		if known && (!body || queryOnly(query)) {
			r.control("forge.read", w.Span)
		} else {
			r.control("forge.write", w.Span)
		}
	case method != nil && readsOnly(*method), method == nil && !body:
		r.control("forge.read", w.Span)
	case method != nil && method.IsKnown() && strings.EqualFold(method.Text, "delete"):
		r.control("forge.delete", w.Span)
	default:
		r.control("forge.write", w.Span)
	}
}

// queryOnly says whether graphql text defines queries and fragments alone: the
// words at its outermost level name the kinds of its definitions.
func queryOnly(text string) bool {
	depth, seen := 0, false
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			end := skipString(text, i)
			if end < 0 {
				return false
			}
			i = end
		case c == '#':
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
		case c == '{' || c == '(':
			depth++
			seen = true
			i++
		case c == '}' || c == ')':
			if depth--; depth < 0 {
				return false
			}
			i++
		case depth == 0 && isLetter(c):
			start := i
			for i < len(text) && (isLetter(text[i]) || text[i] >= '0' && text[i] <= '9') {
				i++
			}
			if word := text[start:i]; strings.EqualFold(word, "mutation") || strings.EqualFold(word, "subscription") {
				return false
			}
		default:
			i++
		}
	}
	return seen && depth == 0
}

// skipString returns the end of a graphql string, -1 if there is none.
func skipString(text string, i int) int {
	if strings.HasPrefix(text[i:], `"""`) {
		if end := strings.Index(text[i+3:], `"""`); end >= 0 {
			return i + 6 + end
		}
		return -1
	}
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n':
			return -1
		}
	}
	return -1
}
