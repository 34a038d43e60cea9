// Package modelfile reads models as people write them, in YAML. docs/models.md
// explains the form.
package modelfile

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/source"
	"longline/internal/tool"
)

// File is one file of models: a program or a family of programs.
type File struct {
	Models   []*command.Model
	Examples []Example
}

// Example is a command line and what it does, in words.
type Example struct {
	Run   string // the command line
	Does  string // its effects; see [Describe]
	Stdin string // text on its standard input, if any
	Pos   string
}

// Parse reads a file: its first document is a model, or with the key
// "programs" several; the second is examples. The name without its ending is
// the program's name unless the model gives others.
func Parse(name string, text []byte) (*File, error) {
	src, docs := source.Parse(name, text)
	f := &File{}
	if len(docs) > 0 {
		base := name[strings.LastIndexByte(name, '/')+1:]
		p := parser{shared: map[string]source.Node{}}
		p.file(f, docs[0], strings.TrimSuffix(base, ".yaml"))
	}
	for _, doc := range docs[min(1, len(docs)):] {
		for _, n := range doc.List() {
			e := Example{Pos: n.Pos()}
			n.Fields(map[string]func(source.Node){
				"run":   func(n source.Node) { e.Run = n.Text() },
				"does":  func(n source.Node) { e.Does = n.Text() },
				"stdin": func(n source.Node) { e.Stdin = n.Text() },
			})
			f.Examples = append(f.Examples, e)
		}
	}
	return f, src.Err()
}

// parser reads the models of one file. Groups of flags under "shared" can be
// taken into any level by "with".
type parser struct {
	shared map[string]source.Node
	taken  int // how often a group was taken in
}

// maxTaken bounds that: groups of groups of groups multiply.
const maxTaken = 20_000

func (p *parser) file(f *File, n source.Node, name string) {
	for _, pair := range n.Pairs() {
		if pair.Name() == "shared" {
			for _, group := range pair.Value.Pairs() {
				p.shared[group.Name()] = group.Value
			}
		}
	}
	programs := false
	for _, pair := range n.Pairs() {
		if pair.Name() != "programs" {
			continue
		}
		programs = true
		for _, prog := range pair.Value.Pairs() {
			m := &command.Model{Names: strings.Fields(prog.Name())}
			p.level(&m.Level, nil, prog.Value, nil)
			f.Models = append(f.Models, m)
		}
	}
	if programs {
		n.Fields(map[string]func(source.Node){"programs": func(source.Node) {}, "shared": func(source.Node) {}})
		return
	}
	m := &command.Model{Names: []string{name}}
	p.level(&m.Level, nil, n, func(n source.Node) { m.Names = n.Words() })
	f.Models = append(f.Models, m)
}

// flagTable collects a level's flags.
type flagTable struct {
	flags map[string]command.Flag
	list  []string
	// inGroup says that the flags come from a shared group: those that the
	// level lists itself stand above them.
	inGroup bool
}

func newFlagTable() *flagTable { return &flagTable{flags: map[string]command.Flag{}} }

func (t *flagTable) add(n source.Node, f command.Flag) {
	if _, ok := t.flags[f.Name]; ok && !t.inGroup {
		n.Errorf("flag %q is listed twice", f.Name)
	}
	t.ensure(f)
}

// ensure lists a flag unless it is listed: flags that only modes speak of.
func (t *flagTable) ensure(f command.Flag) {
	if _, ok := t.flags[f.Name]; !ok {
		t.flags[f.Name] = f
		t.list = append(t.list, f.Name)
	}
}

func (t *flagTable) sorted() []command.Flag {
	slices.Sort(t.list)
	flags := make([]command.Flag, len(t.list))
	for i, name := range t.list {
		flags[i] = t.flags[name]
	}
	return flags
}

// levelReader reads the keys of one level, and those of the groups it takes in.
type levelReader struct {
	*parser
	l             *command.Level
	flags, global *flagTable
	above         *levelReader    // of the level that this one is a subcommand of; nil for a program
	said          map[string]bool // keys that the level or a group has given
	depth         int             // of groups within groups
}

// isGlobal says whether a flag holds here because this level, or one above it, says so for
// all below it.
func (r *levelReader) isGlobal(name string) bool {
	for ; r != nil; r = r.above {
		if _, ok := r.global.flags[name]; ok {
			return true
		}
	}
	return false
}

// level reads one level. names is called for the key of that name, which only
// the outermost level of a file has.
//
// A subcommand reads flags in its parent's way unless it says otherwise itself.
// It must know that way before its own subcommands are read.
func (p *parser) level(l *command.Level, above *levelReader, n source.Node, names func(source.Node)) map[string]bool {
	l.Abbrev, l.Permute = true, true
	if above != nil {
		l.Grammar, l.Abbrev = above.l.Grammar, above.l.Abbrev
	}
	r := levelReader{p, l, newFlagTable(), newFlagTable(), above, map[string]bool{}, 0}
	r.read(n, names)
	for _, d := range l.Dry {
		if name, _, valued := strings.Cut(d, "="); !valued {
			r.flags.ensure(command.Flag{Name: name})
		}
	}
	l.Flags, l.Global = command.FlagsOf(r.flags.sorted()), command.FlagsOf(r.global.sorted())
	if !r.said["permute"] && (hasCommand(l.Operands) || !l.Subs.Empty() && len(l.Operands) == 0) {
		l.Permute = false
	}
	return r.said
}

// read takes in the keys of a level or group: first its own, then those of the
// groups it names, so that what is nearer stands above what is shared.
func (r *levelReader) read(n source.Node, names func(source.Node)) {
	l := r.l
	once := func(key string, read func(source.Node)) func(source.Node) {
		return func(n source.Node) {
			if !r.said[key] {
				r.said[key] = true
				read(n)
			}
		}
	}
	fields := map[string]func(source.Node){
		"about":    func(n source.Node) { n.Text() },
		"grammar":  once("grammar", func(n source.Node) { l.Grammar = grammar(n) }),
		"abbrev":   once("abbrev", func(n source.Node) { l.Abbrev = n.Bool() }),
		"permute":  once("permute", func(n source.Node) { l.Permute = n.Bool() }),
		"numbers":  once("numbers", func(n source.Node) { l.Numbers = n.Bool() }),
		"groups":   once("groups", func(n source.Node) { l.Groups = groupNames(n) }),
		"response": once("response", func(n source.Node) { l.Response = n.Bool() }),
		"plus":     once("plus", func(n source.Node) { l.Plus = n.Bool() }),
		"unlisted": once("unlisted", func(n source.Node) { l.Unlisted = oneOf(n, "kind of unlisted flag", "text", "gap") == "text" }),
		"operands": once("operands", func(n source.Node) { l.Operands = items(n) }),
		"after":    once("after", func(n source.Node) { l.After = items(n) }),
		"stdin":    once("stdin", func(n source.Node) { l.Stdin = stdin(n) }),
		"lands":    once("lands", func(n source.Node) { l.Lands = lands(n) }),
		"output":   once("output", func(n source.Node) { l.Output = oneOf(n, "output", command.Outputs...) }),
		"switches": func(n source.Node) { switches(r.flags, n) },
		"flags":    func(n source.Node) { flagUses(r.flags, n) },
		"global":   func(n source.Node) { r.globals(n) },
		"effects":  func(n source.Node) { l.Effects = append(l.Effects, specs(n)...) },
		"instead":  func(n source.Node) { l.Instead = append(l.Instead, n.Words()...) },
		"dry":      func(n source.Node) { l.Dry = append(l.Dry, n.Words()...) },
		"loads":    func(n source.Node) { l.Loads = append(l.Loads, n.Words()...) },
		"same":     func(n source.Node) { l.Same = append(l.Same, n.Texts()...) },
		"holds":    func(n source.Node) { l.Holds = strings.TrimSpace(l.Holds + " " + strings.Join(n.Words(), " ")) },
		"env":      func(n source.Node) { l.Env.Add(variables(n)...) },
		"with":     func(source.Node) {},
		"shared":   func(source.Node) {},
		"modes":    func(source.Node) {},
		"commands": func(source.Node) {},
	}
	if names != nil {
		fields["names"] = names
	}
	n.Fields(fields)
	for _, pair := range n.Pairs() {
		if pair.Name() == "with" {
			r.groups(pair.Value, func(group source.Node) { r.read(group, nil) })
		}
	}
	shared := l.Subs.All()
	l.Subs = command.Subs{}
	for _, pair := range n.Pairs() {
		switch pair.Name() {
		case "modes":
			for _, m := range pair.Value.List() {
				l.Modes = append(l.Modes, r.mode(m))
			}
		case "commands":
			r.commands(pair.Value)
		}
	}
	// Its own subcommands come before those of the groups.
	l.Subs.Add(shared...)
}

// commands reads the subcommands of a level.
func (r *levelReader) commands(n source.Node) {
	listed := map[string]bool{}
	for _, sub := range n.Pairs() {
		child := new(command.Level)
		said := r.level(child, r, sub.Value, nil)
		if !said["unlisted"] {
			child.Unlisted = r.l.Unlisted
		}
		var names []string
		for _, same := range strings.Fields(sub.Name()) {
			list := strings.Split(same, "|")
			if names = append(names, list...); len(list) > 1 {
				child.Same = append(child.Same, same)
			}
		}
		for _, name := range names {
			if listed[name] {
				sub.Value.Errorf("the subcommand %q is listed twice; the second is never found", name)
			}
			listed[name] = true
		}
		r.l.Subs.Add(command.Sub{Names: names, Level: child})
	}
}

// globals reads flags that hold at every level below.
func (r *levelReader) globals(n source.Node) {
	n.Fields(map[string]func(source.Node){
		"switches": func(n source.Node) { switches(r.global, n) },
		"flags":    func(n source.Node) { flagUses(r.global, n) },
		"with":     func(n source.Node) { r.groups(n, r.globals) },
	})
}

// groups hands each shared group that n names to read.
func (r *levelReader) groups(n source.Node, read func(source.Node)) {
	if r.depth++; r.depth > 8 {
		n.Errorf("shared groups include each other in a cycle")
		return
	}
	defer func() { r.depth-- }()
	inGroup := r.flags.inGroup
	r.flags.inGroup, r.global.inGroup = true, true
	for _, name := range n.Words() {
		if r.taken++; r.taken > maxTaken {
			n.Errorf("shared groups are included more than %d times", maxTaken)
			break
		}
		if group, ok := r.shared[name]; ok {
			read(group)
			continue
		}
		known := make([]string, 0, len(r.shared))
		for k := range r.shared {
			known = append(known, k)
		}
		slices.Sort(known)
		n.Unknown("shared group", name, known)
	}
	r.flags.inGroup, r.global.inGroup = inGroup, inGroup
}

func hasCommand(items []command.Item) bool {
	for _, it := range items {
		for _, u := range it.Uses {
			if u.TakesRest() {
				return true
			}
		}
	}
	return false
}

func (r *levelReader) mode(n source.Node) command.Mode {
	var m command.Mode
	own := newFlagTable()
	n.Fields(map[string]func(source.Node){
		"about":    func(n source.Node) { n.Text() },
		"when":     func(n source.Node) { m.When = n.Words() },
		"unless":   func(n source.Node) { m.Unless = n.Words() },
		"given":    func(n source.Node) { m.Operands = presence(n) },
		"piped":    func(n source.Node) { m.Piped = piped(n) },
		"tree":     func(n source.Node) { m.Tree = n.Bool() },
		"flags":    func(n source.Node) { flagUses(own, n) },
		"operands": func(n source.Node) { m.Items = items(n) },
		"effects":  func(n source.Node) { m.Effects = specs(n) },
		"stdin":    func(n source.Node) { m.Stdin = stdin(n) },
		"output":   func(n source.Node) { m.Output = oneOf(n, "output", command.Outputs...) },
		"lands":    func(n source.Node) { m.Lands = lands(n) },
	})
	m.Flags = own.sorted()
	for _, f := range m.Flags {
		r.flags.valued(n, f)
	}
	for _, w := range append(slices.Clone(m.When), m.Unless...) {
		for cond := range strings.SplitSeq(w, "&") {
			r.condition(n, cond)
		}
	}
	if len(m.When) == 0 && len(m.Unless) == 0 && m.Operands == command.Any && m.Piped == command.Any {
		n.Errorf("the mode has no condition: say when, unless, given or piped")
	}
	return m
}

// valued lists a flag for which a mode has uses. It takes as many values as where it is
// listed, if it is.
func (t *flagTable) valued(n source.Node, f command.Flag) {
	listed, ok := t.flags[f.Name]
	if ok && (len(listed.Values) != len(f.Values) || listed.Optional != f.Optional) {
		n.Errorf("flag %q takes other values here than where it is listed", f.Name)
	}
	f.Values = make([][]command.Use, len(f.Values))
	t.ensure(f)
}

// condition lists the flag that a condition of a mode is about.
func (r *levelReader) condition(n source.Node, cond string) {
	name, _, valued := strings.Cut(cond, "=")
	_, listed := r.flags.flags[name]
	if !listed && r.isGlobal(name) {
		return // a switch of that name would take its value for an operand
	}
	if valued && !listed {
		n.Errorf("flag %q has a value here but is not listed with one", name)
	}
	r.flags.ensure(command.Flag{Name: name})
}

func piped(n source.Node) command.Presence {
	if n.Bool() {
		return command.Some
	}
	return command.None
}

func presence(n source.Node) command.Presence {
	switch oneOf(n, "condition", "none", "one", "some") {
	case "none":
		return command.None
	case "one":
		return command.One
	case "some":
		return command.Some
	}
	return command.Any
}

func oneOf(n source.Node, what string, known ...string) string {
	text := n.Text()
	if !slices.Contains(known, text) {
		n.Unknown(what, text, known)
	}
	return text
}

// groupNames reads which words name groups: certain ones, or with true any.
func groupNames(n source.Node) []string {
	words := n.Words()
	if slices.Contains(words, command.AnyGroup) {
		n.Errorf("a group needs a name; groups of any name are %q", "groups: true")
	}
	if i := slices.Index(words, "true"); i >= 0 {
		words[i] = command.AnyGroup
	}
	return words
}

func grammar(n source.Node) command.Grammar {
	names := []string{"gnu", "long", "bundle", "keyval", "plain"}
	return command.Grammar(max(0, slices.Index(names, oneOf(n, "grammar", names...))))
}

func stdin(n source.Node) string {
	text := n.Text()
	if lang, ok := strings.CutPrefix(text, "code:"); text != "data" && text != "names" && text != "secret" && text != "none" && (!ok || lang == "") {
		n.Unknown("use of standard input", text, []string{"data", "names", "none", "secret", "code:LANGUAGE"})
	}
	return text
}

func lands(n source.Node) string {
	text := n.Text()
	if text != "written" && text != "operand" && text != "fixed" && !strings.HasPrefix(strings.TrimPrefix(text, "file:"), "-") {
		n.Unknown("landing", text, []string{"written", "operand", "fixed", "-FLAG", "file:-FLAG"})
	}
	return text
}

func switches(flags *flagTable, n source.Node) {
	for _, name := range n.Words() {
		flags.add(n, command.Flag{Name: name})
	}
}

func flagUses(flags *flagTable, n source.Node) {
	for _, pair := range n.Pairs() {
		text, optional := strings.CutSuffix(pair.Value.Text(), "?")
		var values [][]command.Use
		for _, word := range strings.Fields(text) {
			values = append(values, uses(pair.Value, word))
		}
		if len(values) == 0 {
			pair.Value.Errorf("flag %q: say what its value is used for, or list it under switches", pair.Name())
		}
		for _, name := range strings.Fields(pair.Name()) {
			flags.add(pair.Key, command.Flag{Name: name, Values: values, Optional: optional})
		}
	}
}

// uses reads "read", "control:git.push" or several joined by "+".
func uses(n source.Node, text string) []command.Use {
	if strings.HasPrefix(text, "command") || strings.HasPrefix(text, "values:") {
		return []command.Use{use(n, text)}
	}
	var list []command.Use
	for part := range strings.SplitSeq(text, "+") {
		list = append(list, use(n, part))
	}
	return list
}

func use(n source.Node, text string) command.Use {
	name, arg, _ := strings.Cut(text, ":")
	u := command.Use{Name: name, Arg: arg}
	if !command.KnownUse(u) {
		n.Unknown("use", text, command.AllUses())
	}
	return u
}

func items(n source.Node) []command.Item {
	var list []command.Item
	for _, word := range n.Words() {
		var it command.Item
		word, it.Many = strings.CutSuffix(word, "...")
		word, it.Optional = strings.CutSuffix(word, "?")
		if k := len(list); k > 0 && list[k-1].Many && it.Optional {
			n.Errorf("%q is never reached: any number of words may come before it", word)
		}
		it.Uses = uses(n, word)
		list = append(list, it)
	}
	return list
}

func specs(n source.Node) []command.Spec {
	var list []command.Spec
	for _, text := range n.Texts() {
		kind, target, _ := strings.Cut(strings.TrimSpace(text), " ")
		if k := tool.ParseKind(kind); k == 0 {
			n.Unknown("kind of effect", kind, tool.KindNames())
		} else if target = strings.TrimSpace(target); target == "" {
			n.Errorf("effect %q needs a target: %s TARGET", text, kind)
		}
		list = append(list, command.Spec{Kind: kind, Target: target})
	}
	return list
}

func variables(n source.Node) []command.EnvUse {
	var list []command.EnvUse
	for _, pair := range n.Pairs() {
		text := pair.Value.Text()
		var us []command.Use
		if text == "code" || text == "code-path" || text == "program-path" {
			us = []command.Use{{Name: text}}
		} else if arg, ok := strings.CutPrefix(text, "values:"); ok {
			us = []command.Use{{Name: "values", Arg: arg}}
		} else if arg, ok := strings.CutPrefix(text, "flags:"); ok {
			us = []command.Use{{Name: "flags"}, {Name: "values", Arg: arg}}
		} else {
			us = uses(pair.Value, text)
		}
		for _, name := range strings.Fields(pair.Name()) {
			list = append(list, command.EnvUse{Name: name, Uses: us})
		}
	}
	return list
}

// ParseVariables reads the table of variables known to all programs: exact
// names sorted and first, patterns after them in their order.
func ParseVariables(name string, text []byte) ([]command.EnvUse, error) {
	src, docs := source.Parse(name, text)
	var list []command.EnvUse
	for _, doc := range docs {
		list = append(list, variables(doc)...)
	}
	slices.SortStableFunc(list, func(a, b command.EnvUse) int {
		aGlob, bGlob := strings.Contains(a.Name, "*"), strings.Contains(b.Name, "*")
		switch {
		case aGlob && bGlob:
			return 0
		case aGlob:
			return 1
		case bGlob:
			return -1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list, src.Err()
}
