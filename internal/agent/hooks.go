package agent

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/strictjson"
)

// Form is the sort of settings through which a client comes to call longline. Package
// install knows the forms, and no agent.
type Form uint8

const (
	// Lists are JSON settings with a list for each event, to which an entry is added.
	Lists Form = iota
	// Layers are Lists in several files. What an administrator writes, others cannot
	// switch off.
	Layers
	// Recorded are Lists in a file of their own. Second is a TOML file in which each hook
	// has to be on record as trusted.
	Recorded
	// Joined are Lists at the top of a file of their own. Where there is no such file, the
	// client reads them below Keys in Second. Second and Beside are the user's and the
	// project's alike.
	Joined
	// Delegated is a list of rules, the first of which that matches decides. An entry in
	// front of the others hands every call to a script of longline's.
	Delegated
	// OwnFile is a folder in which every JSON file holds hooks, one of them longline's.
	OwnFile
	// Scripts is a folder of executables that bear the names of events.
	Scripts
	// Plugin is a folder of plugins in JavaScript, one of them longline's.
	Plugin
)

// Forms are how many forms there are.
const Forms = int(Plugin) + 1

// Hooks says where a client's hooks stand and what they look like there. Paths begin with
// "/", with "~/" or below the project, except for User and Second, which are always below
// the home directory.
type Hooks struct {
	Form Form
	// The file that longline is added to, or its folder for [Scripts]: the user's, the
	// project's, and the administrator's on Linux. "" if there is none.
	User, Project, Managed string
	// Second is the other file of the forms that have one, below the home directory. A
	// project has the same.
	Second string
	// Variable names the directory that stands for the first element of paths below the
	// home directory.
	Variable string
	// Beside are files that the client reads too. They are looked at and not edited.
	Beside []string
	// Borrows is the agent whose settings in a project it reads too.
	Borrows string
	// Fleet is how the administrator of many machines adds longline; nil if they cannot.
	Fleet *Fleet

	Comments bool     // the client reads comments and trailing commas
	Seed     string   // what a new file holds besides, as JSON; "" is {}
	Keys     []string // from the root to the events
	Events   []string // at which longline is called
	Looked   []string // events at which another hook could stand in its way; nil is Events
	// Entry is what is added, as JSON. "{command}" stands for the command line, or
	// "{program}" and ["{arguments}"] for its words; "{script}" for longline's script;
	// {seconds} and {milliseconds} for how long the client waits.
	Entry string
	// Apart are events that have an entry of their own.
	Apart []EventEntry
	// Named says that people give each table of events a name, the first of Keys.
	Named bool
	// Trigger is the key in which a hook says its event, where all stand in one list. What
	// it does is below "action".
	Trigger string
	// Rejects says why the client drops a whole file of good JSON; nil if nothing is known.
	Rejects func(root strictjson.Value) error

	Off      []Off      // settings that keep hooks from running
	Unset    []Variable // variables that do
	Disabled []string   // the setting that lists hooks which do not run, by their names
	Trust    *Trust     // the folders in which it runs no hooks; nil if there is no such thing
	// Switches finds settings that keep hooks from running, or change what they do. effect
	// says what setting a variable does. nil if Off says all.
	Switches func(settings []byte, effect func(variable string) string) []Switch

	// PluginKey is the setting of the user in which plugins are on, and PluginFile the file
	// below the home directory that is there with longline's. "" if there is no plugin.
	PluginKey, PluginFile string
	// Live are the arguments with which its program runs one command: {prompt} stands for
	// what a model is told, {command} for the command. nil if it cannot be made to.
	Live []string
}

// EventEntry is what is added at one event.
type EventEntry struct{ Event, Entry string }

// Off is a setting that keeps hooks from running.
type Off struct {
	Keys   []string // from the root to the setting
	False  bool     // it does so when it is false, not when it is true
	Folder string   // it counts only in files there; "" is everywhere
	Own    bool     // it counts only in longline's own file
	Warn   bool     // longline runs, and is not heeded
	Effect string   // "" is that no hook runs
	Fix    string   // "" is to take it out
}

// Variable is an environment variable and what it does when it is set.
type Variable struct{ Name, Effect string }

// Trust is a JSON file that says which folders the client trusts, below the home directory
// or where the variable says.
type Trust struct{ File, Variable string }

// Fleet is the file that tells a client about longline on many machines.
type Fleet struct {
	Linux, Darwin string // Linux "" is [Hooks.Managed]
	Seed          string // what the file holds besides; "" is [Hooks.Seed]
	Only          string // the setting with which no other hooks run; "" if there is none
	// Preferences is the domain of the client's managed preferences on macOS.
	Preferences string
}

// On is the file on a system; "" if there is none.
func (h *Hooks) On(system string) string {
	switch {
	case h.Fleet == nil:
		return ""
	case system == "darwin":
		return h.Fleet.Darwin
	case system != "linux":
		return ""
	case h.Fleet.Linux == "":
		return h.Managed
	}
	return h.Fleet.Linux
}

// files are the places from which the client learns whether to call longline, as members of
// zones: with "~/" in front, or anywhere below a directory.
func (h *Hooks) files() []string {
	var list []string
	add := func(file string) {
		if file != "" && !slices.Contains(list, file) {
			list = append(list, file)
		}
	}
	for _, file := range []string{h.User, h.Second} {
		if file != "" {
			add("~/" + file)
		}
	}
	if h.User != "" && h.Project != "" {
		add(h.Second)
	}
	add(h.Project)
	add(h.Managed)
	add(h.On("linux"))
	add(h.On("darwin"))
	for _, file := range h.Beside {
		add(file)
	}
	return list
}

// guarded lists those of the files that the members of a zone do not cover yet.
func (h *Hooks) guarded(members []string) []string {
	files := h.files()
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		below, home := strings.CutPrefix(file, "~/")
		return home && slices.Contains(files, below) ||
			slices.ContainsFunc(members, func(m string) bool { return covers(m, file) || home && covers(m, below) })
	})
}

// covers reports whether a member of a zone stands for a file: it is the file, a directory
// above it, or a pattern that matches either, name by name.
func covers(member, file string) bool {
	names := strings.Split(file, "/")
	for i, want := range strings.Split(member, "/") {
		if i == len(names) {
			return false
		}
		if match, sure := paths.Match(want, names[i]); !match || !sure {
			return false
		}
	}
	return true
}
