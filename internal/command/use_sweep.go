package command

import (
	"slices"
	"strings"

	"longline/internal/language"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// A search that comes across a file of secrets shows a line of it by chance, and chance asks nobody: otherwise every search of a project
// would. It is no chance any more if whole files are printed, whatever they are, or if the search is for what secrets look like. Models say
// "read @swept" of what walks through a directory itself. What prints files that a list names needs no word in its model: that it prints what it
// reads is enough. Which files a search leaves out is not followed: the reader holds against the whole directory what sweeps it.

// swept notes that the content of directories or of what a list names is shown or kept.
func (r *reader) swept() {
	if r.scope.patterned && !r.seeksSecrets() {
		return
	}
	r.inv.Sweeps = true
	if !r.scope.tracked {
		return
	}
	some := false
	for i := range r.inv.Effects {
		if e := &r.inv.Effects[i]; e.Kind == tool.Read {
			some, e.Tree = true, true
		}
	}
	if here := r.path(tool.Read, Known(".", r.inv.Span)); !some && here.Reach != tool.Anywhere {
		here.Tree = true
		r.effect(here)
	}
}

// maxMovedTrees bounds the trees that are looked at because of links and moves.
const maxMovedTrees = 64

// maxRoots bounds the directories of a pattern or a list that are looked at, maxRooted those of all patterns of a script. Those at the
// top come first.
const maxRoots, maxRooted = 1000, 2000

// rooted are the directories of patterns and lists that were looked at.
type rooted struct {
	world  *tool.World // of one reading of a script, as [tool.World.Remembering] makes it
	found  map[places][]string
	secret map[string][]string // files of secrets, by the directory that they lie below
	left   int                 // directories that may be looked at
}

// places are those that were looked at: a directory or a pattern of them, or what is below.
type places struct {
	target                  string
	pattern, below, follows bool
}

// entriesOf makes a pattern of an effect on what is in a directory.
func entriesOf(e tool.Effect) tool.Effect {
	if !e.Pattern {
		e.Target, e.Pattern = strings.TrimSuffix(paths.Escape(e.Target), "/")+"/*", true
	}
	return e
}

// directoriesOf are the directories on the disk that an effect is on, or those at every level below them.
func directoriesOf(d *deeds, e tool.Effect, below bool) []string {
	if d.world.Entries == nil || d.inv.Remote {
		return nil
	}
	known := &d.lib.rooted
	if !d.world.Still() || known.world != d.world {
		*known = rooted{world: d.world, found: map[places][]string{}, secret: map[string][]string{}, left: maxRooted}
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

// packs notes that what is printed or written holds the files of a whole directory. With the argument "operand" it is only printed if the
// first operand says so, and else written there; with "file" it is written.
func (r *reader) packs(d *Data, arg string) {
	r.inv.Packs = true
	if arg == "file" || arg == "operand" && len(r.oper) > 0 && !isStream(r.oper[0].Text) {
		return
	}
	d.Taint |= FromTree
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
