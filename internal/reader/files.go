package reader

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// What the script writes to files is remembered, so that what it then runs is known for what it is: its own text, that of the project, or
// something that nobody has seen.

// origin says where the content of a file comes from that the script has written. Of several the worst counts.
type origin uint8

const (
	blank   origin = iota // nothing was put into it
	built                 // by the project's own code, or by git from its history
	added                 // by a package manager: names of packages whose code nobody has seen run
	edited                // of what the project has
	told                  // by the script, which says what is in it, or of data that nobody has seen
	brought               // from outside of the project
)

// file is one that the script has written. What is in it is believed only if it was written once.
type file struct {
	data    command.Data
	times   int  // how often it was written
	unsure  bool // it may not have been written at all, or not be there
	printed bool // it holds nothing but what a program has printed
	from    origin
}

func (f file) join(o file) file {
	if f.times == 0 {
		f, o = o, f
	}
	if f.unsure = f.unsure || o.unsure || o.times == 0; o.times == 0 {
		return f
	}
	if f.times = max(f.times, o.times); !f.data.Same(o.data) {
		f.data = command.Data{Taint: f.data.Taint | o.data.Taint}
	}
	f.from, f.printed = max(f.from, o.from), f.printed && o.printed
	return f
}

// isOwn says whether the script has written a file, with a text that is known.
func (f file) isOwn() bool { return f.data.Reach == tool.Exact && f.times > 0 && f.from < brought }

// isBrought says whether a file comes from outside of the project, or from the network.
func (f file) isBrought() bool { return f.from == brought || f.data.Taint&command.FromNet != 0 }

// mayReceive notes that output may go into a file.
func (f *file) mayReceive(d command.Data) {
	f.data = command.Data{Taint: f.data.Taint | d.Taint | command.FromScript}
	f.from = max(f.from, originOf(d))
}

// receive puts output into a file.
func (f *file) receive(d command.Data, add bool) {
	from, had := originOf(d), f.times > 0
	f.printed = !had && !add && d.Reach != tool.Exact && d.Reach != tool.Prefix
	switch {
	case add && !had:
		d = command.Data{Taint: d.Taint | command.FromFile}
	case add:
		d = behind(f.data, d)
	case had:
		d = command.Data{Taint: d.Taint | f.data.Taint} // whichever it was written last
	}
	d.Taint |= command.FromScript
	d.Path = nil
	f.data, f.from = d, max(f.from, from)
}

// originOf says where a file is from that holds a stream: of the project, if that is nothing but what programs have found in it.
func originOf(d command.Data) origin {
	switch {
	case d.Reach == tool.Under, d.Reach != tool.Exact && d.Taint&command.Unseen != 0:
		return told // names of files are text of others where they are the content of one
	case d.None || d.Plain:
	case d.Reach == tool.Exact || d.Reach == tool.Prefix && strings.TrimSpace(d.Text) != "":
		if strings.TrimSpace(d.Text) != "" {
			return told
		}
	case d.Taint&(command.FromFile|command.FromNet) == 0 || d.Taint&command.FromOutside != 0:
		return told
	}
	return edited
}

// traces is what the script has left behind, wherever it goes on.
type traces struct {
	links      []link
	dashed     []string        // names that begin with - or @ and that files have been given
	plants     []string        // files that it has written and that a tool may take for code
	vague      []string        // names of files of which only something is known, as they stand in the state
	ran        []string        // files that it has run
	running    map[string]bool // those of them that are run beside other commands
	revealed   []tool.Span
	evals      int
	nests      int
	exits      int // how often a return or an exit was read
	lastPieces int // how often a substitution has printed something
	fifos      []string
	jobs       int           // commands in the background so far
	runsBeside bool          // a tool runs the project's code beside other commands
	assigned   command.Taint // of all that variables have been given
	weak       bool          // what is assigned may not be
	locals     *frame
	checked    int           // invocations that have been looked at for what they make
	makes      bool          // one of them may have made a file
	readSoFar  []tool.Effect // by the invocations that were looked at
	readUpTo   int           // which these are
	clones     []clone       // directories that git has made, where nothing was before
	uproots    []string      // what has been moved away, with all below it
}

// Bounds on what is remembered of the files that a script writes.
const maxPlants, maxVague, maxLinks = 48, 24, 24

// nameOf names the file that an effect is on; one of which only something is known begins with a question mark.
func nameOf(e tool.Effect) string {
	if isExact(e) {
		return e.Target
	}
	return "?" + e.Target
}

// isExact says whether it is known what an effect is on.
func isExact(e tool.Effect) bool { return e.Reach == tool.Exact && !e.Pattern }

// puts says whether an effect is that a file gets another content.
func puts(e tool.Effect) bool {
	return (e.Kind == tool.Write || e.Kind == tool.Create) && e.Reach != tool.Anywhere && !e.Keeps()
}

// write notes that a file is written. One that replaces what was there is new.
func (r *reader) write(name string, change func(*file), replaces bool) {
	f, had := r.s.files.get(name)
	if change(&f); had && !replaces && f.times > 1 {
		f.data = command.Data{Taint: f.data.Taint}
	}
	f.times++
	r.s.files.put(name, f)
	at, vague := strings.CutPrefix(name, "?")
	if vague {
		r.noteVague(name, f)
	}
	if r.inUse(at, f, vague) {
		r.gap("changes a file that a command uses while it runs", tool.Span{})
	}
	if (f.from > built || f.isBrought()) && !slices.Contains(r.plants, at) && len(r.plants) <= maxPlants {
		r.plants = append(r.plants, at)
	}
	for _, other := range r.plants { // a program may make others of its name
		if g, ok := r.s.files.get(other); ok && len(other) > len(at) && strings.HasPrefix(other, at) && other[len(at)] != '/' {
			g.data = command.Data{Taint: g.data.Taint}
			r.s.files.put(other, g)
		}
	}
	if real := r.follow(at); real != at {
		r.s.files.put(real, f)
	}
}

// noteVague notes that a file was written of whose name only something is known.
func (r *reader) noteVague(name string, f file) {
	if slices.Contains(r.vague, name) {
		return
	}
	if r.vague = append(r.vague, name); len(r.vague) > maxVague {
		r.vague = []string{"?"}
		r.s.files.put("?", f)
	}
}

// inUse says whether a command that runs meanwhile may use a file that is written.
func (r *reader) inUse(at string, f file, vague bool) bool {
	if slices.ContainsFunc(r.reading, func(s scriptFile) bool { return s.path == at }) || r.running[at] {
		return true
	}
	for path := range r.running {
		if vague && covers(at, path) {
			return true
		}
	}
	return r.runsBeside && (f.from >= told || f.isBrought() || r.jobs > 0 && f.from == edited) && paths.Within(at, r.world.Project) && !quiet(at)
}

// covers says whether what is known of a name may be that of a path.
func covers(name, at string) bool {
	fixed := paths.Fixed(name)
	if fixed == name {
		return paths.Within(at, strings.TrimSuffix(name, "/")) || strings.HasPrefix(at, name)
	}
	if !strings.HasPrefix(at, fixed) {
		return false
	}
	is, sure := paths.Match(strings.Replace(name, "/**/", "/*", 1)+"*", at)
	return is || !sure
}

// written is what the script has written to what is found at a path, by that name or by the one that links on the disk lead to.
func (r *reader) written(at string) (file, bool) {
	real := r.follow(at)
	f, ok := r.s.files.get(at)
	if !ok {
		return r.s.files.get(real)
	}
	again := slices.ContainsFunc(r.vague, func(name string) bool { return covers(name[1:], at) })
	if g, other := r.s.files.get(real); again || other && !g.data.Same(f.data) {
		f.data, f.unsure = command.Data{Taint: f.data.Taint | g.data.Taint}, true
	}
	return f, true
}

// mayBring is what the script may have put at a path by a list or a pattern, or with a whole directory.
func (r *reader) mayBring(at string) (file, bool) {
	for _, at := range [...]string{at, r.follow(at)} {
		for _, name := range r.vague {
			if f, ok := r.s.files.get(name); ok && covers(name[1:], at) {
				return f, true
			}
		}
		for above := paths.Parent(at); above != paths.Parent(above); above = paths.Parent(above) {
			if f, ok := r.s.files.get(above); ok && f.from > built {
				return f, true
			}
		}
	}
	return file{}, false
}

// anyWritten is where any of the files may be from that the script has written.
func (r *reader) anyWritten() (t command.Taint) {
	for _, at := range r.plants {
		f, _ := r.s.files.get(at)
		t |= f.data.Taint
	}
	return t
}

// madeIn says whether the script may have written something else into a directory.
func (r *reader) madeIn(dir, but string) bool {
	return slices.ContainsFunc(r.plants, func(at string) bool { return at != but && (at != dir || r.isFetched(at)) && paths.Within(at, dir) }) ||
		slices.ContainsFunc(r.vague, func(name string) bool { return covers(name[1:], dir+"/x") })
}

// isFetched says whether the script has put something at a path that comes from elsewhere.
func (r *reader) isFetched(at string) bool {
	f, _ := r.s.files.get(at)
	return f.isBrought()
}

// taken is where the files have been that an invocation reads, if the script has written them.
func (r *reader) taken(inv *command.Invocation) (t command.Taint) {
	for _, e := range inv.Effects {
		if e.Kind != tool.Read || e.Reach == tool.Anywhere {
			continue
		}
		if slices.Contains(r.fifos, e.Target) {
			t |= command.FromNet
		}
		if f, ok := r.written(e.Target); ok && isExact(e) {
			t |= f.data.Taint &^ command.FromScript
		} else if !isExact(e) {
			r.reads(e, func(f file) { t |= f.data.Taint &^ command.FromScript })
		}
	}
	return t
}

// reads calls f for what the script has written that a read may be of.
func (r *reader) reads(e tool.Effect, with func(file)) {
	if isExact(e) {
		if f, ok := r.written(e.Target); ok {
			with(f)
		} else if f, ok := r.mayBring(e.Target); ok {
			with(f)
		}
		if !e.Tree {
			return
		}
	}
	for _, at := range r.plants {
		if e.Reach == tool.Anywhere || covers(e.Target, at) {
			f, _ := r.s.files.get(at)
			with(f)
		}
	}
}

// wrote remembers the files that an invocation has written, and its links.
func (r *reader) wrote(inv *command.Invocation, red redirection) {
	f := r.provenance(inv)
	if slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == "package.add" }) {
		f.from = max(f.from, added)
	}
	inv.Relays = inv.Relays || (f.data.Taint|inv.Output.Taint)&command.FromNet != 0
	if f.from == brought && r.world.Project != "" && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Control && (e.Target == "git.merge" || e.Target == "git.update" || e.Target == "git.foreign")
	}) {
		r.put("?"+r.world.Project+"/", f)
	}
	if inv.Versions {
		r.put("?"+paths.Escape(r.world.Project)+"/*sh", file{from: built})
	}
	trees := false
	for _, e := range inv.Effects {
		if trees = trees || puts(e) && e.Tree; puts(e) && e.Target != red.file && e.Target != red.err && !(e.Span == inv.Span && controlsGit(inv)) {
			r.wroteFile(inv, e, f)
		}
	}
	r.linked(inv)
	for _, e := range inv.Effects {
		r.changed(inv, e)
	}
	if f.isBrought() && trees && r.signs != blanks {
		r.signs = blanks // with names that nobody has seen
		r.dashed = append(r.dashed, command.UnseenFlag, command.UnseenResponse)
	}
}

// wroteFile remembers one that an invocation has written.
func (r *reader) wroteFile(inv *command.Invocation, e tool.Effect, f file) {
	if f.from = says(inv, e, f.from); e.Manner == 0 && r.mayLead(e.Target) {
		gapIn(inv, "a file is written where a link of this script may lead")
	}
	before, _ := r.s.files.get(e.Target)
	if inv.Clones && f.from < brought {
		f.from = built
	}
	for _, name := range namesPut(inv, e) {
		r.put(name, f)
	}
	if now, _ := r.s.files.get(e.Target); inv.Clones && isExact(e) && before.from <= built && !before.isBrought() && r.absent(e.Target) {
		r.clones = append(r.clones, clone{e.Target, now.times})
	}
}

// changed remembers what else than the content of files an effect has changed.
func (r *reader) changed(inv *command.Invocation, e tool.Effect) {
	if f, ok := r.s.files.get(e.Target); ok && e.Manner == tool.Marked && (len(inv.Words) < 2 || !strings.ContainsAny(inv.Words[1].Text, "+4567")) {
		f.unsure = true // it may not be readable
		r.s.files.put(e.Target, f)
	}
	if e.Manner == tool.Moved && (e.Kind == tool.Delete || e.Kind == tool.Write && readsFile(inv, e.Target)) && len(r.uproots) < 16 {
		r.uproots = append(r.uproots, e.Target)
	}
	r.runsBeside = r.runsBeside || r.async > 0 && e.Kind == tool.Execute && strings.HasPrefix(e.Target, "project:")
}

// put notes that a file is written in some way, beside what it was before.
func (r *reader) put(name string, f file) {
	r.write(name, func(now *file) {
		f.times, f.from = now.times, max(f.from, now.from)
		f.data.Taint |= now.data.Taint
		*now = f
	}, false)
}

// provenance is what is known of the files that an invocation writes by where their content comes from.
func (r *reader) provenance(inv *command.Invocation) (f file) {
	runs, sources := false, 0
	f.data.Taint = command.FromScript | inv.Stdin.Taint | r.taken(inv)
	for _, e := range inv.Effects {
		switch {
		case inv.Brings(e):
			if f.data.Taint |= command.FromNet; e.Target != "@remote" {
				f.from = brought
			}
		case e.Kind == tool.Read:
			sources, f.from = sources+1, max(f.from, edited)
			if e.Reach != tool.Anywhere && e.Target != "" && !paths.Within(e.Target, r.world.Project) {
				f.from = brought
			}
			r.reads(e, func(of file) { f.from, f.printed = max(f.from, of.from), inv.Puts && of.printed })
		case e.Kind == tool.Execute:
			runs = true
		}
	}
	if len(inv.Packed) > 0 {
		f.data.Taint |= command.FromTree
	}
	switch {
	case unpacks(inv, runs, sources):
		f.from = brought
	case runsProject(inv) || r.compiles(inv) && f.from <= edited:
		f.from = built
	case !runs && sources == 0 && inv.Composes:
		f.from = told
	case !runs && sources == 0 && !inv.Stdin.None:
		f.from = max(f.from, originOf(inv.Stdin))
	case len(inv.Gaps) > 0:
		f.from = max(f.from, edited)
	}
	return f
}

// unpacks says whether an invocation may take files out of an archive, in which nobody has looked.
func unpacks(inv *command.Invocation, runs bool, sources int) bool {
	return sources == 1 && (!runs || inv.Follows) && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return puts(e) && e.Tree }) &&
		!slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
			return e.Manner == tool.Moved || puts(e) && readsFile(inv, e.Target) || e.Kind == tool.Delete || e.Kind == tool.Read && e.Tree
		})
}

// compiles says whether an invocation gives nothing but source code of the project to a program that makes something else of it.
func (r *reader) compiles(inv *command.Invocation) bool {
	return len(inv.Gaps) == 0 && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read }) && slices.ContainsFunc(inv.Runs, func(n command.Nested) bool { return n.Known && n.File != nil }) && !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Read && !command.IsSource(path.Base(e.Target)) || puts(e) && !(isExact(e) && r.absent(e.Target) && !readsFile(inv, e.Target))
	})
}

// says is what an invocation that writes a file makes of it: of data text that nobody has seen, if it does not change files that are there.
func says(inv *command.Invocation, e tool.Effect, from origin) origin {
	inPlace := slices.ContainsFunc(inv.Effects, func(put tool.Effect) bool {
		return puts(put) && slices.ContainsFunc(inv.Effects, func(read tool.Effect) bool {
			return read.Kind == tool.Read && (read.Target == put.Target || !isExact(put) && isExact(read) && covers(put.Target, read.Target))
		})
	})
	switch {
	case inv.Dictates, inPlace && inv.Inserts:
		return told
	case runsProject(inv), from == built, inv.Puts, inPlace, e.Kind != tool.Write || e.Tree || e.Manner != 0, isQuiet(e.Target):
		return from
	}
	return max(from, told)
}

// isQuiet says whether no tool takes a file for code by its name.
func isQuiet(at string) bool { return path.Ext(at) == "" || quiet(at) }

// namesPut are the files that an invocation puts at a place.
func namesPut(inv *command.Invocation, e tool.Effect) []string {
	names := []string{nameOf(e)}
	if dir, last := path.Split(e.Target); inv.Puts && e.Pattern && last == "*" && paths.Literal(dir) && !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && !isExact(e) }) {
		names = nil
		for _, read := range inv.Effects { // files keep their names
			if read.Kind == tool.Read {
				names = append(names, paths.Unescape(dir)+path.Base(read.Target))
			}
		}
	}
	return names
}

func readsFile(inv *command.Invocation, at string) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && e.Target == at })
}

// quiet says whether a file is one for people to read, by its ending, which no tool runs.
func quiet(at string) bool {
	switch path.Ext(at) {
	case ".txt", ".log", ".md", ".html", ".csv", ".out", ".png", ".pdf", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".xml", ".tsv", ".css", ".list", ".lst", ".files":
		return true
	}
	return false
}

// controlsGit says whether an invocation does nothing but to add something to a repository.
func controlsGit(inv *command.Invocation) bool {
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

// unseen says whether what an invocation prints is text that nobody has seen: a program has made it of data, or of its own words. What the
// project's own code makes is none.
func (r *reader) unseen(inv *command.Invocation) bool {
	d := inv.Output
	return d.Reach != tool.Exact && d.Reach != tool.Under && !d.Plain && d.Taint&command.FromFile != 0 && !runsProject(inv) && !r.runsFound(inv) && !inv.Package
}

// planted adds what a tool that runs the project's code may run of what this very script has put into the project, from elsewhere or out of its own
// text: a Makefile, a conftest.py, or a whole tree with a directory to work in.
func (r *reader) planted(inv *command.Invocation) {
	if len(r.plants)+len(r.links) == 0 || r.world.Project == "" {
		return
	}
	if !runsProject(inv) && !r.runsFound(inv) {
		hooked(r, inv)
		return
	}
	if len(r.plants) > maxPlants {
		gapIn(inv, "more files were written than are followed")
	}
	for _, at := range r.plants {
		if how := r.howPlanted(at, inv); how != "" {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: how + at, Reach: tool.Exact, Span: inv.Span})
		}
	}
	for _, l := range r.links {
		if !l.copied && paths.Within(l.From, r.world.Project) && !paths.Within(l.To, r.world.Project) {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "written:" + l.From, Reach: tool.Exact, Span: inv.Span})
		}
	}
}

// hooked adds what the script has fetched into the project and a hook of git may run, where an invocation works on a repository that has any.
func hooked(r *reader, inv *command.Invocation) {
	i := slices.IndexFunc(r.plants, func(at string) bool {
		f, ok := r.s.files.get(at)
		return ok && f.data.Taint&command.FromNet != 0 && paths.Within(at, r.world.Project) && !quiet(at) && !slices.Contains(r.world.Brought, at)
	})
	if i < 0 || inv.Remote || inv.Dir.Reach != tool.Exact || !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Control && strings.HasPrefix(e.Target, "git.") && e.Target != "git.stage"
	}) {
		return
	}
	for _, dir := range append(command.HookDirs(r.world, r.world.Project), command.UsualHooks(r.world, r.world.Project)) {
		for _, name := range [...]string{"pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "pre-push", "pre-rebase", "post-checkout", "post-merge", "post-rewrite"} {
			if r.world.Exists != nil && r.world.Exists(dir+"/"+name) {
				inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "written:" + r.plants[i], Reach: tool.Exact, Span: inv.Span})
				return
			}
		}
	}
}

// howPlanted says how the script has put a file where an invocation may run it; "" if that makes no difference.
func (r *reader) howPlanted(at string, inv *command.Invocation) string {
	f, ok := r.s.files.get(at)
	if !ok {
		f, ok = r.s.files.get("?" + at)
	}
	known := slices.Contains(r.world.Brought, at)
	switch {
	case !ok || !paths.Within(paths.Fixed(at), r.world.Project):
	case f.isBrought() && !known:
		return "written:"
	case f.isBrought() && runsProject(inv), f.from == told && !inv.Launches && !(f.printed && isQuiet(at)):
		return "planted:"
	case f.from == told, f.from == edited, f.from == added && !onlyCompiles(inv):
		return "edited:"
	}
	return ""
}

// runsFound says whether an invocation runs a file of the project that the script has not written and that is more than its text could be
// found to do: it may load others.
func (r *reader) runsFound(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		at, ok := strings.CutPrefix(e.Target, "file:")
		if !ok || e.Kind != tool.Execute || !paths.Within(at, r.world.Project) {
			return false
		}
		_, wrote := r.written(at)
		return !wrote
	})
}

func runsProject(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute && strings.HasPrefix(e.Target, "project:") })
}

// ownCode says whether an effect runs code that is the project's, of a file that lies in it as far as its name says.
func (d *disk) ownCode(e tool.Effect) bool {
	file, ok := strings.CutPrefix(e.Target, "file:")
	return e.Kind == tool.Execute && (strings.HasPrefix(e.Target, "project:") || ok && e.Reach == tool.Exact && paths.Within(file, d.world.Project))
}

// onlyCompiles says whether an invocation looks at the project's code, and at that of its packages, and runs none of it.
func onlyCompiles(inv *command.Invocation) bool {
	return !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute && e.Target != "project:compile" })
}

// clone is a directory that git has made, and how often it was written then.
type clone struct {
	dir   string
	times int
}

// isFresh says whether a directory is a repository as git has made it in this script: what git finds there before all else are settings of its own.
func (r *reader) isFresh(dir string) bool {
	if len(r.links) > 0 || slices.ContainsFunc(r.vague, func(name string) bool {
		f, _ := r.s.files.get(name)
		return dir != value.Scratch || f.from == edited || f.isBrought() || f.from == told && strings.Contains(name, ".git")
	}) {
		return false
	}
	now, _ := r.s.files.get(dir)
	return dir == value.Scratch || slices.Contains(r.clones, clone{dir, now.times}) && !slices.ContainsFunc(r.plants, func(at string) bool {
		f, _ := r.s.files.get(at)
		return f.from >= told && paths.Within(at, dir+"/.git")
	})
}

// asCloned takes away what the settings of a repository may make a command run, where it works in such a one.
func (r *reader) asCloned(inv *command.Invocation) {
	inv.Effects = slices.DeleteFunc(inv.Effects, func(e tool.Effect) bool {
		config, ok := strings.CutPrefix(e.Target, "config:")
		dir, settings := strings.CutSuffix(config, "/.git/config")
		return ok && settings && e.Kind == tool.Execute && r.isFresh(dir)
	})
}
