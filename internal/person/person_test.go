package person

import (
	"errors"
	"slices"
	"testing"

	"longline/internal/agent"
	"longline/internal/config"
)

func TestAncestor(t *testing.T) {
	// tree maps a process to its parent and its command line.
	tree := func(words ...string) func(int) (running, error) {
		return func(pid int) (running, error) {
			switch pid {
			case 30:
				return running{20, []string{"bash"}}, nil
			case 20:
				return running{10, programs(words)}, nil
			case 10:
				return running{1, []string{"systemd"}}, nil
			}
			return running{}, errors.New("gone")
		}
	}
	for _, test := range []struct {
		command []string
		want    string
	}{
		{[]string{"/usr/bin/tmux"}, ""},
		{[]string{"/usr/share/code/code", "--type=x"}, ""},
		{[]string{"vim", "claude"}, ""},
		{[]string{"less", "/usr/lib/node_modules/x/claude"}, ""},
		{[]string{"claude"}, "claude"},
		{[]string{"/opt/claude"}, "claude"},
		{[]string{"codex", "exec"}, "codex"},
		{[]string{"node", "--no-warnings", "/usr/bin/gemini"}, "gemini"},
		{[]string{"node", "/home/me/.npm/node_modules/opencode/cli.js"}, "opencode"},
		{[]string{"node", "/usr/lib/node_modules/@openai/codex/bin/start.js"}, "codex"},
		{[]string{"node", "server.js", "claude"}, ""},
		{[]string{"python3", "/usr/bin/aider"}, "aider"},
		{[]string{"-bash"}, ""},
	} {
		got, err := ancestor(30, tree(test.command...))
		if got != test.want || err != nil {
			t.Errorf("%v: got %q, %v, want %q", test.command, got, err, test.want)
		}
	}
	if _, err := ancestor(99, tree()); err == nil {
		t.Error("an unknown process is nobody's")
	}
}

func TestOwnAncestors(t *testing.T) {
	if _, err := AgentAncestor(); err != nil {
		t.Error(err)
	}
}

func TestAgentMark(t *testing.T) {
	for _, test := range []struct {
		env  []string
		want string
	}{
		{nil, ""},
		{[]string{"HOME=/x"}, ""},
		{[]string{"CLAUDECODE=1"}, "CLAUDECODE"},
		{[]string{"CLAUDECODE="}, ""},
		{[]string{"GEMINI_CLI=1"}, "GEMINI_CLI"},
	} {
		get := config.Env(test.env).Get
		if got := AgentMark(get); got != test.want {
			t.Errorf("%v: got %q", test.env, got)
		}
	}
	if !slices.IsSorted(agent.Programs()) || !slices.IsSorted(agent.Marks()) {
		t.Error("the lists are not sorted")
	}
}
