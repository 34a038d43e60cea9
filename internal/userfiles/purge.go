package userfiles

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/audit"
	"longline/internal/config"
)

// kept are the names of files that longline writes beside the user's rules.
var kept = [...]string{filepath.Base(config.RecordFile), SchemaFile}

// Written lists what longline has written for this user and is there. The log is the one
// that the rules name, or "".
func (u *User) Written(roots config.Roots, log string) []string {
	var list []string
	add := func(path string) {
		if _, err := os.Lstat(path); err == nil && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	for _, dir := range []string{roots.State, u.StateDir(), roots.Cache} {
		if filepath.Base(dir) == "longline" { // whatever somebody has recorded
			add(dir)
		}
	}
	for _, log := range []string{filepath.Join(roots.Home, config.UsualLog), log} {
		for _, file := range logFiles(log) {
			add(file)
		}
	}
	for _, dir := range roots.Config {
		for _, name := range kept {
			add(filepath.Join(dir, name))
		}
	}
	return list
}

// logFiles are a log, if it is a file, and those that were put away.
func logFiles(log string) (list []string) {
	if log == "" {
		return nil
	}
	if info, err := os.Lstat(log); err == nil && info.Mode().IsRegular() {
		list = append(list, log)
	}
	return append(list, (audit.Log{Path: log}).Put()...)
}

// Left lists the files beside the user's rules, and the rules themselves, that stay.
func (u *User) Left(roots config.Roots, own []string) []string {
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
