package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// cd changes the directory, or fails to.
func (led *ledger) cd(s *state, args []command.Word, inv *command.Invocation) []*state {
	args, physical := cdOptions(args, inv)
	switch {
	case len(args) == 0:
		home, _ := led.scalar(s, "HOME")
		return led.goTo(s, home)
	case len(args) > 1:
		// Too many arguments: bash fails, zsh substitutes, sh looks at the first.
		s.out = command.Data{}
		if led.world.Zsh || !args[0].IsKnown() || !args[1].IsKnown() {
			return led.moved(s, command.Word{})
		}
		return append(led.moved(s.fork(), command.Word{}), s.ended())
	case args[0].IsKnown() && args[0].Text == "-":
		return led.goBack(s)
	case args[0].IsKnown() && led.leadsElsewhere(s, args[0].Text):
		return led.moved(s, command.Word{})
	case physical && args[0].IsKnown() && strings.Contains(args[0].Text, ".."):
		return append(led.climb(s.fork(), args[0].Text), led.goToWord(s, args[0], inv.Loose > 0)...)
	}
	return led.goToWord(s, args[0], inv.Loose > 0)
}

// climb changes to the directory that the kernel finds at a path: ".." leads out of where a link points, and not
// out of the directory that the link lies in.
func (here *site) climb(s *state, path string) []*state {
	if !strings.HasPrefix(path, "/") {
		path = s.dir.Text + "/" + path
	}
	if s.dir.Reach != tool.Exact || len(s.links) > 0 || here.remote {
		return here.movedTo(s, command.Word{})
	}
	return here.movedTo(s, command.Word{Text: command.Follow(path, here.world), Reach: tool.Exact})
}

// leadsElsewhere says whether a word of cd may not be a path from here: nothing is looked for in CDPATH, and
// +1 is a directory of the stack to zsh.
func (here *site) leadsElsewhere(s *state, word string) bool {
	return word == "" && s.lookup("CDPATH") != nil || here.world.Zsh && len(word) > 1 && (word[0] == '+' || word[0] == '-') && isNumber(word[1:])
}

// cdOptions reads the options of cd, and returns the other words. It says whether links are replaced by where they
// lead.
func cdOptions(args []command.Word, inv *command.Invocation) (rest []command.Word, physical bool) {
	for len(args) > 0 && isFlag(args[0]) {
		flag := args[0].Text
		args = args[1:]
		if flag == "--" {
			break
		}
		if strings.Trim(flag, "-LPe@") != "" {
			gapIn(inv, "cd with the unknown flag "+flag)
		}
		physical = physical || strings.Contains(flag, "P")
	}
	return args, physical
}

// wasIn is the name of what zsh remembers of where it was before, which no variable has.
const wasIn = "~-"

// previous is the directory that cd - leads to: the value of OLDPWD or, to zsh, where the shell really was.
func (here *site) previous(s *state) (command.Word, status) {
	to, set := here.scalar(s, "OLDPWD")
	if !here.world.Zsh || s.lookup("OLDPWD") == nil {
		return to, set
	}
	if v := s.lookup(wasIn); set != failed && v != nil && len(v.words) == 1 && v.words[0].Same(to) {
		return to, set
	}
	return value.Lost(to), unknown
}

// goBack is cd -, which says where it goes.
func (led *ledger) goBack(s *state) []*state {
	to, set := led.previous(s)
	if set == failed {
		if s.isPosix() { // some say where they are
			s.out = command.Data{Taint: s.out.Taint}
		}
		return one(s.ended())
	}
	if to.Reach == tool.Anywhere {
		s.out = s.out.Then(command.Data{})
	} else {
		s.out = s.out.Then(command.Data{Text: to.Text + "\n", Reach: to.Reach})
	}
	return led.goTo(s, to)
}

// goToWord changes to the directory that a word names, which may be empty or, if it is loose,
// no word at all.
func (led *ledger) goToWord(s *state, to command.Word, loose bool) []*state {
	if less, ok := command.Emptied(to, led.world); ok {
		to.Hollow = false // that is done
		return append(led.goTo(s.fork(), less), led.goTo(s, to)...)
	}
	if vanishes(s, &to) && to.Reach != tool.Anywhere {
		out := led.goTo(s.fork(), command.Word{Reach: tool.Exact}) // an empty word leads nowhere else
		if loose {                                                 // no word at all leads home
			home, _ := led.scalar(s, "HOME")
			out = append(out, led.goTo(s.fork(), home)...)
		}
		return append(out, led.goTo(s, to)...)
	}
	return led.goTo(s, to)
}

// goTo changes to a directory, which may be one of CDPATH.
func (led *ledger) goTo(s *state, to command.Word) []*state {
	paths, searched := led.cdPath(s)
	if !searched || leadsDirectly(to) {
		return led.goFrom(s, to)
	}
	list := strings.Split(paths.Text, ":")
	if !paths.IsKnown() || !to.IsKnown() || len(list) > 4 {
		return led.moved(s, command.Word{})
	}
	s.out = s.out.Then(command.Data{}) // it says where it went
	var out []*state
	for _, p := range list {
		there := to
		if p != "" && to.Text != "" {
			there.Text = strings.TrimSuffix(p, "/") + "/" + to.Text
		}
		out = append(out, led.goFrom(s.fork(), there)...)
	}
	return append(out, led.goFrom(s, to)...)
}

// goFrom changes to the directory that a word names where the script is, which may be a link.
func (led *ledger) goFrom(s *state, to command.Word) (out []*state) {
	if strings.HasPrefix(to.Text, "//") && !strings.HasPrefix(to.Text, "///") { // some call it so, too
		return led.moved(s, command.Word{})
	}
	if to.IsKnown() && strings.Contains(strings.TrimLeft(to.Text, "./"), "/..") { // where no directory is called so, the shell asks the kernel
		out = led.climb(s.fork(), to.Text)
	}
	near := value.Enter(s.dir, to)
	if len(near.Text) > maxPath || strings.Count(near.Text, "/") > maxDeep {
		near = command.Word{}
	}
	dirs, all := led.landings(s, to)
	for _, there := range dirs {
		out = append(out, led.movedTo(s.fork(), there)...)
	}
	if all {
		return out
	}
	return append(out, led.moved(s, near)...)
}

// cdPath is the value of CDPATH, and whether it may hold something.
func (here *site) cdPath(s *state) (list command.Word, some bool) {
	if s.lookup("CDPATH") != nil {
		list, set := here.scalar(s, "CDPATH")
		return list, set != failed && !(list.IsKnown() && list.Text == "")
	}
	if here.world.Getenv == nil {
		return command.Word{}, false
	}
	text, ok := here.world.Getenv("CDPATH")
	return command.Known(text, tool.Span{}), ok && text != ""
}

// leadsDirectly says whether a word names a directory that is not looked for in CDPATH.
func leadsDirectly(to command.Word) bool {
	if to.Reach < tool.Prefix {
		return false
	}
	first, _, _ := strings.Cut(to.Text, "/")
	return strings.HasPrefix(to.Text, "/") || to.IsKnown() && (first == "." || first == "..")
}

// maxPath and maxDeep are more than any path has that a script goes to.
const (
	maxPath = 1024
	maxDeep = 32
)

// moved returns the states after an attempt to change to dir. Through a link there are
// two: the shell goes on to see the directory by the name of the link, and leaves it by
// that with "..", while programs are where it leads.
func (here *site) moved(s *state, dir command.Word) []*state {
	real := dir
	if dir.Reach == tool.Exact && !here.remote {
		real.Text = command.Follow(dir.Text, here.world)
	}
	for _, l := range s.links {
		if to, leads := here.leadsTo(s, l, dir); leads {
			real = to
			break
		}
	}
	if real.Text != dir.Text {
		return append(here.movedTo(s.fork(), dir), here.movedTo(s, real)...)
	}
	return here.movedTo(s, dir)
}

// leadsTo is where a directory is by a link that the script has made, if it is behind it.
func (here *site) leadsTo(s *state, l command.Link, dir command.Word) (to command.Word, leads bool) {
	there := tool.Effect{Target: dir.Text, Reach: dir.Reach}
	switch {
	case l.Pattern && !l.Moved:
		e := (&command.Invocation{Dir: s.dir}).PathEffect(tool.Read, dir, here.world)
		there, leads = throughUnseen(l, e, false)
	case dir.Reach == tool.Exact && paths.Within(dir.Text, l.From):
		there.Target, leads = paths.Clean("/", l.To+dir.Text[len(l.From):]), true
	}
	switch {
	case !leads || l.To == command.Somewhere || there.Pattern:
		return command.Word{}, leads
	case l.Vague:
		there.Target, there.Reach = l.To, tool.Under
	}
	return command.Word{Text: there.Target, Reach: there.Reach, Span: dir.Span, Taint: dir.Taint}, true
}

func (here *site) movedTo(s *state, dir command.Word) []*state {
	stay := s.fork()
	here.arrive(s, dir)
	if dir.Same(stay.dir) && s.same(stay) {
		return one(s.ended())
	}
	if v := s.lookup("PWD"); v != nil && (v.attrs != 0 || v.vague) || !s.out.Same(stay.out) {
		return []*state{s.ended(), stay.decide(false)} // it may fail and change the directory all the same
	}
	return []*state{s.decide(true), stay.decide(false)}
}

// arrive makes a directory the current one.
func (here *site) arrive(s *state, dir command.Word) {
	old, _ := here.scalar(s, "PWD")
	if (here.world.Zsh || s.isPosix()) && !old.Same(s.dir) { // who has another value than the shell: one remembers that, others where they were
		old = value.Lost(old)
	}
	if here.world.Zsh {
		v := s.variable(wasIn)
		v.words, v.unset = []command.Word{s.dir}, false
	}
	s.dir = dir
	s.moveTo("OLDPWD", old)
	if s.lookup("PWD") != nil {
		s.moveTo("PWD", dir)
	}
}

// moveTo gives a variable the value that cd gives it, if that is possible.
func (s *state) moveTo(name string, w command.Word) {
	if v := s.lookup(name); v != nil && (v.attrs&^exported != 0 || v.vague) {
		s.variable(name).forget()
		return
	}
	s.set(name, w)
}

// pathEffect is the effect on the path that a word names, for an invocation that may run in a directory of which is
// only known below which one it lies.
func (here *site) pathEffect(inv *command.Invocation, kind tool.Kind, w command.Word) tool.Effect {
	e := inv.PathEffect(kind, w, here.world)
	if inv.Dir.Reach == tool.Under && !strings.HasPrefix(w.Text, "/") {
		e = anywhereBelow(inv.Dir.Text, e, w.Reach == tool.Under, isBehind(w))
	}
	return e
}

// fromBelow makes the effects of an invocation that runs in such a directory what they may be on.
func fromBelow(inv *command.Invocation) {
	if inv.Dir.Reach != tool.Under {
		return
	}
	for i := range inv.Effects {
		e := &inv.Effects[i]
		if relative := allWords(inv, e.Span, func(w command.Word) bool { return !strings.HasPrefix(w.Text, "/") }); relative {
			listed := !allWords(inv, e.Span, func(w command.Word) bool { return w.Reach != tool.Under })
			*e = anywhereBelow(inv.Dir.Text, *e, listed, !allWords(inv, e.Span, func(w command.Word) bool { return !isBehind(w) }))
		}
	}
}

// isBehind says whether a word names what lies behind its last name, if that is a link.
func isBehind(w command.Word) bool { return w.Glob || strings.HasSuffix(w.Text, "/") }

// anywhereBelow is an effect on a path that is seen from somewhere below a directory: on that path anywhere below it, or on
// anything there if the path is not known either. With behind it is not on a link at that path, but on what is behind it.
func anywhereBelow(dir string, e tool.Effect, listed, behind bool) tool.Effect {
	rest, below := strings.CutPrefix(e.Target, strings.TrimSuffix(dir, "/")+"/")
	switch {
	case !e.Kind.IsPath() || e.Reach != tool.Under || !below || rest == "":
	case listed:
		e.Target = dir
	default:
		e.Target, e.Pattern, e.Reach = paths.Escape(strings.TrimSuffix(dir, "/"))+"/**/"+paths.Escape(rest), true, tool.Exact
		if behind && e.Kind == tool.Delete {
			e.Target += "/**"
		}
	}
	return e
}

// dirStack is pushd, popd and dirs.
func (led *ledger) dirStack(s *state, name string, args []command.Word, inv *command.Invocation) []*state {
	s.out = command.Data{}
	if name == "dirs" {
		if slices.ContainsFunc(args, func(w command.Word) bool { return w.IsKnown() && w.Text == "-c" }) {
			s.stack = nil
		}
		return one(s.ended())
	}
	args, quiet := stackOptions(args)
	switch {
	case quiet || len(args) > 0 && (isPlace(args[0]) || name == "popd" && !args[0].IsKnown()):
		lost := command.Word{}
		s.stack = []command.Word{lost}
		return led.moved(s, lost)
	case name == "popd":
		return led.moved(s, s.pop())
	}
	return led.pushd(s, args, inv.Loose > 0)
}

// stackOptions reads the options of pushd and popd, and returns the other words. With -n only
// the stack changes.
func stackOptions(args []command.Word) (rest []command.Word, quiet bool) {
	for len(args) > 0 && args[0].IsKnown() && (args[0].Text == "-n" || args[0].Text == "--") {
		quiet = quiet || args[0].Text == "-n"
		args = args[1:]
	}
	return args, quiet
}

// isPlace says whether a word of pushd or popd is a place in the stack, or an option that a shell may have.
func isPlace(w command.Word) bool { return w.IsKnown() && isSwitch(w.Text) }

// pop takes the last directory from the stack; it is not known if there is none.
func (s *state) pop() command.Word {
	n := len(s.stack) - 1
	if n < 0 {
		return command.Word{}
	}
	dir := s.stack[n]
	s.stack = s.stack[:n:n]
	return dir
}

// pushd changes the directory and puts the one before on the stack. If its words are loose, they may be none.
func (led *ledger) pushd(s *state, args []command.Word, loose bool) []*state {
	if len(args) == 0 && len(s.stack) == 0 {
		return led.moved(s, command.Word{})
	}
	old := s.dir
	stay := s.fork()
	var out []*state
	switch {
	case len(args) == 0:
		out = led.moved(s, s.pop())
	case args[0].IsKnown() && args[0].Text == "-":
		to, _ := led.previous(s)
		out = led.moved(s, value.Enter(s.dir, to))
	default:
		if loose && vanishes(s, &args[0]) { // another directory of the stack or, to zsh, the home directory
			out = led.moved(s.fork(), command.Word{})
		}
		out = append(out, led.goToWord(s, args[0], false)...)
	}
	for _, e := range out {
		e.stack = append(e.stack[:len(e.stack):len(e.stack)], old)
		if len(e.stack) > maxStack {
			e.stack = []command.Word{{}}
		}
	}
	return append(out, stay.decide(false))
}
