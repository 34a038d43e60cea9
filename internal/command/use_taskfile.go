package command

import (
	"strings"

	"longline/internal/tool"
)

// taskfile reads a task of a Taskfile.yml and those that it depends on. Of YAML
// it reads what such files are made of: mappings and lists by indentation, plain
// and quoted text in one line, and blocks behind a bar.
func (r *reader) taskfile(name string, span tool.Span) {
	text, ok := r.definition("Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml")
	if !ok || r.rehearses() {
		return
	}
	seen := map[string]bool{}
	for queue := []string{name}; len(queue) > 0 && len(seen) < maxRecipes; queue = queue[1:] {
		if seen[queue[0]] {
			continue
		}
		seen[queue[0]] = true
		for _, step := range taskSteps(text, queue[0]) {
			if step.task {
				queue = append(queue, step.text)
			} else {
				r.recipe(unknownBraces(step.text), "sh", span)
			}
		}
	}
}

// taskStep is a command of a task, or the name of a task that it runs.
type taskStep struct {
	text string
	task bool
}

// taskSteps lists the steps of one task.
func taskSteps(text, name string) []taskStep {
	var steps []taskStep
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	tasks, task, section := -1, -1, "" // indentation of "tasks:" entries and of the task's keys
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		depth := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, mapped := cutYAML(line)
		switch {
		case depth == 0:
			tasks, task = -1, -1
			if key == "tasks" {
				tasks = 0
			}
			continue
		case tasks < 0:
			continue
		case tasks == 0 || depth == tasks:
			tasks, task, section = depth, -1, "cmds"
			if mapped && key == name {
				task = 0
				if value != "" { // name: command
					steps = append(steps, taskStep{text: value})
				}
			}
			continue
		case task < 0:
			continue
		}
		item, listed := strings.CutPrefix(line, "- ")
		if task == 0 {
			task = depth
		}
		if depth <= task && !listed {
			section = key
		} else if depth <= task && task == depth && section == "" {
			section = "cmds"
		}
		if section != "cmds" && section != "cmd" && section != "deps" {
			continue
		}
		if listed {
			key, value, mapped = cutYAML(strings.TrimSpace(item))
			if !mapped {
				value = unquoteYAML(strings.TrimSpace(item))
			}
		}
		switch {
		case mapped && (key == "cmds" || key == "deps") && strings.HasPrefix(value, "["):
			for _, w := range strings.Split(strings.Trim(value, "[]"), ",") {
				steps = append(steps, taskStep{text: unquoteYAML(strings.TrimSpace(w)), task: key == "deps"})
			}
		case mapped && key == "task":
			steps = append(steps, taskStep{text: value, task: true})
		case mapped && key != "cmd" && key != "defer" && depth > task && !listed:
			// silent, vars and other settings of a step
		case mapped && (key == "cmds" || key == "deps"):
		case value == "|" || value == "|-" || value == "|+" || value == ">" || value == ">-":
			var block []string
			for i+1 < len(lines) {
				next := lines[i+1]
				if strings.TrimSpace(next) != "" && len(next)-len(strings.TrimLeft(next, " ")) <= depth {
					break
				}
				block = append(block, strings.TrimSpace(next))
				i++
			}
			separator := "\n"
			if value[0] == '>' {
				separator = " "
			}
			steps = append(steps, taskStep{text: strings.Join(block, separator)})
		case listed && !mapped:
			steps = append(steps, taskStep{text: value, task: section == "deps"})
		case mapped && (key == "cmd" || key == "defer"):
			steps = append(steps, taskStep{text: value})
		case listed && mapped: // a command with a colon in it
			steps = append(steps, taskStep{text: unquoteYAML(strings.TrimSpace(item)), task: section == "deps"})
		}
	}
	return steps
}

// cutYAML takes "key: value" apart.
func cutYAML(line string) (key, value string, ok bool) {
	line = strings.TrimSpace(line)
	if line != "" && (line[0] == '"' || line[0] == '\'') {
		end := strings.IndexByte(line[1:], line[0])
		if end < 0 || !strings.HasPrefix(line[end+2:], ":") {
			return "", "", false
		}
		return line[1 : end+1], unquoteYAML(strings.TrimSpace(line[end+3:])), true
	}
	if key, ok = strings.CutSuffix(line, ":"); ok && !strings.Contains(key, ": ") {
		return key, "", true
	}
	key, value, ok = strings.Cut(line, ": ")
	if strings.ContainsAny(key, " \t{[") {
		return "", "", false
	}
	return key, unquoteYAML(strings.TrimSpace(value)), ok
}

func unquoteYAML(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		if s[0] == '\'' {
			return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
		}
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s[1 : len(s)-1])
	}
	return s
}

// makefileToml reads a task of cargo-make, and those that it depends on.
func (r *reader) makefileToml(name string, span tool.Span) {
	text, ok := r.definition("Makefile.toml")
	if !ok {
		return
	}
	seen := map[string]bool{}
	for queue := []string{name}; len(queue) > 0 && len(seen) < maxRecipes; queue = queue[1:] {
		if seen[queue[0]] {
			continue
		}
		seen[queue[0]] = true
		queue = append(queue, r.cargoMakeTask(text, queue[0], span)...)
	}
}

// cargoMakeTask adds the commands of one task and returns the tasks that it needs.
func (r *reader) cargoMakeTask(text, name string, span tool.Span) (needs []string) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	in, command, args := false, "", ""
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			head := strings.NewReplacer(`"`, "", "'", "", " ", "").Replace(line)
			in = head == "[tasks."+name+"]"
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !in || !ok {
			continue
		}
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		// A value may go on over several lines.
		for strings.HasPrefix(value, "[") && !strings.HasSuffix(value, "]") && i+1 < len(lines) {
			i++
			value += " " + strings.TrimSpace(lines[i])
		}
		for _, quotes := range []string{`"""`, "'''"} {
			for strings.HasPrefix(value, quotes) && (len(value) < 6 || !strings.HasSuffix(value, quotes)) && i+1 < len(lines) {
				i++
				value += "\n" + lines[i]
			}
		}
		switch key {
		case "command":
			command = unquoteYAML(value)
		case "args":
			for _, a := range tomlStrings(value) {
				args += " " + quoteShell(a)
			}
		case "script":
			if list := tomlStrings(value); strings.HasPrefix(value, "[") {
				r.recipe(strings.Join(list, "\n"), "sh", span)
			} else {
				r.recipe(strings.Trim(value, `"'`), "sh", span)
			}
		case "run_task", "extend", "alias":
			needs = append(needs, unquoteYAML(value))
		case "dependencies":
			needs = append(needs, tomlStrings(value)...)
		}
	}
	if command != "" {
		r.recipe(quoteShell(command)+args, "sh", span)
	}
	return needs
}

// tomlStrings lists the quoted texts of a value.
func tomlStrings(value string) []string {
	var list []string
	for value != "" {
		start := strings.IndexAny(value, `"'`)
		if start < 0 {
			break
		}
		end := strings.IndexByte(value[start+1:], value[start])
		if end < 0 {
			break
		}
		list = append(list, value[start+1:start+1+end])
		value = value[start+end+2:]
	}
	return list
}

// quoteShell writes a word so that a shell reads it as it is, but for the
// variables in it, which cargo-make fills in.
func quoteShell(s string) string {
	if strings.Contains(s, "${") {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
