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
	own     bool          // the project's own tools made it
	foreign bool          // from outside the project
	typed   bool          // from the text of the script
	edited  bool          // from a file that the script has edited
	added   bool          // with packages that the command names
	builds  bool          // a build made it of the project's files
	from    string        // the file that it may be a copy of
	shut    bool          // from a file that cannot be written to
	unseen  command.Taint // of files that hold what the program has made itself
	says    *dictation    // what of it the program says itself
}

// provenance works out where what an invocation writes comes from.
func (here *site) provenance(s *state, inv *command.Invocation) provenance {
	p := provenance{says: dictationOf(inv), taint: command.FromScript | inv.Stdin.Taint, own: runsProject(inv), added: controls(inv, "package.add")}
	read := s.readBy(inv)
	p.taint, p.edited, p.shut = p.taint|read.data.Taint, read.edited, read.shut
	p.taint = unmixed(s, inv, p.taint|inv.Output.Taint&command.FromVersion)
	if len(inv.Packed) > 0 {
		p.taint |= command.FromTree
	}
	if writesInput(inv) {
		p.taint |= namesAsText(inv.Stdin)
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
	many := len(s.links) > maxReadLinks
	s.files.eachMarked(counts, func(path string, f *file) bool {
		s.toil.joined()
		if path = strings.TrimPrefix(path, "?"); many || readsFile(e, path) || slices.ContainsFunc(s.links, func(l command.Link) bool {
			if !l.Moved || !paths.Within(path, l.To) {
				return false
			}
			s.toil.joined()
			return readsFile(e, l.From+path[len(l.To):])
		}) {
			all.with(f)
		}
		return !all.authored
	})
}

// maxReadLinks bounds the moves and links by which a file is sought that is read under another name: with more it may be any.
const maxReadLinks = 32

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
	inv.Relays = inv.Relays || (p.taint|inv.Output.Taint)&command.FromNet != 0
	links := led.yielding(s, inv)
	led.noteUnpacked(s, inv, p)
	wroteVersions(led, s, inv)
	led.wroteRefs(s, inv)
	releases(led, inv)
	if p.foreign && led.intoRepository(inv) {
		led.mayWrite(s, "?"+led.world.Project, func(f *file) { f.data, f.foreign = command.Data{Taint: f.data.Taint | p.taint}, true })
	}
	read := readsOf(inv)
	p.unseen = led.writesUnseen(s, inv)
	for _, e := range inv.Effects {
		switch {
		case e.Kind == tool.Delete:
			s.files.takes(e, s.toil)
			led.clears(e)
		case e.Kind != tool.Write && e.Kind != tool.Create:
		case e.Manner == tool.Marked && !grants(inv):
			s.files.shuts(e, s.toil)
		case !e.Keeps() && e.Target != red.file:
			if (isExact(e) || e.Reach != tool.Anywhere && !e.Tree) && e.Manner == 0 && !p.own {
				restores(led, e, p.taint)
			}
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

// noteUnpacked notes where an invocation puts files with names that nobody has seen: out of an archive, or out of a
// repository.
func (led *ledger) noteUnpacked(s *state, inv *command.Invocation, p provenance) {
	other := inv.Refs&command.RefsRead != 0
	if led.replaces(inv) && other || led.intoRepository(inv) {
		led.unpackedTo(led.world.Project)
	}
	if piped := !p.own && !inv.Stdin.None && inv.Stdin.Reach == tool.Anywhere; !p.foreign && !other && !piped {
		return
	}
	for _, e := range inv.Effects {
		if (e.Kind == tool.Write || e.Kind == tool.Create) && e.Tree && !e.Keeps() && !(e.Manner == tool.Moved && bringsOwn(s, e)) {
			led.unpackedTo(e.Target)
		}
	}
}

// bringsOwn says whether what is moved brings no names but those that the script has given: it is a file that output went to, or
// lies where mktemp has made something new. What was unpacked there is noted by itself.
func bringsOwn(s *state, e tool.Effect) bool {
	if e.Reach == tool.Under {
		return e.Target == command.Temporary
	}
	f := s.files.get(e.Target)
	return isExact(e) && f != nil && !f.overlaid && (f.printed || f.replaced)
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

// releases remembers what an invocation has taken out of the index of a repository. Where that is much, it may be all.
func releases(led *ledger, inv *command.Invocation) {
	for _, r := range inv.Releases {
		switch {
		case slices.Contains(led.released, r):
		case len(led.released) < maxNamed:
			led.released = append(led.released, r)
		default:
			led.released = append(led.released[:maxNamed:maxNamed], command.Release{Path: "/"})
		}
	}
}

// wroteOne remembers one file that an invocation has written, in place of what it has read there.
func (led *ledger) wroteOne(s *state, inv *command.Invocation, e tool.Effect, p provenance, inPlace bool) {
	if onlyRecords(inv, e) {
		return
	}
	exact := e.Reach == tool.Exact && !e.Pattern
	path := e.Target
	if !exact {
		path = vagueFile(e)
	}
	led.unignores(path, inv.Stdin, slices.Contains(inv.Flags, "-a"))
	p.typed = p.typed || p.says.has(e)
	if exact && !inPlace && !p.builds && mayBeUnseen(e) {
		p.taint |= p.unseen
	}
	writes := led.writes
	if !p.own && (!exact || e.Tree) {
		writes = led.mayWrite // and with it others whose names are known
	}
	names := led.namesPut(inv, e)
	cloned := clones(led, inv, e)
	begun := begins(&led.site, inv, e)
	change := func(f *file) {
		bare := begun && f.bringsNothing()
		f.come(p, inPlace, inv.Inserts)
		f.built = p.builds && exact && led.absent(e.Target)
		f.cloned = cloned || bare
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

// clones says whether what an invocation makes is a clone where there is nothing on the disk, and notes it.
func clones(led *ledger, inv *command.Invocation, e tool.Effect) bool {
	cloned := inv.Refs&command.RefsCloned != 0 && isExact(e) && led.absent(e.Target)
	if cloned && !slices.Contains(led.cloned, e.Target) && len(led.cloned) < maxNamed {
		led.cloned = append(led.cloned, e.Target)
	}
	return cloned
}

// begins says whether what an invocation makes is a repository where there is none on the disk.
func begins(here *site, inv *command.Invocation, e tool.Effect) bool {
	return inv.Refs&command.RefsBegun != 0 && isExact(e) && here.absent(e.Target+"/.git") && here.absent(e.Target+"/HEAD")
}

// onlyRecords says whether a write of an invocation is that it adds something to a repository that lies nowhere but in its own files, and
// is no setting that counts.
func onlyRecords(inv *command.Invocation, at tool.Effect) bool {
	if at.Span != inv.Span {
		return false
	}
	some := false
	for _, e := range inv.Effects {
		switch e.Kind { // others: what is read
		case tool.Control:
			if some = true; e.Target != "git.stage" && e.Target != "git.commit" && e.Target != "git.tag" && e.Target != "git.note" {
				return false
			}
		case tool.Execute, tool.Delete, tool.Create, tool.Fetch, tool.Send:
			return false
		}
	}
	return some
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
		if p.says.has(e) {
			led.wroteOne(s, inv, e, p, false)
		}
	}
}

// dictation tells the files to which a program among the words of an invocation writes what it says itself from those that it has read.
type dictation struct {
	all   bool            // it says all of them itself
	known map[string]bool // what it reads
	vague []tool.Effect   // reads of which not all is known
}

// maxVague bounds the vague reads that files are held against: what a program writes that has more of them is its own.
const maxVague = 64

// dictationOf is what an invocation says itself; nil if that is nothing.
func dictationOf(inv *command.Invocation) *dictation {
	switch {
	case !inv.Dictates:
		return nil
	case inv.Inserts:
		return &dictation{all: true}
	}
	d := &dictation{known: map[string]bool{}}
	for _, e := range inv.Effects {
		switch {
		case e.Kind != tool.Read:
		case e.Reach == tool.Exact && paths.Fixed(e.Target) == e.Target:
			d.known[e.Target] = true
		default:
			d.vague = append(d.vague, e)
		}
	}
	d.all = len(d.vague) > maxVague
	return d
}

// has says whether an effect is on a file to which the program writes what it says itself.
func (d *dictation) has(e tool.Effect) bool {
	if d == nil || e.Kind != tool.Write || !isOneFile(e) {
		return false
	}
	return d.all || !isIn(d.known, e.Target) && !slices.ContainsFunc(d.vague, func(o tool.Effect) bool { return readsFile(o, e.Target) })
}

// come notes where a file comes from that is written, perhaps in place and with new lines.
func (f *file) come(p provenance, inPlace, inserts bool) {
	if p.from != "" && !inPlace && !strings.HasPrefix(f.path, "?") { // all of it is a copy
		f.data.Taint |= p.taint & command.FromVersion
	}
	f.data = command.Data{Taint: f.intoFile(p.taint)}
	f.foreign, f.authored = f.foreign || p.foreign, f.authored || p.typed || inPlace && inserts
	f.edited, f.added = f.edited || inPlace || p.edited && !p.own, f.added || p.added
	f.from, f.replaced, f.printed, f.shut = p.from, false, false, f.shut || p.shut
}

// absent says whether there is nothing at a path, as far as the disk says.
func (here *site) absent(path string) bool {
	return here.world.Exists != nil && !here.world.Exists(path)
}

// isOneFile says whether an effect is on a single file or directory that is known, without what
// is below it.
func isOneFile(e tool.Effect) bool { return e.Reach == tool.Exact && !e.Pattern && !e.Tree }

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
