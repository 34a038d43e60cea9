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
type parser struct{ shared map[string]source.Node }

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
			p.level(&m.Level, prog.Value, nil)
			f.Models = append(f.Models, m)
		}
	}
	if programs {
		n.Fields(map[string]func(source.Node){"programs": func(source.Node) {}, "shared": func(source.Node) {}})
		return
	}
	m := &command.Model{Names: []string{name}}
	p.level(&m.Level, n, func(n source.Node) { m.Names = n.Words() })
	f.Models = append(f.Models, m)
}

// flagTable collects a level's flags and remembers where each was listed.
type flagTable struct {
	flags map[string]command.Flag
	list  []string
}

func newFlagTable() *flagTable { return &flagTable{flags: map[string]command.Flag{}} }

func (t *flagTable) add(n source.Node, f command.Flag) {
	if _, ok := t.flags[f.Name]; ok {
		n.Errorf("flag %q is listed twice", f.Name)
		return
	}
	t.flags[f.Name] = f
	t.list = append(t.list, f.Name)
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

// level reads one level. names is called for the key of that name, which only
// the outermost level of a file has.
func (p *parser) level(l *command.Level, n source.Node, names func(source.Node)) {
	l.Abbrev, l.Permute = true, true
	flags, global := newFlagTable(), newFlagTable()
	permute := false
	fields := map[string]func(source.Node){
		"about":    func(n source.Node) { n.Text() },
		"grammar":  func(n source.Node) { l.Grammar = grammar(n) },
		"abbrev":   func(n source.Node) { l.Abbrev = n.Bool() },
		"permute":  func(n source.Node) { l.Permute, permute = n.Bool(), true },
		"numbers":  func(n source.Node) { l.Numbers = n.Bool() },
		"plus":     func(n source.Node) { l.Plus = n.Bool() },
		"unlisted": func(n source.Node) { l.Unlisted = oneOf(n, "kind of unlisted flag", "text", "gap") == "text" },
		"switches": func(n source.Node) { switches(flags, n) },
		"flags":    func(n source.Node) { flagUses(flags, n) },
		"global": func(n source.Node) {
			n.Fields(map[string]func(source.Node){
				"switches": func(n source.Node) { switches(global, n) },
				"flags":    func(n source.Node) { flagUses(global, n) },
			})
		},
		"operands": func(n source.Node) { l.Operands = items(n) },
		"after":    func(n source.Node) { l.After = items(n) },
		"effects":  func(n source.Node) { l.Effects = append(l.Effects, specs(n)...) },
		"dry":      func(n source.Node) { l.Dry = n.Words() },
		"stdin":    func(n source.Node) { l.Stdin = stdin(n) },
		"output":   func(n source.Node) { l.Output = oneOf(n, "output", command.Outputs...) },
		"env":      func(n source.Node) { l.Env = variables(n) },
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
		switch pair.Name() {
		case "with":
			for _, group := range pair.Value.Words() {
				p.group(l, flags, pair.Value, group)
			}
		case "modes":
			for _, m := range pair.Value.List() {
				l.Modes = append(l.Modes, mode(flags, m))
			}
		case "commands":
			for _, sub := range pair.Value.Pairs() {
				child := new(command.Level)
				child.Abbrev = l.Abbrev
				p.level(child, sub.Value, nil)
				inherit(child, l, sub.Value)
				l.Subs = append(l.Subs, command.Sub{Names: strings.Fields(sub.Name()), Level: child})
			}
		}
	}
	for _, d := range l.Dry {
		name, _, valued := strings.Cut(d, "=")
		if !valued {
			flags.ensure(command.Flag{Name: name})
		}
	}
	l.Flags, l.Global = flags.sorted(), global.sorted()
	if !permute && (hasCommand(l.Operands) || len(l.Subs) > 0) {
		l.Permute = false
	}
}

// inherit gives a subcommand its parent's way of reading flags, unless it says
// otherwise itself.
func inherit(child, parent *command.Level, n source.Node) {
	said := map[string]bool{}
	for _, pair := range n.Pairs() {
		said[pair.Name()] = true
	}
	if !said["grammar"] {
		child.Grammar = parent.Grammar
	}
	if !said["abbrev"] {
		child.Abbrev = parent.Abbrev
	}
	if !said["unlisted"] {
		child.Unlisted = parent.Unlisted
	}
}

// group takes a shared group of flags, modes and so on into a level.
func (p *parser) group(l *command.Level, flags *flagTable, at source.Node, name string) {
	group, ok := p.shared[name]
	if !ok {
		known := make([]string, 0, len(p.shared))
		for k := range p.shared {
			known = append(known, k)
		}
		slices.Sort(known)
		at.Unknown("shared group", name, known)
		return
	}
	group.Fields(map[string]func(source.Node){
		"with": func(n source.Node) {
			for _, g := range n.Words() {
				p.group(l, flags, n, g)
			}
		},
		"switches": func(n source.Node) { switches(flags, n) },
		"flags":    func(n source.Node) { flagUses(flags, n) },
		"modes": func(n source.Node) {
			for _, m := range n.List() {
				l.Modes = append(l.Modes, mode(flags, m))
			}
		},
		"dry":     func(n source.Node) { l.Dry = append(l.Dry, n.Words()...) },
		"numbers": func(n source.Node) { l.Numbers = n.Bool() },
		"effects": func(n source.Node) { l.Effects = append(l.Effects, specs(n)...) },
		"env":     func(n source.Node) { l.Env = append(l.Env, variables(n)...) },
	})
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

func mode(flags *flagTable, n source.Node) command.Mode {
	var m command.Mode
	own := newFlagTable()
	n.Fields(map[string]func(source.Node){
		"about":    func(n source.Node) { n.Text() },
		"when":     func(n source.Node) { m.When = n.Words() },
		"unless":   func(n source.Node) { m.Unless = n.Words() },
		"given":    func(n source.Node) { m.Operands = presence(n) },
		"tree":     func(n source.Node) { m.Tree = n.Bool() },
		"flags":    func(n source.Node) { flagUses(own, n) },
		"operands": func(n source.Node) { m.Items = items(n) },
		"effects":  func(n source.Node) { m.Effects = specs(n) },
		"stdin":    func(n source.Node) { m.Stdin = stdin(n) },
		"output":   func(n source.Node) { m.Output = oneOf(n, "output", command.Outputs...) },
	})
	m.Flags = own.sorted()
	for _, f := range m.Flags {
		listed, ok := flags.flags[f.Name]
		if ok && (len(listed.Values) != len(f.Values) || listed.Optional != f.Optional) {
			n.Errorf("flag %q takes other values here than where it is listed", f.Name)
		}
		empty := f
		empty.Values = make([][]command.Use, len(f.Values))
		flags.ensure(empty)
	}
	for _, w := range append(slices.Clone(m.When), m.Unless...) {
		name, _, valued := strings.Cut(w, "=")
		if _, ok := flags.flags[name]; valued && !ok {
			n.Errorf("flag %q has a value here but is not listed with one", name)
		}
		flags.ensure(command.Flag{Name: name})
	}
	if len(m.When) == 0 && len(m.Unless) == 0 && m.Operands == command.Any {
		n.Errorf("the mode has no condition: say when, unless or given")
	}
	return m
}

func presence(n source.Node) command.Presence {
	switch oneOf(n, "condition", "none", "some") {
	case "none":
		return command.None
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

func grammar(n source.Node) command.Grammar {
	names := []string{"gnu", "long", "bundle", "keyval", "plain"}
	return command.Grammar(max(0, slices.Index(names, oneOf(n, "grammar", names...))))
}

func stdin(n source.Node) string {
	text := n.Text()
	if lang, ok := strings.CutPrefix(text, "code:"); text != "data" && text != "names" && (!ok || lang == "") {
		n.Unknown("use of standard input", text, []string{"data", "names", "code:LANGUAGE"})
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
			n.Errorf("effect %q lacks its target: %s TARGET", text, kind)
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
		if text == "code" {
			us = []command.Use{{Name: "code"}}
		} else if arg, ok := strings.CutPrefix(text, "values:"); ok {
			us = []command.Use{{Name: "values", Arg: arg}}
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
