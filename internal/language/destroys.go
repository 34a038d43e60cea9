package language

import (
	"strings"

	"longline/internal/tool"
)

// Methods of objects that come from modules which are not the language's own, and whose names say that something is gone afterwards: a
// file, a collection, a table, what a service holds; or that others get it. Lists, tables in memory and documents have methods of such names, too; those are
// told apart by what the rest of the name says and by what they are given.

const (
	// heldInMemory are last words of names of functions that take something out of a value: drop_duplicates, remove_columns.
	heldInMemory = `duplicates duplicate na nan nans null nulls vars var column columns cols col row rows level levels sel isel encoding encodings axis node nodes edge edges whitespace spaces item items prefix suffix stopwords punctuation
outliers right while until tags html accents features feature attribute attributes field fields`
	// heldOutside are what a function of the name remove_X loses that is not in memory.
	heldOutside = `all tree dir dirs directory directories file files folder folders path paths object objects bucket buckets user users container containers volume volumes repo repository branch branches record records`
	// asking are first words of names of functions that say something about a deletion.
	asking = `is can should on has get test make list count find parse show print format validate check cv`
	// memories are words of names of values in memory from which something is deleted.
	memories = `cache map set dict seen params headers form memo registry weakmap store state`
	// elements are modules whose objects are removed from a picture or a document.
	elements = `matplotlib seaborn pyquery plotly cheerio jquery`
	// sessions are names of what a table is dropped with.
	sessions = `engine bind conn connection db eng session`
)

// destroys adds that a call of a function, whose arguments are in the bracket at i, may lose something.
func (h *hands) destroys(name string, i int) {
	if h.isDestroyed(name, i) {
		h.deeds.List = append(h.deeds.List, Deed{Kind: tool.Execute, Open: true, Perhaps: true})
	}
}

// isDestroyed says whether something may be lost by the call of a function whose arguments are in the bracket at i.
func (h *hands) isDestroyed(name string, i int) bool {
	words, empty := nameWords(name), h.sign(i+1, ")")
	if len(words) == 0 {
		return false
	}
	first, last := words[0], words[len(words)-1]
	if len(words) > 1 {
		switch {
		case HasWord(heldInMemory, last) || HasWord(asking, first):
			return false
		case HasWord("delete drop purge wipe erase rmtree upload", first), last == "delete":
			return true
		}
		return first == "remove" && len(words) == 2 && HasWord(heldOutside, last) || first == "to" && last == "sql" && h.sets(i, "if_exists", "replace")
	}
	if HasWord("purge wipe rmtree downgrade unpublish", first) {
		return true
	}
	switch first {
	case "delete", "del":
		return !empty && h.deletesOutside(i)
	case "remove":
		return h.python && (empty || h.word(i+1, "rec ignore_errors")) && !h.usesAny(elements)
	case "drop":
		return !h.python && empty || h.word(i+1, sessions) && h.sign(i+2, ") =") || h.usesAny("sqlalchemy") && tokenAt(h.tokens, i+1).kind == tokName && h.sign(i+2, ")")
	}
	return false
}

// deletesOutside says whether the method delete, whose arguments are in the bracket at i, may delete something that is not in memory. What
// begins with a slash is asked of the program's own server.
func (h *hands) deletesOutside(i int) bool {
	arg := h.stringAt(i + 1)
	text := arg.text
	if arg.joined != nil && len(arg.joined.pieces) > 0 {
		text = arg.joined.pieces[0].text
	}
	switch {
	case arg.kind == tokString && strings.Contains(text, "://"):
		return !namesThisMachine(text)
	case arg.kind == tokString && strings.HasPrefix(text, "/"), !h.sign(i-2, ". ?."), h.usesAny("numpy"):
		return false
	}
	for _, w := range nameWords(tokenAt(h.tokens, i-3).text) {
		if HasWord(memories, w) {
			return false
		}
	}
	return true
}

// stringAt is the token at i; of a string with expressions, whose tokens stand in brackets in front of it, that of the string.
func (h *hands) stringAt(i int) token {
	at := i
	for depth, end := 0, min(i+maxAround, len(h.tokens)); at < end; at++ {
		switch t := h.tokens[at]; {
		case t.opens():
			depth++
		case t.closes():
			depth--
		case depth > 0:
		case t.kind == tokString && t.joined != nil:
			return t
		default:
			return tokenAt(h.tokens, i)
		}
		if depth < 0 {
			break
		}
	}
	return tokenAt(h.tokens, i)
}

// namesThisMachine says whether an address is one of this machine.
func namesThisMachine(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	for _, host := range [...]string{"localhost", "127.0.0.1", "[::1]", "0.0.0.0", "testserver"} {
		if after, ok := strings.CutPrefix(rest, host); ok && (after == "" || strings.IndexByte(":/?#", after[0]) >= 0) {
			return true
		}
	}
	return false
}

// usesAny says whether one of several modules is used.
func (h *hands) usesAny(modules string) bool {
	for m := range strings.FieldsSeq(modules) {
		if h.modules[m] {
			return true
		}
	}
	return false
}

// lossCommands are commands of frameworks and servers that lose what a database holds.
const lossCommands = `flush reset_db downgrade flushall flushdb`

// ordersLoss says whether a list of words, or one, orders a framework or a server to lose what a database holds.
func ordersLoss(function string, words []Arg) bool {
	if !HasWord("main execute_from_command_line call_command execute_command sendCommand send_command call", function) {
		return false
	}
	for _, w := range words[:min(len(words), 3)] {
		if w.Known && HasWord(lossCommands, strings.ToLower(w.Text)) {
			return true
		}
	}
	return false
}
