package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/source"
)

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
	claude  []string // that may hold a hooks.config.json; the first that does counts
	project string
	dir     string
	trusted func(project, name, content string) bool
}

// placesOf works out the places. A variable that points into the project or
// into a directory for temporary files is ignored: agents pass on variables
// that a repository sets, and a repository must not choose the rules.
func placesOf(o Options, home, project string) places {
	p := places{path: o.Path, admin: cmp.Or(o.managed, managedDir), home: home, project: project, dir: o.Dir, trusted: o.Trusted}
	p.config = p.choose(o.Env, "XDG_CONFIG_HOME", ".config", "longline")
	p.state = p.choose(o.Env, "XDG_STATE_HOME", ".local/state", "longline")
	if dir := p.own(o.Env.path("CLAUDE_CONFIG_DIR")); dir != "" {
		p.claude = append(p.claude, dir)
	}
	if home != "" {
		p.claude = append(p.claude, filepath.Join(home, ".config/claude"), filepath.Join(home, ".claude"))
	}
	return p
}

// choose returns the directories of that name below a variable's value and
// below its default in the home directory. The second counts where the first
// has nothing, so that a variable set in passing does not make rules vanish.
func (p *places) choose(env Env, variable, standard, name string) []string {
	var dirs []string
	if dir := p.own(env.path(variable)); dir != "" {
		dirs = append(dirs, filepath.Join(dir, name))
	}
	if p.home != "" {
		dirs = append(dirs, filepath.Join(p.home, standard, name))
	}
	return dirs
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
		if path := filepath.Join(dir, "rules.yaml"); !named && (rules == "" || !exists(rules)) {
			rules = path
		}
	}
	if rules != "" {
		f, err := p.read(rules, p.include)
		if err != nil && (named || !missing(err)) {
			return nil, err
		}
		if err == nil {
			files = append(files, f)
		}
	}
	for _, dir := range p.claude {
		f, err := p.read(filepath.Join(dir, hooksConfig), nil)
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

// managed reads the administrator's rules: rules.yaml, then rules.d in the
// order of the names.
func (p *places) managed() ([]*policy.File, error) {
	paths := []string{filepath.Join(p.admin, "rules.yaml")}
	more, err := filepath.Glob(filepath.Join(p.admin, "rules.d", "*.yaml"))
	if err != nil {
		return nil, err
	}
	return p.present(append(paths, more...), p.include)
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
			path := filepath.Join(d, name)
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
	text, err := readFile(path, source.MaxSize)
	if err != nil {
		return ProjectFile{}, &Error{path, err}
	}
	content := string(text)
	f, err := p.parse(path, text, func(from, name string) (string, []byte, error) {
		full, text, err := p.includeInside(from, name)
		content += fmt.Sprintf("\n# included: %q, %d bytes\n%s", name, len(text), text)
		return full, text, err
	})
	if err != nil {
		return ProjectFile{}, err
	}
	name, err := filepath.Rel(p.project, path)
	f.Trusted = err == nil && p.trusted != nil && p.trusted(p.project, name, content)
	return ProjectFile{name, content, f}, nil
}

func (p *places) isGlobal(path string) bool {
	for _, dir := range p.claude {
		if path == filepath.Join(dir, hooksConfig) {
			return true
		}
	}
	return false
}

// present reads the files that are there. The error holds all that is wrong;
// the files that could be read are returned with it.
func (p *places) present(paths []string, open rulesfile.Opener) ([]*policy.File, error) {
	var files []*policy.File
	var wrong []error
	for _, path := range paths {
		f, err := p.read(path, open)
		switch {
		case err == nil:
			files = append(files, f)
		case !missing(err):
			wrong = append(wrong, err)
		}
	}
	return files, errors.Join(wrong...)
}

// read reads one file in the format that its name says.
func (p *places) read(path string, open rulesfile.Opener) (*policy.File, error) {
	text, err := readFile(path, source.MaxSize)
	if err != nil {
		return nil, &Error{path, err}
	}
	return p.parse(path, text, open)
}

func (p *places) parse(path string, text []byte, open rulesfile.Opener) (f *policy.File, err error) {
	if filepath.Ext(path) == ".json" {
		f, err = rulesfile.ParseHooksConfig(path, text)
	} else {
		f, err = rulesfile.Parse(path, text, open)
	}
	if err != nil {
		return nil, &Error{path, err}
	}
	return f, nil
}

// include finds a file that a rules file names: relative to that file, or to
// the home directory.
func (p *places) include(from, name string) (full string, text []byte, err error) {
	full = p.resolve(from, name)
	text, err = readFile(full, source.MaxSize)
	return full, text, err
}

// includeInside is include for a project's files. They may include only files
// of the project: an error would show a line of any other to the agent.
func (p *places) includeInside(from, name string) (full string, text []byte, err error) {
	root := p.project
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	if full = p.resolve(from, name); !within(full, root) {
		return full, nil, fmt.Errorf("%q is outside the project", name)
	}
	text, err = readFile(full, source.MaxSize)
	return full, text, err
}

func (p *places) resolve(from, name string) string {
	full := name
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		full = filepath.Join(p.home, rest)
	} else if !filepath.IsAbs(name) {
		full = filepath.Join(filepath.Dir(from), name)
	}
	full = filepath.Clean(full)
	if real, err := filepath.EvalSymlinks(full); err == nil {
		full = real
	}
	return full
}

// log is where the audit log is: where a rules file says, or its usual place. A
// relative name is taken from the home directory, because the working directory
// is another with every call.
func (p *places) log(configured string) string {
	name := cmp.Or(configured, "~/.claude/hooks-logs/longline.jsonl")
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	if p.home == "" {
		return ""
	}
	return filepath.Join(p.home, strings.TrimPrefix(name, "~/"))
}

// guarded lists longline's own files, which no agent has business with.
func (p *places) guarded(log string) []string {
	list := []string{p.admin}
	if exe, err := os.Executable(); err == nil {
		list = append(list, exe)
	}
	for _, path := range slices.Concat(p.config, p.state, []string{log, p.path}) {
		if path == "" {
			continue
		}
		if full, err := filepath.Abs(path); err == nil {
			list = append(list, full)
		}
	}
	return list
}

// Error is a rules file that cannot be used.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string {
	var places source.Errors
	if errors.As(e.Err, &places) {
		return e.Err.Error() // which names the file and the line
	}
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
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
