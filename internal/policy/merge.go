package policy

import (
	"slices"

	"longline/internal/record"
	"longline/internal/tool"
)

// Set is the active rules of all layers, ready to judge by. It reads them as
// they are needed and so is not for concurrent use.
type Set struct {
	Default     tool.Decision
	Safety      Level
	OnAllowPass bool
	LogPath     string // "" is the usual place
	Sandbox     Sandbox
	Content     Content
	LogContent  LogContent
	LogKeep     int  // days; 0 is the usual time
	Packs       bool // the built-in rules are in force
	Walls       Walls
	// WallsAnswer says that who is asked about code that cannot be read has agreed to
	// walls instead: a project that nobody has trusted has no say in that.
	WallsAnswer bool
	Undo        Undo
	defaultSaid bool   // somebody has said what the default is
	books       []book // by layer, the packs first, then in the order of the files
	disabled    []layered
	zones       zoneTables
	grounds     [2]*ground // of the worlds that were asked about last: that of a call, and that of its configuration
}

// Rules reads all rules that are active: by layer, the packs first, then in the
// order of the files.
func (s *Set) Rules() []Rule {
	var all []Rule
	for i := range s.books {
		for n := range s.books[i].len() {
			if s.books[i].active(n, s.Safety) {
				all = append(all, *s.books[i].rule(n))
			}
		}
	}
	return all
}

// Untrusted is the end of a notice about the part of a project's file that is
// ignored.
const Untrusted = " is ignored: the project is not trusted and may only tighten the rules"

// UnknownRule is the error of a file that names a rule that does not exist.
type UnknownRule struct {
	Named
	Known []string // all ids, sorted
}

func (e *UnknownRule) Error() string { return e.Source + `: there is no rule "` + e.ID + `"` }

// Merge puts the layers together and leaves out what is switched off. Project
// files may only tighten what the other layers say, unless they are trusted;
// what they tried beyond that is in the notices. Among the managed files may be a
// bundle's, before those of the administrator. A nil file is an empty one.
func Merge(builtin *File, project []*File, user *File, managed []*File) (set *Set, notices []string, err error) {
	m := merger{set: &Set{Default: tool.Ask, Safety: High}, floor: tool.Allow}
	above := append([]*File{user}, managed...)
	if builtin != nil && !slices.ContainsFunc(above, (*File).leavesOutBuiltin) {
		m.set.Packs = true
		m.settings(builtin, Builtin)
		m.rules(builtin, Builtin)
	}
	for _, f := range project {
		if f != nil {
			m.project(f)
		}
	}
	if user != nil {
		m.settings(user, User)
		m.rules(user, User)
	}
	for _, f := range managed {
		if f != nil {
			m.managed(f)
		}
	}
	// What an untrusted project tightened stays tight whatever the user set.
	m.set.Default = max(m.set.Default, m.floor)
	m.set.defaultSaid = m.set.defaultSaid || m.floor > tool.Allow
	m.set.Safety = max(m.set.Safety, m.floorSafety)
	if err := m.switchOff(); err != nil {
		return nil, m.notices, err
	}
	return m.set, m.notices, nil
}

// leavesOutBuiltin says whether a file, if there is one, does without the built-in rules.
func (f *File) leavesOutBuiltin() bool { return f != nil && f.NoBuiltin && !f.Expired }

// project takes a project's file.
func (m *merger) project(f *File) {
	from := len(m.set.books)
	m.rules(f, Project)
	if !f.Trusted {
		f = m.tightened(f, m.set.books[from:])
	}
	m.settings(f, Project)
}

// managed takes a file of the administrator, or of a bundle.
func (m *merger) managed(f *File) {
	if f.Bundled {
		m.rules(f, Bundle)
		m.settings(f.unexpired(), Bundle)
		return
	}
	m.settings(f, Managed)
	m.rules(f, Managed)
}

type merger struct {
	set         *Set
	notices     []string
	disable     []layered
	floor       tool.Decision // what an untrusted project asks for at least
	floorSafety Level
	said        bool // user or administrator have set the default
	saidSafety  bool
}

type layered struct {
	Named
	layer Layer
}

func (m *merger) settings(f *File, layer Layer) {
	s := m.set
	m.answers(f, layer)
	s.OnAllowPass = s.OnAllowPass || f.OnAllowPass
	if f.LogPath != "" {
		s.LogPath = f.LogPath
	}
	if f.Sandbox.Dir != "" {
		s.Sandbox = f.Sandbox
	}
	if f.Content.Given {
		s.Content = f.Content
	}
	if f.LogContent != LogUnset {
		s.LogContent = f.LogContent
	}
	if f.LogKeep != 0 {
		s.LogKeep = f.LogKeep
	}
	m.walls(f, layer)
	if f.Undo.Given && layer > Project {
		s.Undo = f.Undo
	} else if f.Undo.Given && f.Trusted {
		m.notices = append(m.notices, f.Name+": undo is ignored: only your own rules and the administrator's say what is kept")
	}
}

// answers takes how strict a file wants the answers. The administrator sets a floor, and so
// does a bundle: a user may be stricter.
func (m *merger) answers(f *File, layer Layer) {
	s, floor := m.set, layer >= Bundle
	if f.HasDefault {
		s.Default = atLeast(s.Default, f.Default, floor && m.said)
		m.said = layer >= User
		s.defaultSaid = s.defaultSaid || layer > Builtin
	}
	if f.Safety != 0 {
		s.Safety = atLeast(s.Safety, f.Safety, floor && m.saidSafety)
		m.saidSafety = layer >= User
	}
}

// atLeast is what somebody sets, and as a floor the stricter of that and what was set before.
func atLeast[T tool.Decision | Level](before, now T, floor bool) T {
	if floor {
		return max(before, now)
	}
	return now
}

// walls takes what a file says about walls. Who is above a project may switch them
// off; a project can only ask for them, and until it is trusted it opens nothing and
// spares nobody a question by that.
func (m *merger) walls(f *File, layer Layer) {
	s, w := &m.set.Walls, &f.Walls
	trusted := (layer > Project || f.Trusted) && !f.Expired
	if w.Said && (layer > Project || w.On) {
		s.Said, s.On, m.set.WallsAnswer = true, w.On, w.On && trusted
	}
	if trusted {
		s.Write = append(s.Write, w.Write...)
		s.Sockets = append(s.Sockets, w.Sockets...)
		s.Hosts = append(s.Hosts, w.Hosts...)
		s.Env = append(s.Env, w.Env...)
	}
}

func (m *merger) rules(f *File, layer Layer) {
	for _, b := range f.allBooks() {
		b.layer, b.tight = layer, layer == Project && !f.Trusted || f.Expired
		m.set.books = append(m.set.books, b)
	}
	for _, name := range f.Disable {
		if (layer > Project || f.Trusted) && !f.Expired {
			m.disable = append(m.disable, layered{name, layer})
		}
	}
}

// unexpired is what a bundle still sets when its time is over: what makes answers
// stricter, and where the log goes.
func (f *File) unexpired() *File {
	if !f.Expired {
		return f
	}
	kept := &File{
		Name: f.Name, Expired: true, OnAllowPass: f.OnAllowPass, Walls: Walls{Said: f.Walls.On, On: f.Walls.On},
		LogPath: f.LogPath, LogContent: f.LogContent, LogKeep: f.LogKeep,
	}
	if f.HasDefault && f.Default >= tool.Ask {
		kept.Default, kept.HasDefault = f.Default, true
	}
	if f.Safety >= High {
		kept.Safety = f.Safety
	}
	if len(f.Content.Scan) > 0 {
		kept.Content = f.Content
		kept.Content.Off = nil
	}
	return kept
}

// tightened returns what an untrusted file may set, and notes what else of it
// does not count.
func (m *merger) tightened(f *File, books []book) *File {
	refuse := func(source, what string) {
		m.notices = append(m.notices, source+": "+what+Untrusted)
	}
	lists := looser(books, func(r *Rule) { refuse(r.Source, "the "+r.Decision.String()+" rule "+r.ID) })
	for _, key := range [...]struct {
		name  string
		given bool
	}{
		{"the allowlist", lists},
		{"disable", len(f.Disable) > 0},
		{"builtin: false", f.NoBuiltin},
		{"log.path", f.LogPath != ""},
		{"log.content", f.LogContent != LogUnset},
		{"log.keep", f.LogKeep != 0},
		{"sandbox", f.Sandbox.Dir != ""},
		{"walls: off", f.Walls.Said && !f.Walls.On},
		{"what walls leave open", f.Walls.opens()},
		{"content", f.Content.Given},
		{"undo", f.Undo.Given},
	} {
		if key.given {
			refuse(f.Name, key.name)
		}
	}
	if f.HasDefault && f.Default < m.set.Default {
		refuse(f.Name, "default_decision: "+f.Default.String())
	} else if f.HasDefault {
		m.floor = max(m.floor, f.Default)
	}
	if f.Safety != 0 && f.Safety < m.set.Safety {
		refuse(f.Name, "safety_level: "+f.Safety.String())
	} else {
		m.floorSafety = max(m.floorSafety, f.Safety)
	}
	return &File{Name: f.Name, OnAllowPass: f.OnAllowPass, Walls: Walls{Said: f.Walls.On, On: f.Walls.On}}
}

// looser calls f with the rules that allow, and says whether some are of an allowlist.
func looser(books []book, f func(*Rule)) (lists bool) {
	for i := range books {
		b := &books[i]
		for n := range b.len() {
			switch _, listed, decision := b.head(n); {
			case listed:
				lists = true
			case decision <= tool.Pass:
				if r, err := b.read(n); err == nil {
					f(r)
				}
			}
		}
	}
	return lists
}

// opens says whether something is left open in walls.
func (w *Walls) opens() bool {
	return len(w.Write) > 0 || len(w.Sockets) > 0 || len(w.Hosts) > 0 || len(w.Env) > 0
}

// switchOff notes the rules that are disabled, after checking that what is
// named is there.
func (m *merger) switchOff() error {
	if err := m.checkNames(); err != nil {
		return err
	}
	m.set.disabled = m.disable
	for _, name := range m.disable {
		found := false
		for i := range m.set.books {
			found = m.set.books[i].switchOff(name) || found
		}
		if !found {
			m.notices = append(m.notices, name.Source+": "+name.ID+" stays on: it belongs to a higher layer, or is final")
		}
	}
	return nil
}

// switchOff switches a rule off, if the book has it and whoever says so may.
func (b *book) switchOff(name layered) (found bool) {
	if name.layer < b.layer {
		return false
	}
	b.find(name.ID, func(n int) {
		if r, err := b.read(n); name.layer == Project && b.layer != Project && (err != nil || r.Final || r.ofSession()) {
			return
		}
		b.off = append(b.off, int32(n))
		found = true
	})
	return found
}

// checkNames says whether a file speaks of a rule that is not there.
func (m *merger) checkNames() error {
	for _, name := range m.disable {
		if !m.known(name.ID) {
			return &UnknownRule{name.Named, m.ids()}
		}
	}
	for i := range m.set.books {
		if b := &m.set.books[i]; b.tight || b.layer == Builtin {
			continue // what it lifts does not count; or a test sees to it, once and not with every call
		}
		for r := record.NewReader(m.set.books[i].spoken); !r.Empty(); {
			if name := (Named{r.Text(), r.Text()}); !m.known(name.ID) {
				return &UnknownRule{name, m.ids()}
			}
		}
	}
	return nil
}

func (m *merger) known(id string) bool {
	found := false
	for i := range m.set.books {
		b := &m.set.books[i]
		b.find(id, func(n int) { found = found || b.active(n, Strict) })
	}
	return found
}

// ids lists the ids of all rules, sorted.
func (m *merger) ids() []string {
	var known []string
	for i := range m.set.books {
		for n := range m.set.books[i].ids.Len() {
			known = append(known, m.set.books[i].ids.At(n).Name)
		}
	}
	slices.Sort(known)
	return slices.Compact(known)
}
