package cli

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"longline/internal/config"
	"longline/internal/hook"
	"longline/internal/install"
	"longline/internal/schema"
)

// firstRules is a rules file for somebody who has none. Nothing in it counts but
// its version; a line with a # and one blank is a remark, all other lines with a
// # are examples.
//
//go:embed firstrules.yaml
var firstRules []byte

// rulesPath is where the user's rules are, or would be.
func (p *process) rulesPath() (path string, there bool) {
	path = config.UserRules(hook.Options(p.env, "", p.here()))
	if path == "" {
		return "", false
	}
	_, err := os.Lstat(path)
	return path, err == nil
}

// firstFiles are the user's first rules file and, beside it, the schema that its
// first line names. A rules file that is there stays as it is.
func firstFiles(path string) ([]install.Change, error) {
	var text bytes.Buffer
	if err := writeJSON(&text, true, schema.Of("rules")); err != nil {
		return nil, err
	}
	changes := []install.Change{
		{Path: path, New: firstRules, Mode: 0o644},
		{Path: filepath.Join(filepath.Dir(path), "rules.schema.json"), New: text.Bytes(), Mode: 0o644},
	}
	for i := range changes {
		c := &changes[i]
		var err error
		if c.Old, err = readFile(c.Path); err != nil {
			return nil, err
		}
	}
	if changes[0].Old != nil {
		return nil, fmt.Errorf("%s is there already, and it is left as it is", path)
	}
	return changes, nil
}

// offerRules asks whether a first rules file is wanted, where there is none and
// somebody can be asked; else it says how to get one.
func (s *setup) offerRules() int {
	path, there := s.p.rulesPath()
	if path == "" || there {
		return exitOK
	}
	if s.yes || s.print || !isTerminal(s.p.in) {
		fmt.Fprintln(s.p.out, "there are no rules of your own yet; longline init --rules writes a first file with comments")
		return exitOK
	}
	changes, err := firstFiles(path)
	if err != nil {
		s.p.errorf("%v", err)
		return exitFailed
	}
	for _, c := range changes {
		fmt.Fprint(s.p.out, diff(c.Path, c.Old, c.New))
	}
	if !s.agreed("write this first rules file? it changes nothing until you edit it [y/N] ") {
		return exitOK
	}
	return s.writeAll(changes)
}
