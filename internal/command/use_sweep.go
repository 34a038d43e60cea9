package command

import (
	"slices"
	"strings"

	"longline/internal/language"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// A search that comes across a file of secrets shows a line of it by chance, and chance
// asks nobody: otherwise every search of a project would. It is no chance any more if
// whole files are printed, whatever they are, or if the search is for what secrets look
// like, and there is a file of secrets right where it begins; or at any level, if all there is
// comes up. Models say "read @swept" of what walks through a directory itself, and "read @swept/**"
// of what leaves nothing out. What prints files that a list names needs no word in its model: that
// it prints what it reads is enough.

// swept adds reads of the files of secrets that lie in directories whose content the
// program shows.
func (r *reader) swept() {
	if r.scope.patterned && !r.seeksSecrets() || r.scope.comes != "" && (!seeksAll(r) || len(treesOf(r)) == 0) {
		return // of a search that leaves files out, each line is one that it comes upon
	}
	whole := r.scope.whole || r.scope.patterned && seeksAll(r)
	r.inv.Sweeps = true
	files := r.sweptFiles()
	if r.scope.whole || whole && r.inv.Shows {
		files = append(files, sweptBelow(r)...)
	}
	for _, e := range files {
		r.effect(e)
	}
}

// sweptFiles are reads of the files of secrets that lie in directories of which
// everything is read.
func (r *reader) sweptFiles() (reads []tool.Effect) {
	names := takenBy(r)
	for _, e := range r.roots() {
		for _, file := range r.secretsIn(e.Target, names) {
			reads = append(reads, tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Manner: tool.Met, Span: e.Span})
		}
	}
	return reads
}

// sweptBelow is sweptFiles for the directories at every level below these.
func sweptBelow(r *reader) (reads []tool.Effect) {
	names := takenBy(r)
	for _, e := range treesOf(r) {
		for _, dir := range secretDirs(&r.deeds, e, true) {
			if names.leaveOut(e.Target, strings.TrimPrefix(dir, e.Target)) {
				continue
			}
			for _, file := range r.secretsIn(dir, names) {
				reads = append(reads, tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Manner: tool.Met, Span: e.Span})
			}
			if len(reads) >= maxSpoken {
				return reads
			}
		}
	}
	return reads
}

// leaveOut says whether one of the directories of a path that is seen from another one is surely left out.
func (t taken) leaveOut(from, path string) bool {
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if from = at(from, name); t.shuns && strings.HasPrefix(name, ".") && !t.picked(name) && !t.unhides(from) {
			return true
		}
		for _, p := range t.picks {
			if match, sure := p.matches(name); p.out && match && sure {
				return true
			}
		}
	}
	return false
}

// picked says whether a pattern of what is taken in may be about a directory of a name.
func (t taken) picked(name string) bool {
	return slices.ContainsFunc(t.picks, func(p pick) bool { return !p.out && (!p.pattern.IsKnown() || mayMatch(baseOf(p.pattern.Text), name)) })
}

// roots are the directories of which everything is read: with all that is below them,
// or by the names that another program lists.
func (r *reader) roots() []tool.Effect {
	roots := r.scope.listed
	for _, e := range treesOf(r) {
		if isCertain(e) {
			roots = append(roots, e)
		} else {
			roots = append(roots, rootsOf(&r.deeds, e)...)
		}
	}
	return roots
}

// treesOf are the reads of all that is below something. What looks at all that git keeps does so below where it runs, unless
// it is told where.
func treesOf(r *reader) (list []tool.Effect) {
	tracked := r.scope.comes == "tracked-names"
	for _, e := range r.inv.Effects {
		if e.Kind != tool.Read || !e.Tree && !tracked || e.Reach == tool.Anywhere {
			continue
		}
		if tracked && e.Pattern {
			e.Target, e.Pattern = staticDir(e.Target), false
		}
		list = append(list, e)
	}
	if here := r.path(tool.Read, Known(".", r.inv.Span)); tracked && len(list) == 0 && here.Reach != tool.Anywhere {
		here.Tree = true
		list = append(list, here)
	}
	return list
}

// maxMovedTrees bounds the trees that are looked at because of links and moves.
const maxMovedTrees = 64

// maxRoots bounds the directories of a pattern or a list that are looked at, maxRooted those of all patterns of a script, and maxEntries
// what lies in them. Those at the top come first.
const maxRoots, maxRooted, maxEntries = 1000, 2000, 10_000

// rooted are the directories of patterns and lists that were looked at.
type rooted struct {
	world  *tool.World // of one reading of a script, as [tool.World.Remembering] makes it
	found  map[places][]string
	secret map[places][]string // those in which files of secrets lie
	left   int                 // directories that may be looked at
	names  int                 // and what lies in them
}

// places are those that were looked at: a directory or a pattern of them, or what is below.
type places struct {
	target                  string
	pattern, below, follows bool
}

// rootsOf are the directories on the disk that a pattern matches, or those in the directory that a list is from, as far as files
// of secrets lie in them.
func rootsOf(d *deeds, e tool.Effect) (roots []tool.Effect) {
	for _, dir := range secretDirs(d, entriesOf(e), false) {
		roots = append(roots, tool.Effect{Kind: tool.Read, Target: dir, Reach: tool.Exact, Tree: true, Span: e.Span})
	}
	return roots
}

// entriesOf makes a pattern of an effect on what is in a directory.
func entriesOf(e tool.Effect) tool.Effect {
	if !e.Pattern {
		e.Target, e.Pattern = strings.TrimSuffix(paths.Escape(e.Target), "/")+"/*", true
	}
	return e
}

// secretDirs are the directories on the disk that an effect is on, or those at every level below them, as far as files
// of secrets lie in them.
func secretDirs(d *deeds, e tool.Effect, below bool) []string {
	if d.world.Secret == nil || d.world.Entries == nil || d.inv.Remote {
		return nil
	}
	dirs := directoriesOf(d, e, below)
	known := &d.lib.rooted
	at := placesOf(d, e, below)
	if secret, seen := known.secret[at]; seen {
		return secret
	}
	dirs = slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool {
		if known.names <= 0 {
			return true
		}
		list := sweptNames(d, dir)
		known.names -= len(list)
		return len(secretsAmong(d, dir, list, taken{})) == 0
	})
	known.secret[at] = dirs
	return dirs
}

// directoriesOf are the directories on the disk that an effect is on, or those at every level below them.
func directoriesOf(d *deeds, e tool.Effect, below bool) []string {
	if d.world.Entries == nil || d.inv.Remote {
		return nil
	}
	known := &d.lib.rooted
	if !d.world.Still() || known.world != d.world {
		*known = rooted{world: d.world, found: map[places][]string{}, secret: map[places][]string{}, left: maxRooted, names: maxEntries}
	}
	at := placesOf(d, e, below)
	dirs, seen := known.found[at]
	if seen || known.left <= 0 {
		return dirs
	}
	dirs = []string{e.Target}
	if e.Pattern {
		dirs = d.lib.matched(&d.surroundings, e.Target)
	}
	if below {
		dirs = d.lib.below(&d.surroundings, dirs, d.inv.Follows)
	}
	known.found[at] = dirs
	return dirs
}

func placesOf(d *deeds, e tool.Effect, below bool) places {
	return places{e.Target, e.Pattern, below, d.inv.Follows}
}

// below are the directories at every level below others, but for those that tools fill, behind links as well if these are followed.
func (l *Library) below(s *surroundings, dirs []string, follows bool) (found []string) {
	behind := map[string]bool{}
	for i := 0; i < len(dirs) && i < maxRoots; i++ {
		l.rooted.left--
		if follows {
			real := Follow(dirs[i], s.world)
			if behind[real] {
				continue
			}
			behind[real] = true
		}
		for _, dir := range s.directoriesIn(dirs[i], follows) {
			if base := dir[strings.LastIndexByte(dir, '/')+1:]; base != ".git" && !slices.Contains(Installs, base) {
				dirs, found = append(dirs, dir), append(found, dir)
			}
		}
	}
	return found
}

// Installs are directories that tools fill with packages.
var Installs = []string{"node_modules", ".venv", "venv", ".tox", ".nox", ".direnv"}

// matched are directories that a pattern of paths matches.
func (l *Library) matched(s *surroundings, pattern string) (found []string) {
	dir := staticDir(pattern)
	for _, one := range value.Alternatives(strings.TrimPrefix(pattern, strings.TrimSuffix(paths.Escape(dir), "/")+"/")) {
		dirs := []string{dir}
		for more := true; more; {
			var name string
			name, one, more = paths.CutGlob(one)
			dirs = l.matchedIn(s, dirs, name)
		}
		found = append(found, dirs...)
	}
	return found[:min(len(found), maxRoots)]
}

// matchedIn are the directories in others that the name of a pattern matches, at every level if that is any number of names.
func (l *Library) matchedIn(s *surroundings, dirs []string, name string) (found []string) {
	deep := name == value.Everything
	if deep {
		found = dirs
	}
	for i := 0; i < len(dirs) && i < maxRoots; i++ {
		l.rooted.left--
		for _, below := range s.directoriesIn(dirs[i], !deep) {
			base := below[strings.LastIndexByte(below, '/')+1:]
			if base[0] == '.' && !strings.HasPrefix(name, ".") || !mayMatch(name, base) {
				continue
			}
			if found = append(found, below); deep {
				dirs = found
			}
		}
	}
	return found[:min(len(found), maxRoots)]
}

// packs notes that what is printed or written holds the files of a whole directory, with one
// of secrets among them. With the argument "operand" it is only printed if the first operand
// says so, and else written there; with "file" it is written.
func (r *reader) packs(d *Data, arg string) {
	r.inv.Packed, r.inv.Packs = append(r.sweptFiles(), sweptBelow(r)...), true
	if arg == "file" || arg == "operand" && len(r.oper) > 0 && !isStream(r.oper[0].Text) {
		return
	}
	if len(r.inv.Packed) > 0 {
		d.Taint |= FromTree
	}
}

// worktree adds reads of the files of secrets in the project, for a program that keeps all
// that lies there where it can be shown later.
func (d *deeds) worktree() {
	for _, file := range d.secretsIn(d.world.Project, taken{}) {
		d.effect(tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Span: d.inv.Span})
	}
}

// showsTree says whether a program prints of what it reads the content: a search
// prints what it looks for, and what writes its input somewhere does not print it, unless that is a stream.
func (r *reader) showsTree(role string) bool {
	if r.scope.patterned && !r.seeksSecrets() {
		return false
	}
	if slices.ContainsFunc(r.inv.Words, NamesOutput) {
		return true
	}
	switch role {
	case "stdin", "lines", "few", "filter", "numbered", "beside-lines", "first-field", "thinned", "matching":
		return true
	case "computed":
		return !r.scope.numbers || slices.ContainsFunc(r.given, setsSpecial)
	case "", "any", "beside", "committed", "archive", "endless":
		return !slices.ContainsFunc(r.inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Write || e.Kind == tool.Create })
	}
	return false
}

// maxSwept bounds the names that are looked at in a directory, and the files of secrets
// that are spoken of.
const maxSwept, maxSpoken = 2000, 3

// pick is a pattern of names that a search or an archive takes in, or leaves out.
type pick struct {
	pattern Word
	out     bool
}

// taken says which files are taken in: of those that a list of a role has, what patterns say. The zero value takes in all.
type taken struct {
	picks   []pick
	role    string
	hidden  bool                   // hidden files are, whatever the role: of a kind, or those that a pattern matches
	shuns   bool                   // no hidden directories are gone into, but for those that are picked or taken back
	unhides func(path string) bool // whether something hidden is taken back
}

func takenBy(r *reader) taken {
	t := taken{picks: r.picks(), role: widened(r, r.scope.comes), shuns: isVisible(r.scope.comes)}
	t.hidden = !isVisible(t.role) || slices.ContainsFunc(r.given, func(g flagUse) bool { return g.flag != nil && g.flag.has("file-type") })
	t.unhides = func(path string) bool { return r.lib.Unhides(r.world, holds(r.scope.comes), path) }
	if t.role != "tracked-names" {
		return t
	}
	for _, e := range r.inv.Effects { // git's patterns match at every level
		if e.Kind != tool.Read {
			continue
		}
		base, sure := paths.GlobBase(e.Target)
		if !e.Pattern || !sure {
			return taken{role: t.role}
		}
		t.picks = append(t.picks, pick{pattern: Known(base, e.Span)})
	}
	return t
}

// picks are what flags say of the names that are taken in or left out, in their order.
func (l *commandLine) picks() (list []pick) {
	if slices.ContainsFunc(l.given, func(g flagUse) bool { return hasWord("--anchored --no-wildcards", g.name) }) {
		return nil // the patterns mean something else
	}
	for i := range l.given {
		g := &l.given[i]
		if g.flag == nil || len(g.values) == 0 {
			continue
		}
		switch w := g.values[0]; {
		case g.flag.has("excludes"):
			list = append(list, pick{w, true})
		case g.flag.has("file-type"):
			list = append(list, pick{l.typePattern(w), false})
		case !g.flag.has("includes"):
		case strings.HasPrefix(w.Text, "!"):
			list = append(list, pick{w.From(1), true})
		default:
			list = append(list, pick{w, false})
		}
	}
	return list
}

// typePattern is a pattern of the names of a type, of the first and the last letter of their ending: yaml is yml as well. A type that
// is made up may be any.
func (l *commandLine) typePattern(w Word) Word {
	made := slices.ContainsFunc(l.given, func(g flagUse) bool { return g.flag != nil && g.flag.has("type-glob") })
	if !w.IsKnown() || w.Text == "" || w.Text == "all" || made {
		return Known("*", w.Span)
	}
	w.Text = "*." + w.Text[:1] + "*" + w.Text[len(w.Text)-1:]
	return w
}

// in says whether a file of a name in a directory may be taken in. The last pattern that matches it
// decides, and without one the kind of the first.
func (t taken) in(dir, name string) bool {
	if t.shuns && !t.hidden && name[0] == '.' && !t.unhides(at(dir, name)) {
		return false
	}
	in := len(t.picks) == 0 || t.picks[0].out
	for _, p := range t.picks {
		if match, sure := p.matches(name); p.out && match && sure {
			in = false
		} else if !p.out && (match || !sure) {
			in = true
		}
	}
	return in
}

// matches says whether a pattern matches the name of a file that lies right where the search
// begins, and whether that is sure.
func (p *pick) matches(name string) (match, sure bool) {
	text := p.pattern.Text
	switch {
	case p.pattern.Reach != tool.Exact || strings.IndexByte(text, '\\') >= 0:
		return false, false
	case strings.IndexByte(text, '/') >= 0: // which directory it is seen from depends on the program
		return false, p.out
	case p.out:
		return paths.Match(text, name)
	}
	for _, part := range unbraced(strings.ToLower(text)) { // braces and large letters may not matter
		match, sure = paths.Match(part, strings.ToLower(name))
		if match || !sure || strings.ContainsAny(part, "{}") {
			return match, false
		}
	}
	return false, true
}

// secretsIn lists files of secrets that lie in a directory, of names that are taken in.
func (d *deeds) secretsIn(dir string, names taken) []string {
	if d.world.Entries == nil || d.world.Secret == nil || d.inv.Remote {
		return nil
	}
	return secretsAmong(d, dir, sweptNames(d, dir), names)
}

// sweptNames is what lies in a directory, as far as it is looked at.
func sweptNames(d *deeds, dir string) []tool.Entry {
	list, _ := d.world.Entries(strings.TrimSuffix(dir, "/") + "/")
	return list[:min(len(list), maxSwept)]
}

// secretsAmong is [deeds.secretsIn] for some of a directory.
func secretsAmong(d *deeds, dir string, list []tool.Entry, names taken) []string {
	var found []string
	for _, entry := range list {
		file := at(dir, entry.Name)
		if d.isSecret(tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact}) && names.in(dir, entry.Name) && d.lib.Comes(d.world, holds(names.role), file) {
			if found = append(found, file); len(found) == maxSpoken {
				break
			}
		}
	}
	return found
}

// seeksSecrets says whether what is searched for is what secrets look like, or all there
// is.
func (r *reader) seeksSecrets() bool {
	folds := foldsCase(r)
	return seeksAll(r) || slices.ContainsFunc(r.scope.patterns, func(p string) bool { return seeksSecret(p, folds) })
}

// foldsCase says whether small and large letters may be the same in a search.
func foldsCase(r *reader) bool {
	return slices.ContainsFunc(r.given, func(g flagUse) bool {
		return hasWord("-i --ignore-case -y -S --smart-case", g.name)
	})
}

// seeksAll says whether what is searched for is all there is, or all but something: one of the expressions has no letters that limit it.
func seeksAll(r *reader) bool {
	turned := slices.ContainsFunc(r.given, func(g flagUse) bool {
		return hasWord("-v --invert-match --not --passthru --passthrough --any-line", g.name)
	})
	return turned || slices.ContainsFunc(r.scope.patterns, func(p string) bool { return !limits(p) })
}

// seeksSecret says whether an expression has the name of a secret in it, as settings write
// them. The words of code, password or tokenize, are looked for every day.
func seeksSecret(pattern string, folds bool) bool {
	folds = folds || strings.Contains(pattern, "(?i")
	for way := range strings.FieldsFuncSeq(plainly(pattern, false), func(c rune) bool { return c == '|' || c == '\n' }) {
		whole := strings.Trim(way, "_= :\"'")
		for rest := way; rest != ""; {
			end := max(1, nameLength(rest))
			name := rest[:end]
			alone := strings.Trim(name, "_") == whole || strings.HasPrefix(rest[end:], "=")
			if (folds || name == strings.ToUpper(name)) && namesSecret(name, alone) {
				return true
			}
			rest = rest[end:]
		}
	}
	return false
}

// limits says whether an expression has letters or signs that must be there, whichever way one goes through it.
func limits(pattern string) bool {
	return !slices.ContainsFunc(strings.Split(strings.ReplaceAll(plainly(pattern, true), "\n", "|"), "|"), func(way string) bool {
		return strings.Trim(way, "._=: /@,;\"'") == ""
	})
}

// plainly is an expression, basic or extended, as the text that it is written for: a class of one letter is that letter, one of many an underscore, and anything else
// a blank, or two if it may be longer. What must be there only leaves out what may be missing.
func plainly(pattern string, must bool) string {
	pattern = strings.NewReplacer(`\(_\|-\)`, "_", "(_|-)", "_").Replace(pattern)
	var out []byte
	var open []int
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if c == '\\' && i+1 < len(pattern) {
			if i++; strings.IndexByte("(){}|?+", pattern[i]) < 0 {
				switch c = pattern[i]; {
				case strings.IndexByte("wdWSD_-", c) >= 0:
					c = '_'
				case c != '.':
					c = ' '
				}
				out = append(out, c)
				continue
			}
			c = pattern[i]
		}
		switch c {
		case '(':
			open = append(open, len(out))
			if rest := pattern[i+1:]; strings.HasPrefix(rest, "?") {
				i += 1 + max(0, strings.IndexAny(rest, ":)>=!")) // (?i), (?:x)
				if strings.HasSuffix(pattern[:i+1], ")") {
					open = open[:len(open)-1]
				}
			}
		case ')':
			if from := len(open) - 1; from >= 0 {
				if must && (optional(pattern[i+1:]) || strings.Contains(pattern[:i], "(?!")) {
					out = out[:open[from]]
				}
				open = open[:from]
			}
		case '[':
			var one byte
			one, i = classAt(pattern, i)
			if !must || one != '_' {
				out = append(out, one)
			}
		case '{':
			i += max(0, strings.IndexByte(pattern[i:], '}'))
		case '.':
			if out = append(out, ' '); strings.HasPrefix(pattern[i+1:], "*") || strings.HasPrefix(pattern[i+1:], "+") {
				out = append(out, ' ')
			}
		case '?', '*', '+', '^', '$', '}':
		default:
			if !must || !optional(pattern[i+1:]) {
				out = append(out, c)
			}
		}
	}
	return string(out)
}

// optional says whether an expression goes on with a sign that what stands before it may be missing.
func optional(rest string) bool {
	rest = strings.TrimPrefix(rest, `\`)
	return rest != "" && (rest[0] == '?' || rest[0] == '*') || strings.HasPrefix(rest, "{0") || strings.HasPrefix(rest, "{,")
}

// classAt is what a class that begins in an expression stands for, and where it ends.
func classAt(pattern string, at int) (one byte, end int) {
	from := at + 1
	turned := strings.HasPrefix(pattern[from:], "^")
	if turned {
		from++
	}
	end = min(from+1, len(pattern)-1)
	for end < len(pattern)-1 && pattern[end] != ']' {
		if strings.HasPrefix(pattern[end:], "[:") || pattern[end] == ':' && end+1 < len(pattern) && pattern[end+1] == ']' {
			end++
		}
		end++
	}
	inner := pattern[min(from, end):end]
	switch {
	case turned:
		return ' ', end
	case len(inner) == 1:
		return inner[0], end
	case len(inner) == 2 && strings.EqualFold(inner[:1], inner[1:]):
		return strings.ToUpper(inner)[0], end
	case letters(inner) > 0 || strings.Trim(inner, "_-.") == "":
		return '_', end
	}
	return ' ', end
}

// namesSecret says whether a word of a pattern is the name of a secret in settings. A key is
// one if nothing else stands beside it.
func namesSecret(name string, alone bool) bool {
	name = strings.Trim(name, "_")
	return language.SecretName(name) || alone && strings.EqualFold(name, "key") || strings.HasSuffix(strings.ToUpper(name), "_KEY")
}
