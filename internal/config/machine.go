package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"longline/internal/tool"
)

// maxFile bounds what judging reads of a script or settings file.
const maxFile = 1 << 20

// Env is an environment: "NAME=value" lines, as the process was given them.
type Env []string

// Get returns the value of a variable. Of two lines with one name the last
// counts, as it does for the shell.
func (e Env) Get(name string) (string, bool) {
	for i := len(e) - 1; i >= 0; i-- {
		if line := e[i]; len(line) > len(name) && line[len(name)] == '=' && sameName(line[:len(name)], name) {
			return line[len(name)+1:], true
		}
	}
	return "", false
}

// sameName says whether two names are of one variable. On Windows case does not count in them.
func sameName(a, b string) bool { return a == b || onWindows && strings.EqualFold(a, b) }

// path returns a variable that holds an absolute path; any other is ignored,
// because a relative one would mean something else in every directory.
func (e Env) path(name string) string {
	if value, _ := e.Get(name); filepath.IsAbs(value) {
		return filepath.Clean(value)
	}
	return ""
}

// Site is where a call happens.
type Site struct {
	// Project is the root of the project, or "". Neither the directory a command
	// runs in nor a repository inside the project makes another one.
	Project string
	// Worktree is the root of another working tree of the project's repository, if
	// the directory is in one.
	Worktree string
}

// Where works out the places that count and the site for a call in dir, when the
// client has named a project or "". One needs the other: a home directory in
// the project may not be believed, and a home directory is never a project.
func Where(env Env, dir, named string) (Roots, Site) {
	return new(Look).Where(env, dir, named)
}

// Where is [Where] with what was looked at before.
func (l *Look) Where(env Env, dir, named string) (Roots, Site) {
	return l.where(env, dir, named, l.userHome(env))
}

// where is Where for a user whose home directory the user database knows.
func (l *Look) where(env Env, dir, named, known string) (Roots, Site) {
	project := ""
	switch {
	case filepath.IsAbs(named):
		project = l.projectRoot(named, known)
	case filepath.IsAbs(dir):
		project = l.gitRoot(filepath.Clean(dir), known)
	}
	roots := l.rootsOf(env, project, dir, known)
	return roots, l.siteOf(dir, named, known, roots.Home)
}

// siteOf works out the project. What the client named at the beginning of the
// session counts; without its word it is what dir is in.
func (l *Look) siteOf(dir, named string, homes ...string) Site {
	if !filepath.IsAbs(named) {
		return Site{Project: l.projectRoot(dir, homes...)}
	}
	s := Site{Project: l.projectRoot(named, homes...)}
	if s.Project != "" && filepath.IsAbs(dir) && !Within(dir, s.Project) {
		if tree := l.gitRoot(filepath.Clean(dir), homes...); tree != "" && Repository(tree) == Repository(s.Project) {
			s.Worktree = tree
		}
	}
	return s
}

// projectRoot returns the root of the project that dir is in: the nearest
// directory that holds a .git, else dir. Home directories and what is above them
// are never a project: to treat them as one would put every file of the user
// inside it.
func (l *Look) projectRoot(dir string, homes ...string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	dir = filepath.Clean(dir)
	if root := l.gitRoot(dir, homes...); root != "" {
		return root
	}
	if tooWide(dir, homes) {
		return ""
	}
	return dir
}

// gitRoot is the nearest directory at or above dir that holds a .git, or "".
func (l *Look) gitRoot(dir string, homes ...string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if !tooWide(d, homes) && l.exists(below(d, ".git")) {
			return d
		}
		if d == filepath.Dir(d) {
			return ""
		}
	}
}

func tooWide(dir string, homes []string) bool {
	for _, home := range homes {
		if home != "" && Within(home, dir) {
			return true
		}
	}
	return dir == filepath.Dir(dir)
}

// World describes this machine as seen from a site, with home as its home
// directory. It reads the disk only when judging asks it to.
func World(env Env, site Site, home string) *tool.World {
	user, _ := env.Get("USER")
	login, _ := env.Get("SHELL")
	name, _ := os.Hostname()
	w := &tool.World{
		Home:    Judged(home),
		Project: Judged(cmp.Or(site.Worktree, site.Project)),
		User:    user,
		Host:    name,
		Getenv: func(name string) (string, bool) {
			if name == "HOME" && home != "" {
				return home, true
			}
			return env.Get(name)
		},
		ReadFile: func(path string) ([]byte, error) { return readFile(path, maxFile) },
		ReadAt:   readAt,
		Readlink: readlink,
		Exists:   exists,
		Newer:    newer,
		Entries:  entries,
		FoldCase: runtime.GOOS == "darwin" || onWindows,
		Windows:  onWindows,
		Zsh:      !onWindows && filepath.Base(login) != "bash", // agents take bash if that is the login shell, and may take zsh otherwise
	}
	if site.Worktree != "" {
		w.Also = []string{Judged(site.Project)}
	}
	if onWindows {
		asJudged(w)
	}
	return w
}

// newer says whether a file is there and was not changed before another one.
func newer(path, other string) bool {
	a, err := os.Stat(path)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && !a.ModTime().Before(b.ModTime())
}

// maxEntries bounds what is looked at of a directory.
const maxEntries = 4096

// tooLong is why a file is not read to its end.
func tooLong(path string, limit int64) error {
	return fmt.Errorf("%s is too long; at most %d bytes are read", path, limit)
}

// readable says why a file is not read, if it is not one to be read. A directory is what
// many calls come upon, and package fmt takes its time when it is first used.
func readable(path string, dir, regular bool, size, limit int64) error {
	switch {
	case dir:
		return errors.New(path + " is a directory")
	case !regular:
		return errors.New(path + " is not a regular file")
	case size > limit:
		return fmt.Errorf("%s is %d bytes long; at most %d are read", path, size, limit)
	}
	return nil
}

func openRegular(path string, limit int64) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = readable(path, info.IsDir(), info.Mode().IsRegular(), info.Size(), limit)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// holds says whether a file holds just that text. It is compared piece by piece:
// what is not kept needs no memory.
func holds(f io.Reader, text string) bool {
	room := make([]byte, 16<<10)
	for {
		n, err := f.Read(room)
		if n > len(text) || string(room[:n]) != text[:n] {
			return false
		}
		text = text[n:]
		if err != nil {
			return err == io.EOF && text == ""
		}
	}
}
