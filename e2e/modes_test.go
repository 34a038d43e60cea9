//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// What Claude Code tells its model about places of its own.
var ownMarks = map[string]string{
	"@PLAN@":   `create your plan at (/[^ "]+/\.claude/plans/[^ "]+\.md)`,
	"@MEMORY@": "file-based memory at `(/[^`\"]+/memory)/`",
}

// decisions reads the log: each command or file, and what was said of it.
func decisions(t *testing.T, p *plan) map[string]string {
	t.Helper()
	data, err := os.ReadFile(p.home(".claude", "hooks-logs", "longline.jsonl"))
	if err != nil {
		t.Error(err)
	}
	said := map[string]string{}
	for line := range strings.Lines(string(data)) {
		var l struct{ Command, Decision string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Errorf("audit line %s: %v", line, err)
		}
		if l.Decision != "" {
			said[l.Command] = l.Decision
		}
	}
	return said
}

func write(file, text string) toolCall {
	return toolCall{"Write", fields{"file_path": file, "content": text}}
}

// own is a file that the client writes, by itself or not.
type own struct {
	call    func(p *plan) toolCall
	file    func(p *plan) string // "*" for one path element
	written bool
}

func ownFile(path string, written bool) own {
	return own{func(p *plan) toolCall { return write(p.home(path), "x\n") }, func(p *plan) string { return p.home(path) }, written}
}

// TestOwnPlaces: what the client writes by itself without asking is written unasked
// with longline too, in plan mode and otherwise, and what is beside it is not.
func TestOwnPlaces(t *testing.T) {
	t.Parallel()
	plan1 := own{
		func(*plan) toolCall { return write("@PLAN@", "# Plan\n") }, func(p *plan) string { return p.home(".claude/plans/*.md") }, true,
	}
	memory := own{
		func(*plan) toolCall { return write("@MEMORY@/taste.md", "---\nname: taste\n---\n") },
		func(p *plan) string { return p.home(".claude/projects/*/memory/taste.md") }, true,
	}
	scratchFile := own{
		func(p *plan) toolCall { return write(p.scratch("notes.txt"), "x\n") }, func(p *plan) string { return p.scratch("notes.txt") }, true,
	}
	scratchScript := own{
		func(p *plan) toolCall {
			return clients[0].call("cat > " + p.scratch("a.txt") + " <<'EOF'\none\nEOF\nwc -l < " + p.scratch("a.txt"))
		},
		func(p *plan) string { return p.scratch("a.txt") }, true,
	}
	beside := own{
		func(*plan) toolCall { return write("@MEMORY@/../x.md", "x\n") }, func(p *plan) string { return p.home(".claude/projects/*/x.md") }, false,
	}
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		for _, test := range []struct {
			mode  string
			files []own
		}{
			{"plan", []own{plan1}},
			{"default", []own{memory}},
			// Here nobody but longline would ask.
			{"bypassPermissions", []own{memory, scratchFile, scratchScript, ownFile(".claude/commands/x.md", false), beside}},
		} {
			t.Run(test.mode, func(t *testing.T) {
				t.Parallel()
				p := prepare(t)
				p.Marks = ownMarks
				held := 0
				for _, o := range test.files {
					p.Calls = append(p.Calls, o.call(&p))
					if !o.written {
						held++
					}
				}
				c.setup(t, &p, client)
				p.Argv[len(p.Argv)-1] = test.mode
				c.wire(t, &p, built(t))
				r := do(t, p)
				for _, o := range test.files {
					if found, err := filepath.Glob(o.file(&p)); err != nil || (len(found) == 1) != o.written {
						t.Errorf("%s: %v %v, want written %v\n%s", o.file(&p), found, err, o.written, results(r.Requests))
					}
				}
				if said := strings.Count(r.Requests[len(r.Requests)-1], "cannot ask its user"); said != held {
					t.Errorf("%d were held back, want %d\n%s\n%v", said, held, results(r.Requests), decisions(t, &p))
				}
			})
		}
	})
}

// scratch is a file in the directory that the client makes for scratch files.
func (p *plan) scratch(name string) string { return filepath.Join(p.Area, "tmp", "claude-0", name) }

// TestModes: the same command in the modes of the client. In auto mode a question that
// can be left to the client is, and it judges; its safety check is the server's, which is
// not here, so that it says so instead of running the command.
func TestModes(t *testing.T) {
	t.Parallel()
	const (
		defers = "touch ran.txt; brew install jq"
		stays  = "touch ran.txt; git push --force"
		check  = "its safety check does not run for this session"
	)
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		for _, test := range []struct {
			name, mode, command string
			said                string
			ran                 bool
			told, not           string
		}{
			{"auto allows", "auto", "touch ran.txt", "allow", true, "", check},
			{"auto defers", "auto", defers, "pass", false, check, "[package-install]"},
			{"auto asks", "auto", stays, "ask", false, "[git-push-force]", check},
			{"default asks", "default", defers, "ask", false, "[package-install]", check},
			{"plan reads", "plan", "git status --short; ls", "allow", true, "", "nobody to ask"},
			{"plan leaves writing to the client", "plan", "touch ran.txt", "allow", false, "", "nobody to ask"},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				p := prepare(t)
				p.Calls = []toolCall{c.call(test.command)}
				c.setup(t, &p, client)
				p.Argv[len(p.Argv)-1] = test.mode
				c.wire(t, &p, built(t))
				r := do(t, p)
				ran := p.has("ran.txt") || test.mode == "plan" && !strings.Contains(results(r.Requests), `"is_error":true`)
				if ran != test.ran {
					t.Errorf("ran: %v\n%s", ran, results(r.Requests))
				}
				if got := decisions(t, &p)[test.command]; got != test.said {
					t.Errorf("longline said %q, want %q", got, test.said)
				}
				if test.told != "" && !r.modelSaw(test.told) || r.modelSaw(test.not) {
					t.Errorf("the model is to read %q and not %q\n%s", test.told, test.not, results(r.Requests))
				}
			})
		}
	})
}

// interactive makes the client run in a terminal, with a person at it.
func interactive(p *plan, client, mode string, keys ...key) {
	edit("home/.claude.json", "{", `{"customApiKeyResponses": {"approved": ["made-up"]}, "hasSeenAutoModeDefault": true,`)(p)
	p.Env = append(p.Env, "TERM=xterm-256color")
	p.Argv = []string{client, "run it", "--permission-mode", mode}
	p.Keys, p.Limit = keys, 90*time.Second
}

// TestInTerminal: a person at the client sees one question, answers it, and the command
// runs; in plan mode the plan is written without one.
func TestInTerminal(t *testing.T) {
	t.Parallel()
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		t.Run("question", func(t *testing.T) {
			t.Parallel()
			p := prepare(t)
			p.Calls = []toolCall{c.call("touch ran.txt; brew install jq")}
			c.setup(t, &p, client)
			c.wire(t, &p, built(t))
			interactive(&p, client, "default", key{"1. Yes", "1"}, key{"done", hangUp})
			r := do(t, p)
			if !p.has("ran.txt") {
				t.Errorf("the answer was yes, and it did not run\n%s", words(r.Output))
			}
			if !r.shows("requires confirmation") || !r.shows("[package-install]") || !r.shows("To stop this question: longline allow ") || r.shows("allow-once") {
				t.Errorf("the question is not as wanted\n%s", words(r.Output))
			}
			// What to do instead is for the model, which reads it; the person does not.
			const aside = "If the user says no to this call: "
			if r.shows(aside) || !r.modelSaw(aside) {
				t.Errorf("the person reads the suggestion: %v; the model: %v\n%s", r.shows(aside), r.modelSaw(aside), words(r.Output))
			}
		})
		t.Run("plan", func(t *testing.T) {
			t.Parallel()
			p := prepare(t)
			p.Calls, p.Marks = []toolCall{write("@PLAN@", "# Plan\n")}, ownMarks
			c.setup(t, &p, client)
			c.wire(t, &p, built(t))
			interactive(&p, client, "plan", key{"done", hangUp})
			r := do(t, p)
			if plans, _ := filepath.Glob(p.home(".claude/plans/*.md")); len(plans) != 1 || r.shows("requires confirmation") {
				t.Errorf("the plan was not written unasked: %v\n%s", plans, words(r.Output))
			}
		})
	})
}

// words is a screen as far as it can be read.
func words(output string) string {
	return tail(strings.Join(strings.Fields(controls.ReplaceAllString(output, " ")), " "))
}

// TestAnsweredForGood: a question, longline allow with the id that the question names,
// and the same command once more.
func TestAnsweredForGood(t *testing.T) {
	t.Parallel()
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		p := prepare(t)
		c.setup(t, &p, client)
		c.wire(t, &p, built(t))
		again := p.client(c.call("touch ran.txt; brew install jq"))
		r := do(t, again)
		id := regexp.MustCompile(`longline allow ([a-z0-9]{8})`).FindStringSubmatch(results(r.Requests))
		if p.has("ran.txt") || id == nil {
			t.Fatalf("no question with an id\n%s", results(r.Requests))
		}
		said := do(t, p.person([]string{built(t), "allow", id[1]}, key{"Add it?", "y\r"}))
		if said.Status != 0 || !said.shows("does not ask about") {
			t.Fatalf("allow: status %d\n%s", said.Status, said.Output)
		}
		if r = do(t, again); !p.has("ran.txt") {
			t.Errorf("it still asks\n%s\n%s", results(r.Requests), said.Output)
		}
		// The rule and its test stand in the user's file, and the test holds.
		rules, err := os.ReadFile(p.home(".config/longline/rules.yaml"))
		if err != nil || !strings.Contains(string(rules), "decision: allow") || !strings.Contains(string(rules), "tests:") {
			t.Errorf("%v\n%s", err, rules)
		}
		other := do(t, p.client(c.call("brew install other; touch other.txt")))
		if p.has("other.txt") {
			t.Errorf("another package may be installed too\n%s", results(other.Requests))
		}
	})
}

// TestDontAskAgain: what "don't ask again" wrote into the project's own settings before
// the session. It waits for a person, who is told so; then it lifts questions that are of no rule.
func TestDontAskAgain(t *testing.T) {
	t.Parallel()
	const waiting = "longline trust"
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		p := prepare(t)
		c.setup(t, &p, client)
		p.Files[p.project(".claude/settings.local.json")] = indent(fields{"permissions": fields{
			"allow": []any{"Bash(frobnicate:*)", "Bash(touch:*)", "Bash(git push:*)", "Bash(rm:*)"},
		}})
		p.Files[p.home(".config/longline/rules.yaml")] = "version: 1\nwalls: off\n" // so that it asks
		c.wire(t, &p, built(t))
		question := c.call("touch ran.txt; frobnicate jq")
		r := do(t, p.client(question))
		if p.has("ran.txt") || !r.modelSaw("[unknown]") {
			t.Errorf("it counts before anybody has seen it\n%s", results(r.Requests))
		}
		if !strings.Contains(r.Output, waiting) {
			t.Errorf("nobody is told that rules wait\n%s", tail(r.Output))
		}
		said := do(t, p.person([]string{built(t), "trust"}, key{"[y/N]", "y\r"}))
		if said.Status != 0 || !said.shows("frobnicate") || !said.shows("git push") {
			t.Fatalf("trust: status %d\n%s", said.Status, said.Output)
		}
		after := do(t, p.client(question, c.call("touch forced.txt; git push --force origin main"), c.call("touch gone.txt; rm -rf ~/")))
		if !p.has("ran.txt") {
			t.Errorf("the question was not lifted\n%s", results(after.Requests))
		}
		if strings.Contains(after.Output, waiting) {
			t.Errorf("it is said again that rules wait\n%s", tail(after.Output))
		}
		if p.has("forced.txt") || !after.modelSaw("[git-push-force]") {
			t.Errorf("a forced push was lifted\n%s", results(after.Requests))
		}
		if p.has("gone.txt") || !after.modelSaw("[rm-recursive-root]") {
			t.Errorf("a denial was lifted\n%s", results(after.Requests))
		}
		// Another rule, which an agent or an archive may have added, waits again.
		p.Files[p.project(".claude/settings.local.json")] = indent(fields{"permissions": fields{"allow": []any{"Bash(frobnicate:*)", "Bash(ssh:*)"}}})
		if r = do(t, p.client(c.call("ls"))); !strings.Contains(r.Output, waiting) {
			t.Errorf("a new rule does not wait\n%s", tail(r.Output))
		}
	})
}

// client is a session of the same machine that makes these calls.
func (p *plan) client(calls ...toolCall) plan {
	next := *p
	next.Calls = calls
	next.Argv = append(p.Argv[:len(p.Argv)-1:len(p.Argv)-1], "default", "--include-hook-events")
	return next
}

// person is somebody at a terminal of the same machine.
func (p *plan) person(argv []string, keys ...key) plan {
	next := *p
	next.Calls, next.Argv, next.Keys, next.Limit = nil, argv, keys, 30*time.Second
	return next
}

// TestQuestionsAreHeard: in some modes the client answers questions about files that it
// guards itself, and a hook's question about the same call with them. Where longline
// asks, nothing of this kind is written.
func TestQuestionsAreHeard(t *testing.T) {
	t.Parallel()
	smuggled := []string{".npmrc", "bunfig.toml", "lefthook.yml", "pyrightconfig.json", ".devcontainer.json"}
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		for _, mode := range []string{"bypassPermissions", "auto"} {
			t.Run(mode, func(t *testing.T) {
				t.Parallel()
				p := prepare(t)
				files := []string{
					p.home(".claude/commands/x.md"), p.home(".bashrc"), p.home(".gitconfig"), p.project(".mcp.json"), p.project(".git/hooks/pre-commit"),
				}
				for _, file := range files {
					p.Calls = append(p.Calls, write(file, "x\n"))
				}
				p.Calls = append(p.Calls, c.call("mkdir -p ~/.claude/commands && echo x >~/.claude/commands/y.md"), c.call("echo x >>~/.profile"))
				files = append(files, p.home(".claude/commands/y.md"), p.home(".profile"))
				for _, name := range smuggled {
					// Beside such a file the client would not hear of the push.
					p.Calls = append(p.Calls, c.call("touch "+name+"; git push --force"))
					files = append(files, p.project(name))
				}
				c.setup(t, &p, client)
				p.Argv[len(p.Argv)-1] = mode
				c.wire(t, &p, built(t))
				r := do(t, p)
				for _, file := range files {
					if _, err := os.Lstat(file); err == nil {
						t.Errorf("%s was written", file)
					}
				}
				if said := strings.Count(r.Requests[len(r.Requests)-1], "Claude Code cannot ask its user about this"); said != len(p.Calls) {
					t.Errorf("the model was told %d times, want %d\n%s", said, len(p.Calls), results(r.Requests[len(r.Requests)-1:]))
				}
			})
		}
	})
}
