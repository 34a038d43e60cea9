//go:build linux

package law

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// source returns what writes the calls.
func source(seed uint64) (func(int) *call, error) {
	if name := os.Getenv(fileVar); name != "" {
		return fromFile(name)
	}
	w, err := newWriter()
	if err != nil {
		return nil, err
	}
	return func(i int) *call {
		w.r = rand.New(rand.NewPCG(seed, uint64(i)))
		return w.call()
	}, nil
}

// fromFile are the calls of a file.
func fromFile(name string) (func(int) *call, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []call
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one struct{ Command, Mode string }
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, err
		}
		all = append(all, call{Tool: "Bash", Mode: or(one.Mode, "default"), Input: map[string]any{"command": one.Command}})
	}
	return func(i int) *call {
		if i >= len(all) {
			return nil
		}
		return &all[i]
	}, lines.Err()
}

// writer writes calls.
type writer struct {
	r        *rand.Rand
	sections map[string][]string
}

// newWriter reads the sections, and the commands that the models and the decisions speak of.
func newWriter() (*writer, error) {
	w := &writer{sections: map[string][]string{}}
	data, err := os.ReadFile("testdata/calls.txt")
	if err != nil {
		return nil, err
	}
	section, whole := "", ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if whole != "" || strings.Contains(line, "<<EOT") || strings.Contains(line, "<<'EOT'") || strings.Contains(line, "<< EOT") {
			whole += line + "\n" // one call of several lines
			if line == "EOT" {
				w.sections[section], whole = append(w.sections[section], strings.TrimSuffix(whole, "\n")), ""
			}
			continue
		}
		switch {
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = line[1 : len(line)-1]
		case line != "" && !strings.HasPrefix(line, "# "):
			w.sections[section] = append(w.sections[section], line)
		}
	}
	for _, from := range []struct{ files, pattern string }{
		{"../command/models/*.yaml", `(?m)^- \{run: (?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^"'\n]*?)), does:`},
		{"../guard/testdata/decisions/*.yaml", `(?m)command: (?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^"'\n]*?)), expected:`},
	} {
		names, err := filepath.Glob(from.files)
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("%s: %d files, %v", from.files, len(names), err)
		}
		expression := regexp.MustCompile(from.pattern)
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			for _, m := range expression.FindAllStringSubmatch(string(data), -1) {
				text := m[3] + strings.ReplaceAll(m[2], "''", "'")
				if m[1] != "" && json.Unmarshal([]byte(`"`+m[1]+`"`), &text) != nil {
					continue
				}
				w.sections["seed"] = append(w.sections["seed"], text)
			}
		}
	}
	return w, nil
}

var slot = regexp.MustCompile(`<[a-z]+>`)

// of is one of the lines of a section, with what it names.
func (w *writer) of(section string, depth int) string {
	lines := w.sections[section]
	line := lines[w.r.IntN(len(lines))]
	if section == "seed" {
		return w.changed(line)
	}
	return slot.ReplaceAllStringFunc(line, func(s string) string {
		name := s[1 : len(s)-1]
		switch {
		case w.sections[name] == nil:
			return s
		case depth > 12:
			return "README.md"
		}
		return w.of(name, depth+1)
	})
}

var (
	word = regexp.MustCompile(`[^\s'"|&;<>()$` + "`" + `]+`)
	path = regexp.MustCompile(`[/.]`)
)

// changed is a command as it stands or with some of its words replaced by others: places, or words of another command.
func (w *writer) changed(line string) string {
	if w.r.IntN(3) == 0 {
		return line
	}
	first := true
	return word.ReplaceAllStringFunc(line, func(s string) string {
		if first {
			first = false
			return s
		}
		switch n := w.r.IntN(10); {
		case path.MatchString(s) && n < 5:
			return w.of("place", 1)
		case n == 0:
			return w.of("place", 1)
		case n == 1:
			other := word.FindAllString(w.sections["seed"][w.r.IntN(len(w.sections["seed"]))], -1)
			if len(other) > 0 {
				return other[w.r.IntN(len(other))]
			}
		case n == 2:
			return s + " " + w.of("flag", 1)
		}
		return s
	})
}

var modes = []string{"default", "default", "acceptEdits", "auto", "bypassPermissions"}

// call writes one.
func (w *writer) call() *call {
	c := &call{Tool: "Bash", Mode: modes[w.r.IntN(len(modes))]}
	unquoted := func(section string) string {
		s := strings.NewReplacer(`"`, "", "'", "", "$HOME", home, "$PWD", project, "~", home).Replace(w.of(section, 0))
		if !filepath.IsAbs(s) {
			s = filepath.Join(project, s)
		}
		return s
	}
	switch w.r.IntN(40) {
	case 0:
		c.Tool, c.Input = "Read", map[string]any{"file_path": unquoted("place")}
	case 1:
		c.Tool, c.Input = "Write", map[string]any{"file_path": unquoted("write"), "content": w.of("call", 0)}
	case 2:
		c.Tool, c.Input = "Edit", map[string]any{"file_path": unquoted("place"), "old_string": "a", "new_string": w.of("text", 0), "replace_all": false}
	case 3:
		c.Tool, c.Input = "Grep", map[string]any{"pattern": []string{".", "PASSWORD", "KEY", "secret", "="}[w.r.IntN(5)], "path": unquoted("place"), "output_mode": "content"}
	default:
		c.Input = map[string]any{"command": w.of("call", 0)}
	}
	return c
}
