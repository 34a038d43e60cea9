package veil

import (
	"strings"

	"longline/internal/language"
)

// Printed takes in the secrets of files that a text says it shows: as a difference (git log -p), or behind the name of the file
// (git grep, grep -r). What git has of a file that is gone nobody finds otherwise.
func (s *Secrets) Printed(text string, isSecret func(path string) bool) {
	if !strings.Contains(text, "diff --") && !strings.Contains(text, ":") {
		return
	}
	parts := map[string]*strings.Builder{}
	var order []string
	add := func(name, line string) {
		if parts[name] == nil {
			parts[name] = &strings.Builder{}
			order = append(order, name)
		}
		parts[name].WriteString(line + "\n")
	}
	asked := map[string]bool{}
	secret := func(path string) bool {
		is, known := asked[path]
		if !known && len(asked) < maxNames {
			is = isSecret(path)
			asked[path] = is
		}
		return is
	}
	in := ""                                 // the file of the difference
	if strings.Contains(text, `\ndiff --`) { // it is quoted
		text = strings.ReplaceAll(text, `\n`, "\n")
	}
	if line, _, _ := strings.Cut(text[max(strings.Index(text, "diff --"), 0):], "\n"); strings.Contains(line, " @@ ") {
		text = strings.ReplaceAll(text, " ", "\n") // a shell made one line of it
		text = strings.ReplaceAll(text, "diff\n--git\na/", "diff --git a/")
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		bare := uncoloured(line)
		switch {
		case strings.HasPrefix(bare, "diff --") || strings.HasPrefix(bare, "commit "):
			in = ""
			for word := range strings.FieldsSeq(bare) {
				if _, path, ok := strings.Cut(word, "/"); ok && secret(path) {
					in = path
				}
			}
		case in != "":
			add(in, changed(bare))
		default:
			if name, rest, ok := named(bare); ok && secret(name) {
				add(name, rest)
			}
		}
	}
	for _, name := range order {
		s.File(name, []byte(parts[name].String()))
	}
}

// Assigned takes in values that a text gives to variables named like secrets, one a line: what a dotenv file looks like that comes out of
// an archive, a container or another machine.
func (s *Secrets) Assigned(text string) {
	if !strings.Contains(text, "=") {
		return
	}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(changed(uncoloured(line))), "=")
		name = name[strings.LastIndexAny(name, " \t\x00:")+1:] // behind export, the file or who wrote the line (git grep, git blame), or the head of a file in an archive
		if !ok || name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" || !language.SecretName(name) || openName(name) {
			continue
		}
		if q := strings.Trim(value, `"'`); !strings.ContainsAny(q, " \t()") {
			s.add(name, "", q, false)
		}
	}
}

// maxNames bounds how many names are asked about.
const maxNames = 1000

// changed is a line of a difference without the signs of what happened to it.
func changed(line string) string {
	line = strings.TrimLeft(line, "+- >@|\t")
	for _, sign := range [...]string{"{+", "[-", "+}", "-]"} {
		line = strings.ReplaceAll(line, sign, "")
	}
	return line
}

// named is the name of a file that a line begins with, behind a revision perhaps, and what stands behind it and the line's number.
func named(line string) (name, rest string, ok bool) {
	for at := 0; at < 3; at++ {
		before, after, found := strings.Cut(line, ":")
		if !found || before == "" || len(before) > 200 || strings.ContainsAny(before, " \t\"'=") {
			return name, line, name != ""
		}
		if name != "" && strings.Trim(before, "0123456789") != "" && !strings.ContainsAny(before, "./") {
			return name, line, true
		}
		if strings.ContainsAny(before, "./") {
			name = before
		}
		line = after
	}
	return name, line, name != ""
}

// uncoloured is a line without the escapes for colours.
func uncoloured(line string) string {
	if !strings.Contains(line, "\x1b[") {
		return line
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(line, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		line = strings.TrimLeft(after, "0123456789;")
		if line != "" {
			line = line[1:]
		}
	}
}
