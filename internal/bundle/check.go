package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/guard"
	"longline/internal/modelfile"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Fits reports whether this version of longline may use the bundle. A build
// without a version is a developer's and newer than all.
func (b *Bundle) Fits(version string) error {
	if b.Longline != "" && versionForm(version) && CompareVersions(version, b.Longline) < 0 {
		return fmt.Errorf("it needs longline %s or newer, and this is %s", b.Longline, version)
	}
	return nil
}

// Expired reports whether the bundle has expired.
func (b *Bundle) Expired(now time.Time) error {
	if !now.Before(b.NotAfter) {
		return fmt.Errorf("it expired on %s", stamp(b.NotAfter))
	}
	return nil
}

// Failure is a test or an example that does not hold.
type Failure struct {
	ID, Source, Command, Wanted, Got string
}

// Test runs the tests of the bundle and the examples of its models: under the built-in
// rules and its own, on a machine with nothing on it, so that they come out the same
// everywhere.
func (b *Bundle) Test() (total int, failed []Failure, err error) {
	packs, err := policy.BuiltinFile()
	if err != nil {
		return 0, nil, err
	}
	file := *b.Rules
	file.Bundled = true
	set, _, err := policy.Merge(packs, nil, nil, []*policy.File{&file})
	if err != nil {
		return 0, nil, err
	}
	library := command.Builtin()
	if b.models != "" {
		library = library.Extended(command.Open(b.models), "")
	}
	g := guard.Guard{Library: library, Policy: set, Limit: config.Limit}
	for _, t := range b.Tests {
		total++
		at := g
		if t.Safety != 0 {
			at.Policy = set.At(t.Safety)
		}
		dir := t.Dir
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(nowhere.Project, dir)
		}
		v, _ := at.Judge(tool.Call{Agent: "test", Tool: "Bash", Dir: dir, Script: t.Command, Shell: true, Edits: t.Edits, Attended: true}, nowhere)
		if !holds(t, v) {
			failed = append(failed, Failure{t.ID, t.Source, t.Command, decided(t.Decision, t.Rule), decided(v.Decision, v.Rule)})
		}
	}
	for _, e := range b.Examples {
		total++
		if got := modelfile.Run(library, e); got != e.Does {
			failed = append(failed, Failure{"example", e.Pos, e.Run, e.Does, got})
		}
	}
	return total, failed, nil
}

func holds(t policy.Test, v tool.Verdict) bool {
	if v.Decision != t.Decision {
		return false
	}
	ok := t.Rule == "" || t.Rule == v.Rule
	for _, f := range v.Findings {
		ok = ok || f.Rule == t.Rule && f.Decision == v.Decision
	}
	return ok
}

func decided(d tool.Decision, rule string) string {
	if rule == "" {
		return d.String()
	}
	return d.String() + " by " + rule
}

// nowhere is a machine with nothing on it.
var nowhere = &tool.World{
	Home: "/home/dev", Project: "/home/dev/proj", User: "dev",
	Guard:    []string{"/home/dev/.config/longline", "/etc/longline", "/usr/local/bin/longline"},
	Log:      "/home/dev/" + config.UsualLog,
	Getenv:   func(name string) (string, bool) { return "/home/dev", name == "HOME" },
	ReadFile: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
	Readlink: func(string) (string, error) { return "", fs.ErrNotExist },
	Exists:   func(string) bool { return false },
}

// Tested is Test as one error.
func (b *Bundle) Tested() error {
	total, failed, err := b.Test()
	switch {
	case err != nil:
		return fmt.Errorf("its rules contradict each other: %w", err)
	case len(failed) > 0:
		f := failed[0]
		return fmt.Errorf("%d of its %d tests fail; the first is %s %s: wanted %s, got %s", len(failed), total, f.Source, f.ID, f.Wanted, f.Got)
	case total == 0:
		return errors.New("it has no tests")
	}
	return nil
}

// Accept makes every check that a bundle must pass before a machine takes it: the
// signature, the form, the name, the time, this longline, and its own tests.
func Accept(data, signature []byte, keys []Key, name, version string, now time.Time) (*Bundle, Signed, error) {
	signed, err := Verify(data, signature, keys)
	if err != nil {
		return nil, signed, err
	}
	b, err := Read(data)
	if err != nil {
		return nil, signed, err
	}
	if name != "" && b.Name != name {
		return nil, signed, fmt.Errorf("it is the bundle %q, and %q is wanted", b.Name, name)
	}
	for _, check := range []func() error{
		func() error { return b.Expired(now) },
		func() error { return b.Fits(version) },
		b.Tested,
	} {
		if err := check(); err != nil {
			return nil, signed, err
		}
	}
	return b, signed, nil
}

var _ config.BundleParser = Parse
