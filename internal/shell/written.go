package shell

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// provenance is where what an invocation writes comes from.
type provenance struct {
	taint   command.Taint
	own     bool   // the project's own tools made it
	foreign bool   // from outside the project
	typed   bool   // from the text of the script
	edited  bool   // from a file that the script has edited
	builds  bool   // a build made it of the project's files
	from    string // the file that it may be a copy of
	shut    bool   // from a file that cannot be written to
}

// provenance works out where what an invocation writes comes from.
func (here *site) provenance(s *state, inv *command.Invocation) provenance {
	p := provenance{taint: command.FromScript | inv.Stdin.Taint, own: runsProject(inv)}
	read := s.readBy(inv)
	p.taint, p.edited, p.shut = p.taint|read.data.Taint, read.edited, read.shut
	if len(inv.Packed) > 0 {
		p.taint |= command.FromTree
	}
	p.foreign = here.bringsIn(inv) || unpacks(inv) || read.foreign && !p.own
	p.builds = !p.foreign && here.builds(inv, p.own)
	p.typed = (authored(inv.Stdin) || inv.Composes) && writesInput(inv) || read.authored && !p.own || s.unpacksOwn(inv)
	if !p.own {
		p.from = copyOf(inv)
	}
	return p
}

// unpacksOwn says whether an invocation makes a tree of files of what is piped in, which may be what the script
// has written itself before it was packed.
func (s *state) unpacksOwn(inv *command.Invocation) bool {
	if inv.Stdin.None || inv.Stdin.Reach != tool.Anywhere || s.files.marks()&counts == 0 || runsProject(inv) {
		return false
	}
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return puts(e) && e.Tree })
}

// readBy is what is known of the files of the script that an invocation reads, and of what it
// brings in, as if these were one.
func (s *state) readBy(inv *command.Invocation) (all file) {
	for _, e := range inv.Effects {
		switch {
		case inv.Brings(e):
			all.data.Taint |= command.FromNet
		case e.Kind == tool.Read && e.Reach != tool.Anywhere && s.files.size() > 0:
			s.readOf(e, &all)
		}
	}
	return all
}

// readOf adds what is known of the files of the script that a read may be of: the one that it names, those
// that a pattern or a list stands for, and those that were moved there.
func (s *state) readOf(e tool.Effect, all *file) {
	one := isOneFile(e)
	if one {
		all.with(s.found(e.Target))
		all.with(s.files.amongThem(e.Target))
	}
	if one && len(s.links) == 0 {
		return
	}
	s.files.eachMarked(counts, func(path string, f *file) bool {
		s.toil.joined()
		if path = strings.TrimPrefix(path, "?"); readsFile(e, path) || slices.ContainsFunc(s.links, func(l command.Link) bool {
			return l.Moved && paths.Within(path, l.To) && readsFile(e, l.From+path[len(l.To):])
		}) {
			all.with(f)
		}
		return !all.authored
	})
}

// readsFile says whether a read may be of a file.
func readsFile(e tool.Effect, path string) bool {
	if e.Reach == tool.Exact {
		return mayName(e.Target, path) || e.Tree && e.Pattern && matchesBeginning(e.Target+"/", path)
	}
	return covers(vagueFile(e), path)
}

// with adds what is known of another file that is read, if it is one of the script.
func (f *file) with(o *file) {
	if o == nil {
		return
	}
	f.data.Taint |= o.data.Taint
	f.shut = f.shut || o.shut
	f.authored, f.edited, f.foreign = f.authored || o.authored, f.edited || o.edited, f.foreign || o.foreign
}

// wrote remembers the files that an invocation has written, and its links.
func (led *ledger) wrote(s *state, inv *command.Invocation, red redirection) {
	led.notePacked(inv)
	p := led.provenance(s, inv)
	links := led.yielding(s, inv)
	led.noteUnpacked(inv, p)
	wroteVersions(led, s, inv)
	led.wroteRefs(s, inv)
	if p.foreign && led.intoRepository(inv) {
		led.mayWrite(s, "?"+led.world.Project, func(f *file) { f.data, f.foreign = command.Data{Taint: f.data.Taint | p.taint}, true })
	}
	read := readsOf(inv)
	for _, e := range inv.Effects {
		switch {
		case e.Kind == tool.Delete:
			s.files.takes(e, s.toil)
			led.clears(e)
		case e.Kind != tool.Write && e.Kind != tool.Create:
		case e.Manner == tool.Marked && !grants(inv):
			s.files.shuts(e, s.toil)
		case !e.Keeps() && e.Target != red.file:
			led.wroteOne(s, inv, e, p, !p.own && read.has(e))
		}
	}
	led.linked(s, inv, &read, links)
}

// wroteVersions remembers that an invocation has put other versions of files on the disk, and of which scripts.
func wroteVersions(led *ledger, s *state, inv *command.Invocation) {
	if led.replaces(inv) || led.intoRepository(inv) {
		led.mayWrite(s, "?"+led.world.Project, func(f *file) { loseData(f); f.versioned = true })
	}
	for _, script := range inv.Versions {
		many := isWild(script)
		if many {
			script = "?" + script
		}
		led.mayWrite(s, script, func(f *file) { loseData(f); f.versioned, f.overlaid = true, f.overlaid || many })
	}
}

// yielding are the links that an invocation makes. One that yields to what is there already matters where something is, or may
// be.
func (here *site) yielding(s *state, inv *command.Invocation) []command.Link {
	if len(inv.Links) == 0 {
		return nil
	}
	links := slices.Clone(inv.Links)
	for i := range links {
		l := &links[i]
		at, below := s.files.holds(l.From)
		l.Yields = l.Yields && (at || !here.absent(l.From)) || below // nothing takes the place of a directory
	}
	return links
}

// noteUnpacked notes where an invocation puts files with names that nobody has seen: out of an archive, or out of a
// repository.
func (led *ledger) noteUnpacked(inv *command.Invocation, p provenance) {
	other := inv.Refs&command.RefsRead != 0
	if led.replaces(inv) && other || led.intoRepository(inv) {
		led.unpackedTo(led.world.Project)
	}
	if piped := !p.own && !inv.Stdin.None && inv.Stdin.Reach == tool.Anywhere; !p.foreign && !other && !piped {
		return
	}
	for _, e := range inv.Effects {
		if (e.Kind == tool.Write || e.Kind == tool.Create) && e.Tree && !e.Keeps() {
			led.unpackedTo(e.Target)
		}
	}
}

// unpackedTo notes a directory with such names; an empty name is any.
func (led *ledger) unpackedTo(dir string) {
	if slices.Contains(led.unpacked, dir) {
		return
	}
	if led.unpacked = append(led.unpacked, dir); len(led.unpacked) == 1 {
		led.dashed = append(led.dashed, command.UnseenFlag, command.UnseenResponse)
	}
	if len(led.unpacked) > maxNamed {
		led.unpacked = []string{"/"}
	}
}

// grants says whether the first word of a command that changes permissions is a mode that lets the
// owner write, or takes nothing away.
func grants(inv *command.Invocation) bool {
	if len(inv.Words) < 3 || !inv.Words[1].IsKnown() {
		return false
	}
	mode := inv.Words[1].Text
	if _, added, ok := strings.Cut(strings.TrimLeft(mode, "ugoa"), "+"); ok {
		return strings.Trim(added, "rwxX") == "" && strings.Trim(mode, "ugoa+rwxX") == ""
	}
	mode = strings.TrimPrefix(mode, "0")
	return len(mode) == 3 && strings.IndexByte("2367", mode[0]) >= 0 && isNumber(mode)
}

// masksWriting says whether an argument of umask may keep whoever makes a file from writing to it
// again.
func masksWriting(w command.Word) bool {
	if !w.IsKnown() {
		return true
	}
	mask := strings.TrimLeft(w.Text, "0")
	return w.Text != "-S" && w.Text != "-p" && (!isNumber("0"+mask) || len(mask) > 3 || len(mask) == 3 && strings.IndexByte("2367", mask[0]) >= 0)
}

// shuts notes that files may not be written to any more, and perhaps not be read.
func (t *files) shuts(e tool.Effect, work *toil) { t.concern(e, true, work) }

// takes notes that files may not be there any more.
func (t *files) takes(e tool.Effect, work *toil) {
	if isOneFile(e) {
		t.lose(e.Target, func(f *file) { f.gone = true })
		return
	}
	t.concern(e, false, work)
}

// concern notes of the files that an effect may be on that they may not be there, or not be readable, and perhaps
// that they are shut.
func (t *files) concern(e tool.Effect, shut bool, work *toil) {
	name := e.Target
	if !isOneFile(e) {
		name = vagueFile(e)
	}
	fresh := func(f *file) bool { return !f.gone || shut && !f.shut }
	var list []string
	if f := t.get(name); f != nil && fresh(f) {
		list = append(list, name)
	}
	t.eachBegun(beneath(name), kept, func(path string, f *file) bool {
		if work.joined(); fresh(f) && path != name && strings.HasPrefix(path, "/") && covers(name, path) {
			list = append(list, path)
		}
		return true
	})
	for _, path := range list {
		t.update(path, func(f *file) { f.gone, f.shut = true, f.shut || shut })
	}
}

// linked remembers what an invocation has made another name for something else.
func (led *ledger) linked(s *state, inv *command.Invocation, read *reads, links []command.Link) {
	s.uproot(inv, read)
	made := append(led.copiedTrees(inv, links), led.unpackedLinks(s, inv)...)
	made = append(made, moves(inv, read)...)
	own := len(made)
	made = s.copiedLinks(inv, made)
	led.leadsOut(s, made[own:])
	led.diverts(made)
	switch {
	case len(made) == 0:
	case len(s.links) > maxNamed, len(made) > maxMoved:
		led.gap("too many links", inv.Span)
	default:
		s.links = joinLists(s.links, made)
	}
}

// wroteRefs remembers that an invocation has made or changed names in a repository.
func (n *notes) wroteRefs(s *state, inv *command.Invocation) {
	if inv.Refs&command.RefsMade != 0 {
		n.writes(s, madeRefs, func(*file) {})
	}
	if inv.Refs&command.RefsMoved != 0 {
		n.writes(s, movedRefs, func(*file) {})
	}
	if inv.Refs&command.RefsHidden != 0 {
		n.writes(s, hiddenChanges, func(*file) {})
	}
}

// wroteOne remembers one file that an invocation has written, in place of what it has read there.
func (led *ledger) wroteOne(s *state, inv *command.Invocation, e tool.Effect, p provenance, inPlace bool) {
	exact := e.Reach == tool.Exact && !e.Pattern
	path := e.Target
	if !exact {
		path = vagueFile(e)
	}
	led.unignores(path, inv.Stdin, slices.Contains(inv.Flags, "-a"))
	p.typed = p.typed || dictates(inv, e)
	writes := led.writes
	if !p.own && (!exact || e.Tree) {
		writes = led.mayWrite // and with it others whose names are known
	}
	names := led.namesPut(inv, e)
	change := func(f *file) {
		f.come(p, inPlace, inv.Inserts)
		f.built = p.builds && exact && led.absent(e.Target)
		f.cloned = inv.Refs&command.RefsCloned != 0 && exact && led.absent(e.Target)
		f.overlaid = f.overlaid || len(names) == 0 && overlays(e, p, inPlace)
	}
	writes(s, path, change)
	for _, name := range names {
		led.writes(s, name, change)
	}
	if exact && !p.own && e.Kind == tool.Write {
		s.files.spoilBeside(path, inPlace, change, s.toil)
	}
}

// overlays says whether an effect puts files with names that are not known in the place of others, or takes them away.
func overlays(e tool.Effect, p provenance, inPlace bool) bool {
	return e.Kind == tool.Write && !isOneFile(e) && p.from != "" && (!inPlace || e.Manner == tool.Moved)
}

// namesPut are the files that an invocation puts somewhere, where only a pattern of them is known and each file is that it
// reads.
func (here *site) namesPut(inv *command.Invocation, e tool.Effect) (names []string) {
	w := firstWild(e.Target)
	if e.Reach != tool.Exact || !e.Pattern || w.rest != "" || !allWords(inv, e.Span, command.Word.IsKnown) {
		return nil // it is the place that is not known
	}
	for _, from := range inv.Effects {
		switch {
		case from.Kind != tool.Read:
		case !isExact(from), len(names) == maxRead, from.Tree && !here.isFile(from.Target):
			return nil
		default:
			names = append(names, w.dir+"/"+path.Base(from.Target))
		}
	}
	return names
}

// isFile says whether there is something at a path that is no directory.
func (here *site) isFile(path string) bool {
	return here.world.Exists != nil && here.world.Exists(path) && !here.world.Exists(path+"/.")
}

// dictated remembers the files that a program among the words of an invocation writes, where it may load or run
// them itself.
func (led *ledger) dictated(s *state, inv *command.Invocation) {
	if !inv.Dictates || len(inv.Runs) == 0 {
		return
	}
	p := led.provenance(s, inv)
	for _, e := range inv.Effects {
		if dictates(inv, e) {
			led.wroteOne(s, inv, e, p, false)
		}
	}
}

// dictates says whether an effect is on a file to which a program among the words of an invocation writes what
// it says itself, and not only what it has read there.
func dictates(inv *command.Invocation, e tool.Effect) bool {
	return inv.Dictates && e.Kind == tool.Write && isOneFile(e) && (inv.Inserts || !slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool {
		return o.Kind == tool.Read && readsFile(o, e.Target)
	}))
}

// come notes where a file comes from that is written, perhaps in place and with new lines.
func (f *file) come(p provenance, inPlace, inserts bool) {
	f.data = command.Data{Taint: f.data.Taint | p.taint}
	f.foreign, f.authored = f.foreign || p.foreign, f.authored || p.typed || inPlace && inserts
	f.edited = f.edited || inPlace || p.edited && !p.own
	f.from, f.replaced, f.printed, f.shut = p.from, false, false, f.shut || p.shut
}

// absent says whether there is nothing at a path, as far as the disk says.
func (here *site) absent(path string) bool {
	return here.world.Exists != nil && !here.world.Exists(path)
}

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

// isOneFile says whether an effect is on a single file or directory that is known, without what
// is below it.
func isOneFile(e tool.Effect) bool { return e.Reach == tool.Exact && !e.Pattern && !e.Tree }

// compiled says whether a file is what compilers and linkers make programs of.
func compiled(path string) bool {
	switch path[max(strings.LastIndexByte(path, '.'), 0):] {
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".m", ".mm", ".go", ".rs", ".swift", ".zig", ".nim", ".d", ".hs", ".ml", ".mli", ".f90", ".s", ".S", ".asm", ".o", ".obj", ".a", ".so", ".lib",
		".java", ".kt", ".scala", ".cs", ".fs", ".v", ".cr", ".adb", ".pas", ".toml", ".mod", ".sum", ".cabal", ".gradle", ".csproj", ".ts", ".tsx", ".js", ".jsx", ".mjs":
		return true
	}
	return false
}

// isProgram says whether a file is one that a shell does not read as a script.
func (here *site) isProgram(path string) bool {
	if here.world.ReadAt == nil {
		return false
	}
	room := make([]byte, 512)
	n, err := here.world.ReadAt(path, 0, room)
	return err == nil && slices.Contains(room[:n], 0)
}

// moves is what an invocation puts under another name: it takes away what it has
// read, with all below it, and writes something else.
func moves(inv *command.Invocation, read *reads) (list []command.Link) {
	var taken, put []tool.Effect
	for _, e := range inv.Effects {
		switch {
		case e.Kind != tool.Write || e.Reach != tool.Exact && e.Reach != tool.Under:
		case !e.Tree:
			put = append(put, e)
		case read.hasNamed(e.Target), e.Pattern && read.has(e):
			taken = append(taken, e)
		}
	}
	if len(taken)*len(put) > maxNamed {
		return movesInto(taken, put)
	}
	for _, from := range taken {
		for _, to := range put {
			if to.Target != from.Target {
				list = append(list, movedTo(from, to))
			}
		}
	}
	return list
}

// movedTo is what stands for something else after a move.
func movedTo(from, to tool.Effect) command.Link {
	if isExact(from) && isExact(to) {
		return command.Link{From: to.Target, To: from.Target, Moved: true}
	}
	return command.Link{From: patternOf(to), To: patternOf(from), Moved: true, Pattern: true}
}

// patternOf is a pattern of what an effect is on.
func patternOf(e tool.Effect) string {
	switch {
	case e.Pattern:
		return e.Target
	case e.Reach == tool.Under:
		return paths.Escape(e.Target) + "/**"
	}
	return paths.Escape(e.Target)
}

// maxMoved bounds what one invocation moves.
const maxMoved = 8192

// movesInto is the same of many: what is put somewhere under the name of one of those that are taken
// away is that one, as in a directory that all are moved into.
func movesInto(taken, put []tool.Effect) (list []command.Link) {
	named := map[string][]tool.Effect{}
	for _, from := range taken {
		named[path.Base(from.Target)] = append(named[path.Base(from.Target)], from)
	}
	for _, to := range put {
		from := named[path.Base(to.Target)]
		if len(from) == 0 {
			from = taken
		}
		for _, from := range from {
			if to.Target != from.Target && len(list) <= maxMoved {
				list = append(list, movedTo(from, to))
			}
		}
	}
	return list
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
// project's own tools make what they make, and what is moved or copied was there.
func soleRead(inv *command.Invocation) (path string) {
	for _, e := range inv.Effects {
		switch {
		case e.Kind == tool.Execute, e.Kind == tool.Delete, e.Kind == tool.Read && (e.Tree || e.Reach != tool.Exact || path != ""):
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
		if how == "" {
			return true
		}
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: how + path, Reach: tool.Exact, Span: inv.Span})
		if path != f.path {
			here.matched(inv, how, path)
		}
		brought = how == "written:"
		return !brought && len(inv.Effects) < maxPlanted
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
	case f.authored && !launcher && !(f.printed && path.Ext(f.path) == ""): // what is printed to a file without an ending is looked at
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

// Among the files that a script has written these stand for names in a repository
// that it has made, and those that it has changed. No path begins so.
const (
	madeRefs  = "@refs made"
	movedRefs = "@refs moved"

	hiddenChanges = "@changes hidden" // of files that git was told to take for unchanged
)

// renamed objects where a command puts on the disk what a name in the repository
// stands for, and a command before it in the script says what that is: it cannot be
// looked at before the first has run.
func (s *state) renamed(inv *command.Invocation) {
	if inv.Refs&command.RefsAside != 0 && s.wrote(hiddenChanges) != nil {
		inv.Gaps = append(inv.Gaps, command.Gap{Why: "this loses the changes in files that git takes for unchanged", Span: inv.Span})
	}
	if inv.Refs&command.RefsRead == 0 || s.files.size() == 0 {
		return
	}
	if s.wrote(movedRefs) != nil || s.wrote(madeRefs) != nil && inv.Refs&command.RefsMissing != 0 {
		inv.Gaps = append(inv.Gaps, command.Gap{Why: "longline can inspect what this writes only after the commands before it have run; run it in a separate call", Span: inv.Span})
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
