package guard

import (
	"iter"
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Wall judges a script as it would be with the programs in it behind a wall that run
// code which cannot be read. It says no where there is nothing to put behind one. What
// wants a wall and cannot have one, or not with a decision that the client takes a
// changed command with, asks.
func (g *Guard) Wall(call tool.Call, w *tool.World, takes func(tool.Decision) bool) (tool.Verdict, []*command.Invocation, bool) {
	r := g.readAgain(&call, w)
	invs, gaps := r.invs, r.gaps
	if w = r.w; !r.parsed || len(w.Wall) == 0 || g.needsNone(&call, &r) {
		return tool.Verdict{}, nil, false
	}
	if weight(invs) > maxBehind {
		return g.tooMany(&call, &r)
	}
	b := g.putBehind(&call, invs, gaps, w)
	if !b.wanted {
		return tool.Verdict{}, nil, false
	}
	v := g.hold(&call, invs, gaps, w)
	for _, inv := range b.kept {
		inv.Walled = true
	}
	if v.Decision != tool.Deny && leaves(call.Script, invs) {
		// What it prints goes to others, and the reading takes it to print nothing.
		unwall(invs)
		v = g.hold(&call, invs, gaps, w)
	}
	if v.Decision == tool.Deny {
		return tool.Verdict{}, nil, false
	}
	slices.Sort(b.edits)
	v.Rewrite, v.Changed = insert(call.Script, b.edits, func(at int) string { return quoted(b.words(at, w)) })
	v.Walled, v.Parsed = b.texts, true
	if v.Means |= tool.Wall; b.masks {
		v.Means |= tool.Mask
	}
	if slices.ContainsFunc(b.kept, func(inv *command.Invocation) bool { return w.Undo != nil && w.Undo(inv.Dir.Text) }) {
		v.Means |= tool.Undo
	}
	if !takes(v.Decision) || missed(invs, b.edits) || !g.stands(&call, v, w) {
		if unwall(invs); !b.must {
			return tool.Verdict{}, nil, false
		}
		v = b.without(g.hold(&call, invs, gaps, w))
	}
	for i := range v.Findings {
		v.Findings[i].Span = inside(v.Findings[i].Span, len(call.Script))
	}
	return v, invs, true
}

// Whole judges a script as it would be if all of it ran behind one wall, in a shell of its own. It says no where that does not
// answer every question, and where something in it needs what a wall closes. Its client goes on in the directory that the script ends in.
func (g *Guard) Whole(call tool.Call, w *tool.World, takes func(tool.Decision) bool) (v tool.Verdict, invs []*command.Invocation, ok bool) {
	invs, gaps, parsed, _ := g.read(&call, w)
	if !parsed || len(w.Wall) == 0 || len(invs) == 0 {
		return v, nil, false
	}
	for _, group := range groups(invs) {
		if !g.mayBe(&call, group, w) || slices.ContainsFunc(group, reachesOut) || Keeps(group) {
			return v, nil, false
		}
	}
	for _, inv := range invs {
		inv.Walled, inv.Within = true, true
	}
	first := invs[0]
	first.Gaps = append(first.Gaps[:len(first.Gaps):len(first.Gaps)], gaps...) // whatever they hide is behind the wall as well
	if v = g.hold(&call, invs, nil, w); v.Decision >= tool.Ask || !takes(v.Decision) {
		return v, nil, false
	}
	shell := "bash"
	if w.Zsh { // it may be the one that the client runs
		shell = "${ZSH_VERSION:+z}${BASH_VERSION:+ba}sh"
	}
	script := inQuotes(call.Script)
	wall := quoted(w.Wall)
	if hides(invs) {
		wall += HideArg + " "
	}
	before, after := wall+shell+" -c ", ""
	if g.leads(call, w) { // its last word to this shell is where it is
		before, after = "{ longline_dir=$("+before, ` 9>&1 >&8 8>&-); longline_status=$?; cd "${longline_dir:-.}"; (exit $longline_status); } 8>&1`
		script = inQuotes("{ " + call.Script + "\n} 9>&-; s=$?; pwd >&9; exit $s")
	}
	v.Rewrite = before + script + after
	v.Changed = []tool.Span{{End: len(before)}, {Start: len(before) + len(script), End: len(v.Rewrite)}}
	v.Walled, v.Parsed = []string{call.Script}, true
	v.Means |= tool.Wall
	for i := range v.Findings {
		v.Findings[i].Span = inside(v.Findings[i].Span, len(call.Script))
	}
	return v, invs, true
}

// leads says whether a script may end in another directory than it begins in, so that one can go on from there.
func (g *Guard) leads(call tool.Call, w *tool.World) bool {
	call.Script += "\n:"
	end, begin := len(call.Script)-1, call.Dir
	invs, _, _, _ := g.read(&call, w)
	return slices.ContainsFunc(invs, func(inv *command.Invocation) bool {
		return len(inv.Words) == 1 && inv.Words[0].Span.Start == end && (inv.Dir.Reach != tool.Exact || inv.Dir.Text != begin)
	})
}

// fence is what of a script belongs behind a wall.
type fence struct {
	wanted bool
	must   bool      // it runs code that asks where it cannot be put there
	at     int       // the number of a command that does, and
	span   tool.Span // where it stands: one that cannot be put there, if there is one
	edits  []int     // where commands begin that can
	texts  []string
	masks  bool // one of them may print lines of files of secrets
	kept   []*command.Invocation
	hiding []int // where those begin that must not read a secret
}

// words are what is put in front of a command.
func (b *fence) words(at int, w *tool.World) []string {
	if slices.Contains(b.hiding, at) {
		return append(w.Wall[:len(w.Wall):len(w.Wall)], HideArg)
	}
	return w.Wall
}

// HideArg is the word by which a wall is told to hide the secrets of the project. It opens nothing.
const HideArg = "--hide"

// hides says whether commands that run together behind a wall must not read secrets: what takes in files of which nobody knows which they are,
// and does not print their lines as they are, so that the filter would know the values. The project's own code needs its settings.
func hides(group []*command.Invocation) bool {
	reads, transforms := false, false
	for _, inv := range group {
		for _, e := range inv.Effects {
			switch {
			case e.Kind == tool.Execute && (strings.HasPrefix(e.Target, "inline:") || strings.HasPrefix(e.Target, "stdin:")):
				reads, transforms = true, true
			case e.Kind == tool.Execute:
				return false
			case e.Kind == tool.Read:
				reads = reads || e.Pattern || e.Tree || e.Reach != tool.Exact || e.Manner == tool.Met
				transforms = transforms || e.Manner == tool.Met && !strings.Contains(path.Base(e.Target)+".", ".env.") // the filter may not know what is in it
			}
		}
		reads = reads || len(inv.Gaps) > 0
		transforms = transforms || len(inv.Gaps) > 0 || len(inv.Runs) == 0 && !(inv.Shows && inv.Whole) && !inv.Stored
	}
	return reads && transforms
}

// putBehind marks the commands that belong behind a wall, with all that they run: those that run code, and those of which a
// judgement as if all were behind one says that the wall answers for something.
func (g *Guard) putBehind(call *tool.Call, invs []*command.Invocation, gaps []command.Gap, w *tool.World) (b fence) {
	for _, group := range groups(invs) {
		if wrappable(call.Script, group[0]) && g.mayBe(call, group, w) && !Keeps(group) && !slices.ContainsFunc(group, reachesOut) {
			for _, inv := range group {
				inv.Walled = true
			}
		}
	}
	answers := map[int]bool{}
	for _, f := range g.hold(call, invs, gaps, w).Findings {
		answers[f.Invocation] = answers[f.Invocation] || f.Rule == policy.WallID
	}
	unwall(invs)
	able := true
	for i, group := range groups(invs) {
		can := wrappable(call.Script, group[0]) && !g.mixed(call, group, w)
		answered := false
		for k := range group {
			answered = answered || answers[i+k]
		}
		wants := g.wants(call, group, w)
		meets := can && g.meets(call, group, w)
		if !wants && (!answered && !meets || Keeps(group)) {
			continue
		}
		b.masks = b.masks || meets
		b.must = b.must || wants
		if !b.wanted || able && !can {
			b.at, b.span, able = i, group[0].Span, can
		}
		if b.wanted = true; can {
			b.put(call.Script, group)
		}
	}
	return b
}

// put puts a command behind a wall, with all that it runs.
func (b *fence) put(script string, group []*command.Invocation) {
	at := group[0].Words[0].Span.Start
	if hides(group) && !slices.Contains(b.hiding, at) {
		b.hiding = append(b.hiding, at)
	}
	if !slices.Contains(b.edits, at) {
		b.edits = append(b.edits, at)
		span := inside(group[0].Span, len(script))
		b.texts = append(b.texts, script[max(span.Start, min(at, span.End)):span.End])
	}
	for _, inv := range group {
		if inv.Walled = !Keeps(group); !inv.Walled {
			b.kept = append(b.kept, inv)
			inv.Gaps = slices.DeleteFunc(slices.Clone(inv.Gaps), func(gap command.Gap) bool { return gap.Arrives })
		}
	}
}

// Git puts files there of which nobody knows which they are: those of another version, or what it fetches. Its wall is another one: it only
// keeps what configures agents and longline as it is, and answers for nothing else that a policy asks about.

// Keeps says whether commands that run together need that wall, and no other: where code runs beside git, all of it is behind the usual one.
func Keeps(group []*command.Invocation) bool {
	return slices.ContainsFunc(group, func(inv *command.Invocation) bool { return inv.Arrives }) && !slices.ContainsFunc(group, isCode)
}

// keeps says whether a command, with what it runs in turn, has git do so where a wall can be.
func (g *Guard) keeps(call *tool.Call, group []*command.Invocation, w *tool.World) bool {
	return g.Policy.Wall(call, group[0], w) != policy.WallNever && !slices.ContainsFunc(group, func(inv *command.Invocation) bool {
		return inv.Remote || inv.Device != "" || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && strings.HasPrefix(e.Target, "privilege") })
	})
}

// without makes of a verdict without walls one that asks because there is none.
func (b *fence) without(v tool.Verdict) tool.Verdict {
	f := tool.Finding{
		Rule: policy.WallID, Decision: tool.Ask, Span: b.span, Invocation: b.at, Layer: policy.Builtin.String(), Level: policy.Critical.String(),
		Reason:  "Runs code that belongs behind a wall, and no wall can be put in front of it here",
		Suggest: "Write it as a plain command of its own, without exec or command in front of it, and apart from what needs the network or Docker",
	}
	v.Findings, v.Parsed = append(v.Findings, f), true
	if v.Decision < f.Decision {
		v.Decision, v.Rule, v.Reason, v.Suggest = f.Decision, f.Rule, f.Reason, f.Suggest
	}
	return v
}

// groups gives each command that stands in the script, with all that it runs, by its number.
func groups(invs []*command.Invocation) iter.Seq2[int, []*command.Invocation] {
	return func(yield func(int, []*command.Invocation) bool) {
		for i := 0; i < len(invs); {
			n := i + 1
			for n < len(invs) && len(invs[n].Via) > 0 {
				n++
			}
			if !yield(i, invs[i:n]) {
				return
			}
			i = n
		}
	}
}

func unwall(invs []*command.Invocation) {
	for _, inv := range invs {
		inv.Walled = false
	}
}

// missed says whether a command at one of these places is not behind the wall. Of a place that is
// reached more than once, in a loop or a function, each time counts.
func missed(invs []*command.Invocation, edits []int) bool {
	return slices.ContainsFunc(invs, func(inv *command.Invocation) bool {
		return len(inv.Via) == 0 && len(inv.Words) > 0 && !inv.Walled && slices.Contains(edits, inv.Words[0].Span.Start)
	})
}

// leaves says whether the output of code that cannot be read may be used outside its
// wall, by a reading that knows nothing of it: a wall answers for what runs behind it
// and not for what others make of its words.
func leaves(script string, invs []*command.Invocation) bool {
	silent := slices.ContainsFunc(invs, func(inv *command.Invocation) bool {
		return inv.Walled && len(inv.Via) == 0 && inv.Output.Reach == tool.Exact &&
			(len(inv.Gaps) > 0 || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute }))
	})
	if !silent {
		return false
	}
	for _, harmless := range []string{"||", "2>&1", ">&2", ">/dev/null", "> /dev/null"} {
		script = strings.ReplaceAll(script, harmless, "")
	}
	return strings.ContainsAny(script, "|`>") || strings.Contains(script, "$(") || strings.Contains(script, "<(")
}

// insert adds words at offsets that are sorted.
func insert(script string, at []int, wordsAt func(int) string) (string, []tool.Span) {
	var b strings.Builder
	var changed []tool.Span
	from := 0
	for _, i := range at {
		b.WriteString(script[from:i])
		words := wordsAt(i)
		changed = append(changed, tool.Span{Start: b.Len(), End: b.Len() + len(words)})
		b.WriteString(words)
		from = i
	}
	b.WriteString(script[from:])
	return b.String(), changed
}

// quoted writes words for the shell, with a space after each.
func quoted(words []string) string {
	var b strings.Builder
	for _, word := range words {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") != "" {
			word = inQuotes(word)
		}
		b.WriteString(word + " ")
	}
	return b.String()
}

func inQuotes(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// stands reads the changed script again: what wants a wall has one in front of it there, and
// each of the new words is the program of a command, or a shell would read it in another way
// than was meant.
func (g *Guard) stands(call *tool.Call, v tool.Verdict, w *tool.World) bool {
	moved := *call
	moved.Script = v.Rewrite
	invs, _, parsed, _ := g.read(&moved, w)
	met := map[int]bool{}
	for _, group := range groups(invs) {
		if first := group[0]; len(first.Via) == 0 && begins(first.Words, w.Wall) {
			met[first.Words[0].Span.Start] = true
		} else if g.wants(&moved, group, w) {
			return false
		}
	}
	return parsed && !slices.ContainsFunc(v.Changed, func(c tool.Span) bool { return !met[c.Start] })
}

// begins says whether a command has these words before others.
func begins(words []command.Word, with []string) bool {
	if len(words) <= len(with) {
		return false
	}
	for i, text := range with {
		if !words[i].IsKnown() || words[i].Text != text {
			return false
		}
	}
	return true
}

// unreadable are the beginnings of the names of code that nobody has read, carried those of code that a command is given besides its own.
var (
	unreadable = []string{"project:", "file:", "script:", "inline:", "stdin:", "written:", "planted:", "edited:", "compile", carried[0], carried[1]}
	carried    = []string{"config:", "env:"}
)

// wants says whether a command, with what it runs in turn, belongs behind a wall: it
// runs code that cannot be read, and does nothing that a wall is in the way of.
func (g *Guard) wants(call *tool.Call, group []*command.Invocation, w *tool.World) bool {
	if Keeps(group) {
		return g.keeps(call, group, w)
	}
	if g.mixed(call, group, w) {
		return true
	}
	if !g.mayBe(call, group, w) {
		return false
	}
	return g.Policy.Wall(call, group[0], w) == policy.WallAlways || slices.ContainsFunc(group, func(inv *command.Invocation) bool {
		return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute })
	})
}

// meets says whether a command, with what it runs in turn, may print lines of files of secrets, and can be behind a wall.
func (g *Guard) meets(call *tool.Call, group []*command.Invocation, w *tool.World) bool {
	return slices.ContainsFunc(group, func(inv *command.Invocation) bool { return inv.Meets }) && g.mayBe(call, group, w) && !slices.ContainsFunc(group, reachesOut)
}

// mayBe says whether a command, with what it runs in turn, does nothing that a wall is in the way of.
func (g *Guard) mayBe(call *tool.Call, group []*command.Invocation, w *tool.World) bool {
	fetching, code := slices.ContainsFunc(group, fetches), slices.ContainsFunc(group, isCode)
	for _, inv := range group {
		if obstructed(inv) || !code && slices.ContainsFunc(inv.Effects, inTheWay) || fetching && slices.ContainsFunc(inv.Effects, isCarried) {
			return false
		}
	}
	return g.Policy.Wall(call, group[0], w) != policy.WallNever
}

// isCode says whether a command is nothing but code that nobody has read.
func isCode(inv *command.Invocation) bool {
	return !inv.Arrives && !inv.Remote && inv.Device == "" && !fetches(inv) && !slices.ContainsFunc(inv.Effects, inTheWay) &&
		slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute })
}

// mixed says whether code that nobody has read runs beside what a wall is in the way of, or what has the network there: no wall fits both.
func (g *Guard) mixed(call *tool.Call, group []*command.Invocation, w *tool.World) bool {
	if g.Policy.Wall(call, group[0], w) == policy.WallNever {
		return false
	}
	for i, inv := range group {
		if !isCode(inv) {
			continue
		}
		for k, other := range group {
			if !within(group, i, k) && !within(group, k, i) && (fetches(other) || obstructed(other)) {
				return true
			}
		}
	}
	return false
}

// within says whether the command at k is run by that at i, or is it. Commands come before what they run.
func within(group []*command.Invocation, i, k int) bool {
	return k >= i && !slices.ContainsFunc(group[i+1:max(k, i)+1], func(inv *command.Invocation) bool { return len(inv.Via) <= len(group[i].Via) })
}

// obstructed says whether a wall is in the way of a command, however much would be gained by one.
func obstructed(inv *command.Invocation) bool {
	return inv.Remote || inv.Device != "" || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return inTheWay(e) && !staysInside(e) })
}

// fetches says whether a command speaks to other machines than those that the project's packages come from: behind a wall too, it has the network.
func fetches(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind.IsHost() && e.Target != "@local" && e.Target != "@registry" })
}

// staysInside says whether an effect that is better off without a wall works behind one too.
func staysInside(e tool.Effect) bool {
	return strings.HasPrefix(e.Target, "git.") && !strings.HasPrefix(e.Target, "git.push") || strings.HasPrefix(e.Target, "package.restore") ||
		strings.HasPrefix(e.Target, "package.add") || strings.HasPrefix(e.Target, "process.")
}

// inTheWay says whether a wall is in the way of an effect: of packages, processes, containers and
// privileges, and of code that can be read.
func inTheWay(e tool.Effect) bool {
	// others: what a wall is made for.
	switch e.Kind {
	case tool.Control:
		return e.Target != "network.listen" && e.Target != "env.dump" // behind a wall no variable holds a secret
	case tool.Execute:
		return !slices.ContainsFunc(unreadable, func(s string) bool { return strings.HasPrefix(e.Target, s) })
	}
	return false
}

// isCarried says whether an effect is code that a command is given besides its own.
func isCarried(e tool.Effect) bool {
	return e.Kind == tool.Execute && slices.ContainsFunc(carried, func(s string) bool { return strings.HasPrefix(e.Target, s) })
}

// reachesOut says whether an invocation speaks to another machine, which no wall lets it.
func reachesOut(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind.IsHost() && e.Target != "@local" })
}

// builtins are what a shell does itself, so that no other program can do it in its
// place, and words of its language.
const builtins = " . : [ [[ alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done echo " +
	"elif else enable esac eval exec exit export fc fg fi for function getopts hash help history if in jobs kill let local logout mapfile noglob nocorrect " +
	"popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times trap type typeset ulimit umask " +
	"unalias unset until wait while { } ! "

// wrappable says whether a command is one that stands in the script by itself, so that
// words in front of it make it the argument of another.
func wrappable(script string, inv *command.Invocation) bool {
	if len(inv.Via) > 0 || len(inv.Words) == 0 || !inv.Words[0].IsKnown() {
		return false
	}
	name, span := inv.Words[0].Text, inv.Words[0].Span
	if name == "" || strings.ContainsAny(name, " =") || strings.Contains(builtins, " "+name+" ") {
		return false
	}
	return 0 <= span.Start && span.Start < span.End && span.End <= len(script) && inv.Span.Start <= span.Start && span.End <= inv.Span.End
}
