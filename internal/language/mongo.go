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
		prev, next := tokenAt(s.tokens, i-1), tokenAt(s.tokens, i+1)
		switch {
		case t.kind == tokString && strings.HasPrefix(t.text, "$") && HasWord("$out $merge $where $function $accumulator", t.text):
			reads = false
		case t.is("[") && (prev.kind == tokName || prev.isOne(")", "]")), t.assigns(), t.is("=>"):
			reads = false // a computed member, an assignment, a function
		case t.kind != tokName:
		case next.is("("):
			if strings.HasPrefix(t.text, "drop") || HasWord("remove deleteMany deleteOne findOneAndDelete", t.text) {
				d.add(tool.Control, "database.drop")
			}
			reads = reads && HasWord(mongoReads, t.text)
		case prev.is(".") && next.is("."), next.is(":"), HasWord("db rs sh true false null", t.text), prev.is("."), HasWord("show dbs databases collections tables", t.text) && (i == 0 || prev.isName("show")), t.text[0] == '$' && !HasWord("$out $merge $where $function $accumulator", t.text):
		default:
			reads = false
		}
		if t.kind == tokName && HasWord("$out $merge $where $function $accumulator", t.text) {
			reads = false
		}
	}
	if reads {
		d.add(tool.Control, "database.read")
	} else if len(d.List) == 0 {
		d.add(tool.Control, "database.write")
		d.addOpen(tool.Execute)
	}
	return d
}
