package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// A repository carries settings of its own. Nobody gets them by cloning, but an
// archive can hold a repository, and so can a directory of another one; then
// looking at its state runs what they name. So they are read before a command
// works in a repository, and what they would have run is an effect of that
// command, unless it is usual in such a place.

// maxGitConfig bounds the files that are read.
const maxGitConfig = 256 << 10

// embedded looks at the repository that a program works in which runs git by itself: builds
// that note the commit, tools of forges. The project's own is what it is; a directory that is
// a repository itself can have come with a download.
func (r *reader) embedded() {
	if r.dir.Reach != tool.Exact || r.dir.Text == r.world.Project || r.world.Exists == nil || r.world.ReadFile == nil || !paths.Within(r.dir.Text, r.world.Project) {
		return
	}
	if !slices.ContainsFunc(r.inv.Effects, mayRunGit) {
		return
	}
	if dir := Follow(r.dir.Text, r.world); paths.Within(dir, r.gitDir(dir)) {
		r.carried(r.dir.Text)
	}
}

// mayRunGit says whether an effect is that of the project's code, or of a tool of a forge.
func mayRunGit(e tool.Effect) bool {
	return runsProject(e) || strings.HasPrefix(e.Target, "forge.") || e.Target == "@forge"
}

// runsProject says whether an effect is that the project's code runs.
func runsProject(e tool.Effect) bool {
	return e.Kind == tool.Execute && strings.HasPrefix(e.Target, "project:")
}

// carried adds what the settings of the repository at dir make a command run:
// all of them what looking at files runs, those that talk to a remote or change
// the repository some more. Pagers are left out: they run at a terminal only.
func (r *reader) carried(dir string) {
	if r.world.ReadFile == nil || r.world.Exists == nil {
		return
	}
	dir = Follow(dir, r.world)
	gitDir := r.gitDir(dir)
	if dir != r.world.Project && (path.Dir(gitDir) != dir || path.Base(gitDir) != ".git") {
		// One that this very script makes is found first; nobody writes into ".git".
		w := Known(dir+"/config", r.inv.Span)
		r.inv.Runs = append(r.inv.Runs, Nested{File: &w, Known: true, Shell: "git-config"})
	}
	if gitDir == "" {
		return
	}
	c := repoConfig{r: r, gitDir: gitDir, file: gitDir + "/config", talks: r.talks(), mirror: gitDir == dir}
	c.changes = slices.Contains(r.level().Effects, Spec{Kind: "write", Target: "@repository"})
	c.read(c.file, 0)
}

// asCloned says whether the repository at dir is as git itself makes one: its settings
// are those that a clone has, which name no program, and it has no hooks. What
// somebody has unpacked or set up there is not.
func (s *surroundings) asCloned(dir Word) bool {
	w := s.world
	if dir.Reach != tool.Exact || w.ReadFile == nil || w.Exists == nil || w.Entries == nil || w.Readlink == nil {
		return false
	}
	gitDir := s.gitDir(Follow(dir.Text, w))
	if path.Base(gitDir) != ".git" || w.Exists(gitDir+"/config.worktree") {
		return false
	}
	if _, err := w.Readlink(gitDir); err == nil {
		return false
	}
	return hasClonedSettings(w, gitDir+"/config") && hasNoHooks(w, gitDir+"/hooks")
}

// hasClonedSettings says whether a file has only settings that a clone has.
func hasClonedSettings(w *tool.World, file string) bool {
	text, err := w.ReadFile(file)
	if err != nil || len(text) > maxGitConfig {
		return false
	}
	plain := true
	whole := readGitConfig(string(text), func(section, _, name, _ string) {
		plain = plain && hasWord(clonedSettings(section), name)
	})
	return plain && whole
}

// hasNoHooks says whether a directory of hooks has none but the samples of git.
func hasNoHooks(w *tool.World, dir string) bool {
	hooks, listed := w.Entries(dir)
	for _, h := range hooks {
		if !strings.HasSuffix(h.Name, ".sample") {
			return false
		}
	}
	return listed || !w.Exists(dir)
}

// clonedSettings are what git writes into a section of the settings of a new clone.
func clonedSettings(section string) string {
	switch section {
	case "core":
		return "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks"
	case "remote":
		return "url fetch"
	case "branch":
		return "remote merge"
	case "submodule":
		return "active url"
	}
	return ""
}

// talks says whether this is a command that can talk to a remote.
func (l *commandLine) talks() bool {
	level := l.level()
	for _, s := range level.Effects {
		if s.Kind == "fetch" || s.Kind == "send" {
			return true
		}
	}
	for _, item := range level.Operands {
		for _, u := range item.Uses {
			if strings.HasPrefix(u.Name, "git-url") || strings.HasPrefix(u.Name, "git-refspec") || u.Name == "git-push" || u.Name == "git-clone" {
				return true
			}
		}
	}
	return false
}

// gitDir is where the repository that dir belongs to keeps its settings, or "":
// git looks at each directory from there upwards for ".git", and whether it is
// a repository itself.
func (s *surroundings) gitDir(dir string) string {
	for range 40 {
		if at := dir + "/.git"; s.world.Exists(at) {
			return s.linkedDir(dir, at)
		}
		if !paths.Within(s.world.Project, dir) && s.world.Exists(dir+"/HEAD") && s.world.Exists(dir+"/objects") && s.world.Exists(dir+"/refs") {
			return dir
		}
		if dir == "/" {
			return ""
		}
		dir = path.Dir(dir)
	}
	return ""
}

// linkedDir is the directory that ".git" is, or that it names if it is a file:
// that of a worktree or a submodule.
func (s *surroundings) linkedDir(dir, at string) string {
	if s.world.Exists(at + "/.") { // as nearly always
		return at
	}
	text, err := s.world.ReadFile(at)
	if err != nil || !strings.HasPrefix(string(text), "gitdir:") {
		return at
	}
	if at = strings.TrimSpace(strings.TrimPrefix(string(text), "gitdir:")); !strings.HasPrefix(at, "/") {
		at = clean(dir + "/" + at)
	}
	if common, err := s.world.ReadFile(at + "/commondir"); err == nil {
		if to := strings.TrimSpace(string(common)); strings.HasPrefix(to, "/") {
			at = clean(to)
		} else {
			at = clean(at + "/" + to)
		}
	}
	return at
}

// repoConfig reads the settings of one repository.
type repoConfig struct {
	r                     *reader
	gitDir, file          string
	changes, talks, asked bool
	mirror                bool // it is a repository without a working tree, and the command works in it
}

func (c *repoConfig) read(file string, depth int) {
	data, err := c.r.world.ReadFile(file)
	if err != nil {
		return
	}
	ok := len(data) <= maxGitConfig && depth <= 3
	if !ok || !readGitConfig(string(data), func(section, _, name, value string) { c.setting(file, section, name, value, depth) }) {
		c.code(Word{})
	}
}

// code is something that a setting makes git run.
func (c *repoConfig) code(v Word) {
	if !c.asked {
		c.r.execute("config:"+c.file, c.r.inv.Span)
		c.asked = true
	}
	if v.IsKnown() {
		c.r.inv.Runs = append(c.r.inv.Runs, Nested{Script: &v, Shell: "sh", Dir: &c.r.dir, Stdin: Data{Taint: FromFile}, Piped: true, Clear: true})
	}
}

// setting is one setting of the file; a middle part of its key does not matter.
func (c *repoConfig) setting(file, section, name, value string, depth int) {
	if !hasWord("core diff filter merge sequence gpg remote credential include includeif extensions", section) {
		return
	}
	key := section + "." + name
	list := "git-programs"
	if name == "sshcommand" {
		list = "git-ssh"
	}
	switch {
	case key == "credential.helper":
		if c.talks && strings.ContainsAny(value, "!/ ") {
			c.code(Known(strings.TrimPrefix(value, "!"), c.r.inv.Span))
		}
	case key == "remote.fetch":
		c.maps(value)
	case c.names(file, key, value, depth):
	case c.runs(key, value) && strings.TrimSpace(value) != "" && !c.r.lib.usualProgram(list, value):
		c.code(Known(value, c.r.inv.Span))
	}
}

// maps is where a remote's branches go. Only in a mirror, where nobody works, they take the place of
// one's own; elsewhere a fetch replaces those, and deletes what the other side does not have.
func (c *repoConfig) maps(refspec string) {
	_, dest, _ := strings.Cut(refspec, ":")
	if dest == "" || isTracking(dest) || !beginsWith("refs/heads refs/*", dest) || c.mirror || !slices.Contains(c.r.level().Effects, Spec{Kind: "control", Target: "git.update"}) {
		return
	}
	c.r.controlOnce("git.delete-branch", c.r.inv.Span)
}

// names reads a setting that names another file or a directory. It says whether it is one.
func (c *repoConfig) names(file, key, value string, depth int) bool {
	switch key {
	case "include.path", "includeif.path":
		c.include(file, value, depth)
	case "extensions.worktreeconfig":
		if isBool(strings.ToLower(value)) {
			c.read(c.gitDir+"/config.worktree", depth+1)
		}
	case "core.worktree":
		if c.leadsOut(c.at(c.gitDir, value)) {
			c.code(Word{})
		}
	case "core.hookspath":
		if c.changes && c.leadsOut(c.at(path.Dir(c.gitDir), value)) {
			c.code(Word{})
		}
	default:
		return false
	}
	return true
}

// leadsOut says whether a path is neither in the project nor in the working tree.
func (c *repoConfig) leadsOut(to string) bool {
	return !paths.Within(to, c.r.world.Project) && !paths.Within(to, path.Dir(c.gitDir))
}

// runs says whether the command runs what a setting names.
func (c *repoConfig) runs(key, value string) bool {
	switch key {
	case "core.fsmonitor":
		return !isBool(strings.ToLower(value)) && !paths.Within(c.at(path.Dir(c.gitDir), value), c.gitDir+"/hooks")
	case "core.alternaterefscommand", "diff.external", "diff.textconv", "diff.command", "filter.clean", "filter.smudge", "filter.process":
		return true
	case "merge.driver", "core.editor", "sequence.editor", "gpg.program":
		return c.changes
	case "core.sshcommand", "core.gitproxy", "core.askpass", "remote.uploadpack", "remote.receivepack", "remote.vcs":
		return c.talks
	}
	return false
}

// usualProgram says whether a command line is one that people set up for git: a
// program that settings usually name with plain switches, or one of a list with
// the words that are listed for it.
func (l *Library) usualProgram(list, line string) bool {
	words := strings.Fields(strings.ReplaceAll(line, `"`, ""))
	if len(words) == 0 || strings.ContainsAny(line, "'`$\\;&|<>(){}*?[]!#\n") {
		return false
	}
	if l.usualHook(strings.Join(words, " ")) && !strings.Contains(line, "=") {
		return true
	}
	dir, name := path.Split(words[0])
	level, _ := l.listed(list, name)
	if level == nil || dir != "" && !InStandardDir(strings.TrimSuffix(dir, "/")) {
		return false
	}
	return level.listsAll(words[1:])
}

// listsAll says whether words are all subcommands and flags that a level lists, with values
// that it lists.
func (l *Level) listsAll(words []string) bool {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "--" || len(w) == 2 && w[0] == '%' {
			continue // what git puts there
		}
		if sub, _, exact := l.Subs.find(w); exact {
			l = sub
			continue
		}
		all := l.Flags.All()
		k := slices.IndexFunc(all, func(f Flag) bool { return f.Name == w })
		if k < 0 || !all[k].lists(words[i+1:]) {
			return false
		}
		i += len(all[k].Values)
	}
	return true
}

// lists says whether words begin with values that a flag can have.
func (f *Flag) lists(words []string) bool {
	if len(words) < len(f.Values) {
		return false
	}
	for i, uses := range f.Values {
		if uses[0].Name == "values" && !allMatch(Known(words[i], tool.Span{}), uses[0].Arg) {
			return false
		}
	}
	return true
}

// at is a path that a setting names, seen from a directory.
func (c *repoConfig) at(dir, to string) string {
	if rest, ok := strings.CutPrefix(to, "~/"); ok {
		return c.r.atHome(rest)
	}
	return at(dir, to)
}

// include is another file of settings: the user's own, or one that is read too.
func (c *repoConfig) include(file, to string, depth int) {
	switch to = c.at(path.Dir(file), to); {
	case !c.leadsOut(to):
		c.read(to, depth+1)
	case c.r.world.Home == "" || !paths.Within(to, c.r.world.Home) || paths.Within(to, c.r.world.Home+"/Downloads"):
		c.code(Word{})
	}
}

// readGitConfig visits the settings of a file; sections and names are lower case, and
// part is what a section has in quotes. It is false if git would not read the file.
func readGitConfig(text string, visit func(section, part, name, value string)) bool {
	section, part := "", ""
	for line, rest := "", strings.TrimPrefix(text, "\ufeff"); rest != ""; {
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimSpace(line)
		if line != "" && line[0] == '[' {
			var closed bool
			if section, part, line, closed = gitSection(line[1:]); !closed {
				return false
			}
			line = strings.TrimSpace(line)
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if section == "" {
			return false
		}
		var name, value string
		name, value, rest = gitLine(line, rest)
		visit(section, part, strings.ToLower(strings.TrimSpace(name)), value)
	}
	return true
}

// gitLine reads one setting, which may go on in the lines behind it.
func gitLine(line, below string) (name, value, rest string) {
	name, value, valued := strings.Cut(line, "=")
	if !valued {
		return strings.SplitN(strings.SplitN(name, "#", 2)[0], ";", 2)[0], "true", below
	}
	for strings.HasSuffix(value, `\`) && !strings.HasSuffix(value, `\\`) && below != "" {
		var more string
		more, below, _ = strings.Cut(below, "\n")
		value = strings.TrimSuffix(value, `\`) + strings.TrimSuffix(more, "\r")
	}
	return name, gitValue(value), below
}

// gitSection reads the head of a section, of which "[" has been read: its name, the
// part in quotes, and what follows it.
func gitSection(text string) (name, part, rest string, ok bool) {
	name, rest, ok = strings.Cut(text, "]")
	name, _, quoted := strings.Cut(name, `"`)
	if quoted { // that part can hold brackets
		n := quotedLength(text[len(name):])
		if n == 0 {
			return "", "", "", false
		}
		part = strings.ReplaceAll(text[len(name)+1:len(name)+n-1], `\`, "")
		rest, ok = strings.CutPrefix(strings.TrimLeft(text[len(name)+n:], " \t"), "]")
	}
	name, old, _ := strings.Cut(name, ".") // an old way to write the part
	if part == "" {
		part = strings.TrimSpace(old)
	}
	return strings.ToLower(strings.TrimSpace(name)), part, rest, ok
}

// quotedLength is the length of what stands in the quotes that text begins with,
// with them; 0 if they do not end.
func quotedLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// gitEscape is what a character behind a backslash stands for.
func gitEscape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	}
	return c
}

// gitValue is what a value means: quotes and escapes are taken away, and a
// comment ends it.
func gitValue(text string) string {
	if !strings.ContainsAny(text, `"\#;`) {
		return strings.TrimSpace(text)
	}
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(gitEscape(text[i]))
		case (c == '#' || c == ';') && !quoted:
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String())
}
