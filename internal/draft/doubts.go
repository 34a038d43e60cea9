package draft

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"longline/internal/config"
	"longline/internal/policy"
	"longline/internal/policy/packs"
	"longline/internal/rulesfile"
	"longline/internal/screen"
	"longline/internal/tool"
)

// Doubt is a rule that does not do what it seems to say.
type Doubt struct {
	Rule   string `json:"rule"`
	Source string `json:"source"`
	Kind   string `json:"kind"` // dead, shadowed, duplicate or contradictory
	What   string `json:"what"`
	Fix    string `json:"fix"`
}

// String says it in one line.
func (d *Doubt) String() string {
	return fmt.Sprintf("%s: [%s] is %s: %s; %s", d.Source, d.Rule, d.Kind, d.What, d.Fix)
}

// Examples finds a call for each rule that it matches, by its number in the list: one that is
// made up from what the rule says, or a test of the built-in rules. Each rule is tried by
// itself, so that no other keeps it from speaking.
func Examples(cfg *config.Config, rules []policy.Rule) []tool.Call {
	found := make([]tool.Call, len(rules))
	x := examples{cfg: cfg, rules: rules, found: found}
	for _, objects := range []bool{false, true} {
		x.alone(objects)
		for i := range rules {
			if rules[i].Decision >= tool.Ask == objects {
				for _, call := range madeUp(cfg, &rules[i]) {
					x.try(call)
				}
			}
		}
		if x.left > 0 {
			x.shipped()
		}
	}
	return found
}

type examples struct {
	cfg   *config.Config
	rules []policy.Rule
	found []tool.Call
	only  *config.Config // with some of the rules and nothing else
	left  int            // of which there is no example yet
}

// alone takes the rules that object, or the others: what the ones say would be left out of what
// is found if the others objected.
func (x *examples) alone(objects bool) {
	file := &policy.File{Safety: policy.Strict}
	x.left = 0
	for i := range x.rules {
		if r := x.rules[i]; r.Decision >= tool.Ask == objects {
			r.ID, r.Overrides, r.Listed, r.Contain = strconv.Itoa(i), nil, false, false
			file.Rules = append(file.Rules, r)
			x.left++
		}
	}
	set, _, err := policy.Merge(nil, nil, file, nil)
	if err != nil {
		return
	}
	only := *x.cfg
	only.Guard.Policy = set
	only.UseMeans(0)
	x.only = &only
}

// try judges a call, and keeps it for the rules that it is the first example of.
func (x *examples) try(call tool.Call) {
	if x.only == nil {
		return
	}
	v, _ := x.only.Guard.Judge(call, x.only.World)
	for _, f := range v.Findings {
		if i, err := strconv.Atoi(f.Rule); err == nil && i < len(x.found) && x.found[i].Agent == "" {
			x.found[i] = call
			x.left--
		}
	}
}

// shipped tries the tests of the built-in rules, as long as a rule has no example.
func (x *examples) shipped() {
	tests, err := packs.Tests(rulesfile.ParseTests)
	if err != nil {
		return
	}
	for _, t := range tests {
		if x.left <= 0 {
			return
		}
		if strings.ContainsAny(t.Command, "\\\n") {
			continue // nothing to show in a line
		}
		call := callOf(x.cfg, t.Command, t.Edits)
		call.Past = x.cfg.Guard.PastOf(t.Session, call, x.cfg.World)
		x.try(call)
	}
}

// Doubts looks for rules of people's own that do not do what they seem to say.
func Doubts(cfg *config.Config) (list []Doubt) {
	var own []policy.Rule
	for _, r := range cfg.Guard.Policy.Rules() {
		if r.Layer != policy.Builtin {
			own = append(own, r)
		}
	}
	if len(own) == 0 {
		return nil
	}
	calls := Examples(cfg, own)
	for i := range own {
		r := &own[i]
		add := func(kind, what, fix string) {
			name := r.ID
			if r.Listed {
				name += ": " + cmp.Or(strings.Join(commandWords(&r.Match), ""), strings.Join(r.Match.Effect.Paths[:min(1, len(r.Match.Effect.Paths))], ""))
			}
			list = append(list, Doubt{name, r.Source, kind, what, fix})
		}
		if j := slices.IndexFunc(own[:i], func(o policy.Rule) bool { return reflect.DeepEqual(o.Match, r.Match) }); j >= 0 {
			if other := &own[j]; other.Decision == r.Decision {
				add("duplicate", "["+other.ID+"] in "+other.Source+" says the same", "remove one of them")
			} else {
				add("contradictory", "["+other.ID+"] in "+other.Source+" matches the same and says "+other.Decision.String(), "the stricter always wins; remove one of them")
			}
			continue
		}
		call := &calls[i]
		if call.Agent == "" || programInText(&r.Match) {
			if what, fix := dead(cfg, r); what != "" {
				add("dead", what, fix)
			}
		} else if by := shadow(cfg, r, *call); by != "" {
			fix := "write overrides: [" + by + "] if you mean that too"
			if by == policy.UncoveredID || by == policy.UnknownID {
				fix = "longline explain shows what is left"
			}
			if r.Listed {
				fix = "an allowlist cannot name a rule; write an allow rule with overrides: [" + by + "] if you mean that"
			}
			if r.Decision == tool.Ask {
				fix = "remove it, or make it wider"
			}
			add("shadowed", "for "+screen.Shorten(Shown(call), 60)+" ["+by+"] decides", fix)
		}
	}
	return list
}

// Shown is a call as people write it.
func Shown(call *tool.Call) string {
	if call.Shell {
		return call.Script
	}
	return "the tool " + call.Tool
}

// shadow is the rule that decides over what a rule matches, where that rule can never decide.
func shadow(cfg *config.Config, r *policy.Rule, call tool.Call) string {
	bare := *cfg
	bare.UseMeans(0)
	v, _ := bare.Guard.Judge(call, bare.World)
	switch {
	case v.Decision <= r.Decision || v.Rule == r.ID || r.Decision == tool.Deny || v.Rule == "":
		return ""
	case !call.Shell && v.Decision == tool.Pass:
		return "" // longline allows commands only
	case r.Decision == tool.Ask && v.Decision == tool.Deny, r.Decision == tool.Allow && v.Decision >= tool.Ask:
		return v.Rule
	}
	return ""
}

// dead says why no made-up call matches a rule, and what would; nothing of rules for which none can be made up for sure.
func dead(cfg *config.Config, r *policy.Rule) (what, fix string) {
	m := &r.Match
	if m.Effect.Kinds != 0 && (len(m.Effect.Names) > 0 || m.Effect.With != nil || m.Effect.Reach != 0 || m.Effect.Sweep != 0 || m.Effect.Tree != 0) || m.Session != (policy.Session{}) || m.In != 0 {
		return "", ""
	}
	tried := madeUp(cfg, r)
	if len(tried) == 0 {
		return "", ""
	}
	what, fix = "it does not match "+screen.Shorten(Shown(&tried[0]), 60), "longline explain shows how such a command is read"
	flags := slices.DeleteFunc(slices.Concat(m.Args.Any, m.Args.All), func(a string) bool { return !strings.HasPrefix(a, "-") })
	switch {
	case len(flags) > 0:
		fix = "write flags: {any_of: " + rulesfile.QuoteList(flags) + "}; args are operands"
	case programInText(m):
		what, fix = "text is about the arguments, which do not begin with the program", "leave "+m.Commands[0][0]+" out of text"
	case len(m.Flags.Any)+len(m.Flags.All) > 0:
		fix = "write args: {any_of: " + rulesfile.QuoteList(slices.Concat(m.Flags.All, m.Flags.Any)) + "} if the program takes them for operands"
	}
	return what, fix
}

// programInText says whether an expression on the arguments begins with the program itself.
func programInText(m *policy.Match) bool {
	return len(m.Text) > 0 && len(m.Commands) > 0 && strings.HasPrefix(strings.TrimPrefix(m.Text[0].Text, "(?m)"), "^"+m.Commands[0][0]+" ")
}

// madeUp are calls that a rule is about, by what it says.
func madeUp(cfg *config.Config, r *policy.Rule) (calls []tool.Call) {
	m := &r.Match
	for _, script := range scripts(m) {
		call := callOf(cfg, script, m.Edits == policy.Yes)
		if len(m.Dirs) > 0 {
			call.Dir = strings.Replace(plain(m.Dirs[0]), "~", cfg.World.Home, 1)
		}
		if m.Session.Has != 0 {
			call.Past = cfg.Guard.PastOf(&policy.TestSession{Untrusted: true, Injection: true, Secret: true, Denied: []string{script}}, call, cfg.World)
		}
		if len(m.Tools) > 0 {
			call.Shell, call.Script, call.Tool = false, "", plain(m.Tools[0])
		}
		calls = append(calls, call)
	}
	return calls
}

// scripts are command lines that a match is about.
func scripts(m *policy.Match) (list []string) {
	if len(m.Stages) > 0 {
		var stages []string
		for _, s := range m.Stages {
			stages = append(stages, commandLine(policy.Match{Commands: s.Commands, Flags: s.Flags, Args: s.Args}, 0))
		}
		return []string{strings.Join(stages, " | ")}
	}
	if m.Effect.Kinds != 0 && len(m.Commands) == 0 {
		return effectLines(&m.Effect)
	}
	for i := range max(1, min(len(m.Commands), 3)) {
		line := commandLine(*m, i)
		if len(m.Text) > 0 {
			list = append(list, program(m, i)+" "+exampleOf(m)) // it may hold the subcommand
			line = strings.TrimSpace(line + " " + exampleOf(m))
		}
		for _, v := range m.Env[:min(1, len(m.Env))] {
			value := "x"
			if len(v.Values) > 0 {
				value = plain(v.Values[0])
			}
			line = plain(v.Name) + "=" + quoted(value) + " " + line
		}
		if len(m.Redirect.Ops)+len(m.Redirect.Targets) > 0 {
			op, target := ">", "x"
			if len(m.Redirect.Ops) > 0 {
				op = m.Redirect.Ops[0]
			}
			if len(m.Redirect.Targets) > 0 {
				target = plain(m.Redirect.Targets[0])
			}
			line += " " + op + quoted(target)
		}
		list = append(list, line)
	}
	return list
}

// commandLine is a command with what a match wants of its words.
func commandLine(m policy.Match, which int) string {
	words := []string{program(&m, which)}
	if len(m.Commands) > 0 {
		words = nil
		for _, w := range m.Commands[which] {
			words = append(words, plain(w))
		}
	} else if len(m.Redirect.Ops)+len(m.Redirect.Targets) > 0 {
		words = []string{"echo", "x"}
	}
	words = append(append(words, m.Flags.All...), m.Flags.Any[:min(1, len(m.Flags.Any))]...)
	for _, glob := range slices.Concat(m.Args.All, m.Args.Any[:min(1, len(m.Args.Any))]) {
		words = append(words, quoted(plain(glob)))
	}
	return strings.Join(words, " ")
}

// program is the program that a match is about, or one that nobody knows.
func program(m *policy.Match, which int) string {
	if len(m.Commands) > 0 {
		return plain(m.Commands[which][0])
	}
	return "frob"
}

// exampleOf is a text that the first expression of a match matches.
func exampleOf(m *policy.Match) string {
	tree, err := syntax.Parse(m.Text[0].Text, syntax.Perl)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(textOf(tree))
}

// quoted puts quotes around a word that the shell would take apart; a leading ~ is left to it.
func quoted(word string) string {
	if strings.ContainsAny(word, " *?[]{}()<>|&;$`\"\\!#") || word == "" {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// plain is the shortest text that a glob matches.
func plain(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\' && i+1 < len(glob):
			i++
			b.WriteByte(glob[i])
		case c == '*':
			for i+1 < len(glob) && glob[i+1] == '*' {
				i++
			}
			b.WriteByte('x')
		case c == '?':
			b.WriteByte('x')
		case c == '[' && i+2 < len(glob) && glob[i+1] != '!' && glob[i+1] != '^':
			b.WriteByte(glob[i+1])
			i += max(strings.IndexByte(glob[i:], ']'), 0)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// textOf is a short text that an expression matches.
func textOf(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		for _, want := range "x -1" {
			for i := 0; i+1 < len(re.Rune); i += 2 {
				if re.Rune[i] <= want && want <= re.Rune[i+1] {
					return string(want)
				}
			}
		}
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "x"
	case syntax.OpCapture, syntax.OpPlus:
		return textOf(re.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(textOf(re.Sub[0]), max(re.Min, 0))
	case syntax.OpAlternate:
		return textOf(re.Sub[len(re.Sub)-1])
	case syntax.OpConcat:
		text := ""
		for _, sub := range re.Sub {
			text += textOf(sub)
		}
		return text
	case syntax.OpNoMatch, syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpStar, syntax.OpQuest:
	}
	return ""
}

// effectLines are commands that have an effect.
func effectLines(e *policy.Effect) (list []string) {
	verbs := map[tool.Kind]string{
		tool.Read: "cat ", tool.Create: "touch ", tool.Write: "echo x >", tool.Delete: "rm ",
		tool.Fetch: "curl https://", tool.Send: "curl -d x https://",
	}
	places := map[bool][]string{true: nil, false: nil}
	for _, glob := range e.Paths {
		path := plain(glob)
		if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "~") && !strings.HasPrefix(path, "./") {
			path = "./" + path
		}
		places[false] = append(places[false], path)
	}
	if len(e.Paths) == 0 {
		places[false] = []string{"./src/x", "~/x", "/etc/hosts", "/tmp/x", "~/.ssh/id_rsa", "./dist/x"}
	}
	for _, host := range e.Hosts {
		places[true] = append(places[true], plain(host)+"/")
	}
	if len(e.Hosts) == 0 {
		places[true] = []string{"example.com/"}
	}
	for k := tool.Read; k <= tool.Control; k++ {
		if verb := verbs[k]; verb != "" && e.Kinds.Has(k) {
			for _, place := range places[k.IsHost()][:min(8, len(places[k.IsHost()]))] {
				list = append(list, verb+quoted(place))
			}
		}
	}
	return list
}
