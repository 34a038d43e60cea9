//go:build amd64 || arm64

package wall

import (
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Git's settings and hooks are commands for later, and so behind a wall nobody changes them.
// Git itself writes to the same files what is harmless, when it makes a repository, a
// worktree or a branch: that is let through, and written by the supervisor, so that it is
// what was looked at.

// isSample says whether a file is one of the hooks that git brings and does not run.
func isSample(name string) bool {
	dir, file := path.Split(name)
	return strings.HasSuffix(dir, "/.git/hooks/") && strings.HasSuffix(file, ".sample")
}

// writeGitFile makes a file of a new worktree of which it is known what has to stand in it, and
// answers: what the program writes goes nowhere.
func (q *question) writeGitFile(at spot, flags int) bool {
	text := ""
	switch {
	case flags&unix.O_CREAT == 0:
	case at.name == ".git":
		text = q.s.plan.worktree(at.path)
	case at.name == "commondir" && strings.HasSuffix(path.Dir(path.Dir(at.path)), "/.git/worktrees"):
		text = "../..\n"
	}
	if text == "" {
		return false
	}
	var err error
	q.as(func() { err = writeNew(at, text, 0o666) })
	nowhere := -1
	if err == nil {
		nowhere, err = q.keep(unix.MemfdCreate("", unix.MFD_CLOEXEC))
	}
	if err != nil {
		q.result(-1, err)
	} else {
		q.give(nowhere, flags&unix.O_CLOEXEC != 0)
	}
	return true
}

func writeNew(at spot, text string, mode uint32) error {
	fd, err := unix.Openat(at.dir, at.name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, mode)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), at.name)
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}

// worktree is what stands in the file .git of a worktree whose repository is above it and knows
// of it; "" if there is none.
func (p *Plan) worktree(file string) string {
	for dir := path.Dir(file); p.inside(dir); dir = path.Dir(dir) {
		for _, name := range readNames(dir + "/.git/worktrees") {
			own := dir + "/.git/worktrees/" + name
			if text, ok := readSmall(unix.AT_FDCWD, own+"/gitdir"); ok && strings.TrimSpace(text) == file {
				return "gitdir: " + own + "\n"
			}
		}
	}
	return ""
}

// maxConfig is how large a file with settings is that is read.
const maxConfig = 64 << 10

// readSmall reads a file, if it is one and not large.
func readSmall(dir int, name string) (text string, ok bool) {
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err == unix.ENOENT
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	b, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	return string(b), err == nil && len(b) <= maxConfig
}

// configure puts settings in force that git has written beside the old ones, and answers, if all
// that differs is harmless.
func (q *question) configure(src, dst spot, flags uint) bool {
	if flags != 0 || src.name != "config.lock" || dst.name != "config" || path.Base(path.Dir(dst.path)) != ".git" || path.Dir(src.path) != path.Dir(dst.path) {
		return false
	}
	before, ok1 := readSmall(dst.dir, dst.name)
	after, ok2 := readSmall(src.dir, src.name)
	var st unix.Stat_t
	if !ok1 || !ok2 || unix.Fstatat(src.dir, src.name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil || !harmlessChange(before, after, q.s.made[path.Dir(dst.path)]) {
		return false
	}
	own := spot{dst.dir, "config.wall", ""}
	q.as(func() {
		err := writeNew(own, after, st.Mode&0o777)
		if err == nil {
			err = unix.Renameat(own.dir, own.name, dst.dir, dst.name)
		}
		_ = unix.Unlinkat(src.dir, src.name, 0)
		_ = unix.Unlinkat(own.dir, own.name, 0)
		q.result(0, err)
	})
	return true
}

// harmlessSettings can have any value, harmlessValues are harmless with this one. A star is the
// name of a branch or a remote. Where others are fetched from is harmless in a repository that
// was made behind this wall, where nobody expects anything of it.
var (
	harmlessSettings = strings.Fields("user.name user.email core.filemode core.ignorecase core.precomposeunicode core.symlinks " +
		"core.autocrlf core.eol core.safecrlf core.quotepath core.abbrev init.defaultbranch pull.rebase pull.ff merge.ff merge.conflictstyle gc.auto " +
		"branch.*.merge branch.*.rebase branch.*.description")
	harmlessIfNew  = strings.Fields("remote.*.url remote.*.fetch")
	harmlessValues = strings.Fields("core.repositoryformatversion=0 core.bare=false core.logallrefupdates=true commit.gpgsign=false tag.gpgsign=false branch.*.remote=origin branch.*.remote=.")
)

// setting is the name of one, as in [section "sub"] name.
type setting struct{ section, sub, name string }

func (s setting) String() string {
	if s.sub != "" {
		s.section += ".*"
	}
	return s.section + "." + s.name
}

// harmlessChange says whether settings differ by harmless ones only.
func harmlessChange(before, after string, isNew bool) bool {
	old, ok1 := settings(before)
	now, ok2 := settings(after)
	if !ok1 || !ok2 {
		return false
	}
	for _, list := range []map[setting][]string{old, now} {
		for s, values := range list {
			if !slices.Equal(old[s], now[s]) && slices.ContainsFunc(values, func(v string) bool { return !allowedSetting(s.String(), v, isNew) }) {
				return false
			}
		}
	}
	return true
}

func allowedSetting(name, value string, isNew bool) bool {
	return slices.Contains(harmlessSettings, name) || slices.Contains(harmlessValues, name+"="+value) ||
		isNew && slices.Contains(harmlessIfNew, name) && !strings.Contains(value, "::")
}

// settings reads settings of git. It says no if anything is written in another way than git
// writes plain ones.
func settings(text string) (map[setting][]string, bool) {
	all, at := map[setting][]string{}, setting{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		inner, isSection := strings.CutPrefix(line, "[")
		switch {
		case line == "":
			continue
		case strings.ContainsAny(line, "\\#;\r\x00") || !isSection && (at.section == "" || strings.Contains(line, `"`)):
			return nil, false
		case isSection:
			var ok bool
			if at, ok = readSection(inner); !ok {
				return nil, false
			}
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		if at.name = strings.ToLower(strings.TrimSpace(name)); !plain(at.name) {
			return nil, false
		}
		all[at] = append(all[at], strings.TrimSpace(value))
	}
	return all, true
}

// readSection reads section] or section "sub"].
func readSection(text string) (at setting, ok bool) {
	text, closed := strings.CutSuffix(text, "]")
	name, sub, named := strings.Cut(text, ` "`)
	sub, quoted := strings.CutSuffix(sub, `"`)
	return setting{section: strings.ToLower(name), sub: sub}, closed && plain(name) && named == quoted && (sub != "") == named && !strings.ContainsAny(sub, `"]`)
}

// plain says whether a name of a setting is one as git writes them.
func plain(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == ""
}
