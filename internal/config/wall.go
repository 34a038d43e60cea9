package config

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// WallSystem reports whether walls can be built on this system.
const WallSystem = runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") || runtime.GOOS == "darwin"

// walled judges a call with walls, if anything in it wants one. What else the command
// would be changed for does not go together with a wall.
func (c *Config) walled(call *tool.Call, v tool.Verdict, invs []*command.Invocation) (tool.Verdict, []*command.Invocation) {
	if !c.Guard.Policy.Walls.On || !call.Shell || call.Dialect != "" || v.Decision == tool.Deny || v.Rewrite != "" && v.Decision == tool.Ask || !v.Parsed || !c.wallsFor(call) {
		return v, invs
	}
	wv, winvs, ok := c.Guard.Wall(*call, c.World, func(d tool.Decision) bool { return v.Rewrite == "" && agent.TakesChanged(call.Agent, d) })
	if !ok {
		wv, winvs = v, invs
	}
	if wv.Decision == tool.Ask && v.Rewrite == "" {
		if whole, all, ok := c.Guard.Whole(*call, c.World, func(d tool.Decision) bool { return agent.TakesChanged(call.Agent, d) }); ok {
			wv, winvs = whole, all
		}
	}
	return c.again(call, wv, winvs), winvs
}

// wallsFor says whether a client's commands can be put behind walls: it runs a changed
// command, and has no sandbox of its own around it.
func (c *Config) wallsFor(call *tool.Call) bool {
	if !WallSystem || c.World.Windows || !agent.TakesChanged(call.Agent, tool.Allow) || agent.Sandboxed(call) || c.Boxed(call.Agent) || c.wallRefused() {
		return false
	}
	c.World.Wall = WallWords()
	return c.World.Wall != nil
}

// Boxed says whether the settings of a client have a sandbox of its own on.
func (c *Config) Boxed(client string) bool {
	return agent.Permissions(client) && c.Settings.sandboxed()
}

// WallWords are the words that put a program behind a wall, nil if there are none.
func WallWords() []string {
	if small := SmallWall(); small != "" {
		return []string{small}
	}
	path, err := Sibling()
	if err != nil {
		return nil
	}
	return []string{path, "wall"}
}

// SmallWall is the small program beside this one that builds walls, "" if there is none.
func SmallWall() string {
	path, err := Sibling()
	if err != nil {
		return ""
	}
	if small := Beside(path, "-wall"); Runnable(small) {
		return small
	}
	return ""
}

// Runnable says whether a path is that of a program.
func Runnable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (onWindows || info.Mode()&0o111 != 0)
}

// TryWallsFor has walls tried for a call whose commands they could be put before.
func (c *Config) TryWallsFor(call *tool.Call) {
	if call.Shell && agent.TakesChanged(call.Agent, tool.Allow) && !agent.Sandboxed(call) {
		c.TryWalls(false)
	}
}

// sandboxed says whether Claude Code's own sandbox is on, by the settings that it
// reads; the first that says so counts.
func (s *Settings) sandboxed() bool {
	for i := len(s.Project) - 1; i >= -1-len(s.Managed); i-- {
		path := s.User
		switch {
		case i >= 0:
			path = s.Project[i]
		case i < -1:
			path = s.Managed[-2-i]
		}
		text := s.now(path)
		if text == nil {
			continue
		}
		if v, err := strictjson.Parse(text); err == nil {
			if on := v.Get("sandbox").Get("enabled"); on.True {
				return true
			}
		}
	}
	return false
}

// A wall is tried before it counts on a machine. What came of it is in a file until the machine is started again or the
// program that builds walls is another one. A wall that could not be built later says so there, too.

// WallTried is what came of it.
type WallTried struct {
	Kind string   // "namespaces", "Landlock" or "Seatbelt"; "" if there is no wall that holds
	Why  string   // why it is not a better one
	Open []string // what it does not hold
}

func (c *Config) triedPath() string {
	if c.state == "" {
		return ""
	}
	return filepath.Join(c.state, "wall-tried")
}

// triedFor says when and for what a result counts, "" if it cannot be said.
func triedFor() string {
	words, boot := WallWords(), BootID()
	if words == nil || boot == "" {
		return ""
	}
	info, err := os.Stat(words[0])
	if err != nil {
		return ""
	}
	return boot + " " + strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10) + " " + words[0]
}

// Tried returns the result that counts, if there is one.
func (c *Config) Tried() (t WallTried, ok bool) {
	if c.tried == nil {
		if t, ok = c.readTried(); !ok {
			return t, false
		}
		c.tried = &t
	}
	return *c.tried, true
}

func (c *Config) readTried() (t WallTried, ok bool) {
	path := c.triedPath()
	if !WallSystem || path == "" {
		return t, false
	}
	text, err := readFile(path, 4096)
	if err != nil {
		return t, false
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) < 3 || lines[0] != triedFor() {
		return t, false
	}
	return WallTried{lines[1], lines[2], lines[3:]}, true
}

// SayTried keeps a result.
func (c *Config) SayTried(t WallTried) {
	path, stamp := c.triedPath(), triedFor()
	if path == "" || stamp == "" {
		return
	}
	line := func(text string) string { return strings.ReplaceAll(text, "\n", " ") }
	text := stamp + "\n" + line(t.Kind) + "\n" + line(t.Why) + "\n"
	for _, open := range t.Open {
		text += line(open) + "\n"
	}
	c.tried = &t
	_ = os.MkdirAll(filepath.Dir(path), 0o700)
	if os.WriteFile(path+".new", []byte(text), 0o600) == nil {
		_ = os.Rename(path+".new", path)
	}
}

// ProbeArg is the word by which the program that builds walls is told to try them.
const ProbeArg = "--probe"

// maxTrying is how long that may take.
const maxTrying = 2 * time.Second

// TryWalls has walls tried unless it is known what comes of it, and takes them into use if they hold. Again tries them in any case.
func (c *Config) TryWalls(again bool) {
	words := WallWords()
	if _, known := c.Tried(); known && !again || !WallSystem || words == nil || SmallWall() == "" && filepath.Base(words[0]) != "longline" || c.state == "" || c.wallsOff() {
		return
	}
	c.tried = nil
	ok := ended(words[0], append(words, ProbeArg))
	if _, known := c.Tried(); !ok || !known {
		c.SayTried(WallTried{Why: "it could not be tried"})
	}
	c.wallsOn()
}

// ended runs a program and says whether it came to its end in time.
func ended(path string, argv []string) bool {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer null.Close()
	p, err := os.StartProcess(path, argv, &os.ProcAttr{Env: os.Environ(), Files: []*os.File{null, null, null}})
	if err != nil {
		return false
	}
	defer time.AfterFunc(maxTrying, func() { _ = p.Kill() }).Stop()
	state, err := p.Wait()
	return err == nil && state.Exited()
}

// wallsOff says whether somebody whose word counts has said that there are no walls.
func (c *Config) wallsOff() bool {
	return c.Guard.Policy.Walls.Said && !c.Guard.Policy.Walls.On
}

// wallsOn switches walls on where they hold and nobody has said otherwise.
func (c *Config) wallsOn() {
	if t, _ := c.Tried(); t.Kind != "" && !c.wallsOff() {
		c.Guard.Policy.Walls.On, c.Guard.Policy.WallsAnswer = true, true
	}
}

// wallRefused says whether it is known that there is no wall that holds.
func (c *Config) wallRefused() bool {
	t, known := c.Tried()
	return known && t.Kind == ""
}

// WallPrivate is where tools keep their caches behind walls of this project; "" if there
// is no place for it.
func (c *Config) WallPrivate() string {
	if c.state == "" || c.World.Project == "" {
		return ""
	}
	return filepath.Join(c.WallCaches(), hashed(c.World.Project))
}

// hashed is a short name for a text.
func hashed(text string) string {
	hash := uint64(14695981039346656037)
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * 1099511628211
	}
	return strconv.FormatUint(hash, 16)
}

// StateDir is the directory of what longline remembers, "" if there is none.
func (c *Config) StateDir() string { return c.state }

// WallCaches is where the private caches of all projects lie; "" if there is no place
// for them.
func (c *Config) WallCaches() string {
	if c.state == "" {
		return ""
	}
	return filepath.Join(c.state, "walls")
}

// Longline-wall reads no commands. Which of them may reach other machines it is told by marks, which whoever
// judges a command leaves for it, or takes away, just before it runs. They are for all projects: clients do not tell the command
// which one they are in.

// maxMarks bounds them.
const maxMarks = 512

// The marks of a command, each a directory.
const (
	fetchMark = "fetching" // it may reach other machines
	keepMark  = "keeping"  // it is git, of which the wall only keeps what configures agents
)

// mark is where a mark of a command is, by its words. All of them are known, or they are what it begins with.
func (c *Config) mark(kind string, words []string, all bool) string {
	name := strings.Join(words, "\x00")
	if !all {
		name += "\x00\x00"
	}
	return filepath.Join(c.state, kind, hashed(name))
}

// MayFetch reports whether a command may reach other machines.
func (c *Config) MayFetch(words []string) bool { return c.marked(fetchMark, words) }

// Keeps reports whether the wall of a command only keeps what configures agents.
func (c *Config) Keeps(words []string) bool { return c.marked(keepMark, words) }

func (c *Config) marked(kind string, words []string) bool {
	if c.state == "" || len(words) == 0 {
		return false
	}
	for n := len(words); n > 0; n-- {
		if exists(c.mark(kind, words[:n], false)) {
			return true
		}
	}
	return exists(c.mark(kind, words, true))
}

// Mark marks a command, if it may reach other machines.
func (c *Config) Mark(words []string, all, may bool) { c.setMark(fetchMark, words, all, may) }

func (c *Config) setMark(kind string, words []string, all, may bool) {
	if c.state == "" || len(words) == 0 {
		return
	}
	path := c.mark(kind, words, all)
	switch there := exists(path); {
	case there && !may:
		_ = os.Remove(path)
	case may && !there:
		dir := filepath.Dir(path)
		if list, _ := os.ReadDir(dir); len(list) >= maxMarks {
			_ = os.RemoveAll(dir)
		}
		_ = os.MkdirAll(dir, 0o700)
		_ = os.WriteFile(path, nil, 0o600) // without it the program is refused, and says so
	}
}

// MarkAll marks the commands of a call that are put behind walls.
func (c *Config) MarkAll(call *tool.Call, invs []*command.Invocation) {
	for i, inv := range invs {
		if !inv.Walled || len(inv.Via) > 0 {
			continue
		}
		group := invs[i : i+1]
		for n := i + 1; n < len(invs) && len(invs[n].Via) > 0; n++ {
			group = invs[i : n+1]
		}
		known := slices.IndexFunc(inv.Words, func(w command.Word) bool { return !w.IsKnown() })
		all := known < 0
		if all {
			known = len(inv.Words)
		}
		words := make([]string, known)
		for n := range words {
			words[n] = inv.Words[n].Text
		}
		span := inv.Span
		may := 0 <= span.Start && span.Start <= span.End && span.End <= len(call.Script) && slices.ContainsFunc(group, fetching) &&
			c.fetches(cmp.Or(inv.Dir.Text, call.Dir), call.Script[span.Start:span.End])
		keeps := slices.ContainsFunc(group, func(inv *command.Invocation) bool { return inv.Arrives })
		c.setMark(keepMark, words, all, keeps)
		c.Mark(words, all, may && !keeps)
	}
}

// Fetches reports whether a command is known to need other machines, and is allowed to.
func (c *Config) Fetches(dir string, words []string) bool {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return len(words) > 0 && c.fetches(dir, strings.Join(quoted, " "))
}

func (c *Config) fetches(dir, script string) bool {
	v, invs := c.Guard.Judge(tool.Call{Agent: "wall", Tool: "Bash", Dir: dir, Script: script, Shell: true}, c.World)
	return v.Decision <= tool.Pass && slices.ContainsFunc(invs, fetching)
}

// fetching reports whether a command has an effect on another machine.
func fetching(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind.IsHost() && e.Target != "@local" && e.Target != "localhost" && !strings.HasPrefix(e.Target, "127.")
	})
}
