package install

import (
	"path"
	"strings"

	"longline/internal/agent"
)

// form is how longline gets into one sort of settings.
type form struct {
	// targets are the files that an installation concerns, given the one of its scope.
	targets func(f *agent.Facts, p *Place, at string) []target
	// examine finds what keeps the client from asking longline.
	examine func(x *Exam, f *agent.Facts)
}

// formOf is what is known of a form.
func formOf(f agent.Form) form {
	switch f {
	case agent.Lists:
		return form{listTargets, examineLists}
	case agent.Layers:
		return form{listTargets, examineLayers}
	case agent.Recorded:
		return form{recordedTargets, examineRecorded}
	case agent.Joined:
		return form{joinedTargets, examineJoined}
	case agent.Delegated:
		return form{delegatedTargets, examineDelegated}
	case agent.OwnFile:
		return form{ownTargets, examineOwn}
	case agent.Scripts:
		return form{scriptTargets, examineScripts}
	case agent.Plugin:
		return form{pluginTargets, examinePlugin}
	}
	return form{}
}

// find returns the facts of an agent that longline can be installed in, or nil.
func find(name string) *agent.Facts {
	if f := agent.FactsOf(name); f.Hooks != nil {
		return f
	}
	return nil
}

// home is a file below the home directory, or below the directory that the client's
// variable names in place of the first element.
func (p *Place) home(h *agent.Hooks, file string) string {
	if h.Variable != "" {
		if dir := p.env(h.Variable); dir != "" {
			_, rest, _ := strings.Cut(file, "/")
			return path.Join(dir, rest)
		}
	}
	return path.Join(p.Home, file)
}

// file is where a path of a client's facts leads.
func (p *Place) file(h *agent.Hooks, file string) string {
	if below, ok := strings.CutPrefix(file, "~/"); ok {
		return p.home(h, below)
	}
	if absolute(file) {
		return file
	}
	return path.Join(p.Project, file)
}

// beside are the other files that a client reads.
func (p *Place) beside(h *agent.Hooks) []string {
	var files []string
	for _, file := range h.Beside {
		files = append(files, p.file(h, file))
	}
	return files
}

// at is the file of a scope that longline is added to; "" if there is none.
func (p *Place) at(h *agent.Hooks, s Scope) string {
	switch {
	case s == User && h.User != "":
		return p.home(h, h.User)
	case s == Project && h.Project != "":
		return path.Join(p.Project, h.Project)
	case s == Managed:
		return h.Managed
	}
	return ""
}

// looked are the events at which another hook could stand in longline's way.
func looked(h *agent.Hooks) []string {
	if h.Looked != nil {
		return h.Looked
	}
	return h.Events
}

// spoken is a client's name as people say it.
func spoken(f *agent.Facts) string { return strings.TrimSuffix(f.Client, " CLI") }
