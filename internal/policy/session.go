package policy

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// SessionSet is a set of what a session, or a command seen from it, can be known for.
type SessionSet uint8

// The words of a rules file for it.
const (
	KnownUntrusted SessionSet = 1 << iota // the session read untrusted text
	KnownInjection                        // the session read a suspected prompt injection
	KnownSecret
	KnownDenied  // something was denied
	KnownFetched // the command runs what an earlier call has fetched
	KnownWritten // the command runs what the agent wrote in an earlier call
	KnownRepeats // the command does again what was denied
	sessionEnd
)

var sessionNames = []string{"untrusted", "injection", "secret", "denied", "fetched", "written", "repeats"}

// SessionNames lists the words in the order of the bits.
func SessionNames() []string { return sessionNames }

// Session is what a rule wants of the session. Rules that object can want something
// to be known, and rules that allow can want it not to be, so that what a session is
// known for never makes an answer looser.
type Session struct{ Has, Lacks SessionSet }

// ofSession says whether a rule that objects speaks of the session.
func (r *Rule) ofSession() bool { return r.Match.Session.Has != 0 }

// session is what the session of a call is known for, as far as that is the same for
// all of its commands.
func (j *judging) session() SessionSet {
	p, set := j.call.Past, SessionSet(0)
	if p == nil {
		return 0
	}
	for _, fact := range [...]struct {
		is  bool
		bit SessionSet
	}{{p.Untrusted || p.Injection, KnownUntrusted}, {p.Injection, KnownInjection}, {p.Secret, KnownSecret}, {len(p.Denied) > 0, KnownDenied}} {
		if fact.is {
			set |= fact.bit
		}
	}
	return set
}

// possibly is what a command may be known for, seen from its session.
func (j *judging) possibly(inv *command.Invocation) SessionSet {
	if j.call.Past == nil {
		return 0
	}
	have := j.session()
	if have&KnownDenied != 0 {
		have |= KnownRepeats
	}
	return have | origin(inv)
}

// origin is what is known of the code that a command runs.
func origin(inv *command.Invocation) (set SessionSet) {
	if inv.Code == nil {
		return 0
	}
	if inv.Code.Fetched != nil {
		set |= KnownFetched
	}
	if inv.Code.Written != "" {
		set |= KnownWritten
	}
	return set
}

// inSession says whether a rule's wishes about the session hold for a command.
func (j *judging) inSession(s Session, inv *command.Invocation) bool {
	if s == (Session{}) {
		return true
	}
	have := j.session() | origin(inv)
	if (s.Has|s.Lacks)&KnownRepeats != 0 && j.repeated(inv).strength != apart {
		have |= KnownRepeats
	}
	return have&s.Has == s.Has && have&s.Lacks == 0
}

// defers says whether questions can be left to an agent that judges by itself. One
// that has met an injection may be in the hands of somebody else.
func (j *judging) defers() bool {
	return j.call.Judges && (j.call.Past == nil || !j.call.Past.Injection)
}

// agreed says whether a person has agreed to this very call earlier in the session. The verdict says where a yes would do for later ones.
func (j *judging) agreed() bool {
	p := j.call.Past
	if !j.call.Shell || p != nil && p.Injection {
		return false
	}
	j.asks = !j.call.Agreed
	return j.call.Agreed
}

// repeat is how a command does again what was denied.
type repeat struct {
	inv      *command.Invocation
	denial   *tool.Denial
	effect   int // index; -1 is the command as such
	strength touch
}

// repeated says whether a command does again what was denied in the session: the
// same effect on the same thing, or on something that contains it. The call that was
// denied is judged as it was then.
func (j *judging) repeated(inv *command.Invocation) repeat {
	if j.again.inv == inv {
		return j.again
	}
	found := repeat{inv: inv, effect: -1, strength: apart}
	for i, list := 0, j.denials(); i < len(list); i++ {
		d := &list[i]
		if d.Call == j.mark || !alike(d, inv) {
			continue
		}
		if j.before[i].effect.Kind == 0 {
			j.before[i] = j.g.target(d.Effect)
		}
		if n, strength := j.same(d, &j.before[i], inv); strength > found.strength && j.stands(d) && !suggested(d.Suggest, inv) {
			found.denial, found.effect, found.strength = d, n, strength
		}
	}
	j.again = found
	return found
}

// denials is what was denied in the session; before has room for all of it then.
func (j *judging) denials() []tool.Denial {
	p := j.call.Past
	if p == nil || len(p.Denied) == 0 {
		return nil
	}
	if j.before == nil {
		j.before, j.mark = make([]target, len(p.Denied)), j.call.Mark()
	}
	return p.Denied
}

// alike says whether a command does something of the kind that was denied, or runs
// code that might.
func alike(d *tool.Denial, inv *command.Invocation) bool {
	for i := range inv.Effects {
		if kind := inv.Effects[i].Kind; kind == tool.Execute || kindClass(kind) == kindClass(d.Effect.Kind) {
			return true
		}
	}
	return inv.Code != nil
}

// stands says whether the rule by which something was denied is still there.
func (j *judging) stands(d *tool.Denial) bool {
	if !slices.Contains(layerNames[:], d.Layer) {
		return true // no rule of a rules file
	}
	for i := range j.set.books {
		b, found := &j.set.books[i], false
		if b.layer.String() != d.Layer {
			continue
		}
		b.find(d.Rule, func(n int) { found = found || b.active(n, j.set.Safety) })
		if found {
			return true
		}
	}
	return false
}

// suggested says whether a command is what the agent was told to do instead: its
// program, or a flag that it has, stands in the suggestion.
func suggested(suggest string, inv *command.Invocation) bool {
	if suggest == "" {
		return false
	}
	for word := range strings.FieldsFuncSeq(suggest, func(r rune) bool { return strings.ContainsRune(" \t\n,;:()\"'`", r) }) {
		word = strings.TrimRight(word, ".")
		if len(word) > 1 && word == inv.Name || len(word) > 3 && word[0] == '-' && slices.Contains(inv.Flags, word) {
			return true
		}
	}
	return false
}

// same says by which effect a command does what was denied, and how surely.
func (j *judging) same(d *tool.Denial, before *target, inv *command.Invocation) (int, touch) {
	for i, e := range inv.Effects {
		if kindClass(e.Kind) == kindClass(d.Effect.Kind) && j.sameEffect(d, before, inv, e) {
			return i, touching
		}
	}
	switch {
	case d.Effect.Kind == tool.Execute && sameFetched(d, inv):
		return -1, touching
	case d.Effect.Kind.IsPath() && d.Effect.Kind != tool.Read && j.names(before, inv):
		return -1, perhaps // code that nobody can read names the very thing
	}
	return -1, apart
}

// sameFetched says whether a command runs code from the host whose code was denied.
func sameFetched(d *tool.Denial, inv *command.Invocation) bool {
	if kind, _, _ := strings.Cut(d.Effect.Target, ":"); kind != "fetched" || inv.Code == nil || inv.Code.Fetched == nil {
		return false
	}
	from := inv.Code.Fetched.Host // a word for many says nothing
	return from != "" && from == d.With && !strings.HasPrefix(from, "@")
}

// sameEffect says whether an effect of a command is one that was denied, of the same class.
func (j *judging) sameEffect(d *tool.Denial, before *target, inv *command.Invocation, e tool.Effect) bool {
	now := j.g.target(e)
	switch exact := e.Reach == tool.Exact && e.Target == d.Effect.Target; {
	case e.Kind.IsPath():
		return j.g.sameThing(&now, before)
	case e.Kind.IsHost():
		return sameHost(&now, before) && j.alongside(d.With, inv)
	case e.Kind == tool.Control:
		return exact && share(d.Words, Operands(inv))
	case e.Kind == tool.Execute:
		return exact && strings.Contains(e.Target, ":/")
	}
	return false
}

// sameHost says whether two hosts are known to be one.
func sameHost(now, before *target) bool {
	return now.knownWord() && before.knownWord() && strings.EqualFold(now.effect.Target, before.effect.Target)
}

// kindClass puts the kinds together that are one effect in other words.
func kindClass(k tool.Kind) tool.Kind {
	if k == tool.Create {
		return tool.Write
	}
	return k
}

// alongside says whether a command has what a denial wants beside its effect. A
// secret that the session has read may be in anything that it sends.
func (j *judging) alongside(name string, inv *command.Invocation) bool {
	if name == "" || name == "secret.send" && j.call.Past.Secret {
		return true
	}
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == name })
}

// sameThing says whether one path is another, or, where all below it is meant, lies
// above it. What lies below is another thing: a file of one's own in a directory that
// must not be deleted.
func (g *ground) sameThing(now, before *target) bool {
	if now.reach == ReachAnywhere || before.reach == ReachAnywhere || now.effect.Reach != tool.Exact {
		return false
	}
	deletes := now.effect.Kind == tool.Delete && now.effect.Tree
	for i := range now.spots {
		for k := range before.spots {
			if g.sameSpot(&now.spots[i], &before.spots[k], deletes) {
				return true
			}
		}
	}
	return false
}

// sameSpot is sameThing for one spelling of each; tree says that all below the first is meant.
func (g *ground) sameSpot(now, before *spot, tree bool) bool {
	if now.rest != before.rest {
		return false
	}
	if equal(now.at.path, before.at.path, g.w.FoldCase) {
		return true
	}
	return tree && now.rest == "" && strings.HasPrefix(before.at.path, strings.TrimSuffix(now.at.path, "/")+"/")
}

// Operands are marks of a command's operands.
func Operands(inv *command.Invocation) []uint32 {
	var marks []uint32
	for _, w := range inv.Operands {
		if w.IsKnown() && len(marks) < 16 {
			marks = append(marks, uint32(tool.Mark(strings.TrimLeft(w.Text, "+:"))))
		}
	}
	return marks
}

// share says whether two commands have an operand in common, or neither has any.
func share(a, b []uint32) bool {
	return len(a) == 0 && len(b) == 0 || slices.ContainsFunc(a, func(m uint32) bool { return slices.Contains(b, m) })
}

// names says whether code that a command runs and that is not read names a path.
func (j *judging) names(before *target, inv *command.Invocation) bool {
	for _, e := range inv.Effects {
		if e.Kind != tool.Execute || e.Reach != tool.Exact {
			continue
		}
		if text := j.code(e); text != "" && j.g.mentions(text, before) {
			return true
		}
	}
	return false
}

// code is the text in which the code that an effect runs is, or its beginning; "" if nobody
// can see it.
func (j *judging) code(e tool.Effect) string {
	kind, rest, _ := strings.Cut(e.Target, ":")
	if kind == "inline" || kind == "stdin" {
		return j.call.Script
	}
	if !strings.HasPrefix(rest, "/") || j.g.w.ReadFile == nil {
		return ""
	}
	data, err := j.g.w.ReadFile(rest)
	if err != nil {
		return ""
	}
	return string(data[:min(len(data), maxNamed)])
}

// maxNamed bounds how much of a file is looked through for a path.
const maxNamed = 256 << 10

// mentions says whether a text has one of the spellings of a path in it, as a whole.
func (g *ground) mentions(text string, t *target) bool {
	for i := range t.spots {
		path := t.spots[i].at.path
		if t.spots[i].rest != "" || len(path) < 2 {
			continue
		}
		if slices.ContainsFunc(g.written(path), func(s string) bool { return wholly(text, s) }) {
			return true
		}
	}
	return false
}

// written lists how code may write a path.
func (g *ground) written(path string) []string {
	list := []string{path}
	for _, home := range g.homes {
		if path == home {
			list = append(list, "~", "$HOME", "${HOME}", "Path.home()", "homedir()", `"HOME"`, `'HOME'`)
		} else if rest, ok := strings.CutPrefix(path, home+"/"); ok {
			list = append(list, "~/"+rest, "$HOME/"+rest, "${HOME}/"+rest)
		}
	}
	for _, project := range g.project {
		if rest, ok := strings.CutPrefix(path, project+"/"); ok && len(rest) > 2 {
			list = append(list, rest)
		}
	}
	return list
}

// wholly says whether a path stands in a text, and not as a part of a longer one.
func wholly(text, path string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], path)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(path)
		rest := strings.TrimLeft(text[end:], "/*")
		if (start == 0 || !pathByte(text[start-1])) && (rest == "" || !pathByte(rest[0])) {
			return true
		}
		at = start + 1
	}
}

func pathByte(c byte) bool {
	return isLetter(rune(c)) || c == '/' || c == '-' || c == '_' || c == '.' || c == '~'
}

// reads notes the files of secrets that a command reads. Rules have asked for the zone
// by then.
func (j *judging) reads(targets []target) {
	for i := range targets {
		t := &targets[i]
		if t.effect.Kind != tool.Read || t.effect.Reach != tool.Exact || len(j.secrets) >= maxDenied {
			continue
		}
		if met := j.g.touches(t, ZoneSecrets).direct; met == certain || met != never && !t.effect.Pattern {
			j.secrets = append(j.secrets, t.effect.Target)
		}
	}
}

// deny notes what a rule has denied, for the session to remember. What is denied only
// because of the session, or by a rule that speaks of the settings of longline, is not
// a thing that can be tried in other words.
func (j *judging) deny(inv *command.Invocation, r *Rule, effect int) {
	if r.ofSession() || len(j.denied) >= maxDenied {
		return
	}
	d := tool.Denial{Rule: r.ID, Layer: r.Layer.String(), Suggest: r.Suggest, Words: Operands(inv), Call: j.call.Mark()}
	if effect < 0 {
		j.denied = append(j.denied, Things(d, inv)...)
		return
	}
	if d.Effect = inv.Effects[effect]; d.Effect.Reach != tool.Exact {
		d.Effect = tool.Effect{} // nobody knows the thing
	}
	d.Effect.Span = tool.Span{}
	switch e := &d.Effect; {
	case e.Kind == tool.Control && r.Match.Effect.With != nil:
		if to, ok := receiver(inv); ok { // what matters is where it goes
			d.With, d.Effect = e.Target, to
		}
	case e.Kind == tool.Execute && strings.HasPrefix(e.Target, "fetched:"):
		d.With = j.source()
	}
	j.denied = append(j.denied, d)
}

// receiver is the first host that a command is known to send to.
func receiver(inv *command.Invocation) (to tool.Effect, ok bool) {
	for _, e := range inv.Effects {
		if e.Kind == tool.Send && e.Reach == tool.Exact {
			return e, true
		}
	}
	return tool.Effect{}, false
}

// maxDenied bounds the things of one call that are remembered.
const maxDenied = 16

// source is the host that a call fetches from, if there is but one.
func (j *judging) source() string {
	from := ""
	for _, inv := range j.invs {
		for _, e := range inv.Effects {
			if e.Kind == tool.Fetch && e.Reach == tool.Exact {
				if from != "" && from != e.Target {
					return ""
				}
				from = e.Target
			}
		}
	}
	return from
}

// Things makes denials of all that a command changes or sends, where the command as
// such was denied: d is what they have in common.
func Things(d tool.Denial, inv *command.Invocation) (list []tool.Denial) {
	for _, e := range inv.Effects {
		if e.Reach != tool.Exact || e.Kind == tool.Read || e.Kind == tool.Fetch || e.Kind == tool.Execute || e.Kind == tool.Send && strings.HasPrefix(e.Target, "@") {
			continue
		}
		d.Effect = e
		d.Effect.Span = tool.Span{}
		if list = append(list, d); len(list) >= maxDenied {
			break
		}
	}
	if len(list) == 0 {
		d.Effect = tool.Effect{} // that something was denied is worth knowing by itself
		list = append(list, d)
	}
	return list
}

func flag(is bool) int {
	if is {
		return 1
	}
	return 0
}
