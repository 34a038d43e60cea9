package shell

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// A list of files is taken apart at blanks, by xargs and by the shell where no quotes
// are, and the parts of a name lead elsewhere: below "a /etc" there is a file "/etc/x". Most
// trees have no such names. So it is looked whether this one has, when a list of
// its names is taken apart.

// maxTreeDirs, maxTreeNames and maxTreeOdd bound what is looked at of a tree: its
// directories, their entries, and the names that are kept. What is beyond them is not known.
const maxTreeDirs, maxTreeNames, maxTreeOdd = 1000, 20_000, 1000

// maxWalked bounds the directories of all trees that a script makes lists of.
const maxWalked = 4 * maxTreeDirs

// blankBytes are the characters at which names are taken apart; quoteBytes are those that xargs removes.
const blankBytes, quoteBytes = " \t\n", `'"\`

// tree is what has been found below a directory.
type tree struct {
	dir    string
	depth  int      // so many levels were looked at; 0 for all
	odd    []string // paths from dir of which a list may be taken apart; a directory, or what may be one, ends in a slash
	links  []string // paths from dir that are symbolic links
	theirs []string // and those in directories that tools fill
	left   int      // entries that may still be looked at
	beyond bool     // there is more than was looked at
	cut    bool     // or there is more in directories that tools fill

	dirs      []string // to be looked at
	installed []string // and after them, as tools have filled them
	own       bool     // it is at the first of these
}

// walkedFrom is a directory that is looked through so deep.
type walkedFrom struct {
	dir   string
	depth int
}

// treeBelow looks through a directory and those below it, links left out. It is done once.
func (led *ledger) treeBelow(dir string, depth int) *tree {
	if t := led.trees[walkedFrom{dir, depth}]; t != nil {
		return t
	}
	t := &tree{dir: dir, depth: depth, left: maxTreeNames, dirs: []string{""}, own: true}
	if led.trees == nil {
		led.trees = map[walkedFrom]*tree{}
	}
	led.trees[walkedFrom{dir, depth}] = t
	whole := true
	for i := 0; whole && t.more(i); i++ {
		if whole = i < maxTreeDirs && led.walked < maxWalked && t.left > 0; whole {
			led.walked++
			whole = t.look(led.world, t.dirs[i])
		}
	}
	t.cut = !whole
	t.beyond = t.beyond || !whole && (t.own || !keepsOut(led.world, dir))
	t.dirs, t.installed = nil, nil
	return t
}

// more says whether there is a directory to be looked at after so many.
func (t *tree) more(n int) bool {
	if n == len(t.dirs) && len(t.installed) > 0 {
		t.dirs, t.installed, t.own = append(t.dirs, t.installed...), nil, false
	}
	return n < len(t.dirs)
}

// look looks at a directory. It says whether it has seen all that is in it.
func (t *tree) look(world *tool.World, dir string) bool {
	list, whole := world.Entries(strings.TrimSuffix(paths.Clean(t.dir, dir), "/") + "/")
	for _, e := range list {
		switch below, descend := t.note(dir, e); {
		case descend && t.own && slices.Contains(command.Installs, e.Name):
			t.installed = append(t.installed, below)
		case descend && len(t.dirs) <= maxTreeDirs:
			t.dirs = append(t.dirs, below)
		}
	}
	return whole || len(list) == 0
}

// keepsOut says whether the repository of a directory has no directory that tools fill with packages: its index names no
// file in one. Nobody needs an odd name to do harm there: what is in them runs with every build. That holds of what was
// installed here, not of what came with a repository.
func keepsOut(world *tool.World, dir string) bool {
	index := command.GitIndex(world, dir)
	if index == "" || world.ReadAt == nil {
		return false
	}
	const overlap = 16
	room := make([]byte, 64<<10)
	kept := 0
	for at := 0; at < maxIndex; {
		n, _ := world.ReadAt(index, int64(at), room[kept:])
		if at == 0 && (n < 8 || room[7] > 3) { // later versions shorten names
			return false
		}
		text := room[:kept+max(n, 0)]
		if slices.ContainsFunc(command.Installs, func(name string) bool { return bytes.Contains(text, []byte(name+"/")) }) {
			return false
		}
		if n <= 0 {
			return true
		}
		at, kept = at+n, copy(room, text[max(0, len(text)-overlap):])
	}
	return false
}

// maxIndex bounds what is read of an index.
const maxIndex = 32 << 20

// note looks at an entry of a directory of the tree. It says whether that is a directory to be
// looked at in turn.
func (t *tree) note(dir string, e tool.Entry) (path string, descend bool) {
	t.left--
	if path = e.Name; dir != "" {
		path = dir + "/" + e.Name
	}
	if e.Link {
		t.noteLink(path)
	}
	if strings.ContainsAny(path, blankBytes+quoteBytes) {
		if t.beyond = t.beyond || len(t.odd) >= maxTreeOdd; !t.beyond {
			t.odd = append(t.odd, path)
		}
		if (e.Dir || e.Link) && !t.beyond {
			t.odd[len(t.odd)-1] += "/"
		}
	}
	return path, e.Dir && !e.Link && path != ".git" && (t.depth == 0 || strings.Count(path, "/")+1 < t.depth)
}

// noteLink notes a link.
func (t *tree) noteLink(path string) {
	if t.own {
		t.links = append(t.links, path)
	} else {
		t.theirs = append(t.theirs, path)
	}
}

// strays says where the parts of names lead to that are taken apart.
type strays uint8

const (
	straysNone strays = iota
	straysNear        // below the directory that the program runs in
	straysDash        // and some may be options of it
	straysFar         // anywhere
)

// nameList is names of files that are taken apart at some characters.
type nameList struct {
	dir    string // absolute
	match  string // as in [command.Data]
	depth  int    // so many levels of directories are listed; 0 for all
	at     string // the characters
	quotes bool   // quotes and backslashes are removed
	trims  bool   // blanks at the ends are
	before string // what stands in front of each name in its word
	behind string // and behind it
}

// pattern makes it the list of what a pattern matches that is seen from a directory.
func (l *nameList) pattern(dir, glob string) {
	at := strings.LastIndexByte(paths.Fixed(glob), '/') + 1
	l.dir, l.match = paths.Clean(dir, paths.Unescape(glob[:at])), glob[at:]
	if !strings.Contains(l.match, "**") && strings.IndexByte(l.match, '(') < 0 {
		l.depth = strings.Count(strings.TrimRight(l.match, "/"), "/") + 1
	}
}

// strays looks where the parts of names lead to. It tells one of the names, too, and whether there are
// more than could be looked at.
func (led *ledger) strays(l nameList) (worst strays, name string, beyond bool) {
	if led.remote || l.dir == "" || l.at == "" && !l.quotes && !l.trims {
		return straysNone, "", false
	}
	beyond = slices.ContainsFunc(led.unpacked, l.mayList) || len(led.odd) == maxTreeOdd
	names, more := led.oddBelow(l.dir, l.depth)
	worst, name = l.worst(names)
	for _, c := range led.copied {
		if c.from != l.dir && c.from != throughPipe && l.mayList(c.to) {
			names, lost := led.oddBelow(c.from, 0)
			if kind, path := l.ofAll().worst(names); kind > worst {
				worst, name = kind, path
			}
			more = more || lost
		}
	}
	return worst, name, beyond || more
}

// oddBelow are the names with blanks or quotes below a directory, from there: those that the script has made, and those
// that are on the disk. It says whether there may be more.
func (led *ledger) oddBelow(dir string, depth int) (names []string, more bool) {
	if names = led.made(dir); led.world.Entries == nil {
		return names, false
	}
	t := led.treeBelow(dir, depth)
	return append(names, t.odd...), t.beyond
}

// copied is a directory that has been copied or moved to a place, with the names in it.
type copied struct {
	from, to string
	some     bool // and not all of them
}

// maxCopied bounds the copies that are remembered.
const maxCopied = 64

// throughPipe is where copies are that go from one program to another.
const throughPipe = "|"

// noteCopied notes directories that an invocation copies or moves, packs or unpacks.
func (led *ledger) noteCopied(inv *command.Invocation) {
	tree := inv.Packs || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Tree && e.Kind.IsPath() })
	if slices.Contains(led.unpacked, "/") || !tree && len(led.copied) == 0 {
		return
	}
	puts := slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Write })
	to := putTo(inv.Effects)
	if !puts && inv.Shows {
		to = []string{throughPipe}
	}
	seen := map[string]bool{}
	if !inv.Stdin.None && puts && isCopy(led.copied, throughPipe) {
		noteCopies(led, inv, throughPipe, to)
	}
	for _, source := range inv.Effects {
		from := dirOf(source)
		switch {
		case slices.Contains(led.unpacked, "/"): // there were too many
			return
		case source.Kind != tool.Read || source.Reach == tool.Anywhere || seen[from]:
		case tree || holdsCopies(led.copied, source):
			seen[from] = true
			noteCopies(led, inv, from, to)
		}
	}
}

// putTo are the places that effects write to, each one once.
func putTo(effects []tool.Effect) (list []string) {
	seen := map[string]bool{}
	for _, e := range effects {
		if at := dirOf(e); e.Kind == tool.Write && e.Reach != tool.Anywhere && !seen[at] {
			seen[at] = true
			list = append(list, at)
		}
	}
	return list
}

// isCopy says whether something was copied to a place, or packed there.
func isCopy(copies []copied, path string) bool {
	return slices.ContainsFunc(copies, func(c copied) bool { return c.to == path })
}

// holdsCopies says whether what is read is a copy of a directory, or several files in one.
func holdsCopies(copies []copied, e tool.Effect) bool {
	many := e.Pattern || e.Reach == tool.Under
	return slices.ContainsFunc(copies, func(c copied) bool { return c.to == e.Target || many && paths.Within(e.Target, c.to) })
}

// noteCopies notes that a directory goes to some places: as those, or below them by its own name as it is seen from where the program
// runs.
func noteCopies(led *ledger, inv *command.Invocation, from string, to []string) {
	name := from[strings.LastIndexByte(from, '/')+1:]
	if rest, below := strings.CutPrefix(from, strings.TrimSuffix(inv.Dir.Text, "/")+"/"); below {
		name = rest
	}
	for _, to := range to {
		for _, c := range [...]copied{{from, to, inv.Chooses}, {from, to + "/" + name, inv.Chooses}} {
			if c.from != c.to && c.to[len(c.to)-1] != '/' && !slices.Contains(led.copied, c) {
				led.copied = append(led.copied, c)
			}
		}
		if len(led.copied) > maxCopied {
			led.copied = nil
			led.unpackedTo("/")
			return
		}
	}
}

// dirOf is the place of an effect: of a pattern the directory in front of it.
func dirOf(e tool.Effect) string {
	if e.Pattern {
		return firstWild(e.Target).dir
	}
	return e.Target
}

// made are the names with blanks or quotes that the script has given to files below a directory, from there.
func (led *ledger) made(dir string) (list []string) {
	for _, path := range led.odd {
		if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/")+"/"); ok {
			list = append(list, rest+"/")
		}
	}
	return list
}

// worst is where a part of one of some names leads to.
func (l nameList) worst(names []string) (worst strays, name string) {
	for _, path := range names {
		file := strings.TrimSuffix(path, "/")
		if kind := l.leads(file); kind > worst && l.has(file) {
			worst, name = kind, file
		}
		if kind := l.leads(path); kind > worst && path != file && l.has(path) { // a pattern of directories ends in a slash
			worst, name = kind, path
		}
	}
	return worst, name
}

// ofAll is the list of all names, as they stand in this one.
func (l nameList) ofAll() nameList {
	if strings.HasSuffix(l.match, "/") {
		l.behind = "/" + l.behind
	}
	l.match = ""
	return l
}

// mayList says whether files of a directory may be in the list.
func (l nameList) mayList(dir string) bool {
	return dir == "" || paths.Within(dir, l.dir) || paths.Within(l.dir, dir)
}

// leads says where the parts of a path lead to.
func (l nameList) leads(path string) (worst strays) {
	given := path
	if l.quotes {
		path = unquoted(path)
	}
	if strings.ContainsAny(given, l.at) || path != given {
		worst = straysNear
		// The directory that is listed may stand in front, or nothing.
		for _, part := range strings.FieldsFunc("./"+path+l.behind, func(c rune) bool { return strings.ContainsRune(l.at, c) }) {
			worst = max(worst, leadsTo(part))
		}
		if l.before != "" && strings.IndexByte(l.at, path[0]) >= 0 {
			worst = max(worst, leadsTo(l.before))
		}
	}
	if l.trims {
		worst = max(worst, trimmedTo(path), trimmedTo(path[strings.LastIndexByte(path, '/')+1:])) // its name alone, too
	}
	return worst
}

// trimmedTo says where a line leads to that loses the blanks at its ends.
func trimmedTo(line string) strays {
	if trimmed := strings.Trim(line, " \t"); trimmed != line && trimmed != "" {
		return max(straysNear, leadsTo(trimmed))
	}
	return straysNone
}

// unquoted is a name without what xargs takes for quotes.
func unquoted(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '\'' || c == '"' || c == '\\' {
			return -1
		}
		return c
	}, name)
}

// leadsTo says where a word leads to.
func leadsTo(word string) strays {
	switch {
	case word[0] == '/', paths.Climbs(word), isWild(word) && (word[0] == '.' || strings.Contains(word, "/.")):
		return straysFar
	case word[0] == '@', word[0] == '-' && len(word) > 1:
		return straysDash
	}
	return straysNear
}

// has says whether a path may be in the list.
func (l nameList) has(path string) bool {
	if l.match == "" {
		return !strings.HasSuffix(path, "/")
	}
	return slices.ContainsFunc(value.Alternatives(l.match), func(pattern string) bool {
		if strings.HasSuffix(pattern, "/") != strings.HasSuffix(path, "/") {
			return false
		}
		for _, one := range [...]string{"/" + pattern, pattern, strings.Replace("/"+pattern, "/**/", "/", 1), strings.ReplaceAll("/"+pattern, "/**/", "/")} {
			if is, sure := paths.Match(one, "/"+path); is || !sure {
				return true // **/ stands for no directory, too
			}
		}
		return false
	})
}

// Beyond the bounds the names are not known, and a repository can be made as large as that. Who only reads what
// is listed mostly reads the files of a large project, and what else a part of a name may lead to is shown and
// nothing more. So reading goes on as if there were no odd names, and all else asks: to delete and
// to write, to run what is listed, and programs that do so by flags, which a part of a name may be.

// listed are the words that a list of files becomes as the input of a program that takes it apart.
func (led *ledger) listed(d command.Data, outer *command.Invocation) []command.Word {
	far := command.Word{Taint: d.Taint, Span: outer.Span, Plain: d.Plain, Of: d.Of}
	if led.blanks {
		return []command.Word{far}
	}
	line := d.Line(outer.Span)
	list := nameList{dir: d.Text, match: d.Match, at: blankBytes, quotes: true}
	kind, name, beyond := led.strays(list)
	if kind == straysFar || kind != straysNone && outer.Dir.Reach < tool.Under {
		outer.Gaps = append(outer.Gaps, command.Gap{Why: takenApart(name), Span: outer.Span})
		return []command.Word{far}
	}
	if beyond {
		line.Taint |= command.Typed
		kind = straysDash
	}
	return append([]command.Word{line}, list.parts(kind, outer.Dir, line)...)
}

// inLines is the word that a line of a list of files becomes, which may be a part of a name that leads elsewhere.
func (led *ledger) inLines(l nameList, line command.Word) (w command.Word, name string) {
	switch kind, name, beyond := led.strays(l); {
	case kind >= straysDash:
		return command.Word{Taint: line.Taint, Span: line.Span, Of: line.Of}, name
	case kind != straysNone, beyond:
		line.Taint |= command.Typed
	}
	return line, ""
}

// lineOf is a line of a list of files that a program deals out line by line.
func (led *ledger) lineOf(d command.Data, outer *command.Invocation) command.Word {
	line := d.Line(outer.Span)
	l, divided := lineRule(outer)
	if !divided {
		return line
	}
	l.dir, l.match = d.Text, d.Match
	line, name := led.inLines(l, line)
	if name != "" {
		outer.Gaps = append(outer.Gaps, command.Gap{Why: takenApart(name), Span: outer.Span})
	}
	return line
}

// lineRule says how a program that deals out lines divides its input, if not at the ends of names. One that
// is given a delimiter leaves quotes and blanks alone.
func lineRule(outer *command.Invocation) (l nameList, divided bool) {
	l = nameList{at: "\n", quotes: true, trims: true}
	for _, flag := range outer.Flags {
		switch strings.TrimLeft(flag, "-") {
		case "0", "null":
			return l, false
		case "d", "delimiter":
			l = nameList{at: blankBytes}
		}
	}
	for _, w := range outer.Words {
		switch {
		case l.quotes || !w.IsKnown():
		case strings.HasSuffix(w.Text, `\0`):
			return l, false
		case strings.HasSuffix(w.Text, `\n`), strings.HasSuffix(w.Text, "\n"):
			l.at = "\n"
		}
	}
	return l, true
}

// dealt is a command that another one runs with lines of its input in its words, with what is known of these.
func (led *ledger) dealt(outer *command.Invocation, n *command.Nested) *command.Nested {
	if in := outer.Stdin; in.Reach != tool.Under || n.More || !n.Stdin.None || !slices.ContainsFunc(n.Words, isList) {
		return n
	}
	if led.lineOf(outer.Stdin, outer).Taint&command.Typed == 0 {
		return n
	}
	c := *n
	c.Words = slices.Clone(n.Words)
	for i, w := range c.Words {
		if c.Words[i].Taint |= command.Typed; w.Made != nil {
			made := *w.Made
			made.By.Taint |= command.Typed
			c.Words[i].Made = &made
		}
	}
	return &c
}

// isList says whether a word is made of a line of a list of files.
func isList(w command.Word) bool { return w.Reach != tool.Exact || w.Glob }

// takenApart says what happens to a name in a list.
func takenApart(name string) string {
	return "the file name " + strconv.Quote(name) + " is divided at its spaces or quotes, and a part of it names something else"
}

// parts are words for the parts of names that are taken apart: something below the directory that
// a program runs in, and the one that is listed, and options if there may be some.
func (l nameList) parts(kind strays, dir, like command.Word) (words []command.Word) {
	if kind == straysNone {
		return nil
	}
	w := command.Word{Text: dir.Text, Reach: tool.Under, Taint: like.Taint, Span: like.Span, Seen: value.Vantage(dir.Text)}
	words = append(words, w)
	if !paths.Within(l.dir, dir.Text) {
		w.Text, w.Seen = l.dir, like.Seen
		words = append(words, w)
	}
	if kind == straysDash {
		words = append(words, command.Word{Text: "*", Reach: tool.Exact, Glob: true, Split: true, Taint: like.Taint, Span: like.Span})
	}
	return words
}
