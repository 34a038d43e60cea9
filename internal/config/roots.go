package config

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"longline/internal/agent"
)

// Roots are the places whose content may loosen the policy: the user's rules,
// state, compiled rules and agent settings. They are fixed before an agent
// starts: they lie below the home directory that the user database names, or where
// "longline init" has recorded there that they are. A variable chooses none of
// them, because agents pass on the variables that a repository sets.
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
	moved  string   // what HOME names, if that is not Home
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
// is the home directory that the user database tells.
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
	if r.Home, why = l.homeOf(env, cmp.Or(project, dir), known); why != "" {
		r.Told = append(r.Told, why)
	}
	if value := env.path("HOME"); value != r.Home {
		r.moved = value
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
	if r.Home != known && known != "" {
		r.named = append(r.named, below(known, filepath.Dir(RecordFile))) // it says so
	}
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
	list := agent.Moved(func(variable, standard string) string {
		if dir := cmp.Or(env.path(variable), recorded(r.record, variable)); dir != below(r.Home, standard) {
			return dir
		}
		return ""
	})
	if r.moved == "" {
		return list
	}
	return append(list, agent.Moved(func(_, standard string) string { return below(r.moved, standard) })...)
}

func inside(dir, name string) string {
	if name == "" {
		return dir
	}
	return below(dir, name)
}

// Record is the text of a [RecordFile]: a line NAME=/path for each place.
type Record struct {
	Home  string // the home directory that it is in
	Lines []string
}

// Movable are the records that say what the variables say, where that can be
// recorded: absolute directories outside of projects. What is recorded stays. The
// home directory is the one that counts with them.
func Movable(env Env) (home string, list []Record) {
	look := new(Look)
	return movable(look, env, look.userHome(env))
}

func movable(look *Look, env Env, known string) (home string, list []Record) {
	home, _ = look.homeOf(env, "", known)
	if value := env.path("HOME"); look.isHome(known) && home == known && value != "" && look.followed(value) != look.followed(known) &&
		look.isHome(value) && look.canRecord(value, known) {
		text := strings.Split(strings.TrimSpace(records(known)), "\n")
		list = append(list, Record{known, slices.DeleteFunc(append(text, "HOME="+value), func(line string) bool { return line == "" })})
		home = value
	}
	if home == "" {
		return "", nil
	}
	record := records(home)
	var lines []string
	for line := range strings.Lines(record) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "HOME=") {
			lines = append(lines, line)
		}
	}
	for _, m := range moves {
		value, own := env.path(m.variable), recorded(record, m.variable)
		if value != "" && value != below(home, m.standard) && look.canRecord(value, home) {
			own = value
		}
		if own != "" {
			lines = append(lines, m.variable+"="+own)
		}
	}
	if len(lines) > 0 {
		list = append(list, Record{home, lines})
	}
	return home, list
}

// canRecord says whether a directory can be recorded as the user's own.
func (l *Look) canRecord(dir, home string) bool {
	return !strings.ContainsAny(dir, "\n\r") && (!temporary(dir) || temporary(home)) && l.gitRoot(dir, home) == ""
}

// homeOf is the user's home directory, for work in a directory: the known one, which the user
// database names. HOME is a variable like all others, which a repository can set by more
// ways than anybody can list. So another directory counts only if the record in the
// known one names it, or if there is none that is known and this one cannot have been
// made by what runs as the user. It says why HOME is not followed.
func (l *Look) homeOf(env Env, work, known string) (home, why string) {
	value := env.path("HOME")
	if l.isHome(known) {
		switch {
		case value == "" || value == known || l.followed(value) == l.followed(known):
			return known, ""
		case l.isHome(value) && slices.Contains(strings.Split(records(known), "\n"), "HOME="+value):
			return value, ""
		}
		return known, "the variable HOME is ignored: " + strconv.Quote(value) + " is not recorded as your home directory, and " + known +
			` counts; if you set it, run "longline init" in a terminal to record it`
	}
	if value == "" {
		return "", ""
	}
	if why = l.unfit(value, work); why != "" {
		return "", "the home directory " + strconv.Quote(value) + " " + why + ", and the user database has no existing one: no rules are read; give your user a home directory in /etc/passwd"
	}
	return value, ""
}

// isHome says whether a home directory is there. One that cannot be looked at may be.
func (l *Look) isHome(path string) bool {
	if path == "" {
		return false
	}
	at := l.at(path)
	if at.kind == link {
		at = l.at(l.followed(path))
	}
	return at.kind == directory || at.kind == unknown
}

// unfit says why a directory may be one that a repository, or what an agent ran, has filled: such
// a one is not believed to be the home of a user whom the user database does not know. What they
// can make lies in a directory that the user can write to; a home directory does not.
func (l *Look) unfit(value, work string) string {
	real := l.followed(value)
	at := l.at(real)
	switch {
	case at.kind != directory:
		return "does not exist"
	case at.uid != os.Geteuid() || real == "/":
		return "is not yours"
	case at.mode&0o002 != 0:
		return "is writable by everybody"
	case work != "" && (Within(value, work) || Within(real, l.followed(work))):
		return "is in the project"
	case l.gitRoot(real) != "":
		return "is in a repository"
	case temporary(value), temporary(real), l.canMake(value), l.canMake(real):
		return "can have been made by a program of yours"
	}
	return ""
}

// canMake says whether the user can have made a directory: whether one of those that it lies in
// is the user's, or can be written by more than its owner.
func (l *Look) canMake(path string) bool {
	for path != filepath.Dir(path) {
		path = filepath.Dir(path)
		if at := l.at(path); at.uid == os.Geteuid() || at.kind != link && (at.kind != directory || at.mode&0o022 != 0) {
			return true
		}
	}
	return false
}

// KnownHome is the home directory that counts as the user database's, and "HOME" is what that
// variable says. Tests set it, and build programs with it ("-ldflags -X"), so that they can give
// each its own. In a program for use it is empty: nothing of the environment sets it.
var KnownHome string

// userHome is the caller's home directory in the user database, or "".
func (l *Look) userHome(env Env) string {
	switch KnownHome {
	case "":
	case "HOME":
		return env.path("HOME")
	default:
		return KnownHome
	}
	if !l.known.done {
		_, home := userRecord(os.Geteuid())
		if l.known.done = true; filepath.IsAbs(home) && filepath.Clean(home) != "/" {
			l.known.home = filepath.Clean(home)
		}
	}
	return l.known.home
}

// UserName is the caller's name in the user database, or else the number.
func UserName() string {
	name, _ := userRecord(os.Getuid())
	return cmp.Or(name, strconv.Itoa(os.Getuid()))
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
	for _, dir := range [...]string{"/tmp", "/var/tmp", "/dev/shm", "/var/folders", "/private/tmp", "/private/var", "/run"} {
		if Within(path, dir) {
			return true
		}
	}
	return false
}
