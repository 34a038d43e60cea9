package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/tool"
)

// checker holds what longline says of scripts against what a shell does.
type checker struct {
	*rig
	guard  guard.Guard
	always bool // every script counts as allowed; to test the checker itself
	count  struct{ scripts, quiet, runs int }
}

func newChecker(r *rig) (*checker, error) {
	packs, err := policy.BuiltinFile()
	if err != nil {
		return nil, err
	}
	set, _, err := policy.Merge(packs, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	return &checker{rig: r, guard: guard.Guard{Library: command.Builtin(), Policy: set}}, nil
}

// allows says whether longline lets a script run without a question, in a mode in
// which files of the project may be edited.
func (c *checker) allows(script string) bool {
	if c.always {
		return true
	}
	home, project := c.home(), c.project()
	v, _ := c.guard.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, &tool.World{
		Home: home, Project: project, User: "nobody",
		Getenv: func(name string) (string, bool) {
			if name == "HOME" {
				return home, true
			}
			return "", false
		},
		ReadFile: os.ReadFile,
		Readlink: func(path string) (string, error) {
			to, err := os.Readlink(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				err = tool.ErrNotLink
			}
			return to, err
		},
		Exists: func(path string) bool { _, err := os.Lstat(path); return err == nil },
		Entries: func(dir string) (list []tool.Entry, whole bool) {
			found, err := os.ReadDir(dir)
			for _, e := range found {
				list = append(list, tool.Entry{Name: e.Name(), Link: e.Type()&fs.ModeSymlink != 0})
			}
			return list, err == nil
		},
	})
	return v.Decision < tool.Ask
}

// harms says whether a call of rm reaches what it must not: anything in the home
// directory but a build directory of the project and what is below it.
func (c *checker) harms(calls []call) bool {
	for _, call := range calls {
		if call.argv[0] != "rm" {
			continue
		}
		for _, arg := range call.argv[1:] {
			if strings.HasPrefix(arg, "-") || arg == "" {
				continue
			}
			path := arg
			if !filepath.IsAbs(path) {
				path = call.dir + "/" + path // not cleaned: a link may be in it
			}
			path = resolve(path)
			below, inProject := strings.CutPrefix(path, c.project()+"/")
			inBuild := inProject && slices.Contains(strings.Split(below, "/"), "build")
			inHome := path == c.home() || strings.HasPrefix(path, c.home()+"/") || strings.HasPrefix(c.home(), strings.TrimSuffix(path, "/")+"/")
			if inHome && !inBuild {
				return true
			}
		}
	}
	return false
}

// resolve follows the links on the way to a path, but not one at its end, as rm does.
func resolve(path string) string {
	path = strings.TrimRight(path, "/")
	return tool.Follow(path, false, func(p string) (string, error) {
		to, err := os.Readlink(p)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", tool.ErrNotLink
		}
		return to, err
	})
}

// observed are the values that a script is asked for, as words of the shell.
var observed = []string{`$x`, `$y`, `$z`, `$v1`, `$n`, `${a[*]}`, `$#`, `$*`, `$PWD`, `$OLDPWD`, `$REPLY`, `$i`, `${#a[@]}`, `${m[a]}`, `${m[b]}`}

// probes are the ends that turn a wrong value into harm.
func probes(script string, values []string, dir, project string) []string {
	var list []string
	for i, v := range values {
		if len(v) > 300 || strings.ContainsRune(v, 0) {
			continue
		}
		test := script + "\nq=build; [ \"" + observed[i] + "\" = " + quote(v) + " ] && q=../docs\nrm -rf \"$q\""
		list = append(list, test)
		if strings.ContainsAny(v, "./*?[ ~") && i < 5 {
			list = append(list, script+"\nrm -rf \"build/"+observed[i]+"\"", script+"\nrm -rf build/"+observed[i])
		}
	}
	if dir != project {
		list = append(list, script+"\nrm -rf build", script+"\nrm -rf ./build/x")
	}
	return list
}

// finding is a script that longline allows and that does harm.
type finding struct {
	manner manner
	script string
}

// check tries one list of statements in one manner.
func (c *checker) check(m manner, list []string) (*finding, error) {
	script := strings.Join(list, "\n")
	c.count.scripts++
	if err := c.fresh(); err != nil {
		return nil, err
	}
	if !c.allows(script + "\nrm -rf build") {
		return nil, nil // it asks whatever follows
	}
	c.count.quiet++
	dump := script + "\ndump \"$?\""
	for _, o := range observed {
		dump += ` "` + o + `"`
	}
	c.count.runs++
	calls, err := c.run(m, dump)
	if err != nil {
		return nil, err
	}
	for _, call := range calls {
		if call.argv[0] != "dump" || len(call.argv) != len(observed)+2 {
			continue
		}
		if err := c.fresh(); err != nil {
			return nil, err
		}
		suspects := []string{}
		for _, p := range probes(script, call.argv[2:], call.dir, c.project()) {
			if c.allows(p) {
				suspects = append(suspects, p)
			}
		}
		if status := script + "\ns=$?; q=build; [ $s = " + quote(call.argv[1]) + " ] && q=../docs\nrm -rf \"$q\""; c.allows(status) {
			suspects = append(suspects, status)
		}
		for _, s := range suspects {
			c.count.runs++
			calls, err := c.run(m, s)
			if err != nil {
				return nil, err
			}
			if c.harms(calls) {
				return &finding{m, s}, nil
			}
		}
		break
	}
	return nil, nil
}

// shrink takes statements away as long as the rest still is a finding.
func (c *checker) shrink(f *finding, list []string) (*finding, error) {
	for i := 0; i < len(list); {
		rest := append(append([]string{}, list[:i]...), list[i+1:]...)
		smaller, err := c.check(f.manner, rest)
		if err != nil {
			return nil, err
		}
		if smaller == nil {
			i++
			continue
		}
		f, list = smaller, rest
	}
	return f, nil
}
