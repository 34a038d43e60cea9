package shell

import (
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
// directories, their entries, and the names that are kept. What is beyond them passes for ordinary.
const maxTreeDirs, maxTreeNames, maxTreeOdd = 1000, 20_000, 1000

// maxWalked bounds the directories of all trees that a script makes lists of.
const maxWalked = 4 * maxTreeDirs

// blankBytes are the characters at which names are taken apart; xargs reads quotes and backslashes besides.
const blankBytes = " \t\n"

// tree is what has been found below a directory.
type tree struct {
	dir   string
	depth int      // so many levels were looked at; 0 for all
	odd   []string // paths from dir of which a list may be taken apart
	left  int      // entries that may still be looked at
}

// treeBelow looks through a directory and those below it, links left out. It is done once.
func (led *ledger) treeBelow(dir string, depth int) *tree {
	for _, t := range led.trees {
		if t.dir == dir && t.depth == depth {
			return t
		}
	}
	t := &tree{dir: dir, depth: depth, left: maxTreeNames}
	led.trees = append(led.trees, t)
	dirs := []string{""}
	for i := 0; i < len(dirs) && led.walked < maxWalked && t.left > 0; i++ {
		led.walked++
		list, _ := led.world.Entries(strings.TrimSuffix(paths.Clean(dir, dirs[i]), "/") + "/")
		for _, e := range list {
			if below, ok := t.note(dirs[i], e); ok && len(dirs) < maxTreeDirs {
				dirs = append(dirs, below)
			}
		}
	}
	return t
}

// note looks at an entry of a directory of the tree. It says whether that is a directory to be
// looked at in turn.
func (t *tree) note(dir string, e tool.Entry) (path string, descend bool) {
	t.left--
	if path = e.Name; dir != "" {
		path = dir + "/" + e.Name
	}
	if strings.ContainsAny(path, blankBytes+`'"\`) && len(t.odd) < maxTreeOdd {
		t.odd = append(t.odd, path)
	}
	return path, e.Dir && !e.Link && path != ".git" && (t.depth == 0 || strings.Count(path, "/")+1 < t.depth)
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
	dir   string // absolute
	match string // as in [command.Data]
	depth int    // so many levels of directories are listed; 0 for all
	at    string // the characters
}

// pattern makes it the list of what a pattern matches that is seen from a directory.
func (l *nameList) pattern(dir, glob string) {
	at := strings.LastIndexByte(paths.Fixed(glob), '/') + 1
	l.dir, l.match = paths.Clean(dir, paths.Unescape(glob[:at])), glob[at:]
	if !strings.Contains(l.match, "**") && strings.IndexByte(l.match, '(') < 0 {
		l.depth = strings.Count(l.match, "/") + 1
	}
}

// strays looks where the parts of names lead to. It tells one of the names, too.
func (led *ledger) strays(l nameList) (worst strays, name string) {
	if led.world.Entries == nil || led.remote || l.dir == "" {
		return straysNone, ""
	}
	for _, path := range led.treeBelow(l.dir, l.depth).odd {
		if kind := l.leads(path); kind > worst && l.has(path) {
			worst, name = kind, path
		}
	}
	return worst, name
}

// leads says where the parts of a path lead to.
func (l nameList) leads(path string) strays {
	if !strings.ContainsAny(path, l.at) {
		return straysNone
	}
	if strings.ContainsAny(l.at, `'"\`) {
		path = unquoted(path)
	}
	parts := strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune(l.at, c) })
	worst := straysNear
	for i, part := range parts {
		if i == 0 {
			part = "./" + part // behind the directory that is listed
		}
		worst = max(worst, leadsTo(part))
	}
	return worst
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
		return true
	}
	return slices.ContainsFunc(value.Alternatives(l.match), func(pattern string) bool {
		is, sure := paths.Match(pattern, path)
		if !is && sure {
			is, sure = paths.Match(pattern, "/"+path) // **/ stands for no directory, too
		}
		return is || !sure
	})
}

// listed are the words that a list of files becomes as the input of a program that takes it apart.
func (led *ledger) listed(d command.Data, outer *command.Invocation) []command.Word {
	far := command.Word{Taint: d.Taint, Span: outer.Span, Plain: d.Plain, Of: d.Of}
	if led.blanks {
		return []command.Word{far}
	}
	line := d.Line(outer.Span)
	list := nameList{dir: d.Text, match: d.Match, at: blankBytes + `'"\`}
	kind, name := led.strays(list)
	if kind == straysFar || kind != straysNone && outer.Dir.Reach != tool.Exact {
		outer.Gaps = append(outer.Gaps, command.Gap{Why: takenApart(name), Span: outer.Span})
		return []command.Word{far}
	}
	return append([]command.Word{line}, list.parts(kind, outer.Dir, line)...)
}

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
	w := command.Word{Text: dir.Text, Reach: tool.Under, Taint: like.Taint, Span: like.Span}
	words = append(words, w)
	if !paths.Within(l.dir, dir.Text) {
		w.Text = l.dir
		words = append(words, w)
	}
	if kind == straysDash {
		words = append(words, command.Word{Text: "*", Reach: tool.Exact, Glob: true, Split: true, Taint: like.Taint, Span: like.Span})
	}
	return words
}
