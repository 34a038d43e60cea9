package policy

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// Set is the active rules of all layers, ready to judge by.
type Set struct {
	Rules       []Rule // by layer, the packs first, then in the order of the files
	Default     tool.Decision
	Safety      Level
	OnAllowPass bool
	LogPath     string // "" is the usual place
	Sandbox     Sandbox
	LogContent  LogContent
	LogKeep     int // days; 0 is the usual time
	index       index
}

// UnknownRule is the error of a file that speaks of a rule that is not there.
type UnknownRule struct {
	Named
	Known []string // all ids, sorted
}

func (e *UnknownRule) Error() string { return e.Source + `: there is no rule "` + e.ID + `"` }

// Merge puts the layers together and leaves out what is switched off. Project
// files may only tighten what the other layers say, unless they are trusted;
// what they tried beyond that is in the notices. A nil file is an empty one.
func Merge(builtin *File, project []*File, user *File, managed []*File) (set *Set, notices []string, err error) {
	m := merger{set: &Set{Default: tool.Ask, Safety: High}, floor: tool.Allow}
	above := append([]*File{user}, managed...)
	size := 0
	for _, f := range append(append(above, project...), builtin) {
		if f != nil {
			size += len(f.Rules) + len(f.AllowCommands) + len(f.AllowPaths)
		}
	}
	m.set.Rules = make([]Rule, 0, size)
	if builtin != nil && !slices.ContainsFunc(above, func(f *File) bool { return f != nil && f.NoBuiltin }) {
		m.settings(builtin, Builtin)
		m.rules(builtin, Builtin)
	}
	for _, f := range project {
		if f == nil {
			continue
		}
		if !f.Trusted {
			f = m.tightened(f)
		}
		m.settings(f, Project)
		m.rules(f, Project)
	}
	if user != nil {
		m.settings(user, User)
		m.rules(user, User)
	}
	for _, f := range managed {
		if f != nil {
			m.settings(f, Managed)
			m.rules(f, Managed)
		}
	}
	// What an untrusted project tightened stays tight whatever the user set.
	m.set.Default = max(m.set.Default, m.floor)
	m.set.Safety = max(m.set.Safety, m.floorSafety)
	if err := m.switchOff(); err != nil {
		return nil, m.notices, err
	}
	m.set.index = newIndex(m.set.Rules)
	return m.set, m.notices, nil
}

type merger struct {
	set         *Set
	notices     []string
	disable     []layered
	floor       tool.Decision // what an untrusted project asks for at least
	floorSafety Level
	said        bool // user or administrator have set the default
	saidSafety  bool
}

type layered struct {
	Named
	layer Layer
}

func (m *merger) settings(f *File, layer Layer) {
	s := m.set
	if f.HasDefault {
		// The administrator sets a floor: a user may be stricter.
		if layer == Managed && m.said {
			s.Default = max(s.Default, f.Default)
		} else {
			s.Default = f.Default
		}
		m.said = layer >= User
	}
	if f.Safety != 0 {
		if layer == Managed && m.saidSafety {
			s.Safety = max(s.Safety, f.Safety)
		} else {
			s.Safety = f.Safety
		}
		m.saidSafety = layer >= User
	}
	s.OnAllowPass = s.OnAllowPass || f.OnAllowPass
	if f.LogPath != "" {
		s.LogPath = f.LogPath
	}
	if f.Sandbox.Dir != "" {
		s.Sandbox = f.Sandbox
	}
	if f.LogContent != LogUnset {
		s.LogContent = f.LogContent
	}
	if f.LogKeep != 0 {
		s.LogKeep = f.LogKeep
	}
}

func (m *merger) rules(f *File, layer Layer) {
	for _, entry := range f.AllowCommands {
		m.set.Rules = append(m.set.Rules, Rule{
			ID: "allowlist", Level: Critical, Decision: tool.Allow, Reason: entry.Reason, Source: entry.Source, Layer: layer, Listed: true,
			Match: Match{Commands: []Command{strings.Fields(entry.Text)}},
		})
	}
	for _, entry := range f.AllowPaths {
		m.set.Rules = append(m.set.Rules, Rule{
			ID: "allowlist", Level: Critical, Decision: tool.Allow, Reason: entry.Reason, Source: entry.Source, Layer: layer, Listed: true,
			Match: Match{Effect: Effect{
				Kinds:  KindSet(0).With(tool.Read).With(tool.Create).With(tool.Write).With(tool.Delete),
				Places: Places{Paths: []string{entry.Text}},
			}},
		})
	}
	for _, r := range f.Rules {
		r.Layer = layer
		m.set.Rules = append(m.set.Rules, r)
	}
	for _, name := range f.Disable {
		m.disable = append(m.disable, layered{name, layer})
	}
}

// tightened returns what an untrusted file may say, and notes the rest.
func (m *merger) tightened(f *File) *File {
	refuse := func(source, what string) {
		m.notices = append(m.notices, source+": "+what+" is ignored: the project is not trusted and may only tighten the rules")
	}
	kept := &File{Name: f.Name, OnAllowPass: f.OnAllowPass}
	for _, r := range f.Rules {
		if r.Decision <= tool.Pass {
			refuse(r.Source, "the "+r.Decision.String()+" rule "+r.ID)
			continue
		}
		r.Overrides = nil
		kept.Rules = append(kept.Rules, r)
	}
	if n := len(f.AllowCommands) + len(f.AllowPaths); n > 0 {
		refuse(f.Name, "the allowlist")
	}
	if len(f.Disable) > 0 {
		refuse(f.Name, "disable")
	}
	if f.NoBuiltin {
		refuse(f.Name, "builtin: false")
	}
	for _, key := range []struct {
		name  string
		given bool
	}{{"log.path", f.LogPath != ""}, {"log.content", f.LogContent != LogUnset}, {"log.keep", f.LogKeep != 0}} {
		if key.given {
			refuse(f.Name, key.name)
		}
	}
	if f.Sandbox.Dir != "" {
		refuse(f.Name, "sandbox")
	}
	if f.HasDefault {
		if f.Default < m.set.Default {
			refuse(f.Name, "default_decision: "+f.Default.String())
		} else {
			m.floor = max(m.floor, f.Default)
		}
	}
	if f.Safety != 0 {
		if f.Safety < m.set.Safety {
			refuse(f.Name, "safety_level: "+f.Safety.String())
		} else {
			m.floorSafety = max(m.floorSafety, f.Safety)
		}
	}
	return kept
}

// switchOff removes the rules that are disabled or not active at the safety
// level, after checking that what is named is there.
func (m *merger) switchOff() error {
	if err := m.checkNames(); err != nil {
		return err
	}
	out := make([]bool, len(m.disable))
	m.set.Rules = slices.DeleteFunc(m.set.Rules, func(r Rule) bool {
		off := r.Level > m.set.Safety
		for i, name := range m.disable {
			if name.ID == r.ID && name.layer >= r.Layer && !r.Listed {
				off, out[i] = true, true
			}
		}
		return off
	})
	for i, name := range m.disable {
		if !out[i] {
			m.notices = append(m.notices, name.Source+": "+name.ID+" stays on: it belongs to a higher layer")
		}
	}
	return nil
}

// checkNames says whether a file speaks of a rule that is not there.
func (m *merger) checkNames() error {
	var spoken []Named
	for _, name := range m.disable {
		spoken = append(spoken, name.Named)
	}
	for i := range m.set.Rules {
		for _, id := range m.set.Rules[i].Overrides {
			spoken = append(spoken, Named{id, m.set.Rules[i].Source})
		}
	}
	if len(spoken) == 0 {
		return nil
	}
	known := make([]string, 0, len(m.set.Rules))
	for i := range m.set.Rules {
		if !m.set.Rules[i].Listed {
			known = append(known, m.set.Rules[i].ID)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range spoken {
		if _, ok := slices.BinarySearch(known, name.ID); !ok {
			return &UnknownRule{name, known}
		}
	}
	return nil
}
