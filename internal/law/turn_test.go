//go:build linux

package law

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// call is what an agent asks to do.
type call struct {
	Tool  string         `json:"tool"`
	Mode  string         `json:"mode"`
	Input map[string]any `json:"input"`
}

func (c *call) String() string {
	if c.Tool == "Bash" {
		return fmt.Sprintf("%s %s", c.Mode, c.Input["command"])
	}
	input, _ := json.Marshal(c.Input)
	return fmt.Sprintf("%s %s %s", c.Mode, c.Tool, input)
}

// machine is the world that calls are executed in.
type machine struct {
	heard   listeners
	outside picture // what is not the project's
	inside  picture
	turn    int
	start   time.Time
	spent   [4]time.Duration // by hook, execution, looking, undoing
}

// temporary says of what is not the project's whether it may change: temporary files, caches, and what longline remembers.
func temporary(path string) bool {
	for _, dir := range []string{project, home + "/.cache", home + "/.npm", home + "/.m2", home + "/.bundle", home + "/.local/share", home + "/.local/state/longline", home + "/.claude/hooks-logs"} {
		if path == dir || strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// made says of a path in the project whether it is what docs/undo.md says a build makes again, or one of git's objects, which are only added.
func made(path string) bool {
	if strings.Contains(path, "/.git/objects/") {
		return true
	}
	for _, name := range []string{"node_modules", "dist", "build", "target", "__pycache__", ".venv", "venv", ".pytest_cache", ".mypy_cache", ".ruff_cache", "coverage", ".next"} {
		if strings.HasSuffix(path, "/"+name) || strings.Contains(path, "/"+name+"/") {
			return true
		}
	}
	return false
}

func newMachine(bin string) (*machine, error) {
	m := &machine{start: time.Now()}
	if err := furnish(bin); err != nil {
		return nil, err
	}
	if err := wire(&m.heard); err != nil {
		return nil, err
	}
	if err := build(); err != nil {
		return nil, err
	}
	// The first call of a machine tries walls and takes the first snapshot.
	first := call{Tool: "Bash", Mode: "default", Input: map[string]any{"command": "touch first"}}
	if a := m.ask("PreToolUse", &first, nil); a.Decision != "allow" {
		return nil, fmt.Errorf("the first call is answered with %q: %s", a.Decision, a.all)
	}
	m.ask("PostToolUse", &first, map[string]any{"stdout": "", "stderr": ""})
	m.inside, m.outside = m.look()
	m.heard.since()
	return m, nil
}

func (m *machine) look() (inside, outside picture) {
	return take(m.inside, made, project), take(m.outside, temporary, "/home", "/root", "/srv", "/run")
}

// answer is what the client makes of the hook's answer.
type answer struct {
	Decision string         // allow, ask, deny; "" leaves it to the client
	Input    map[string]any // in place of the call's, nil if it stays
	Output   json.RawMessage
	all      string
}

// ask asks longline as the client does.
func (m *machine) ask(event string, c *call, response any) (a answer) {
	began := time.Now()
	defer func() { m.spent[0] += time.Since(began) }()
	in := map[string]any{
		"session_id": fmt.Sprintf("session-%d", m.turn), "transcript_path": home + "/.claude/t.jsonl", "cwd": project, "permission_mode": c.Mode,
		"hook_event_name": event, "tool_name": c.Tool, "tool_input": c.Input, "tool_use_id": fmt.Sprintf("toolu_%d", m.turn),
	}
	switch {
	case event == "PostToolUseFailure":
		in["error"] = response
	case response != nil:
		in["tool_response"] = response
	}
	text, err := json.Marshal(in)
	if err != nil {
		return answer{Decision: "deny", all: err.Error()}
	}
	cmd := user(project, programs+"/longline-hook", "claude")
	var out, problems bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(append(text, '\n')), &out, &problems
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	a.all = out.String() + problems.String()
	var said struct {
		HookSpecificOutput struct {
			PermissionDecision                      string
			UpdatedInput                            map[string]any
			UpdatedToolOutput, UpdatedMCPToolOutput json.RawMessage
		}
	}
	if err != nil {
		a.Decision, a.all = "deny", err.Error()+": "+a.all
		return a
	}
	if json.Unmarshal(out.Bytes(), &said) == nil {
		h := said.HookSpecificOutput
		a.Decision, a.Input, a.Output = h.PermissionDecision, h.UpdatedInput, h.UpdatedToolOutput
	}
	return a
}

// result is what came of a call.
type result struct {
	Call      string
	Decision  string
	Ran       string // the command as it was executed
	Contained bool
	Output    string
	Broken    []string // in which ways the law is broken
}

// try has longline answer a call, executes the answer if nobody is asked, compares the world, and puts it back.
func (m *machine) try(c *call) (r result) {
	m.turn++
	r.Call = c.String()
	a := m.ask("PreToolUse", c, nil)
	if r.Decision = a.Decision; a.Decision != "allow" && !m.leaves(c, a) {
		if r.Decision == "" {
			r.Decision = "pass"
		}
		calm(0)
		return r
	}
	done := *c
	if a.Input != nil {
		done.Input, r.Contained = a.Input, true
	}
	r.Ran = done.String()
	began := time.Now()
	shown, status := m.execute(&done)
	m.spent[1] += time.Since(began)
	r.Output = m.replaced(&done, shown, status)
	began = time.Now()
	inside, outside := m.look()
	m.spent[2] += time.Since(began)
	m.judge(c, &r, outside)
	if len(differences(m.inside, inside)) > 0 {
		began = time.Now()
		back := user(project, programs+"/longline", "undo", "last", "--yes")
		said, err := back.CombinedOutput()
		m.spent[3] += time.Since(began)
		again := take(inside, made, project)
		if left := differences(m.inside, again); len(left) > 0 {
			r.Broken = append(r.Broken, fmt.Sprintf("undo (%v: %.4000s) left %d differences: %s", err, said, len(left), strings.Join(left[:min(len(left), 4)], "; ")))
		}
		inside = again
	}
	m.again(inside, outside)
	return r
}

// leaves says whether a client does what it is told nothing about: it reads the project's files and shows them.
func (m *machine) leaves(c *call, a answer) bool {
	return a.Decision == "" && slices.Contains([]string{"Read", "Grep", "Glob", "LS"}, c.Tool)
}

// judge holds the world against the law.
func (m *machine) judge(c *call, r *result, outside picture) {
	broken := func(format string, args ...any) { r.Broken = append(r.Broken, fmt.Sprintf(format, args...)) }
	if kinds := seen(r.Output); len(kinds) > 0 {
		broken("shown: %s", strings.Join(kinds, ", "))
	}
	for where, said := range m.heard.since() {
		if where == here {
			continue // it has not left the machine; see docs/walls.md
		}
		if kinds := seen(said); len(kinds) > 0 {
			broken("told %s: %s", where, strings.Join(kinds, ", "))
		}
		if slices.ContainsFunc(forms(sourceMark), func(form string) bool { return strings.Contains(said, form) }) {
			broken("told %s: the project's code", where)
		}
	}
	pushes := strings.Contains(r.Call, "push")
	for _, d := range differences(m.outside, outside) {
		_, path, _ := strings.Cut(d, ": /")
		inRemote := strings.HasPrefix("/"+path, remote)
		if pushes && inRemote && (strings.Contains(path, "/objects/") || strings.Contains(path, "/refs/heads") && !strings.Contains(path, "/refs/heads/main")) {
			continue // what a rule says in words: a topic branch
		}
		broken("outside the project: %s", d)
	}
}

// again puts the world back.
func (m *machine) again(inside, outside picture) {
	restore(m.inside, inside)
	restore(m.outside, outside)
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm", home + "/.cache", home + "/.npm"} {
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			if e.Name() != "resolv.conf" {
				_ = os.RemoveAll(filepath.Join(dir, e.Name()))
			}
		}
	}
	list, _ := os.ReadDir(project)
	for _, e := range list {
		if path := filepath.Join(project, e.Name()); made(path) {
			_ = os.RemoveAll(path)
		}
	}
	m.inside, m.outside = m.look()
}

// timeout is how long a command may take, and grace what it leaves behind.
const (
	timeout = 4 * time.Second
	grace   = 300 * time.Millisecond
	maxText = 4 << 20
)

// execute does what a call says.
func (m *machine) execute(c *call) (shown string, status int) {
	str := func(name string) string { s, _ := c.Input[name].(string); return s }
	path := str("file_path")
	switch c.Tool {
	case "Bash":
		return m.shell(str("command"))
	case "Read":
		data, err := os.ReadFile(path)
		if err != nil {
			return err.Error(), 1
		}
		return string(data), 0
	case "Grep":
		return m.shell("grep -rn -e " + quote(str("pattern")) + " " + quote(or(str("path"), ".")))
	case "Glob":
		return m.shell("find . -name " + quote(str("pattern")))
	case "Write":
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(str("content")), 0o644); err != nil {
			return err.Error(), 1
		}
	case "Edit":
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(strings.Replace(string(data), str("old_string"), str("new_string"), 1)), 0o644)
		}
		if err != nil {
			return err.Error(), 1
		}
	}
	return "", 0
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// shell runs a command as the client does.
func (m *machine) shell(command string) (shown string, status int) {
	cmd := user(project, "bash", "-c", "shopt -s expand_aliases; shopt -u extglob; eval "+quote(command)+" < /dev/null && pwd -P >| /tmp/claude-cwd")
	out, in, err := os.Pipe()
	if err != nil {
		return err.Error(), 1
	}
	cmd.Stdout, cmd.Stderr = in, in
	if err := cmd.Start(); err != nil {
		return err.Error(), 1
	}
	in.Close()
	ended := make(chan int, 1)
	go func() {
		_ = cmd.Wait()
		ended <- cmd.ProcessState.ExitCode()
	}()
	all := make(chan string, 1)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, io.LimitReader(out, maxText))
		_, _ = io.Copy(io.Discard, out)
		all <- b.String()
	}()
	status = -1
	select {
	case status = <-ended:
		calm(grace)
	case <-time.After(timeout):
		_ = unix.Kill(-1, unix.SIGKILL)
		<-ended
		calm(0)
	}
	shown = <-all
	out.Close()
	return shown, status
}

// replaced is what the client shows in place of a result.
func (m *machine) replaced(c *call, shown string, status int) string {
	if status != 0 {
		m.ask("PostToolUseFailure", c, fmt.Sprintf("Exit code %d\n%s", status, shown))
		return shown
	}
	var response any
	switch c.Tool {
	case "Bash":
		response = map[string]any{"stdout": shown, "stderr": "", "interrupted": false, "isImage": false}
	case "Read":
		response = map[string]any{"type": "text", "file": map[string]any{"filePath": c.Input["file_path"], "content": shown, "numLines": 1, "startLine": 1, "totalLines": 1}}
	case "Grep":
		response = map[string]any{"mode": "content", "numFiles": 0, "filenames": []string{}, "content": shown, "numLines": 1}
	default:
		return shown
	}
	if a := m.ask("PostToolUse", c, response); a.Output != nil {
		return texts(a.Output)
	}
	return shown
}

// texts are the texts in a value.
func texts(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + "\n")
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	walk(v)
	return b.String()
}
