package userfiles

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"longline/internal/disk"
	"longline/internal/install"
)

// Write makes one change to somebody's file: a copy of the old content first,
// then the new content in one step. A link stays a link; what it leads to changes.
func (u *User) Write(c install.Change) error {
	if _, err := u.Install(install.User); err != nil {
		return err // and nowhere to keep a copy
	}
	state := u.StateDir()
	if err := os.MkdirAll(state, 0o700); err != nil {
		return err
	}
	// Two that run at once take turns, and the second finds that the file is no
	// longer what it has shown.
	unlock, err := lockedfile.MutexAt(filepath.Join(state, "install.lock")).Lock()
	if err != nil {
		return err
	}
	defer unlock()
	if now, err := ReadFile(c.Path); err != nil {
		return err
	} else if !bytes.Equal(now, c.Old) || (now == nil) != (c.Old == nil) {
		return fmt.Errorf("%s has changed in the meantime; run it again", c.Path)
	}
	path, mode := c.Path, os.FileMode(c.Mode)
	if c.Old != nil {
		if path, mode, err = backup(c, state); err != nil {
			return err
		}
	}
	if c.New == nil {
		return os.Remove(path)
	}
	return replace(path, c.New, mode)
}

// backup keeps a copy of what is changed. It returns where that really is, and its mode.
func backup(c install.Change, state string) (path string, mode os.FileMode, err error) {
	if path, err = filepath.EvalSymlinks(c.Path); err != nil {
		return "", 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if mode = info.Mode().Perm(); mode&0o200 == 0 {
		return "", 0, fmt.Errorf("%s is read-only", path)
	}
	name := time.Now().UTC().Format("20060102T150405.000000000") + strings.NewReplacer("/", "%", `\`, "%", ":", "%").Replace(path)
	return path, mode, writeNew(filepath.Join(state, "backups"), name, c.Old, 0o600)
}

// StateDir is where copies of changed files are kept.
func (u *User) StateDir() string {
	dir, _ := u.Env.Get("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(u.home(), ".local", "state")
	}
	return filepath.Join(dir, "longline")
}

func writeNew(dir, name string, text []byte, mode os.FileMode) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), text, mode)
}

// replace puts a file in the place of another so that at every moment there is
// one of the two, whole.
func replace(path string, text []byte, mode os.FileMode) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".longline-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone by then, if all went well
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return disk.Rename(f.Name(), path)
}

// Diff shows a change in the form that everybody knows. Changes here are one
// piece of text in one place, so what is common before and after is left out.
func Diff(path string, old, text []byte) string {
	a, b := splitLines(old), splitLines(text)
	before, after := common(a, b)
	const context = 3
	from := max(before-context, 0)
	keep := min(after, context)
	var out strings.Builder
	print := func(mark string, lines []string) { printLines(&out, mark, lines) }
	fmt.Fprintf(&out, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", nameIn(path, old), nameIn(path, text),
		min(from+1, len(a)), len(a)-after+keep-from, min(from+1, len(b)), len(b)-after+keep-from)
	print(" ", a[from:before])
	print("-", a[before:len(a)-after])
	added := b[before : len(b)-after]
	if old == nil && len(added) > longFile {
		// A file that longline makes up is not read to the end by anybody.
		print("+", added[:longFile/10])
		fmt.Fprintf(&out, "+… and %d lines more\n", len(added)-longFile/10)
		return out.String()
	}
	print("+", added)
	print(" ", a[len(a)-after:len(a)-after+keep])
	return out.String()
}

// common is how many lines two texts have in common at the beginning and at the end.
func common(a, b []string) (before, after int) {
	for before < len(a) && before < len(b) && a[before] == b[before] {
		before++
	}
	for after < len(a)-before && after < len(b)-before && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	return before, after
}

// nameIn is how a diff names a file, which may not be there.
func nameIn(path string, text []byte) string {
	if text == nil {
		return "/dev/null"
	}
	return path
}

// printLines prints lines with a mark in front of each.
func printLines(out *strings.Builder, mark string, lines []string) {
	for _, l := range lines {
		out.WriteString(mark + strings.TrimRight(l, "\r\n") + "\n")
		if !strings.HasSuffix(l, "\n") {
			out.WriteString("\\ No newline at end of file\n")
		}
	}
}

// longFile is how many lines of a new file are shown.
const longFile = 200

// splitLines keeps the line ends.
func splitLines(text []byte) []string {
	var lines []string
	for line := range strings.Lines(string(text)) {
		lines = append(lines, line)
	}
	return lines
}
