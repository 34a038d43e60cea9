package config

import (
	"path/filepath"

	"longline/internal/command"
	"longline/internal/permission"
	"longline/internal/shell"
	"longline/internal/tool"
)

// claudeAdmin is where the administrator of a machine puts Claude Code's settings.
const claudeAdmin = "/etc/claude-code"

// settingsFiles are the files in which a user's permissions for Claude Code stand. A
// project's own may only tighten.
type settingsFiles struct {
	managed []string
	user    string
	project []string
}

func (p *places) settings(admin string) settingsFiles {
	s := settingsFiles{managed: []string{filepath.Join(admin, "managed-settings.json")}}
	if more, err := filepath.Glob(filepath.Join(admin, "managed-settings.d", "*.json")); err == nil {
		s.managed = append(s.managed, more...)
	}
	if len(p.claude) > 0 {
		s.user = filepath.Join(p.claude[len(p.claude)-1], "settings.json")
		if len(p.claude) > 2 { // CLAUDE_CONFIG_DIR, which the client reads instead
			s.user = filepath.Join(p.claude[0], "settings.json")
		}
	}
	if p.project != "" {
		for _, name := range [...]string{"settings.json", "settings.local.json"} {
			if path := filepath.Join(p.project, ".claude", name); path != s.user {
				s.project = append(s.project, path)
			}
		}
	}
	return s
}

// permissions reads the rules. A file that cannot be read as the client reads it
// is dropped, as the client does; doctor says so.
func (s settingsFiles) permissions(project string) *permission.Set {
	set, own := new(permission.Set), true
	add := func(from permission.Source) {
		if text, err := readFile(from.Path, maxFile); err == nil {
			if from.Layer == "managed" && permission.ManagedOnly(text) {
				own = false
			}
			_ = set.Add(from, text)
		}
	}
	for _, path := range s.managed {
		add(permission.Source{Path: path, Layer: "managed"})
	}
	if s.user != "" {
		add(permission.Source{Path: s.user, Layer: "user", Base: filepath.Dir(s.user), Tighten: !own})
	}
	for _, path := range s.project {
		add(permission.Source{Path: path, Layer: "project", Base: project, Tighten: true})
	}
	return set
}

// permitted holds what Claude Code's user has allowed and forbidden beside a
// verdict. Other agents have rules of their own, which say nothing about these.
func (c *Config) permitted(call *tool.Call, v tool.Verdict, invs []*command.Invocation) tool.Verdict {
	if call.Agent != "claude" && call.Agent != "claude-legacy" {
		return v
	}
	set := c.settings.permissions(c.World.Project)
	if v.Rewrite == "" {
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
		v.Rewrite, v.Context = "", ""
	}
	if v.Decision == tool.Allow && c.Guard.Policy.OnAllowPass {
		v.Decision = tool.Pass
	}
	return v
}
