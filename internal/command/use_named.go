package command

import (
	"strings"

	"longline/internal/tool"
)

// A program that puts together what files describe prints the files that these name as well: a description that makes a secret of
// .env prints .env, if only in another encoding. Models say "read @named:FILE|FILE" of it, with the names of such descriptions.

// namedPrefix begins the targets of effects on files that a description names.
const namedPrefix = "@named:"

// maxNamed bounds the descriptions that are read.
const maxNamed = 32

// readsNamed adds reads of the files of secrets that the description in a directory names, or one in another directory that it is
// made of. Any word may be a name: there must be such a file.
func readsNamed(r *reader, files string) {
	dir := Known(".", r.inv.Span)
	if len(r.oper) > 0 {
		dir = r.oper[0]
	}
	top := r.path(tool.Read, dir)
	if !isCertain(top) {
		return
	}
	dirs, seen := []string{top.Target}, map[string]bool{}
	for i := 0; i < len(dirs) && i < maxNamed; i++ {
		if seen[dirs[i]] {
			continue
		}
		seen[dirs[i]] = true
		for file := range strings.SplitSeq(files, "|") {
			text, ok := r.manifestText(Known(at(dirs[i], file), r.inv.Span))
			if !ok {
				continue
			}
			for _, word := range describedNames(text) {
				path := clean(absolute(dirs[i], word))
				switch e := (tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact, Span: r.inv.Span}); {
				case !r.exists(path):
				case r.exists(path + "/."):
					dirs = append(dirs, path)
				case r.isSecret(e):
					r.effect(e)
				}
			}
			break
		}
	}
}

// describedNames are the words of a description that may name files: behind an equals sign as well.
func describedNames(text string) (words []string) {
	for line := range strings.Lines(text) {
		for word := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune(" \t\r\n\"'[]{},", c) }) {
			if word[0] == '#' {
				break
			}
			if _, behind, ok := strings.Cut(word, "="); ok {
				word = behind
			}
			if word = strings.Trim(word, ":"); word != "" && word != "-" && len(words) < maxSwept {
				words = append(words, word)
			}
		}
	}
	return words
}
