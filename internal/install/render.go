package install

import (
	"fmt"
	"path"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
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

// Renders lists the agents that an administrator can tell about longline.
func Renders() []string {
	var names []string
	for _, f := range installable() {
		if f.Hooks.Fleet != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// Render makes the file for one agent.
func Render(name string, fleet Fleet) (File, error) {
	f := find(name)
	if f == nil || f.Hooks.Fleet == nil {
		return File{}, fmt.Errorf("the administrator of a machine cannot tell %q about hooks (want %s)", name, strings.Join(Renders(), ", "))
	}
	at := f.Hooks.On(fleet.System)
	switch {
	case at == "":
		return File{}, fmt.Errorf("there are no files for %q (want linux or darwin)", fleet.System)
	case !path.IsAbs(fleet.Command.Program) || strings.ContainsAny(fleet.Command.Program, "\x00\n\r"):
		return File{}, fmt.Errorf("%q is not the absolute path of a program", fleet.Command.Program)
	case isTOML(at):
		return File{at, []byte(fleet.toml(f))}, nil
	}
	text, err := fleet.json(f)
	return File{at, text}, err
}

func isTOML(file string) bool { return path.Ext(file) == ".toml" }

// RenderedAt is the managed file on this machine that makes an agent call longline, or "".
// The settings that "init --scope managed" edits are another one.
func RenderedAt(name, system string, read func(path string) ([]byte, error)) string {
	f := find(name)
	if f == nil {
		return ""
	}
	if at := f.Hooks.On(system); at != "" {
		if text, err := read(at); err == nil && mentions(text) {
			return at
		}
	}
	return ""
}

// json is the file for a client whose settings are JSON.
func (fleet *Fleet) json(f *agent.Facts) ([]byte, error) {
	file := settingsFile(f)
	if f.Hooks.Fleet.Seed != "" {
		file.seed = f.Hooks.Fleet.Seed
	}
	if only := f.Hooks.Fleet.Only; fleet.Only && only != "" {
		file.seed = "{\n\t" + strictjson.Quote(only) + ": true," + strings.TrimPrefix(file.seed, "{")
	}
	return file.target("").put(nil, fleet.Command, nil)
}

// toml is the file for a client whose settings are TOML: the same hooks that the user's
// JSON would have.
func (fleet *Fleet) toml(f *agent.Facts) string {
	var b strings.Builder
	b.WriteString("# Hooks that the administrator of this machine sets; users need not trust them and cannot switch them off.\n")
	if fleet.Only {
		b.WriteString(f.Hooks.Fleet.Only + " = true\n")
	}
	b.WriteString("\n[features]\nhooks = true\n")
	for _, event := range f.Hooks.Events {
		group, _ := strictjson.Parse([]byte(element(f, fleet.Command, event)))
		fmt.Fprintf(&b, "\n[[hooks.%s]]\nmatcher = %s\n", event, tomlText(group.Get("matcher").Text))
		for _, hook := range group.Get("hooks").Items {
			fmt.Fprintf(&b, "\n[[hooks.%s.hooks]]\n", event)
			for _, m := range hook.Members {
				fmt.Fprintf(&b, "%s = %s\n", m.Key, tomlValue(m.Value))
			}
		}
	}
	return b.String()
}

// tomlValue writes a text or a number of JSON as TOML does.
func tomlValue(v strictjson.Value) string {
	if v.Kind == strictjson.String {
		return tomlText(v.Text)
	}
	return v.Raw
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
