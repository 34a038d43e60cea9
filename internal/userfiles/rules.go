package userfiles

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"longline/internal/config"
	"longline/internal/hook"
	"longline/internal/install"
	"longline/internal/schema"
	"longline/internal/screen"
	"longline/internal/wall"
)

// firstRules is a rules file for somebody who has none. It changes nothing; a line with a # and one blank is a remark, all other lines with a
// # are examples.
//
//go:embed firstrules.yaml
var firstRules []byte

// SchemaFile is the name of the schema beside the user's rules file, which the
// file names in its first line.
const SchemaFile = "rules.schema.json"

// RulesPath is where the user's rules are, or would be after init has recorded the
// user's places.
func (u *User) RulesPath() string {
	path := config.UserRules(hook.Options(u.Env, "", u.Dir, u.Project))
	if _, err := os.Lstat(path); path == "" || err == nil {
		return path
	}
	for _, line := range config.Movable(u.Env) {
		if dir, ok := strings.CutPrefix(line, "XDG_CONFIG_HOME="); ok {
			return filepath.Join(dir, "longline/rules.yaml")
		}
	}
	return path
}

// RulesChanges are what init writes of rules: a rules file where there is none,
// and the schema of this longline.
func (u *User) RulesChanges() ([]install.Change, error) {
	path := u.RulesPath()
	if path == "" {
		return nil, errors.New("no home directory for a rules file")
	}
	var text bytes.Buffer
	if err := screen.WriteJSON(&text, true, schema.Of("rules")); err != nil {
		return nil, err
	}
	changes := []install.Change{
		{Path: path, New: firstRules, Mode: 0o600},
		{Path: filepath.Join(filepath.Dir(path), SchemaFile), New: text.Bytes(), Mode: 0o600},
	}
	for i := range changes {
		c := &changes[i]
		var err error
		if c.Old, err = ReadFile(c.Path); err != nil {
			return nil, err
		}
		if c.Old != nil && i == 0 {
			c.New = c.Old // it is the user's
		}
	}
	return changes, nil
}

// WallsChange switches walls on in the user's rules, if one can be built here.
func (u *User) WallsChange() (install.Change, error) {
	c := install.Change{Path: u.RulesPath(), Mode: 0o600}
	if c.Path == "" {
		return c, errors.New("no home directory for a rules file")
	}
	engine := wall.Probe()
	if engine.Name == "" {
		return c, fmt.Errorf("walls cannot be built here: %s", engine.Why)
	}
	var err error
	if c.Old, err = ReadFile(c.Path); err != nil {
		return c, err
	}
	if c.Old == nil {
		c.New = []byte("version: 1\nwalls: on\n")
		return c, nil
	}
	var lines []string
	for line := range strings.Lines(string(c.Old)) {
		if strings.HasPrefix(line, "walls:") {
			if strings.TrimSpace(line) != "walls: off" && strings.TrimSpace(line) != "walls: false" {
				c.New = c.Old // it is the user's
				return c, nil
			}
			line = "walls: on\n"
		}
		lines = append(lines, line)
	}
	c.New = []byte(strings.Join(lines, ""))
	if !bytes.Contains(c.New, []byte("walls: on\n")) {
		for i, line := range lines {
			if strings.HasPrefix(line, "version:") {
				lines[i] = strings.TrimSuffix(line, "\n") + "\nwalls: on\n"
				c.New = []byte(strings.Join(lines, ""))
				return c, nil
			}
		}
		return c, fmt.Errorf("%s has no version; write \"walls: on\" into it yourself", c.Path)
	}
	return c, nil
}

// PlaceChanges records the places that variables of the person who runs init
// name: from then on they count, whether the variables are set or not, and other
// values do not.
func (u *User) PlaceChanges() ([]install.Change, error) {
	roots, _ := config.Where(u.Env, u.Dir, "")
	lines := config.Movable(u.Env)
	if roots.Home == "" || len(lines) == 0 {
		return nil, nil
	}
	c := install.Change{Path: filepath.Join(roots.Home, config.RecordFile), New: []byte(strings.Join(lines, "\n") + "\n"), Mode: 0o600}
	var err error
	c.Old, err = ReadFile(c.Path)
	return []install.Change{c}, err
}
