//go:build amd64 || arm64

package wall

import (
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

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
	if trimmed == "" || name[0] == '/' && q.elsewhere(trimmed) {
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
	at, ok := pathOf(fd)
	if !ok {
		return spot{}, false
	}
	return spot{fd, last, strings.TrimSuffix(at, "/") + "/" + last}, true
}

// pathOf is where a directory that is open lies; it may lie nowhere any more.
func pathOf(fd int) (string, bool) {
	at, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	return at, err == nil && strings.HasPrefix(at, "/") && !strings.HasSuffix(at, " (deleted)")
}

// elsewhere says whether a path by its words lies where the kernel grants everything
// that the wall leaves open. If the words mislead, the kernel refuses.
func (q *question) elsewhere(name string) bool {
	if strings.Contains(name, "/..") {
		return false
	}
	p := q.s.plan
	switch {
	case paths.Within(name, "/dev"):
		return true
	case paths.Within(name, "/proc") && !q.s.engine.namespaces:
		return true
	case p.Overlay.apart(name):
		return true
	}
	return within(name, p.free)
}

// pathOnly is how directories are opened that only lead somewhere.
const pathOnly = unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC

// directory opens a directory as the program sees it.
func (q *question) directory(dirfd int32, name string) (int, bool) {
	if name[0] == '/' {
		fd, err := q.inRoot(name)
		return fd, err == nil && q.alive()
	}
	base, err := q.base(dirfd)
	if err != nil {
		return -1, false
	}
	if name == "." {
		return base, q.alive()
	}
	fd, err := q.keep(unix.Openat2(base, name, &unix.OpenHow{Flags: pathOnly, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS}))
	switch err {
	case nil:
		return fd, q.alive()
	case unix.EXDEV:
		return q.outOf(base, name)
	}
	return -1, false
}

// inRoot opens a directory by its path from the program's root.
func (q *question) inRoot(name string) (int, error) {
	root, err := q.keep(unix.Open(q.proc()+"/root", pathOnly, 0))
	if err != nil {
		return -1, err
	}
	return q.keep(unix.Openat2(root, name, &unix.OpenHow{Flags: pathOnly, Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS}))
}

// base opens the directory that relative names begin at.
func (q *question) base(dirfd int32) (int, error) {
	if dirfd == unix.AT_FDCWD {
		return q.keep(unix.Open(q.proc()+"/cwd", pathOnly, 0))
	}
	return q.descriptor(int(dirfd))
}

// proc is where the kernel says about the thread that asks.
func (q *question) proc() string { return "/proc/" + strconv.Itoa(int(q.n.pid)) }

// outOf opens a directory to which a name leads out of another one: it goes there from the
// root, if that is the way.
func (q *question) outOf(base int, name string) (int, bool) {
	at, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(base))
	if err != nil {
		return -1, false
	}
	again, err := q.inRoot(at)
	if err != nil || !sameFile(base, again) {
		return -1, false
	}
	fd, err := q.inRoot(at + "/" + name)
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
	return within(name, p.held)
}

func within(name string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return paths.Within(name, dir) })
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
	if !q.s.plan.guarded(at.path) || isSample(at.path) {
		return false
	}
	q.note(Refusal{What: "change " + q.s.plan.short(at.path), Name: true})
	q.fail(unix.EACCES)
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

// as makes a call that makes something, with the mask and the rights of the program.
func (q *question) as(call func()) {
	old := unix.Umask(q.maker().umask)
	defer unix.Umask(old)
	q.by(call)
}

// by makes a call with the rights of the program, which are others than this process's where
// that may give up its own.
func (q *question) by(call func()) {
	if uid, gid := q.s.uid, q.s.gid; uid == 0 {
		if st := q.maker(); st.fsuid != uid || st.fsgid != gid {
			_ = unix.Setfsgid(st.fsgid)
			_ = unix.Setfsuid(st.fsuid)
			defer func() {
				_ = unix.Setfsuid(uid)
				_ = unix.Setfsgid(gid)
			}()
		}
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
	for range maxLinks {
		next, more := q.openOnce(dirfd, name, flags, mode)
		if !more {
			return
		}
		name = next
	}
	q.fail(unix.ELOOP)
}

// openOnce opens a file, and answers, unless the name is that of a link: then it says where
// that leads.
func (q *question) openOnce(dirfd int32, name string, flags int, mode uint32) (next string, more bool) {
	if strings.HasPrefix(name, "/proc/") || strings.HasPrefix(name, "/dev/") {
		if fd, own := ownDescriptor(name, int(q.n.pid), q.who().tgid); own {
			q.reopen(fd, flags)
			return "", false
		}
		name = q.ownProcess(name)
	}
	at, ok := q.locate(dirfd, name)
	switch {
	case ok && q.ownProc(at):
		q.openProc(at)
		return "", false
	case !ok || strings.HasSuffix(name, "/") || !q.ours(at.path):
		q.outside(at, ok)
		return "", false
	}
	var st unix.Stat_t
	if flags&(unix.O_CREAT|unix.O_EXCL) == unix.O_CREAT|unix.O_EXCL { // what is there fails
		q.openFound(at, &st, false, flags, mode)
		return "", false
	}
	err := unix.Fstatat(at.dir, at.name, &st, unix.AT_SYMLINK_NOFOLLOW)
	if err != nil || !follows(&st, flags) {
		q.openFound(at, &st, err == nil, flags, mode)
		return "", false
	}
	if next, more = target(at); !more {
		q.pass()
	}
	return next, more
}

// ownProc reports whether a place is in the wall's own /proc.
func (q *question) ownProc(at spot) bool {
	return q.s.engine.namespaces && paths.Within(at.path, "/proc")
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
	return st.Mode&unix.S_IFMT == unix.S_IFLNK && flags&unix.O_NOFOLLOW == 0
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
	case !exists && q.writeGitFile(at, flags):
	case exists && q.guarded(at), !exists && q.unmakable(at):
	case exists && st.Mode&unix.S_IFMT == unix.S_IFIFO:
		q.later(func() { q.openFifo(at, flags) })
	default:
		q.openAt(at, flags, mode)
	}
}

// openFifo opens a pipe for writing, and waits for the other end.
func (q *question) openFifo(at spot, flags int) {
	for flags&(unix.O_ACCMODE|unix.O_NONBLOCK) == unix.O_WRONLY {
		fd, err := unix.Openat(at.dir, at.name, flags|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		switch {
		case err == nil:
			_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags&unix.O_APPEND)
			q.give(fd, flags&unix.O_CLOEXEC != 0)
			unix.Close(fd)
			return
		case err != unix.ENXIO:
			q.result(-1, err)
			return
		}
		time.Sleep(5 * time.Millisecond)
		if !q.alive() || q.interrupted() {
			q.fail(restart)
			return
		}
	}
	q.openAt(at, flags, 0)
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
// leads to, and would refuse a file of the project, and a file or a terminal outside that the
// program may write to.
func (q *question) reopen(own, flags int) {
	fd, err := q.descriptor(own)
	if err != nil || !q.free(fd) && !writesTo(fd, flags) {
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

// writesTo says whether a descriptor of a file or a terminal gives every right that is asked for.
func writesTo(fd, flags int) bool {
	has, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	var st unix.Stat_t
	if err != nil || unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG && st.Mode&unix.S_IFMT != unix.S_IFCHR {
		return false
	}
	return has&unix.O_ACCMODE == unix.O_RDWR || has&unix.O_ACCMODE == unix.O_WRONLY && flags&unix.O_ACCMODE == unix.O_WRONLY
}

func (q *question) openAt(at spot, flags int, mode uint32) {
	var fd int
	var err error
	do := func() {
		fd, err = unix.Openat(at.dir, at.name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NOCTTY, mode)
	}
	if flags&unix.O_CREAT != 0 || flags&unix.O_TMPFILE == unix.O_TMPFILE {
		q.as(do)
	} else {
		q.by(do)
	}
	if err != nil {
		if err == unix.EROFS { // of a mount that lies in what can be written
			q.note(Refusal{What: "write " + q.s.plan.short(at.path)})
		}
		q.result(-1, err)
		return
	}
	q.give(fd, flags&unix.O_CLOEXEC != 0)
	unix.Close(fd)
}

// create makes a directory, a link or something else that is not a file.
func (q *question) create() {
	dirfd, addr, target, readable := int32(q.args[0]), q.args[1], "", true
	if q.nr == unix.SYS_SYMLINKAT {
		dirfd, addr = int32(q.args[1]), q.args[2]
		target, readable = q.text(q.args[0])
	}
	name, ok := q.text(addr)
	if !ok || !readable {
		q.pass()
		return
	}
	at, ok := q.locate(dirfd, name)
	if !ok || !q.ours(at.path) || q.nr != unix.SYS_MKDIRAT && strings.HasSuffix(name, "/") {
		if err := unix.Faccessat(at.dir, at.name, unix.F_OK, unix.AT_SYMLINK_NOFOLLOW); ok && err == nil { // it would be refused by anybody
			ok = false
		}
		q.outside(at, ok)
		return
	}
	if !q.uncreatable(at) {
		q.as(func() { q.createAt(at, target) })
	}
}

// uncreatable answers if the call may not make anything at a place.
func (q *question) uncreatable(at spot) bool {
	if q.nr == unix.SYS_MKDIRAT {
		return !strings.HasSuffix(at.path, "/.git/hooks") && q.guarded(at)
	}
	return q.unmakable(at)
}

// createAt makes at a place what the call says, and answers.
func (q *question) createAt(at spot, target string) {
	mode := uint32(q.args[2])
	switch q.nr {
	case unix.SYS_MKDIRAT:
		err := unix.Mkdirat(at.dir, at.name, mode)
		if err == nil && at.name == ".git" {
			q.s.made[at.path] = true
		}
		q.result(0, err)
		return
	case unix.SYS_SYMLINKAT:
		q.result(0, unix.Symlinkat(target, at.dir, at.name))
		return
	}
	switch mode & unix.S_IFMT {
	case unix.S_IFREG, unix.S_IFIFO, unix.S_IFSOCK, 0:
		q.result(0, unix.Mknodat(at.dir, at.name, mode, 0))
	default:
		q.fail(unix.EPERM)
	}
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
	file, err := q.linked(from, flags)
	if err != nil {
		q.result(-1, err)
		return
	}
	q.as(func() {
		q.result(0, unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(file), at.dir, at.name, unix.AT_SYMLINK_FOLLOW))
	})
}

// linked opens the file that gets another name. It must be one that can be written.
func (q *question) linked(from string, flags int) (file int, err error) {
	if fd, own := ownDescriptor(from, int(q.n.pid), q.who().tgid); own && flags&unix.AT_SYMLINK_FOLLOW != 0 {
		if file, err = q.descriptor(fd); err == nil && !q.free(file) {
			err = unix.EXDEV
		}
		return file, err
	}
	if from == "" && flags&unix.AT_EMPTY_PATH != 0 {
		return -1, unix.ENOENT // as for everybody without privileges
	}
	src, ok := q.locate(int32(q.args[0]), from)
	if !ok || !q.ours(src.path) || q.s.plan.guarded(src.path) {
		return -1, unix.EXDEV // from outside of what can be written
	}
	return q.keep(unix.Openat(src.dir, src.name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0))
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
	ok1, ok2 = ok1 && q.ours(src.path), ok2 && q.ours(dst.path)
	switch {
	case !ok1 && !ok2:
		q.pass()
		return
	case !ok1 || !ok2:
		q.fail(unix.EXDEV) // from one tree to another, which the kernel does not do either
		return
	}
	q.move(src, dst, strings.HasSuffix(to, "/"), flags)
}

// move moves something from one place to another, which may have to be a directory.
func (q *question) move(src, dst spot, directory bool, flags uint) {
	var st unix.Stat_t
	if err := unix.Fstatat(src.dir, src.name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		q.result(-1, err)
		return
	}
	if q.configure(src, dst, flags) || q.immovable(src, dst) || flags&unix.RENAME_EXCHANGE != 0 && q.immovable(dst, src) {
		return
	}
	if directory && st.Mode&unix.S_IFMT != unix.S_IFDIR {
		q.fail(unix.ENOTDIR)
		return
	}
	q.by(func() { q.result(0, unix.Renameat2(src.dir, src.name, dst.dir, dst.name, flags)) })
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
	q.by(func() { q.result(0, unix.Unlinkat(at.dir, at.name, int(q.args[2]))) })
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
