package language

import (
	"strings"

	"longline/internal/tool"
)

// mongoReads are methods of the shell's objects that only look.
const mongoReads = `find findOne count countDocuments estimatedDocumentCount distinct aggregate explain getIndexes stats dataSize storageSize totalSize totalIndexSize
getCollectionNames getCollectionInfos getCollection getSiblingDB getName getMongo getDBNames hello serverStatus serverBuildInfo hostInfo version currentOp listCommands getUsers getRoles
limit skip sort pretty toArray forEach map projection hint batchSize size itcount next hasNext maxTimeMS comment collation status conf printReplicationInfo isMaster
ObjectId ISODate NumberLong NumberInt Date RegExp printjson print tojson EJSON stringify JSON log length keys join toString`

// mongoWrites are operators in a query that write, or run code.
const mongoWrites = `$out $merge $where $function $accumulator`

// mongoDeeds reads a line for the MongoDB shell: chains of methods that only
// look are reading, everything else changes something.
func mongoDeeds(text string) Deeds {
	var d Deeds
	s := scriptScanner{cursor: cursor{text: text}}
	s.scan(0)
	if s.problem != "" {
		d.fail(s.problem)
		return d
	}
	reads := true
	for i, t := range s.tokens {
		if t.kind == tokName && tokenAt(s.tokens, i+1).is("(") && mongoDrops(t.text) {
			d.add(tool.Control, "database.drop")
		}
		reads = reads && mongoLooks(s.tokens, i)
	}
	if strings.Contains(text, "system.users") || strings.Contains(text, "showCredentials") {
		d.add(tool.Control, "secret.print")
	}
	if reads {
		d.add(tool.Control, "database.read")
	} else if len(d.List) == 0 {
		d.add(tool.Control, "database.write")
		d.addOpen(tool.Execute)
	}
	return d
}

// mongoDrops says whether a method takes something out of a database.
func mongoDrops(method string) bool {
	return strings.HasPrefix(method, "drop") || HasWord("remove deleteMany deleteOne findOneAndDelete", method)
}

// mongoLooks says whether the token at i can be part of something that only looks.
func mongoLooks(ts []token, i int) bool {
	t, prev := ts[i], tokenAt(ts, i-1)
	switch t.kind {
	case tokString:
		return !HasWord(mongoWrites, t.text)
	case tokName:
		return mongoName(ts, i)
	}
	computed := t.is("[") && (prev.kind == tokName || prev.isOne(")", "]")) // a member
	return !computed && !t.assigns() && !t.is("=>")
}

// mongoName says the same of the name at i.
func mongoName(ts []token, i int) bool {
	t, prev, next := ts[i], tokenAt(ts, i-1), tokenAt(ts, i+1)
	switch {
	case HasWord(mongoWrites, t.text):
		return false
	case next.is("("):
		return HasWord(mongoReads, t.text)
	case prev.is("."), next.is(":"), t.text[0] == '$', HasWord("db rs sh true false null", t.text):
		return true
	}
	return HasWord("show dbs databases collections tables", t.text) && (i == 0 || prev.isName("show"))
}
