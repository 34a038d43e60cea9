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
// spoken of.
const maxSoughtDirs, maxSoughtNames, maxSpoken = 1000, 4000, 3

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

func isVisible(w command.Word) bool { return w.Visible }

// redirects says whether an effect is one of a redirection. What the operands of a program are is known to its model.
func redirects(inv *command.Invocation, e tool.Effect) bool {
	return slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return rd.Target.Span == e.Span })
}

// secretsMet are the files of secrets that a read by a pattern or a list is of.
func secretsMet(led *ledger, inv *command.Invocation, e tool.Effect) []string {
	w := firstWild(e.Target)
	switch {
	case e.Reach == tool.Under && inv.Shows:
		found := led.secretsListed(inv, e)
		if redirects(inv, e) {
			found = append(found[:len(found):len(found)], secretsNear(led, inv, e)...)
		}
		return found
	case w.name != "" && (!w.searches() || inv.Shows || inv.Sweeps):
		return led.secretsOf(w, w.searches() && !allWords(inv, e.Span, isVisible))
	}
	return nil
}

// secretsNear are the files of secrets in the list that is read from: that its pattern matches, if it has one, and else
// those right in its directory.
func secretsNear(led *ledger, inv *command.Invocation, e tool.Effect) []string {
	w := firstWild(e.Target)
	if !e.Pattern {
		w = wildPath{dir: e.Target, name: "*"}
	}
	return led.secretsOf(w, !allWords(inv, e.Span, isVisible))
}

// secretsListed are the files of secrets in the list that is read from: in one of all files at every level, or in one that was made
// by what is in the files. What controls something else keeps what it reads to itself.
func (led *ledger) secretsListed(inv *command.Invocation, e tool.Effect) []string {
	deep, all := false, false
	_ = allWords(inv, e.Span, func(w command.Word) bool {
		deep = deep || w.Taint&(command.FromGit|command.FromHidden) != 0
		all = all || deep && !w.Visible
		return true
	})
	if !deep || e.Kind != tool.Read || e.Reach != tool.Under || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control }) {
		return nil
	}
	found := led.secretsOf(wildPath{dir: e.Target, name: "**", rest: "/*"}, true)
	if all || len(found) == 0 {
		return found
	}
	return slices.DeleteFunc(slices.Clone(found), func(file string) bool { return !led.searchFinds(e.Target, file) })
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
		h.found = out.Reach == tool.Under && out.Visible && out.Text == dir && (h.any || mayFind(search, dir, h.text))
	}
	return h.found
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

// secretsOf are the files of secrets that a pattern matches, hidden ones as well where its wildcards match these.
func (led *ledger) secretsOf(w wildPath, hidden bool) []string {
	key := aim{w, hidden}
	if found, known := led.sought.found[key]; known {
		return found
	}
	q := quest{led: led, hidden: hidden}
	ways := value.Alternatives(w.name + w.rest)
	for _, one := range ways {
		if len(ways) == 1 || one != value.Everything { // where only some names of a list are known
			walk{led, &q}.level(w.dir, one)
		}
	}
	if led.sought.found == nil {
		led.sought.found = map[aim][]string{}
	}
	led.sought.found[key] = q.found
	return q.found
}

// aim is a pattern that was looked for.
type aim struct {
	pattern wildPath
	hidden  bool
}

// quest looks for files of secrets.
type quest struct {
	led    *ledger
	hidden bool // wildcards match hidden names as well
	found  []string
}

// enough says whether enough was looked at.
func (q *quest) enough() bool {
	return q.led.sought.dirs > maxSoughtDirs || q.led.sought.names > maxSoughtNames || len(q.found) == maxSpoken
}

func (q *quest) lists(bool) { q.led.sought.dirs++ }

func (q *quest) deep(string, string) bool { return false }

// counts is for files, and directories on the way, but for those that others fill.
func (q *quest) counts(name, rest string, e tool.Entry) bool {
	switch {
	case e.Name[0] == '.' && name[0] != '.' && !q.hidden, (rest == "") == e.Dir:
		return false
	}
	return rest == "" || e.Name != ".git" && !slices.Contains(command.Installs, e.Name)
}

// meets looks at a file where nothing stands behind its name.
func (q *quest) meets(path, rest string, _ *tool.Entry) bool {
	if rest == "" {
		q.file(path)
	}
	return rest != ""
}

// file looks at one file.
func (q *quest) file(path string) {
	q.led.sought.names++
	path = paths.Clean("/", path)
	if q.led.world.Secret(tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact}) && (q.led.world.Exists == nil || q.led.world.Exists(path)) {
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
