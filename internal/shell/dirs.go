package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"
)

// cd changes the directory, or fails to.
func (r *reader) cd(s *state, args []command.Word, inv *command.Invocation) []*state {
	for len(args) > 0 && args[0].IsKnown() && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		flag := args[0].Text
		args = args[1:]
		if flag == "--" {
			break
		}
		if strings.Trim(flag, "-LPe@") != "" {
			r.gapIn(inv, "cd with the unknown flag "+flag)
		}
	}
	var to command.Word
	switch {
	case len(args) == 0:
		to, _ = r.scalar(s, "HOME")
	case len(args) > 1:
		// Too many arguments: bash fails, zsh substitutes.
		if r.world.Zsh || !args[0].IsKnown() || !args[1].IsKnown() {
			return r.moved(s, command.Word{})
		}
		return one(s.end(false))
	case args[0].IsKnown() && args[0].Text == "-":
		old, set := r.scalar(s, "OLDPWD")
		if set == failed {
			return one(s.end(false))
		}
		to = old
		if to.Reach == tool.Anywhere {
			s.out = s.out.Then(command.Data{})
		} else {
			s.out = s.out.Then(command.Data{Text: to.Text + "\n", Reach: to.Reach})
		}
	default:
		to = args[0]
	}
	dir := value.Enter(s.dir, to)
	if v := s.lookup("CDPATH"); v != nil && !v.unset && to.Text != "" && !strings.HasPrefix(to.Text, "/") && !strings.HasPrefix(to.Text, ".") {
		dir = command.Word{}
		if v.words[0].IsKnown() && to.IsKnown() && strings.IndexByte(v.words[0].Text, ':') < 0 {
			elsewhere := value.Enter(value.Enter(s.dir, v.words[0]), to)
			return append(r.moved(s.fork(), elsewhere), r.moved(s, value.Enter(s.dir, to))...)
		}
	}
	return r.moved(s, dir)
}

// moved returns the states after an attempt to change to dir. Through a link there are
// two: the shell goes on to see the directory by the name of the link, and leaves it by
// that with "..", while programs are where it leads.
func (r *reader) moved(s *state, dir command.Word) []*state {
	real := dir
	if dir.Reach == tool.Exact && !r.remote {
		real.Text = command.Follow(dir.Text, r.world)
	}
	for _, l := range s.links {
		if dir.Reach == tool.Exact && value.Within(dir.Text, l.From) {
			real.Text = value.Clean("/", l.To+dir.Text[len(l.From):])
			break
		}
	}
	if real.Text != dir.Text {
		return append(r.movedTo(s.fork(), dir), r.movedTo(s, real)...)
	}
	return r.movedTo(s, dir)
}

func (r *reader) movedTo(s *state, dir command.Word) []*state {
	if dir.Same(s.dir) {
		s.set("OLDPWD", s.dir)
		return one(s.ended())
	}
	stay := s.fork()
	s.set("OLDPWD", s.dir)
	s.dir = dir
	if s.lookup("PWD") != nil {
		s.set("PWD", dir)
	}
	return []*state{s.end(true), stay.end(false)}
}

// dirStack is pushd, popd and dirs.
func (r *reader) dirStack(s *state, name string, args []command.Word, inv *command.Invocation) []*state {
	if name == "dirs" {
		for _, w := range args {
			if w.IsKnown() && w.Text == "-c" {
				s.stack = nil
			}
		}
		s.out = command.Data{}
		return one(s.end(true))
	}
	quiet := false
	for len(args) > 0 && args[0].IsKnown() && (args[0].Text == "-n" || args[0].Text == "--") {
		quiet = quiet || args[0].Text == "-n"
		args = args[1:]
	}
	s.out = command.Data{}
	lost := command.Word{}
	if len(args) > 0 && (!args[0].IsKnown() && name == "popd" || args[0].IsKnown() && len(args[0].Text) > 1 && strings.IndexByte("+-", args[0].Text[0]) >= 0 && isNumber(args[0].Text[1:])) || quiet {
		s.own()
		s.stack = nil
		return r.moved(s, lost)
	}
	s.own()
	if name == "popd" {
		if len(s.stack) == 0 {
			stay := s.fork()
			stay.end(false)
			s.dir = lost
			return []*state{s.ended(), stay}
		}
		dir := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		return r.moved(s, dir)
	}
	old := s.dir
	var dir command.Word
	switch {
	case len(args) > 0:
		dir = value.Enter(s.dir, args[0])
		if args[0].IsKnown() && args[0].Text == "-" {
			dir, _ = r.scalar(s, "OLDPWD")
		}
	case len(s.stack) > 0:
		dir = s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
	default:
		return r.moved(s, lost)
	}
	stay := s.fork()
	s.own()
	s.set("OLDPWD", old)
	s.stack = append(s.stack[:len(s.stack):len(s.stack)], old)
	s.dir = dir
	return []*state{s.end(true), stay.end(false)}
}
