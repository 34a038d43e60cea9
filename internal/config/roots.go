package config

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"longline/internal/agent"
)

// Roots are the places whose content may loosen the policy: the user's rules,
// state, compiled rules and agent settings. They are fixed before an agent
// starts: they lie below the user's home directory, or where "longline init" has
// recorded there that they are. A variable chooses none of them, because
// agents pass on the variables that a repository sets.
type Roots struct {
	Home   string   // "" if there is none that can be believed
	Config []string // that may hold a rules.yaml; the first that does counts
	State  string   // what a person has said; "" without a home directory
	Cache  string   // compiled rules
	Claude []string // that may hold Claude Code's settings; the first that is there counts
	// Told says which variables are not followed, and what to do about it.
	Told []string

	named  []string // what the variables name all the same, to be guarded
	record string   // what a person has recorded
}

// RecordFile holds the places that a person has recorded, from the home
// directory. Each line is NAME=/path.
const RecordFile = ".config/longline/places"

// moves are the variables that move a place, with what they stand for in the
// home directory.
var moves = [...]struct{ variable, standard, name string }{
	{"XDG_CONFIG_HOME", ".config", "longline"},
	{"XDG_STATE_HOME", ".local/state", "longline"},
	{"XDG_CACHE_HOME", ".cache", "longline"},
	{agent.ClaudeVariable, agent.ClaudeDir, ""},
}

// rootsOf works out the places for a call in dir, which is in a project, when known
// is the home directory that the password database tells.
func (l *Look) rootsOf(env Env, project, dir, known string) Roots {
	memo := &l.roots
	if memo.done && memo.project == project && memo.dir == dir && memo.known == known {
		return memo.found
	}
	memo.project, memo.dir, memo.known = project, dir, known
	memo.done, memo.found = true, l.newRoots(env, project, dir, known)
	return memo.found
}

func (l *Look) newRoots(env Env, project, dir, known string) Roots {
	var r Roots
	var why string
	if r.Home, why = l.homeOf(env, project, dir, known); why != "" {
		r.Told = append(r.Told, why)
	}
	if r.Home == "" {
		return r
	}
	r.record = records(r.Home)
	dirs := func(i int) []string {
		m := moves[i]
		standard := below(r.Home, m.standard)
		list := []string{inside(standard, m.name)}
		own := recorded(r.record, m.variable)
		if own != "" && own != standard {
			list = []string{inside(own, m.name), list[0]}
		}
		value, _ := env.Get(m.variable)
		if dir := filepath.Clean(value); value != "" && dir != standard && dir != own {
			r.differs(m.variable, dir, m.name, list[0])
		}
		return list
	}
	r.Config = dirs(0)
	r.State = dirs(1)[0]
	r.Cache = dirs(2)[0]
	r.Claude = dirs(3)
	return r
}

// differs notes a variable that names another place than the one that counts.
// What it names is guarded as if it counted, and spoken of only if there is
// something in it that somebody may miss.
func (r *Roots) differs(variable, value, name, counts string) {
	if !filepath.IsAbs(value) {
		return
	}
	dir := inside(value, name)
	if real, err := filepath.EvalSymlinks(dir); err == nil && (real == counts || real == followed(counts)) {
		return // another spelling
	}
	if name != "" {
		r.named = append(r.named, dir)
	} else {
		r.named = append(r.named, below(dir, hooksConfig))
	}
	if exists(dir) {
		r.Told = append(r.Told, "the variable "+variable+" is ignored: "+strconv.Quote(value)+
			" is not recorded as yours, and "+counts+` counts; if you set it, run "longline init" in a terminal to record it`)
	}
}

// movedSettings are the settings of agents below the directories that variables name, or
// that are recorded. Whether they count or not, no agent has business with them.
func (r *Roots) movedSettings(env Env) []string {
	return agent.Moved(func(variable, standard string) string {
		if dir := cmp.Or(env.path(variable), recorded(r.record, variable)); dir != below(r.Home, standard) {
			return dir
		}
		return ""
	})
}

func inside(dir, name string) string {
	if name == "" {
		return dir
	}
	return below(dir, name)
}

// Movable lists the variables that name another place than the one that counts
// and that a person can record: absolute directories outside of projects.
func Movable(env Env) []string {
	look := new(Look)
	home, _ := look.homeOf(env, "", "", look.passwordHome())
	if home == "" {
		return nil
	}
	record := records(home)
	var lines []string
	for _, m := range moves {
		value, _ := env.Get(m.variable)
		dir, own := filepath.Clean(value), recorded(record, m.variable)
		switch {
		case !isPlace(value) || dir == below(home, m.standard) || dir == own:
			if own != "" {
				lines = append(lines, m.variable+"="+own)
			}
		case temporary(dir) && !temporary(home) || look.gitRoot(dir, home) != "":
		default:
			lines = append(lines, m.variable+"="+dir)
		}
	}
	return lines
}

// isPlace says whether a value can be written down as a directory.
func isPlace(value string) bool {
	return value != "" && filepath.IsAbs(value) && !strings.ContainsAny(value, "\n\r")
}

// homeOf is the user's home directory: the one that HOME names, or else the one
// that the password database knows. Agents, editors and what loads variables when
// a directory is entered pass on what a project says, so a HOME that differs from the
// password database's is believed only if nothing says that the project chose it:
// it is the caller's own, nobody else can write to it, it is in no repository and
// not in the other home directory, the work is not in the other one either, and no
// file of the project sets it. It says why HOME is not believed.
func (l *Look) homeOf(env Env, project, dir, known string) (home, why string) {
	value := env.path("HOME")
	if value == "" {
		return known, ""
	}
	if value == known {
		return value, ""
	}
	real := l.followed(value)
	other := known
	if known != "" && real == l.followed(known) {
		other = ""
	}
	if why = l.unfit(value, real, other != ""); why == "" {
		why = l.chosen(value, real, project, dir, other)
	}
	switch {
	case why == "":
		return value, ""
	case known == "":
		return "", "the home directory " + strconv.Quote(value) + " " + why + ": no rules are read from there"
	}
	return known, "the home directory " + strconv.Quote(value) + " " + why + ": rules are read from " + known
}

// unfit says what is wrong with a directory as a home, and as one that is apart from the one
// that is known; "" if nothing.
func (l *Look) unfit(value, real string, apart bool) string {
	at := l.at(value)
	if at.kind == link {
		at = l.at(real)
	}
	switch {
	case at.kind != directory:
		return "is not there"
	case at.uid >= 0 && at.uid != os.Geteuid():
		return "belongs to another user"
	case apart && at.mode&0o002 != 0:
		return "is writable by everybody"
	}
	return ""
}

// chosen says what speaks for it that a project has chosen a directory as the home, where other
// is the one that is known; "" if nothing.
func (l *Look) chosen(value, real, project, dir, other string) string {
	if l.inProject(value, real, project) {
		return "is in the project"
	}
	if l.gitRoot(real) != "" {
		return "is in a repository"
	}
	if other == "" {
		return ""
	}
	work := cmp.Or(project, dir)
	switch {
	case Within(real, l.followed(other)):
		return "is inside your home directory"
	case work != "" && Within(l.followed(work), l.followed(other)):
		return "is not the one that the project is in"
	case l.setsHome(work, value):
		return "is set by a file of the project"
	}
	return ""
}

// inProject says whether a home directory is in the project. One without a repository can be
// where an agent was started: all that speaks against one that a project has chosen speaks
// against it too.
func (l *Look) inProject(value, real, project string) bool {
	if project == "" || !Within(value, project) && !Within(real, l.followed(project)) {
		return false
	}
	return value != project || l.exists(below(project, ".git"))
}

// settingFiles are files of a project by which agents, editors, containers and shells
// get variables.
func settingFiles() []string {
	return append(
		agent.Variables(), ".envrc", ".env", ".env.local", "mise.toml", ".mise.toml", ".config/mise.toml", ".devcontainer.json",
		".devcontainer/devcontainer.json", "devbox.json", "flake.nix", "shell.nix", ".idea/workspace.xml",
	)
}

// setsHome says whether a file of the project may have given HOME its value.
func (l *Look) setsHome(project, value string) bool {
	if project == "" {
		return false
	}
	for _, name := range settingFiles() {
		if path := below(project, name); l.exists(path) && fileAssigns(path, "HOME", value) {
			return true
		}
	}
	return false
}

// maxSearched bounds what is searched of a file of settings.
const maxSearched = 256 << 20

// fileAssigns says whether a file may give a variable a value. What is not a regular
// file does not: no repository carries it. What cannot be read to its end may.
func fileAssigns(path, name, value string) bool {
	f, _, err := openRegular(path, maxSearched)
	if err != nil {
		info, statErr := os.Stat(path)
		return statErr != nil || info.Mode().IsRegular()
	}
	defer f.Close()
	buf, kept := make([]byte, 64<<10), 0
	for {
		n, err := f.Read(buf[kept:])
		text := buf[:kept+n]
		if assigns(string(text), name, value) {
			return true
		}
		if err != nil {
			return err != io.EOF
		}
		kept = copy(buf, text[max(0, len(text)-4<<10):]) // an assignment may lie across two parts
	}
}

// assigns says whether a text has a name with an equals sign or a colon behind it, as
// files of all kinds write that it has a value, unless that is plainly another one.
func assigns(text, name, value string) bool {
	for {
		before, after, ok := strings.Cut(text, name)
		if !ok {
			return false
		}
		text = after
		if n := len(before); n > 0 && goesOn(before[n-1]) {
			continue
		}
		rest := strings.TrimLeft(after, " \t\"'")
		if rest != "" && (rest[0] == '=' || rest[0] == ':') && !plainlyAnother(rest[1:], value) {
			return true
		}
	}
}

// goesOn says whether a name that stands behind a byte is the end of a longer one, or is used.
func goesOn(c byte) bool { return c == '_' || c == '$' || c == '{' || isLetter(c) }

// plainlyAnother says whether a text begins with a path between quotes that is not
// the one a variable has.
func plainlyAnother(text, value string) bool {
	text = strings.TrimLeft(text, " \t")
	if len(text) < 2 || text[0] != '"' && text[0] != '\'' || text[1] != '/' {
		return false
	}
	path, _, ended := strings.Cut(text[1:], text[:1])
	return ended && !strings.ContainsAny(path, "$`\\~%") && filepath.Clean(path) != filepath.Clean(value)
}

func isLetter(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// passwordHome is the home directory that the password database of this machine
// gives a user, or "". It is read here because package os/user is too large for
// the hook.
func passwordHome(uid int) string {
	text, err := readFile("/etc/passwd", maxFile)
	if err != nil {
		return ""
	}
	id := strconv.Itoa(uid)
	for line := range strings.Lines(string(text)) {
		// name:password:uid:gid:comment:home:shell
		_, rest, _ := strings.Cut(line, ":")
		_, rest, _ = strings.Cut(rest, ":")
		if !strings.HasPrefix(rest, id+":") {
			continue
		}
		fields := strings.Split(strings.TrimRight(rest, "\r\n"), ":")
		if len(fields) == 5 && filepath.IsAbs(fields[3]) && fields[3] != "/" {
			return filepath.Clean(fields[3])
		}
	}
	return ""
}

// records reads what a person has recorded. A file that somebody else could
// have written says nothing.
func records(home string) string {
	f, info, err := openOwned(below(home, RecordFile), os.Geteuid())
	if err != nil {
		return ""
	}
	defer f.Close()
	text := make([]byte, min(info.Size(), 16<<10))
	n, _ := f.Read(text)
	return string(text[:n])
}

func recorded(record, variable string) string {
	for line := range strings.Lines(record) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), variable+"="); ok && filepath.IsAbs(value) {
			return filepath.Clean(value)
		}
	}
	return ""
}

// temporary says whether a path is where programs put what they do not keep.
func temporary(path string) bool {
	for _, dir := range [...]string{"/tmp", "/var/tmp", "/dev/shm", "/var/folders", "/private/tmp", "/private/var"} {
		if Within(path, dir) {
			return true
		}
	}
	return false
}
