package rulesfile

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"longline/internal/expression"

	"longline/internal/policy"
	"longline/internal/source"
	"longline/internal/tool"
)

// rule reads a rule.
func (p *parser) rule(n source.Node) policy.Rule {
	// A rule that does not say when it is active always is.
	r := policy.Rule{Level: policy.Critical, Source: n.Pos()}
	decided, matched := false, false
	var overrides, final, walled, deferred, matches, otherwise source.Node
	without := tool.Ask
	n.Fields(map[string]func(source.Node){
		"id":        func(n source.Node) { r.ID = p.id(n) },
		"level":     func(n source.Node) { r.Level = level(n) },
		"decision":  func(n source.Node) { r.Decision, r.Contain, decided = ruling(n), n.Text() == contain, true },
		"otherwise": func(n source.Node) { otherwise, without = n, decision(n) },
		"reason":    func(n source.Node) { r.Reason = n.Text() },
		"suggest":   func(n source.Node) { r.Suggest = n.Text() },
		"final":     func(n source.Node) { final, r.Final = n, n.Bool() },
		"defer":     func(n source.Node) { deferred, r.Defer = n, n.Bool() },
		"walled":    func(n source.Node) { walled, r.Walled = n, n.Bool() },
		"wall":      func(n source.Node) { r.Wall = wall(n) },
		"match":     func(n source.Node) { matches, r.Match, matched = n, match(n), true },
		"overrides": func(n source.Node) { overrides, r.Overrides = n, n.Texts() },
	})
	if !n.IsMap() && !n.IsNull() {
		return r
	}
	for _, missing := range []problem{{r.ID == "", n, "id"}, {!matched, n, "match"}, {!decided, n, "decision"}} {
		if missing.is {
			n.Errorf("the rule has no %q", missing.text)
		}
	}
	if !decided {
		return r
	}
	if r.Contain {
		r.Decision = without
	}
	allows, asks := r.Decision <= tool.Pass, r.Decision == tool.Ask
	for _, wrong := range []problem{
		{len(r.Overrides) > 0 && !allows, overrides, "only a rule that allows or passes can override others"},
		{r.Walled && !asks, walled, "only a rule that asks can be walled (not asking behind a wall)"},
		{loosens(r.Match.Session, allows), matches, "what a session is known for can only make answers stricter: a rule that asks or denies says true under session, one that allows or passes says false"},
		{r.Final && allows, final, "only a rule that asks or denies can be final"},
		{r.Defer && !asks, deferred, "only a rule that asks can defer"},
		{!otherwise.IsZero() && (!r.Contain || without != tool.Pass && without != tool.Ask), otherwise, "only a rule that contains can say otherwise, and then pass or ask"},
	} {
		if wrong.is {
			wrong.at.Errorf("%s; this one says %q", wrong.text, r.Decision)
		}
	}
	return r
}

// contain is the decision that allows with the means it takes.
const contain = "contain"

// ruling reads the decision of a rule.
func ruling(n source.Node) tool.Decision {
	if n.Text() == contain {
		return tool.Ask
	}
	word := n.Text()
	d, ok := tool.ParseDecision(word)
	if !ok && word != "" {
		n.Unknown("decision", word, append(decisionWords(), contain))
	}
	return d
}

// problem is something that may be wrong with a rule, and where.
type problem struct {
	is   bool
	at   source.Node
	text string
}

// loosens says whether what a session is known for would make the answer of a rule looser.
func loosens(s policy.Session, allows bool) bool {
	if allows {
		return s.Has != 0
	}
	return s.Lacks != 0
}

// id reads the id of a rule, which no other has.
func (p *parser) id(n source.Node) string {
	id := n.Text()
	if strings.ContainsAny(id, " \t\n[]") {
		n.Errorf("the id %q contains a space or a bracket", id)
	}
	if first, ok := p.ids[id]; ok && id != "" {
		n.Errorf("the id %q is taken, first in %s", id, first)
	}
	p.ids[id] = n.Pos()
	return id
}

// wall reads whether a rule wants a wall.
func wall(n source.Node) policy.Wall {
	switch word := n.Text(); word {
	case "never":
		return policy.WallNever
	case "always":
		return policy.WallAlways
	default:
		n.Unknown("answer", word, policy.WallNames())
	}
	return policy.WallUsual
}

func match(n source.Node) policy.Match {
	var m policy.Match
	if n.IsMap() && len(n.Pairs()) == 0 || n.IsNull() {
		n.Errorf("an empty match would match everything")
		return m
	}
	n.Fields(map[string]func(source.Node){
		"command": func(n source.Node) { m.Commands = commands(n) },
		"flags":   func(n source.Node) { m.Flags = flags(n) },
		"args": func(n source.Node) {
			if byName(n) {
				m.Given = env(n)
			} else {
				m.Args = args(n)
			}
		},
		"text": func(n source.Node) { m.Text = choice(n, text) },
		"pipeline": func(n source.Node) {
			n.Fields(map[string]func(source.Node){"stages": func(n source.Node) { m.Stages = stages(n) }})
			if len(m.Stages) == 0 {
				n.Errorf("the pipeline has no stages")
			}
		},
		"redirect": func(n source.Node) {
			n.Fields(map[string]func(source.Node){
				"op":     func(n source.Node) { m.Redirect.Ops = choice(n, operator) },
				"target": func(n source.Node) { m.Redirect.Targets = choice(n, expandGlobs) },
			})
			notEmpty(n)
		},
		"env":    func(n source.Node) { m.Env = env(n) },
		"effect": func(n source.Node) { m.Effect = effect(n) },
		"in":     func(n source.Node) { m.In = zones(n) },
		"dir":    func(n source.Node) { m.Dirs = choice(n, directory) },
		"tool":   func(n source.Node) { m.Tools = choice(n, nameGlob) },
		"mode": func(n source.Node) {
			n.Fields(map[string]func(source.Node){"edits": func(n source.Node) { m.Edits = answer(n) }})
			notEmpty(n)
		},
		"session": func(n source.Node) { m.Session = session(n) },
	})
	if len(m.Given) > 0 && len(m.Tools) == 0 {
		n.Errorf("args by name need a tool whose they are")
	}
	return m
}

// byName says whether arguments are those of a tool, with names, and not those of a command.
func byName(n source.Node) bool {
	if !n.IsMap() {
		return false
	}
	for _, p := range n.Pairs() {
		switch p.Name() {
		case "any_of", "all_of", "none_of":
			return false
		}
	}
	return len(n.Pairs()) > 0
}

// expression reads an extended regular expression.
func text(n source.Node) []expression.Expression {
	e, problem := translate(n.Text())
	if problem != "" {
		n.Errorf("%q is not a valid extended regular expression: %s", n.Text(), problem)
	}
	return []expression.Expression{e}
}

// session reads what the session is to be known for, and what not.
func session(n source.Node) (s policy.Session) {
	fields := map[string]func(source.Node){}
	for i, name := range policy.SessionNames() {
		fields[name] = func(n source.Node) {
			if answer(n) == policy.Yes {
				s.Has |= 1 << i
			} else {
				s.Lacks |= 1 << i
			}
		}
	}
	n.Fields(fields)
	notEmpty(n)
	return s
}

// directory reads a directory, which stands for what is below it too.
func directory(n source.Node) []string {
	var list []string
	for _, glob := range expandGlobs(n) {
		if !strings.HasPrefix(glob, "/") && glob != "~" && !strings.HasPrefix(glob, "~/") {
			n.Errorf("the directory %q is not absolute; begin it with / or ~/", glob)
			continue
		}
		list = append(list, glob, strings.TrimSuffix(glob, "/")+"/**")
	}
	return list
}

func notEmpty(n source.Node) {
	if n.IsNull() || n.IsMap() && len(n.Pairs()) == 0 {
		n.Errorf("empty, which would match everything")
	}
}

// choice reads a text, a list of texts, or either under any_of.
func choice[T any](n source.Node, each func(source.Node) []T) []T {
	if n.IsMap() {
		var list []T
		n.Fields(map[string]func(source.Node){"any_of": func(n source.Node) { list = choice(n, each) }})
		notEmpty(n)
		return list
	}
	var list []T
	for _, e := range nodes(n) {
		list = append(list, each(e)...)
	}
	if len(list) == 0 && (n.IsNull() || n.IsList()) {
		n.Errorf("an empty list matches nothing")
	}
	return list
}

// flags reads lists of flags. Beside the others, only says that no other flag is
// given; an empty list says that there is none at all.
func flags(n source.Node) policy.Lists {
	var only []string
	l := lists(n, flagName, map[string]func(source.Node){"only": func(n source.Node) {
		if only = []string{""}; !n.IsList() || len(n.List()) > 0 {
			only = choice(n, flagName)
		}
	}})
	l.Only = only
	return l
}

func args(n source.Node) policy.Lists { return lists(n, expandGlobs, nil) }

// lists reads a choice, or lists with their quantifiers, of which there may be more.
func lists(n source.Node, each func(source.Node) []string, more map[string]func(source.Node)) policy.Lists {
	if !n.IsMap() {
		return policy.Lists{Any: choice(n, each)}
	}
	var l policy.Lists
	fields := map[string]func(source.Node){
		"any_of":  func(n source.Node) { l.Any = choice(n, each) },
		"all_of":  func(n source.Node) { l.All = choice(n, each) },
		"none_of": func(n source.Node) { l.None = choice(n, each) },
	}
	maps.Copy(fields, more)
	n.Fields(fields)
	notEmpty(n)
	return l
}

func commands(n source.Node) []policy.Command {
	var list []policy.Command
	for _, text := range choice(n, func(n source.Node) []string {
		checkCommand(n, n.Text())
		return []string{n.Text()}
	}) {
		list = append(list, strings.Fields(text))
	}
	return list
}

func checkCommand(n source.Node, text string) {
	words := strings.Fields(text)
	if len(words) == 0 {
		n.Errorf("an empty command would match every command")
		return
	}
	for _, w := range words {
		if problem := policy.CheckGlob(w); problem != "" {
			n.Errorf("%q is not a valid glob: %s", w, problem)
		}
	}
	if strings.Trim(words[0], "*?") == "" {
		n.Errorf("%q would match every command; if you mean that, leave command out", text)
	}
}

func flagName(n source.Node) []string {
	text := n.Text()
	if text == "" {
		return nil
	}
	if text[0] != '-' && text[0] != '+' {
		n.Errorf("%q is not a flag: it does not begin with a dash", text)
	}
	name, _, _ := strings.Cut(text, "=")
	return []string{name}
}

func operator(n source.Node) []string {
	known := []string{">", ">>", "<", "<>", ">|", "&>", "&>>", ">&", "<&", "<<", "<<<"}
	text := n.Text()
	if text != "" && !slices.Contains(known, strings.TrimLeft(text, "0123456789")) {
		n.Unknown("redirection operator", text, known)
	}
	return []string{text}
}

func nameGlob(n source.Node) []string {
	text := n.Text()
	if problem := policy.CheckGlob(text); problem != "" {
		n.Errorf("%q is not a valid glob: %s", text, problem)
	}
	return []string{text}
}

// expandGlobs reads a glob and writes out its {a,b} choices.
func expandGlobs(n source.Node) []string {
	text := n.Text()
	for _, home := range []string{"$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(text, home); ok && (rest == "" || rest[0] == '/') {
			text = "~" + rest
		}
	}
	list, problem := braces(text)
	if problem != "" {
		n.Errorf("%q is not a valid glob: %s", n.Text(), problem)
		return nil
	}
	for _, glob := range list {
		if problem := policy.CheckGlob(glob); problem != "" {
			n.Errorf("%q is not a valid glob: %s", n.Text(), problem)
			return nil
		}
	}
	return list
}

// maxGlob bounds a glob: each pair of braces in it writes out the rest anew.
const maxGlob = 4096

// braces writes out the choices between braces.
func braces(text string) (list []string, problem string) {
	if len(text) > maxGlob {
		return nil, "it is longer than " + strconv.Itoa(maxGlob) + " bytes"
	}
	open := strings.IndexByte(text, '{')
	if open < 0 || open > 0 && text[open-1] == '\\' {
		return []string{text}, ""
	}
	parts, size := choices(text[open:])
	if size == 0 {
		return nil, "a { without a }"
	}
	for _, part := range parts {
		more, problem := braces(text[:open] + part + text[open+size:])
		if problem != "" {
			return nil, problem
		}
		if list = append(list, more...); len(list) > 256 {
			return nil, "its braces expand to more than 256 globs"
		}
	}
	return list, ""
}

// choices takes {a,b} at the beginning of a text apart, and says how long it is; 0 if it does not
// end.
func choices(text string) (parts []string, size int) {
	depth, start := 0, 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case ',':
			if depth == 1 {
				parts = append(parts, text[start:i])
				start = i + 1
			}
		case '}':
			if depth--; depth == 0 {
				return append(parts, text[start:i]), i + 1
			}
		}
	}
	return nil, 0
}

func stages(n source.Node) []policy.Stage {
	var list []policy.Stage
	for _, node := range n.List() {
		var s policy.Stage
		node.Fields(map[string]func(source.Node){
			"command": func(n source.Node) { s.Commands = commands(n) },
			"flags":   func(n source.Node) { s.Flags = flags(n) },
			"args":    func(n source.Node) { s.Args = args(n) },
		})
		notEmpty(node)
		list = append(list, s)
	}
	return list
}

func env(n source.Node) []policy.Variable {
	var list []policy.Variable
	if !n.IsMap() {
		for _, name := range choice(n, nameGlob) {
			list = append(list, policy.Variable{Name: name})
		}
		return list
	}
	for _, p := range n.Pairs() {
		v := policy.Variable{Name: p.Name()}
		if problem := policy.CheckGlob(v.Name); problem != "" {
			p.Key.Errorf("%q is not a valid glob: %s", v.Name, problem)
		}
		if !p.Value.IsNull() {
			v.Values = choice(p.Value, nameGlob)
		}
		list = append(list, v)
	}
	notEmpty(n)
	return list
}

func answer(n source.Node) policy.Answer {
	if n.Bool() {
		return policy.Yes
	}
	return policy.No
}
