// Package person says whether a person runs this process or an agent does, as far
// as that can be told: by the variables that agents set, and by the ancestors.
package person

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"longline/internal/agent"
)

// AgentMark returns the variable by which an agent shows itself, or "".
func AgentMark(get func(string) (string, bool)) string {
	for _, name := range agent.Marks() {
		if value, ok := get(name); ok && value != "" && value != "0" {
			return name
		}
	}
	return ""
}

// running is what the system tells about one process.
type running struct {
	parent int
	names  []string // of the program, and of what an interpreter runs
}

// AgentAncestor returns the name of the agent that this process descends from,
// or "". An error means that nobody knows.
func AgentAncestor() (string, error) {
	if runtime.GOOS == "linux" {
		look = fromProc
	}
	return ancestor(os.Getppid(), look)
}

// look says what a process is.
var look = fromPS

func ancestor(pid int, look func(pid int) (running, error)) (string, error) {
	for range 64 {
		if pid <= 1 {
			return "", nil
		}
		p, err := look(pid)
		if err != nil {
			return "", err
		}
		for _, name := range p.names {
			if slices.Contains(agent.Programs(), name) {
				return name, nil
			}
		}
		pid = p.parent
	}
	return "", nil
}

func fromProc(pid int) (running, error) {
	dir := "/proc/" + strconv.Itoa(pid)
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return running{}, err
	}
	var p running
	// The name is in parentheses and may hold any character; the state and the
	// parent follow the last one.
	text := string(stat)
	open, shut := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return p, nil
	}
	if f := strings.Fields(text[shut+1:]); len(f) > 1 {
		p.parent, _ = strconv.Atoi(f[1])
	}
	p.names = []string{text[open+1 : shut]}
	if line, err := os.ReadFile(dir + "/cmdline"); err == nil {
		p.names = append(p.names, programs(strings.Split(string(line), "\x00"))...)
	}
	return p, nil
}

func fromPS(pid int) (running, error) {
	out, err := exec.Command("/bin/ps", "-o", "ppid=,args=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return running{}, err
	}
	words := strings.Fields(string(out))
	var p running
	if len(words) > 0 {
		p.parent, _ = strconv.Atoi(words[0])
		p.names = programs(words[1:])
	}
	return p, nil
}

// interprets says whether a program runs another that its command line names.
func interprets(name string) bool {
	return slices.Contains([]string{"node", "bun", "deno", "python", "python3", "uv", "npx"}, name)
}

// programs returns the names that the first words of a command line stand for:
// the program and, if that is an interpreter, what it runs. A part of a path
// counts too, because agents are often packages: .../codex/bin/cli.js.
func programs(words []string) []string {
	var names []string
	for i, w := range words {
		if i > 3 {
			break
		}
		if strings.HasPrefix(w, "-") || w == "" {
			continue
		}
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(w), ".js"), ".mjs")
		names = append(names, base)
		if _, module, ok := strings.Cut(w, "node_modules/"); ok {
			names = append(names, strings.Split(module, "/")...)
		}
		if i > 0 {
			break // what follows are arguments
		}
		if !interprets(base) {
			return names
		}
	}
	return names
}
