package install

import (
	_ "embed"
	"path"
	"strings"

	"longline/internal/strictjson"
)

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

func opencodeFiles(p *Place) ([]target, error) {
	text := func(c Command) string { return OpencodePlugin(c.argv("opencode")) }
	switch p.Scope {
	case User:
		dir := p.env("XDG_CONFIG_HOME")
		if dir == "" {
			dir = path.Join(p.Home, ".config")
		}
		return []target{ownFile(path.Join(dir, "opencode/plugins/longline.js"), 0o644, text)}, nil
	case Project:
		return []target{ownFile(path.Join(p.Project, ".opencode/plugins/longline.js"), 0o644, text)}, nil
	}
	return nil, noScope("opencode", p.Scope, User, Project)
}
