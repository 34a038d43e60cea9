package language

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"

	"longline/internal/tool"
)

// PowerShell and the command line of Windows are read as far as they look at things: pipelines
// of cmdlets that only read, with constant words. Variables, blocks, expressions, redirections
// and every cmdlet or parameter that is not listed here are not followed.

// cmdlet is what is known of one: the parameters that it takes, and what its words are.
type cmdlet struct {
	switches, values string // parameters without a value, and with one, in lower case
	words            string // "read", "list", "search", "text", or "" if it takes none
}

// cmdlets are those that look, count, sort and print. Aliases that are programs of their own
// on other systems (ps, sort, tee) are not among them.
var cmdlets = map[string]cmdlet{
	"get-content":      {"raw force wait", "path literalpath totalcount head first tail last encoding readcount", "read"},
	"get-filehash":     {"", "path literalpath algorithm", "read"},
	"get-childitem":    {"recurse file directory hidden force name system readonly", "path literalpath filter include exclude depth", "list"},
	"get-item":         {"force", "path literalpath", "list"},
	"test-path":        {"", "path literalpath pathtype", "list"},
	"resolve-path":     {"relative", "path literalpath", "list"},
	"split-path":       {"leaf parent leafbase extension qualifier noqualifier isabsolute", "path", "text"},
	"join-path":        {"", "path childpath", "text"},
	"select-string":    {"casesensitive simplematch quiet list notmatch allmatches raw noemphasis", "pattern path literalpath context encoding include exclude", "search"},
	"get-location":     {"", "", ""},
	"get-date":         {"asutc", "format uformat", "text"},
	"get-process":      {"includeusername fileversioninfo", "name id", "text"},
	"get-service":      {"", "name displayname", "text"},
	"get-command":      {"all syntax showcommandinfo", "name module commandtype", "text"},
	"get-alias":        {"", "name definition", "text"},
	"get-host":         {"", "", ""},
	"get-psdrive":      {"", "name psprovider", "text"},
	"get-uptime":       {"since", "", ""},
	"get-random":       {"", "maximum minimum count", "text"},
	"measure-object":   {"line word character sum average maximum minimum", "property", "text"},
	"select-object":    {"unique", "first last skip property expandproperty excludeproperty index", "text"},
	"sort-object":      {"descending unique casesensitive", "property top bottom", "text"},
	"group-object":     {"noelement ashashtable", "property", "text"},
	"where-object":     {"eq ne like notlike match notmatch gt ge lt le contains in", "property value", "text"},
	"get-unique":       {"asstring", "", ""},
	"format-table":     {"autosize wrap hidetableheaders", "property groupby", "text"},
	"format-list":      {"", "property groupby", "text"},
	"format-wide":      {"autosize", "property column", "text"},
	"out-string":       {"stream nonewline", "width", ""},
	"out-host":         {"paging", "", ""},
	"out-null":         {"", "", ""},
	"write-output":     {"noenumerate", "", "text"},
	"write-host":       {"nonewline", "foregroundcolor backgroundcolor separator", "text"},
	"convertfrom-json": {"ashashtable", "depth", ""},
	"convertto-json":   {"compress", "depth", ""},
	"convertfrom-csv":  {"", "delimiter header", ""},
	"convertto-csv":    {"notypeinformation", "delimiter", ""},
	"convertto-xml":    {"notypeinformation", "depth as", ""},
	"compare-object":   {"includeequal excludedifferent", "property", "text"},
}

var cmdletAliases = map[string]string{
	"gc": "get-content", "cat": "get-content", "type": "get-content", "gci": "get-childitem", "ls": "get-childitem", "dir": "get-childitem", "gi": "get-item",
	"rvpa": "resolve-path", "sls": "select-string", "gl": "get-location", "pwd": "get-location", "gps": "get-process", "gsv": "get-service", "gcm": "get-command",
	"measure": "measure-object", "select": "select-object", "group": "group-object", "where": "where-object", "?": "where-object", "gu": "get-unique",
	"ft": "format-table", "fl": "format-list", "fw": "format-wide", "oh": "out-host", "echo": "write-output", "write": "write-output", "diff": "compare-object",
}

const notCmdlets = "it is more than a pipeline of cmdlets that read"

// powershellDeeds reads the text of -Command.
func powershellDeeds(text string) (d Deeds) {
	if len(text) > 8<<10 {
		d.fail("it is too long")
		return d
	}
	statements, ok := powershellWords(text)
	if !ok {
		d.fail(notCmdlets)
		return d
	}
	for _, pipeline := range statements {
		var fed []string // what the stage before hands on as files
		for _, words := range pipeline {
			fed = d.cmdlet(words, fed)
			if d.Problem != "" {
				return d
			}
		}
	}
	return d
}

// encodedPowershell reads the text of -EncodedCommand: UTF-16 in base64.
func encodedPowershell(text string) (d Deeds) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(raw)%2 != 0 || len(raw) > 16<<10 {
		d.fail("it cannot be decoded")
		return d
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return powershellDeeds(string(utf16.Decode(units)))
}

// powerWord is a word of a statement; a quoted one is no parameter.
type powerWord struct {
	text   string
	quoted bool
}

// powershellWords takes statements apart into pipelines and words. It is false where there is
// something that is neither a constant word nor what separates them.
func powershellWords(text string) (statements [][][]powerWord, ok bool) {
	var pipeline [][]powerWord
	var words []powerWord
	stage := func() bool {
		if len(words) == 0 {
			return false
		}
		pipeline, words = append(pipeline, words), nil
		return true
	}
	for i := 0; i <= len(text); {
		c := byte(';')
		if i < len(text) {
			c = text[i]
		}
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == ';' || c == '\n':
			if len(words) > 0 && !stage() || len(words) == 0 && len(pipeline) > 0 && text[max(i-1, 0)] == '|' {
				return nil, false
			}
			if len(pipeline) > 0 {
				statements, pipeline = append(statements, pipeline), nil
			}
			i++
		case c == '|':
			if !stage() {
				return nil, false
			}
			i++
		case c == '\'' || c == '"':
			end := i + 1
			for end < len(text) && text[end] != c {
				if c == '"' && (text[end] == '$' || text[end] == '`') {
					return nil, false
				}
				end++
			}
			if end >= len(text) || end+1 < len(text) && strings.IndexByte(" \t\r\n;|,", text[end+1]) < 0 {
				return nil, false // it goes on, or quotes stand in it
			}
			words = append(words, powerWord{text[i+1 : end], true})
			i = end + 1
			if i < len(text) && text[i] == ',' {
				i++
			}
		default:
			end := i
			for end < len(text) && (isWordByte(text[end]) || strings.IndexByte(`_./\:*?~-+%=,`, text[end]) >= 0) {
				end++
			}
			if end == i || end < len(text) && strings.IndexByte(" \t\r\n;|", text[end]) < 0 {
				return nil, false
			}
			words = append(words, powerWord{text[i:end], false})
			i = end
		}
	}
	return statements, len(pipeline) == 0 && len(words) == 0
}

// cmdlet adds what one stage of a pipeline does. It returns the paths that it hands on.
func (d *Deeds) cmdlet(words []powerWord, fed []string) (found []string) {
	name := strings.ToLower(words[0].text)
	if full, ok := cmdletAliases[name]; ok {
		name = full
	}
	known, ok := cmdlets[name]
	if !ok || words[0].quoted {
		d.fail(notCmdlets)
		return nil
	}
	var paths, plain []string
	for i := 1; i < len(words); i++ {
		w := words[i]
		param, isParam := strings.CutPrefix(w.text, "-")
		if w.quoted || !isParam {
			for part := range strings.SplitSeq(w.text, ",") {
				plain = append(plain, part)
			}
			continue
		}
		param, value, glued := strings.Cut(strings.ToLower(param), ":")
		if glued {
			value = w.text[len(w.text)-len(value):]
		}
		switch {
		case hasField(known.switches, param) && !glued:
		case hasField(known.values, param):
			if !glued {
				if i++; i == len(words) {
					d.fail(notCmdlets)
					return nil
				}
				value = words[i].text
			}
			if param == "path" || param == "literalpath" {
				paths = append(paths, strings.Split(value, ",")...)
			}
			if param == "pattern" {
				plain = append([]string{value}, plain...)
			}
		default:
			d.fail(notCmdlets)
			return nil
		}
	}
	switch known.words {
	case "":
		if len(plain) > 0 {
			d.fail(notCmdlets)
		}
	case "read":
		d.reads(append(paths, plain...), false)
		if len(fed) > 0 {
			d.addOpen(tool.Read) // whatever lies there is printed
		}
	case "search":
		if len(plain) > 1 {
			paths = append(paths, plain[1:]...)
		}
		d.reads(append(paths, fed...), len(fed) > 0)
	case "list":
		if paths = append(paths, plain...); len(paths) == 0 {
			paths = []string{"."}
		}
		for _, p := range paths {
			if drive, _, ok := strings.Cut(p, ":"); ok && strings.EqualFold(drive, "env") {
				d.add(tool.Control, "env.dump")
			} else if ok && len(drive) > 1 {
				d.fail(notCmdlets)
			}
		}
		return paths
	}
	if name == "where-object" || name == "select-object" || name == "sort-object" {
		return fed
	}
	return nil
}

// reads adds reads of paths, as PowerShell writes them.
func (d *Deeds) reads(paths []string, tree bool) {
	for _, p := range paths {
		drive, rest, driven := strings.Cut(p, ":")
		switch {
		case driven && strings.EqualFold(drive, "env"):
			if secretNamed(strings.Trim(rest, `\/`)) {
				d.add(tool.Control, "env.secret")
			}
		case driven && len(drive) > 1:
			d.fail(notCmdlets)
		case driven, strings.ContainsAny(p, "*?[%"), strings.HasPrefix(p, `\`):
			d.addOpen(tool.Read)
		case p != "":
			p = strings.ReplaceAll(p, `\`, "/")
			rest, home := strings.CutPrefix(p, "~/")
			d.List = append(d.List, Deed{Kind: tool.Read, Target: rest, Home: home, Tree: tree})
		}
	}
}

// secretNamed says whether a variable may hold a secret, or which one it is is not said.
func secretNamed(name string) bool {
	return name == "" || strings.Contains(name, "*") || SecretName(name)
}

func hasField(list, word string) bool {
	for f := range strings.FieldsSeq(list) {
		if f == word {
			return true
		}
	}
	return false
}

// cmdDeeds reads the text of cmd /c, if it is one of the commands that print.
func cmdDeeds(text string) (d Deeds) {
	words := strings.Fields(text)
	if len(words) == 0 || strings.ContainsAny(text, "&|<>%^\"'()`\n") {
		d.fail(notCmdlets)
		return d
	}
	switch strings.ToLower(words[0]) {
	case "dir", "ver", "vol", "echo", "tree", "cd", "chdir":
	case "type":
		d.reads(words[1:], false)
	case "set":
		d.add(tool.Control, "env.dump")
	default:
		d.fail(notCmdlets)
	}
	return d
}
