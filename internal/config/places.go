package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"longline/internal/policy"
)

// maxRules bounds the size of a rules file.
const maxRules = 1 << 20

// managedDir is where the administrator of a machine puts rules.
const managedDir = "/etc/longline"

// projectFiles are the names of a project's rules files, from its root.
var projectFiles = []string{".longline.yaml", ".claude/longline.yaml", ".claude/hooks.config.json"}

const hooksConfig = "hooks.config.json"

// places are the directories rules come from.
type places struct {
	path    string // named on the command line
	admin   string
	home    string
	config  []string // that may hold a rules.yaml; the first that does counts
	state   []string
	cache   []string // that may hold compiled rules; the first is used
	claude  []string // that may hold a hooks.config.json; the first that does counts
	project string
	dir     string

	notices       []string
	trusted       func(project, name, content string) bool
	parse         Parser
	users, admins shelf
	included      []string // files that rules files bring in
	unmanaged     bool     // there is no administrator's directory
}

// placesOf works out the places. A variable that points into the project or
// into a directory for temporary files is ignored: agents pass on variables
// that a repository sets, and a repository must not choose the rules.
func placesOf(o Options, home, project string) places {
	p := places{path: o.Path, admin: cmp.Or(o.managed, managedDir), home: home, project: project, dir: o.Dir, trusted: o.Trusted, parse: o.Parse}
	p.config = p.choose(o.Env, "XDG_CONFIG_HOME", ".config", "longline")
	p.state = p.choose(o.Env, "XDG_STATE_HOME", ".local/state", "longline")
	p.cache = slices.DeleteFunc(p.choose(o.Env, "XDG_CACHE_HOME", ".cache", "longline"), func(dir string) bool {
		return !within(dir, home)
	})
	p.shelves()
	if dir := p.variable(o.Env, "CLAUDE_CONFIG_DIR"); dir != "" {
		p.claude = append(p.claude, dir)
	}
	if home != "" {
		p.claude = append(p.claude, below(home, ".config/claude"), below(home, ".claude"))
	}
	return p
}

// choose returns the directories of that name below a variable's value and
// below its default in the home directory. The second counts where the first
// has nothing, so that a variable set in passing does not make rules vanish.
func (p *places) choose(env Env, variable, standard, name string) []string {
	var dirs []string
	if dir := p.variable(env, variable); dir != "" {
		dirs = append(dirs, below(dir, name))
	}
	if p.home != "" {
		dirs = append(dirs, below(p.home, standard+"/"+name))
	}
	return dirs
}

// variable returns the directory that a variable names, if it may. That one is
// ignored is said: it may be the user's mistake.
func (p *places) variable(env Env, name string) string {
	value, set := env.Get(name)
	dir := p.own(env.path(name))
	if set && value != "" && dir == "" {
		p.notices = append(p.notices, "the variable "+name+" is ignored: "+strconv.Quote(value)+" is relative, in the project or in a directory for temporary files")
	}
	return dir
}

// own returns a directory if it is plausibly the user's own, else "". Where
// agents may write unasked, rules cannot come from.
func (p *places) own(dir string) string {
	if dir == "" {
		return ""
	}
	real := dir
	if followed, err := filepath.EvalSymlinks(dir); err == nil {
		real = followed
	}
	for _, path := range []string{dir, real} {
		if p.project != "" && within(path, p.project) || within(path, p.dir) || temporary(path) && !temporary(p.home) {
			return ""
		}
	}
	return dir
}

// temporary says whether a path is where programs put what they do not keep.
func temporary(path string) bool {
	return slices.ContainsFunc([]string{"/tmp", "/var/tmp", "/dev/shm", "/var/folders", "/private/tmp", "/private/var"}, func(dir string) bool {
		return within(path, dir)
	})
}

// user reads the rules of the user: the rules file, then hooks.config.json.
// A file that was named must be there.
func (p *places) user() ([]*policy.File, error) {
	var files []*policy.File
	rules, named := p.path, p.path != ""
	for _, dir := range p.config {
		if path := below(dir, "rules.yaml"); !named && (rules == "" || !exists(rules)) {
			rules = path
		}
	}
	if rules != "" {
		_, f, err := p.read(&p.users, rules, p.include)
		if err != nil && (named || !missing(err)) {
			return nil, err
		}
		if err == nil {
			files = append(files, f)
		}
	}
	for _, dir := range p.claude {
		_, f, err := p.read(&p.users, below(dir, hooksConfig), nil)
		if missing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		break
	}
	return files, nil
}

// UserRules is the user's rules file: the one that is read or, if there is none,
// where a first one belongs. Without a home directory it is "".
func UserRules(o Options) string {
	home := o.Env.path("HOME")
	named, _ := o.Env.Get("CLAUDE_PROJECT_DIR")
	p := placesOf(o, home, ProjectRoot(o.Dir, named, home))
	for _, dir := range p.config {
		if path := below(dir, "rules.yaml"); exists(path) {
			return path
		}
	}
	if len(p.config) == 0 {
		return ""
	}
	return below(p.config[0], "rules.yaml")
}

// managed reads the administrator's rules: rules.yaml, then rules.d in the
// order of the names.
func (p *places) managed() ([]*policy.File, error) {
	if p.unmanaged {
		return nil, nil
	}
	paths := []string{below(p.admin, "rules.yaml")}
	more, err := filepath.Glob(filepath.Join(p.admin, "rules.d", "*.yaml"))
	if err != nil {
		return nil, err
	}
	return p.present(&p.admins, append(paths, more...), p.include)
}

// projects reads the project's rules, from the project's root down to the
// directory the agent is in, so that a part of a large repository can tighten
// what the whole says.
func (p *places) projects() ([]ProjectFile, error) {
	if p.project == "" {
		return nil, nil
	}
	dirs := []string{p.dir}
	for d := p.dir; d != p.project && d != filepath.Dir(d); {
		d = filepath.Dir(d)
		dirs = append([]string{d}, dirs...)
	}
	var files []ProjectFile
	var wrong []error
	for _, d := range dirs {
		for _, name := range projectFiles {
			path := below(d, name)
			if p.isGlobal(path) {
				continue // the user's own hooks.config.json is not the project's as well
			}
			f, err := p.projectFile(path)
			switch {
			case err == nil:
				files = append(files, f)
			case !missing(err):
				wrong = append(wrong, err)
			}
		}
	}
	return files, errors.Join(wrong...)
}

// ProjectFile is one rules file of a project.
type ProjectFile struct {
	Name    string // path from the project's root
	Content string // the text, and that of all it includes
	File    *policy.File
}

func (p *places) projectFile(path string) (ProjectFile, error) {
	// Most projects have none of these files, and to follow the links on the way to
	// one asks about each directory above it.
	if _, err := os.Lstat(path); missing(err) {
		return ProjectFile{}, &Error{path, err}
	}
	// A link to elsewhere would show a line of any file to the agent, in the
	// message about what is wrong with it.
	if real, err := filepath.EvalSymlinks(path); err == nil && !within(real, p.realProject()) {
		return ProjectFile{}, &Error{path, fmt.Errorf("%s leads out of the project", path)}
	}
	included := ""
	text, f, err := p.read(&p.users, path, func(from, name string) (string, []byte, error) {
		full, text, err := p.includeInside(from, name)
		included += fmt.Sprintf("\n# included: %q, %d bytes\n%s", name, len(text), text)
		return full, text, err
	})
	if err != nil {
		return ProjectFile{}, err
	}
	content := text + included
	name, err := filepath.Rel(p.project, path)
	f.Trusted = err == nil && p.trusted != nil && p.trusted(p.project, name, content)
	return ProjectFile{name, content, f}, nil
}

func (p *places) isGlobal(path string) bool {
	for _, dir := range p.claude {
		if path == below(dir, hooksConfig) {
			return true
		}
	}
	return false
}

// present reads the files that are there. The error holds all that is wrong;
// the files that could be read are returned with it.
func (p *places) present(s *shelf, paths []string, open Opener) ([]*policy.File, error) {
	var files []*policy.File
	var wrong []error
	for _, path := range paths {
		_, f, err := p.read(s, path, open)
		switch {
		case err == nil:
			files = append(files, f)
		case !missing(err):
			wrong = append(wrong, err)
		}
	}
	return files, errors.Join(wrong...)
}

// read reads one file. If there is nobody to parse it, what was compiled before
// must do; if there is, the result is kept for those who cannot.
func (p *places) read(s *shelf, path string, open Opener) (string, *policy.File, error) {
	if p.parse == nil {
		file, _, err := openRegular(path, maxRules)
		if err != nil {
			return "", nil, &Error{path, err}
		}
		defer file.Close()
		return s.load(path, file, open)
	}
	text, err := readFile(path, maxRules)
	if err != nil {
		return "", nil, &Error{path, err}
	}
	c := compiled{name: path, text: string(text)}
	var remember Opener
	if open != nil {
		remember = func(from, name string) (string, []byte, error) {
			full, text, err := open(from, name)
			c.included = append(c.included, included{from, name, full, string(text)})
			return full, text, err
		}
	}
	f, err := p.parse(path, text, remember)
	if err != nil {
		return "", nil, err
	}
	s.store(&c, f)
	return c.text, f, nil
}

// include finds a file that a rules file names: relative to that file, or to
// the home directory.
func (p *places) include(from, name string) (full string, text []byte, err error) {
	full = p.resolve(from, name)
	text, err = readFile(full, maxRules)
	return full, text, err
}

// includeInside is include for a project's files. They may include only files
// of the project: an error would show a line of any other to the agent.
func (p *places) includeInside(from, name string) (full string, text []byte, err error) {
	if full = p.resolve(from, name); !within(full, p.realProject()) {
		return full, nil, fmt.Errorf("%q is outside the project", name)
	}
	text, err = readFile(full, maxRules)
	return full, text, err
}

// realProject is the project's root with its links resolved.
func (p *places) realProject() string {
	if real, err := filepath.EvalSymlinks(p.project); err == nil {
		return real
	}
	return p.project
}

// resolve is where an included file is. Such a file is as much longline's own as
// the one that names it.
func (p *places) resolve(from, name string) string {
	full := name
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		full = filepath.Join(p.home, rest)
	} else if !filepath.IsAbs(name) {
		full = filepath.Join(filepath.Dir(from), name)
	}
	full = filepath.Clean(full)
	p.included = append(p.included, full)
	if real, err := filepath.EvalSymlinks(full); err == nil {
		full = real
	}
	return full
}

// log is where the audit log is: where a rules file says, or its usual place. A
// relative name is taken from the home directory, because the working directory
// is another with every call.
func (p *places) log(configured string) string {
	if configured == "" && p.home != "" {
		return below(p.home, ".claude/hooks-logs/longline.jsonl")
	}
	name := configured
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	if p.home == "" {
		return ""
	}
	return filepath.Join(p.home, strings.TrimPrefix(name, "~/"))
}

// guarded lists longline's own files but the log, which no agent has business
// with.
func (p *places) guarded() []string {
	list := append(make([]string, 0, 16), p.admin)
	if exe, err := Sibling(); err == nil {
		list = append(list, exe, exe+"-hook")
	}
	for _, dir := range p.claude {
		list = append(list, below(dir, hooksConfig))
	}
	for _, paths := range [...][]string{p.config, p.state, p.cache, p.included, {p.path}} {
		for _, path := range paths {
			if path == "" {
				continue
			}
			if full, err := filepath.Abs(path); err == nil {
				list = append(list, full)
			}
		}
	}
	return list
}

// Error is a rules file that cannot be read.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string {
	var op *fs.PathError
	if errors.As(e.Err, &op) {
		return fmt.Sprintf("cannot read rules file %q: %v", e.Path, op.Err)
	}
	return fmt.Sprintf("cannot read rules file: %v", e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// missing says whether an error means that there is no such file. What cannot
// be opened for another reason is there and was meant.
func missing(err error) bool {
	// This is what nearly every call comes upon. It is answered without package
	// errors, whose interfaces the runtime has to set up first.
	bare := err
	if e, ok := bare.(*Error); ok {
		bare = e.Err
	}
	if e, ok := bare.(*fs.PathError); ok {
		bare = e.Err
	}
	if number, ok := bare.(syscall.Errno); ok && (number == syscall.ENOENT || number == syscall.ENOTDIR) {
		return true
	}
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
