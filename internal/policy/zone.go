package policy

import (
	"iter"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/record"
)

// Zone is a named region of the file system.
type Zone uint8

const (
	ZoneProject      Zone = iota // the project the agent works in
	ZoneTemporary                // below the system's directories for temporary files
	ZoneSandbox                  // where downloads belong
	ZoneHome                     // the home directory and below
	ZoneSystem                   // outside all of the above
	ZoneRoot                     // the directories without which system or home are lost, themselves
	ZoneSecrets                  // keys, tokens, passwords, histories
	ZoneAgent                    // what configures agents: settings, hooks, permissions
	ZoneGuard                    // longline's own files
	ZoneGit                      // inside a .git directory
	ZoneStartup                  // what runs by itself later: shell start-up, schedules, hooks, workflows
	ZoneDevice                   // disks and kernel interfaces
	ZoneBuild                    // what a build makes again
	ZoneStreams                  // /dev/null and the standard streams: nothing is kept
	ZoneOwn                      // what the agent that asks writes by itself: its plans, its memory
	ZoneInstructions             // what agents read at the beginning of a session
	zoneCount
)

var zoneNames = [zoneCount]string{"project", "temporary", "sandbox", "home", "system", "root", "secrets", "agent", "guard", "git", "startup", "device", "build", "streams", "own", "instructions"}

// ZoneNames lists the names of all zones.
func ZoneNames() []string { return zoneNames[:] }

// ParseZone is the inverse of [Zone.String].
func ParseZone(name string) (Zone, bool) {
	for z, n := range zoneNames {
		if n == name {
			return Zone(z), true
		}
	}
	return 0, false
}

func (z Zone) String() string { return zoneNames[z] }

// protects says whether a zone only ever makes rules speak. Case is ignored
// there on every system: a name that differs in case alone may be the same file.
func (z Zone) protects() bool {
	// others: places where work is done.
	switch z {
	case ZoneRoot, ZoneSecrets, ZoneAgent, ZoneGuard, ZoneGit, ZoneStartup, ZoneDevice, ZoneInstructions:
		return true
	}
	return false
}

// folds says whether case is ignored in a zone on this machine.
func (g *ground) folds(z Zone) bool { return g.w.FoldCase || z.protects() }

// ZoneSet is a set of zones.
type ZoneSet uint32

// With returns the set with z in it.
func (s ZoneSet) With(z Zone) ZoneSet { return s | 1<<z }

// Has reports whether z is in the set.
func (s ZoneSet) Has(z Zone) bool { return s&(1<<z) != 0 }

// members says which paths are in a zone. Each member stands for itself and
// everything below it, with /** at its end only for what is below it, with / for the
// directory as a whole: when it is deleted or filled. It begins with
// / (a path), ~ (of any home directory), ./ (of the project) or is a name or
// names that may stand anywhere.
type members struct {
	itself bool // only the members, not what is below them
	except []string
	runs   []run // all members
}

// holds says whether what is in a directory is in the zone because the directory is, which lies
// to a member as r says.
func (t *members) holds(r relation) bool { return r&(same|below) != 0 && !t.itself }

// runsOf divides members into those that begin alike, one after the other.
func runsOf(in []string) (runs []run) {
	start := 0
	for i, member := range in {
		lead, name := memberLead(member), isName(member)
		if n := len(runs); n == 0 || runs[n-1].lead != lead || runs[n-1].name != name {
			runs, start = append(runs, run{lead: lead, name: name}), i
		}
		runs[len(runs)-1].in = in[start : i+1]
	}
	return runs
}

// all lists the members.
func (t *members) all() (list []string) {
	for i := range t.runs {
		t.runs[i].each(func(member string) bool {
			list = append(list, member)
			return true
		})
	}
	return list
}

// near yields the members that a path may have to do with, and with names also
// all that may stand anywhere, as below the path.
func (t *members) near(p *place, names bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range t.runs {
			run := &t.runs[i]
			switch {
			case names && run.name:
				if !run.each(yield) {
					return
				}
			case p.holdsHome && !run.name:
				if !run.each(yield) {
					return
				}
			case p.own.has(run.lead):
				if !run.among(&p.names, yield) {
					return
				}
			}
		}
	}
}

// EncodeZones gives the compact form of the zones' members, and of the words of names that make a file secret.
func EncodeZones(in, except map[Zone][]string, itself ZoneSet, called *Called) []byte {
	entries := []record.Entry{called.encode()}
	for z := range zoneCount {
		if len(in[z]) == 0 {
			continue
		}
		var w record.Writer
		w.Bool(itself.Has(z))
		w.Texts(except[z])
		record.List(&w, runsOf(in[z]), encodeRun)
		entries = append(entries, record.Entry{Name: z.String(), Record: string(w.Bytes())})
	}
	return record.AppendTable(nil, entries)
}

// zoneTables are the members of zones as they are compiled in, each read when it is
// first needed.
type zoneTables struct {
	zones [zoneCount]*members
	words *Called
	tally
}

func (t *zoneTables) of(z Zone) *members {
	if t.zones[z] == nil {
		t.zones[z] = new(members)
		if table, err := record.OpenTable(zonesCompiled); err == nil {
			if text, ok := table.Find(z.String()); ok {
				r := record.NewReader(text)
				m := t.zones[z]
				m.itself, m.except, m.runs = r.Bool(), r.Texts(), record.ReadList(r, decodeRun)
			}
		}
	}
	return t.zones[z]
}

// table returns the members of a zone on this machine.
func (g *ground) table(z Zone) *members {
	if g.tables[z] != nil {
		return g.tables[z]
	}
	t := g.shared.of(z)
	here := func(lists ...[]string) {
		runs := slices.Clip(t.runs)
		for _, list := range lists {
			runs = append(runs, runsOf(list)...)
		}
		t = &members{itself: t.itself, except: t.except, runs: runs}
	}
	// others: the same on every machine.
	switch z {
	case ZoneProject:
		here(g.project)
	case ZoneSandbox:
		here(g.sandbox)
	case ZoneHome:
		here(g.homes)
	case ZoneOwn:
		here(g.w.Own)
	case ZoneGuard:
		// Where these really are is asked of the disk only if something needs it.
		here(g.ownFiles(), g.linked(t.all()))
	case ZoneSecrets:
		if len(g.w.Secrets) > 0 {
			here(g.literal(g.w.Secrets))
		}
	case ZoneStartup:
		if len(g.w.Hooks) > 0 {
			here(g.literal(g.w.Hooks))
		}
	case ZoneAgent:
		here(g.literal(g.w.Settings), g.linked(t.all()))
	}
	g.tables[z] = t
	return t
}

// literalRoots says whether the members of a zone are directories of this
// machine, in which wildcard characters mean themselves.
func (z Zone) literalRoots() bool { return z == ZoneProject || z == ZoneSandbox || z == ZoneHome }

// place is a known path, with what is needed to compare it with many members.
type place struct {
	path string
	// inHome is the path as seen from each home directory it is in: the user's,
	// and anybody's by the usual places of home directories.
	inHome []string
	over   bool // a home directory lies below the path
	// holdsHome says that a home directory is the path or lies below it, and so all that is in one.
	holdsHome bool
	own       leads // by its names
	leads     leads // and by what is in a home directory
	names     names
}

func (g *ground) place(path string) place {
	p := place{path: path, own: leadsOf(path), names: namesOf(path)}
	for _, home := range g.homes {
		switch anchored(path, "", home, g.w.FoldCase) {
		case same, below:
			p.inHome = append(p.inHome, strings.TrimPrefix(path[len(home):], "/"))
		case above:
			p.over = true
		}
	}
	p.anybodys()
	p.leads = p.own
	if p.holdsHome = p.over || slices.Contains(p.inHome, ""); p.holdsHome {
		p.leads.addAll()
	}
	return p
}

// anybodys notes how the path is seen from the usual places of home directories.
func (p *place) anybodys() {
	first, rest := cut(p.path)
	switch first {
	case "":
		p.over = true
	case "root":
		p.inHome = append(p.inHome, rest)
	case "home", "Users":
		if rest == "" {
			p.over = true
			break
		}
		_, rest = cut(rest)
		if len(p.inHome) == 0 || p.inHome[0] != rest {
			p.inHome = append(p.inHome, rest)
		}
	}
}

// zoneRelation says how a known path lies to the members of a zone. A copy of what is secret
// lies there as the original does.
func (g *ground) zoneRelation(z Zone, p *place) relation {
	result, silent := g.ownRelation(z, p)
	if z != ZoneSecrets || silent {
		return result
	}
	path, ok := p.path, true
	for range maxCopies {
		if result&(same|below) != 0 {
			break
		}
		if path, ok = original(path); !ok {
			break
		}
		of := g.place(path)
		first, _ := g.ownRelation(z, &of)
		result |= first & (same | below)
	}
	return result
}

// ownRelation is zoneRelation by the path itself. It is silent if its names say nothing of secrets.
func (g *ground) ownRelation(z Zone, p *place) (result relation, silent bool) {
	t := g.table(z)
	l := g.position(z, p)
	result, named := l.relation, l.named
	if z == ZoneSecrets && result&(same|below) == 0 && !l.silent && g.calledSecret(p.path) {
		result |= same
	}
	if result&(same|below) != 0 && !named && g.excepted(t, p) {
		result &^= same | below
	}
	return result, l.silent
}

// position is how a path lies to the members of a zone, and whether one names it at one place: that is no exception, whatever it is called.
type position struct {
	relation relation
	named    bool
	silent   bool // of secrets: its names say nothing, nor that it is a copy
}

// positionKey is a path that was held against a zone.
type positionKey struct {
	path string
	zone Zone
}

// longScript is how long a script is that has the same paths again and again.
const longScript = 256

// position says how a known path lies to the members of a zone. What a long script asks about is remembered.
func (g *ground) position(z Zone, p *place) (l position) {
	keeps := g.length >= longScript || len(g.compiled.positions) > 0
	key := positionKey{p.path, z}
	if keeps {
		if l, ok := g.compiled.positions[key]; ok {
			return l
		}
	}
	t, folding := g.table(z), g.folds(z)
	for member := range t.near(p, false) {
		r := g.memberRelation(z, t, member, p, folding)
		l.named = l.named || r&same != 0 && !isName(member)
		l.relation |= r
	}
	if keeps {
		if z == ZoneSecrets && l.relation&(same|below) == 0 && g.shared.called().silent(p.path) {
			_, copied := original(p.path)
			l.silent = !copied
		}
		g.compiled.positions.keep(key, l)
	}
	return l
}

func (g *ground) excepted(t *members, p *place) bool {
	for _, member := range t.except {
		if g.relate(member, p, g.w.FoldCase)&(same|below) != 0 {
			return true
		}
	}
	return false
}

// memberRelation says how a known path lies to one member of a zone.
func (g *ground) memberRelation(z Zone, t *members, member string, p *place, folding bool) relation {
	switch {
	case z.literalRoots():
		return anchored(p.path, "", member, folding)
	case z == ZoneBuild:
		return g.buildRelation(member, p, folding)
	}
	if folder, ok := strings.CutSuffix(member, "/"); ok && folder != "" {
		r := g.relate(folder, p, folding)
		if r&same != 0 {
			return r&^(same|below) | whole
		}
		return r &^ below
	}
	name, isBelow := strings.CutSuffix(member, "/**")
	r := g.relate(name, p, folding)
	if isBelow && r&same != 0 {
		r = r&^same | above | edge
	}
	if t.itself {
		r &^= below
	}
	return r
}

// buildRelation is memberRelation for what a build makes. A directory of that name above the
// project says nothing about it.
func (g *ground) buildRelation(member string, p *place, folding bool) (r relation) {
	for _, project := range g.project {
		if anchored(p.path, "", project, folding) == below {
			r |= anywhere(member, strings.TrimPrefix(p.path[len(project):], "/"), folding)
		}
	}
	return r
}

// relate says how a known path lies to one member.
func (g *ground) relate(member string, p *place, folding bool) (result relation) {
	below := strings.TrimPrefix(p.path, "/") // of the root, which may be written as nothing
	switch {
	case member[0] == '/':
		return components(member[1:], below, folding)
	case member[0] == '~':
		rest := strings.TrimPrefix(member[1:], "/")
		for _, path := range p.inHome {
			result |= components(rest, path, folding)
		}
		if p.over {
			result |= above
		}
		return result
	case strings.HasPrefix(member, "./"):
		for _, project := range g.project {
			result |= anchored(p.path, member[2:], project, folding)
		}
		return result
	}
	return anywhere(member, below, folding)
}

// anywhere compares with names that may stand at any place of a path. What lies
// below the path only because it may stand anywhere does not count: else every
// directory would hold every such name.
func anywhere(names, path string, folding bool) (result relation) {
	known := paths.Literal(names[:1])
	for path != "" {
		// Most names already differ in their first letter.
		if !known || mayBeginWith(names[0], path, folding) {
			result |= components(names, path, folding)
		}
		_, path = cut(path)
	}
	return result
}

// isName says whether a member may stand anywhere.
func isName(member string) bool {
	return member[0] != '/' && member[0] != '~' && !strings.HasPrefix(member, "./")
}
