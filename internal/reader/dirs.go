package reader

import (
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// Where the shell is after cd and its kin: one of a few directories, or somewhere below one.

// cd changes the directory, or fails to.
func (r *reader) cd(args []command.Word, inv *command.Invocation) {
	physical := false
	for len(args) > 0 && args[0].IsKnown() && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		flag := args[0].Text
		if args = args[1:]; flag == "--" {
			break
		}
		if strings.Trim(flag, "-LPe@") != "" {
			gapIn(inv, "cd with the unknown flag "+flag)
		}
		physical = physical || strings.Contains(flag, "P")
	}
	dir := inv.Dir
	var to []command.Word
	switch {
	case len(args) == 0:
		home, _ := r.scalar("HOME")
		to = r.enters(dir, home)
	case len(args) > 1:
		to, r.s.out = []command.Word{{}}, command.Data{}
	case args[0].IsKnown() && args[0].Text == "-":
		if to = r.s.old; len(to) == 0 || r.zsh && r.s.touched("OLDPWD") {
			to = []command.Word{{}}
		}
		r.s.out = command.Data{}
	case args[0].IsKnown() && r.leadsElsewhere(args[0].Text):
		to, r.s.out = []command.Word{{}}, command.Data{}
	default:
		to = r.enters(dir, args[0])
		if inv.Loose > 0 && args[0].Hollow { // no word at all leads home
			home, _ := r.scalar("HOME")
			to = append(to, home)
		}
		if physical && strings.Contains(args[0].Text, "..") && dir.Reach == tool.Exact && !r.remote {
			path := args[0].Text
			if !strings.HasPrefix(path, "/") {
				path = dir.Text + "/" + path
			}
			to = append(to, command.Word{Text: command.Follow(path, r.world), Reach: tool.Exact})
		}
	}
	r.arrive(dir, to)
}

// leadsElsewhere says whether a word of cd may not be a path from here: something in CDPATH, or a place in the stack.
func (r *reader) leadsElsewhere(word string) bool {
	if r.zsh && len(word) > 1 && (word[0] == '+' || word[0] == '-') && isNumber(word[1:]) {
		return true
	}
	first, _, _ := strings.Cut(word, "/")
	if strings.HasPrefix(word, "/") || first == "." || first == ".." {
		return strings.HasPrefix(word, "//")
	}
	if r.s.touched("CDPATH") {
		return true
	}
	if r.world.Getenv == nil {
		return false
	}
	text, ok := r.world.Getenv("CDPATH")
	return ok && text != ""
}

// enters are the directories that cd reaches with a word, links that it leads through included: the shell goes on to see the directory by the
// name of the link, and leaves it by that with "..", while programs are where it leads.
func (r *reader) enters(dir, to command.Word) (list []command.Word) {
	if less, ok := command.Emptied(to, r.world); ok {
		to.Hollow = false
		list = append(list, value.Enter(dir, less))
	} else if to.Hollow && to.Reach != tool.Anywhere {
		list = append(list, dir)
	}
	near := value.Enter(dir, to)
	near.Span = tool.Span{}
	if len(near.Text) > 1024 || strings.Count(near.Text, "/") > 64 {
		near = command.Word{}
	}
	if to.IsKnown() && strings.Contains(to.Text, "/..") && near.Reach == tool.Exact && !r.remote && r.absent(near.Text) { // the shell asks the kernel
		at := to.Text
		if at[0] != '/' {
			at = dir.Text + "/" + at
		}
		list = append(list, command.Word{Text: command.Follow(at, r.world), Reach: tool.Exact})
	}
	list = append(append(list, near), r.matchedDirs(dir, to)...)
	for _, d := range list[:len(list):len(list)] {
		if d.Reach == tool.Exact && !r.remote {
			if real := r.follow(d.Text); real != d.Text {
				list = append(list, command.Word{Text: real, Reach: tool.Exact})
			}
		}
		for _, l := range r.links {
			switch {
			case d.Reach == tool.Exact && paths.Within(d.Text, l.From):
				list = append(list, l.behind(d.Text))
			case d.Reach == tool.Under && paths.Within(l.From, d.Text):
				list = append(list, l.behind(l.From))
			}
		}
	}
	return list
}

// isHidden says whether a path or pattern has a hidden name in it.
func isHidden(path string) bool { return strings.HasPrefix(path, ".") || strings.Contains(path, "/.") }

// mayBeDir says whether a pattern of cd may match a name.
func mayBeDir(pattern, name string, to command.Word) bool {
	is, sure := paths.Match(pattern, name)
	return (is || !sure) && !(to.Glob && to.Taint == 0 && name[0] == '.' && pattern[0] != '.')
}

// matchedDirs are the directories on the disk that a pattern of cd may lead to beside those that it names: through links, and hidden ones.
func (r *reader) matchedDirs(dir, to command.Word) (list []command.Word) {
	if r.remote || to.IsKnown() {
		return nil
	}
	if r.world.Entries == nil && to.Glob && isHidden(to.Text) { // it may be that of a repository, or of an agent
		return []command.Word{{}}
	} else if r.world.Entries == nil {
		return nil
	}
	if to.Reach == tool.Under {
		list = repositoriesIn(paths.Clean(dir.Text, to.Text), r.world)
	}
	e := r.pathEffect(&command.Invocation{Dir: dir}, tool.Read, to)
	w := wildPath{dir: e.Target, name: "*"}
	if e.Pattern && e.Reach == tool.Exact {
		w = firstWild(e.Target)
	} else if e.Reach != tool.Under {
		return nil
	}
	entries, whole := r.entries(w.dir)
	if !whole {
		if paths.Within(w.dir, value.Scratch) { // which is made just now
			return nil
		}
		return []command.Word{{}}
	}
	for _, entry := range entries {
		if !mayBeDir(w.name, entry.Name, to) {
			continue
		}
		path := strings.TrimSuffix(w.dir, "/") + "/" + entry.Name
		if real := r.follow(path); entry.Link && !paths.Within(real, w.dir) || e.Pattern && entry.Dir && entry.Name[0] == '.' {
			if list = append(list, command.Word{Text: real, Reach: tool.Exact}); w.rest != "" {
				list[len(list)-1] = command.Word{}
			}
		}
	}
	if len(list) > maxAlternatives {
		return []command.Word{{}}
	}
	return list
}

// repositoriesIn are the hidden directories of git in one that are there.
func repositoriesIn(dir string, w *tool.World) (list []command.Word) {
	for _, name := range [...]string{"/.git", "/.git/hooks"} {
		if w.Exists != nil && w.Exists(dir+name) {
			list = append(list, command.Word{Text: dir + name, Reach: tool.Exact})
		}
	}
	return list
}

// arrive makes some directories the one that the shell is in; if that fails it stays where it is.
func (r *reader) arrive(from command.Word, to []command.Word) {
	s := r.s
	stay := s.place
	stay.dirs = []command.Word{from}
	now := place{old: []command.Word{from}}
	s.place = now.join(place{dirs: to, old: now.old})
	s.missed = &stay
	if v, had := s.vars.get("OLDPWD"); had {
		r.setVariable("OLDPWD", v.forgotten())
	}
	if v, had := s.vars.get("PWD"); had {
		r.setVariable("PWD", v.join(variable{alts: s.dirs}))
	}
}

// dirStack is pushd, popd and dirs. Where popd leads is not followed.
func (r *reader) dirStack(name string, args []command.Word, inv *command.Invocation) {
	switch {
	case name == "pushd" && len(args) == 1 && args[0].IsKnown() && args[0].Text != "" && strings.IndexByte("+-", args[0].Text[0]) < 0:
		r.cd(args, inv)
	case name != "dirs":
		r.arrive(inv.Dir, []command.Word{{}})
	}
	r.s.out = command.Data{}
}
