package language

import (
	"strings"

	"longline/internal/tool"
)

// Functions of what maps objects to tables: they lose rows, as a statement of SQL would. Most have names that others have too, so
// what stands around the call must say that rows are meant.

// maxAround bounds what is looked at around a call; what is further away may be anything.
const maxAround = 400

// rows adds what the call does whose arguments are in the bracket at i, if it deletes rows or tables.
func (h *hands) rows(i int) {
	if h.losesRows(i) && !h.picksRows(i) {
		h.deeds.add(tool.Control, "database.drop")
	}
}

// losesRows says whether the call whose arguments are in the bracket at i deletes rows or tables.
func (h *hands) losesRows(i int) bool {
	chained, empty := h.sign(i-2, ".") && h.sign(i-3, ") ]"), h.sign(i+1, ")")
	name := strings.ToLower(strings.ReplaceAll(h.tokens[i-1].text, "_", ""))
	if HasWord("sync synchronize", name) {
		return h.sets(i, "force", "true") || h.word(i+1, "true True")
	}
	switch name {
	case "deleteall", "destroyall", "truncatetable", "bulkdelete", "rawdelete":
		return true
	case "delete", "del", "truncate": // of a query: of something else they say what
		return empty && (chained || h.sign(i+2, ".") && h.word(i+3, "execute"))
	case "destroy":
		return h.sign(i+1, "{") && (h.sets(i, "truncate", "true") || h.sets(i, "where", "{", "}"))
	case "rollback", "down":
		return h.word(i-3, "migrate migrator umzug")
	case "callcommand":
		t := tokenAt(h.tokens, i+1)
		return t.kind == tokString && HasWord("flush reset_db", t.text)
	}
	return false
}

// sets says whether a property in the bracket at i has a value that is written with these signs.
func (h *hands) sets(i int, name string, value ...string) bool {
	end := i + maxAround
	for depth := 0; i < min(end, len(h.tokens)); i++ {
		switch t := &h.tokens[i]; {
		case t.opens():
			depth++
		case t.closes():
			if depth--; depth == 0 {
				return false
			}
		case t.text == name && h.sign(i+1, ": ="):
			same := true
			for k, v := range value {
				same = same && tokenAt(h.tokens, i+2+k).text == v
			}
			if same {
				return true
			}
		}
	}
	return i == end
}

// picksRows says whether the query in front of the bracket at i is about some rows.
func (h *hands) picksRows(i int) bool {
	for depth, end := 0, i-maxAround; i > max(end, 0); {
		i--
		switch t := &h.tokens[i]; {
		case t.closes():
			depth++
		case depth > 0 && t.opens():
			depth--
		case depth > 0:
		case t.opens() || h.sign(i, "; ="):
			return false
		case h.word(i, "filter filter_by where exclude whereIn") && h.sign(i+1, "(") && !h.sign(i+2, ")"):
			return true
		}
	}
	return false
}
