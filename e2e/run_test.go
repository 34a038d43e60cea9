//go:build linux

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"longline/internal/agent"
	"longline/internal/tool"
)

// This test binary plays three parts: the tests; the first process inside the
// namespaces, which plays the model and starts the client; and a hook whose
// verdict is given, so that what a client makes of each answer can be tried
// without a policy that happens to give it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "inside":
			os.Exit(inside(os.Args[2]))
		case "hook":
			os.Exit(givenVerdict(os.Args[2], os.Args[3]))
		}
	}
	// The clients spend most of their time waiting, some of them in vain.
	flag.Parse()
	if err := flag.Set("test.parallel", "3"); err != nil {
		panic(err)
	}
	var err error
	if scratch, err = os.MkdirTemp("", "longline-e2e-"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(scratch)
	os.Exit(status)
}

// scratch is where the program under test is built.
var scratch string

// plan is what the process inside the namespaces is to do.
type plan struct {
	Area  string // the one writable directory; holds home, project and tmp
	Argv  []string
	Env   []string
	Calls []toolCall
	// Helper are the calls of a subagent whose task has helperMark in it.
	Helper []toolCall
	// Marks are words in Calls that stand for what an expression, or its first group,
	// finds in what the client tells the model.
	Marks map[string]string
	// Keys are what a person types. With them the program runs in a terminal.
	Keys []key
	// Port stands for the model's port in Argv, Env, Calls and Files. The
	// directory "served" of the area can be fetched from it.
	Files map[string]string // absolute path -> content
	Limit time.Duration
}

const portMark = "@PORT@"

// report is what came of it.
type report struct {
	Output   string // of the client
	Status   int
	TimedOut bool
	Requests []string // what the model was sent
	Seconds  float64
}

func inside(file string) int {
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, "e2e: inside:", err)
		return 1
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return fail(err)
	}
	var p plan
	if err := json.Unmarshal(data, &p); err != nil {
		return fail(err)
	}
	if err := confine(p.Area); err != nil {
		return fail(err)
	}
	// The proof that confinement holds comes before anything runs.
	if err := os.WriteFile(filepath.Join(filepath.Dir(p.Area), "outside"), nil, 0o644); err == nil {
		return fail(errors.New("a file outside the area could be written"))
	}
	helped, finish := context.WithTimeout(context.Background(), time.Minute)
	defer finish()
	m := &model{calls: p.Calls, helper: p.Helper, marks: marks(p.Marks), helped: helped, finish: finish, served: http.FileServer(http.Dir(p.Area))}
	addr, err := m.serve()
	if err != nil {
		return fail(err)
	}
	_, port, _ := strings.Cut(addr, ":")
	put := func(s string) string { return strings.ReplaceAll(s, portMark, port) }
	for _, call := range slices.Concat(p.Calls, p.Helper) {
		for name, value := range call.Args {
			switch value := value.(type) {
			case string:
				call.Args[name] = put(value)
			case []any:
				for i := range value {
					if text, ok := value[i].(string); ok {
						value[i] = put(text)
					}
				}
			}
		}
	}
	for name, text := range p.Files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fail(err)
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		if err := os.WriteFile(name, []byte(put(text)), mode); err != nil {
			return fail(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.Limit)
	defer cancel()
	for i := range p.Argv {
		p.Argv[i] = put(p.Argv[i])
	}
	cmd := exec.CommandContext(ctx, p.Argv[0], p.Argv[1:]...)
	cmd.Dir = filepath.Join(p.Area, "project")
	for _, e := range p.Env {
		cmd.Env = append(cmd.Env, put(e))
	}
	cmd.WaitDelay = 2 * time.Second
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	began := time.Now()
	var r report
	if p.Keys != nil {
		r.Output, err = inTerminal(ctx, cmd, p.Keys)
	} else {
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		err = cmd.Run()
		r.Output = out.String()
	}
	r.TimedOut, r.Seconds = ctx.Err() != nil, time.Since(began).Seconds()
	if cmd.ProcessState == nil {
		return fail(err)
	}
	r.Status = cmd.ProcessState.ExitCode()
	m.mu.Lock()
	r.Requests = m.requests
	m.mu.Unlock()
	data, err = json.Marshal(r)
	if err != nil {
		return fail(err)
	}
	if err := os.WriteFile(filepath.Join(p.Area, "report.json"), data, 0o644); err != nil {
		return fail(err)
	}
	return 0
}

// do carries out a plan in namespaces of its own.
func do(t *testing.T, p plan) report {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(p.Area, "plan.json")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "inside", file)
	confined(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		if errors.Is(err, syscall.EPERM) {
			t.Skip("this kernel gives no namespaces, and without them an allowed command would not be confined")
		}
		t.Fatalf("%v\n%s", err, out)
	}
	data, err = os.ReadFile(filepath.Join(p.Area, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if r.TimedOut {
		t.Errorf("the client was still running after %v", p.Limit)
	}
	return r
}

// modelSaw says whether any request to the model contained the text.
func (r *report) modelSaw(text string) bool {
	quoted, _ := json.Marshal(text)
	for _, q := range r.Requests {
		if strings.Contains(q, string(quoted[1:len(quoted)-1])) {
			return true
		}
	}
	return false
}

// givenVerdict is a hook that speaks an agent's dialect through longline's own
// adapter and gives the verdict that it finds in a file about every tool.
func givenVerdict(name, file string) int {
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, "e2e: hook:", err)
		return 2
	}
	a := agent.Find(name)
	data, err := os.ReadFile(file)
	if err != nil || a == nil {
		return fail(fmt.Errorf("agent %q: %w", name, err))
	}
	var v tool.Verdict
	if err := json.Unmarshal(data, &v); err != nil {
		return fail(err)
	}
	stdin, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fail(err)
	}
	req, err := a.Decode(stdin, os.LookupEnv)
	if err != nil {
		return fail(err)
	}
	if req.Kind == agent.Prompt || req.Kind == agent.Instructions {
		v = tool.Verdict{Decision: tool.Pass} // the verdict is about the tool
	}
	answer := a.Encode(req, v)
	// What was said is kept, so that a failing test can show it.
	note := fmt.Sprintf("%s\n%s%s(%d)\n", bytes.TrimSpace(stdin), answer.Stdout, answer.Stderr, answer.Status)
	log, err := os.OpenFile(filepath.Join(filepath.Dir(file), "hook.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, _ = log.WriteString(note)
		log.Close()
	}
	os.Stderr.Write(answer.Stderr)
	os.Stdout.Write(answer.Stdout)
	return answer.Status
}
