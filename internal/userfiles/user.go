// Package userfiles works out and makes the changes to a user's files that
// subcommands propose: settings of agents, rules, what longline has written itself.
package userfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/config"
	"longline/internal/install"
)

// User is whose files they are.
type User struct {
	Env     config.Env
	Dir     string // the working directory
	Project string // the project that was named, or ""
}

func (u *User) home() string {
	home, _ := u.Env.Get("HOME")
	return home
}

// Install is where agents' settings are looked for.
func (u *User) Install(scope install.Scope) (install.Place, error) {
	home := u.home()
	if u.Dir == "" || !filepath.IsAbs(home) {
		return install.Place{}, errors.New("the home or working directory is unknown")
	}
	return install.Place{Scope: scope, Home: filepath.ToSlash(home), Project: filepath.ToSlash(u.Dir), Getenv: func(name string) string {
		v, _ := u.Env.Get(name)
		return v
	}}, nil
}

// HookProgram is what agents are to start: the small program for the hook, if it
// stands beside longline, else longline.
func HookProgram(longline string) string {
	if small := config.Beside(longline, "-hook"); strings.HasSuffix(small, "longline-hook"+filepath.Ext(longline)) && config.Runnable(small) {
		return filepath.ToSlash(small)
	}
	return filepath.ToSlash(longline)
}

// Found lists the agents on this machine that have settings at a place.
func (u *User) Found(place install.Place) []string {
	path, _ := u.Env.Get("PATH")
	onPath := func(program string) bool {
		return slices.ContainsFunc(filepath.SplitList(path), func(dir string) bool {
			_, err := exec.LookPath(filepath.Join(dir, program))
			return filepath.IsAbs(dir) && err == nil
		})
	}
	exists := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	return slices.DeleteFunc(install.Found(place.Home, exists, onPath), func(agent string) bool {
		_, err := install.Paths(agent, place)
		return err != nil
	})
}

// ReadFile returns nil for a file that does not exist.
func ReadFile(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("%s is a link to a file that does not exist", path)
		}
		return nil, nil
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}
