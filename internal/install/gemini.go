package install

import (
	"path"
	"strings"

	"longline/internal/paths"
	"longline/internal/strictjson"
)

func geminiCLI() installer {
	return installer{
		agent: "gemini",
		files: geminiFiles, examine: examineGemini, plugin: geminiPlugin,
		// Without somebody to ask it offers no shell to the model, except for what
		// is allowed by name.
		live: []string{"--skip-trust", "--allowed-tools", "run_shell_command(" + commandMark + ")", "-p", promptMark},
	}
}

// geminiFiles: times are in milliseconds. Its settings may hold comments.
func geminiFiles(p *Place) ([]target, error) {
	file := &listFile{comments: true, entries: geminiEntries}
	switch p.Scope {
	case User:
		return []target{file.target(path.Join(p.Home, ".gemini/settings.json"))}, nil
	case Project:
		return []target{file.target(path.Join(p.Project, ".gemini/settings.json"))}, nil
	}
	return nil, noScope("Gemini CLI", p.Scope, User, Project)
}

func geminiEntries(c Command) []entry {
	return []entry{
		{path: []string{"hooks", "BeforeTool"}, element: group("*", namedHook(c, "gemini"))},
		{path: []string{"hooks", "AfterTool"}, element: group("*", namedHook(c, "gemini"))},
	}
}

// namedHook is a hook in the settings of Gemini CLI and of its relatives.
func namedHook(c Command, agent string) string {
	return obj(str("type", "command"), str("name", "longline"), str("command", c.line(agent)), num("timeout", seconds*1000))
}

func examineGemini(x *Exam) {
	for _, file := range []string{"/etc/gemini-cli/settings.json", path.Join(x.Place.Home, ".gemini/settings.json"), path.Join(x.Place.Project, ".gemini/settings.json")} {
		root := x.json(file, true)
		config := root.Get("hooksConfig")
		if on := config.Get("enabled"); on.Kind == strictjson.Bool && !on.True {
			x.off(file, "hooksConfig.enabled to false", "no hook runs", "take it out")
		}
		for _, name := range config.Get("disabled").Items {
			if strings.Contains(name.Text, "longline") {
				x.off(file, "hooksConfig.disabled", "longline's hook does not run", "take "+name.Raw+" out of the list")
			}
		}
		x.hooks(file, root.Get("hooks").Get("BeforeTool"))
	}
	if folder := geminiDistrust(x); folder != "" {
		x.say(Fail, "Gemini CLI is told not to trust "+folder+": no hook runs there, your own included", "trust it with /permissions in Gemini CLI, or work elsewhere")
	}
}

// geminiDistrust returns the folder above the project that the user has chosen
// not to trust. The nearest folder that something was said about counts.
func geminiDistrust(x *Exam) string {
	file := x.Place.env("GEMINI_CLI_TRUSTED_FOLDERS_PATH")
	if file == "" {
		file = path.Join(x.Place.Home, ".gemini/trustedFolders.json")
	}
	nearest, level := "", ""
	for _, m := range x.json(file, true).Members {
		folder := path.Clean(m.Key)
		if m.Value.Text == "TRUST_PARENT" {
			folder = path.Dir(folder)
		}
		if paths.Within(x.Place.Project, folder) && len(folder) > len(nearest) {
			nearest, level = folder, m.Value.Text
		}
	}
	if level != "DO_NOT_TRUST" {
		return ""
	}
	return nearest
}

func geminiPlugin(p *Place, read func(path string) ([]byte, error)) string {
	file := path.Join(p.Home, ".gemini/extensions/longline/hooks/hooks.json")
	if text, _ := read(file); mentions(text) {
		return file
	}
	return ""
}
