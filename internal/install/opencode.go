package install

import (
	_ "embed"
	"path"
	"strings"

	"longline/internal/strictjson"
)

func openCode() installer {
	return installer{
		agent: "opencode",
		files: opencodeFiles, examine: examineOpencode, plugin: opencodeShim,
		live: []string{"run", promptMark},
	}
}

//go:embed opencode.js
var opencodePlugin string

// OpencodePlugin is the plugin file through which opencode asks longline, which
// is started as the given argument vector.
func OpencodePlugin(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = strictjson.Quote(w)
	}
	return strings.Replace(opencodePlugin, "__COMMAND__", "["+strings.Join(words, ", ")+"]", 1)
}

// isOurPlugin goes by the first line, which every version of the plugin has.
func isOurPlugin(text []byte) bool {
	first, _, _ := strings.Cut(opencodePlugin, "\n")
	return strings.HasPrefix(string(text), first)
}

func opencodeFiles(p *Place) ([]target, error) {
	text := func(c Command) string { return OpencodePlugin(c.argv("opencode")) }
	switch p.Scope {
	case User:
		return []target{ownFile(path.Join(opencodeDir(p), "plugins/longline.js"), 0o644, isOurPlugin, text)}, nil
	case Project:
		return []target{ownFile(path.Join(p.Project, ".opencode/plugins/longline.js"), 0o644, isOurPlugin, text)}, nil
	}
	return nil, noScope("opencode", p.Scope, User, Project)
}

func opencodeDir(p *Place) string { return path.Join(p.dir("XDG_CONFIG_HOME", ".config"), "opencode") }

// examineOpencode: a plugin that does not load is skipped silently, and
// every other plugin may change what a tool is given.
func examineOpencode(x *Exam) {
	x.variable("OPENCODE_PURE", "opencode runs without plugins")
	for _, dir := range []string{opencodeDir(&x.Place), path.Join(x.Place.Project, ".opencode")} {
		for _, folder := range [...]string{"plugins", "plugin"} {
			for _, ending := range [...]string{"js", "ts"} {
				for _, file := range x.Glob(path.Join(dir, folder, "*."+ending)) {
					x.opencodeFile(file)
				}
			}
		}
	}
	for _, file := range []string{
		path.Join(opencodeDir(&x.Place), "opencode.json"), path.Join(opencodeDir(&x.Place), "opencode.jsonc"),
		path.Join(x.Place.Project, "opencode.json"), path.Join(x.Place.Project, "opencode.jsonc"),
	} {
		for _, p := range x.json(file, true).Get("plugin").Items {
			x.stranger(file, "the plugin "+p.Raw)
		}
	}
}

func (x *Exam) opencodeFile(file string) {
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

// opencodeShim: the plugin from the repository is not what init writes, and
// starts the script that lies beside it.
func opencodeShim(p *Place, read func(path string) ([]byte, error)) string {
	file := path.Join(opencodeDir(p), "plugins/longline.js")
	script, _ := read(path.Join(path.Dir(file), "longline-hook"))
	if text, _ := read(file); string(text) == opencodePluginShim && string(script) == launcher {
		return file
	}
	return ""
}
