// Package install puts longline into the agents on a machine and takes it out
// again. It works out what the users' files have to look like; reading, showing
// and writing them is left to the caller.
//
// These are other people's files. An installation only ever inserts text, in
// the layout of the file, and a removal takes out that text again, so that both
// in turn leave every byte as it was. A file that its agent would reject is
// refused: longline in a file that is not read would look installed and guard
// nothing.
package install

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Command is how an agent is to start longline.
type Command struct {
	Program string // absolute path of the executable
	Observe bool   // judge and log, but object to nothing
}

// argv is the command for one dialect.
func (c Command) argv(agent string) []string {
	argv := []string{c.Program, "hook", agent}
	if path.Base(c.Program) == "longline-hook" {
		argv = []string{c.Program, agent}
	}
	if c.Observe {
		argv = append(argv, "--dry-run")
	}
	return argv
}

// line is the command for settings that hold a line for a shell.
func (c Command) line(agent string) string {
	words := c.argv(agent)
	for i, w := range words {
		words[i] = quoteWord(w)
	}
	return strings.Join(words, " ")
}

func quoteWord(w string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-+:@%", r)
	}
	if w != "" && strings.IndexFunc(w, func(r rune) bool { return !plain(r) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// Scope says for whom longline is installed.
type Scope string

// The scopes. Not every agent has all of them.
const (
	User    Scope = "user"
	Project Scope = "project"
	Managed Scope = "managed" // for everyone on the machine, by its administrator
)

// Place is where files are looked for.
type Place struct {
	Scope   Scope
	Home    string // of the user
	Project string // root of the project, for [Project]
	Getenv  func(string) string
}

func (p *Place) env(name string) string {
	if p.Getenv == nil {
		return ""
	}
	return p.Getenv(name)
}

// Change is what has to become of one file. A nil slice means that there is no
// file.
type Change struct {
	Path     string
	Old, New []byte
	Mode     uint32 // permissions of a file that is created
}

// Nothing says whether the file is as it should be already.
func (c *Change) Nothing() bool {
	return bytes.Equal(c.Old, c.New) && (c.Old == nil) == (c.New == nil)
}

// target is one file that an agent's installation concerns.
type target struct {
	path string
	mode uint32
	put  func(old []byte, c Command, now reader) ([]byte, error)
	take func(old []byte, now reader) ([]byte, error)
}

// reader gives the content of a file as it will be; nil if there is none.
type reader func(path string) []byte

// installer is one agent's files.
type installer struct {
	agent string
	files func(p *Place) ([]target, error)
}

var installers = []installer{
	{"claude", claudeFiles},
	{"codex", codexFiles},
	{"gemini", geminiFiles},
	{"copilot", copilotFiles},
	{"opencode", opencodeFiles},
	{"qwen", qwenFiles},
	{"droid", droidFiles},
	{"cline", clineFiles},
	{"amp", ampFiles},
	{"cursor", cursorFiles},
	{"windsurf", windsurfFiles},
	{"kiro", kiroFiles},
	{"vscode", vscodeFiles},
}

// Agents lists the agents that longline can be installed in.
func Agents() []string {
	var names []string
	for _, i := range installers {
		names = append(names, i.agent)
	}
	return names
}

// Paths lists the files that an installation concerns.
func Paths(agent string, p Place) ([]string, error) {
	targets, err := find(agent, &p)
	var paths []string
	for _, t := range targets {
		paths = append(paths, t.path)
	}
	return paths, err
}

// Install works out how longline gets into an agent. read returns nil and no
// error for a file that does not exist.
func Install(agent string, p Place, c Command, read func(path string) ([]byte, error)) ([]Change, error) {
	if !path.IsAbs(c.Program) || strings.ContainsAny(c.Program, "\x00\n\r") {
		return nil, fmt.Errorf("%q is not the absolute path of a program", c.Program)
	}
	return plan(agent, &p, read, func(t *target, old []byte, now reader) ([]byte, error) { return t.put(old, c, now) })
}

// Uninstall works out how it gets out again.
func Uninstall(agent string, p Place, read func(path string) ([]byte, error)) ([]Change, error) {
	return plan(agent, &p, read, func(t *target, old []byte, now reader) ([]byte, error) {
		if old == nil {
			return nil, nil
		}
		return t.take(old, now)
	})
}

func find(agent string, p *Place) ([]target, error) {
	i := slices.IndexFunc(installers, func(i installer) bool { return i.agent == agent })
	if i < 0 {
		return nil, fmt.Errorf("longline cannot be installed in %q (want %s)", agent, strings.Join(Agents(), ", "))
	}
	return installers[i].files(p)
}

func plan(agent string, p *Place, read func(string) ([]byte, error), edit func(*target, []byte, reader) ([]byte, error)) ([]Change, error) {
	targets, err := find(agent, p)
	if err != nil {
		return nil, err
	}
	var changes []Change
	now := func(path string) []byte {
		for _, c := range changes {
			if c.Path == path {
				return c.New
			}
		}
		text, _ := read(path)
		return text
	}
	for _, t := range targets {
		old, err := read(t.path)
		if err != nil {
			return nil, err
		}
		text, err := edit(&t, old, now)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.path, err)
		}
		changes = append(changes, Change{Path: t.path, Old: old, New: text, Mode: t.mode})
	}
	return changes, nil
}

// noScope is the error of an agent that has no such place.
func noScope(agent string, s Scope, have ...Scope) error {
	var names []string
	for _, h := range have {
		names = append(names, string(h))
	}
	return fmt.Errorf("%s has no %s settings for hooks (want --scope %s)", agent, s, strings.Join(names, " or "))
}

// ownFile is a file that belongs to longline alone.
func ownFile(path string, mode uint32, text func(c Command) string) target {
	return target{
		path: path, mode: mode,
		put: func(old []byte, c Command, _ reader) ([]byte, error) {
			if len(old) > 0 && !isOurFile(old) {
				return nil, fmt.Errorf("there is a file of that name already, and it is not longline's; move it away or call longline from it")
			}
			return []byte(text(c)), nil
		},
		take: func(old []byte, _ reader) ([]byte, error) {
			if !isOurFile(old) {
				return old, nil
			}
			return nil, nil
		},
	}
}

// isOurFile recognises a whole file of longline's by what it starts.
func isOurFile(text []byte) bool {
	return bytes.Contains(text, []byte("longline")) && bytes.Contains(text, []byte("hook"))
}
