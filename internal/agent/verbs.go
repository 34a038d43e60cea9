package agent

import (
	_ "embed"
	"strings"

	"longline/internal/language"
)

// verbTable says what words in the name of a tool mean. It is text, so that it costs nothing until it is asked.
//
//go:embed verbs.txt
var verbTable string

// class is what a tool does by its name, from the harmless to the grave.
type class uint8

const (
	classNone    class = iota // its name does not say
	classRead                 // it looks
	classUI                   // it does in a browser what a hand does
	classProject              // it builds or tests the project
	classCall                 // it does what its arguments say
	classWrite                // it changes something
	classSend                 // it sends something to people
	classDelete
	classPay
	classRelease // it makes something public, or puts it to work
	classAccess  // it changes who may do what
)

var classNames = [...]string{
	classRead: "read", classUI: "ui", classProject: "project", classCall: "call", classWrite: "write", classSend: "send",
	classDelete: "delete", classPay: "pay", classRelease: "release", classAccess: "access",
}

// listed says whether a word is in a line of the table.
func listed(line, word string) bool {
	for rest := verbTable; ; {
		i := strings.Index(rest, "\n"+line+": ")
		if i < 0 {
			return false
		}
		rest = rest[i+len(line)+3:]
		words, _, _ := strings.Cut(rest, "\n")
		if language.HasWord(words, word) {
			return true
		}
	}
}

// classOf is the gravest class that a word stands for.
func classOf(word, doubt string) class {
	for c := len(classNames) - 1; c > 0; c-- {
		if listed(classNames[c]+doubt, word) {
			return class(c)
		}
	}
	return classNone
}

// classify says what words mean. Of several verbs the first counts: "list merge requests", "get deleted items". What comes
// after "and" counts too, and so does a grave one at the end ("view_delete"). A word that may be the name of a thing counts
// where no other verb is: a "post_list" is a list. It is sure if a word counts that is nothing but a verb.
func classify(words []string) (c class, sure bool) {
	firm, soft, joined := classNone, classNone, false
	for i, w := range words {
		c := classOf(w, "")
		last := i == len(words)-1
		switch {
		case w == "and" || w == "or" || w == "then":
			joined = true
		case c == classNone:
			if s := classOf(w, "?"); soft == classNone || s == classPay {
				soft = max(soft, s)
			}
		case firm == classNone || firm == classCall && c != classCall:
			firm, joined = c, false
		case joined, last && len(words) == 2, last && (c == classDelete || c == classPay || c == classCall && firm == classRead):
			firm, joined = max(firm, c), false
		}
	}
	if firm == classNone || firm == classCall && soft > classNone {
		return soft, false
	}
	return firm, true
}

// saysSecret says whether words name something that nobody needs to see.
func saysSecret(words []string) bool {
	pair := func(line string) bool {
		for i := 1; i < len(words); i++ {
			if listed(line, words[i-1]+"_"+words[i]) {
				return true
			}
		}
		return false
	}
	if pair("open") {
		return false
	}
	for _, w := range words {
		if listed("secret", w) {
			return true
		}
	}
	return pair("secret")
}

// words takes a name apart: read_file, readFile and ReadFile are read and file, getAPIKeys is get, api and keys.
func words(name string) []string {
	var list []string
	start := 0
	for i := 0; i <= len(name); i++ {
		end := i == len(name) || !isAlpha(name[i])
		next := i > start && !end && isUpper(name[i]) && (name[i-1] >= 'a' || i+2 < len(name) && name[i+1] >= 'a' && name[i+2] >= 'a' && isAlpha(name[i+1]))
		if end || next {
			if i > start {
				list = append(list, strings.ToLower(name[start:i]))
			}
			if start = i; end {
				start = i + 1
			}
		}
	}
	return list
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
