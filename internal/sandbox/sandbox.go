// Package sandbox moves what a script fetches into one directory of untrusted
// things. It changes the script by text edits at the words that name where
// content lands, and lets the rest of the script follow; everything else stays
// byte for byte. Which words those are is said by the command models.
package sandbox

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// Edit replaces a part of a script. An empty span adds.
type Edit struct {
	Span tool.Span
	New  string
}

// Plan is what has to change so that everything fetched lands in the sandbox.
type Plan struct {
	Edits []Edit
	Moved []Move
	// Blocked are acquisitions that cannot be moved, with the reason.
	Blocked []Blocked
	// Dirs are directories below the sandbox that must be there beforehand.
	Dirs []string

	dir string // the sandbox
}

// Move is one place that content is moved from and to.
type Move struct {
	From, To string
	Clone    bool // a repository, not a file
	Span     tool.Span
	at       int // index of the invocation that is moved
}

// Blocked is an acquisition that cannot be moved by an edit.
type Blocked struct {
	Why  string
	Span tool.Span
	// Piped says that it goes through a pipe to something that puts it somewhere.
	Piped bool
}

// Needed says whether the script fetches anything to outside the sandbox.
func (p *Plan) Needed() bool { return len(p.Moved) > 0 || len(p.Blocked) > 0 }

// planner works out a plan.
type planner struct {
	Plan
	script string
	world  *tool.World
	invs   []*command.Invocation
	at     int  // the invocation that is looked at
	nested bool // it stands in a script that is a word of another command
	// values holds, for each edited span, what the word was worth when it was
	// first met: a loop meets it with another value.
	values map[tool.Span]string
	taken  map[string]string // new path -> what it stands for
	// inPlace says that something was to be put into the very directory that
	// the script works in, so that later commands would miss it.
	inPlace bool
}

// For plans how a script, read into invocations, has to change.
func For(script string, invs []*command.Invocation, w *tool.World) Plan {
	p := &planner{Plan: Plan{dir: w.Sandbox}, script: script, world: w, invs: invs, values: map[tool.Span]string{}, taken: map[string]string{}}
	if w.Sandbox == "" {
		return p.Plan
	}
	for i, inv := range invs {
		if p.at, p.nested = i, len(inv.Via) > 0; inv.Remote {
			continue // what another machine keeps is not this one's affair
		}
		if p.inPlace && len(inv.Words) > 0 && inv.Stage == 0 {
			p.block(inv.Span, "what follows works in the directory it was meant for")
			p.inPlace = false
		}
		p.follow(inv)
		p.land(i, inv)
	}
	for i, inv := range invs {
		if p.nested = len(inv.Via) > 0; !inv.Remote && len(p.Moved) > 0 {
			p.prepare(i, inv)
		}
	}
	return p.Plan
}

// land moves where one invocation puts what it, or a stage before it, fetched.
func (p *planner) land(i int, inv *command.Invocation) {
	own, piped, l := brings(inv), p.piped(inv), &inv.Lands
	if !own {
		l.Name = "" // its operands are no addresses
	}
	if own && l.Is || piped {
		for _, w := range l.Words {
			p.word(inv, w, l.Name)
		}
		if l.Fixed {
			p.block(inv.Span, "it becomes a part of the repository that it is added to")
		} else if len(l.Words) == 0 && l.Is {
			p.add(inv)
		}
	}
	if own && l.Prints || piped || p.given(i, inv) || len(inv.Words) == 0 && p.inner(i, inv) {
		for _, r := range inv.Redirects {
			if keeps(r) {
				p.word(inv, r.Target, l.Name)
			}
		}
	}
	if piped && !l.Is && len(l.Words) == 0 {
		p.pipedAway(inv)
	}
}

// pipedAway objects to a program that puts what is piped to it somewhere by
// itself.
func (p *planner) pipedAway(inv *command.Invocation) {
	for _, e := range inv.Effects {
		if (e.Kind == tool.Write || e.Kind == tool.Create) && !p.inside(e) && !redirected(inv, e) {
			p.Blocked = append(p.Blocked, Blocked{Why: "a download is piped to a program that puts it somewhere by itself", Span: inv.Span, Piped: true})
			return
		}
	}
}

// Spilled says whether fetched data that is piped to a program still ends up
// outside the sandbox, and where that program stands.
func Spilled(script string, invs []*command.Invocation, w *tool.World) (tool.Span, bool) {
	p := &planner{Plan: Plan{dir: w.Sandbox}, script: script, world: w, invs: invs}
	for _, inv := range invs {
		if inv.Remote || !p.piped(inv) {
			continue
		}
		if p.pipedAway(inv); len(p.Blocked) > 0 {
			return inv.Span, true
		}
	}
	return tool.Span{}, false
}

// brings says whether an invocation gets content from the network.
func brings(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, inv.Brings)
}

// piped says whether an invocation reads what was fetched. What a program that
// installs or updates something prints is its report, not what it got.
func (p *planner) piped(inv *command.Invocation) bool {
	for _, w := range inv.Words {
		if w.Taint&command.FromNet != 0 && w.IsKnown() && isStream(w.Text) {
			return true // <(...)
		}
	}
	if inv.Stdin.Taint&command.FromNet == 0 {
		return false
	}
	sources := 0
	for _, before := range p.invs {
		if before.Pipeline == 0 || before.Pipeline != inv.Pipeline || before.Stage >= inv.Stage || !brings(before) {
			continue
		}
		if sources++; before.Lands.Prints || len(before.Via) > 0 {
			return true
		}
	}
	return sources == 0
}

// given says whether fetched data stands among the words of an invocation, by a
// substitution or a variable.
func (p *planner) given(i int, inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Words, func(w command.Word) bool { return w.Taint&command.FromNet != 0 }) &&
		slices.ContainsFunc(p.invs[:i], func(before *command.Invocation) bool { return before.Lands.Prints && brings(before) })
}

// inner says whether a group of commands prints what was fetched: the
// invocations that stand inside the one of the group, which has no words, or
// behind the call of a function, whose own stand elsewhere.
func (p *planner) inner(i int, group *command.Invocation) bool {
	within := func(inv *command.Invocation) bool {
		return inv.Span.Start >= group.Span.Start && inv.Span.End <= group.Span.End
	}
	call := !slices.ContainsFunc(p.invs[i+1:], within)
	for _, inv := range p.invs[i+1:] {
		if (call || within(inv)) && !inv.Remote && (brings(inv) && inv.Lands.Prints || p.piped(inv)) {
			return true
		}
	}
	return false
}

// keeps says whether a redirect puts standard output into a file.
func keeps(r command.Redirect) bool {
	switch r.Op {
	case ">", ">>", ">|", "<>":
		return r.Fd == "" && r.Op != "<>" || r.Fd == "1"
	case "&>", "&>>":
		return true
	case ">&":
		text := r.Target.Text
		return (r.Fd == "" || r.Fd == "1") && text != "-" && strings.Trim(text, "0123456789-") != ""
	}
	return false
}

// redirected says whether an effect is that of a redirect.
func redirected(inv *command.Invocation, e tool.Effect) bool {
	return slices.ContainsFunc(inv.Redirects, func(r command.Redirect) bool { return r.Target.Span == e.Span })
}

// inside says whether an effect stays in the sandbox whatever it touches.
func (p *planner) inside(e tool.Effect) bool {
	return e.Reach != tool.Anywhere && below(e.Target, p.dir) && !p.linked(e.Target)
}

// linked says whether a path below the sandbox leads through a symbolic link,
// which fetched content can bring along.
func (p *planner) linked(name string) bool {
	if p.world.Readlink == nil {
		return false
	}
	for len(name) > len(p.dir) {
		if _, err := p.world.Readlink(name); err == nil {
			return true
		}
		name = path.Dir(name)
	}
	return false
}

// below says whether a path is a directory or inside it.
func below(name, dir string) bool {
	return name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")
}

// word moves a destination that is written in the script.
func (p *planner) word(inv *command.Invocation, w command.Word, name string) {
	if w.IsKnown() && (isStream(w.Text) || w.Text == "") {
		return
	}
	e := inv.PathEffect(tool.Write, w, p.world)
	if p.inside(e) && !e.Pattern {
		return
	}
	if !p.stands(inv, w) {
		p.block(inv.Span, "its destination does not stand in the script as a word")
		return
	}
	if e.Reach != tool.Exact || e.Pattern {
		p.prefix(w, "its destination is not known")
		return
	}
	if before, met := p.values[w.Span]; met {
		if before != e.Target {
			p.repeated(w)
		}
		return
	}
	p.values[w.Span] = e.Target
	base := path.Base(e.Target)
	if text := path.Clean(w.Text); text == "." || text == ".." || strings.HasSuffix(text, "/..") || base == "/" {
		base = name
		if !inv.Lands.Named && name != "" {
			e.Target = path.Join(e.Target, name) // it is put into that directory
		}
	}
	to := p.place(base, e.Target)
	p.edit(w.Span, w.Lead, to)
	if below(inv.Dir.Text, e.Target) {
		p.inPlace, e.Target = true, ""
	}
	p.moved(inv, e.Target, to, w.Span)
	if inv.Lands.Made {
		p.Dirs = append(p.Dirs, to)
	}
}

// stands says whether a word is one of the script's own, or the end of one, so
// that it can be replaced: not a name inside the program of a small language.
func (p *planner) stands(inv *command.Invocation, w command.Word) bool {
	if w.Span == (tool.Span{}) || w.Span.Start >= w.Span.End || w.Span.End > len(p.script) {
		return false
	}
	same := func(v command.Word) bool {
		return v.Span == w.Span && v.Reach == w.Reach && v.Text == w.Lead+w.Text
	}
	return slices.ContainsFunc(inv.Words, same) ||
		slices.ContainsFunc(inv.Redirects, func(r command.Redirect) bool { return same(r.Target) })
}

// add names a destination where the script names none.
func (p *planner) add(inv *command.Invocation) {
	l := &inv.Lands
	span := tool.Span{Start: l.After, End: l.After}
	if l.After == 0 || l.After > len(p.script) {
		p.block(inv.Span, "no destination can be added to it")
		return
	}
	from := inv.Dir.Text
	if inv.Dir.Reach == tool.Exact && below(from, p.world.Sandbox) {
		return
	}
	if before, met := p.values[span]; met {
		if before != l.Name+"\x00"+from {
			p.block(inv.Span, "it runs more than once with different sources")
		}
		return
	}
	p.values[span] = l.Name + "\x00" + from
	name := l.Name
	if name == "" {
		name = "download"
	}
	text, to := "", p.world.Sandbox
	from = path.Join(from, name)
	if l.Flag != "" {
		text = " " + l.Flag
	}
	switch {
	case l.Named:
		to = p.place(name, from)
		p.moved(inv, from, to, span)
	case l.Name == "":
		// Names that are not known beforehand are put there.
		p.inPlace = true
		p.moved(inv, "", to, span)
	default:
		p.moved(inv, from, path.Join(to, name), span)
	}
	p.Edits = append(p.Edits, Edit{span, text + " " + p.quote(to, "")})
}

// repeated deals with a word that is met again with another value, in a loop: a
// literal path cannot stand for both.
func (p *planner) repeated(w command.Word) {
	p.Edits = slices.DeleteFunc(p.Edits, func(e Edit) bool { return e.Span == w.Span })
	p.Moved = slices.DeleteFunc(p.Moved, func(m Move) bool { return m.Span == w.Span && m.From != "" })
	p.prefix(w, "its destination differs from run to run")
}

// prefix moves a destination whose value is not one known path by putting the
// sandbox in front of it, which is sure only for plain relative names.
func (p *planner) prefix(w command.Word, why string) {
	plain := (w.Reach == tool.Exact && !w.Glob || w.Reach == tool.Prefix && w.Plain) && !strings.HasPrefix(w.Text, "/") && !climbs(w.Text)
	start := p.script[w.Span.Start]
	if !plain || w.Lead != "" || start == '~' {
		p.block(w.Span, why)
		return
	}
	at := tool.Span{Start: w.Span.Start, End: w.Span.Start}
	p.values[w.Span] = ""
	if slices.ContainsFunc(p.Edits, func(e Edit) bool { return e.Span == at }) {
		return
	}
	p.Edits = append(p.Edits, Edit{at, p.quote(p.world.Sandbox, "") + "/"})
	p.Moved = append(p.Moved, Move{To: p.world.Sandbox, Span: w.Span, at: p.at})
}

func climbs(text string) bool {
	return slices.Contains(strings.Split(text, "/"), "..")
}

func (p *planner) block(span tool.Span, why string) {
	p.Blocked = append(p.Blocked, Blocked{Why: why, Span: span})
}

func (p *planner) moved(inv *command.Invocation, from, to string, span tool.Span) {
	clone := len(inv.Path) > 1 && inv.Path[len(inv.Path)-1] == "clone"
	p.Moved = append(p.Moved, Move{From: from, To: to, Clone: clone, Span: span, at: p.at})
}

// place chooses a name in the sandbox that nothing else in the script has, and
// that is no symbolic link out of it.
func (p *planner) place(base, from string) string {
	if base == "" || base == "." || base == ".." || strings.Contains(base, "/") {
		base = "download"
	}
	for i := 1; ; i++ {
		name := base
		if i > 1 {
			name += "-" + number(i)
		}
		to := path.Join(p.world.Sandbox, name)
		if other, ok := p.taken[to]; ok && other != from {
			continue
		}
		if p.world.Readlink != nil && i < 100 {
			if _, err := p.world.Readlink(to); err == nil {
				continue
			}
		}
		p.taken[to] = from
		return to
	}
}

func number(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return number(i/10) + number(i%10)
}

func isStream(name string) bool {
	return name == "-" || strings.HasPrefix(name, "/dev/")
}

func (p *planner) edit(span tool.Span, lead, to string) {
	p.Edits = append(p.Edits, Edit{span, lead + p.quote(to, lead)})
}

// quote writes a path as one shell word. Below the home directory it is written
// with a tilde, which needs to stand at the beginning of the word.
func (p *planner) quote(name, lead string) string {
	rest, atHome := strings.CutPrefix(name, p.world.Home+"/")
	atHome = atHome && p.world.Home != "" && lead == ""
	switch {
	case plain(name) && atHome:
		return "~/" + rest
	case plain(name):
		return name
	case p.nested && !strings.ContainsAny(name, "'\"$`\\\n"):
		// A backslash means the same inside the quotes around the script.
		if atHome {
			return "~/" + escape(rest)
		}
		return escape(name)
	}
	// Double quotes, so that it can also stand in a script that is itself in
	// single quotes.
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		if strings.IndexByte("\"$`\\", name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	b.WriteByte('"')
	return b.String()
}

// escape puts a backslash before each character that the shell may take for
// something else.
func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if !plain(name[i:i+1]) && name[i] < 0x80 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// plain says whether a path needs no quoting.
func plain(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("/._-+,@%:", c) >= 0) {
			return false
		}
	}
	return name != ""
}

// Span is where the first thing that has to change stands.
func (p *Plan) Span() tool.Span {
	for _, m := range p.Moved {
		return m.Span
	}
	for _, b := range p.Blocked {
		return b.Span
	}
	return tool.Span{}
}
