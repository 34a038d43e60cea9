package policy

import (
	"path"
	"strings"

	"longline/internal/paths"
)

// A copy of a file of secrets is as secret as the file: people and programs put one beside it before
// they change it, and name it after the file.

// copyWords are what copies are called, behind the name of the file.
const copyWords = ` bak bkp bkup back backup old orig original save saved copy prev previous swp swo rpmsave rpmnew rpmorig `

// maxCopies bounds how many such endings a name is freed of: .bak.2024-01-31.
const maxCopies = 6

// original is the path that a path is a copy of, by the last ending of each of its names: "/home/u/.netrc.bak",
// "/home/u/.aws.old/credentials", "/p/secrets copy.yaml". A number makes a copy of a file only.
func original(of string) (string, bool) {
	dir, name := path.Split(of)
	changed := false
	if first, ok := originalName(name, true); ok {
		name, changed = first, true
	}
	for rest := dir; rest != "" && len(rest) < len(of); {
		one, after, _ := strings.Cut(rest, "/")
		if first, ok := originalName(one, false); ok {
			at := len(dir) - len(rest)
			dir = dir[:at] + first + "/" + after
			changed = true
		}
		rest = after
	}
	return dir + name, changed
}

// originalName is the name of what a file of this name is a copy of.
func originalName(name string, numbers bool) (string, bool) {
	first, ok := uncopied(name, numbers)
	if ok {
		return first, true
	}
	// In front of what says which kind of file it is: "secrets copy.yaml", "credentials.bak.json".
	kind := path.Ext(name)
	if stem := strings.TrimSuffix(name, kind); kind != "" && stem != "" {
		if first, ok := uncopied(stem, numbers); ok {
			return first + kind, true
		}
	}
	return "", false
}

// uncopied is a name without the last ending of a copy.
func uncopied(name string, numbers bool) (string, bool) {
	if inner, ok := strings.CutPrefix(name, "#"); ok && len(inner) > 1 && strings.HasSuffix(inner, "#") {
		return inner[:len(inner)-1], true
	}
	if shorter, ok := strings.CutSuffix(name, "~"); ok {
		return shorter, shorter != ""
	}
	at := strings.LastIndexAny(name, ".-_ ")
	if at <= 0 || !isCopyWord(name[at+1:], numbers) {
		return "", false
	}
	return name[:at], true
}

// isCopyWord says whether the last word of a name makes a copy of it: bak, bak2, (1), 20240131.
func isCopyWord(word string, numbers bool) bool {
	word = strings.TrimRight(strings.Trim(word, "()"), "0123456789")
	if word == "" {
		return numbers
	}
	return len(word) < 10 && strings.Contains(copyWords, " "+strings.ToLower(word)+" ")
}

// originalPattern is the pattern of what the files that a pattern matches are copies of:
// "~/.netrc.b*", "*.key.bak".
func originalPattern(pattern string) (string, bool) {
	dir, name := path.Split(pattern)
	first, ok := uncopied(name, true)
	if head, open := strings.CutSuffix(name, "*"); open && !ok {
		first, ok = begunCopy(head)
	}
	return dir + first, ok && strings.ContainsFunc(first, isLetter)
}

// begunCopy takes off the beginning of an ending of copies.
func begunCopy(name string) (string, bool) {
	at := strings.LastIndexAny(name, ".-_ ")
	if at <= 0 || !paths.Literal(name[at:]) {
		return "", false
	}
	begun := strings.ToLower(name[at+1:])
	return name[:at], begun == "" || strings.Contains(copyWords, " "+begun)
}
