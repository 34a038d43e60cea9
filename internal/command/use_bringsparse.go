package command

import (
	"slices"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/paths"
	"longline/internal/tool"
)

// sparse looks at what goes from the disk because it is not in the part of the repository that stays there: the part that is
// named, was named before ("again"), or both ("more"). Of the files that git has, those matter that configure something. If the
// part consists of directories (the cone), git deletes every other directory with the files in it that it ignores.
func (b *bringing) sparse(how string, words []Word) {
	if dir := b.r.workingTree().Text; slices.ContainsFunc(b.r.inv.Cloned, func(clone string) bool { return paths.Within(dir, clone) }) {
		return // it is another repository then, with nothing in it but what git has
	}
	entries, err := b.store.Index()
	if err != nil {
		if b.world.Exists(b.data + "/index") {
			b.unread("it", err)
		}
		return
	}
	var stay cone
	if how != "sparse-again" {
		stay = b.named(words)
	}
	if how != "sparse" {
		stay = append(stay, b.stayed()...)
	}
	dirs := !b.r.flagGiven("--no-cone", false)
	for _, e := range entries {
		if full := b.root + "/" + e.Name; !b.said && !(dirs && stay.holds(e.Name)) && b.world.Protected(full) && b.world.Exists(full) {
			b.object(full, "take away")
		}
	}
	if dirs && !b.choosesByPatterns() {
		b.strays("", stay)
	}
}

// cone is the directories of a repository that stay on the disk, seen from the root of the working tree. The files stay
// as well that lie right in the directories above them.
type cone []string

// holds says whether a file stays.
func (c cone) holds(name string) bool {
	at := strings.LastIndexByte(name, '/')
	return at < 0 || gitstore.Under(name, c) || c.isAbove(name[:at])
}

// isAbove says whether a directory has one in it that stays.
func (c cone) isAbove(dir string) bool {
	return dir == "" || slices.ContainsFunc(c, func(d string) bool { return paths.Within(d, dir) })
}

// named is the directories that words and, by a flag, the lines of the standard input name. What is not known may be any
// directory, and so keeps none.
func (b *bringing) named(words []Word) (c cone) {
	if in := b.r.inv.Stdin; b.r.flagGiven("--stdin", false) && in.Reach == tool.Exact {
		for line := range strings.Lines(in.Text) {
			words = append(words[:len(words):len(words)], Known(strings.TrimSuffix(line, "\n"), b.r.inv.Span))
		}
	}
	for _, w := range words {
		if b.in == "" {
			w.Text = strings.TrimPrefix(w.Text, "/")
		}
		if dir, _, plain := b.pathspec(w); plain && dir != "" {
			c = append(c, strings.TrimSuffix(dir, "/"))
		}
	}
	return c
}

// stayed is the directories that were named before: lines "/DIR/", unless a line "!/DIR/*/" says that only the files right in it are
// meant.
func (b *bringing) stayed() (c cone) {
	text := make([]byte, maxGitConfig)
	n, _ := b.world.ReadAt(b.data+"/info/sparse-checkout", 0, text)
	lines := strings.Split(string(text[:n]), "\n")
	for i, line := range lines {
		if len(line) > 2 && line[0] == '/' && line[len(line)-1] == '/' && (i+1 == len(lines) || lines[i+1] != "!"+line+"*/") {
			c = append(c, line[1:len(line)-1])
		}
	}
	return c
}

// choosesByPatterns says whether the repository is set to take what is named for patterns, and no flag says otherwise: these delete
// nothing that git does not have.
func (b *bringing) choosesByPatterns() (patterns bool) {
	if b.r.flagGiven("--cone", false) {
		return false
	}
	visit := func(section, _, name, value string) {
		if section == "core" && name == "sparsecheckoutcone" {
			patterns = value == "false"
		}
	}
	b.config(visit)
	text := make([]byte, maxGitConfig)
	n, _ := b.world.ReadAt(b.data+"/config.worktree", 0, text)
	readGitConfig(string(text[:n]), visit)
	return patterns
}

// maxStrays bounds what is named of a directory.
const maxStrays = 16

// strays finds what git does not have in the directories that leave the disk. One with only files that it does not
// ignore either would be left as it is: that is not looked at.
func (b *bringing) strays(dir string, stay cone) {
	leaves := !stay.isAbove(dir)
	full := strings.TrimSuffix(b.root+"/"+dir, "/")
	list, whole := b.world.Entries(full)
	if b.walked++; (!whole || b.walked > maxWalked) && b.world.Exists(full) {
		b.r.effect(tool.Effect{Kind: tool.Delete, Target: full, Reach: tool.Exact, Tree: true, Span: b.r.inv.Span})
		return
	}
	var lost []tool.Effect
	for _, e := range list {
		name := strings.TrimPrefix(dir+"/"+e.Name, "/")
		switch within, known := b.inIndex()[name]; {
		case within && e.Dir && !gitstore.Under(name, stay):
			b.strays(name, stay)
		case known || !leaves || e.Dir && b.isBare(b.root+"/"+name):
		default:
			lost = append(lost, tool.Effect{Kind: tool.Delete, Target: b.root + "/" + name, Reach: tool.Exact, Tree: e.Dir, Span: b.r.inv.Span})
		}
	}
	if len(lost) > maxStrays {
		lost = []tool.Effect{{Kind: tool.Delete, Target: full, Reach: tool.Exact, Tree: true, Span: b.r.inv.Span}}
	}
	for _, e := range lost {
		b.r.effect(e)
	}
}

// isBare says whether there is nothing in a directory.
func (b *bringing) isBare(dir string) bool {
	list, whole := b.world.Entries(dir)
	return whole && len(list) == 0
}

// inIndex is the files in the index, and true for the directories that they are in.
func (b *bringing) inIndex() map[string]bool {
	if b.tracked != nil {
		return b.tracked
	}
	entries, _ := b.store.Index()
	b.tracked = make(map[string]bool, len(entries))
	for _, e := range entries {
		name := e.Name
		if !strings.HasSuffix(name, "/") { // of a directory that is not on the disk, git may keep only its name
			b.tracked[name] = false
		}
		for at := strings.LastIndexByte(name, '/'); at >= 0 && !b.tracked[name[:at]]; at = strings.LastIndexByte(name[:at], '/') {
			b.tracked[name[:at]] = true
		}
	}
	return b.tracked
}
