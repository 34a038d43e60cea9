package command

import (
	"strings"
)

// Clients of clouds take an expression for what of an answer they print. An answer may hold
// variables that somebody has set, so an expression has to be known to show nothing else: every
// field that it shows must be called like one that holds a name, a number or a state.

// plainFields are the patterns of names of fields that hold a name, a number or a state, in lower case.
const plainFields = "*name|*names|*id|*ids|*arn|*arns|*status|state|*state|runtime|*version|*revision|*size|*count|*time|*timestamp|*date|" +
	"createdat|updatedat|startedat|stoppedat|lastmodified|*region|*zone|*type|kind|role|image|*imageuri|*url|*fqdn|*port|*ports|*endpoint|*ip|*address|" +
	"cpu|*memory|*replicas|*reason|description|tier|*sku|*digest|*sha256|generation|*family|exitcode|healthy|enabled|architectures|handler|timeout|" +
	"subnets|securitygroups|privileged|resourcegroup|ingress|weight|percent|conditions"

// queried is a JMESPath expression, with "CONTROL" for what it does unless all the fields that
// it shows are called so, or as "=A|B" behind it says.
func queried(r *reader, arg string, w Word) {
	control, harmless, _ := strings.Cut(arg, "=")
	q := query{text: w.Text, harmless: harmless}
	if !w.IsKnown() || strings.Contains(w.Text, `\`) || !q.picks(0) || q.text != "" {
		r.control(control, r.inv.Span)
	}
}

// projected is the same for a format of the Google Cloud client: "value(status.url, name)".
func projected(r *reader, arg string, w Word) {
	control, harmless, _ := strings.Cut(arg, "=")
	if !w.IsKnown() || !projectsOnly(w.Text, harmless) {
		r.control(control, r.inv.Span)
	}
}

// query is a JMESPath expression that is being read; text is what is left of it.
type query struct {
	text     string
	harmless string
}

// maxQuery bounds how deep expressions lie in each other.
const maxQuery = 16

// picks reads an expression up to a comma or a closing sign. It says whether all that it shows is
// harmless.
func (q *query) picks(depth int) bool {
	shown := false // so far: nothing is picked yet, which is everything
	for {
		known, ok := q.chain(shown, depth)
		if !ok {
			return false
		}
		operator := q.operator()
		switch operator {
		case "":
			return known
		case "|": // what stands behind it sees no more than what is shown so far
			shown = known
		default: // one of both is shown, or whether they are equal
			return q.picks(depth+1) && known
		}
	}
}

// operator takes what joins two expressions.
func (q *query) operator() string {
	q.blanks()
	for _, sign := range [...]string{"||", "&&", "==", "!=", "<=", ">=", "<", ">", "|"} {
		if q.take(sign) {
			return sign
		}
	}
	return ""
}

// chain reads steps from the whole to a part of it. known says whether what the last one shows is
// harmless, as what there is before the first one is if shown is true.
func (q *query) chain(shown bool, depth int) (known, ok bool) {
	if depth > maxQuery {
		return false, false
	}
	for q.blanks(); q.take("&") || q.take("!"); {
		q.blanks()
	}
	known = shown
	for first := true; ; first = false {
		q.blanks()
		switch {
		case q.take("["):
			if known, ok = q.bracket(known, first, depth); !ok {
				return false, false
			}
		case !first && !q.take("."):
			return known, true
		default:
			if known, ok = q.step(known, depth); !ok {
				return false, false
			}
		}
	}
}

// bracket reads what stands behind a bracket: an index, a slice or a filter, which show what
// was there before, or a list of expressions.
func (q *query) bracket(before, first bool, depth int) (known, ok bool) {
	inside, rest, closed := strings.Cut(q.text, "]")
	switch {
	case strings.HasPrefix(q.text, "?"):
		return before, q.skip(']')
	case closed && strings.Trim(inside, "0123456789:-* ") == "":
		q.text = rest
		return before, true
	case first:
		return q.list(']', depth)
	}
	return false, false
}

// step reads a name, a function, a list or a hash of expressions.
func (q *query) step(before bool, depth int) (known, ok bool) {
	q.blanks()
	switch {
	case q.take("["):
		return q.list(']', depth)
	case q.take("{"):
		return q.list('}', depth)
	case q.take("("):
		return q.list(')', depth)
	case q.take("*"):
		return false, true
	case q.take("@"):
		return before, true
	case strings.HasPrefix(q.text, "'"), strings.HasPrefix(q.text, "`"):
		sign := q.text[0]
		q.text = q.text[1:]
		return true, q.skip(sign)
	case q.take(`"`):
		name, rest, closed := strings.Cut(q.text, `"`)
		q.text = rest
		return isHarmless(name, q.harmless), closed
	}
	n := nameLength(q.text)
	name := q.text[:n]
	if q.text = q.text[n:]; n == 0 {
		return false, false
	}
	if !q.take("(") {
		return isHarmless(name, q.harmless), true
	}
	known, ok = q.list(')', depth)
	return known || hasWord("length keys type contains starts_with ends_with", name), ok
}

// list reads expressions up to a closing sign. All of them are shown. Those in braces get new names,
// which say nothing any more of what is in them.
func (q *query) list(end byte, depth int) (known, ok bool) {
	for known = true; ; {
		q.blanks()
		if end == '}' {
			_, rest, named := strings.Cut(q.text, ":")
			if !named {
				return false, false
			}
			q.text = rest
		}
		known = q.picks(depth+1) && known
		q.blanks()
		if q.take(string(end)) {
			return known, known || end != '}'
		}
		if !q.take(",") {
			return false, false
		}
	}
}

// skip goes behind a closing sign, past texts and what is bracketed.
func (q *query) skip(end byte) bool {
	for depth := 0; q.text != ""; {
		c := q.text[0]
		q.text = q.text[1:]
		switch {
		case c == end && depth == 0:
			return true
		case end != ']':
		case c == '\'' || c == '"' || c == '`':
			if _, rest, closed := strings.Cut(q.text, string(c)); closed {
				q.text = rest
				continue
			}
			return false
		case c == '[':
			depth++
		case c == ']':
			depth--
		}
	}
	return false
}

func (q *query) blanks() { q.text = strings.TrimLeft(q.text, " \t\n") }

func (q *query) take(sign string) bool {
	rest, ok := strings.CutPrefix(q.text, sign)
	q.text = rest
	return ok
}

// isHarmless says whether a field is called like a plain one or one of a list, in whatever case. A variable may be a field, and an address
// hold a password: DATABASE_URL.
func isHarmless(field, patterns string) bool {
	if SecretName(field) {
		return false
	}
	field = strings.ToLower(field)
	for _, list := range [...]string{plainFields, patterns} {
		for pattern := range strings.SplitSeq(list, "|") {
			if end, open := strings.CutPrefix(pattern, "*"); open && strings.HasSuffix(field, end) || pattern == field && field != "" {
				return true
			}
		}
	}
	return false
}

// projectsOnly says whether a format shows fields of these names only. Functions behind a field
// change how it is written.
func projectsOnly(format, harmless string) bool {
	if format == "none" || format == "disable" {
		return true
	}
	kind, fields, some := strings.Cut(format, "(")
	fields, closed := strings.CutSuffix(strings.TrimSpace(fields), ")")
	if kind, _, _ = strings.Cut(kind, "["); !some || !closed || !hasWord("value get csv table json yaml text list flattened config", kind) {
		return false
	}
	for fields != "" {
		var field string
		if field, fields = cutField(fields); !endsHarmless(strings.TrimSpace(field), harmless) {
			return false
		}
	}
	return true
}

// cutField cuts a list at the first comma that stands in no brackets.
func cutField(list string) (field, rest string) {
	depth := 0
	for i := range len(list) {
		switch list[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				return list[:i], list[i+1:]
			}
		}
	}
	return list, ""
}

// endsHarmless says whether the last name of a path is a harmless one: "status.conditions[0].type",
// "zone.basename()", "name:sort=1".
func endsHarmless(field, harmless string) bool {
	field, attributes, _ := strings.Cut(field, ":")
	if strings.Contains(attributes, "format") || strings.ContainsAny(field, `'"`) {
		return false
	}
	for strings.HasSuffix(field, ")") {
		opening := strings.IndexByte(field, '(')
		field = field[:max(opening, 0)]
		field = field[:max(strings.LastIndexByte(field, '.'), 0)]
	}
	for strings.HasSuffix(field, "]") {
		field = field[:max(strings.LastIndexByte(field, '['), 0)]
	}
	return isHarmless(field[strings.LastIndexByte(field, '.')+1:], harmless)
}
