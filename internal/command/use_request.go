package command

import (
	"strings"

	"longline/internal/tool"
)

// webRequest is what the words of a command say of the requests that it makes.
type webRequest struct {
	addresses []Word // those with a port
	method    *Word  // nil if none is given
	bodies    []Word // what is sent along
	uploads   bool   // a file is
}

// asks notes an address of a request. Services that are administrated over HTTP have ports of their own.
func (q *webRequest) asks(rest Word) {
	authority, _, _ := strings.Cut(rest.Text, "/")
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && i+1 < len(authority) && isDigit(authority[i+1]) {
		rest.Text = rest.Text[i+1:]
		q.addresses = append(q.addresses, rest)
	}
}

// verb is the method of a request.
func (q *webRequest) verb() string {
	switch {
	case q.method != nil && q.method.IsKnown():
		return strings.ToLower(q.method.Text)
	case q.method != nil:
		return "delete" // it may be
	case q.uploads:
		return "put"
	case len(q.bodies) > 0:
		return "post"
	}
	return "get"
}

// served adds what requests do to services that are known by their ports and paths: the models have a list.
func served(r *reader) {
	q := &r.scope.request
	if len(q.addresses) == 0 {
		return
	}
	list := r.lib.list("http-service")
	if list == nil {
		return
	}
	said := ""
	for _, b := range q.bodies {
		said += " " + b.Text
	}
	for _, a := range q.addresses {
		if i := strings.IndexAny(a.Text, "/?"); i < 0 {
			a.Text += "/"
		} else if a.Text[i] == '?' {
			a.Text = a.Text[:i] + "/" + a.Text[i:]
		}
		text := asOneWord(strings.ToLower(q.verb() + ":" + a.Text + said))
		level, _, _ := list.Subs.find(text)
		if level == nil {
			continue
		}
		r.specs(level.Effects)
		if len(level.Operands) > 0 {
			q.reads(r, level.Operands[0].Uses, a)
		}
	}
}

// reads applies uses to the text that a request brings: its body, or what is asked for in its address.
func (q *webRequest) reads(r *reader, uses []Use, address Word) {
	texts := q.bodies
	if _, query, ok := strings.Cut(address.Text, "query="); ok {
		query, _, _ = strings.Cut(query, "&")
		texts = append([]Word{{Text: asText(query), Reach: address.Reach, Span: address.Span}}, texts...)
	}
	for _, w := range texts {
		w.Text = strings.TrimPrefix(w.Text, "query=")
		for _, u := range uses {
			r.use(u, w, false)
		}
	}
}

// asOneWord is a text as patterns of the list have it.
func asOneWord(text string) string {
	return strings.Join(strings.FieldsFunc(asText(text), func(c rune) bool { return c == ' ' || c == '\t' || c == '\n' }), "_")
}

// asText is a part of an address without the signs for characters that addresses do not have.
func asText(part string) string {
	var b strings.Builder
	for i := 0; i < len(part); i++ {
		c := part[i]
		if c == '+' {
			c = ' '
		}
		if c == '%' && i+2 < len(part) && isHex(part[i+1]) && isHex(part[i+2]) {
			c = byte(digit(part[i+1])<<4 | digit(part[i+2]))
			i += 2
		}
		b.WriteByte(c)
	}
	return b.String()
}

// asked notes a request that code makes: what stands in it is all that is known of its method and what it brings.
func (q *webRequest) asked(kind tool.Kind, code Word) {
	if kind != tool.Send {
		return
	}
	method := Word{Reach: tool.Exact, Span: code.Span}
	for _, verb := range [...]string{"delete", "put", "patch", "post", ""} {
		if strings.Contains(strings.ToLower(code.Text), verb) {
			method.Text = verb
			break
		}
	}
	q.method, q.bodies = &method, append(q.bodies, code)
}
