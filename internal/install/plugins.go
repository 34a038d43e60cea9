package install

import (
	_ "embed"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

// pluginVersion is what the plugins say of themselves: the version of the next release, which is
// refused while they differ.
const pluginVersion = "0.1.0"

const pluginPurpose = "Asks longline before each tool call: it reads shell commands as the shell would and allows, asks or denies"

//go:embed launcher.sh
var launcher string

// pluginShim is the plugin in JavaScript when it starts the script beside it.
var pluginShim = strings.Replace(pluginSource, "__COMMAND__", `[new URL("./longline-hook", import.meta.url).pathname, "opencode"]`, 1)

// Plugin is one file of a plugin, by its path in the repository.
type Plugin struct {
	Path, Text string
	Mode       uint32
}

// Plugins are the files that add longline to agents as a plugin. They say the
// same as what init writes into settings, but start a script that looks for
// longline.
func Plugins() []Plugin {
	about := []field{str("name", "longline"), str("version", pluginVersion), str("description", pluginPurpose)}
	author := obj(str("name", "longline"))
	hooks := func(name string, c Command) string {
		return hooksFile(settingsFile(agent.FactsOf(name)).entries(c))
	}
	claude := Command{Program: "${CLAUDE_PLUGIN_ROOT}/hooks/longline-hook"}
	gemini := Command{Program: "${extensionPath}/hooks/longline-hook"}
	line := `"` + gemini.Program + `" gemini`
	geminiHooks := strings.ReplaceAll(hooks("gemini", gemini), strictjson.Quote(gemini.line("gemini")), strictjson.Quote(line))
	return []Plugin{
		{".claude-plugin/marketplace.json", pretty(obj(
			str("name", "longline"), str("description", "longline, which judges what agents are about to do"), field{"owner", author},
			field{"plugins", list(obj(str("name", "longline"), str("source", "./plugins/claude"), str("description", pluginPurpose)))},
		)), 0o644},
		{"plugins/claude/.claude-plugin/plugin.json", pretty(obj(append(slices.Clone(about), field{"author", author})...)), 0o644},
		{"plugins/claude/hooks/hooks.json", hooks("claude", claude), 0o644},
		{"plugins/claude/hooks/longline-hook", launcher, 0o755},
		{"plugins/gemini/gemini-extension.json", pretty(obj(about...)), 0o644},
		{"plugins/gemini/hooks/hooks.json", geminiHooks, 0o644},
		{"plugins/gemini/hooks/longline-hook", launcher, 0o755},
		{"plugins/opencode/longline.js", pluginShim, 0o644},
		{"plugins/opencode/longline-hook", launcher, 0o755},
	}
}

// hooksFile is a file of hooks alone.
func hooksFile(entries []entry) string {
	var events []field
	for _, e := range entries {
		events = append(events, field{e.path[len(e.path)-1], list(e.element)})
	}
	return pretty(obj(field{"hooks", obj(events...)}))
}
