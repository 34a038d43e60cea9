package install

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

// The weights of a finding.
const (
	Note = "note" // worth knowing
	Warn = "warn" // may keep longline from being asked, or from being heeded
	Fail = "fail" // keeps longline from being asked
)

// Finding is something in an agent's settings that affects whether longline is
// called, and how to fix it.
type Finding struct{ Level, What, Fix string }

// Exam is one look at all that an agent reads. What it may see of the machine
// comes with it.
type Exam struct {
	Agent   string
	Client  string // the agent's name, as its makers write it
	Version string // of the client on this machine; "" if it is not known
	Place   Place  // its scope does not matter
	// Read returns nil and no error for a file that does not exist.
	Read func(path string) ([]byte, error)
	Mode func(path string) (fs.FileMode, error)
	Glob func(pattern string) []string

	found []Finding
}

// Findings looks for whatever keeps the agent from calling longline, or lets
// something else change a command.
func (x *Exam) Findings() []Finding {
	x.found = nil
	for _, l := range agent.FactsOf(x.Agent).Limits {
		if agent.Older(x.Version, l.Before) {
			x.say(Warn, x.Client+" "+x.Version+" "+l.Lacks, l.Fix)
		}
	}
	if f := find(x.Agent); f != nil {
		formOf(f.Hooks.Form).examine(x, f)
	}
	return x.found
}

func (x *Exam) say(level, what, fix string) {
	if f := (Finding{level, what, fix}); !slices.Contains(x.found, f) {
		x.found = append(x.found, f)
	}
}

// off says that a setting switches hooks off.
func (x *Exam) off(file, setting, effect, fix string) {
	x.say(Fail, file+" sets "+setting+": "+effect, fix)
}

// variables says which variables that switch hooks off are set.
func (x *Exam) variables(h *agent.Hooks) {
	for _, v := range h.Unset {
		if value := x.Place.env(v.Name); value != "" && value != "0" && value != "false" {
			x.say(Fail, "the variable "+v.Name+" is set: "+v.Effect, "unset "+v.Name)
		}
	}
}

// scope says to which scope of the installation a file belongs; "" if to none.
func (x *Exam) scope(file string) Scope {
	for _, s := range []Scope{User, Project, Managed} {
		p := x.Place
		p.Scope = s
		if paths, err := Paths(x.Agent, p); err == nil && slices.Contains(paths, file) {
			return s
		}
	}
	return ""
}

// again is how longline is installed anew where a file says otherwise.
func (x *Exam) again(file string) string {
	fix := "longline init --agent " + x.Agent
	if s := x.scope(file); s != "" && s != User {
		fix += " --scope " + string(s)
	}
	return fix
}

// text reads a file; nil if there is none.
func (x *Exam) text(file string) []byte {
	text, err := x.Read(file)
	if err != nil {
		x.say(Warn, fmt.Sprintf("%s cannot be read: %v", file, err), "make it readable for you")
	}
	return text
}

// json reads a settings file as the agent does. One that the agent rejects is
// said here, unless it is one that longline is installed in: those are looked at
// by [Check].
func (x *Exam) json(file string, comments bool) strictjson.Value {
	text := x.text(file)
	if len(strings.TrimSpace(string(text))) == 0 {
		return strictjson.Value{}
	}
	d, err := (&listFile{comments: comments}).read(text)
	if err != nil {
		x.rejected(file, err)
		return strictjson.Value{}
	}
	return d.root
}

func (x *Exam) rejected(file string, err error) {
	if x.scope(file) != "" {
		return
	}
	fix := "fix the file"
	if r := (*Rejected)(nil); errors.As(err, &r) {
		fix = r.Fix
	}
	x.say(Fail, fmt.Sprintf("%s ignores %s: %v", x.Client, file, err), fix)
}

// hooks looks at a list of hooks: longline's must be able to start, and of others
// nobody knows whether they change commands.
func (x *Exam) hooks(file string, list strictjson.Value) {
	for _, item := range list.Items {
		inner := item.Get("hooks").Items
		if item.Get("hooks").Kind != strictjson.Array {
			inner = []strictjson.Value{item}
		}
		for _, h := range inner {
			if program := agent.Program(h); program != "" {
				x.program(file, program)
			} else {
				x.other(file, h)
			}
		}
	}
}

func (x *Exam) other(file string, h strictjson.Value) {
	what := ""
	for _, key := range [...]string{"command", "bash", "to", "url", "prompt", "tool"} {
		what += h.Get(key).Text
	}
	x.stranger(file, what)
}

func (x *Exam) stranger(file, what string) {
	if len(what) > 60 {
		what = what[:60] + "…"
	}
	x.say(Note, fmt.Sprintf("%s has another hook before tools (%s); a hook that changes commands can run something that longline never saw", file, what),
		"make sure that it does not change commands")
}

// onWindows says that modes do not tell what can be run or changed.
const onWindows = runtime.GOOS == "windows"

// program looks at what a settings file starts for longline.
func (x *Exam) program(file, program string) {
	if !absolute(program) {
		x.say(Fail, fmt.Sprintf("the hook starts %q, which a project can replace by its own program", program), x.again(file))
		return
	}
	mode, err := x.Mode(program)
	switch {
	case err != nil:
		x.say(Fail, "the hook's program is gone: "+err.Error(), x.again(file))
	case !mode.IsRegular() || !onWindows && mode&0o111 == 0:
		x.say(Fail, program+" cannot be run", x.again(file))
	case !onWindows && mode&0o022 != 0:
		x.say(Warn, program+" can be changed by others", "chmod go-w "+program)
	}
}

// script looks at a script that starts longline.
func (x *Exam) script(file string) {
	if _, line, ok := strings.Cut(string(x.text(file)), "\nexec "); ok {
		line, _, _ = strings.Cut(line, "\n")
		if program := agent.Program(command(line)); program != "" {
			x.program(file, program)
		}
	}
}

// command is a hook's settings with nothing but a line for the shell.
func command(line string) strictjson.Value {
	v, _ := strictjson.Parse([]byte(obj(str("command", line))))
	return v
}

// Rejected is the error for a file that its agent would ignore.
type Rejected struct {
	Err error
	Fix string
}

func (r *Rejected) Error() string { return r.Err.Error() }
func (r *Rejected) Unwrap() error { return r.Err }
