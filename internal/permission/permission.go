// Package permission applies the permission rules in Claude Code's settings to
// longline's verdict: what the user denies or wants to be asked about applies to
// every program that a script runs, and what the user has allowed is not asked
// about again.
package permission

import (
	"strconv"
	"strings"

	"longline/internal/paths"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// ID is the rule id of a user's permissions.
const ID = "claude-permissions"

// Set is the permission rules that are in force.
type Set struct{ rules []rule }

// rule is one entry of permissions.allow, ask or deny.
type rule struct {
	decision tool.Decision
	text     string // as it is written
	tool     string // name, for ask and deny also with wildcards
	pattern  pattern
	whole    bool // it speaks of the tool as such
	layer    string
	source   string
	base     string // directory that a path beginning with one slash starts from
}

// Source is one settings file.
type Source struct {
	Path  string
	Layer string // managed, user or project
	Base  string // of paths that begin with one slash
	// Tighten says that only its ask and deny rules count.
	Tighten bool
	// Confirmed says which of the others count; nil is all. An entry is written as
	// [Entry.Line] writes it.
	Confirmed func(line string) bool
}

// Entry is one permission that loosens.
type Entry struct {
	Kind string // allow or directory
	Text string // as it is written
}

// Line is how an entry is recorded.
func (e Entry) Line() string { return e.Kind + " " + strconv.Quote(e.Text) }

// Words says in words what an entry lets through.
func (e Entry) Words() string {
	if e.Kind == "directory" {
		return "files in " + e.Text + " can be written like the project's, unless it is a home or system directory"
	}
	r, ok := parse(e.Text, tool.Allow)
	switch {
	case !ok, r.whole, r.tool != "Bash":
		return e.Text + ": it counts for the client only; longline still asks"
	case r.pattern.kind == prefix:
		return "longline need not know commands that begin with: " + r.pattern.text
	case r.pattern.kind == wildcard:
		return "longline need not know commands of the form: " + r.pattern.text
	}
	return "longline need not know the command: " + r.pattern.text
}

// Entries lists what loosens in settings.
func Entries(doc strictjson.Value) []Entry {
	var list []Entry
	for _, item := range doc.Get("permissions").Get("allow").Items {
		if item.Kind == strictjson.String {
			list = append(list, Entry{"allow", item.Text})
		}
	}
	for _, item := range doc.Get("permissions").Get("additionalDirectories").Items {
		if item.Kind == strictjson.String {
			list = append(list, Entry{"directory", item.Text})
		}
	}
	return list
}

// Add reads the rules of a settings file. An error means that the file is not
// what the client would read; it drops such a file as a whole, and so does this.
func (s *Set) Add(from Source, text []byte) error {
	doc, err := strictjson.Parse(text)
	if err != nil {
		return err
	}
	for _, kind := range [...]struct {
		key      string
		decision tool.Decision
	}{{"deny", tool.Deny}, {"ask", tool.Ask}, {"allow", tool.Allow}} {
		if kind.decision == tool.Allow && from.Tighten {
			continue
		}
		for _, item := range doc.Get("permissions").Get(kind.key).Items {
			if kind.decision == tool.Allow && from.Confirmed != nil && !from.Confirmed(Entry{"allow", item.Text}.Line()) {
				continue
			}
			if r, ok := parse(item.Text, kind.decision); ok {
				r.layer, r.source, r.base = from.Layer, from.Path, from.Base
				s.rules = append(s.rules, r)
			}
		}
	}
	return nil
}

// ManagedOnly reports whether an administrator's settings leave users no rules
// of their own.
func ManagedOnly(text []byte) bool {
	doc, err := strictjson.Parse(text)
	return err == nil && doc.Get("allowManagedPermissionRulesOnly").True
}

// parse reads Tool or Tool(content). What is not understood is left out of the
// rules that allow; of the others the client itself takes care.
func parse(text string, d tool.Decision) (rule, bool) {
	r := rule{decision: d, text: text}
	name, content, inner := strings.Cut(strings.TrimSpace(text), "(")
	r.tool = strings.TrimSpace(name)
	if r.tool == "" || inner && !strings.HasSuffix(content, ")") || d == tool.Allow && paths.Wild(ofServer(r.tool)) {
		return r, false
	}
	content = strings.TrimSuffix(content, ")")
	switch content {
	case "", "*", ":*":
		r.whole = true
		return r, true
	}
	switch r.tool {
	case "Bash":
		r.pattern = commandPattern(content)
	case "Read", "Edit":
		r.pattern = pattern{text: content}
	default:
		return r, false // the client's own business
	}
	return r, true
}

// ofServer is a name without the end that stands for all tools of a server.
func ofServer(name string) string {
	if server := strings.TrimSuffix(name, "__*"); strings.HasPrefix(server, "mcp__") {
		return server
	}
	return name
}

// pattern is how the content of a rule for Bash matches.
type pattern struct {
	text string
	kind patternKind
}

type patternKind uint8

const (
	exact    patternKind = iota // the very text
	prefix                      // the text, or the text and a blank
	wildcard                    // with * for any text
)

func commandPattern(content string) pattern {
	if text, ok := strings.CutSuffix(content, ":*"); ok {
		return pattern{text, prefix}
	}
	stars := strings.Count(strings.ReplaceAll(content, `\*`, ""), "*")
	// A single star as the last word may also stand for no word at all.
	if text, ok := strings.CutSuffix(content, " *"); ok && stars == 1 {
		return pattern{text, prefix}
	}
	if stars > 0 {
		return pattern{content, wildcard}
	}
	return pattern{strings.TrimRight(content, " "), exact}
}

// matches holds the text of one command against the pattern.
func (p pattern) matches(text string) bool {
	switch p.kind {
	case prefix:
		rest, ok := strings.CutPrefix(text, p.text)
		return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
	case wildcard:
		return paths.Stars(p.text, text)
	}
	return strings.TrimRight(text, " ") == p.text
}

// mayMatch says whether a rule that asks or denies speaks of a text: in doubt it does.
func (p pattern) mayMatch(text string) bool {
	text = strings.TrimSpace(text)
	return p.matches(text) || p.kind == prefix && (paths.Stars(p.text, text) || paths.Stars(p.text+" *", text))
}
