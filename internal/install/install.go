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
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"longline/internal/agent"
	"longline/internal/paths"
	"longline/internal/strictjson"
)

// Command is how an agent is to start longline.
type Command struct {
	Program string // absolute path of the executable
	Observe bool   // judge and log, but never ask or deny
	Config  string // the rules file that it is to use instead of the user's; "" is that of the entry that is replaced
}

// absolute says whether a path is one on this machine or on one that runs Windows, with slashes there too.
func absolute(name string) bool { return path.IsAbs(name) || paths.OfWindows(name) }

// argv is the command for one dialect.
func (c Command) argv(agent string) []string {
	argv := []string{c.Program, "hook", agent}
	if strings.TrimSuffix(path.Base(c.Program), ".exe") == "longline-hook" {
		argv = []string{c.Program, agent}
	}
	if c.Observe {
		argv = append(argv, "--dry-run")
	}
	if c.Config != "" {
		argv = append(argv, "--config", c.Config)
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

// Change is the change of one file. A nil slice means that there is no file.
type Change struct {
	Path     string
	Old, New []byte
	Mode     uint32 // permissions of a file that is created
}

// Nothing reports whether the file needs no change.
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

// installable lists the agents that longline can be installed in.
func installable() []*agent.Facts {
	var list []*agent.Facts
	for _, a := range agent.All {
		if f := a.Facts(); f.Hooks != nil {
			list = append(list, f)
		}
	}
	return list
}

// Agents lists the names of the agents that longline can be installed in.
func Agents() []string {
	var names []string
	for _, f := range installable() {
		names = append(names, f.Name)
	}
	return names
}

// Paths lists the files that an installation concerns.
func Paths(agent string, p Place) ([]string, error) {
	targets, err := targetsOf(agent, &p)
	var paths []string
	for _, t := range targets {
		paths = append(paths, t.path)
	}
	return paths, err
}

// Install works out the changes that add longline to an agent. read returns nil
// and no error for a file that does not exist.
func Install(agent string, p Place, c Command, read func(path string) ([]byte, error)) ([]Change, error) {
	if !absolute(c.Program) || strings.ContainsAny(c.Program, "\x00\n\r") {
		return nil, fmt.Errorf("%q is not the absolute path of a program", c.Program)
	}
	return plan(agent, &p, read, func(t *target, old []byte, now reader) ([]byte, error) {
		if c.Config == "" {
			c.Config = configIn(old, p.Home)
		}
		return t.put(old, c, now)
	})
}

// given finds the rules file that an entry for longline names, in a line for a shell or in a list of words.
var given = regexp.MustCompile(`longline(?:-hook)?\b[^\n]{0,200}?--?config(?:=|\s+|"\s*,\s*")([^\s"'\\]+)`)

// configIn is the rules file that the present entry names: what somebody has set is not dropped.
func configIn(text []byte, home string) string {
	m := given.FindSubmatch(text)
	if m == nil {
		return ""
	}
	if rest, ok := strings.CutPrefix(string(m[1]), "~/"); ok {
		return home + "/" + rest
	}
	return string(m[1])
}

// Uninstall works out the changes that remove it.
func Uninstall(agent string, p Place, read func(path string) ([]byte, error)) ([]Change, error) {
	return plan(agent, &p, read, func(t *target, old []byte, now reader) ([]byte, error) {
		if old == nil {
			return nil, nil
		}
		return t.take(old, now)
	})
}

func targetsOf(agent string, p *Place) ([]target, error) {
	f := find(agent)
	if f == nil {
		return nil, fmt.Errorf("longline cannot be installed in %q (want %s)", agent, strings.Join(Agents(), ", "))
	}
	at := p.at(f.Hooks, p.Scope)
	if at == "" {
		return nil, noScope(f, p)
	}
	return formOf(f.Hooks.Form).targets(f, p, at), nil
}

func plan(agent string, p *Place, read func(string) ([]byte, error), edit func(*target, []byte, reader) ([]byte, error)) ([]Change, error) {
	targets, err := targetsOf(agent, p)
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
func noScope(f *agent.Facts, p *Place) error {
	var have []string
	for _, s := range []Scope{User, Project, Managed} {
		if p.at(f.Hooks, s) != "" {
			have = append(have, string(s))
		}
	}
	return fmt.Errorf("%s has no %s settings for hooks (want --scope %s)", f.Client, p.Scope, strings.Join(have, " or "))
}

// ownFile is a file that belongs to longline alone. What longline has written
// there before is recognised by ours; anything else is somebody's.
func ownFile(path string, mode uint32, ours func(text []byte) bool, text func(c Command) string) target {
	return target{
		path: path, mode: mode,
		put: func(old []byte, c Command, _ reader) ([]byte, error) {
			if old != nil && !ours(old) {
				return nil, errors.New("there is a file of that name already, and it is not longline's; move it away or call longline from it")
			}
			return []byte(text(c)), nil
		},
		take: func(old []byte, _ reader) ([]byte, error) {
			if !ours(old) {
				return old, nil
			}
			return nil, nil
		},
	}
}

// ownScript is a script that does nothing but start longline.
func ownScript(file, agent string) target {
	return ownFile(file, 0o755, isOurScript, func(c Command) string { return scriptHead + c.line(agent) + "\n" })
}

const scriptHead = "#!/bin/sh\nexec "

func isOurScript(text []byte) bool {
	line, ok := strings.CutPrefix(string(text), scriptHead)
	line, ended := strings.CutSuffix(line, "\n")
	return ok && ended && !strings.Contains(line, "\n") && agent.Program(command(line)) != ""
}

// isOurHooks recognises a JSON file in which every hook starts longline.
func isOurHooks(text []byte) bool {
	root, err := strictjson.Parse(text)
	if err != nil {
		return false
	}
	ours, others := 0, 0
	var walk func(v strictjson.Value)
	walk = func(v strictjson.Value) {
		switch {
		case agent.Starts(v):
			ours++
		case v.Get("command").Kind == strictjson.String || v.Get("bash").Kind == strictjson.String || v.Get("powershell").Kind == strictjson.String || v.Get("url").Kind == strictjson.String:
			others++
		}
		for _, m := range v.Members {
			walk(m.Value)
		}
		for _, item := range v.Items {
			walk(item)
		}
	}
	walk(root)
	return ours > 0 && others == 0
}

// mentions says whether somebody's script may ask longline.
func mentions(text []byte) bool {
	return bytes.Contains(text, []byte("longline")) && bytes.Contains(text, []byte("hook"))
}
