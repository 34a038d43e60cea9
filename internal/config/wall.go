package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// WallSystem reports whether walls can be built on this system.
const WallSystem = runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")

// walled judges a call with walls, if anything in it wants one. What else the command
// would be changed for does not go together with a wall.
func (c *Config) walled(call *tool.Call, v tool.Verdict, invs []*command.Invocation) (tool.Verdict, []*command.Invocation) {
	if !c.Guard.Policy.Walls.On || !call.Shell || v.Decision == tool.Deny || v.Rewrite != "" && v.Decision == tool.Ask || !v.Parsed || !c.wallsFor(call) {
		return v, invs
	}
	wv, winvs, ok := c.Guard.Wall(*call, c.World, func(d tool.Decision) bool { return v.Rewrite == "" && agent.TakesChanged(call.Agent, d) })
	if !ok {
		return v, invs
	}
	return wv, winvs
}

// wallsFor says whether a client's commands can be put behind walls: it runs a changed
// command, and has no sandbox of its own around it.
func (c *Config) wallsFor(call *tool.Call) bool {
	if !WallSystem || !agent.TakesChanged(call.Agent, tool.Allow) || agent.Sandboxed(call) || agent.Permissions(call.Agent) && c.Settings.sandboxed() || c.wallRefused() {
		return false
	}
	c.World.Wall = WallWords()
	return c.World.Wall != nil
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
	return runnable(path + "-wall")
}

// runnable is the path of a program, "" if it is none.
func runnable(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return ""
	}
	return path
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

// A wall that could not be built says so in a file, with the time that the machine was
// started: after that everything is asked about again, until somebody has looked.

// WallRefusedPath is that file.
func (c *Config) WallRefusedPath() string {
	if c.state == "" {
		return ""
	}
	return filepath.Join(c.state, "wall-refused")
}

func (c *Config) wallRefused() bool {
	path := c.WallRefusedPath()
	if path == "" {
		return false
	}
	text, _ := readFile(path, 4096)
	return strings.HasPrefix(string(text), BootID()+"\n")
}

// BootID identifies the current boot of the machine.
func BootID() string {
	text, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(text))
}

// WallPrivate is where tools keep their caches behind walls of this project; "" if there
// is no place for it.
func (c *Config) WallPrivate() string {
	if c.state == "" || c.World.Project == "" {
		return ""
	}
	hash := uint64(14695981039346656037)
	for i := range len(c.World.Project) {
		hash = (hash ^ uint64(c.World.Project[i])) * 1099511628211
	}
	return filepath.Join(c.WallCaches(), strconv.FormatUint(hash, 16))
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
