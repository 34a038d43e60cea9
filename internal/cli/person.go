package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"longline/internal/agent"
)

// agentMark returns the variable by which an agent shows itself, or "".
func agentMark(get func(string) (string, bool)) string {
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

// agentAncestor returns the name of the agent that this process descends from,
// or "". An error means that nobody knows.
func agentAncestor() (string, error) {
	look := fromPS
	if runtime.GOOS == "linux" {
		look = fromProc
	}
	return ancestor(os.Getppid(), look)
}

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
		switch base {
		case "node", "bun", "deno", "python", "python3", "uv", "npx":
		default:
			return names
		}
	}
	return names
}

// byPerson refuses what only a person may do. It returns false after having said
// why.
func (p *process) byPerson(what string) bool {
	check := p.person
	if check == nil {
		check = p.atTerminal
	}
	if err := check(); err != nil {
		p.errorf("%s: %v", what, err)
		p.hintf("only a person can do this: run it yourself, in your own terminal")
		return false
	}
	return true
}

// atTerminal says why whoever runs this is no person at a terminal, as far as
// that can be told. What an agent runs has the agent among its ancestors, or no
// terminal, or variables that the agent sets.
func (p *process) atTerminal() error {
	if !isTerminal(p.in) || !isTerminal(p.err) {
		return errors.New("refused: there is no terminal")
	}
	if name := agentMark(p.env.Get); name != "" {
		return fmt.Errorf("refused: an agent is running this ($%s is set)", name)
	}
	name, err := agentAncestor()
	if err != nil {
		return fmt.Errorf("refused: cannot find out who runs this: %w", err)
	}
	if name != "" {
		return fmt.Errorf("refused: it is run by %q", name)
	}
	return nil
}

// confirm asks a question. "y" and "yes" are yes; everything else is no.
func (p *process) confirm(question string) bool {
	fmt.Fprintf(p.err, "%s [y/N] ", question)
	line, _ := readLine(bufio.NewReader(p.in))
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}
