package agent

// Programs are the names of agents that run commands in terminals of their own.
// Editors are not among them, because people use their terminals too.
var Programs = []string{
	"aider", "amp", "auggie", "claude", "claude-code", "cline", "codex", "copilot", "crush", "cursor-agent",
	"droid", "gemini", "goose", "kiro-cli", "opencode", "openhands", "plandex", "qwen",
}

// Marks are variables that agents set for the commands they run.
var Marks = []string{
	"AI_AGENT", "AUGMENT_AGENT", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLINE_ACTIVE", "CODEX_SANDBOX", "CODEX_THREAD_ID",
	"COPILOT_CLI", "CURSOR_AGENT", "GEMINI_CLI", "GOOSE_TERMINAL", "OPENCODE", "QWEN_CODE",
}
