package userfiles

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/config"
	"longline/internal/hook"
	"longline/internal/install"
	"longline/internal/rulesfile"
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

// RulesPath is where the user's rules are, or where a first file of them belongs.
func (u *User) RulesPath() string {
	return config.UserRules(hook.Options(u.Env, "", u.Dir, u.Project))
}

// plannedRules is RulesPath when init has recorded the user's places.
func (u *User) plannedRules() string {
	now, _ := config.Where(u.Env, u.Dir, u.Project)
	home, list := config.Movable(u.Env)
	if _, err := os.Lstat(u.RulesPath()); home == "" || home == now.Home && err == nil {
		return u.RulesPath()
	}
	for _, r := range list {
		if i := slices.IndexFunc(r.Lines, func(line string) bool { return strings.HasPrefix(line, "XDG_CONFIG_HOME=") }); i >= 0 && r.Home == home {
			return filepath.Join(strings.TrimPrefix(r.Lines[i], "XDG_CONFIG_HOME="), "longline/rules.yaml")
		}
	}
	return filepath.Join(home, ".config/longline/rules.yaml")
}

// RulesChanges are what init writes of rules: a rules file where there is none,
// and the schema of this longline.
func (u *User) RulesChanges() ([]install.Change, error) {
	path := u.plannedRules()
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
	if engine := wall.Probe(nil); engine.Name == "" {
		return install.Change{}, fmt.Errorf("walls cannot be built here: %s", engine.Why)
	}
	return u.ruleChange("walls: on", wallsOn)
}

// SandboxChange says in the user's rules where downloads belong. What they say about that already stays.
func (u *User) SandboxChange(dir string) (install.Change, error) {
	line := "sandbox: {dir: " + rulesfile.Quote(dir) + "}"
	if _, err := rulesfile.Parse("--sandbox", []byte("version: 1\n"+line+"\n"), nil); err != nil {
		return install.Change{}, err
	}
	return u.ruleChange(line, func(text string) (string, bool) {
		if strings.Contains("\n"+text, "\nsandbox:") {
			return text, true
		}
		return belowVersion(text, line)
	})
}

// ruleChange changes the user's rules, or makes a file with one line of them.
func (u *User) ruleChange(line string, change func(text string) (changed string, ok bool)) (install.Change, error) {
	c := install.Change{Path: u.plannedRules(), Mode: 0o600}
	if c.Path == "" {
		return c, errors.New("no home directory for a rules file")
	}
	var err error
	if c.Old, err = ReadFile(c.Path); err != nil {
		return c, err
	}
	if c.Old == nil {
		c.New = []byte("version: 1\n" + line + "\n")
		return c, nil
	}
	text, ok := change(string(c.Old))
	if c.New = []byte(text); !ok {
		return c, fmt.Errorf("%s has no version; write %q into it yourself", c.Path, line)
	}
	return c, nil
}

// belowVersion puts a line below the version of a rules file.
func belowVersion(text, line string) (changed string, ok bool) {
	lines := slices.Collect(strings.Lines(text))
	version := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "version:") })
	if version < 0 {
		return text, false
	}
	lines[version] = strings.TrimSuffix(lines[version], "\n") + "\n" + line + "\n"
	return strings.Join(lines, ""), true
}

// wallsOn switches walls on in the text of a rules file. What else the user has said about
// them stays. It needs a version to write below.
func wallsOn(text string) (changed string, ok bool) {
	lines := slices.Collect(strings.Lines(text))
	found := false
	for i, line := range lines {
		if !strings.HasPrefix(line, "walls:") {
			continue
		}
		if value := strings.TrimSpace(line); value != "walls: off" && value != "walls: false" {
			return text, true // it is the user's
		}
		lines[i], found = "walls: on\n", true
	}
	if found {
		return strings.Join(lines, ""), true
	}
	return belowVersion(text, "walls: on")
}

// PlaceChanges records the places that variables of the person who runs init
// name: from then on they count, whether the variables are set or not, and other
// values do not.
func (u *User) PlaceChanges() (changes []install.Change, err error) {
	_, list := config.Movable(u.Env)
	for _, r := range list {
		c := install.Change{Path: filepath.Join(r.Home, config.RecordFile), New: []byte(strings.Join(r.Lines, "\n") + "\n"), Mode: 0o600}
		if c.Old, err = ReadFile(c.Path); err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}
