package install

import (
	_ "embed"
	"strings"

	"longline/internal/strictjson"
)

//go:embed opencode.js
var opencodePlugin string

// OpencodePlugin is the plugin file through which opencode asks longline, which
// is started as the given argument vector.
func OpencodePlugin(command []string) string {
	list := "["
	for i, word := range command {
		if i > 0 {
			list += ", "
		}
		list += strictjson.Quote(word)
	}
	return strings.Replace(opencodePlugin, "__COMMAND__", list+"]", 1)
}
