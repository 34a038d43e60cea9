package policy

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// Secrets returns a function that reports whether an effect is on something in the zone
// of secrets, and not just on a tree that holds some. It is for one call: what it has found out it
// does not ask again.
func (s *Set) Secrets(call *tool.Call, w *tool.World) func(tool.Effect) bool {
	return s.in(ZoneSecrets, call, w)
}

// Made returns a function that reports whether a path is in the zone of what builds make.
func (s *Set) Made(call *tool.Call, w *tool.World) func(path string) bool {
	in := s.in(ZoneBuild, call, w)
	return func(path string) bool { return in(tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact}) }
}

// in returns a function that reports whether an effect is on something in a zone.
func (s *Set) in(z Zone, call *tool.Call, w *tool.World) func(tool.Effect) bool {
	a := &asked{set: s, zone: z, world: w, length: len(call.Script)}
	return a.meets
}

// asked is what one call has asked about a zone.
type asked struct {
	set    *Set
	zone   Zone
	world  *tool.World
	length int // of the script
	ground *ground
	count  int
	known  memo[tool.Effect, bool]
}

// fewAsked are the questions before answers are remembered.
const fewAsked = 16

// meets says whether an effect is on something in the zone.
func (a *asked) meets(e tool.Effect) bool {
	if a.ground == nil {
		a.ground = a.set.groundOf(a.world)
		a.ground.length = max(a.ground.length, a.length)
	}
	many := a.count >= fewAsked // who asks often asks the same again
	if a.count++; many {
		if a.known == nil && a.world.Readlink != nil {
			a.ground.ask = tool.Remembered(a.world.Readlink)
		}
		e.Span = tool.Span{}
		if is, ok := a.known[e]; ok {
			return is
		}
	}
	t := a.ground.target(e)
	is := a.ground.touches(&t, a.zone).direct != never
	if many {
		a.known.keep(e, is)
	}
	return is
}

// meeting is how an effect meets a place: the target itself could be there, or
// something there lies below the target.
type meeting struct{ direct, sweep chance }

// chance is how sure that is.
type chance uint8

const (
	never     chance = iota
	perchance        // it only might: the place is not what the target names, or nobody has looked
	certain
)

func (m meeting) some() bool { return m.direct != never || m.sweep != never }

func (m meeting) or(other meeting) meeting {
	return meeting{max(m.direct, other.direct), max(m.sweep, other.sweep)}
}

// and is how an effect meets two places at once.
func (m meeting) and(other meeting) meeting {
	return meeting{min(m.direct, other.direct), max(min(m.sweep, other.sweep), min(m.direct, other.sweep), min(m.sweep, other.direct))}
}

// ifSo is a chance if something is so, and none if it is not.
func ifSo(so bool, c chance) chance {
	if so {
		return c
	}
	return never
}

// touches says how the effect could be on something in a zone.
func (g *ground) touches(t *target, z Zone) (m meeting) {
	if t.reach == ReachAnywhere {
		m.sweep = perchance
	}
	for i := range t.spots {
		s := &t.spots[i]
		if !s.known.Has(z) {
			s.known = s.known.With(z)
			s.met[z] = g.locate(t, s, z)
		}
		m = m.or(s.met[z])
	}
	return m
}

func (g *ground) locate(t *target, s *spot, z Zone) (m meeting) {
	switch {
	case z == ZoneSystem:
		// The rest of the world: whatever is not wholly inside the others.
		one := target{effect: t.effect, reach: t.reach, tree: t.tree, spots: []spot{*s}}
		m.direct = ifSo(!g.within(&one, ZoneSet(0).With(ZoneProject).With(ZoneTemporary).With(ZoneSandbox).With(ZoneHome).With(ZoneStreams)), certain)
	case s.rest == "":
		r := g.zoneRelation(z, &s.at)
		if z == ZoneSecrets && r == 0 && t.effect.Kind == tool.Read && !t.tree && g.isKey(s.at.path) {
			r = same
		}
		m.direct = ifSo(r&(same|below) != 0 || r&whole != 0 && (t.tree || t.effect.Kind == tool.Delete), certain)
		if r&above != 0 && t.covers(z) {
			m.sweep = g.holds(t, z, &s.at)
		}
	default:
		if m = g.patternTouches(t, s, z); z == ZoneSecrets && m.direct == never {
			m.direct = g.leadsTo(s, z)
			m = m.or(g.copiesTouch(t, s))
		}
	}
	return m
}

// leadsTo says whether a pattern in a directory on the way to what a member names matches one that is there:
// of app/etc/env.php neither app nor a star says that it is about secrets.
func (g *ground) leadsTo(s *spot, z Zone) (c chance) {
	table, folding := g.table(z), g.folds(z)
	for member := range table.near(&s.at, false) {
		g.shared.look()
		if z.names(member) && onTheWay(s.at.path, member) && g.meetsMember(s, z, member, folding)&same != 0 {
			if g.w.Exists == nil {
				return perchance
			}
			c = max(c, g.memberThere(z, member, &s.at, folding))
		}
	}
	return c
}

// copiesTouch says whether a pattern matches copies of secrets.
func (g *ground) copiesTouch(t *target, s *spot) (m meeting) {
	first, ok := originalPattern(paths.Escape(strings.TrimSuffix(s.at.path, "/")) + "/" + s.rest)
	if !ok {
		return m
	}
	of := target{effect: t.effect, reach: t.reach, tree: t.tree}
	of.addOne(g, first)
	for i := range of.spots {
		m = m.or(g.locate(&of, &of.spots[i], ZoneSecrets))
	}
	return m
}

// covers says whether an effect counts for what is below its target. What is put at a
// name may be a directory; that matters where the names below it are known to matter.
func (t *target) covers(z Zone) bool { return t.tree || t.effect.Put && z.protects() }

// holds says whether a tree holds something of a zone. Reading or deleting
// touches only what is there, so a zone of which nothing is in a tree that is there
// is not touched. What is written into a tree may be anything, and of a tree that is
// not there yet nothing is known. That longline's own files are there is known.
func (g *ground) holds(t *target, z Zone, root *place) (holds chance) {
	takes := t.effect.Kind == tool.Read || t.effect.Kind == tool.Delete
	if !t.tree {
		return perchance // what is put there may be a directory that holds such a thing
	}
	// What lies in a tree is looked up once for a script.
	key := treeKey{root.path, z, takes, t.effect.Put}
	if known, ok := g.trees[key]; ok {
		return known
	}
	return g.trees.keep(key, g.treeHolds(z, root, takes, t.effect.Put))
}

// treeKey is a tree that was looked through for a zone, and what is done to it.
type treeKey struct {
	root       string
	zone       Zone
	takes, put bool
}

func (g *ground) treeHolds(z Zone, root *place, takes, put bool) (holds chance) {
	own := z == ZoneGuard && !put
	switch {
	case g.w.Exists == nil || !g.w.Exists(root.path):
		return max(perchance, ifSo(own, certain))
	case own && !takes:
		return certain
	case !takes:
		holds = perchance
	}
	table := g.table(z)
	folding := g.folds(z)
	for member := range table.near(root, false) {
		if g.memberRelation(z, table, member, root, folding)&above == 0 {
			continue
		}
		if holds = max(holds, g.memberThere(z, member, root, folding)); holds == certain {
			return certain
		}
	}
	return holds
}

// memberThere says whether a member of a zone is there below a directory.
func (g *ground) memberThere(z Zone, member string, root *place, folding bool) (found chance) {
	if z.literalRoots() {
		return certain
	}
	for _, path := range g.below(strings.TrimSuffix(strings.TrimSuffix(member, "**"), "/"), root.path, folding) {
		if found = max(found, g.there(path, folding)); found == certain {
			return certain
		}
	}
	return found
}

// maxListed bounds the directories that are listed for one member of a zone.
const maxListed = 16

// there says whether something that an absolute pattern matches is there.
func (g *ground) there(pattern string, folding bool) chance {
	if paths.Literal(pattern) {
		return ifSo(g.w.Exists(pattern), certain)
	}
	if g.w.Entries == nil {
		return perchance
	}
	dirs := []string{""}
	for rest := pattern; rest != ""; {
		var name string
		name, rest = cut(rest)
		var next []string
		for _, dir := range dirs {
			var whole bool
			if next, whole = g.entries(next, dir, name, folding); !whole {
				return perchance
			}
		}
		dirs = next
	}
	return ifSo(len(dirs) > 0, certain)
}

// entries appends what a name matches in a directory, and says whether that is all and not too
// much.
func (g *ground) entries(found []string, dir, name string, folding bool) (list []string, whole bool) {
	if paths.Literal(name) {
		if g.w.Exists(dir + "/" + name) {
			found = append(found, dir+"/"+name)
		}
		return found, true
	}
	all, whole := g.w.Entries(dir + "/")
	for _, e := range all {
		if matchesComponent(name, e.Name, folding) {
			found = append(found, dir+"/"+e.Name)
		}
	}
	return found, whole && len(found) <= maxListed
}

// below returns where a member can lie below a directory. Home directories of others
// do not count: they are seldom readable.
func (g *ground) below(member, root string, folding bool) []string {
	if !isName(member) {
		return slices.DeleteFunc(g.expandHere(member), func(path string) bool {
			return anchored(path, "", root, folding)&(same|below) == 0
		})
	}
	var list []string
	for at := root[1:]; at != ""; {
		names, rest := member, at
		for names != "" && rest != "" {
			var name, have string
			name, names = cut(names)
			have, rest = cut(rest)
			if !matchesComponent(name, have, folding) {
				names = ""
			}
		}
		if names != "" { // the root ends with the first of the names
			list = append(list, paths.Escape(root)+"/"+names)
		}
		_, at = cut(at)
	}
	return list
}

// expandHere returns the absolute paths or patterns that a member stands for on this
// machine, as far as they are this user's.
func (g *ground) expandHere(member string) []string {
	all := g.expand(member)
	if member[0] == '~' {
		all = all[:len(g.homes)]
	}
	return all
}

// expand returns the absolute paths or patterns that a member stands for.
func (g *ground) expand(member string) []string {
	switch {
	case member[0] == '/':
		return []string{member}
	case member[0] == '~':
		var all []string
		for _, home := range g.homes {
			all = append(all, paths.Escape(home)+member[1:])
		}
		return append(all, "/root"+member[1:], "/home/*"+member[1:], "/Users/*"+member[1:])
	case strings.HasPrefix(member, "./"):
		var all []string
		for _, project := range g.project {
			all = append(all, paths.Escape(project)+member[1:])
		}
		return all
	}
	return []string{"**/" + member}
}

// patternKey is a pattern that was held against a zone, and what counts of the effect.
type patternKey struct {
	dir, rest string
	zone      Zone
	covers    bool
}

// patternTouches says whether what a pattern matches may be in a zone. A script that has
// a pattern once often has it again, and comparing patterns takes long.
func (g *ground) patternTouches(t *target, s *spot, z Zone) meeting {
	key := patternKey{s.at.path, s.rest, z, t.covers(z)}
	if m, ok := g.compiled.patterns[key]; ok && s.name != nil {
		return m
	}
	if g.weary() {
		return meeting{perchance, ifSo(key.covers, perchance)}
	}
	m := g.patternMeets(s, z, key.covers)
	if s.name == nil { // the beginning of a path, of which the key says nothing
		return m
	}
	return g.compiled.patterns.keep(key, m)
}

// How much of patterns one call compares with members of zones: something for each
// call, and more for each byte of its script. A step takes some 100 to 300 ns.
const (
	maxCompared     = 12_000
	comparedPerByte = 6
)

// weary says whether enough was compared. What a pattern matches may then be anything.
func (g *ground) weary() bool { return g.shared.weary(g.length) }

// look counts a member that a pattern is held against: that takes less than comparing names.
func (t *tally) look() {
	if t.looked++; t.looked%2 == 0 {
		t.compared++
	}
}

func (t *tally) weary(length int) bool { return t.compared >= maxCompared+comparedPerByte*length }

func (g *ground) patternMeets(s *spot, z Zone, covers bool) (m meeting) {
	table := g.table(z)
	folding := g.folds(z)
	apart := s.name != nil && !z.literalRoots() && z != ZoneBuild // of which the names count only in the project
	if apart {
		m.direct = g.namesMeet(s.rest, z)
	}
	for member := range table.near(&s.at, !apart) {
		g.shared.look()
		settled := m.direct != never && (m.sweep != never || !covers)
		r, aimed := g.patternRelation(s, z, table, member, folding, settled)
		if r&(same|below) != 0 {
			m.direct = max(m.direct, perchance, ifSo(aimed, certain))
		}
		m.sweep = max(m.sweep, ifSo(r&above != 0 && covers, perchance))
	}
	if m.direct != never && g.patternExcepted(s, z, table) {
		m.direct = never
	}
	return m
}

// restKey is a pattern behind its directory that was held against the names of a zone.
type restKey struct {
	rest string
	zone Zone
}

// namesMeet says whether a pattern in a directory that has nothing to do with a zone may match what the zone has by names that
// may stand anywhere. A script that has a pattern in one directory often has it in others.
func (g *ground) namesMeet(rest string, z Zone) (c chance) {
	key := restKey{rest, z}
	if c, ok := g.compiled.rests[key]; ok {
		return c
	}
	table, folding := g.table(z), g.folds(z)
	s := g.patternSpot("/", rest)
	for i := range table.runs {
		if !table.runs[i].name {
			continue
		}
		table.runs[i].each(func(member string) bool {
			g.shared.look()
			r, aimed := g.patternRelation(&s, z, table, member, folding, c != never)
			if r&(same|below) != 0 {
				c = max(c, perchance, ifSo(aimed, certain))
			}
			return c != certain
		})
	}
	return g.compiled.rests.keep(key, c)
}

// patternRelation says how what a pattern matches lies to a member, and whether the
// pattern is after it. Where it is settled that the pattern may lie above and below
// members, one that it cannot match has nothing to add.
func (g *ground) patternRelation(s *spot, z Zone, table *members, member string, folding, settled bool) (r relation, aimed bool) {
	named := z.names(member)
	if !named && !s.mayFollow(member) { // which then has more names than the directory
		return 0, false
	}
	dir := g.memberRelation(z, table, member, &s.at, folding)
	if table.holds(dir) {
		return below, true
	}
	leads := z.leads(s.at.path, member)
	if !s.mayMeet(member, dir, named, leads) || settled && !leads && g.endsElsewhere(s, z, member, folding) {
		return 0, false
	}
	member, folder := strings.CutSuffix(member, "/")
	r = g.meetsMember(s, z, member, folding)
	if table.itself || folder {
		r &^= below
	}
	if named {
		return g.nameRelation(s, member, r&^above, leads, folding)
	}
	return r, r&same != 0 && g.means(s, z, member, folding)
}

// means says whether a pattern that can match a member is after it, or takes it anyway.
func (g *ground) means(s *spot, z Zone, member string, folding bool) bool {
	return z.literalRoots() || g.aims(s.name, member, folding) || g.takes(s, z, member, folding)
}

// nameRelation is patternRelation for what may stand anywhere, to which the pattern lies as r
// says: it counts if the pattern is after it.
func (g *ground) nameRelation(s *spot, member string, r relation, leads, folding bool) (relation, bool) {
	switch {
	case leads:
		return r, true
	case r&same == 0 && s.descends():
		return 0, false // only by descending into the place, which is not what it names
	case r == 0 || !g.aims(s.name, member, folding):
		return 0, false
	}
	return r, r&same != 0
}

// descends says whether a pattern goes through directories of any name.
func (s *spot) descends() bool { return s.deep || strings.Contains("/"+s.rest, "/*/") }

// takes says whether a pattern that can match a member matches it for sure: it is no more than
// the member, or the member is one file of ours that is known to be there.
func (g *ground) takes(s *spot, z Zone, member string, folding bool) bool {
	return z == ZoneGuard && paths.Literal(member) || g.insideMember(s, z, member, folding)&same != 0
}

// mayMeet says whether what a pattern matches could be a member at all, which lies to its
// directory as dir says. It is cheap, and never wrong to say yes.
func (s *spot) mayMeet(member string, dir relation, named, leads bool) bool {
	switch {
	case named && !leads && !s.mayAim(member), dir&above == 0 && (!named || !nameMayMeet(s.rest, member, false)):
		return false
	case !named || !s.deep || leads:
		return true
	}
	// What it looks for everywhere may be something else.
	return endsMayMeet(lastName(s.rest), lastName(strings.TrimSuffix(member, "/")))
}

// mayFollow says whether the names of a pattern could be those of a member of one place that lies below its directory, one by one, by how
// they begin and end. It is cheap, and never wrong to say yes.
func (s *spot) mayFollow(member string) bool {
	names, dir := "", ""
	switch {
	case member[0] == '/':
		names, dir = member[1:], s.at.path[1:]
	case member[0] == '~' && len(s.at.inHome) == 1 && !s.at.over:
		names, dir = strings.TrimPrefix(member[1:], "/"), s.at.inHome[0]
	}
	for dir != "" {
		_, dir = cut(dir)
		_, names = cut(names)
	}
	for rest := s.rest; names != "" && rest != ""; {
		var name, want string
		name, rest = cut(rest)
		want, names = cut(names)
		if name == "" || want == "" || patterned(name) || patterned(want) || strings.Contains(name, "**") || strings.Contains(want, "**") {
			return true
		}
		if !s.deep && refusesDot(name) && want[0] == '.' || !endsMayMeet(name, want) {
			return false
		}
	}
	return true
}

// refusesDot says whether a shell's pattern of a name matches none that begins with a dot. A star may be nothing, and what comes then the dot.
func refusesDot(name string) bool {
	return name[0] == '?' || name[0] == '*' && (len(name) == 1 || name[1] != '.' && name[1] != '?')
}

// endsElsewhere says whether the last name of all that a pattern matches is another than
// the member's. It is cheap, and never wrong to say no.
func (g *ground) endsElsewhere(s *spot, z Zone, member string, folding bool) bool {
	if z.literalRoots() || member == "~" { // which has the names of this machine
		return false
	}
	last := lastName(strings.TrimSuffix(member, "/"))
	if s.name == nil || strings.Contains(last, "**") || strings.Contains(lastName(s.rest), "**") {
		return false
	}
	m, ok := g.lastName(last)
	return ok && compare(s.name, m, folding)&same == 0
}

// lastName is the last name of a member, compiled; ok if that can be done.
func (g *ground) lastName(last string) (tokens []token, ok bool) {
	m, known := g.compiled.names[last]
	if !known {
		tokens, problem := compile(last, inRules)
		m = g.compiled.names.keep(last, memberName{tokens, problem == ""})
	}
	return m.tokens, m.ok
}

type memberName struct {
	tokens []token
	ok     bool
}

// names says whether a member of a zone may stand anywhere.
func (z Zone) names(member string) bool { return isName(member) && !z.literalRoots() }

// leads says whether a pattern that starts in a directory aims at what a member names, because
// that is on the way. Secrets have to be there; see leadsTo.
func (z Zone) leads(dir, member string) bool {
	return z != ZoneSecrets && z.names(member) && onTheWay(dir, member)
}

// onTheWay says whether a directory is on the way to what a member names: .claude to .claude/hooks.
func onTheWay(dir, member string) bool {
	for i := range len(member) {
		if n := len(dir) - i; member[i] == '/' && n > 0 && dir[n-1] == '/' && sameFolded(dir[n:], member[:i]) {
			return true
		}
	}
	return false
}

// nameMayMeet says whether one of the names of a pattern could be the first of
// a member's, by how they begin and end. It is cheap, and never wrong to say yes.
// With always, the name has to be there whatever the pattern matches.
func nameMayMeet(pattern, member string, always bool) bool {
	want, _ := cut(member)
	if patterned(want) {
		return true
	}
	for pattern != "" {
		var name string
		name, pattern = cut(pattern)
		switch {
		case name == "" || always && name == "**":
		case strings.Contains(name, "**") || patterned(name):
			return true
		case matchesDot(name, want) && endsMayMeet(name, want) && (!always || endsWithin(name, want)):
			return true
		}
	}
	return false
}

// matchesDot says whether a pattern of a name matches the dot that a name begins with, if it
// does: a wildcard does not.
func matchesDot(name, want string) bool {
	if name[0] == '.' || paths.Literal(name[:1]) {
		return true
	}
	begin, _ := fixed(want)
	return !strings.HasPrefix(begin, ".")
}

// endsMayMeet says whether two patterns of one name begin and end alike, as far as
// they say.
func endsMayMeet(name, want string) bool {
	if patterned(name) || patterned(want) {
		return true
	}
	begin, end := fixed(name)
	wantBegin, wantEnd := fixed(want)
	n, m := min(len(begin), len(wantBegin)), min(len(end), len(wantEnd))
	return sameFolded(begin[:n], wantBegin[:n]) && sameFolded(end[len(end)-m:], wantEnd[len(wantEnd)-m:]) && lettersMayMeet(name, want)
}

// endsWithin says whether all that a pattern of a name matches can match another, by how long that is at both ends.
func endsWithin(name, want string) bool {
	begin, end := fixed(name)
	wantBegin, wantEnd := fixed(want)
	return hasUpperUnicode(want) || len(begin) >= len(wantBegin) && len(end) >= len(wantEnd)
}

// lettersMayMeet says whether each of two patterns of one name has the letters of the other, as far as that is all of it. Beyond ASCII it says yes.
func lettersMayMeet(name, want string) bool {
	if hasUpperUnicode(name) || hasUpperUnicode(want) {
		return true
	}
	has, all := spelling(name)
	wants, allWanted := spelling(want)
	return !(allWanted && has&^wants != 0 || all && wants&^has != 0)
}

// sameFolded compares ignoring case; beyond ASCII it says yes.
func sameFolded(a, b string) bool {
	return hasUpperUnicode(a) || hasUpperUnicode(b) || equalFold(a, b)
}

// fixed returns what a name begins with before its first wildcard and what it
// ends with after the last.
func fixed(name string) (begin, end string) {
	i := 0
	for i < len(name) && name[i] != '*' && name[i] != '?' {
		i++
	}
	if i == len(name) {
		return name, name
	}
	j := len(name)
	for name[j-1] != '*' && name[j-1] != '?' {
		j--
	}
	return name[:i], name[j:]
}

// patterned says whether a name has more in it than letters and the simple wildcards.
func patterned(name string) bool {
	for i := range len(name) {
		switch name[i] {
		case '[', '\\', '(':
			return true
		}
	}
	return false
}

// compiled are the patterns of members, each compiled when it is first needed. They are the same for
// all calls in a world.
type compiled struct {
	members memo[memberKey, [][]token]
	names   memo[string, memberName] // their last names
	// The directories of home and project that lie among temporary files, when that is known.
	kept      []string
	keptKnown bool
	rests     memo[restKey, chance] // what patterns meet by names alone
	// What depends on texts and directories of the machine, and not on what lies on the disk.
	patterns  memo[patternKey, meeting]
	insides   memo[patternKey, bool] // whether all that a pattern matches is in a zone, with what is below it or without
	positions memo[positionKey, position]
	forms     memo[string, []form] // of the globs of rules
}

// memberKey is a member of a zone, whose patterns are compiled once.
type memberKey struct {
	zone   Zone
	member string
}

func (g *ground) memberTokens(z Zone, member string) [][]token {
	key := memberKey{z, member}
	if have, ok := g.compiled.members[key]; ok {
		return have
	}
	var all [][]token
	var paths []string
	switch {
	case z.literalRoots():
		all = [][]token{spelled(member)}
	case z != ZoneBuild:
		paths = g.expand(member)
	default:
		for _, project := range g.project {
			paths = append(paths, rooted(project, "/**/"+member))
		}
	}
	for _, path := range paths {
		if m, problem := compile(path, inRules); problem == "" {
			all = append(all, m)
		}
	}
	return g.compiled.members.keep(key, all)
}

// meetsMember says how what a pattern matches can lie to a member.
func (g *ground) meetsMember(s *spot, z Zone, member string, folding bool) (r relation) {
	for _, tokens := range g.memberTokens(z, member) {
		met, steps := comparing(s.all(), tokens, folding)
		g.shared.compared += 1 + steps/16
		r |= met
	}
	return r
}

// insideMember says whether all that a pattern matches is a member or below it.
func (g *ground) insideMember(s *spot, z Zone, member string, folding bool) (r relation) {
	for _, m := range g.memberTokens(z, member) {
		r |= inside(s.all(), m, folding)
	}
	return r
}

// patternExcepted says whether everything a pattern matches is an exception.
func (g *ground) patternExcepted(s *spot, z Zone, table *members) bool {
	for _, member := range table.except {
		if g.patternInside(s, z, table, member) != 0 {
			return true
		}
	}
	return false
}

// patternInside says whether everything a pattern matches is a member or below one.
func (g *ground) patternInside(s *spot, z Zone, table *members, member string) (r relation) {
	dir := g.memberRelation(z, table, member, &s.at, g.w.FoldCase)
	if table.holds(dir) {
		return below
	}
	// What stands for any directories may always be outside of one that has a name.
	if dir&above == 0 && !(z.names(member) && nameMayMeet(s.rest, member, true)) {
		return 0
	}
	if g.weary() {
		return 0
	}
	if g.meetsMember(s, z, member, g.w.FoldCase)&(same|below) == 0 {
		return 0
	}
	return g.insideMember(s, z, member, g.w.FoldCase)
}

// within says whether everything the effect can touch lies in one of the zones.
func (g *ground) within(t *target, zones ZoneSet) bool {
	if t.reach == ReachAnywhere || len(t.spots) == 0 {
		return false
	}
	for i := range t.spots {
		found := false
		for z := Zone(0); z < zoneCount && !found; z++ {
			found = zones.Has(z) && g.spotWithin(t, &t.spots[i], z)
		}
		if !found {
			return false
		}
	}
	return true
}

// keptIn says whether a spot is, holds or may be something of the home directory or the
// project where those lie among temporary files: what is in them is kept.
func (g *ground) keptIn(t *target, s *spot) bool {
	for _, dir := range g.keptAmongTemporary() {
		switch anchored(s.at.path, "", dir, g.w.FoldCase) {
		case same, below:
			return true
		case above:
			if t.tree || s.rest != "" && compare(s.all(), spelled(dir), g.w.FoldCase)&(same|below) != 0 {
				return true
			}
		}
	}
	return false
}

// keptAmongTemporary are the directories of home and project that lie among temporary files.
func (g *ground) keptAmongTemporary() []string {
	if !g.compiled.keptKnown {
		for _, list := range [...][]string{g.homes, g.project} {
			for _, dir := range list {
				at := g.place(dir)
				if g.zoneRelation(ZoneTemporary, &at)&(same|below) != 0 {
					g.compiled.kept = append(g.compiled.kept, dir)
				}
			}
		}
		g.compiled.keptKnown = true
	}
	return g.compiled.kept
}

func (g *ground) spotWithin(t *target, s *spot, z Zone) bool {
	if z == ZoneSystem {
		return g.outsideAll(t, s)
	}
	if z == ZoneTemporary && g.keptIn(t, s) {
		return false
	}
	table := g.table(z)
	// What is excepted must not be touched; a name may stand anywhere in a tree.
	if len(table.except) > 0 && (t.tree || s.rest != "") {
		return false
	}
	if s.rest == "" {
		return g.pathWithin(t, s, z, table)
	}
	key := patternKey{s.at.path, s.rest, z, t.tree}
	if in, ok := g.compiled.insides[key]; ok && s.name != nil {
		return in
	}
	in := g.patternWithin(t, s, z, table)
	if s.name == nil { // the beginning of a path, of which the key says nothing
		return in
	}
	return g.compiled.insides.keep(key, in)
}

// outsideAll says whether a spot touches none of the places that are not the system's.
func (g *ground) outsideAll(t *target, s *spot) bool {
	for _, other := range [...]Zone{ZoneProject, ZoneTemporary, ZoneSandbox, ZoneHome, ZoneStreams} {
		one := target{effect: t.effect, reach: t.reach, tree: t.tree, spots: []spot{*s}}
		if g.touches(&one, other).some() {
			return false
		}
	}
	return true
}

// pathWithin is spotWithin for a path.
func (g *ground) pathWithin(t *target, s *spot, z Zone, table *members) bool {
	r := g.zoneRelation(z, &s.at)
	if r&edge != 0 && t.tree && t.effect.Kind != tool.Delete {
		return true // files made in /tmp are below it
	}
	return r&(same|below) != 0 && !(table.itself && t.tree)
}

// patternWithin is spotWithin for a pattern.
func (g *ground) patternWithin(t *target, s *spot, z Zone, table *members) bool {
	for member := range table.near(&s.at, true) {
		r := g.patternInside(s, z, table, member)
		if r&below != 0 && !table.itself || r&same != 0 && !(table.itself && t.tree) {
			return true
		}
	}
	return false
}
