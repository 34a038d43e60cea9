package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"longline/internal/agent"
	"longline/internal/policy"
)

// maxRules bounds the size of a rules file.
const maxRules = 1 << 20

// The files that lie in Claude Code's directory: those of the hooks that came before
// longline lay there.
const (
	hooksConfig = "hooks.config.json"
	// UsualLog is the audit log if no rules file says otherwise, below the home directory.
	UsualLog = agent.ClaudeDir + "/hooks-logs/longline.jsonl"
)

// projectFiles are the names of a project's rules files, from its root.
var projectFiles = []string{".longline.yaml", agent.ClaudeDir + "/longline.yaml", agent.ClaudeDir + "/" + hooksConfig}

// places are the directories rules come from.
type places struct {
	Roots
	path   string // named on the command line
	admin  string
	claude []string // that may hold a hooks.config.json; the first that does counts
	look   *Look
	once   bool // for one call
	site   Site
	dir    string
	start  string // where the client was started, as far as is known

	trusted       func(state, root, name, content string) bool
	parse         Parser
	parseBundle   BundleParser
	users, admins shelf
	included      []string // files that rules files bring in
	unmanaged     bool     // there is no administrator's directory
}

func placesOf(o Options) places {
	look := o.Look
	if look == nil {
		look = new(Look)
	}
	known := o.known
	if known == "" {
		known = look.userHome(o.Env)
	}
	roots, site := look.where(o.Env, o.Dir, o.Project, known)
	p := places{
		Roots: roots, path: o.Path, admin: cmp.Or(o.managed, managedDir()),
		look: look, once: o.Look != nil, site: site, dir: o.Dir, start: cmp.Or(o.Project, o.Dir), trusted: o.Trusted, parse: o.Parse, parseBundle: o.ParseBundle,
	}
	p.shelves()
	p.claude = p.Claude
	if n := len(p.Claude); n > 0 {
		p.claude = append(append([]string{}, p.Claude[:n-1]...), below(p.Home, ".config/claude"), p.Claude[n-1])
	}
	return p
}

// user reads the rules of the user: the rules file, then hooks.config.json.
// A file that was named must be there.
func (p *places) user() ([]*policy.File, error) {
	rules, err := p.ownRules()
	if err != nil {
		return nil, err
	}
	hooks, err := p.hooksConfig()
	if err != nil {
		return nil, err
	}
	var files []*policy.File
	for _, f := range [...]*policy.File{rules, hooks} {
		if f != nil {
			files = append(files, f)
		}
	}
	return files, nil
}

// ownRules reads the user's rules file; nil if there is none.
func (p *places) ownRules() (*policy.File, error) {
	rules, named := p.rulesPath(), p.path != ""
	if rules == "" {
		return nil, nil
	}
	if named {
		if full, err := filepath.Abs(rules); err != nil || p.secret(full) != nil {
			return nil, &Error{rules, fmt.Errorf("%s may hold secrets, and is not read as rules", rules)}
		}
	}
	_, f, err := p.read(&p.users, rules, p.include)
	if !named && missing(err) {
		return nil, nil
	}
	return f, err
}

// rulesPath is the rules file that is named, or else the first that is there, or else where the
// last may be.
func (p *places) rulesPath() (rules string) {
	if p.path != "" {
		return p.path
	}
	for _, dir := range p.Config {
		if rules == "" || !exists(rules) {
			rules = below(dir, "rules.yaml")
		}
	}
	return rules
}

// hooksConfig reads the first hooks.config.json that is there; nil if there is none.
func (p *places) hooksConfig() (*policy.File, error) {
	for _, dir := range p.claude {
		if _, f, err := p.read(&p.users, below(dir, hooksConfig), nil); !missing(err) {
			return f, err
		}
	}
	return nil, nil
}

// UserRules is the user's rules file: the one that is read or, if there is none,
// where a first one belongs. Without a home directory it is "".
func UserRules(o Options) string {
	p := placesOf(o)
	for _, dir := range p.Config {
		if path := below(dir, "rules.yaml"); exists(path) {
			return path
		}
	}
	if len(p.Config) == 0 {
		return ""
	}
	return below(p.Config[0], "rules.yaml")
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
	if p.site.Project == "" {
		return nil, nil
	}
	dirs := downTo(p.dir, p.site.Project)
	if p.site.Worktree != "" {
		dirs = append(dirs, downTo(p.dir, p.site.Worktree)...)
	}
	var files []ProjectFile
	var wrong []error
	for _, d := range dirs {
		p.look.at(below(d, agent.ClaudeDir)) // without it two files of three need not be looked for
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

// downTo lists the directories from a root down to one in it; from elsewhere it is
// the root alone.
func downTo(dir, root string) []string {
	var dirs []string
	for Within(dir, root) && dir != root {
		dirs = append(dirs, dir)
		dir = filepath.Dir(dir)
	}
	slices.Reverse(dirs)
	return append([]string{root}, dirs...)
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
	if p.look.at(path).kind == nothing {
		return ProjectFile{}, &Error{path, fs.ErrNotExist}
	}
	// A link to elsewhere would show a line of any file to the agent, in the
	// message about what is wrong with it.
	if real, err := filepath.EvalSymlinks(path); err == nil && !Within(real, followed(p.rootOf(path))) {
		return ProjectFile{}, &Error{path, fmt.Errorf("%s links to a place outside the project", path)}
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
	name, err := filepath.Rel(p.rootOf(path), path)
	f.Trusted = err == nil && p.trusted != nil && p.trusted(p.State, p.rootOf(path), name, content)
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
		file, info, err := openRegular(path, maxRules)
		if err != nil {
			return "", nil, &Error{path, err}
		}
		defer file.Close()
		c, f, err := s.load(path, file, info, open)
		if err != nil {
			return "", nil, err
		}
		return c.text, f, nil
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
	if err := p.secret(full); err != nil {
		return full, nil, err
	}
	text, err = readFile(full, maxRules)
	return full, text, err
}

// includeInside is include for a project's files. They may include only files
// of the project: an error would show a line of any other to the agent.
func (p *places) includeInside(from, name string) (full string, text []byte, err error) {
	if full = p.resolve(from, name); !Within(full, followed(p.rootOf(from))) {
		return full, nil, fmt.Errorf("%q is outside the project", name)
	}
	text, err = readFile(full, maxRules)
	return full, text, err
}

// rootOf is the root of the working tree that a file of the project is in.
func (p *places) rootOf(path string) string {
	if p.site.Worktree != "" && !Within(path, p.site.Project) {
		return p.site.Worktree
	}
	return p.site.Project
}

// secret refuses to read a file as rules that may hold secrets: the message about
// what is wrong with it would show its lines.
func (p *places) secret(path string) error {
	if policy.Secret(World(nil, Site{}, p.Home), Judged(path)) {
		return fmt.Errorf("%s may hold secrets, and is not read as rules", path)
	}
	return nil
}

// Readable says why a file is not read as rules or tests, although somebody named it:
// what is wrong with such a file is shown with the lines that are wrong.
func (c *Config) Readable(path string) error {
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return (&places{Roots: Roots{Home: Native(c.World.Home)}}).secret(full)
}

// resolve is where an included file is. Such a file is as much longline's own as
// the one that names it.
func (p *places) resolve(from, name string) string {
	full := name
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		full = filepath.Join(p.Home, rest)
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
	if configured == "" && p.Home != "" {
		return below(p.Home, UsualLog)
	}
	name := configured
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	if p.Home == "" {
		return ""
	}
	return filepath.Join(p.Home, strings.TrimPrefix(name, "~/"))
}

// guarded lists longline's own files but the log, which no agent has business
// with. A file may be a link into a directory of the user's that holds many such:
// files are listed by themselves, so that what they lead to is guarded too.
func (p *places) guarded() []string {
	list := append(make([]string, 0, 24), p.admin)
	if exe, err := Sibling(); err == nil {
		list = append(list, exe, Beside(exe, "-hook"), Beside(exe, "-wall"))
	}
	for _, dir := range p.claude {
		list = append(list, below(dir, hooksConfig))
	}
	for _, dir := range p.Config {
		list = append(list, dir, below(dir, "rules.yaml"))
	}
	for _, paths := range [...][]string{p.named, p.included, {p.State, p.Cache, p.path}} {
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
	// The message may have lines; the path in it, which a project can choose, has none.
	return "cannot read rules file: " + strings.ReplaceAll(e.Err.Error(), e.Path, policy.Visible(e.Path))
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
	if number, ok := bare.(syscall.Errno); ok && (number == syscall.ENOENT || number == syscall.ENOTDIR) || bare == fs.ErrNotExist {
		return true
	}
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
