package install

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"longline/internal/agent"
)

// File is a file that an administrator puts on every machine.
type File struct {
	Path string
	Text []byte
}

// Fleet says for what machines files are rendered.
type Fleet struct {
	System  string // linux or darwin
	Command Command
	// Only has no other hooks run than the administrator's, where the agent can be told so.
	Only bool
}

// rendering is how an agent is told by the administrator of a machine.
type rendering struct {
	agent string
	dir   map[string]string // by system
	name  string
	text  func(f *Fleet) (string, error)
}

const support = "/Library/Application Support/"

func renderings() []rendering {
	list := []rendering{
		// A drop-in, so that it stands beside what else the administrator says.
		{"claude", map[string]string{"linux": claudeManaged, "darwin": support + "ClaudeCode"}, "managed-settings.d/50-longline.json", func(f *Fleet) (string, error) {
			return f.json(&listFile{seed: f.seed("{\n\t\"allowManagedHooksOnly\": true\n}"), check: claudeRejects, entries: claudeEntries})
		}},
		// No user has to trust what is in here, and none can switch it off.
		{"codex", map[string]string{"linux": "/etc/codex", "darwin": "/etc/codex"}, "requirements.toml", func(f *Fleet) (string, error) { return codexRequirements(f), nil }},
		// The file that overrides all others of its settings.
		{"gemini", map[string]string{"linux": "/etc/gemini-cli", "darwin": support + "GeminiCli"}, "settings.json", func(f *Fleet) (string, error) {
			return f.json(&listFile{seed: "{\n\t\"hooksConfig\": {\"enabled\": true}\n}", entries: geminiEntries})
		}},
	}
	for _, a := range agent.All {
		f := a.Facts()
		if f.Hooks == nil || f.Hooks.ManagedDarwin == "" {
			continue
		}
		list = append(list, rendering{
			f.Name,
			map[string]string{"linux": path.Dir(f.Hooks.Managed), "darwin": path.Dir(f.Hooks.ManagedDarwin)},
			path.Base(f.Hooks.Managed),
			func(fleet *Fleet) (string, error) { return fleet.json(ordinaryFile(f)) },
		})
	}
	return list
}

// Renders lists the agents that an administrator can tell about longline.
func Renders() []string {
	var names []string
	for _, r := range renderings() {
		names = append(names, r.agent)
	}
	return names
}

// Render makes the file for one agent.
func Render(agent string, f Fleet) (File, error) {
	list := renderings()
	i := slices.IndexFunc(list, func(r rendering) bool { return r.agent == agent })
	if i < 0 {
		return File{}, fmt.Errorf("the administrator of a machine cannot tell %q about hooks (want %s)", agent, strings.Join(Renders(), ", "))
	}
	dir, ok := list[i].dir[f.System]
	switch {
	case !ok:
		return File{}, fmt.Errorf("there are no files for %q (want linux or darwin)", f.System)
	case !path.IsAbs(f.Command.Program) || strings.ContainsAny(f.Command.Program, "\x00\n\r"):
		return File{}, fmt.Errorf("%q is not the absolute path of a program", f.Command.Program)
	}
	text, err := list[i].text(&f)
	return File{path.Join(dir, list[i].name), []byte(text)}, err
}

// RenderedAt is the managed file on this machine that makes an agent call longline, or "".
// The settings that "init --scope managed" edits are another one.
func RenderedAt(agent, system string, read func(path string) ([]byte, error)) string {
	for _, r := range renderings() {
		dir, ok := r.dir[system]
		if r.agent != agent || !ok {
			continue
		}
		if text, err := read(path.Join(dir, r.name)); err == nil && mentions(text) {
			return path.Join(dir, r.name)
		}
	}
	return ""
}

func (f *Fleet) json(file *listFile) (string, error) {
	text, err := file.target("").put(nil, f.Command, nil)
	return string(text), err
}

func (f *Fleet) seed(only string) string {
	if f.Only {
		return only
	}
	return ""
}

// codexRequirements are the same hooks that the user's hooks.json would have, as TOML.
func codexRequirements(f *Fleet) string {
	var b strings.Builder
	b.WriteString("# Hooks that the administrator of this machine sets; users need not trust them and cannot switch them off.\n")
	if f.Only {
		b.WriteString("allow_managed_hooks_only = true\n")
	}
	b.WriteString("\n[features]\nhooks = true\n")
	for _, event := range codexEvents {
		fmt.Fprintf(&b, "\n[[hooks.%s]]\nmatcher = %s\n\n[[hooks.%s.hooks]]\ntype = \"command\"\ncommand = %s\ntimeout = %d\n",
			event.name, tomlText(codexMatcher), event.name, tomlText(f.Command.line("codex")), seconds)
	}
	return b.String()
}

// tomlText writes a text as TOML does.
func tomlText(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
