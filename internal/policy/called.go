package policy

import (
	"slices"
	"strings"

	"longline/internal/language"
	"longline/internal/record"
)

// Most files of secrets of a project are called so: creds.json, prod-api-keys.txt, secrets/db. No list of names
// holds them all, so names are read: what stands last in a name is what the file is, and its
// ending says whether that is data. Sources and texts are about secrets, and hold none.

// Called are the words of such names, each list in one text, with blanks between.
type Called struct {
	Words   string // what a file of secrets is called
	Bare    string // the same, if the name has no ending
	Ended   string // the same, if it has one
	Endings string // of data
	Scripts string // endings of scripts, which hold secrets if the word is all of the name
	Stages  string // what may stand behind the word: prod
	About   string // with one of these in it, a name is of something about secrets
	Folders string // directories whose data is secret
	Places  string // directories whose data is about secrets
	Told    string // names of settings that are secret if a password or token stands in them
	Whole   string // what a file of secrets is called if the word is all of the name
	Kinds   string // words for settings that are secret under the same condition, of a stage that is live
	Live    string // such stages
}

// lists are the lists, in the order in which they are stored.
func (c *Called) lists() [13]*string {
	return [...]*string{&c.Words, &c.Bare, &c.Ended, &c.Endings, &c.Scripts, &c.Stages, &c.About, &c.Folders, &c.Places, &c.Told, &c.Whole, &c.Kinds, &c.Live}
}

// calledEntry is the name of their record beside those of the zones.
const calledEntry = "called"

func (c *Called) encode() record.Entry {
	var w record.Writer
	for _, list := range c.lists() {
		w.Text(" " + strings.Join(strings.Fields(*list), " ") + " ")
	}
	return record.Entry{Name: calledEntry, Record: string(w.Bytes())}
}

// called returns the words as they are compiled in.
func (t *zoneTables) called() *Called {
	if t.words == nil {
		t.words = new(Called)
		if table, err := record.OpenTable(zonesCompiled); err == nil {
			if text, ok := table.Find(calledEntry); ok {
				r := record.NewReader(text)
				for _, list := range t.words.lists() {
					*list = r.Text()
				}
			}
		}
	}
	return t.words
}

// calledSecret says whether a path is called like a file of secrets. A name without an ending is as often
// that of a directory: unless it is hidden it counts if there is such a file, or nobody knows.
func (g *ground) calledSecret(path string) bool {
	c := g.shared.called()
	at := strings.LastIndexByte(path, '/')
	dir, name := path[:max(at, 0)], path[at+1:]
	if (listed(c.Told, name) || c.isLive(dir, name)) && !c.about(name) && g.tells(path, false) {
		return true
	}
	said, data := c.read(name)
	if said == isNoSecret && (!data || !anyListed(c.Folders, dir)) {
		return listed(c.Folders, name) && g.holdsCalled(path) || !data && c.isSource(name) && !c.about(name) && !anyListed(c.Places, dir) && g.tells(path, true)
	}
	switch {
	case c.about(name) || anyListed(c.Places, dir):
		return false
	case said == isSecret || said == isNoSecret && hasEnding(name):
		return true
	case g.w.Exists == nil || (name[0] == '.' || g.w.Exists(path)) && !g.isDirectory(path):
		return true
	}
	return listed(c.Folders, name) && g.holdsCalled(path)
}

// silent says whether a path is not called like a file of secrets, whatever is there.
func (c *Called) silent(path string) bool {
	at := strings.LastIndexByte(path, '/')
	dir, name := path[:max(at, 0)], path[at+1:]
	if listed(c.Told, name) || listed(c.Folders, name) || c.isLive(dir, name) {
		return false
	}
	said, data := c.read(name)
	if said != isNoSecret {
		return false
	}
	if data {
		return !anyListed(c.Folders, dir)
	}
	return !c.isSource(name)
}

// tells says whether a password or a token stands in a file; in code only a text between quotes may be one, by what it looks like.
func (g *ground) tells(path string, code bool) bool {
	if g.w.Tells == nil || g.w.ReadSecret == nil {
		return false
	}
	if known, ok := g.told[path]; ok {
		return known
	}
	text, err := g.w.ReadSecret(path)
	if code {
		return g.told.keep(path, err == nil && literalTells(string(text), g.w.Tells))
	}
	return g.told.keep(path, err == nil && g.w.Tells(string(text)))
}

// isKey says whether a file of which the name says nothing begins as a private key does, or as the report of a program that has looked for
// secrets and shows them.
func (g *ground) isKey(path string) bool {
	at := strings.LastIndexByte(path, '/')
	name := path[at+1:]
	if slices.Contains(g.w.Keys, path) {
		return !anyListed(g.shared.called().Places, path[:max(at, 0)])
	}
	if dot := strings.LastIndexByte(name, '.'); g.w.ReadAt == nil || dot > 0 && !listed(" txt json ", name[dot+1:]) || anyListed(g.shared.called().Places, path[:max(at, 0)]) {
		return false
	}
	if known, ok := g.keys[path]; ok {
		return known
	}
	room := make([]byte, 1024)
	n, _ := g.w.ReadAt(path, 0, room)
	text := strings.TrimSpace(string(room[:max(n, 0)]))
	first, _, _ := strings.Cut(text, "\n")
	return g.keys.keep(path, strings.HasPrefix(first, "-----BEGIN ") && strings.Contains(first, "PRIVATE KEY") || strings.Contains("\n"+text, "\nAGE-SECRET-KEY-1") ||
		strings.Contains(text, `"RuleID": "`) && strings.Contains(text, `"Secret": "`) && !strings.Contains(text, `"Secret": "REDACTED`))
}

// assigned is the name that a text is given to which stands behind this.
func assigned(before string) string {
	before = strings.TrimRight(before, " \t:=>")
	return before[strings.LastIndexAny(before, " \t.,({[")+1:]
}

// isRandom says whether a text looks like a key: long, of letters and digits, and nothing that separates words or is filled in.
func isRandom(text string) bool {
	return len(text) >= 16 && strings.ContainsAny(text, "0123456789") && strings.ToLower(text) != strings.ToUpper(text) && !strings.ContainsAny(text, " ${}<>%()*\\")
}

// literalTells says whether something is told by a text between quotes, on one line: by itself, or by the name that it is given to.
func literalTells(text string, tells func(string) bool) bool {
	for line := range strings.Lines(text) {
		last := ""
		for at := strings.IndexAny(line, "\"'`"); at >= 0; at = strings.IndexAny(line, "\"'`") {
			quote, name := line[at], assigned(line[:at])
			if name == "" {
				name = last // between quotes itself
			}
			line = line[at+1:]
			end := strings.IndexByte(line, quote)
			if end < 0 {
				break
			}
			if end > 8 && tells(line[:end]) || isRandom(line[:end]) && language.SecretName(name) {
				return true
			}
			last, line = line[:end], line[end+1:]
		}
	}
	return false
}

// isLive says whether a file is one of settings that are in use: appsettings.Production.json, config/production.yml.
func (c *Called) isLive(dir, name string) bool {
	at := strings.LastIndexByte(name, '.')
	if at <= 0 || !listed(c.Endings, name[at+1:]) {
		return false
	}
	before, stage := lastPart(name[:at])
	if before == "" {
		before = dir[strings.LastIndexByte(dir, '/')+1:]
	}
	_, kind := lastPart(before)
	return listed(c.Live, stage) && listed(c.Kinds, kind)
}

// isSource says whether a file of another ending is called like secrets and nothing else: Secrets.swift.
func (c *Called) isSource(name string) bool {
	at := strings.LastIndexByte(name, '.')
	if at <= 0 {
		return false
	}
	_, last := lastPart(name[:at])
	return !listed(c.Stages, last) && c.says(name[:at], true, true)
}

// anyListed says whether one of the names of a path is in a list.
func anyListed(list, path string) bool {
	for path != "" {
		var name string
		if name, path = cut(path); listed(list, name) {
			return true
		}
	}
	return false
}

func hasEnding(name string) bool { return strings.LastIndexByte(name, '.') > 0 }

// isDirectory says whether something is a directory that is not empty.
func (g *ground) isDirectory(path string) bool {
	if g.w.Entries == nil {
		return false
	}
	list, _ := g.w.Entries(path)
	return len(list) > 0
}

// holdsCalled says whether there are files of secrets in a directory that is called so.
func (g *ground) holdsCalled(dir string) bool {
	if g.w.Entries == nil {
		return false
	}
	list, whole := g.w.Entries(dir)
	for i := range list {
		c, name := g.shared.called(), list[i].Name
		if said, data := c.read(name); !list[i].Dir && (data || said != isNoSecret) && !c.about(name) {
			return true
		}
	}
	return !whole && len(list) > 0
}

// nameReading is what a name says.
type nameReading uint8

const (
	isNoSecret   nameReading = iota
	isSecretFile             // if it is a file
	isSecret
)

// read reads the name of a file: what it says, and whether it is of data, which is secret in a directory of secrets.
func (c *Called) read(name string) (said nameReading, data bool) {
	stem := strings.TrimLeft(name, ".")
	if stem == "" {
		return isNoSecret, false
	}
	ended, script := false, false
	for at := strings.LastIndexByte(stem, '.'); at > 0; at = strings.LastIndexByte(stem, '.') {
		ending := stem[at+1:]
		if !listed(c.Endings, ending) {
			if ended || !listed(c.Scripts, ending) {
				break
			}
			script = true
		}
		stem, ended = stem[:at], true
	}
	data = !script && (ended || strings.IndexByte(stem, '.') < 0)
	switch {
	case !c.says(stem, ended, script):
		return isNoSecret, data
	case ended:
		return isSecret, data
	}
	return isSecretFile, data
}

// about says whether a name is that of something about secrets.
func (c *Called) about(name string) bool {
	for name != "" {
		var part string
		if part, name = nextPart(name); listed(c.About, part) {
			return true
		}
	}
	return false
}

// says says whether a name without its ending is that of a file of secrets.
func (c *Called) says(stem string, ended, script bool) bool {
	begin := stem
	for {
		before, part := lastPart(begin)
		if before == "" || part != "" && !listed(c.Stages, part) && strings.Trim(part, "0123456789") != "" {
			break
		}
		begin = before
	}
	// Words may be written in parts: api_key, service-account-key.
	var room [32]byte
	word := room[:0]
	for range 3 {
		before, part := lastPart(begin)
		if len(part)+len(word) > len(room) || part == "" {
			break
		}
		word = append(word[:len(part)], word...)
		copy(word, part)
		begin = before
		if script && before != "" {
			continue
		}
		if w := string(word); listed(c.Words, w) || listed(c.Bare, w) && !ended || listed(c.Ended, w) && ended || listed(c.Whole, w) && ended && !script && before == "" {
			return true
		}
	}
	return false
}

// nextPart and lastPart take a part off a name, at its beginning and its end.
func nextPart(name string) (part, rest string) {
	if at := strings.IndexAny(name, "._- "); at >= 0 {
		return name[:at], name[at+1:]
	}
	return name, ""
}

func lastPart(name string) (before, part string) {
	if at := strings.LastIndexAny(name, "._- "); at >= 0 {
		return name[:at], name[at+1:]
	}
	return "", name
}

// listed says whether a word is in a list with blanks around each, in whatever case.
func listed(list, word string) bool {
	var room [32]byte
	if word == "" || len(word)+2 > len(room) {
		return false
	}
	sought := room[:0]
	for i := range len(word) {
		sought = append(sought, lower(word[i]))
	}
	sought = append(sought, ' ')
	for {
		at := strings.Index(list, string(sought))
		if at <= 0 || list[at-1] == ' ' {
			return at > 0
		}
		list = list[at+1:]
	}
}
