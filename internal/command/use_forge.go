package command

import (
	"slices"
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
func (r *reader) forgeAPI(secrets string, w Word) {
	if strings.Contains(w.Text, "://") {
		r.url(tool.Fetch, w)
	} else {
		r.effect(tool.Effect{Kind: tool.Fetch, Target: "@forge", Reach: tool.Exact, Span: w.Span})
	}
	if w.Taint&FromSecret != 0 {
		r.travels(w, true)
	}
	r.control(r.forgeRequest().control(w), w.Span)
	if asksForValues(w.Text, secrets) || !w.IsKnown() && mayAskForValues(w, secrets) { // an answer to whatever request
		r.control("forge.secret", w.Span)
	}
}

// asksForValues says whether an endpoint has one of some names in it, of things that are shown with
// the secret that is in them.
func asksForValues(endpoint, names string) bool {
	endpoint, _, _ = strings.Cut(endpoint, "?")
	for name := range strings.SplitSeq(strings.ToLower(endpoint), "/") {
		if name != "" && slices.Contains(strings.Split(names, "|"), name) {
			return true
		}
	}
	return false
}

// mayAskForValues says whether an endpoint may be such a one of which parts are known only at run time. A part is the number or the name of
// something, whose kind stands before it.
func mayAskForValues(w Word, names string) bool {
	if asksForValues(w.Tail, names) || w.Hollow && asksForValues(w.IfEmpty, names) {
		return true
	}
	parts, _, _ := strings.Cut(w.IfEmpty, "?")
	return names != "" && w.Tail == "" && (w.Reach == tool.Anywhere || w.Hollow && strings.HasSuffix(parts, "//"))
}

// forgeRequest is what flags say of a call to a forge.
type forgeRequest struct {
	method *Word // nil if none is given
	body   bool
	query  string // of graphql
	open   bool   // the query is not all there is
}

// forgeRequest reads the flags of a call.
func (l *commandLine) forgeRequest() (q forgeRequest) {
	for i := range l.given {
		g := &l.given[i]
		switch g.name {
		case "-X", "--method":
			if len(g.values) > 0 {
				q.method = &g.values[0]
			}
		case "-f", "--raw-field", "-F", "--field":
			q.body = true
			if len(g.values) > 0 {
				q.field(g.values[0])
			}
		case "--input":
			q.body, q.open = true, true
		}
	}
	return q
}

// field is one field of the body.
func (q *forgeRequest) field(v Word) {
	text, query := strings.CutPrefix(v.Text, "query=")
	switch {
	case v.IsKnown() && query:
		q.query += text
		q.open = q.open || strings.HasPrefix(text, "@")
	case !v.IsKnown() && (query || v.Reach != tool.Prefix || !strings.Contains(v.Text, "=")):
		q.open = true
	}
}

// control is the name of what a call to an endpoint does.
func (q forgeRequest) control(endpoint Word) string {
	reads := !q.body
	switch {
	case endpoint.IsKnown() && strings.Trim(endpoint.Text, "/") == "graphql":
		reads = !q.open && (!q.body || queryOnly(q.query))
	case q.method != nil && q.method.IsKnown() && strings.EqualFold(q.method.Text, "delete"):
		return "forge.delete"
	case q.method != nil:
		reads = readsOnly(*q.method)
	}
	if reads {
		return "forge.read"
	}
	return "forge.write"
}

// queryOnly says whether graphql text defines queries and fragments alone: the
// words at its outermost level name the kinds of its definitions.
func queryOnly(text string) bool {
	names, whole := outerNames(text)
	return whole && !slices.ContainsFunc(names, func(name string) bool {
		return strings.EqualFold(name, "mutation") || strings.EqualFold(name, "subscription")
	})
}

// outerNames are the words at the outermost level of graphql text. It is whole if there are
// braces, and all of them are closed.
func outerNames(text string) (names []string, whole bool) {
	depth := 0
	for i := 0; i < len(text); {
		end := i + 1
		switch c := text[i]; {
		case strings.IndexByte(`"#`, c) >= 0:
			if end = skipText(text, i); end < 0 {
				return nil, false
			}
		case strings.IndexByte("{(", c) >= 0:
			depth++
			whole = true
		case strings.IndexByte("})", c) >= 0:
			if depth--; depth < 0 {
				return nil, false
			}
		case depth == 0 && isLetter(c):
			end = i + nameLength(text[i:])
			names = append(names, text[i:end])
		}
		i = end
	}
	return names, whole && depth == 0
}

// nameLength is how many letters and digits a text begins with.
func nameLength(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	return n
}

// skipText returns the end of a string or a comment, -1 if a string has none.
func skipText(text string, i int) int {
	if text[i] == '"' {
		return skipString(text, i)
	}
	if end := strings.IndexAny(text[i:], "\r\n"); end >= 0 {
		return i + end
	}
	return len(text)
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
