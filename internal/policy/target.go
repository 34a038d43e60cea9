package policy

import (
	"strings"

	"longline/internal/host"
	"longline/internal/paths"
	"longline/internal/tool"
)

// target is what an effect is on, ready to be held against places.
type target struct {
	effect tool.Effect
	reach  ReachSet
	tree   bool   // everything below is touched, or something there may be
	spots  []spot // of a path: all spellings that are known; each is the same thing
}

// spot is one spelling of a path or a pattern of paths.
type spot struct {
	at      place     // of a pattern: the directory before its first wildcard
	rest    string    // of a pattern: what follows; "" for a path
	tokens  []token   // worked out when they are needed
	name    []token   // of a pattern: its last name
	spells  letterSet // what that spells out, once it is needed
	spelled bool
	deep    bool // a pattern over any number of directories: **
	// What has been worked out about zones, and for which.
	known ZoneSet
	met   [zoneCount]meeting
}

func (g *ground) target(e tool.Effect) target {
	if e.Kind.IsHost() && e.Reach == tool.Exact {
		e = canonical(e)
	}
	t := target{effect: e, tree: e.Tree || e.Reach == tool.Under, reach: reachOf(&e)}
	if path, ok := codeFile(e); ok {
		t.addPath(g, path)
		return t
	}
	if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
		return t
	}
	switch {
	case !absolute(e.Target):
		// It depends on a directory nobody knows.
		t.reach = ReachAnywhere
	case e.Reach == tool.Prefix:
		t.spots = []spot{{at: g.place("/"), rest: "**", tokens: append(spelled(e.Target), token{op: globstar})}}
	case e.Pattern:
		t.addPattern(g, e.Target)
	default:
		t.addPath(g, e.Target)
	}
	return t
}

// canonical is an effect on a host under the one name that rules compare, or on an unknown one
// if it is none.
func canonical(e tool.Effect) tool.Effect {
	if name, ok := host.Canonical(e.Target); ok {
		e.Target = name
	} else {
		e.Target, e.Reach = "", tool.Anywhere
	}
	return e
}

// reachOf says in the words of rules how well the target of an effect is known.
func reachOf(e *tool.Effect) ReachSet {
	switch {
	case e.Reach == tool.Anywhere || e.Reach == tool.Prefix || e.Target == "":
		return ReachAnywhere
	case e.Reach == tool.Under:
		return ReachUnder
	case e.Pattern:
		return ReachPattern
	}
	return ReachExact
}

// absolute says whether a text can be an absolute path.
func absolute(path string) bool {
	return path != "" && path[0] == '/' && strings.IndexByte(path, 0) < 0
}

// codeFile is the file of code that an effect runs, if it is known which: of
// file:/x/y.py that is /x/y.py.
func codeFile(e tool.Effect) (path string, ok bool) {
	if e.Kind != tool.Execute || e.Reach != tool.Exact || e.Pattern {
		return "", false
	}
	_, path, ok = strings.Cut(e.Target, ":")
	return path, ok && absolute(path) && paths.Literal(path)
}

// addPath adds the path as written and as links lead. A link that is deleted is
// deleted itself, not what it points at, unless that is cleared through it.
func (t *target) addPath(g *ground, path string) {
	short, known := unmask(clean(path))
	if !known {
		t.reach, t.spots = ReachAnywhere, nil
		return
	}
	t.spots = append(t.spots, spot{at: g.place(short)})
	if real, _ := unmask(g.follow(path, !t.effect.Unlinks())); real != short {
		t.spots = append(t.spots, spot{at: g.place(real)})
	}
}

// addPattern adds what a pattern can be: one of its alternatives, if it has some.
func (t *target) addPattern(g *ground, pattern string) {
	list := alternatives(pattern, nil)
	if len(list) == 1 {
		t.addOne(g, pattern)
		return
	}
	for _, one := range list {
		if dir, ok := strings.CutSuffix(one, "/**"); ok && paths.Literal(dir) {
			// Anything below a directory.
			t.tree, t.reach = true, t.reach|ReachUnder
			t.addPath(g, dir)
			continue
		}
		t.addOne(g, one)
	}
}

// maxAlternatives bounds the patterns that one is taken apart into.
const maxAlternatives = 64

// alternatives takes a pattern apart at @(A|B).
func alternatives(pattern string, list []string) []string {
	bars := firstGroup(pattern)
	if len(bars) == 0 || len(list)+len(bars) > maxAlternatives {
		return append(list, pattern)
	}
	before, after := pattern[:bars[0]-1], pattern[bars[len(bars)-1]+1:]
	for k := 1; k < len(bars); k++ {
		list = alternatives(before+pattern[bars[k-1]+1:bars[k]]+after, list)
	}
	return list
}

// firstGroup finds the first @(A|B) of a pattern: where its parentheses and its bars are. One
// in another is not worked out.
func firstGroup(pattern string) (bars []int) {
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case len(bars) == 0:
			if strings.HasPrefix(pattern[i:], "@(") {
				i++
				bars = append(bars, i)
			}
		case c == '(':
			return nil
		case c == '|':
			bars = append(bars, i)
		case c == ')':
			return append(bars, i)
		}
	}
	return nil
}

// addOne adds a pattern without alternatives.
func (t *target) addOne(g *ground, pattern string) {
	dir, rest := splitPattern(pattern)
	if rest == "" { // no wildcard after all
		t.addPath(g, dir)
		return
	}
	if dir == "" {
		dir = "/"
	}
	short, known := unmask(clean(dir))
	if !known || strings.Contains("/"+rest+"/", "/../") {
		t.reach, t.spots = ReachAnywhere, nil
		return
	}
	real, _ := unmask(g.follow(dir, true))
	t.spots = append(t.spots, g.patternSpot(short, rest))
	if real != short {
		t.spots = append(t.spots, g.patternSpot(real, rest))
	}
	// Everything in a directory is the directory: rm -r ~/* is rm -r ~.
	if t.effect.Tree && (t.effect.Kind == tool.Delete || t.effect.Kind == tool.Write) && allEverything(rest) {
		t.spots = append(t.spots, spot{at: g.place(short)})
	}
}

func (g *ground) patternSpot(dir, rest string) spot {
	deep := strings.Contains(rest, "**")
	name, _ := compile(lastName(rest), wildcards(deep))
	return spot{at: g.place(dir), rest: rest, name: name, deep: deep}
}

// wildcards says whose they are: those of programs that search any number of
// directories match names that begin with a dot, unlike the shell's.
func wildcards(deep bool) dialect {
	if deep {
		return inRules
	}
	return inShell
}

// all returns the whole of what the spot can be.
func (s *spot) all() []token {
	if s.tokens != nil {
		return s.tokens
	}
	s.tokens = spelled(s.at.path)
	if s.rest != "" {
		rest, _ := compile(s.rest, wildcards(s.deep))
		if s.at.path != "/" {
			s.tokens = append(s.tokens, token{r: '/'})
		}
		s.tokens = append(s.tokens, rest...)
	}
	return s.tokens
}

// splitPattern splits a shell pattern into the directory that is known (with
// quoting removed) and the rest that begins with the first wildcard's name.
func splitPattern(pattern string) (dir, rest string) {
	var b strings.Builder
	start, length := 0, 0 // of the name being read, in pattern and in b
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '*', '?', '[':
			return b.String()[:length], strings.TrimLeft(pattern[start:], "/")
		case '\\':
			if i++; i < len(pattern) {
				b.WriteByte(pattern[i])
			}
		case '(':
			if i > 0 && strings.IndexByte("@!+", pattern[i-1]) >= 0 {
				return b.String()[:length], strings.TrimLeft(pattern[start:], "/")
			}
			b.WriteByte(c)
		default:
			if c == '/' {
				start, length = i, b.Len()
			}
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// everything says whether a name's pattern matches (nearly) all names.
func everything(name string) bool {
	return strings.Contains(name, "*") && strings.Trim(name, "*?.") == "" || name == ".[!.]*"
}

// allEverything says whether that is so of all names of a pattern.
func allEverything(rest string) bool {
	for rest != "" && everything(lastName(rest)) {
		rest = strings.TrimSuffix(strings.TrimSuffix(rest, lastName(rest)), "/")
	}
	return rest == ""
}
