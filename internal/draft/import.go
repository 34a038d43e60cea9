package draft

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/migrate"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/screen"
	"longline/internal/tool"
)

// Import drafts one rules file from files of other guards.
type Import struct {
	cfg      *config.Config
	from     []string
	hints    []string
	settings []migrate.Setting
	commands []string // entries of the allowlists
	paths    []string
	rules    []string
	tests    []policy.Test
	golden   []policy.Test // what the old tests say
	differ   []string      // what is decided otherwise here
	doubts   []string      // rules that do not do what they say
	left     []string      // what was not taken over
	ids      map[string]bool
	taken    int
}

// NewImport begins a draft for where the rules of cfg are in force.
func NewImport(cfg *config.Config) *Import {
	bare := *cfg
	bare.UseMeans(0) // the tests of a draft hold on any machine
	return &Import{cfg: &bare, ids: map[string]bool{}}
}

// Read takes over what it can of a file of another guard or an agent.
func (im *Import) Read(name string, text []byte, open migrate.Opener) error {
	draft, err := migrate.Read(name, text, open)
	if err != nil {
		return err
	}
	im.from = append(im.from, name+" ("+draft.Kind+")")
	if !slices.Contains(im.hints, draft.Hint) {
		im.hints = append(im.hints, draft.Hint)
	}
	im.settings = append(im.settings, draft.Settings...)
	im.golden = append(im.golden, draft.Tests...)
	for i := range draft.Entries {
		im.take(&draft.Entries[i])
	}
	return nil
}

// Counts says how many entries were taken over, and how many there were.
func (im *Import) Counts() (taken, all int) { return im.taken, im.taken + len(im.left) }

// take makes what it can of an entry. What is drafted is tried first: a rule that
// forbids must do so, and one that allows must be needed.
func (im *Import) take(e *migrate.Entry) {
	why := e.Why
	switch {
	case why != "":
	case e.Path != "":
		im.paths = append(im.paths, listItem(e, e.Path))
	case e.Command != "" && e.Given:
		why = im.listed(e, e.Command)
	case e.Decision == tool.Allow && !e.Given:
		why = im.allowed(e)
	case e.Decision == tool.Allow && e.Match != "":
		why = im.given(e)
	default:
		why = im.objects(e)
	}
	if why == "" {
		im.taken++
		return
	}
	im.left = append(im.left, e.Source+": "+e.Text+": "+why)
}

// listed puts a command on the allowlist.
func (im *Import) listed(e *migrate.Entry, command string) (why string) {
	file, err := rulesfile.Parse("draft", []byte("version: 1\nallowlists: {commands: ["+rulesfile.Quote(command)+"]}\n"), nil)
	if err != nil {
		return "it cannot be listed: " + firstLine(err)
	}
	if why := im.needless(e.Example); why != "" {
		return why
	}
	item := listItem(e, command)
	if im.runs(file, e.Example) {
		im.test(e.Example, tool.Allow)
	} else {
		v, _ := im.judge(e.Example)
		item = strings.TrimSuffix(item, "\n") + "; does not lift [" + v.Rule + "]\n"
	}
	im.commands = append(im.commands, item)
	return ""
}

// given takes a match over that allows just what it allowed before.
func (im *Import) given(e *migrate.Entry) (why string) {
	if e.Example == "" {
		return im.rule(e, e.Match, e.Decision)
	}
	if why := im.needless(e.Example); why != "" {
		return why
	}
	v, invs := im.judge(e.Example)
	if g := questionOf(v, invs); g != nil && g.stays {
		return "[" + v.Rule + "] protects something important; write the rule yourself if you mean it"
	} else if g != nil {
		e.Overrides = g.overrides()
	}
	file, err := rulesfile.Parse("draft", []byte(ruleText("x", e.Match, tool.Allow, e)), nil)
	if err != nil {
		return "it cannot be expressed: " + firstLine(err)
	}
	if !im.runs(file, e.Example) {
		return "a rule would not lift the question about " + e.Example
	}
	if why = im.rule(e, e.Match, e.Decision); why == "" {
		im.test(e.Example, tool.Allow)
	}
	return why
}

// allowed drafts the narrowest rule with which the example of a permission runs. A
// permission of an agent covers whatever its words may do; such a rule does not.
func (im *Import) allowed(e *migrate.Entry) (why string) {
	if why := im.needless(e.Example); why != "" {
		return why
	}
	if im.listable(e) {
		im.commands = append(im.commands, listItem(e, e.Example))
		im.test(e.Example, tool.Allow)
		return ""
	}
	v, invs := im.judge(e.Example)
	g := questionOf(v, invs)
	switch {
	case g == nil:
		return "no single rule answers [" + v.Rule + "] " + screen.Clean(v.Reason, "")
	case g.stays:
		return "[" + v.Rule + "] protects something important; write the rule yourself if you mean it"
	case e.Prefix && slices.ContainsFunc(g.invs[0].Effects, func(f tool.Effect) bool { return f.Target == "shell:interactive" }):
		return "what it does depends on the arguments; longline reads them with each call"
	}
	e.Overrides = g.overrides()
	match := im.narrowest(e, g)
	if match == "" {
		return "no narrow rule lifts [" + v.Rule + "] " + screen.Clean(v.Reason, "")
	}
	e.Note = strings.TrimPrefix(e.Note+"; only if it does no more than "+e.Example, "; ")
	if why = im.rule(e, match, tool.Allow); why == "" {
		im.test(e.Example, tool.Allow)
	}
	return why
}

// listable reports whether a permission is one for a command with whatever follows, and runs
// as an entry in the list of commands.
func (im *Import) listable(e *migrate.Entry) bool {
	if !e.Prefix || e.Match == "" || strings.Contains(e.Match, "flags:") {
		return false
	}
	file, err := rulesfile.Parse("draft", []byte("version: 1\nallowlists: {commands: ["+rulesfile.Quote(e.Example)+"]}\n"), nil)
	return err == nil && im.runs(file, e.Example)
}

// narrowest is the first match with which the example of a permission runs, or "".
func (im *Import) narrowest(e *migrate.Entry, g *Group) string {
	matches := g.matches(im.cfg.World)
	if effect := effectOf(g, false); e.Prefix && effect != "" && !g.gap {
		// Any operands and flags, as far as it has only these effects.
		matches = append([]string{"{command: " + rulesfile.Quote(g.name()) + ", " + effect + "}"}, matches...)
	}
	for _, match := range matches {
		file, err := rulesfile.Parse("draft", []byte(ruleText("x", match, tool.Allow, e)), nil)
		if err == nil && im.runs(file, e.Example) {
			return match
		}
	}
	return ""
}

// objects takes a rule over that asks, denies or has no opinion.
func (im *Import) objects(e *migrate.Entry) (why string) {
	file, err := rulesfile.Parse("draft", []byte(ruleText("x", e.Match, e.Decision, e)), nil)
	if err != nil {
		return "it cannot be expressed: " + firstLine(err)
	}
	decision := tool.Pass
	if e.Example != "" && e.Decision >= tool.Ask {
		cfg, err := im.cfg.With(file)
		if err != nil {
			return firstLine(err)
		}
		v, _ := cfg.Judge(im.call(e.Example))
		if decision = v.Decision; decision < e.Decision {
			return "a rule would not reach " + e.Example
		}
	}
	if why := im.rule(e, e.Match, e.Decision); why != "" {
		return why
	}
	if decision >= tool.Ask {
		im.test(e.Example, decision)
	}
	return ""
}

// needless says why no rule is needed for a command to run, or possible.
func (im *Import) needless(script string) string {
	v, _ := im.judge(script)
	switch {
	case v.Decision == tool.Allow:
		return "longline allows it without a rule where it is harmless"
	case v.Decision == tool.Pass:
		return "longline has no objection to it, and the agent's own settings decide"
	case v.Decision == tool.Deny:
		return "longline denies it: [" + v.Rule + "] " + screen.Clean(v.Reason, "") + "; only a rule with overrides lifts that"
	}
	return ""
}

func (im *Import) call(script string) tool.Call { return callOf(im.cfg, script, false) }

func (im *Import) judge(script string) (tool.Verdict, []*command.Invocation) {
	return im.cfg.Judge(im.call(script))
}

func (im *Import) runs(file *policy.File, script string) bool {
	cfg, err := im.cfg.With(file)
	if err != nil {
		return false
	}
	v, _ := cfg.Judge(im.call(script))
	return v.Decision == tool.Allow
}

func (im *Import) rule(e *migrate.Entry, match string, d tool.Decision) (why string) {
	e.ID = im.unique(e.ID, d)
	var b strings.Builder
	comment(&b, "  ", e.Source+": "+e.Text)
	if e.Note != "" {
		comment(&b, "  ", "Note: "+e.Note+".")
	}
	b.WriteString(migrate.RuleText(e.ID, match, d, e))
	im.rules = append(im.rules, b.String())
	return ""
}

func ruleText(id, match string, d tool.Decision, e *migrate.Entry) string {
	return "version: 1\nrules:\n" + migrate.RuleText(id, match, d, e)
}

// unique makes an id of a text that no other rule has.
func (im *Import) unique(text string, d tool.Decision) string {
	id := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, text), "-.")
	for strings.Contains(id, "--") {
		id = strings.ReplaceAll(id, "--", "-")
	}
	id = cmp.Or(strings.TrimRight(id[:min(len(id), 60)], "-."), d.String())
	if strings.Trim(id, "0123456789.-_") == "" {
		id = "rule-" + id
	}
	for n, base := 2, id; im.ids[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	im.ids[id] = true
	return id
}

func (im *Import) test(script string, d tool.Decision) {
	im.tests = append(im.tests, policy.Test{Command: script, Decision: d})
}

// Settle reads the draft as a whole and gives each test the decision that it gets
// there: what one entry allows another may forbid.
func (im *Import) Settle() error {
	file, err := rulesfile.Parse("draft", []byte(im.Text()), nil)
	if err != nil {
		return err
	}
	cfg, err := im.cfg.With(file)
	if err != nil {
		return err
	}
	for _, t := range im.golden {
		im.hold(cfg, t)
	}
	for _, d := range Doubts(cfg) {
		if strings.HasPrefix(d.Source, file.Name+":") {
			im.doubts = append(im.doubts, "["+d.Rule+"] is "+d.Kind+": "+d.What+"; "+d.Fix)
		}
	}
	for i := range im.tests {
		t := &im.tests[i]
		if v, _ := cfg.Judge(im.call(t.Command)); v.Decision != t.Decision {
			t.Decision, t.Rule = v.Decision, v.Rule
		}
	}
	return nil
}

// hold keeps an old test if what it says holds under the draft, and says what is decided else.
func (im *Import) hold(cfg *config.Config, t policy.Test) {
	if t.Wrong != "" {
		im.differ = append(im.differ, t.Source+": "+firstLine(errors.New(t.Wrong)))
		return
	}
	v, _ := cfg.Judge(im.call(t.Command))
	if v.Decision == t.Decision || t.Decision == tool.Allow && v.Decision == tool.Pass {
		im.tests = append(im.tests, policy.Test{Command: t.Command, Decision: v.Decision})
		return
	}
	im.differ = append(im.differ, t.Source+": "+screen.Shorten(t.Command, 60)+": was "+t.Decision.String()+", is "+v.Decision.String()+" here: ["+v.Rule+"] "+v.Reason)
}

func listItem(e *migrate.Entry, text string) string {
	return "    - " + rulesfile.Quote(text) + " # " + e.Source + "\n"
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// Text is the whole draft.
func (im *Import) Text() string {
	var b strings.Builder
	comment(&b, "", "Drafted by longline import from "+strings.Join(im.from, ", ")+". Read it before you use it. The built-in rules still apply.")
	for _, hint := range im.hints {
		comment(&b, "", hint)
	}
	b.WriteString("version: 1\n")
	for i, s := range im.settings {
		if !slices.ContainsFunc(im.settings[:i], func(o migrate.Setting) bool { return o.Key == s.Key }) {
			fmt.Fprintf(&b, "%s: %s\n", s.Key, s.Value)
		}
	}
	if len(im.commands)+len(im.paths) > 0 {
		b.WriteString("\nallowlists:\n")
	}
	section := func(head string, items []string) {
		if len(items) > 0 {
			b.WriteString(head + strings.Join(items, ""))
		}
	}
	section("  commands:\n", im.commands)
	section("  paths:\n", im.paths)
	section("\nrules:\n", im.rules)
	var tests []string
	for i, t := range im.tests {
		expected := "decision: " + t.Decision.String()
		if t.Rule != "" {
			expected += ", rule_id: " + rulesfile.Quote(t.Rule)
		}
		tests = append(tests, fmt.Sprintf("  - {id: import-%d, command: %s, expected: {%s}}\n", i+1, rulesfile.Quote(t.Command), expected))
	}
	section("\ntests:\n", tests)
	listed := func(head string, lines []string) {
		for i, line := range lines {
			if i == 0 {
				b.WriteString(head)
			}
			comment(&b, "", "- "+line)
		}
	}
	listed("\n# Not imported:\n", im.left)
	listed("\n# Rules to look at:\n", im.doubts)
	listed("\n# Decided otherwise here:\n", im.differ)
	return b.String()
}

// comment writes a text as a comment that fits a terminal.
func comment(b *strings.Builder, margin, text string) {
	const width = 80
	line := margin + "#"
	for _, word := range strings.Fields(screen.Clean(text, "\n")) {
		if len(line)+1+len(word) > width && line != margin+"#" {
			b.WriteString(line + "\n")
			line = margin + "#  "
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}
