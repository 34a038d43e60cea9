package shell

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// builds says whether what an invocation writes is made of the project's files alone: by
// a tool that runs the project's code, or by a compiler, which reads nothing but sources.
func (here *site) builds(inv *command.Invocation, own bool) bool {
	sources := 0
	for _, e := range inv.Effects {
		switch e.Kind { // others: what is made, and what else it does
		case tool.Read:
			if !here.isMaterial(e, own) {
				return false
			}
			sources++
		case tool.Execute:
			if !strings.HasPrefix(e.Target, "project:") {
				return false
			}
		}
	}
	return len(inv.Gaps) == 0 && here.world.Project != "" && (own || sources > 0 && slices.ContainsFunc(inv.Runs, isKnownFile))
}

// isMaterial says whether what is read is a file of the project that a tool of its own, or else
// a compiler, makes something of.
func (here *site) isMaterial(e tool.Effect, own bool) bool {
	return e.Reach != tool.Anywhere && paths.Within(e.Target, here.world.Project) && (own || compiled(e.Target))
}

// isKnownFile says whether what a command runs is a file that its model accounts for.
func isKnownFile(n command.Nested) bool { return n.Known && n.File != nil }

// freshClone says whether a directory is the top of a clone that this very script has
// made, where nothing was before, and has left as git made it: what git finds there
// before all else are settings of git's own.
func (s *state) freshClone(dir string) bool {
	if dir == command.Temporary {
		return s.freshScratch()
	}
	f := s.wrote(dir)
	if f == nil || !f.cloned || len(s.links) > 0 {
		return false
	}
	touched := false
	s.files.each(func(_ string, f *file) bool {
		touched = f.bearsOnClone(dir)
		return !touched
	})
	return !touched
}

// freshScratch says whether nothing that the script has put into a directory that was made just now may be settings of a repository.
func (s *state) freshScratch() bool {
	if s.world == nil || s.world.Exists == nil || s.world.Exists(command.Temporary) || len(s.links) > 0 {
		return false
	}
	fresh := true
	s.files.each(func(_ string, f *file) bool {
		at, _ := strings.CutPrefix(f.path, "?")
		fresh = !paths.Within(at, command.Temporary) && !paths.Within(command.Temporary, at) ||
			f.bringsNothing() && !strings.Contains(at, "/.git/") && path.Base(at) != "config" && path.Base(at) != ".git"
		return fresh
	})
	return fresh
}

// bringsNothing says whether a file, or what lies below it, is nothing that was copied, unpacked or fetched.
func (f *file) bringsNothing() bool {
	return !f.foreign && !f.overlaid && f.from == "" && f.data.Taint&command.FromNet == 0
}

// bearsOnClone says whether a file that the script has written may be one of the settings of a
// clone, or of what lies above it.
func (f *file) bearsOnClone(dir string) bool {
	path, vague := strings.CutPrefix(f.path, "?")
	switch {
	case paths.Within(path, dir+"/.git"):
		return true
	case paths.Within(dir, path) && path != dir: // above it
		return vague || f.foreign || f.authored || f.data.Taint&command.FromNet != 0
	}
	return vague && paths.Within(path, dir)
}

// asCloned takes away what the settings of a repository may make a command run, where
// it works in a clone that this script has just made.
func (s *state) asCloned(inv *command.Invocation) {
	if s.files.size() == 0 {
		return
	}
	inv.Effects = slices.DeleteFunc(inv.Effects, func(e tool.Effect) bool {
		config, ok := strings.CutPrefix(e.Target, "config:")
		dir, settings := strings.CutSuffix(config, "/.git/config")
		return ok && settings && e.Kind == tool.Execute && s.freshClone(dir)
	})
}

// copyOf is the file that what an invocation writes may be a copy of.
func copyOf(inv *command.Invocation) (from string) {
	for _, e := range inv.Effects {
		switch {
		case e.Kind == tool.Execute:
			return ""
		case e.Kind != tool.Read || compiled(e.Target):
		case from != "" || !isOneFile(e):
			from = "?"
		default:
			from = e.Target
		}
	}
	if !inv.Stdin.None && writesInput(inv) {
		from = "?" // whatever is piped in
	}
	return from
}

// compiled says whether a file is what compilers and linkers make programs of.
func compiled(path string) bool {
	switch path[max(strings.LastIndexByte(path, '.'), 0):] {
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".m", ".mm", ".go", ".rs", ".swift", ".zig", ".nim", ".d", ".hs", ".ml", ".mli", ".f90", ".s", ".S", ".asm", ".o", ".obj", ".a", ".so", ".lib",
		".java", ".kt", ".scala", ".cs", ".fs", ".v", ".cr", ".adb", ".pas", ".toml", ".mod", ".sum", ".cabal", ".gradle", ".csproj", ".ts", ".tsx", ".js", ".jsx", ".mjs":
		return true
	}
	return false
}

// isProgram says whether a file is one that the kernel runs, by how it begins: shells read any other as a script, and drop what is
// no text in it.
func (here *site) isProgram(path string) bool {
	if here.world.ReadAt == nil {
		return false
	}
	room := make([]byte, 4)
	n, err := here.world.ReadAt(path, 0, room)
	return err == nil && beginsProgram(string(room[:n]))
}

// beginsProgram says whether a text is the beginning of such a file.
func beginsProgram(text string) bool {
	return slices.ContainsFunc([]string{"\x7fELF", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe", "MZ"}, func(s string) bool { return strings.HasPrefix(text, s) })
}

// authored says whether a stream is what the script itself says, or comes from
// elsewhere, and not what a program found in the project.
func authored(d command.Data) bool {
	switch {
	case d.None || d.Plain:
		return false
	case d.Reach == tool.Exact:
		return strings.TrimSpace(d.Text) != ""
	case d.Reach == tool.Prefix && strings.TrimSpace(d.Text) != "":
		return true
	}
	return d.Reach != tool.Under && (d.Taint&(command.FromFile|command.FromNet) == 0 || d.Taint&command.FromOutside != 0)
}

// writesInput says whether what an invocation writes can only be what it gets on its
// standard input, as of tee, dd and patch, or makes up by itself.
func writesInput(inv *command.Invocation) bool {
	for _, e := range inv.Effects {
		if e.Kind == tool.Execute || e.Kind == tool.Read {
			return false
		}
	}
	return true
}

// intoRepository says whether what an invocation brings goes into the repository
// of the project and so into its files.
func (here *site) intoRepository(inv *command.Invocation) bool {
	for _, e := range inv.Effects {
		if e.Kind == tool.Control && (e.Target == "git.merge" || e.Target == "git.update" || e.Target == "git.foreign") {
			return here.world.Project != "" && inv.Dir.Reach == tool.Exact && paths.Within(inv.Dir.Text, here.world.Project)
		}
	}
	return false
}

// replaces says whether an invocation puts other versions of the project's files
// in place of those on the disk.
func (here *site) replaces(inv *command.Invocation) bool {
	for _, e := range inv.Effects {
		if e.Kind != tool.Control {
			continue
		}
		switch e.Target {
		case "git.branch", "git.merge", "git.foreign", "git.stash", "git.discard", "git.rewrite":
			return here.world.Project != ""
		}
	}
	return false
}

// bringsIn says whether an invocation takes what it writes from outside the
// project: cp, tar and git clone do. What the project's own tools make of what
// they read, and what its own remote holds, is the project's.
func (here *site) bringsIn(inv *command.Invocation) bool {
	outside := false
	for _, e := range inv.Effects {
		// others: they bring nothing in.
		switch e.Kind {
		case tool.Execute:
			if strings.HasPrefix(e.Target, "project:") {
				return false
			}
		case tool.Fetch:
			outside = outside || inv.Brings(e) && e.Target != "@remote"
		case tool.Read, tool.Delete:
			outside = outside || here.isElsewhere(e)
		}
	}
	return outside
}

// isElsewhere says whether an effect is on something outside of the project, as far as it is
// known on what.
func (here *site) isElsewhere(e tool.Effect) bool {
	return e.Reach != tool.Anywhere && e.Target != "" && !paths.Within(e.Target, here.world.Project)
}

// unpacks says whether an invocation makes a tree of files out of one file. What is
// in an archive nobody has looked at, wherever the archive lies.
func unpacks(inv *command.Invocation) bool {
	archive, tree := soleRead(inv), false
	if archive == "" {
		return false
	}
	for _, e := range inv.Effects {
		if e.Kind == tool.Write || e.Kind == tool.Create {
			if e.Target == archive || e.Manner == tool.Moved {
				return false // it is moved
			}
			tree = tree || e.Tree
		}
	}
	return tree
}

// soleRead is the one file that an invocation reads; "" if it is another one that does more. The
// project's own tools make what they make, unless they write through links as what unpacks does (python -m zipfile), and
// what is moved or copied was there.
func soleRead(inv *command.Invocation) (path string) {
	for _, e := range inv.Effects {
		switch {
		case e.Kind == tool.Execute && !inv.Follows, e.Kind == tool.Delete, e.Kind == tool.Read && (e.Tree || e.Reach != tool.Exact || path != ""):
			return ""
		case e.Kind == tool.Read:
			path = e.Target
		}
	}
	return path
}

// planted adds what a tool that runs the project's code may run of what this very
// script has put into the project, from elsewhere or out of its own text: a Makefile,
// a conftest.py, or a whole tree with a directory to work in.
func (here *site) planted(s *state, inv *command.Invocation) {
	if s.files.size() == 0 && len(s.links) == 0 || here.world.Project == "" || !runsProject(inv) && !here.runsFound(s, inv) {
		return
	}
	project := here.world.Project
	brought := false
	s.files.eachMarked(counts, func(_ string, f *file) bool {
		path := strings.TrimPrefix(f.path, "?")
		if !paths.Within(path, project) && !worksIn(inv, path) {
			return true
		}
		how := f.plantedAs(inv.Launches)
		if how == "" && f.added && !onlyCompiles(inv) {
			how = "edited:"
		}
		if how == "" {
			return true
		}
		if how == "written:" && slices.Contains(here.world.Brought, path) {
			if how = "planted:"; !runsProject(inv) { // before this script: its name says whether a tool takes it for code
				return true
			}
		}
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: how + path, Reach: tool.Exact, Span: inv.Span})
		if path != f.path {
			here.matched(inv, how, path)
		}
		brought = how == "written:"
		return !brought && len(inv.Effects) < maxPlanted+len(here.world.Brought)
	})
	if !brought {
		here.linkedOut(s, inv)
	}
}

// matched adds the files on the disk that a pattern matches by which the script has written.
func (here *site) matched(inv *command.Invocation, how, pattern string) {
	if here.world.Entries == nil || here.remote {
		return
	}
	if !paths.Wild(pattern) {
		pattern += "/*"
	}
	dir := paths.Clean("/", paths.GlobDir(pattern))
	list, _ := here.world.Entries(strings.TrimSuffix(dir, "/") + "/")
	pattern = strings.Replace(pattern, "/**/", "/", 1) // where a search begins there is something, too
	for _, e := range list[:min(len(list), maxMatched)] {
		file := strings.TrimSuffix(dir, "/") + "/" + e.Name
		if is, sure := paths.Match(pattern, file); (is || !sure) && !e.Dir {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: how + file, Reach: tool.Exact, Span: inv.Span})
		}
	}
}

// plantedAs is what a file that the script has put into the project is called, if a tool runs
// the project's code; "" if it makes no difference. A launcher only looks at what says what it
// launches.
func (f *file) plantedAs(launcher bool) string {
	switch {
	case f.foreign || f.data.Taint&command.FromNet != 0:
		return "written:"
	case f.authored && !launcher && !(f.printed && path.Ext(f.path) == ""), f.isUnseenCode() && !launcher: // what is printed to a file without an ending is looked at
		return "planted:"
	case f.authored, f.edited:
		return "edited:"
	}
	return ""
}

// linkedOut adds a link that leads out of the project to what a tool may run.
func (here *site) linkedOut(s *state, inv *command.Invocation) {
	for _, l := range s.links {
		if paths.Within(l.From, here.world.Project) && !paths.Within(l.To, here.world.Project) {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "written:" + l.From, Reach: tool.Exact, Span: inv.Span})
			return
		}
	}
}

// maxPlanted bounds the effects of what was planted; one would do.
const maxPlanted = 64

// maxMatched bounds the names that are looked at for a pattern.
const maxMatched = 256

// worksIn says whether a tool was told to work at or below a place that is none of
// the project's.
func worksIn(inv *command.Invocation, place string) bool {
	for _, e := range inv.Effects {
		if dir, ok := strings.CutPrefix(e.Target, "config:"); ok && e.Kind == tool.Execute && paths.Within(dir, place) {
			return true
		}
	}
	return false
}

func runsProject(inv *command.Invocation) bool {
	for _, e := range inv.Effects {
		if e.Kind == tool.Execute && strings.HasPrefix(e.Target, "project:") {
			return true
		}
	}
	return false
}

// controls says whether an invocation has a control effect of a name.
func controls(inv *command.Invocation, name string) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == name })
}

// onlyCompiles says whether an invocation looks at the project's code, and at that of its packages, and runs none of it.
func onlyCompiles(inv *command.Invocation) bool {
	return !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute && e.Target != "project:compile" })
}

// runsFound says whether an invocation runs a file of the project that the script has not written
// and that is more than its text could be found to do: it may load others.
func (here *site) runsFound(s *state, inv *command.Invocation) bool {
	for _, e := range inv.Effects {
		if file, ok := strings.CutPrefix(e.Target, "file:"); ok && e.Kind == tool.Execute && paths.Within(file, here.world.Project) && s.files.perhaps(file) == nil {
			return true
		}
	}
	return false
}

// interprets says whether the project's code that an invocation runs is part of code that
// the command itself says.
func interprets(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Execute && (e.Target == "project:python" || e.Target == "project:report")
	})
}

// ownCode says whether an effect runs code that is the project's, of a file that lies in
// it as far as its name says.
func (here *site) ownCode(e tool.Effect) bool {
	file, ok := strings.CutPrefix(e.Target, "file:")
	return e.Kind == tool.Execute && (strings.HasPrefix(e.Target, "project:") || ok && e.Reach == tool.Exact && paths.Within(file, here.world.Project))
}

// vaguely names a file of which only something is known.
func vaguely(e tool.Effect) string {
	if e.Reach == tool.Under {
		return e.Target + "/**"
	}
	return e.Target
}

// vagueFile stands for a file of which only the effect that names it is known, as
// of one that mktemp has made. No path has this name.
func vagueFile(e tool.Effect) string { return "?" + e.Target }
