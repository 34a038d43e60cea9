package policy

import (
	"slices"
	"strings"
	"unicode/utf8"

	"longline/internal/command"
	"longline/internal/host"
	"longline/internal/paths"
	"longline/internal/record"
	"longline/internal/tool"
)

// The index finds the rules that can match an invocation without looking at all
// of them: by the program's name, else by the kind of effect and, if the rule
// names paths, hosts or names, by how they begin.

// indexWriter builds the index of a book.
type indexWriter struct {
	byName  map[string]*record.Writer
	kinds   [kindCount]record.Writer
	general record.Writer
	session record.Writer
	spoken  record.Writer
}

func (x *indexWriter) add(n int, r *Rule) {
	for _, id := range r.Overrides {
		if r.Listed {
			break // it names none itself
		}
		x.spoken.Text(id)
		x.spoken.Text(r.Source)
	}
	switch names, ok := r.programs(); {
	case r.Decision >= tool.Ask && r.ofSession():
		x.session.Uint(uint64(n))
		x.session.Uint(uint64(r.Match.Session.Has))
	case ok:
		for _, name := range names {
			x.of(name).Uint(uint64(n))
		}
	case r.Match.Effect.Kinds != 0:
		for k := range x.kinds {
			if r.Match.Effect.Kinds.Has(tool.Kind(k)) {
				x.kinds[k].Uint(uint64(n))
				x.kinds[k].Texts(beginnings(&r.Match.Effect.Places, tool.Kind(k)))
			}
		}
	default:
		x.general.Uint(uint64(n))
	}
}

// of is where the rules on a program are written.
func (x *indexWriter) of(program string) *record.Writer {
	if x.byName == nil {
		x.byName = map[string]*record.Writer{}
	}
	if x.byName[program] == nil {
		x.byName[program] = new(record.Writer)
	}
	return x.byName[program]
}

func (x *indexWriter) names() (entries []record.Entry) {
	for name, rules := range x.byName {
		entries = append(entries, record.Entry{Name: name, Record: string(rules.Bytes())})
	}
	return entries
}

// beginnings returns what each glob says before its first wildcard, or nothing
// if one of them may match anywhere.
func beginnings(p *Places, k tool.Kind) []string {
	if !k.IsPath() {
		return wordBeginnings(p.words(k))
	}
	var list []string
	for _, glob := range p.Paths {
		rooted := strings.HasPrefix(glob, "/") || glob == "~" || strings.HasPrefix(glob, "~/") || glob == "." || strings.HasPrefix(glob, "./")
		if !rooted || strings.HasPrefix(glob, besideProject) {
			return nil
		}
		list = append(list, paths.Fixed(glob))
	}
	return list
}

// wordBeginnings is beginnings for hosts and names. Only ASCII counts: bytes that
// are no text are all the same to a glob.
func wordBeginnings(globs []string) []string {
	var list []string
	for _, glob := range globs {
		n := strings.IndexFunc(glob, func(r rune) bool { return r >= utf8.RuneSelf || !paths.Literal(string(r)) })
		if n == 0 || glob == "" {
			return nil
		}
		if n > 0 {
			glob = glob[:n]
		}
		list = append(list, glob)
	}
	return list
}

// programs lists the names of programs one of which an invocation must have to
// match, if the matcher says so in plain names. Of a pipeline it is the last
// stage, at which objections are raised.
func (r *Rule) programs() (names []string, ok bool) {
	m := &r.Match
	commands := m.Commands
	if len(commands) == 0 && len(m.Stages) > 0 && r.Decision >= tool.Ask {
		commands = m.Stages[len(m.Stages)-1].Commands
	}
	for _, c := range commands {
		if len(c) == 0 || !paths.Literal(c[0]) || strings.Contains(c[0], "/") {
			return nil, false
		}
		names = append(names, c[0])
	}
	return names, len(names) > 0
}

// candidates calls f with each rule that may match, each once, in their order.
// Those that object because of the session are looked at if it, or the command, may
// be known for what they want.
// off is called with those that would ask if nobody had switched them off.
func (s *Set) candidates(g *ground, inv *command.Invocation, targets []target, known SessionSet, f, off func(*Rule)) {
	name := inv.Name
	if name == "" && len(inv.Words) > 0 && inv.Words[0].IsKnown() {
		name = lastName(inv.Words[0].Text)
	}
	var room [64]int32
	for i := range s.books {
		b := &s.books[i]
		list := b.narrow(room[:0], name, g, targets)
		for _, a := range inv.Aka {
			if a.From == 0 {
				program, _, _ := strings.Cut(a.Name, " ")
				rules, _ := b.names.Find(program)
				list = b.numbers(list, rules)
			}
		}
		if known != 0 && b.session != "" {
			list = b.ofSession(list, known)
		}
		slices.Sort(list)
		for _, n := range slices.Compact(list) {
			switch level, _, decision := b.head(int(n)); {
			case b.active(int(n), s.Safety):
				f(b.rule(int(n)))
			case off != nil && decision == tool.Ask && level <= s.Safety:
				off(b.rule(int(n)))
			}
		}
	}
}

// narrow appends the numbers of the rules that may match.
func (b *book) narrow(list []int32, name string, g *ground, targets []target) []int32 {
	list = b.numbers(list, b.general)
	if name != "" {
		rules, _ := b.names.Find(name)
		list = b.numbers(list, rules)
	}
	var kinds KindSet
	for i := range targets {
		if k := targets[i].effect.Kind; k < kindCount && !kinds.Has(k) && b.kinds[k] != "" {
			kinds = kinds.With(k)
			list = b.ofKind(list, k, g, targets)
		}
	}
	return list
}

func (b *book) numbers(list []int32, from text) []int32 {
	if from == "" {
		return list
	}
	for r := record.NewReader(from); !r.Empty(); {
		list = append(list, b.checked(r))
	}
	return list
}

// ofSession appends the rules that want nothing of the session but what is known.
func (b *book) ofSession(list []int32, known SessionSet) []int32 {
	for r := record.NewReader(b.session); !r.Empty(); {
		if n, has := b.checked(r), SessionSet(r.Uint()); has&^known == 0 {
			list = append(list, n)
		}
	}
	return list
}

// checked reads the number of a rule.
func (b *book) checked(r *record.Reader) int32 {
	n := r.Uint()
	if n >= uint64(b.len()) || r.Err() != nil {
		panic("the compiled rules are damaged")
	}
	return int32(n)
}

// indexed is a rule on effects of a kind, as far as it is known without reading it.
type indexed struct {
	rule int32
	at   int32 // where its beginnings are listed; -1 is a rule without
	lead lead  // of all beginnings; 0 if they differ
}

// ofKind appends the rules on effects of a kind, except those all of whose
// places begin in another way than every target does.
func (b *book) ofKind(list []int32, k tool.Kind, g *ground, targets []target) []int32 {
	if b.index[k] == nil {
		b.index[k] = b.readIndex(k)
	}
	near := leadsOfTargets(targets, k)
	for _, x := range b.index[k] {
		if x.at < 0 || near.has(x.lead) && g.anyNearOf(targets, k, b.kinds[k][x.at:]) {
			list = append(list, x.rule)
		}
	}
	return list
}

func (b *book) readIndex(k tool.Kind) []indexed {
	list := make([]indexed, 0, 64)
	text := b.kinds[k]
	for r := record.NewReader(text); !r.Empty(); {
		x := indexed{rule: b.checked(r), at: int32(len(text) - r.Left())}
		count := r.Len()
		if count == 0 {
			x.at = -1
		}
		for i := range count {
			if l := beginningLead(r.Text(), k); i == 0 || x.lead == l {
				x.lead = l
			} else {
				x.lead = 0
			}
		}
		if r.Err() != nil {
			panic("the compiled rules are damaged")
		}
		list = append(list, x)
	}
	return list
}

// anyNearOf says whether a target could be at one of the beginnings in a record.
func (g *ground) anyNearOf(targets []target, k tool.Kind, beginnings string) bool {
	r := record.NewReader(beginnings)
	for range r.Len() {
		if g.anyNear(targets, k, r.Text()) {
			return true
		}
	}
	return false
}

// beginningLead is the lead that a target must have to be at a beginning. A
// single letter may go on, and what is in the project may be swept over from above.
func beginningLead(start string, k tool.Kind) lead {
	name := start
	switch {
	case !k.IsPath() || start == "":
	case strings.HasPrefix(start, "~/"):
		name = start[2:]
	case start[0] == '/':
		name = start[1:]
	case start[0] == '.' || start[0] == '~':
		return 0
	}
	if len(name) < 2 {
		return 0
	}
	name, _ = cut(name)
	return beginOf(name)
}

// leadsOfTargets is what the targets of a kind have.
func leadsOfTargets(targets []target, k tool.Kind) (all leads) {
	all.add(0)
	for i := range targets {
		switch t := &targets[i]; {
		case t.effect.Kind != k:
		case k.IsPath():
			t.pathLeads(&all)
		default:
			t.wordLeads(&all)
		}
	}
	return all
}

// pathLeads adds what a path has.
func (t *target) pathLeads(all *leads) {
	if t.reach == ReachAnywhere || len(t.spots) == 0 {
		all.addAll()
	}
	for n := range t.spots {
		all.join(&t.spots[n].at.leads)
	}
}

// wordLeads adds what a host or a name has.
func (t *target) wordLeads(all *leads) {
	if !t.knownWord() || foldsToASCII(t.effect.Target) {
		all.addAll()
		return
	}
	all.add(beginOf(t.effect.Target))
	if t.effect.Kind.IsHost() && host.Loopback(t.effect.Target) {
		all.add(beginOf("localhost"))
	}
}

func (g *ground) anyNear(targets []target, k tool.Kind, start string) bool {
	for i := range targets {
		t := &targets[i]
		if t.effect.Kind != k {
			continue
		}
		if k.IsPath() && g.near(t, start) || !k.IsPath() && nearWord(t, start) {
			return true
		}
	}
	return false
}

// nearWord says whether a host or name that begins in this way could be the
// target's. It must not say no where meetsWord or insideWord could say yes.
func nearWord(t *target, start string) bool {
	word := t.effect.Target
	if !t.knownWord() || strings.HasPrefix(word, start) {
		return true
	}
	return t.effect.Kind.IsHost() && (hasPrefix(word, start, true) || foldsBeyond(start, word) || host.Loopback(word) && hasPrefix("localhost", start, true))
}

// near says whether a path that begins in this way could be one that the
// target stands for. It must not say no where meetsPaths or insidePaths could
// say yes.
func (g *ground) near(t *target, start string) bool {
	if t.reach == ReachAnywhere || len(t.spots) == 0 {
		return true
	}
	roots := g.homes
	switch start[0] {
	case '/':
		return g.nearBelow(t, "", start)
	case '.':
		roots = g.project
	}
	for _, root := range roots {
		if g.nearBelow(t, strings.TrimSuffix(root, "/"), start[1:]) {
			return true
		}
	}
	return false
}

// nearBelow is near for a beginning in two parts.
func (g *ground) nearBelow(t *target, root, rest string) bool {
	for i := range t.spots {
		if s := &t.spots[i]; mayMeetBelow(s.at.path, root, rest, t.tree || s.rest != "", g.w.FoldCase) {
			return true
		}
	}
	return false
}

// mayMeetBelow is mayMeet for a beginning in two parts.
func mayMeetBelow(path, root, rest string, tree, folding bool) bool {
	if folding && (foldsBeyond(root, path) || hasUpperUnicode(rest)) {
		return true
	}
	n := len(root) + len(rest)
	if n > len(path) {
		if !tree {
			return false
		}
		n = len(path)
	}
	at := min(n, len(root))
	return hasPrefix(path[:at], root[:at], folding) && hasPrefix(path[at:n], rest[:n-at], folding)
}
