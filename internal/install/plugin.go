package install

import (
	_ "embed"
	"path"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

//go:embed plugin.js
var pluginSource string

// pluginText is the plugin through which a client asks longline, which is started
// as the given argument vector.
func pluginText(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = strictjson.Quote(w)
	}
	return strings.Replace(pluginSource, "__COMMAND__", "["+strings.Join(words, ", ")+"]", 1)
}

// isOurPlugin goes by the first line, which every version of the plugin has.
func isOurPlugin(text []byte) bool {
	first, _, _ := strings.Cut(pluginSource, "\n")
	return strings.HasPrefix(string(text), first)
}

func pluginTargets(f *agent.Facts, _ *Place, at string) []target {
	text := func(c Command) string { return pluginText(c.argv(f.Name)) }
	return []target{ownFile(at, 0o644, isOurPlugin, text)}
}

// examinePlugin: a plugin that does not load is skipped silently, and every other plugin
// may change what a tool is given. Settings, of the user and of the project, name more.
func examinePlugin(x *Exam, f *agent.Facts) {
	h := f.Hooks
	x.variables(h)
	user, project := x.Place.at(h, User), x.Place.at(h, Project)
	for _, at := range []string{user, project} {
		for _, folder := range [...]string{"plugins", "plugin"} {
			for _, ending := range [...]string{"js", "ts"} {
				for _, file := range x.Glob(path.Join(path.Dir(path.Dir(at)), folder, "*."+ending)) {
					x.pluginFile(file)
				}
			}
		}
	}
	for _, dir := range []string{path.Dir(path.Dir(user)), x.Place.Project} {
		for _, name := range h.Beside {
			file := path.Join(dir, name)
			for _, p := range x.json(file, true).Get("plugin").Items {
				x.stranger(file, "the plugin "+p.Raw)
			}
		}
	}
}

// pluginFile looks at one plugin.
func (x *Exam) pluginFile(file string) {
	text := string(x.text(file))
	if !isOurPlugin([]byte(text)) {
		x.stranger(file, "a plugin")
		return
	}
	_, line, _ := strings.Cut(text, "\nconst COMMAND = ")
	line, _, _ = strings.Cut(line, "\n")
	if argv, err := strictjson.Parse([]byte(line)); err == nil && len(argv.Items) > 0 {
		x.program(file, argv.Items[0].Text)
	}
}

// pluggedShim: the plugin from the repository is not what init writes, and
// starts the script that lies beside it.
func pluggedShim(file string, read func(path string) ([]byte, error)) string {
	script, _ := read(path.Join(path.Dir(file), "longline-hook"))
	if text, _ := read(file); string(text) == pluginShim && string(script) == launcher {
		return file
	}
	return ""
}
