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

// file is one that the script has written. What is in it is believed only if it was written once.
type file struct {
	data      command.Data
	times     int  // how often it was written
	unsure    bool // it may not have been written at all, or not be there
	foreign   bool // it came from outside the project
	authored  bool // its content stands in the script, or is computed from what does
	edited    bool // it holds what a program made of files, with words of the script in it
	added     bool // a package manager has put names of packages into it whose code nobody has seen run
	cloned    bool // it is a directory that git has made for a clone
	copied    bool // it may be a copy of another file
	built     bool // a tool of the project or a compiler has made it
	nowhere   bool // there may be no directory for it
	composed  bool // it holds what a program has printed, which nobody has seen
	printed   bool // it holds nothing but what a program has printed
	versioned bool // git may have put another version of it there
}

func (f file) join(o file) file {
	switch {
	case f.times == 0 && o.times == 0:
		return f
	case f.times == 0:
		f, o = o, f
		fallthrough
	case o.times == 0:
		f.unsure, f.cloned = true, false
		return f
	}
	j := f
	if j.times = max(f.times, o.times); !f.data.Same(o.data) {
		j.data = command.Data{Taint: f.data.Taint | o.data.Taint}
	}
	j.unsure, j.foreign, j.authored, j.edited, j.added = f.unsure || o.unsure, f.foreign || o.foreign, f.authored || o.authored, f.edited || o.edited, f.added || o.added
	j.cloned, j.built, j.printed, j.composed, j.copied, j.versioned = f.cloned && o.cloned, f.built && o.built, f.printed && o.printed, f.composed || o.composed, f.copied || o.copied, f.versioned || o.versioned
	return j
}

// isOwn says whether the script has written a file, with a text that is known.
func (f file) isOwn() bool { return f.data.Reach == tool.Exact && f.times > 0 && !f.foreign }

// mayReceive notes that output may go into a file.
func (f *file) mayReceive(d command.Data) {
	f.data = command.Data{Taint: f.data.Taint | d.Taint | command.FromScript}
	f.authored, f.edited, f.composed = f.authored || authored(d), true, f.composed || unseen(d)
}

// unseen says whether a stream holds text that nobody has seen, or names of files, which are such text where they are the content of one.
func unseen(d command.Data) bool {
	return d.Reach == tool.Under || d.Reach != tool.Exact && d.Taint&command.Unseen != 0
}

// receive puts output into a file.
func (f *file) receive(d command.Data, add bool) {
	had := f.times > 0
	f.authored = had && add && f.authored || authored(d)
	f.composed = had && add && f.composed || unseen(d)
	if add && !had {
		d = command.Data{Taint: d.Taint | command.FromFile}
	} else if add {
		d = behind(f.data, d)
	} else if had {
		d = command.Data{Taint: d.Taint | f.data.Taint} // whichever it was written last
	}
	f.printed = !had && !add && d.Reach != tool.Exact && d.Text == ""
	d.Taint |= command.FromScript
	d.Path = nil
	f.edited, f.data = true, d
}

// authored says whether a stream is what the script itself says, or comes from elsewhere, and not what a program found in the project.
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

// traces is what the script has left behind, wherever it goes on.
type traces struct {
	links         []link
	dashed        []string        // names that begin with - or @ and that files have been given
	plants        []string        // files that it has written and that a tool may take for code
	vague         []string        // names of files of which only something is known, as they stand in the state
	ran           []string        // files that it has run
	running       map[string]bool // those of them that are run beside other commands
	revealed      []tool.Span
	evals         int
	nests         int
	exits         int // how often a return or an exit was read
	lastPieces    int // how often a substitution has printed something
	fifos         []string
	jobs          int            // commands in the background so far
	uproots       []string       // what has been moved away, with all below it
	runsBeside    bool           // a tool runs the project's code beside other commands
	before        []command.Word // what a declared variable may get besides
	assigned      command.Taint  // of all that variables have been given
	weak          bool           // what is assigned may not be
	exportedFuncs map[string]bool
	locals        *frame
	checked       int           // invocations that have been looked at for what they make
	makes         bool          // one of them may have made a file
	readSoFar     []tool.Effect // by the invocations that were looked at
	readUpTo      int           // which these are
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

// write notes that a file is written. One that replaces what was there is new.
func (r *reader) write(name string, change func(*file), replaces bool) {
	f, had := r.s.files.get(name)
	if change(&f); had && !replaces && f.times > 1 {
		f.data = command.Data{Taint: f.data.Taint}
	}
	f.times++
	r.s.files.put(name, f)
	at, vague := strings.CutPrefix(name, "?")
	if vague && !slices.Contains(r.vague, name) {
		if r.vague = append(r.vague, name); len(r.vague) > maxVague {
			r.vague = []string{"?"}
			r.s.files.put("?", f)
		}
	}
	if r.inUse(at, f, vague) {
		r.gap("changes a file that a command uses while it runs", tool.Span{})
	}
	if f.counts() && paths.Within(paths.Fixed(at), r.world.Project) && !slices.Contains(r.plants, at) && len(r.plants) <= maxPlants {
		r.plants = append(r.plants, at)
	}
	for i := range r.s.fds { // whoever reads it has it from before, or not
		if d := &r.s.fds[i].data; d.Path != nil && strings.HasSuffix(at, path.Base(d.Path.Text)) {
			r.s.fds = slices.Clone(r.s.fds)
			r.s.fds[i].data = command.Data{Taint: d.Taint}
		}
	}
	for _, other := range r.plants { // a program may make others of its name
		if rest, begins := strings.CutPrefix(other, at); begins && rest != "" && rest[0] != '/' {
			r.s.unsure(other)
		}
	}
	if dir := paths.GlobRoot(at); !vague {
		r.writeBehind(at, f)
	} else if real := r.follow(dir); real != dir {
		r.write("?"+real+at[len(dir):], change, replaces)
	}
}

// inUse says whether a command that runs meanwhile may use a file that is written.
func (r *reader) inUse(at string, f file, vague bool) bool {
	return slices.ContainsFunc(r.reading, func(s scriptFile) bool { return s.path == at }) ||
		r.runsBeside && (f.authored || f.foreign || f.data.Taint&command.FromNet != 0 || r.jobs > 0 && f.edited) && paths.Within(at, r.world.Project) && !quiet(at) ||
		r.running[at] || vague && len(r.running) > 0 && !r.inQuiet(at)
}

// unsure makes unknown what is in a file.
func (s *state) unsure(at string) {
	if f, ok := s.files.get(at); ok {
		f.data = command.Data{Taint: f.data.Taint}
		s.files.put(at, f)
	}
}

// writeBehind notes that a file is written that has other names, by links on the disk and those that the script has made.
func (r *reader) writeBehind(at string, f file) {
	if real := r.follow(at); real != at {
		r.s.files.put(real, f)
	}
	f.data = command.Data{Taint: f.data.Taint}
	for _, l := range r.links {
		if l.copied {
			continue
		}
		if rest, below := strings.CutPrefix(at, l.To); below && (rest == "" || rest[0] == '/') {
			r.s.unsure(l.From + rest)
		}
		if !paths.Within(at, l.From) {
			continue
		}
		other := l.behind(at)
		if other.Reach != tool.Exact {
			continue
		}
		r.s.files.put(other.Text, f)
		for _, next := range r.links {
			if next.copied || !paths.Within(other.Text, next.From) {
				continue
			}
			if there := next.behind(other.Text); there.Reach == tool.Exact {
				r.s.files.put(there.Text, f)
			}
		}
	}
}

// inQuiet says whether a pattern cannot be that of a file that is run beside other commands.
func (r *reader) inQuiet(pattern string) bool {
	for path := range r.running {
		if covers(pattern, path) {
			return false
		}
	}
	return true
}

// counts says whether a file makes a difference to what runs the code of a project.
func (f file) counts() bool {
	return f.foreign || f.authored || f.edited || f.added || f.copied || f.data.Taint&command.FromNet != 0
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
	if f, ok := r.s.files.get(at); ok {
		for _, name := range r.vague {
			if covers(name[1:], at) { // it may have been written again
				f.data, f.unsure = command.Data{Taint: f.data.Taint}, true
			}
		}
		if g, ok := r.s.files.get(r.follow(at)); ok && !g.data.Same(f.data) { // by that name
			f.data, f.unsure = command.Data{Taint: f.data.Taint | g.data.Taint}, true
		}
		return f, true
	}
	if real := r.follow(at); real != at {
		return r.s.files.get(real)
	}
	return file{}, false
}

// mayBring is what the script may have put at a path by a list or a pattern, with a whole directory, or from elsewhere.
func (r *reader) mayBring(at string) (file, bool) {
	if real := r.follow(at); real != at {
		if f, ok := r.mayBring(real); ok {
			return f, ok
		}
	}
	for _, name := range r.vague {
		if f, ok := r.s.files.get(name); ok && covers(name[1:], at) && (f.counts() || f.versioned || f.copied) {
			return f, true
		}
	}
	for above := paths.Parent(at); above != paths.Parent(above); above = paths.Parent(above) {
		if f, ok := r.s.files.get(above); ok && (f.authored || f.foreign || f.copied) {
			return f, true
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
	return slices.ContainsFunc(r.plants, func(at string) bool { return at != but && at != dir && paths.Within(at, dir) }) ||
		slices.ContainsFunc(r.vague, func(name string) bool { return covers(name[1:], dir+"/x") }) ||
		!paths.Within(dir, r.world.Project) && slices.ContainsFunc(r.invocations[max(0, len(r.invocations)-maxPlants):], func(inv *command.Invocation) bool {
			return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
				return puts(e) && e.Target != but && paths.Within(paths.Fixed(e.Target), dir) && (e.Target != dir || e.Tree)
			})
		})
}

// follow is where a path leads by the links on the disk.
func (r *reader) follow(at string) string {
	if r.remote {
		return at
	}
	return r.disk.follow(at)
}

func (d *disk) follow(at string) string {
	if d.world.Readlink == nil || !strings.HasPrefix(at, "/") {
		return at
	}
	return command.Follow(at, d.world)
}

// isNowhere says whether the directory of an invocation surely is not there: to go there fails.
func (r *reader) isNowhere(inv *command.Invocation) bool {
	dir := inv.Dir.Text
	return inv.Dir.Reach == tool.Exact && dir != r.world.Project && dir != r.start && r.async == 0 && !r.remote && r.absent(dir) && r.untouched()
}

// absent says whether there is nothing at a path, as far as the disk says.
func (d *disk) absent(at string) bool { return d.world.Exists != nil && !d.world.Exists(at) }

// link is another name for something, that the script has made; or a copy, which holds what the other held.
type link struct {
	From, To string
	copied   bool
	unsure   bool // it leads to To or something below it, or anywhere
}

// behind is where a path leads by a link.
func (l link) behind(at string) command.Word {
	switch {
	case l.To == command.Somewhere:
		return command.Word{}
	case l.unsure:
		return command.Word{Text: l.To, Reach: tool.Under}
	}
	return command.Word{Text: paths.Clean("/", l.To+at[min(len(l.From), len(at)):]), Reach: tool.Exact}
}

// linked notes the links that an invocation makes, and what it copies or moves: who reads the copy reads the original.
func (r *reader) linked(inv *command.Invocation) {
	add := func(l link) {
		if len(r.links) >= maxLinks {
			gapIn(inv, "more links and copies than are followed")
		} else if !slices.Contains(r.links, l) {
			r.links = append(r.links, l)
		}
	}
	for _, l := range inv.Links {
		add(link{From: l.From, To: l.To, unsure: l.Vague || l.Pattern})
		if r.jobs > 0 || r.async > 0 && !paths.Within(l.To, r.world.Project) {
			r.gap("a link changes a path that another command may use at the same time", inv.Span)
		}
	}
	for _, l := range r.links[:len(r.links):len(r.links)] { // copies of links, also in directories and archives
		if l.copied && !l.unsure || inv.Stage == 0 && !slices.ContainsFunc(inv.Effects, l.isReadBy) {
			continue
		}
		for _, e := range inv.Effects {
			if puts(e) && !paths.Within(e.Target, l.From) && l.copied {
				add(link{From: paths.GlobRoot(e.Target), To: l.To, copied: true, unsure: true})
			} else if puts(e) && !paths.Within(e.Target, l.From) {
				add(link{From: paths.GlobRoot(e.Target), To: command.Somewhere, unsure: true})
			}
		}
	}
	if !inv.Remote && !slices.ContainsFunc(inv.Runs, func(n command.Nested) bool { return n.File == nil }) {
		r.copiedTrees(inv, add)
		r.unpacked(inv, add)
		r.copied(inv, add)
	}
}

// isReadBy says whether an effect reads a link, or what it lies in.
func (l link) isReadBy(e tool.Effect) bool {
	return e.Kind == tool.Read && (paths.Within(l.From, e.Target) || paths.Within(e.Target, l.From) || !isExact(e) && covers(e.Target, l.From))
}

// copied adds what an invocation that runs nothing writes of what it reads.
func (d *disk) copied(inv *command.Invocation, add func(link)) {
	var from, to []tool.Effect
	for _, e := range inv.Effects {
		switch {
		case e.Kind == tool.Execute:
			return
		case e.Kind == tool.Read && isExact(e) && d.matters(e):
			from = append(from, e)
		case puts(e):
			to = append(to, e)
		}
	}
	for _, f := range from[:min(len(from), 4)] {
		for _, t := range to[:min(len(to), 4)] {
			if at := t.Target; at != f.Target {
				if t.Pattern {
					at = paths.GlobRoot(at)
				}
				add(link{From: at, To: f.Target, copied: true})
			}
		}
	}
}

// matters says whether a read is of something that is nobody's business, or lies outside of the project.
func (d *disk) matters(e tool.Effect) bool {
	return !paths.Within(e.Target, d.world.Project) && !strings.HasPrefix(e.Target, "/tmp/") || d.isSecret(e.Target)
}

func puts(e tool.Effect) bool {
	return (e.Kind == tool.Write || e.Kind == tool.Create) && e.Reach != tool.Anywhere && !e.Keeps()
}

// leads repeats the effects of an invocation on what its paths may lead to: through links and copies, the parent directory and patterns.
func (r *reader) leads(inv *command.Invocation) {
	own := len(inv.Effects)
	r.throughLinks(inv)
	throughDots(inv)
	r.throughPatterns(inv, own)
}

// throughLinks repeats effects on links, made by this script, on what they point at.
func (r *reader) throughLinks(inv *command.Invocation) {
	if len(r.links) == 0 {
		return
	}
	named := inv.Words
	for _, rd := range inv.Redirects {
		named = append(named[:len(named):len(named)], rd.Target)
	}
	for _, w := range named { // it leads to where the link points, not to where the path says
		_, behind, _ := strings.Cut(w.Text, "=")
		for _, text := range [...]string{w.Text, behind} {
			at := strings.Index(text, "/..")
			if at > 0 && slices.ContainsFunc(r.links, func(l link) bool { return !l.copied && paths.Within(paths.Clean(inv.Dir.Text, text[:at]), l.From) }) {
				gapIn(inv, "a path with .. after a link in this script")
			}
		}
	}
	for i := 0; i < len(inv.Effects) && i < 64; i++ {
		e := inv.Effects[i]
		if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
			continue
		}
		for _, l := range r.links {
			if there, ok := l.through(e, inv.Follows, inv.Shows || inv.Sweeps); ok && !slices.Contains(inv.Effects, there) {
				if inv.Effects = append(inv.Effects, there); l.To == command.Somewhere {
					gapIn(inv, "the path may lead through a link that this script made")
				}
			}
		}
	}
}

// through is where an effect is by a link as well, if it is one on it or may be.
func (l link) through(e tool.Effect, follows, shows bool) (tool.Effect, bool) {
	there := e
	there.Target, there.Pattern, there.Reach = l.To, false, tool.Exact
	within, may, holds := l.meets(e)
	switch {
	case l.copied:
		there.Tree = false
		return there, e.Kind == tool.Read && (within && e.Target != l.To || may || holds) && (shows || !l.unsure)
	case l.unsure || l.To == command.Somewhere:
		there.Reach = tool.Under
		return there, l.mayBeOn(e) && (l.To != command.Somewhere || e.Target != l.From || e.Tree && follows)
	case isExact(e) && e.Unlinks() && e.Target == l.From: // the link itself
		return e, false
	case within && l.leadsOn(e.Target):
		there = e
		there.Target = paths.Clean("/", l.To+e.Target[len(l.From):])
		return there, true
	case may && (!e.Unlinks() || e.Pattern && strings.Count(e.Target, "/") > strings.Count(l.From, "/")):
		there.Tree = true
		return there, true
	case follows && holds:
		there = e
		there.Target = l.To
		return there, true
	}
	return e, false
}

// meets says whether an effect is on something at the link or below it, whether it may be, and whether the link lies in what it is on.
func (l link) meets(e tool.Effect) (within, may, holds bool) {
	within, may = paths.Within(e.Target, l.From), !isExact(e) && (covers(e.Target, l.From) || e.Pattern && reaches(e.Target, l.From, false))
	return within, may, e.Tree && paths.Within(l.From, e.Target)
}

// leadsOn says whether a path below a link is not where the link leads to.
func (l link) leadsOn(at string) bool {
	return at != l.To && !(paths.Within(l.To, l.From) && paths.Within(at, l.To))
}

// mayBeOn says whether an effect may be on a link of which not all is known, or on what is behind it.
func (l link) mayBeOn(e tool.Effect) bool {
	near := paths.Within(paths.Fixed(e.Target), l.From) || paths.Within(paths.Fixed(l.From), paths.Fixed(e.Target))
	if isExact(e) {
		return paths.Within(e.Target, paths.GlobRoot(l.From)) && (!e.Tree || near)
	}
	return near
}

// throughDots repeats effects on what patterns reach through the parent directory: ".*" matches ".." in dash, and in bash before 5.2.
func throughDots(inv *command.Invocation) {
	for _, e := range inv.Effects {
		if !e.Pattern || e.Reach != tool.Exact || !e.Kind.IsPath() || !strings.Contains(e.Target, "/.") {
			continue
		}
		if w := firstWild(e.Target); w.name == "" || w.searches() {
			continue
		}
		parts := strings.Split(e.Target, "/")
		all := slices.Clone(parts)
		for i, part := range parts {
			if paths.CanBeParent(part) {
				all[i] = ".."
			}
		}
		if up := e; !slices.Equal(all, parts) {
			up.Target = paths.Clean("/", strings.Join(all, "/"))
			up.Pattern = paths.Wild(up.Target)
			inv.Effects = append(inv.Effects, up)
		}
		for i, part := range parts {
			if paths.CanBeParent(part) {
				way := slices.Clone(parts)
				way[i] = ".."
				e.Target = paths.Clean("/", strings.Join(way, "/"))
				e.Pattern = paths.Wild(e.Target)
				inv.Effects = append(inv.Effects, e)
				break
			}
		}
	}
}

// pathEffect is the effect on the path that a word names, for an invocation that may run in a directory of which is only known below which one
// it lies.
func (d *disk) pathEffect(inv *command.Invocation, kind tool.Kind, w command.Word) tool.Effect {
	e := inv.PathEffect(kind, w, d.world)
	if inv.Dir.Reach == tool.Under && !strings.HasPrefix(w.Text, "/") {
		e = anywhereBelow(inv.Dir.Text, e, w.Reach == tool.Under)
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
		absolute, listed := false, false
		for _, w := range inv.Words {
			if w.Span == e.Span {
				absolute, listed = absolute || strings.HasPrefix(w.Text, "/"), listed || w.Reach == tool.Under
			}
		}
		if !absolute {
			*e = anywhereBelow(inv.Dir.Text, *e, listed)
		}
	}
}

// anywhereBelow is an effect on a path that is seen from somewhere below a directory: on that path anywhere below it, or on anything there if the
// path is not known either.
func anywhereBelow(dir string, e tool.Effect, listed bool) tool.Effect {
	rest, below := strings.CutPrefix(e.Target, strings.TrimSuffix(dir, "/")+"/")
	switch {
	case !e.Kind.IsPath() || e.Reach != tool.Under || !below || rest == "":
	case listed:
		e.Target = dir
	default:
		e.Target, e.Pattern, e.Reach = paths.Escape(strings.TrimSuffix(dir, "/"))+"/**/"+paths.Escape(rest), true, tool.Exact
	}
	return e
}

// taken is where the files have been that an invocation reads, if the script has written them.
func (r *reader) taken(inv *command.Invocation) (t command.Taint) {
	for _, e := range inv.Effects {
		if e.Kind != tool.Read {
			continue
		}
		if slices.Contains(r.fifos, e.Target) {
			t |= command.FromNet
		}
		if f, ok := r.written(e.Target); ok && isExact(e) {
			t |= f.data.Taint &^ command.FromScript
		} else if !isExact(e) && e.Reach != tool.Anywhere {
			for _, at := range r.plants {
				if f, _ := r.s.files.get(at); t|f.data.Taint&^command.FromScript != t && covers(e.Target, at) {
					t |= f.data.Taint &^ command.FromScript
				}
			}
		}
	}
	return t
}

// wrote remembers the files that an invocation has written, and its links.
func (r *reader) wrote(inv *command.Invocation, red redirection) {
	p := r.provenance(inv)
	inv.Relays = inv.Relays || (p.data.Taint|inv.Output.Taint)&command.FromNet != 0
	if p.foreign && r.world.Project != "" && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Control && (e.Target == "git.merge" || e.Target == "git.update" || e.Target == "git.foreign")
	}) {
		r.write("?"+r.world.Project+"/", func(f *file) { f.data.Taint, f.foreign = f.data.Taint|p.data.Taint, true }, false)
	}
	if inv.Versions {
		name := "?" + paths.Escape(r.world.Project) + "/*sh"
		r.s.files.put(name, file{times: 1, versioned: true})
		if !slices.Contains(r.vague, name) {
			r.vague = append(r.vague, name)
		}
	}
	trees := false
	for _, e := range inv.Effects {
		if trees = trees || puts(e) && e.Tree; puts(e) && e.Target != red.file && e.Target != red.err && !(e.Span == inv.Span && controlsGit(inv)) {
			r.wroteFile(inv, e, p)
		}
	}
	r.linked(inv)
	for _, e := range inv.Effects {
		r.changed(inv, e)
	}
	if (p.foreign || p.data.Taint&command.FromNet != 0) && trees && !r.odd { // with names that nobody has seen
		r.odd = true
		r.dashed = append(r.dashed, command.UnseenFlag, command.UnseenResponse)
	}
}

// changed remembers what else than the content of files an effect has changed.
func (r *reader) changed(inv *command.Invocation, e tool.Effect) {
	if f, ok := r.s.files.get(e.Target); ok && e.Manner == tool.Marked && !leavesReadable(inv) {
		f.unsure = true
		r.s.files.put(e.Target, f)
	}
	if e.Manner == tool.Moved && (e.Kind == tool.Delete || e.Kind == tool.Write && readsFile(inv, e.Target)) && len(r.uproots) < 16 {
		r.uproots = append(r.uproots, e.Target)
	}
	r.runsBeside = r.runsBeside || r.async > 0 && e.Kind == tool.Execute && strings.HasPrefix(e.Target, "project:")
}

// leavesReadable says whether an invocation that changes the mode of files lets their owner read them.
func leavesReadable(inv *command.Invocation) bool {
	return len(inv.Words) < 2 || strings.Contains(inv.Words[1].Text, "+") || inv.Words[1].Text != "" && strings.IndexByte("4567", inv.Words[1].Text[0]) >= 0
}

// wroteFile remembers a file of which is known where its content comes from.
func (r *reader) wroteFile(inv *command.Invocation, e tool.Effect, p file) {
	own, reads := runsProject(inv), slices.ContainsFunc(inv.Effects, func(read tool.Effect) bool {
		return read.Kind == tool.Read && (read.Target == e.Target || !isExact(e) && isExact(read) && covers(e.Target, read.Target))
	})
	inPlace := !own && reads
	f := p
	f.authored = p.authored || inPlace && inv.Inserts || inv.Dictates
	f.edited = p.edited || inPlace
	if f.composed = unseen(inv.Stdin); !onlyInput(inv) {
		f.composed = p.composed || !own && !inPlace && composes(inv, e) && !r.makesOfCode(inv)
	}
	f.cloned = inv.Clones && isExact(e) && r.absent(e.Target)
	f.built = p.built && !inPlace && isExact(e) && r.absent(e.Target)
	for _, name := range r.namesPut(inv, e) {
		r.put(name, f)
	}
}

// namesPut are the files that an invocation puts at a place.
func (r *reader) namesPut(inv *command.Invocation, e tool.Effect) []string {
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

// put notes that a file is written in some way, beside what it was before.
func (r *reader) put(name string, f file) {
	r.write(name, func(now *file) {
		times, brought := now.times, now.foreign || now.copied || now.data.Taint&command.FromNet != 0
		f.foreign, f.authored, f.edited, f.added = f.foreign || now.foreign, f.authored || now.authored, f.edited || now.edited, f.added || now.added
		f.data.Taint |= now.data.Taint
		*now = f
		now.times, now.cloned = times, f.cloned && !brought
	}, false)
}

// composes says whether what an invocation writes is not what it copies or moves.
func composes(inv *command.Invocation, e tool.Effect) bool {
	return !inv.Puts && e.Kind == tool.Write && !e.Tree && e.Manner == 0
}

// onlyInput says whether what an invocation writes can only be what it gets on its standard input, as of tee.
func onlyInput(inv *command.Invocation) bool {
	return !inv.Stdin.None && !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute || e.Kind == tool.Read })
}

func readsFile(inv *command.Invocation, at string) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && e.Target == at })
}

// makesOfCode says whether what an invocation writes is made of nothing but code of the project, or edited in place.
func (d *disk) makesOfCode(inv *command.Invocation) bool {
	return inv.Name == "sed" && slices.Contains(inv.Flags, "-i") ||
		d.readsCode(inv) && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read })
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

// provenance is what is known of the files that an invocation writes by where their content comes from.
func (r *reader) provenance(inv *command.Invocation) (f file) {
	own := runsProject(inv)
	k := r.contents(inv, &f)
	f.data.Taint |= k.taint | r.taken(inv)
	f.foreign = !own && (f.foreign || k.elsewhere) || k.unpacks(inv)
	f.built = !f.foreign && r.world.Project != "" && len(inv.Gaps) == 0 && (own || k.sources > 0 && r.compiles(inv))
	f.added = slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == "package.add" })
	onlyInput := !k.runs && k.sources == 0
	f.authored = !own && f.authored || (authored(inv.Stdin) || inv.Composes) && onlyInput
	if !own {
		f.authored = f.authored || !inv.Stdin.None && inv.Stdin.Reach == tool.Anywhere && k.tree && len(r.plants) > 0
		f.copied = inv.Puts || k.sources > 0 && !r.readsCode(inv) || !inv.Stdin.None && onlyInput
	}
	f.edited = f.edited && !own
	return f
}

// compiles says whether an invocation gives code of the project to a program that makes something of it.
func (d *disk) compiles(inv *command.Invocation) bool {
	return d.readsCode(inv) && slices.ContainsFunc(inv.Runs, func(n command.Nested) bool { return n.Known && n.File != nil })
}

// unpacks says whether an invocation may take files out of an archive, in which nobody has looked.
func (k contents) unpacks(inv *command.Invocation) bool {
	return k.sources == 1 && k.tree && (!k.runs || inv.Follows) && !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Manner == tool.Moved || e.Target == k.last && puts(e) || e.Kind == tool.Delete || e.Kind == tool.Read && e.Tree
	})
}

// contents is what an invocation makes files of.
type contents struct {
	taint     command.Taint
	sources   int    // that it reads
	last      string // of them
	elsewhere bool   // one of them is not the project's
	tree      bool   // it writes a whole directory
	runs      bool   // it runs something
}

func (r *reader) contents(inv *command.Invocation, f *file) contents {
	k := contents{taint: command.FromScript | inv.Stdin.Taint}
	for _, e := range inv.Effects {
		switch brings := inv.Brings(e); {
		case brings:
			k.taint |= command.FromNet
			k.elsewhere = k.elsewhere || e.Kind == tool.Fetch && e.Target != "@remote"
		case e.Kind == tool.Read:
			k.sources++
			k.last = e.Target
			k.elsewhere = k.elsewhere || e.Reach != tool.Anywhere && e.Target != "" && !paths.Within(e.Target, r.world.Project)
			r.takesFrom(e, f, runsProject(inv))
		case e.Kind == tool.Execute:
			k.runs = true
		case puts(e) && e.Tree:
			k.tree = true
		}
	}
	if len(inv.Packed) > 0 {
		k.taint |= command.FromTree
	}
	return k
}

// readsCode says whether all the files that an invocation reads are code of the project.
func (d *disk) readsCode(inv *command.Invocation) bool {
	return !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Read && !(e.Reach != tool.Anywhere && paths.Within(e.Target, d.world.Project) && isCode(strings.TrimSuffix(e.Target, ".in")))
	})
}

// isCode says whether a file is code, or what compilers make of it, by its name.
func isCode(at string) bool {
	switch path.Ext(at) {
	case ".o", ".obj", ".a", ".so", ".lib", ".toml", ".mod", ".sum", ".l", ".y", ".g4", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".m", ".mm", ".go", ".rs", ".swift", ".zig", ".nim", ".d", ".hs", ".ml", ".f90", ".s", ".S", ".asm",
		".java", ".kt", ".scala", ".cs", ".fs", ".v", ".cr", ".pas", ".cabal", ".gradle", ".csproj", ".ts", ".tsx", ".js", ".jsx", ".mjs":
		return true
	}
	return command.IsSource(path.Base(at))
}

// unseen says whether what an invocation prints is text that nobody has seen: a program has made it of data, or of its own words. What the
// project's own code makes, and what is left of the project's code, is none.
func (r *reader) unseen(inv *command.Invocation) bool {
	d := inv.Output
	if d.Reach == tool.Exact || d.Reach == tool.Under || d.Plain || d.Taint&command.FromFile == 0 || d.Taint&command.FromVersion != 0 && hasVersion(inv, r.world.Project) {
		return false
	}
	return !runsProject(inv) && !r.runsFound(inv) && !slices.ContainsFunc(inv.Runs, func(n command.Nested) bool { return isOwnProgram(r, inv, n) }) && !inv.Package && !((inv.Selects || inv.Name == "sed") && !inv.Inserts && r.readsCode(inv))
}

// hasVersion says whether files as git has them are those of the project's repository, and nothing that was fetched just now.
func hasVersion(inv *command.Invocation, project string) bool {
	return inv.Dir.Reach == tool.Exact && paths.Within(inv.Dir.Text, project) && !slices.ContainsFunc(inv.Flags, func(f string) bool { return f != "-p" }) &&
		!slices.ContainsFunc(inv.Env, func(a command.Assign) bool { return strings.HasPrefix(a.Name, "GIT_") }) &&
		!slices.ContainsFunc(inv.Words, func(w command.Word) bool { return strings.Contains(w.Text, "FETCH_HEAD") })
}

// isOwnProgram says whether an interpreter is given a file of the project that the script has not written.
func isOwnProgram(r *reader, inv *command.Invocation, n command.Nested) bool {
	if n.File == nil || !readsStdin(n.Shell) {
		return false
	}
	e := r.pathEffect(inv, tool.Read, *n.File)
	_, wrote := r.written(e.Target)
	_, may := r.mayBring(e.Target)
	return isExact(e) && !wrote && !may && paths.Within(e.Target, r.world.Project)
}

// takesFrom adds what is known of the files of the script that a read may be of.
func (r *reader) takesFrom(e tool.Effect, all *file, own bool) {
	with := func(f file) {
		all.data.Taint |= f.data.Taint
		all.authored, all.edited, all.foreign = all.authored || f.authored, all.edited || f.edited, all.foreign || f.foreign && !own
		all.composed = all.composed || f.composed && !own
	}
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
		if covers(e.Target, at) || e.Reach == tool.Anywhere {
			f, _ := r.s.files.get(at)
			with(f)
		}
	}
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
		return ok && f.data.Taint&command.FromNet != 0 && !f.cloned && !quiet(at) && !slices.Contains(r.world.Brought, at)
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
		if f, ok = r.s.files.get("?" + at); !ok {
			return ""
		}
	}
	switch brought := slices.Contains(r.world.Brought, at); {
	case f.foreign || f.data.Taint&command.FromNet != 0:
		if !brought {
			return "written:"
		} else if runsProject(inv) {
			return "planted:"
		}
	case (f.authored || f.composed && !quiet(at) && path.Ext(at) != "") && !inv.Launches && !(f.printed && path.Ext(at) == ""):
		return "planted:"
	case f.authored, f.edited, f.added && !onlyCompiles(inv):
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

// onlyCompiles says whether an invocation looks at the project's code, and at that of its packages, and runs none of it.
func onlyCompiles(inv *command.Invocation) bool {
	return !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute && e.Target != "project:compile" })
}

// ownCode says whether an effect runs code that is the project's, of a file that lies in it as far as its name says.
func (d *disk) ownCode(e tool.Effect) bool {
	file, ok := strings.CutPrefix(e.Target, "file:")
	return e.Kind == tool.Execute && (strings.HasPrefix(e.Target, "project:") || ok && e.Reach == tool.Exact && paths.Within(file, d.world.Project))
}

// freshClone says whether a directory is the top of a clone that this very script has made, where nothing was before, and has left as git made
// it: what git finds there before all else are settings of git's own.
func (r *reader) freshClone(dir string) bool {
	if dir == value.Scratch { // nothing was brought there
		return len(r.links) == 0 && !slices.ContainsFunc(r.vague, func(name string) bool {
			f, ok := r.s.files.get(name)
			return ok && (f.foreign || f.copied || f.data.Taint&command.FromNet != 0)
		})
	}
	f, ok := r.written(dir)
	return ok && f.cloned && !f.unsure && len(r.links) == 0 && !r.madeIn(dir+"/.git", "") && len(r.vague) == 0
}

// asCloned takes away what the settings of a repository may make a command run, where it works in such a clone.
func (r *reader) asCloned(inv *command.Invocation) {
	inv.Effects = slices.DeleteFunc(inv.Effects, func(e tool.Effect) bool {
		config, ok := strings.CutPrefix(e.Target, "config:")
		dir, settings := strings.CutSuffix(config, "/.git/config")
		return ok && settings && e.Kind == tool.Execute && r.freshClone(dir)
	})
}
