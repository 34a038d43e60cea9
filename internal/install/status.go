package install

import (
	"regexp"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

// State is whether longline is installed in an agent.
type State uint8

const (
	NotWired State = iota
	Stale          // longline is there, but not as it would be installed now
	Wired
	Observing // it is told of every call, and neither asks nor denies
)

func (s State) String() string { return [...]string{"not wired", "stale", "wired", "observing"}[s%4] }

// Check reports whether longline is installed in an agent as it should be. An
// error means that the settings cannot be read as the agent reads them.
func Check(agent string, p Place, c Command, read func(path string) ([]byte, error)) (State, error) {
	for _, observe := range [...]bool{false, true} {
		c.Observe = observe
		changes, err := Install(agent, p, c, read)
		if err != nil {
			return NotWired, err
		}
		if !slices.ContainsFunc(changes, func(c Change) bool { return !c.Nothing() }) {
			if observe {
				return Observing, nil
			}
			return Wired, nil
		}
	}
	changes, err := Uninstall(agent, p, read)
	if err != nil {
		return NotWired, err
	}
	if slices.ContainsFunc(changes, func(c Change) bool { return !c.Nothing() }) {
		return Stale, nil
	}
	return NotWired, nil
}

// Plugged says where longline is as a plugin, which no settings file holds; ""
// if it is not.
func Plugged(name string, p Place, read func(path string) ([]byte, error)) string {
	f := find(name)
	switch {
	case f == nil:
	case f.Hooks.Form == agent.Plugin:
		return pluggedShim(p.at(f.Hooks, User), read)
	case f.Hooks.PluginKey != "":
		return pluggedSetting(p.at(f.Hooks, User), f.Hooks.PluginKey, read)
	case f.Hooks.PluginFile != "":
		file := p.home(f.Hooks, f.Hooks.PluginFile)
		if text, _ := read(file); mentions(text) {
			return file
		}
	}
	return ""
}

// pluggedSetting: a plugin is on where the user's settings say so, whichever marketplace it
// came from.
func pluggedSetting(file, key string, read func(path string) ([]byte, error)) string {
	text, _ := read(file)
	root, _ := strictjson.Parse(text)
	for _, m := range root.Get(key).Members {
		if name, _, _ := strings.Cut(m.Key, "@"); name == "longline" && m.Value.True {
			return file + ", " + key + "." + m.Key
		}
	}
	return ""
}

// script finds what may be a script of somebody's own in settings.
var script = regexp.MustCompile(`"(?:[a-z]+ )?((?:~|\$HOME|/)[^"\s]+)`)

// Wrapped says which script in an agent's settings may call longline; "" if none does.
func Wrapped(name string, p Place, read func(path string) ([]byte, error)) string {
	for _, p.Scope = range []Scope{User, Project} {
		paths, _ := Paths(name, p)
		for _, path := range paths {
			text, _ := read(path)
			for _, m := range script.FindAllSubmatch(text, 50) {
				file := strings.Replace(strings.Replace(string(m[1]), "$HOME", p.Home, 1), "~", p.Home, 1)
				if text, err := read(file); err == nil && len(text) < 1<<20 && mentions(text) {
					return file
				}
			}
		}
	}
	return ""
}
