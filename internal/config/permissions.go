package config

import (
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/permission"
	"longline/internal/shell"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// claudeAdmin is where the administrator of a machine puts Claude Code's settings.
const claudeAdmin = "/etc/claude-code"

// Settings are the files of Claude Code's settings that hold at a place. A
// project's own may only tighten.
type Settings struct {
	Managed []string
	User    string // "" if there is no home directory
	Project []string
}

// All lists the files, those with the most authority first.
func (s *Settings) All() []string {
	return slices.Concat(s.Managed, []string{s.User}, s.Project)
}

func (p *places) settings(admin string) Settings {
	var s Settings
	if exists(admin) { // as on few machines
		more, _ := filepath.Glob(filepath.Join(admin, "managed-settings.d", "*.json"))
		s.Managed = append([]string{filepath.Join(admin, "managed-settings.json")}, more...)
	}
	if len(p.Claude) > 0 {
		s.User = below(p.Claude[0], "settings.json")
	}
	if p.site.Project != "" {
		for _, name := range [...]string{"settings.json", "settings.local.json"} {
			if path := below(p.site.Project, ".claude/"+name); path != s.User {
				s.Project = append(s.Project, path)
			}
		}
	}
	return s
}

// permissions reads the rules. A file that cannot be read as the client reads it
// is dropped, as the client does; doctor says so.
func (s *Settings) permissions(project string) *permission.Set {
	set, own := new(permission.Set), true
	add := func(from permission.Source) {
		if text := ReadSettings(from.Path); text != nil {
			if from.Layer == "managed" && permission.ManagedOnly(text) {
				own = false
			}
			_ = set.Add(from, text)
		}
	}
	for _, path := range s.Managed {
		add(permission.Source{Path: path, Layer: "managed"})
	}
	if s.User != "" {
		add(permission.Source{Path: s.User, Layer: "user", Base: filepath.Dir(s.User), Tighten: !own})
	}
	for _, path := range s.Project {
		add(permission.Source{Path: path, Layer: "project", Base: project, Tighten: true})
	}
	return set
}

// permitted holds what Claude Code's user has allowed and forbidden beside a
// verdict. Other agents have rules of their own, which say nothing about these.
func (c *Config) permitted(call *tool.Call, v tool.Verdict, invs []*command.Invocation) tool.Verdict {
	if !agent.Permissions(call.Agent) {
		return v
	}
	set := c.Settings.permissions(c.World.Project)
	if v.Rewrite == "" || len(v.Walled) > 0 {
		v = set.Apply(call, v, invs, c.World)
	} else {
		// The client holds its rules against the changed command alone.
		changed := *call
		changed.Script = v.Rewrite
		v = set.Apply(&changed, v, invs, c.World)
		r := shell.Resolve(call.Script, call.Dir, c.World, c.Guard.Library)
		v = set.Object(call, v, r.Invocations, c.World)
	}
	if v.Decision == tool.Deny {
		v.Rewrite, v.Context, v.Walled = "", "", nil
	}
	if v.Decision == tool.Allow && c.Guard.Policy.OnAllowPass {
		v.Decision = tool.Pass
	}
	return v
}

// ReadSettings returns nil for a file that cannot be read, which to the client is
// no file.
func ReadSettings(path string) []byte {
	if path == "" {
		return nil
	}
	text, err := readFile(path, maxFile)
	if err != nil {
		return nil
	}
	return text
}

// own lists what an agent writes to by itself: places of its own, and directories
// that the user has added to those it works in. What a project's settings add
// does not count.
func (c *Config) own(name string) []string {
	list := agent.Own(name)
	if name != "claude" {
		return list
	}
	doc, err := strictjson.Parse(ReadSettings(c.Settings.User))
	if err != nil {
		return list
	}
	for _, dir := range doc.Get("permissions").Get("additionalDirectories").Items {
		if text := filepath.Clean(dir.Text); strings.HasPrefix(dir.Text, "/") && strings.Count(text, "/") > 1 || strings.HasPrefix(dir.Text, "~/") && text != "~" {
			list = append(list[:len(list):len(list)], text)
		}
	}
	return list
}
