package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// channel is where a descriptor other than standard output goes if it is on: to where
// standard output went at that point. Otherwise nobody reads it.
type channel struct {
	on   bool
	to   sink
	file string
}

// copied is a descriptor that is made a copy of standard output.
func (red *redirection) copied() channel { return channel{true, red.stdout, red.file} }

// standard redirects to one of the standard streams or to nothing by its name.
func standard(rd *syntax.Redirect, fd, path string, red *redirection) {
	number, numbered := descriptorNamed(path)
	switch {
	case fd == "2" && !numbered:
		red.err = channel{}
	case fd == "2":
		red.errTo(number)
	case fd != "" && fd != "1":
	case !numbered:
		red.stdout = discarded
	default:
		red.outTo(number)
	}
	if fd != "2" && leadsErrors(rd.Op) {
		red.err = red.copied()
	}
}

// descriptorNamed is the number of the descriptor that a file stands for, if it is one.
func descriptorNamed(path string) (number string, is bool) {
	switch path {
	case "/dev/stdout":
		return "1", true
	case "/dev/stderr":
		return "2", true
	}
	return strings.CutPrefix(path, "/dev/fd/")
}

// leadsErrors says whether a redirection to a file leads standard error there as well.
func leadsErrors(op syntax.RedirOperator) bool {
	return op != syntax.RdrOut && op != syntax.AppOut && op != syntax.RdrClob
}

// outTo sends standard output to another descriptor.
func (red *redirection) outTo(number string) {
	switch number {
	case "1":
	case "2":
		red.stdout, red.shown = discarded, !red.err.on
		if red.err.on {
			red.stdout, red.file = red.err.to, red.err.file
		}
	case "":
		red.stdout = discarded
	default:
		red.stdout = elsewhere
	}
}

// errTo sends standard error to another descriptor.
func (red *redirection) errTo(number string) {
	switch number {
	case "1":
		red.err = red.copied()
	case "2":
	case "":
		red.err = channel{}
	default:
		red.err = channel{on: true, to: elsewhere}
	}
}

// deliver sends what an invocation prints where it goes.
func (led *ledger) deliver(s *state, inv *command.Invocation, red redirection) {
	if inv.Output.Reach == tool.Exact && inv.Output.Text != "" && len(inv.Runs) == 0 {
		red.err = channel{} // what prints a known text has nothing to complain about
	}
	d := inv.Output
	if !s.findsPrograms(inv) {
		d = d.Perhaps()
	}
	led.send(s, d, red)
	if inv.Endless {
		exhaust(inv)
	}
}

// writes notes that a file is written, as long as there are not too many of them.
func (n *notes) writes(s *state, path string, change func(*file)) {
	if s.files.size() > maxFiles && s.wrote(path) == nil {
		n.gap("too many files", tool.Span{})
		return
	}
	s.files.update(path, change)
	if s.holds(path) {
		s.files.lose(path, loseData)
	}
	s.files.spoilLinked(path, s.links, s.toil)
	n.disturbs(s, path)
	s.rereads(path)
	if real := s.realName(path); real != path {
		s.files.change(real, change)
		n.disturbs(s, real)
		s.rereads(real)
	}
}

// rereads makes the rest of standard input, and of what other descriptors read, unknown if the file is written
// that it comes from.
func (s *state) rereads(path string) {
	if comesFrom(&s.stdin, path) {
		s.stdin = command.Data{Taint: s.stdin.Taint}
	}
	s.fds.loseThose(func(d *command.Data) bool { return comesFrom(d, path) })
}

// rereadAll is rereads for files that somebody else has written, whichever they are.
func (s *state) rereadAll() {
	lost := func(d *command.Data) bool { return d.Path != nil && d.Reach != tool.Anywhere }
	if lost(&s.stdin) {
		s.stdin = command.Data{Taint: s.stdin.Taint}
	}
	s.fds.loseThose(lost)
}

// comesFrom says whether something is known of a stream that may be read from a file.
func comesFrom(d *command.Data, path string) bool {
	if d.Path == nil || d.Reach == tool.Anywhere {
		return false
	}
	return strings.HasPrefix(path, "?") || strings.HasSuffix(path, "/"+d.Path.Text[strings.LastIndexByte(d.Path.Text, '/')+1:])
}

// mayWrite notes that some files are written, of which only something is known, or that a
// directory is with what is below it. What the script has written there may be gone.
func (n *notes) mayWrite(s *state, path string, change func(*file)) {
	n.writes(s, path, change)
	s.files.spoil(path, change, s.toil)
	if real := s.realName(path); real != path {
		s.files.spoil(real, change, s.toil)
	}
}

// send sends what was printed where it goes.
func (led *ledger) send(s *state, d command.Data, red redirection) {
	if red.vague && (led.world.Zsh || s.isPosix()) {
		d = command.Data{Taint: d.Taint, Endless: d.Endless}
	}
	if red.shaky && red.stdout == toParent {
		d = perhaps(d)
	}
	if red.socket && !command.Probes(d) {
		led.gap(command.Telling, tool.Span{})
	}
	d = led.alongside(s, d, red)
	if red.stdout == toFile || red.stdout == elsewhere {
		led.swells(d)
	}
	if red.mayShow() {
		led.spills(d)
	}
	switch red.stdout {
	case toParent:
		if s.into != "" {
			restores(led, tool.Effect{Kind: tool.Write, Target: s.into, Reach: tool.Exact}, d.Taint)
			led.mayWrite(s, s.into, func(f *file) { f.mayReceive(d) })
		}
		if !s.shown {
			s.out = behind(s.out, d)
		} else {
			led.swells(d)
			led.spills(d)
		}
	case elsewhere:
		restoresElsewhere(led, s, red, d.Taint)
		s.out = s.out.Then(command.Data{Taint: d.Taint})
		if red.file != "" { // a file that is not known exactly
			led.mayWrite(s, red.file, func(f *file) { f.mayReceive(d) })
		}
	case toFile:
		led.fills(s, d, red)
	}
}

// fills puts output into a file that is known. Where that may fail, the file may hold what it held.
func (led *ledger) fills(s *state, d command.Data, red redirection) {
	if !red.add {
		restores(led, tool.Effect{Kind: tool.Write, Target: red.file, Reach: tool.Exact, Span: red.at}, d.Taint)
	}
	had := s.wrote(red.file)
	kept := file{path: red.file, data: command.Data{Taint: command.FromFile}}
	if had != nil {
		kept = *had
	}
	led.unignores(red.file, d, red.add)
	fails := red.early || red.wayward || !red.forced && keepsFiles(led, s, red.file) || kept.shut || led.masked && had != nil
	led.writes(s, red.file, func(f *file) {
		f.receive(d, had != nil, red.add)
		f.gone = f.gone && red.add || led.masked || !led.hasPlace(s, red.file)
		if red.shaky || fails {
			replaced := f.replaced && !fails // what comes behind it may fail, and it is empty
			*f = joinFiles(&kept, f)
			f.replaced = f.replaced || replaced
		}
		if red.shaky {
			f.data = command.Data{Taint: f.data.Taint} // or nothing at all
		}
	})
}

// keepsFiles says whether a file may be there that the shell does not write over.
func keepsFiles(led *ledger, s *state, path string) bool {
	return (s.opts|s.doubt)&optNoclobber != 0 && (s.wrote(path) != nil || !led.absent(path))
}

// hasPlace says whether there is a directory for a file: one on the disk, or one that the script has made.
func (led *ledger) hasPlace(s *state, path string) bool {
	dir := paths.Parent(path)
	if made := s.wrote(dir); made != nil {
		return !made.gone
	}
	return paths.Within(led.start, dir) || led.world.Exists == nil || led.world.Exists(dir)
}

// printsInto makes the file that exec leads standard output to the one that all goes into that is
// printed from now on. Where exec leads it elsewhere again, that is not followed.
func (s *state) printsInto(red redirection) {
	if red.file == "" {
		return
	}
	s.into = oneFile(s.into, red.file)
	s.files.update(red.file, func(f *file) { f.mayReceive(command.Data{}) })
}

// oneFile names a file that is one of two, of which one may be none.
func oneFile(a, b string) string {
	if a != "" && b != "" && a != b {
		return "?"
	}
	return max(a, b)
}

// mayShow says whether standard output goes to where somebody may see it, beside the output of
// the script.
func (red *redirection) mayShow() bool {
	return red.shown || red.stdout == elsewhere && red.file == ""
}

// alongside sends what is printed through other descriptors where that goes, and returns what
// is printed on standard output together with it: what goes there too may be anything.
func (led *ledger) alongside(s *state, d command.Data, red redirection) command.Data {
	for _, c := range [2]channel{red.err, red.other} {
		switch {
		case !c.on:
		case c.to == red.stdout && c.file == red.file:
			d = command.Data{Taint: d.Taint, Endless: d.Endless}
		default:
			led.send(s, command.Data{Taint: d.Taint}, redirection{stdout: c.to, file: c.file, add: true})
		}
	}
	return d
}

// mayReceive notes that output may go into a file.
func (f *file) mayReceive(d command.Data) {
	f.data = command.Data{Taint: f.intoFile(d.Taint) | command.FromScript | namesAsText(d)}
	f.authored, f.edited = f.authored || authored(d), true
}

// namesAsText is what becomes of names of files that are the content of one: text that nobody has seen.
func namesAsText(d command.Data) command.Taint {
	if d.Reach == tool.Under {
		return command.Unseen
	}
	return 0
}

// receive puts output into a file, which the script may have written to before.
func (f *file) receive(d command.Data, had, add bool) {
	f.authored = had && f.authored && add || authored(d)
	names := namesAsText(d)
	if add {
		old := command.Data{Taint: command.FromFile}
		if had {
			old = f.data
		}
		d = behind(old, d)
	}
	f.edited, f.replaced = true, !add || f.replaced
	f.printed = !add && d.Reach != tool.Exact && d.Text == ""
	d.Taint |= command.FromScript | names
	d.Path = nil
	f.data = d
}
