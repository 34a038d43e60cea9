package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// A file that the shell opens to put something in its place is empty from then on. What reads it while it is open
// finds nothing: the command itself, what is inside, or the other commands of a pipeline. So what it held is lost.

// emptiesFiles makes of a redirection of nothing, or of an empty line, what it is: the loss of what the file holds.
func emptiesFiles(led *ledger, inv *command.Invocation) {
	if (isMute(inv) || len(inv.Redirects) > 0 && copiesNothing(led, inv)) && !(slices.ContainsFunc(inv.Redirects, alsoErrors) && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return !isRedirect(inv, e) })) {
		empties(&led.site, inv)
	}
}

// isRedirect says whether an effect is that of a redirection: the program that is redirected does something only if it has others, and
// has something to say about errors then.
func isRedirect(inv *command.Invocation, e tool.Effect) bool {
	return slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return rd.Target.Span == e.Span })
}

// saysNothing says whether what is printed is surely nothing but ends of lines.
func saysNothing(d command.Data) bool {
	return d.Reach == tool.Exact && strings.Trim(d.Text, "\n") == ""
}

// isMute says whether all that an invocation prints is surely nothing but ends of lines.
func isMute(inv *command.Invocation) bool { return saysNothing(inv.Output) || inv.Mute }

// emptiedBy is emptiesFiles for a command of the shell and what it has printed on each way through it. What it says about errors may go the
// same way.
func emptiedBy(here *site, inv *command.Invocation, printed ...command.Data) {
	if len(inv.Redirects) == 0 || len(printed) == 0 || slices.ContainsFunc(inv.Redirects, alsoErrors) {
		return
	}
	if !slices.ContainsFunc(printed, func(d command.Data) bool { return !saysNothing(d) }) {
		empties(here, inv)
	}
}

// alsoErrors says whether a redirection sends what is said about errors the way that standard output goes.
func alsoErrors(rd command.Redirect) bool { return rd.Fd == "2" && rd.Op == ">&" }

// printedIn is what was printed on the ways that some states stand for.
func printedIn(states []*state) (list []command.Data) {
	for _, s := range states {
		list = append(list, s.out)
	}
	return list
}

// printedBy is what a builtin prints that prints nothing with some words, and something with others: it sets what it else shows.
func printedBy(name string, args []command.Word) command.Data {
	isFlag := func(w command.Word) bool { return !w.IsKnown() || strings.HasPrefix(w.Text, "-") }
	quiet := false
	switch name {
	case "disown", "unalias":
		quiet = true
	case "alias":
		quiet = len(args) > 0 && !slices.ContainsFunc(args, func(w command.Word) bool { return isFlag(w) || !strings.Contains(w.Text, "=") })
	case "umask":
		quiet = len(args) == 1 && !isFlag(args[0])
	case "ulimit": // a limit stands behind one letter
		quiet = len(args) > 0 && len(args) <= 2 && !isFlag(args[len(args)-1]) && !slices.ContainsFunc(args, func(w command.Word) bool { return w.Text == "-a" })
	}
	if quiet {
		return command.Data{Reach: tool.Exact}
	}
	return command.Data{}
}

// empties adds that what the files held is lost which an invocation that prints nothing is redirected to.
func empties(here *site, inv *command.Invocation) {
	for _, rd := range inv.Redirects {
		if replaces(rd.Op) && (rd.Fd == "" || rd.Fd == "1") && rd.Op != syntax.RdrAll.String() {
			here.lost(inv, rd.Target.Span, nil)
		}
	}
}

// overruled adds what is lost where standard output goes to one file and then to another: the first one is emptied, except in zsh, which
// writes both.
func overruled(here *site, inv *command.Invocation) {
	if len(inv.Redirects) < 2 || here.world.Zsh {
		return
	}
	var first *command.Redirect
	for i := range inv.Redirects {
		rd := &inv.Redirects[i]
		switch out := rd.Fd == "" || rd.Fd == "1"; {
		case rd.Op == ">&" && rd.Fd != "" && !out:
			first = nil // it may go there by another descriptor
		case !out || rd.Op == "<" || rd.Op == "<<" || rd.Op == "<<-" || rd.Op == "<<<" || rd.Op == "<&":
		default:
			if first != nil {
				here.lost(inv, first.Target.Span, nil)
			}
			if first = nil; rd.Op == ">" || rd.Op == ">|" {
				first = rd
			}
		}
	}
}

// loses makes of the writes of an invocation that empties files when it starts what they are where others read these as long
// as it runs.
func (led *ledger) loses(inv *command.Invocation, others []*command.Invocation) {
	for _, rd := range inv.Redirects {
		if replaces(rd.Op) {
			lostTo(led, inv, rd.Target.Span, others)
		}
	}
	for i, at := range inv.Fills {
		if i == 0 || at != inv.Fills[i-1] { // code may write many
			lostTo(led, inv, at, others)
		}
	}
}

// maxEmptied bounds the files at one place of a script that are held against what is read.
const maxEmptied = 256

// lostTo adds a deletion to the write at a place of the script, if one of those that are given reads the file.
func lostTo(led *ledger, inv *command.Invocation, at tool.Span, readers []*command.Invocation) {
	led.lost(inv, at, func(e tool.Effect) bool {
		return slices.ContainsFunc(readers, func(o *command.Invocation) bool {
			return readsAlso(led.world, o, e, inv) && !(isSifted(o) && isExact(e) && siftedFor(led, true).LeaveOut(e.Target))
		}) && !leavesOut(led.world, readers, e)
	})
}

// lost adds a deletion to the write at a place of the script, if what it writes there is such, or in any case.
func (here *site) lost(inv *command.Invocation, at tool.Span, is func(e tool.Effect) bool) {
	looked := 0
	for _, e := range inv.Effects[:len(inv.Effects):len(inv.Effects)] {
		if e.Kind != tool.Write || e.Span != at || !command.HoldsContent(here.world, e, inv.Moves) {
			continue
		}
		if looked++; looked > maxEmptied {
			gapIn(inv, "it writes more files than longline compares with those that it reads")
			return
		}
		if is == nil || is(e) {
			if e.Kind, e.Manner = tool.Delete, tool.Cleared; !slices.Contains(inv.Effects, e) {
				inv.Effects = append(inv.Effects, e)
			}
		}
	}
}

// losesInside is loses for a command that others run inside of, which are listed from a place on, or beside it: they may read what it
// empties, and the other way round.
func losesInside(led *ledger, inv *command.Invocation, listed int) {
	if len(inv.Redirects)+len(inv.Fills)+len(led.procs) == 0 {
		return
	}
	inside := besides(led, inv, led.invocations[listed:len(led.invocations):len(led.invocations)])
	if len(inv.Redirects)+len(inv.Fills)+len(inside) == 0 {
		return
	}
	led.loses(inv, append(inside, inv))
	for _, o := range inside {
		if o != inv && len(o.Redirects)+len(o.Fills) > 0 {
			led.loses(o, []*command.Invocation{inv})
		}
	}
}

// maxBeside is how many of the last process substitutions may be meant by the name of a descriptor. Later ones have the names of earlier
// ones again.
const maxBeside = 128

// besides adds the commands in process substitutions that an invocation, or one of those inside of it, is given: these run at the same
// time.
func besides(led *ledger, inv *command.Invocation, inside []*command.Invocation) []*command.Invocation {
	list := inside
	for i := max(0, len(led.procs)-maxBeside); i < len(led.procs); i++ {
		p := &led.procs[i]
		open := slices.ContainsFunc(led.openers, func(i int) bool { return p.isGiven(led.invocations[i]) })
		has := func(o *command.Invocation) bool { return p.isGiven(o) || open && takesDescriptor(o) }
		if !has(inv) && !slices.ContainsFunc(inside, has) {
			continue
		}
		list = append(list, led.invocations[p.from:p.to]...)
		for _, o := range led.invocations {
			if p.from == p.to && p.span.Start <= o.Span.Start && o.Span.End <= p.span.End && o != inv {
				list = append(list, o)
			}
		}
	}
	return list
}

// takesDescriptor says whether an invocation reads from a descriptor that was opened before.
func takesDescriptor(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return rd.Op == "<&" }) ||
		slices.ContainsFunc(inv.Words, func(w command.Word) bool { return strings.HasPrefix(w.Text, "-u") })
}

// runsBeside says whether an invocation that is listed from a place on is one of a process substitution.
func runsBeside(led *ledger, inv *command.Invocation, from int) bool {
	return slices.ContainsFunc(led.procs[max(0, len(led.procs)-maxBeside):], func(p stream) bool {
		return p.from >= from && slices.Contains(led.invocations[p.from:p.to], inv)
	})
}

// isGiven says whether an invocation has a process substitution among its words, or as one of its streams.
func (p *stream) isGiven(inv *command.Invocation) bool {
	is := func(w command.Word) bool { return w.Text == p.path && w.IsKnown() }
	return slices.ContainsFunc(inv.Words, is) || inv.Stdin.Path != nil && is(*inv.Stdin.Path) ||
		slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return is(rd.Target) })
}

// sending is a redirection to a descriptor, and how many invocations there were before it.
type sending struct {
	to string // "" if it is not known
	at int
}

// losesOpen is loses for the files that exec has opened, held against what reads them while they are open, or before anything is written.
func losesOpen(led *ledger, s *state, readers []*command.Invocation) {
	if s.into == "" && len(s.held) == 0 {
		return
	}
	reader := len(led.invocations) - 1 // it is one of the last
	for reader >= 0 && led.invocations[reader] != readers[0] {
		reader--
	}
	for _, i := range led.openers {
		opener := led.invocations[i]
		if len(opener.Operands) > 0 || slices.Contains(readers, opener) {
			continue
		}
		for _, rd := range opener.Redirects {
			if replaces(rd.Op) && stillEmpty(led, rd, i, reader) {
				lostTo(led, opener, rd.Target.Span, readers)
			}
		}
	}
}

// stillEmpty says whether a file that one of the invocations has opened is empty to another one. Who reads a file that is standard output
// reads what it is about to write. What is said about errors is left alone.
func stillEmpty(led *ledger, rd command.Redirect, opener, reader int) bool {
	switch {
	case rd.Fd == "2":
		return false
	case rd.Fd != "" && rd.Fd != "1":
		return !slices.ContainsFunc(led.sent, func(o sending) bool {
			return opener < o.at && o.at < reader && (o.to == rd.Fd || o.to == "")
		})
	}
	return !slices.ContainsFunc(led.openers, func(i int) bool {
		return i > opener && slices.ContainsFunc(led.invocations[i].Redirects, func(o command.Redirect) bool { return (o.Fd == "" || o.Fd == "1") && o.Op != "<" })
	})
}

// losesInPipe is loses for the stages of a pipeline, which run at the same time. It is given where the invocations of each begin.
func losesInPipe(led *ledger, stages []stage, starts []int) {
	all := led.invocations
	for i, from := range starts {
		to := len(all)
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		var others []*command.Invocation
		for _, inv := range all[from:to] {
			if len(inv.Redirects)+len(inv.Fills) == 0 || inv.Span != led.src.stmtSpan(stages[i].stmt) && !isLoop(stages[i].stmt) && !runsBeside(led, inv, from) {
				continue // what is inside may have waited, except in a loop over what comes
			}
			if others == nil {
				others = append(append(others, all[starts[0]:from]...), all[to:]...)
			}
			if len(others) > 0 {
				led.loses(inv, others)
			}
		}
	}
}

// isLoop says whether a statement runs others again and again.
func isLoop(st *syntax.Stmt) bool {
	_, is := st.Cmd.(*syntax.WhileClause)
	return is
}

// readsAlso says whether an invocation reads the file that another one writes. Of a pattern or a list it is the same file if the words
// are the same: a variable.
func readsAlso(world *tool.World, inv *command.Invocation, e tool.Effect, writer *command.Invocation) bool {
	if e.Reach == tool.Anywhere {
		return false
	}
	if copiesFrom(inv, e) || namesFile(world, inv, e) {
		return true
	}
	hands := func(w command.Word) bool { return !w.IsKnown() && hasWord(inv, w) }
	if !isExact(e) && runsCode(inv) && !allWords(writer, e.Span, func(w command.Word) bool { return !hands(w) }) {
		return true
	}
	return slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool {
		switch {
		case o.Kind == tool.Read && isExact(e) && isBelow(inv, o, e.Target):
			return true
		case o.Kind != tool.Read || o.Reach != e.Reach:
			return false
		case o.Pattern && isExact(e):
			return isAmong(inv, o, e.Target)
		case o.Pattern != e.Pattern || o.Target != e.Target && !(isExact(e) && isSameFile(world, o.Target, e.Target)):
			return false
		case o.Tree: // which may be no file on the disk, but a path in a commit
			return isExact(e) && slices.ContainsFunc(inv.Words, func(w command.Word) bool {
				return w.IsKnown() && w.Span == o.Span && strings.HasSuffix(e.Target, paths.Clean("/", w.Text)) // it may run in another directory
			})
		}
		return isExact(e) || !allWords(writer, e.Span, func(w command.Word) bool { return !hands(w) })
	})
}

// isSameFile says whether two paths lead to one file, through the links that are on the disk.
func isSameFile(world *tool.World, a, b string) bool {
	return a == b || world.Follow(a) == world.Follow(b)
}

// runsCode says whether an invocation runs code that is not read.
func runsCode(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute })
}

// namesFile says whether an invocation is given a file besides, or is that file, and does not write it there: whatever it does with it, such
// as running its code, it does after it was emptied. Of the words for code that is not read, each may be a file, also behind an equals sign.
func namesFile(world *tool.World, inv *command.Invocation, e tool.Effect) bool {
	if !isExact(e) {
		return false
	}
	is := func(w command.Word) bool {
		return w.IsKnown() && w.Span != e.Span && w.Text != "" && isSameFile(world, paths.Clean(inv.Dir.Text, w.Text), e.Target) && !slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool {
			return o.Span == w.Span && (o.Kind == tool.Write || o.Kind == tool.Create)
		})
	}
	if slices.ContainsFunc(inv.Paths, is) || len(inv.Words) > 0 && strings.IndexByte(inv.Words[0].Text, '/') >= 0 && is(inv.Words[0]) {
		return true
	}
	return runsCode(inv) && slices.ContainsFunc(inv.Words[min(1, len(inv.Words)):], func(w command.Word) bool {
		if _, file, ok := strings.Cut(w.Text, "="); ok && strings.HasPrefix(w.Text, "-") {
			w.Text = file
		}
		return is(w)
	})
}

// isAmong says whether a file is one that an invocation reads which gets all that a pattern matches. What is read because all files below
// a directory are is not meant.
func isAmong(inv *command.Invocation, read tool.Effect, path string) bool {
	if read.Tree {
		return false
	}
	dir, last := paths.GlobDir(read.Target), read.Target
	if rest, below := strings.CutPrefix(last, dir+"/"); below {
		last = rest
	} else {
		dir = ""
	}
	list := value.Alternatives(last)
	if slices.ContainsFunc(list, func(glob string) bool { return glob == "**" || strings.HasSuffix(glob, "/**") }) {
		return false
	}
	return slices.ContainsFunc(list, func(glob string) bool {
		return paths.MatchPath(strings.TrimPrefix(dir+"/"+glob, "/"), strings.TrimPrefix(path, "/"), false)
	})
}

// isBelow says whether a file lies in a directory of which an invocation prints all that is below it. What is printed of all that is below the
// working directory goes to a file there often enough that has been written the same way before.
func isBelow(inv *command.Invocation, read tool.Effect, path string) bool {
	switch {
	case read.Target == inv.Dir.Text || !paths.Within(path, read.Target) || inv.Chooses || inv.Seeks:
		return false
	case read.Reach == tool.Under:
		return inv.Shows
	}
	return read.Tree && !read.Pattern && inv.Spills && path != read.Target
}

// leavesOut says whether one of some commands compares names with that of a file, and none is given it: the others may leave it out.
func leavesOut(world *tool.World, list []*command.Invocation, e tool.Effect) bool {
	reads := func(inv *command.Invocation) bool {
		return namesFile(world, inv, e) || slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool {
			return o.Kind == tool.Read && isExact(o) && isSameFile(world, o.Target, e.Target)
		})
	}
	return isExact(e) && !slices.ContainsFunc(list, reads) && slices.ContainsFunc(list, func(inv *command.Invocation) bool {
		return len(inv.Effects) == 0 && slices.ContainsFunc(inv.Words, func(w command.Word) bool {
			return w.IsKnown() && w.Text != "" && strings.HasSuffix(e.Target, paths.Clean("/", w.Text))
		})
	})
}

// copiesFrom says whether an invocation takes for its standard input a descriptor that a file was opened as before.
func copiesFrom(inv *command.Invocation, e tool.Effect) bool {
	from := inv.Stdin.Path
	return from != nil && from.IsKnown() && isExact(e) && paths.Clean(inv.Dir.Text, from.Text) == e.Target &&
		slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return rd.Op == "<&" })
}

// hasWord says whether a word is among those that an invocation is given.
func hasWord(inv *command.Invocation, w command.Word) bool {
	return slices.ContainsFunc(inv.Words, w.Same) || slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return rd.Op == "<" && rd.Target.Same(w) })
}

// replaces says whether a redirection puts something in the place of a file.
func replaces(op string) bool {
	switch op {
	case ">", ">|", "&>", "&>|", ">&":
		return true
	}
	return false
}
