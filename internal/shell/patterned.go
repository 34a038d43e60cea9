package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// Rules take a pattern for one of ordinary files if it says nothing of secrets, as "config/*" or "*.yml" do.
// What lies on the disk says more: of a pattern that is read it is looked which files of secrets it
// matches there.

// Of all patterns of a script together so many directories and names are looked at, and of one so many files
// spoken of, or looked into.
const maxSoughtDirs, maxSoughtNames, maxSpoken, maxHunted = 1000, 4000, 3, 64

// sought is what was found for the patterns of a script.
type sought struct {
	found       map[aim][]string // files of secrets
	hunted      map[[2]string]*hunt
	dirs, names int // how many were looked at
}

// meetsSecrets adds reads of the files of secrets that a pattern matches, or that are in a list. The names that a search has
// found count where the files are shown: otherwise every search through a project would.
func (led *ledger) meetsSecrets(inv *command.Invocation, e tool.Effect) {
	if e.Kind != tool.Read || led.world.Secret == nil {
		return
	}
	for _, file := range secretsMet(led, inv, e) {
		found := e
		if found.Target, found.Pattern, found.Reach = file, false, tool.Exact; !slices.Contains(inv.Effects, found) {
			inv.Effects = append(inv.Effects, found)
		}
	}
}

// selection is what is known of the files that words at a place of the script are taken from.
type selection struct {
	some    bool          // there are such words
	from    command.Taint // what lists hold
	visible bool          // no hidden ones
	found   bool          // only those that a search has found something in
	follows bool          // and what made the list goes through links
}

func selected(inv *command.Invocation, at tool.Span) selection {
	c := selection{visible: true, found: true}
	_ = allWords(inv, at, func(w command.Word) bool {
		if w.IsKnown() { // what a search finds stands where the program does that is run on it
			return true
		}
		c.some, c.from = true, c.from|w.Taint&(command.FromGit|command.FromHidden|command.FromListed)
		c.visible, c.found, c.follows = c.visible && w.Visible, c.found && w.Found, c.follows || w.Taint&command.Followed != 0
		return true
	})
	return c
}

// redirects says whether an effect is one of a redirection. What the operands of a program are is known to its model.
func redirects(inv *command.Invocation, e tool.Effect) bool {
	return slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return rd.Target.Span == e.Span })
}

// secretsMet are the files of secrets that a read by a pattern or a list is of.
func secretsMet(led *ledger, inv *command.Invocation, e tool.Effect) []string {
	w, c := firstWild(e.Target), selected(inv, e.Span)
	switch {
	case e.Reach == tool.Under && inv.Shows:
		found := secretsListed(led, inv, e.Target, c)
		if redirects(inv, e) {
			found = append(found[:len(found):len(found)], secretsNear(led, e, c)...)
		}
		return found
	case w.name != "" && (!w.searches() || inv.Shows || inv.Sweeps):
		found := led.secretsOf(aim{pattern: w, hidden: w.searches() && !c.visible && !c.found, from: c.from, follows: c.follows})
		if c.found && w.searches() {
			found = append(found[:len(found):len(found)], secretsListed(led, inv, w.dir, c)...)
		}
		return found
	}
	return nil
}

// secretsNear are the files of secrets in the list that is read from: that its pattern matches, if it has one, and else
// those right in its directory.
func secretsNear(led *ledger, e tool.Effect, c selection) []string {
	w := firstWild(e.Target)
	if !e.Pattern {
		w = wildPath{dir: e.Target, name: "*"}
	}
	return led.secretsOf(aim{pattern: w, hidden: !c.visible && !c.found, from: c.from, follows: c.follows})
}

// secretsListed are the files of secrets in the list of files below a directory that is read from: in one of files at every level, or in
// one that was made by what is in the files. What controls something else keeps what it reads to itself.
func secretsListed(led *ledger, inv *command.Invocation, dir string, c selection) []string {
	if c.from == 0 || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control }) {
		return nil
	}
	all := led.secretsOf(aim{pattern: wildPath{dir: dir, name: "**", rest: "/*"}, hidden: !c.visible, from: c.from, hunted: c.found, follows: c.follows})
	if !c.found {
		return all
	}
	var found []string
	for _, file := range all {
		if len(found) < maxSpoken && led.searchFinds(dir, file) {
			found = append(found, file)
		}
	}
	return found
}

// searchFinds says whether a search through the files below a directory may find a file of secrets by what is in it.
func (led *ledger) searchFinds(dir, file string) bool {
	if led.world.ReadSecret == nil {
		return false
	}
	h := led.sought.hunted[[2]string{dir, file}]
	if h == nil {
		text, err := led.world.ReadSecret(file)
		h = &hunt{text: string(text), any: err != nil}
		if led.sought.hunted == nil {
			led.sought.hunted = map[[2]string]*hunt{}
		}
		led.sought.hunted[[2]string{dir, file}] = h
	}
	for ; h.seen < len(led.invocations) && !h.found; h.seen++ {
		search := led.invocations[h.seen]
		out := &search.Output
		h.found = out.Reach == tool.Under && out.Found && isLinkedTo(search.Moves, out.Text, dir, 0) && (h.any || mayFind(search, dir, h.text))
	}
	return h.found
}

// isLinkedTo says whether a path is another one, by what has been linked and moved.
func isLinkedTo(links []command.Link, path, to string, hops int) bool {
	return path == to || hops < 3 && slices.ContainsFunc(links, func(l command.Link) bool {
		return !l.Pattern && paths.Within(path, l.From) && isLinkedTo(links, paths.Clean("/", l.To+path[len(l.From):]), to, hops+1)
	})
}

// hunt is a file of secrets that searches may find, below a directory.
type hunt struct {
	text  string
	any   bool // it cannot be read: they may find it
	seen  int  // so many invocations were asked whether they do
	found bool
}

// mayFind says whether a search below a directory may find a file that holds a text: each word that it is given, apart from
// flags and the directory, may be what it looks for.
func mayFind(search *command.Invocation, dir, text string) bool {
	return slices.ContainsFunc(search.Words[1:], func(w command.Word) bool {
		switch {
		case !w.IsKnown():
			return true
		case w.Text == "" || paths.Clean(search.Dir.Text, w.Text) == dir:
			return false
		case w.Text[0] == '-':
			return flagFinds(w.Text, text)
		}
		return mayMatch(text, w.Text)
	})
}

// flagFinds says whether a search may find a text by what a flag says: what it looks for, where that is written, or that it
// looks for what does not match.
func flagFinds(flag, text string) bool {
	if name, long := strings.CutPrefix(flag, "--"); long {
		name, _, _ = strings.Cut(name, "=")
		return name != "" && name != "files" && slices.ContainsFunc([]string{"regexp", "file", "files-without-match", "invert-match"}, func(one string) bool { return strings.HasPrefix(one, name) })
	}
	at := strings.IndexAny(flag, "efLv")
	return at >= 0 && (flag[at] != 'e' || at+1 < len(flag) && mayMatch(text, flag[at+1:]))
}

// mayMatch says whether a regular expression may match something in a text. Some write the sign of an alternative with a
// backslash.
func mayMatch(text, expression string) bool {
	return slices.ContainsFunc(strings.Split(expression, "|"), func(one string) bool { return mayContain(text, strings.TrimSuffix(one, `\`)) })
}

// secretsOf are the files of secrets that a pattern matches.
func (led *ledger) secretsOf(a aim) []string {
	a.made = led.ignores
	if found, known := led.sought.found[a]; known {
		return found
	}
	q := quest{led: led, aim: a}
	ways := value.Alternatives(a.pattern.name + a.pattern.rest)
	for _, one := range ways {
		if len(ways) == 1 || one != value.Everything { // where only some names of a list are known
			walk{led, &q}.level(a.pattern.dir, one)
		}
	}
	if led.sought.found == nil {
		led.sought.found = map[aim][]string{}
	}
	led.sought.found[a] = q.found
	return q.found
}

// aim is a pattern that is looked for.
type aim struct {
	pattern wildPath
	hidden  bool          // its wildcards match hidden names as well
	from    command.Taint // what is in the list that it is taken from
	hunted  bool          // it is looked into the files that are found
	follows bool          // what looks for it at every level goes through links
	made    *command.Data // what the script has made of the list of what is ignored
}

// quest looks for files of secrets.
type quest struct {
	led   *ledger
	aim   aim
	found []string
	lurks bool // what counted last is hidden, and not looked for
}

// enough says whether enough was looked at.
func (q *quest) enough() bool {
	most := maxSpoken
	if q.aim.hunted {
		most = maxHunted
	}
	return q.led.sought.dirs > maxSoughtDirs || q.led.sought.names > maxSoughtNames || len(q.found) == most
}

func (q *quest) lists(bool) { q.led.sought.dirs++ }

func (q *quest) deep(string, string) bool { return false }

// counts is for files, and directories on the way, but for those that others fill.
func (q *quest) counts(name, rest string, e tool.Entry) bool {
	q.lurks = e.Name[0] == '.' && name[0] != '.' && !q.aim.hidden
	onTheWay := e.Dir || e.Link && (q.aim.follows || rest != "**" && !strings.HasPrefix(rest, "**/")) // a search at every level goes through no links
	if q.lurks && q.aim.from&command.FromListed == 0 || rest == "" && e.Dir || rest != "" && !onTheWay {
		return false
	}
	return rest == "" || e.Name != ".git" && !slices.Contains(command.Installs, e.Name)
}

// meets looks at a file where nothing stands behind its name.
func (q *quest) meets(path, rest string, e *tool.Entry) bool {
	if e != nil && q.lurks && !q.led.lib.Unhides(q.led.world, q.aim.from, q.aim.made, paths.Clean("/", path)) {
		return false
	}
	if rest == "" {
		q.file(path)
	}
	return rest != ""
}

// file looks at one file.
func (q *quest) file(path string) {
	q.led.sought.names++
	path = paths.Clean("/", path)
	w := q.led.world
	if w.Secret(tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact}) && (w.Exists == nil || w.Exists(path)) && q.led.lib.Comes(w, q.aim.from, q.aim.made, path) {
		q.found = append(q.found, path)
	}
}

// mayContain says whether a text may have in it what a regular expression without alternatives matches: if it has all words of
// that, in whatever case.
func mayContain(text, expression string) bool {
	text = strings.ToLower(text)
	for _, word := range strings.FieldsFunc(certain(expression), func(c rune) bool { return c < 0x80 && !isName("_"+string(c)) }) {
		if !strings.Contains(text, strings.ToLower(word)) {
			return false
		}
	}
	return true
}

// certain is a regular expression without the parts that stand for something else than themselves. Of one with a backslash
// in front of what means something in some kinds of expressions only, nothing is certain.
func certain(expression string) string {
	text := []byte(expression)
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 || text[i] == '\\' && !isPlainEscape(expression[i+1:]) {
			return ""
		}
		from, to := i, i
		switch text[i] {
		case '\\':
			to = i + 1
		case '[':
			to = strings.LastIndexByte(expression, ']')
		case '(':
			to = strings.LastIndexByte(expression, ')')
		case '{':
			from, to = i-1, i+strings.IndexByte(expression[i:], '}')
		case '?', '*':
			from = i - 1
		default:
			continue
		}
		for i = max(from, 0); i <= to && i < len(text); i++ {
			text[i] = ' '
		}
		i = max(i-1, from+1, 0)
	}
	return string(text)
}

// isPlainEscape says whether what stands behind a backslash stands for itself or for a kind of character, whichever tool reads it.
func isPlainEscape(behind string) bool {
	return behind != "" && strings.IndexByte("wWsSbBdD.*^$[]/-=:,;#@%&!~\"'<> ", behind[0]) >= 0
}
