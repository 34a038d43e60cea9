package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/audit"
	"longline/internal/config"
)

// kept are the names of files that longline writes beside the user's rules.
var kept = [...]string{filepath.Base(config.RecordFile), schemaFile}

// purge removes what longline has written for this user: state, compiled rules, the
// log, and its own files beside the rules. It says what it leaves.
func (s *setup) purge() int {
	p := s.p
	roots, _ := config.Where(p.env, p.here(), "")
	if roots.Home == "" {
		p.errorf("uninstall: there is no home directory to remove anything from")
		return exitFailed
	}
	own := s.written(roots)
	leaves := func() {
		for _, path := range s.left(roots, own) {
			fmt.Fprintf(p.out, "left: %s\n", path)
		}
		if exe, err := config.Sibling(); err == nil {
			name := filepath.Base(exe)
			fmt.Fprintf(p.out, "left: %s, %s-hook and %s-wall, which is how longline was installed\n", exe, name, name)
		}
	}
	if len(own) == 0 {
		fmt.Fprintln(p.out, "nothing to remove: longline has written nothing here")
		leaves()
		return exitOK
	}
	for _, path := range own {
		fmt.Fprintf(p.out, "remove: %s\n", path)
	}
	switch {
	case s.print:
		leaves()
		return exitOK
	case !s.yes && !(isTerminal(p.in) && p.confirm("Remove these? They cannot be brought back.")):
		p.errorf("nothing was removed")
		p.hintf("say yes, or run it again with --yes")
		return exitFailed
	}
	status := exitOK
	for _, path := range own {
		if err := os.RemoveAll(path); err != nil {
			p.errorf("uninstall: %v", err)
			status = exitFailed
			continue
		}
		// A directory that was made for this alone goes as well, if it is empty.
		if dir := filepath.Dir(path); filepath.Base(dir) == "longline" || filepath.Base(dir) == "hooks-logs" {
			_ = os.Remove(dir)
		}
	}
	leaves()
	return status
}

// written lists what longline has written for this user and is there.
func (s *setup) written(roots config.Roots) []string {
	// To read the rules may write their compiled form: what is there is looked at after.
	cfg, broken := s.p.load(place{})
	var list []string
	add := func(path string) {
		if _, err := os.Lstat(path); err == nil && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	for _, dir := range []string{roots.State, s.stateDir(), roots.Cache} {
		if filepath.Base(dir) == "longline" { // whatever somebody has recorded
			add(dir)
		}
	}
	logs := []string{filepath.Join(roots.Home, ".claude/hooks-logs/longline.jsonl")}
	if broken == nil {
		logs = append(logs, cfg.Log)
	}
	for _, log := range logs {
		if log == "" {
			continue
		}
		if info, err := os.Lstat(log); err == nil && info.Mode().IsRegular() {
			add(log)
		}
		for _, put := range (audit.Log{Path: log}).Put() {
			add(put)
		}
	}
	for _, dir := range roots.Config {
		for _, name := range kept {
			add(filepath.Join(dir, name))
		}
	}
	return list
}

// left lists the files beside the user's rules, and the rules themselves, that stay.
func (s *setup) left(roots config.Roots, own []string) []string {
	var list []string
	for _, dir := range roots.Config {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !e.IsDir() && !slices.Contains(own, path) {
				list = append(list, path+what(e.Name()))
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			list = append(list, dir+" ("+err.Error()+")")
		}
	}
	for _, dir := range roots.Claude {
		if path := filepath.Join(dir, "hooks.config.json"); exists(path) {
			list = append(list, path+what(filepath.Base(path)))
		}
	}
	return list
}

func what(name string) string {
	if name == "rules.yaml" || name == "hooks.config.json" || strings.HasSuffix(name, ".yaml") {
		return ", your rules"
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
