package shell

import (
	"slices"

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
	dirs, names int              // how many were looked at
}

// meetsSecrets adds reads of the files of secrets that a pattern matches. The names that a search has found count
// where the files are shown: otherwise every search through a project would.
func (led *ledger) meetsSecrets(inv *command.Invocation, e tool.Effect) {
	if e.Kind != tool.Read || led.world.Secret == nil {
		return
	}
	w, listed := firstWild(e.Target), false
	if e.Reach == tool.Under {
		w, listed = wildPath{dir: e.Target, name: "*"}, true
	}
	if listed && !redirects(inv, e) || !listed && !e.Pattern || w.name == "" || (listed || w.searches()) && !inv.Shows {
		return
	}
	hidden := (listed || w.searches()) && !allWords(inv, e.Span, func(w command.Word) bool { return w.Visible })
	for _, file := range led.secretsOf(w, hidden) {
		found := e
		if found.Target, found.Pattern, found.Reach = file, false, tool.Exact; !slices.Contains(inv.Effects, found) {
			inv.Effects = append(inv.Effects, found)
		}
	}
}

// redirects says whether an effect is one of a redirection. What the operands of a program are is known to its model.
func redirects(inv *command.Invocation, e tool.Effect) bool {
	return slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return rd.Target.Span == e.Span })
}

// secretsOf are the files of secrets that a pattern matches, hidden ones as well where its wildcards match these.
func (led *ledger) secretsOf(w wildPath, hidden bool) []string {
	key := aim{w, hidden}
	if found, known := led.sought.found[key]; known {
		return found
	}
	q := quest{ledger: led, hidden: hidden}
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
	*ledger
	hidden bool // wildcards match hidden names as well
	found  []string
}

// enough says whether enough was looked at.
func (q *quest) enough() bool {
	return q.sought.dirs > maxSoughtDirs || q.sought.names > maxSoughtNames || len(q.found) == maxSpoken
}

func (q *quest) lists(bool) { q.sought.dirs++ }

func (q *quest) deep(string, string) bool { return false }

// counts is for files, and directories on the way, but for those that others fill.
func (q *quest) counts(name, rest string, e tool.Entry) bool {
	switch {
	case e.Name[0] == '.' && name[0] != '.' && !q.hidden, (rest == "") == e.Dir:
		return false
	}
	return rest == "" || e.Name != ".git" && !slices.Contains(installs, e.Name)
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
	q.sought.names++
	path = paths.Clean("/", path)
	if q.world.Secret(tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact}) && (q.world.Exists == nil || q.world.Exists(path)) {
		q.found = append(q.found, path)
	}
}
