//go:build amd64 || arm64

package wall

import (
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"longline/internal/paths"
)

// spot is a name in a directory that is open, so that whatever is done there is done
// to this name in this directory.
type spot struct {
	dir  int
	name string
	path string // of both together, as seen from the wall
}

// locate finds the directory of a path as the program sees it. It says no where the
// kernel had better find its own words, or where the wall does without the supervisor.
func (q *question) locate(dirfd int32, name string) (spot, bool) {
	trimmed := strings.TrimRight(name, "/")
	if trimmed == "" {
		return spot{}, false
	}
	absolute := name[0] == '/'
	if absolute && q.elsewhere(trimmed) {
		return spot{}, false
	}
	dir, last := path.Split(trimmed)
	if last == "." || last == ".." {
		return spot{}, false
	}
	if dir == "" {
		dir = "."
	}
	fd, ok := q.directory(dirfd, dir)
	if !ok {
		return spot{}, false
	}
	at, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	if err != nil || at == "" || at[0] != '/' || strings.HasSuffix(at, " (deleted)") {
		return spot{}, false
	}
	return spot{fd, last, strings.TrimSuffix(at, "/") + "/" + last}, true
}

// elsewhere says whether a path by its words lies where the kernel grants everything
// that the wall leaves open. If the words mislead, the kernel refuses.
func (q *question) elsewhere(name string) bool {
	if strings.Contains(name, "/..") {
		return false
	}
	if paths.Within(name, "/dev") || paths.Within(name, "/proc") && !q.s.engine.namespaces || q.s.plan.Overlay.Path != "" && paths.Within(name, q.s.plan.Overlay.Path) {
		return true
	}
	for _, l := range q.s.plan.Layers {
		if l.Kind == Open && paths.Within(name, l.Path) && !q.s.plan.supervised(l.Path) {
			return true
		}
	}
	return false
}

// directory opens a directory as the program sees it.
func (q *question) directory(dirfd int32, name string) (int, bool) {
	const how = unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC
	proc := "/proc/" + strconv.Itoa(int(q.n.pid))
	inRoot := func(name string) (int, error) {
		root, err := q.keep(unix.Open(proc+"/root", how, 0))
		if err != nil {
			return -1, err
		}
		return q.keep(unix.Openat2(root, name, &unix.OpenHow{Flags: how, Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS}))
	}
	if name[0] == '/' {
		fd, err := inRoot(name)
		return fd, err == nil && q.alive()
	}
	var base int
	var err error
	if dirfd == unix.AT_FDCWD {
		base, err = q.keep(unix.Open(proc+"/cwd", how, 0))
	} else {
		base, err = q.descriptor(int(dirfd))
	}
	if err != nil {
		return -1, false
	}
	if name == "." {
		return base, q.alive()
	}
	fd, err := q.keep(unix.Openat2(base, name, &unix.OpenHow{Flags: how, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS}))
	if err == nil {
		return fd, q.alive()
	}
	if err != unix.EXDEV {
		return -1, false
	}
	// It leads out of the directory: go there from the root, if that is the way.
	at, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(base))
	if err != nil {
		return -1, false
	}
	again, err := inRoot(at)
	if err != nil || !sameFile(base, again) {
		return -1, false
	}
	fd, err = inRoot(at + "/" + name)
	return fd, err == nil && q.alive()
}

func sameFile(a, b int) bool {
	var x, y unix.Stat_t
	return unix.Fstat(a, &x) == nil && unix.Fstat(b, &y) == nil && x.Dev == y.Dev && x.Ino == y.Ino
}

// ours says whether a place is one where the supervisor acts for the program.
func (q *question) ours(name string) bool {
	p := q.s.plan
	if !q.s.engine.namespaces {
		if k := p.kindOf(name); k != Open && k != Fixed {
			return false
		}
	}
	for _, l := range p.Layers {
		if l.Kind == Open && paths.Within(name, l.Path) && p.supervised(l.Path) {
			return true
		}
	}
	return false
}

// fixed says whether a place is one that the wall is built on: in its own mount
// namespace the kernel would see that nothing is moved there, but the supervisor is
// not in there.
func (q *question) fixed(name string) bool {
	for _, l := range q.s.plan.Layers {
		if l.Path == name {
			return true
		}
	}
	return false
}

// guarded answers if nothing may come to be at a place, or be changed there.
func (q *question) guarded(at spot) bool {
	if !q.s.plan.guarded(at.path) {
		return false
	}
	q.refuse(unix.EACCES, "change "+q.s.plan.short(at.path), false)
	return true
}

// unmakable answers if nothing but a new directory may come to be at a place.
func (q *question) unmakable(at spot) bool {
	if q.guarded(at) {
		return true
	}
	if !q.s.plan.Leading(at.path) {
		return false
	}
	q.refuse(unix.EACCES, "make "+q.s.plan.short(at.path), false)
	return true
}

// short is a path as it is told.
func (p *Plan) short(name string) string {
	for _, project := range p.Projects {
		if paths.Within(name, project) && name != project {
			return name[len(project)+1:]
		}
	}
	return p.tilde(name)
}

// as makes a call with the mask and the rights of the program.
func (q *question) as(call func()) {
	st := q.who()
	old := unix.Umask(st.umask)
	defer unix.Umask(old)
	if uid, gid := os.Getuid(), os.Getgid(); uid == 0 && (st.fsuid != uid || st.fsgid != gid) {
		_ = unix.Setfsgid(st.fsgid)
		_ = unix.Setfsuid(st.fsuid)
		defer func() {
			_ = unix.Setfsuid(uid)
			_ = unix.Setfsgid(gid)
		}()
	}
	call()
}

// maxLinks is how many links the kernel follows.
const maxLinks = 40

// open opens a file for writing.
func (q *question) open() {
	name, ok := q.text(q.args[1])
	flags, mode := int(uint32(q.args[2])), uint32(q.args[3])
	dirfd := int32(q.args[0])
	if !ok || name == "" || flags&unix.O_PATH != 0 {
		q.pass()
		return
	}
	if flags&unix.O_TMPFILE == unix.O_TMPFILE {
		q.openNameless(dirfd, name, flags, mode)
		return
	}
	trailing := strings.HasSuffix(name, "/")
	for range maxLinks {
		if fd, own := ownDescriptor(name, int(q.n.pid), q.who().tgid); own {
			q.reopen(fd, flags)
			return
		}
		at, ok := q.locate(dirfd, q.ownProcess(name))
		if ok && q.s.engine.namespaces && paths.Within(at.path, "/proc") {
			q.openProc(at)
			return
		}
		if !ok || trailing || !q.ours(at.path) {
			q.pass()
			return
		}
		var st unix.Stat_t
		err := unix.Fstatat(at.dir, at.name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == nil && follows(&st, flags) {
			if name, ok = target(at); !ok {
				q.pass()
				return
			}
			trailing = strings.HasSuffix(name, "/")
			continue
		}
		q.openFound(at, &st, err == nil, flags, mode)
		return
	}
	q.fail(unix.ELOOP)
}

// openNameless opens a file without a name in a directory.
func (q *question) openNameless(dirfd int32, name string, flags int, mode uint32) {
	dir, ok := q.directory(dirfd, name+"/.")
	if !ok {
		q.pass()
		return
	}
	at, _ := os.Readlink("/proc/self/fd/" + strconv.Itoa(dir))
	if !q.ours(at + "/x") {
		q.pass()
		return
	}
	q.openAt(spot{dir, ".", at}, flags, mode)
}

// follows says whether what is opened is a link that the kernel would follow.
func follows(st *unix.Stat_t, flags int) bool {
	return st.Mode&unix.S_IFMT == unix.S_IFLNK && flags&unix.O_NOFOLLOW == 0 && flags&(unix.O_CREAT|unix.O_EXCL) != unix.O_CREAT|unix.O_EXCL
}

// target is where a link leads to, from the directory that it is in.
func target(at spot) (string, bool) {
	var to [unix.PathMax]byte
	n, err := unix.Readlinkat(at.dir, at.name, to[:])
	if err != nil || n == 0 {
		return "", false
	}
	if to[0] == '/' {
		return string(to[:n]), true
	}
	return strings.TrimSuffix(path.Dir(at.path), "/") + "/" + string(to[:n]), true
}

// openFound opens what is at a place, or makes it there.
func (q *question) openFound(at spot, st *unix.Stat_t, exists bool, flags int, mode uint32) {
	switch {
	case exists && q.guarded(at), !exists && q.unmakable(at):
	case exists && st.Mode&unix.S_IFMT == unix.S_IFIFO:
		q.later(func() { q.openAt(at, flags, mode) }) // it waits for the other end
	default:
		q.openAt(at, flags, mode)
	}
}

// ownProcess writes /proc/self with a number: here it would be the supervisor's.
func (q *question) ownProcess(name string) string {
	tgid := strconv.Itoa(q.who().tgid)
	if rest, ok := strings.CutPrefix(name, "/proc/self/"); ok {
		return "/proc/" + tgid + "/" + rest
	}
	if rest, ok := strings.CutPrefix(name, "/proc/thread-self/"); ok {
		return "/proc/" + tgid + "/task/" + strconv.Itoa(int(q.n.pid)) + "/" + rest
	}
	return name
}

// openProc judges a change of what the kernel keeps about a process: it must be one
// behind this wall. Who opened a file counts when ids are mapped, so that the program does
// it; by a race it may still reach how another process of the same user is dumped or ended
// when memory is short.
func (q *question) openProc(at spot) {
	number, _, _ := strings.Cut(strings.TrimPrefix(at.path, "/proc/"), "/")
	if pid, err := strconv.Atoi(number); err == nil && pid != q.who().tgid && !q.inside(pid) {
		q.refuse(unix.EACCES, "change process "+number, false)
		return
	}
	q.pass()
}

// reopen opens one of the program's own descriptors once more. The kernel looks at what it
// leads to, and would refuse a file of the project.
func (q *question) reopen(own, flags int) {
	fd, err := q.descriptor(own)
	if err != nil || !q.free(fd) {
		q.pass()
		return
	}
	again, err := unix.Open("/proc/self/fd/"+strconv.Itoa(fd), flags&^(unix.O_CREAT|unix.O_NOFOLLOW)|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		q.result(-1, err)
		return
	}
	q.give(again, flags&unix.O_CLOEXEC != 0)
	unix.Close(again)
}

func (q *question) openAt(at spot, flags int, mode uint32) {
	var fd int
	var err error
	do := func() {
		fd, err = unix.Openat(at.dir, at.name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NOCTTY, mode)
	}
	if flags&unix.O_CREAT != 0 || flags&unix.O_TMPFILE == unix.O_TMPFILE || os.Getuid() == 0 {
		q.as(do)
	} else {
		do()
	}
	if err != nil {
		q.result(-1, err)
		return
	}
	q.give(fd, flags&unix.O_CLOEXEC != 0)
	unix.Close(fd)
}

// create makes a directory, a link or something else that is not a file.
func (q *question) create() {
	dirfd, addr := int32(q.args[0]), q.args[1]
	if q.nr == unix.SYS_SYMLINKAT {
		dirfd, addr = int32(q.args[1]), q.args[2]
	}
	name, ok := q.text(addr)
	if !ok {
		q.pass()
		return
	}
	target := ""
	if q.nr == unix.SYS_SYMLINKAT {
		if target, ok = q.text(q.args[0]); !ok {
			q.pass()
			return
		}
	}
	at, ok := q.locate(dirfd, name)
	if !ok || !q.ours(at.path) || q.nr != unix.SYS_MKDIRAT && strings.HasSuffix(name, "/") {
		q.pass()
		return
	}
	if q.nr == unix.SYS_MKDIRAT && q.guarded(at) || q.nr != unix.SYS_MKDIRAT && q.unmakable(at) {
		return
	}
	q.as(func() {
		switch q.nr {
		case unix.SYS_MKDIRAT:
			q.result(0, unix.Mkdirat(at.dir, at.name, uint32(q.args[2])))
		case unix.SYS_SYMLINKAT:
			q.result(0, unix.Symlinkat(target, at.dir, at.name))
		default:
			mode := uint32(q.args[2])
			switch mode & unix.S_IFMT {
			case unix.S_IFREG, unix.S_IFIFO, unix.S_IFSOCK, 0:
				q.result(0, unix.Mknodat(at.dir, at.name, mode, 0))
			default:
				q.fail(unix.EPERM)
			}
		}
	})
}

// link gives a file another name.
func (q *question) link() {
	from, ok1 := q.text(q.args[1])
	to, ok2 := q.text(q.args[3])
	flags := int(q.args[4])
	if !ok1 || !ok2 {
		q.pass()
		return
	}
	at, ok := q.locate(int32(q.args[2]), to)
	if !ok || !q.ours(at.path) {
		q.pass()
		return
	}
	if q.unmakable(at) {
		return
	}
	var file int
	var err error
	if fd, own := ownDescriptor(from, int(q.n.pid), q.who().tgid); own && flags&unix.AT_SYMLINK_FOLLOW != 0 {
		if file, err = q.descriptor(fd); err == nil && !q.free(file) {
			err = unix.EXDEV
		}
	} else if from == "" && flags&unix.AT_EMPTY_PATH != 0 {
		q.fail(unix.ENOENT) // as for everybody without privileges
		return
	} else {
		src, ok := q.locate(int32(q.args[0]), from)
		if !ok || !q.ours(src.path) || q.s.plan.guarded(src.path) {
			q.fail(unix.EXDEV) // from outside of what can be written
			return
		}
		file, err = q.keep(unix.Openat(src.dir, src.name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0))
	}
	if err != nil {
		q.result(-1, err)
		return
	}
	q.as(func() {
		q.result(0, unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(file), at.dir, at.name, unix.AT_SYMLINK_FOLLOW))
	})
}

// free says whether an open file is one that the program could write by its name.
func (q *question) free(fd int) bool {
	name, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	name = strings.TrimSuffix(name, " (deleted)") // it never had a name
	return err == nil && q.ours(name) && q.s.plan.writable(name)
}

// ownDescriptor reads /proc/self/fd/N.
func ownDescriptor(name string, tid, tgid int) (fd int, ok bool) {
	if i := slices.Index([]string{"/dev/stdin", "/dev/stdout", "/dev/stderr"}, name); i >= 0 {
		return i, true
	}
	for _, prefix := range []string{"/proc/self/fd/", "/dev/fd/", "/proc/thread-self/fd/", "/proc/" + strconv.Itoa(tid) + "/fd/", "/proc/" + strconv.Itoa(tgid) + "/fd/"} {
		if rest, found := strings.CutPrefix(name, prefix); found {
			fd, err := strconv.Atoi(rest)
			return fd, err == nil && fd >= 0
		}
	}
	return 0, false
}

// rename moves something.
func (q *question) rename() {
	from, ok1 := q.text(q.args[1])
	to, ok2 := q.text(q.args[3])
	flags := uint(q.args[4])
	if !ok1 || !ok2 {
		q.pass()
		return
	}
	src, ok1 := q.locate(int32(q.args[0]), from)
	dst, ok2 := q.locate(int32(q.args[2]), to)
	if !ok1 && !ok2 {
		q.pass()
		return
	}
	if !ok1 || !ok2 || !q.ours(src.path) || !q.ours(dst.path) {
		// From one tree to another, which the kernel does not do either.
		if ok1 && q.ours(src.path) || ok2 && q.ours(dst.path) {
			q.fail(unix.EXDEV)
		} else {
			q.pass()
		}
		return
	}
	var st unix.Stat_t
	if err := unix.Fstatat(src.dir, src.name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		q.result(-1, err)
		return
	}
	if q.immovable(src, dst) || flags&unix.RENAME_EXCHANGE != 0 && q.immovable(dst, src) {
		return
	}
	if strings.HasSuffix(to, "/") && st.Mode&unix.S_IFMT != unix.S_IFDIR {
		q.fail(unix.ENOTDIR)
		return
	}
	q.as(func() { q.result(0, unix.Renameat2(src.dir, src.name, dst.dir, dst.name, flags)) })
}

// immovable answers if something may not be moved from one place to another.
func (q *question) immovable(src, dst spot) bool {
	p := q.s.plan
	for _, at := range []spot{src, dst} {
		if q.guarded(at) {
			return true
		}
		if q.fixed(at.path) {
			q.refuse(unix.EBUSY, "move "+p.short(at.path), false)
			return true
		}
	}
	if q.unmakable(dst) {
		return true
	}
	if p.loose(src.path) && !p.loose(dst.path) && isDir(src) {
		q.fail(unix.EXDEV) // names in it that are free here are guarded there; whoever copies it is asked about each
		return true
	}
	return false
}

func isDir(at spot) bool {
	var st unix.Stat_t
	return unix.Fstatat(at.dir, at.name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil || st.Mode&unix.S_IFMT == unix.S_IFDIR
}

// truncate cuts a file off.
func (q *question) truncate() {
	name, ok := q.text(q.args[0])
	if !ok {
		q.pass()
		return
	}
	at, ok := q.locate(unix.AT_FDCWD, name)
	if !ok || !q.ours(at.path) {
		q.pass()
		return
	}
	if q.guarded(at) {
		return
	}
	q.as(func() {
		fd, err := q.keep(unix.Openat(at.dir, at.name, unix.O_WRONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK, 0))
		if err == nil {
			err = unix.Ftruncate(fd, int64(q.args[1]))
		}
		q.result(0, err)
	})
}

// unlink removes something, where no mounts keep it from being removed.
func (q *question) unlink() {
	name, ok := q.text(q.args[1])
	if !ok {
		q.pass()
		return
	}
	at, ok := q.locate(int32(q.args[0]), name)
	if !ok || !q.ours(at.path) {
		q.pass()
		return
	}
	if q.guarded(at) {
		return
	}
	if q.fixed(at.path) {
		q.refuse(unix.EBUSY, "remove "+q.s.plan.short(at.path), false)
		return
	}
	q.as(func() { q.result(0, unix.Unlinkat(at.dir, at.name, int(q.args[2]))) })
}

// touch judges a change of what is known about a file, by its name or descriptor. The
// kernel does not hold this one, so that it is only asked where there are no mounts.
func (q *question) touch() {
	name, ok := q.touched()
	if k := q.s.plan.kindOf(name); ok && (k != Open && k != Fixed || q.s.plan.guarded(name)) {
		q.refuse(unix.EACCES, "change "+q.s.plan.short(name), false)
		return
	}
	q.pass()
}

// touched is the path of the file that a call is about.
func (q *question) touched() (string, bool) {
	dirfd, addr := int32(unix.AT_FDCWD), q.args[0]
	switch q.nr {
	case unix.SYS_FCHMOD, unix.SYS_FCHOWN, unix.SYS_FSETXATTR, unix.SYS_FREMOVEXATTR:
		dirfd, addr = int32(q.args[0]), 0
	case unix.SYS_FCHMODAT, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT:
		dirfd, addr = int32(q.args[0]), q.args[1]
	}
	name := ""
	if addr != 0 {
		var ok bool
		if name, ok = q.text(addr); !ok {
			return "", false
		}
	}
	if name == "" { // the descriptor itself
		fd, err := q.descriptor(int(dirfd))
		if err != nil {
			return "", false
		}
		path, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
		return path, err == nil && path[0] == '/' && !strings.HasSuffix(path, " (deleted)")
	}
	at, ok := q.locate(dirfd, name)
	return at.path, ok
}
