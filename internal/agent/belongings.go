package agent

// Belongings are the files that belong to an agent, by purpose. Writing there
// controls the agent. Paths are written as members of zones are: with / or ~ in
// front, or as names that may stand anywhere, with wildcards within a name, or with
// /** at the end: everything in a directory, but not the directory itself.
type Belongings struct {
	Client string // the program, as its makers write it
	// Folders are the agent's own directories: one that is deleted or filled takes
	// everything below with it.
	Folders []string
	// Settings say what the agent may do unasked and whether it calls hooks at all.
	Settings []string
	// Hooks are what it calls before and after tools, longline among them.
	Hooks []string
	// Servers are programs that it starts to have more tools.
	Servers []string
	// Commands are texts and scripts that it runs on a word: commands, skills,
	// workflows, agents of its own. Most clients run shell text in them without a hook.
	Commands []string
	// Extensions are packages of all of the above.
	Extensions []string
	// Instructions are what it reads at the beginning of each session.
	Instructions []string
}

// Guarded lists what the agent must not change, because it makes the agent call
// longline.
func (b *Belongings) Guarded() []string { return join(b.Settings, b.Hooks) }

// Run lists what the agent runs later.
func (b *Belongings) Run() []string { return join(b.Servers, b.Commands, b.Extensions) }

func join(lists ...[]string) (all []string) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// otherBelongings is what belongs to agents that longline has no dialect for. Behind each of the later ones stands the
// document that says so.
var otherBelongings = []Belongings{
	{ // docs: "agents/codebuddy" of agent-config 0.3; it takes over Claude Code's settings
		Client: "CodeBuddy", Folders: []string{".codebuddy"},
		Settings: []string{".codebuddy/settings*.json"}, Commands: []string{".codebuddy/commands/**", ".codebuddy/skills/**", ".codebuddy/agents/**"},
		Instructions: []string{"CODEBUDDY.md"},
	},
	{ // superagent-ai/grok-cli, README
		Client: "Grok CLI", Folders: []string{".grok"},
		Settings: []string{".grok/settings.json", "~/.grok/user-settings.json"}, Instructions: []string{".grok/GROK.md"},
	},
	{ // iflow-ai/iflow-cli, docs_en/configuration/settings; hooks and servers are in the settings
		Client: "iFlow", Folders: []string{".iflow"},
		Settings: []string{".iflow/settings.json"}, Commands: []string{".iflow/commands/**", ".iflow/agents/**"}, Instructions: []string{"IFLOW.md"},
	},
	{ // moonshotai.github.io: kimi-cli and kimi-code, configuration/config-files; hooks are in the configuration
		Client: "Kimi", Folders: []string{".kimi", ".kimi-code"},
		Settings: []string{"~/.kimi/config.toml", "~/.kimi-code/config.toml"}, Hooks: []string{".kimi/hooks"},
		Servers: []string{".kimi/mcp.json", ".kimi-code/mcp.json"}, Commands: []string{".kimi/skills/**", ".kimi-code/skills/**"},
	},
	{ // earendil-works/pi, packages/coding-agent/docs/configuration; extensions are code that it runs
		Client: "Pi", Folders: []string{".pi"},
		Settings: []string{".pi/settings.json", "~/.pi/agent/settings.json"}, Servers: []string{".pi/mcp.json", "~/.pi/agent/mcp.json"},
		Commands: []string{".pi/skills/**", ".pi/prompts/**", "~/.pi/agent/skills/**", "~/.pi/agent/prompts/**"}, Extensions: []string{".pi/extensions/**", "~/.pi/agent/extensions/**"},
		Instructions: []string{".pi/SYSTEM.md", "~/.pi/agent/SYSTEM.md"},
	},
	{ // docs.qoder.com, cli/settings-reference; hooks and servers are in the settings
		Client: "Qoder", Folders: []string{".qoder"},
		Settings: []string{".qoder/settings*.json"}, Commands: []string{".qoder/commands/**", ".qoder/agents/**", ".qoder/skills/**"}, Instructions: []string{".qoder/rules"},
	},
	{ // docs.mistral.ai, vibe/code/cli/configuration; tools are Python that it runs
		Client: "Vibe", Folders: []string{".vibe"},
		Settings: []string{".vibe/config.toml"}, Commands: []string{".vibe/agents/**", ".vibe/prompts/**", ".vibe/skills/**", ".vibe/tools/**"},
	},
	{ // docs.warp.dev: knowledge-and-collaboration, capabilities/mcp
		Client: "Warp", Folders: []string{".warp"},
		Settings: []string{"~/.warp/settings.toml"}, Servers: []string{".warp/.mcp.json"}, Commands: []string{".warp/workflows/**", ".warp/skills/**"}, Instructions: []string{"WARP.md"},
	},
	{
		Client: "Aider", Settings: []string{".aider.conf.yml", ".aider.model.settings.yml"},
	},
	{
		Client: "Amazon Q", Folders: []string{".amazonq"},
		Settings: []string{".amazonq/cli-agents", "~/.aws/amazonq/cli-agents", "~/.aws/amazonq/global_context.json"},
		Servers:  []string{".amazonq/mcp.json", ".amazonq/default.json", "~/.aws/amazonq/mcp.json"},
		Commands: []string{".amazonq/prompts/**"}, Instructions: []string{".amazonq/rules"},
	},
	{
		Client: "Continue", Folders: []string{".continue"},
		Settings: []string{".continue/permissions.yaml", ".continuerc.json"},
		Servers:  []string{".continue"}, Instructions: []string{".continuerules"},
	},
	{
		Client: "Crush", Folders: []string{".crush"},
		Settings: []string{".crush.json", "crush.json", "~/.config/crush", "~/.local/share/crush/crush.json"},
		Commands: []string{".crush/commands/**", ".crush/skills/**"}, Instructions: []string{"CRUSH.md"},
	},
	{
		Client: "Junie", Folders: []string{".junie"},
		Servers: []string{".junie/mcp"}, Commands: []string{".junie/commands/**", ".junie/skills/**"},
		Instructions: []string{".junie/guidelines.md", ".junie/guidelines", ".junie/AGENTS.md"},
	},
	{
		Client: "Kilo Code", Folders: []string{".kilocode", ".kilo"},
		Settings: []string{".kilocodemodes", ".kilocode/config.json", ".kilo/kilo.json", ".kilo/kilo.jsonc"},
		Servers:  []string{".kilocode/mcp.json"}, Commands: []string{".kilocode/workflows/**", ".kilocode/skills/**", ".kilo/command/**", ".kilo/agent/**"},
		Instructions: []string{".kilocode/rules*", ".kilocoderules*"},
	},
	{
		Client: "OpenHands", Folders: []string{".openhands"},
		Hooks: []string{".openhands/hooks.json", ".openhands/hooks"}, Settings: []string{"~/.openhands/settings.json"},
		Commands: []string{".openhands/setup.sh", ".openhands/pre-commit.sh", ".openhands/skills/**"}, Instructions: []string{".openhands/microagents", ".openhands_instructions"},
	},
	{
		Client: "Roo Code", Folders: []string{".roo"},
		Settings: []string{".roomodes"}, Servers: []string{".roo/mcp.json"},
		Commands: []string{".roo/commands/**", ".roo/skills/**", ".roo/tools/**"}, Instructions: []string{".roo/rules*", ".roorules*"},
	},
	{
		Client: "Trae", Folders: []string{".trae"},
		Servers: []string{".trae/mcp.json"}, Commands: []string{".trae/skills/**"}, Instructions: []string{".trae/rules"},
	},
	{
		Client: "Zed", Settings: []string{"~/.config/zed/settings.json"},
		Servers: []string{".zed/settings.json"}, Instructions: []string{".rules"},
	},
}
