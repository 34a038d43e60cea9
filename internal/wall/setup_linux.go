//go:build amd64 || arm64

package wall

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"longline/internal/paths"
	"longline/internal/wall/limit"
)

// engine is one way to make a wall.
type engine struct {
	namespaces bool
	landlock   int // version of its interface; 0 if there is none
}

// Rights of Landlock. Only those that make or change something are handled by the
// namespaces' wall: where they are not given the supervisor has to do it.
const (
	llExecute    = 1 << 0
	llWriteFile  = 1 << 1
	llReadFile   = 1 << 2
	llReadDir    = 1 << 3
	llRemoveDir  = 1 << 4
	llRemoveFile = 1 << 5
	llMakeChar   = 1 << 6
	llMakeDir    = 1 << 7
	llMakeReg    = 1 << 8
	llMakeSock   = 1 << 9
	llMakeFifo   = 1 << 10
	llMakeBlock  = 1 << 11
	llMakeSym    = 1 << 12
	llRefer      = 1 << 13 // version 2
	llTruncate   = 1 << 14 // version 3

	llMaking = llWriteFile | llMakeChar | llMakeDir | llMakeReg | llMakeSock | llMakeFifo | llMakeBlock | llMakeSym | llRefer | llTruncate
	llFile   = llExecute | llWriteFile | llReadFile | llTruncate // what can be said of a file

	llScopes = 1<<0 | 1<<1 // abstract sockets, signals: version 6
)

func landlockVersion() int {
	v, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 {
		return 0
	}
	return int(v)
}

func (e engine) handled() uint64 {
	rights := uint64(llMaking)
	if !e.namespaces {
		rights |= llExecute | llReadFile | llReadDir | llRemoveDir | llRemoveFile
	}
	if e.landlock < 2 {
		rights &^= llRefer
	}
	if e.landlock < 3 {
		rights &^= llTruncate
	}
	return rights
}

const keptDevices = "null zero full random urandom tty"

// What hides secrets lies in the wall's own /dev.
const hiddenFile, hiddenDir, emptyFile = "/dev/.hidden", "/dev/.hidden-dir", "/dev/.empty"

// overHome is where an overlay of the home directory is while caches are taken from it.
const overHome = "/dev/.home"

// cloneTree is how a tree of mounts is taken.
const cloneTree = unix.OPEN_TREE_CLONE | unix.OPEN_TREE_CLOEXEC

// mounter adds the steps that make the mount namespace.
type mounter struct {
	*steps
	p     *Plan
	next  register // the first that holds nothing
	trees []takenTree
}

// takenTree is a layer that can be written, taken before everything becomes read-only.
type takenTree struct {
	Layer
	at register
}

// tree takes a tree, and gives the register that holds it.
func (m *mounter) tree(path string, flags int) register {
	r := m.next
	m.next++
	m.add(unix.SYS_OPEN_TREE, unix.AT_FDCWD, path, cloneTree|flags).into(r)
	return r
}

// attach puts a tree somewhere.
func (m *mounter) attach(r register, path string) *step {
	return m.add(unix.SYS_MOVE_MOUNT, r, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// restrict gives attributes to a tree that is held.
func (m *mounter) restrict(r register, set uint64) {
	m.add(unix.SYS_MOUNT_SETATTR, r, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, m.attr(set), attrSize)
}

// attr is what SYS_MOUNT_SETATTR is told.
func (m *mounter) attr(set uint64) unsafe.Pointer {
	a := &unix.MountAttr{Attr_set: set}
	m.keep = append(m.keep, a)
	return unsafe.Pointer(a)
}

const attrSize = int(unsafe.Sizeof(unix.MountAttr{}))

// mounts puts the list of layers into the mount namespace.
func (s *steps) mounts(p *Plan) {
	m := &mounter{steps: s, p: p, next: register(regTmp)}
	s.say("make the mounts private")
	s.add(unix.SYS_MOUNT, 0, "/", 0, unix.MS_REC|unix.MS_PRIVATE, 0)

	// The trees that can be written are taken before everything becomes read-only.
	s.say("take the tree of processes")
	proc := m.tree("/proc", unix.AT_RECURSIVE)
	for _, l := range p.Layers {
		if l.Kind == Open {
			s.say("take " + l.Path)
			m.trees = append(m.trees, takenTree{l, m.tree(l.Path, unix.AT_RECURSIVE)})
		}
	}
	var devices []register
	s.say("take the devices")
	for name := range strings.FieldsSeq(keptDevices) {
		devices = append(devices, m.tree("/dev/"+name, 0))
	}

	s.say("make everything read-only")
	s.add(unix.SYS_MOUNT_SETATTR, unix.AT_FDCWD, "/", unix.AT_RECURSIVE, m.attr(unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID), attrSize)
	m.devices(devices)

	s.say("attach the tree of processes")
	m.attach(proc, "/proc")
	s.add(unix.SYS_CLOSE, proc)
	m.closeProc()

	// What lies in an overlay comes on top of it, and what is hidden on top of everything.
	hidden := func(l Layer) bool { return l.Kind == Hidden || l.Kind == Empty }
	m.layers(func(l Layer) bool { return !hidden(l) && !p.Overlay.apart(l.Path) })
	m.overlay()
	m.layers(func(l Layer) bool { return !hidden(l) && p.Overlay.apart(l.Path) })
	m.layers(hidden)
}

// devices makes a /dev of the wall's own, with the devices that were taken and what hides
// secrets.
func (m *mounter) devices(taken []register) {
	m.say("make a private /dev")
	m.add(unix.SYS_MOUNT, "tmpfs", "/dev", "tmpfs", unix.MS_NOSUID|unix.MS_NOEXEC, "mode=755,size=64k")
	for i, name := range strings.Fields(keptDevices) {
		f := m.next
		m.add(unix.SYS_OPENAT, unix.AT_FDCWD, "/dev/"+name, unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, 0o666).into(f)
		m.add(unix.SYS_CLOSE, f)
		m.attach(taken[i], "/dev/"+name)
		m.add(unix.SYS_CLOSE, taken[i])
	}
	for _, dir := range []string{"/dev/pts", "/dev/shm", overHome} {
		m.add(unix.SYS_MKDIRAT, unix.AT_FDCWD, dir, 0o755)
	}
	m.add(unix.SYS_MOUNT, "devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
	m.add(unix.SYS_MOUNT, "tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777")
	for name, to := range map[string]string{"ptmx": "pts/ptmx", "fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"} {
		m.add(unix.SYS_SYMLINKAT, to, unix.AT_FDCWD, "/dev/"+name)
	}
	// What hides secrets: a file and a directory that nobody may open, and a file
	// with nothing in it.
	m.say("make what hides secrets")
	for name, mode := range map[string]int{hiddenFile: 0, emptyFile: 0o444} {
		m.add(unix.SYS_OPENAT, unix.AT_FDCWD, name, unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, mode).into(m.next)
		m.add(unix.SYS_CLOSE, m.next)
	}
	m.add(unix.SYS_MKDIRAT, unix.AT_FDCWD, hiddenDir, 0)
	m.say("make /dev read-only")
	m.add(unix.SYS_MOUNT_SETATTR, unix.AT_FDCWD, "/dev", 0, m.attr(unix.MOUNT_ATTR_RDONLY), attrSize)
}

// closeProc closes what in /proc is the machine's and not a process's.
func (m *mounter) closeProc() {
	for _, name := range []string{"sys", "sysrq-trigger", "irq", "bus", "acpi", "fs", "scsi", "asound", "driver", "mtrr", "latency_stats", "timer_list"} {
		path := "/proc/" + name
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		m.say("close " + path)
		r := m.tree(path, unix.AT_RECURSIVE)
		m.restrict(r, unix.MOUNT_ATTR_RDONLY)
		m.attach(r, path)
		m.add(unix.SYS_CLOSE, r)
		m.next--
	}
}

// layers puts the wall around some of the layers.
func (m *mounter) layers(which func(Layer) bool) {
	for _, l := range m.p.Layers {
		if which(l) {
			m.layer(l)
		}
	}
}

// overlay puts the project's own caches over the user's.
func (m *mounter) overlay() {
	o := &m.p.Overlay
	if o.Paths == nil {
		return
	}
	// Old kernels, and some file systems, have no overlays for everybody; then the
	// caches stay read-only.
	if o.part != "" && !strings.ContainsAny(strings.Join(o.Paths, "")+o.part, ",:\\") {
		var taken []string
		for _, path := range o.Paths {
			if o.whole != "" && paths.Within(path, o.whole) {
				taken = append(taken, path)
			} else {
				m.put(path, path, inPart(o.part, path)).orElse(goOn)
			}
		}
		if taken != nil {
			m.takeFromWhole(o, taken)
		}
	}
	// Who could put a link there would choose what the next wall writes to.
	m.say("cover " + o.Private)
	m.mask(hiddenDir, o.Private, giveUp)
}

// takeFromWhole takes caches from one overlay and leaves out the ones of their own, if there can
// be one: to make one takes most of a millisecond.
func (m *mounter) takeFromWhole(o *Overlay, list []string) {
	m.put(o.whole, overHome, inPart(o.part, o.whole)).orSkip(3*len(list) + 2)
	for _, path := range list {
		m.add(unix.SYS_OPEN_TREE, unix.AT_FDCWD, overHome+strings.TrimPrefix(path, o.whole), cloneTree).into(m.next).orSkip(2)
		m.attach(m.next, path).orElse(goOn)
		m.add(unix.SYS_CLOSE, m.next)
	}
	m.add(unix.SYS_UMOUNT2, overHome, unix.MNT_DETACH).orElse(goOn)
	m.add(unix.SYS_CLOSE, -1).orSkip(len(list)) // which always fails
	for _, path := range list {
		m.put(path, path, inPart(o.part, path)).orElse(goOn)
	}
}

// put puts an overlay of a directory somewhere.
func (m *mounter) put(path, at, own string) *step {
	m.say("put an overlay over " + path)
	return m.add(unix.SYS_MOUNT, "overlay", at, "overlay", unix.MS_NOSUID|unix.MS_NODEV, "lowerdir="+path+",upperdir="+own+"/upper,workdir="+own+"/work,userxattr")
}

// mask puts what hides secrets over a path; fail says what comes of it if that fails.
func (m *mounter) mask(with, path string, fail uint8) {
	m.add(unix.SYS_OPEN_TREE, unix.AT_FDCWD, with, cloneTree).into(m.next)
	m.attach(m.next, path).orElse(fail)
	m.add(unix.SYS_CLOSE, m.next)
}

// layer puts the wall around one path.
func (m *mounter) layer(l Layer) {
	m.say("put the wall around " + l.Path)
	at := slices.IndexFunc(m.trees, func(t takenTree) bool { return t.Path == l.Path })
	switch {
	case at >= 0:
		m.restrict(m.trees[at].at, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
		m.attach(m.trees[at].at, l.Path)
		m.add(unix.SYS_CLOSE, m.trees[at].at)
	case l.Kind == Fixed || l.Kind == Closed:
		// Somebody may have removed it since; then there is nothing to close,
		// and the supervisor sees to it that it does not come again.
		set := uint64(unix.MOUNT_ATTR_NODEV)
		if l.Kind == Closed {
			set |= unix.MOUNT_ATTR_RDONLY
		}
		m.add(unix.SYS_OPEN_TREE, unix.AT_FDCWD, l.Path, cloneTree|unix.AT_RECURSIVE|unix.AT_SYMLINK_NOFOLLOW).into(m.next).orSkip(3)
		m.restrict(m.next, set)
		m.attach(m.next, l.Path)
		m.add(unix.SYS_CLOSE, m.next)
	default:
		m.mask(maskOf(l), l.Path, goOn)
	}
}

// maskOf is what hides a layer.
func maskOf(l Layer) string {
	if l.Kind == Empty {
		return emptyFile
	}
	if info, err := os.Stat(l.Path); err == nil && info.IsDir() {
		return hiddenDir
	}
	return hiddenFile
}

// rulesetAttr and beneathAttr are what Landlock is told.
type rulesetAttr struct{ fs, net, scoped uint64 }

type beneathAttr struct {
	rights uint64
	fd     int32
}

// lock restricts the copy by Landlock: it may make and change nothing but where
// that is granted, so that whatever the supervisor is not asked about is refused.
func (s *steps) lock(p *Plan, e engine) {
	s.say("make a Landlock ruleset")
	attr := &rulesetAttr{fs: e.handled()}
	size := 8
	if e.landlock >= 6 {
		attr.scoped, size = llScopes, 24
	}
	s.keep = append(s.keep, attr)
	rules := register(regTmp)
	s.add(unix.SYS_LANDLOCK_CREATE_RULESET, unsafe.Pointer(attr), size, 0).into(rules)
	for _, g := range p.grants(e) {
		s.grant(rules, g.path, g.rights&e.handled())
	}
	s.say("enter the Landlock ruleset")
	s.add(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0)
	s.add(unix.SYS_CLOSE, rules)
	s.add(unix.SYS_CLOSE, ruleFd)
}

// grant adds a rule to a ruleset.
func (s *steps) grant(rules register, path string, rights uint64) {
	rule := &beneathAttr{rights: rights, fd: ruleFd}
	s.keep = append(s.keep, rule)
	f := rules + 1
	s.say("grant " + path)
	s.add(unix.SYS_OPENAT, unix.AT_FDCWD, path, unix.O_PATH|unix.O_CLOEXEC).into(f).orSkip(3)
	// The number of the descriptor has to stand in the structure.
	s.add(unix.SYS_DUP3, f, ruleFd, unix.O_CLOEXEC)
	s.add(unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, unsafe.Pointer(rule), 0)
	s.add(unix.SYS_CLOSE, f)
}

// grant is what may be done below a path.
type grant struct {
	path   string
	rights uint64
}

// grants lists what Landlock lets programs do.
func (p *Plan) grants(e engine) []grant {
	var list []grant
	if e.namespaces {
		list = append(list, grant{"/dev", llMaking}, grant{"/proc", llWriteFile | llTruncate}) // the wall's own
		for _, path := range p.Overlay.Paths {
			list = append(list, grant{path, e.handled()}) // where there is no overlay, the mount is read-only
		}
	} else {
		for name := range strings.FieldsSeq(keptDevices + " ptmx") {
			list = append(list, grant{"/dev/" + name, llReadFile | llWriteFile})
		}
		if own := p.Overlay.plain(); own != "" {
			list = append(list, grant{own, e.handled()})
		}
		list = append(list, grant{"/dev/pts", llReadFile | llWriteFile | llReadDir}, grant{"/dev/shm", e.handled()}, grant{"/proc/self", llWriteFile})
	}
	for _, l := range p.Layers {
		switch {
		case l.Path == p.Overlay.Private || l.Kind != Open:
		case p.supervised(l.Path):
			// Nobody can read anything from a socket by its name.
			list = append(list, grant{l.Path, llMakeSock})
		default:
			list = append(list, grant{l.Path, e.handled()})
		}
	}
	if !e.namespaces {
		list = append(list, p.reading()...)
	}
	return list
}

// reading grants to read and run whatever is not hidden.
func (p *Plan) reading() (list []grant) {
	for _, path := range p.readable() {
		rights := uint64(llReadFile | llReadDir | llExecute)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			rights = llReadFile | llExecute
		}
		list = append(list, grant{path, rights})
	}
	return list
}

// ruleFd is a descriptor that nobody else uses while the wall is built.
const ruleFd = 250

// supervised says whether what happens in a tree is up to the supervisor: the
// project, and what holds one.
func (p *Plan) supervised(path string) bool {
	for _, l := range p.Layers {
		if l.Path != path && paths.Within(l.Path, path) {
			return true
		}
	}
	for _, project := range p.Projects {
		if paths.Within(project, path) || paths.Within(path, project) {
			return true
		}
	}
	return false
}

// place divides the open trees into those that the supervisor holds and those that it leaves to the kernel.
func (p *Plan) place() {
	for _, l := range p.Layers {
		switch {
		case l.Kind != Open:
		case p.supervised(l.Path):
			p.held = append(p.held, l.Path)
		default:
			p.free = append(p.free, l.Path)
		}
	}
}

// readable splits everything into trees that hold nothing hidden: Landlock gives and
// cannot take away.
func (p *Plan) readable() (list []string) {
	var walk func(dir string)
	walk = func(dir string) {
		// Of devices only some are granted, each by itself.
		holds := dir == "/"
		if dir == "/dev" {
			return
		}
		for _, l := range p.Layers {
			if l.Kind == Hidden || l.Kind == Empty {
				if paths.Within(dir, l.Path) {
					return
				}
				holds = holds || paths.Within(l.Path, dir)
			}
		}
		if !holds {
			list = append(list, dir)
			return
		}
		for _, name := range p.whole(dir) {
			walk(strings.TrimSuffix(dir, "/") + "/" + name)
		}
	}
	walk("/")
	return list
}

// capabilities that root keeps: those over files that others own. Everything else is
// of no use behind a wall.
var rootKeeps = []int{unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_SETUID, unix.CAP_SETGID}

// privileges takes them away for good.
func (s *steps) privileges(root bool) {
	s.say("drop privileges")
	keep := uint64(0)
	if root {
		for _, c := range rootKeeps {
			keep |= 1 << c
		}
	}
	for c := range 64 {
		if keep&(1<<c) == 0 {
			s.add(unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, c, 0, 0, 0).orElse(goOn) // numbers without a meaning are refused
		}
	}
	s.add(unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0).orElse(goOn)
	head := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	data := &[2]unix.CapUserData{
		{Effective: uint32(keep), Permitted: uint32(keep)},
		{Effective: uint32(keep >> 32), Permitted: uint32(keep >> 32)},
	}
	s.keep = append(s.keep, head, data)
	s.add(unix.SYS_CAPSET, unsafe.Pointer(head), unsafe.Pointer(data))
	s.add(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}

// descriptors closes what was inherited and leads around the wall: directories keep
// the mounts they were opened in, devices and secrets their content.
func (s *steps) descriptors(p *Plan) {
	s.say("close inherited descriptors")
	for _, name := range readNames("/proc/self/fd") {
		fd, err := strconv.Atoi(name)
		if err != nil || fd <= 2 {
			continue
		}
		var st unix.Stat_t
		if unix.Fstat(fd, &st) != nil {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC != 0 {
			continue // this process's own
		}
		if p.leadsAround(fd, &st) {
			s.add(unix.SYS_CLOSE, fd).orElse(goOn)
		}
	}
}

// leadsAround reports whether by an open descriptor a program could do what the wall keeps
// it from.
func (p *Plan) leadsAround(fd int, st *unix.Stat_t) bool {
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR, unix.S_IFBLK:
		return true
	case unix.S_IFREG:
		return !p.openable(fd)
	case unix.S_IFCHR:
		// /dev/tty, /dev/null and its like, the program's own terminal
		return st.Rdev != unix.Mkdev(5, 0) && unix.Major(st.Rdev) != 1 && !isStream(st.Rdev)
	case unix.S_IFSOCK:
		return true // connected to somebody outside; the streams of the program are below 3
	}
	return false
}

// openPath is where an open file is.
func openPath(fd int) string {
	path, _ := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	return path
}

// isStream says whether a device is one that the program's streams are on.
func isStream(device uint64) bool {
	for fd := range 3 {
		var st unix.Stat_t
		if unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFCHR && st.Rdev == device {
			return true
		}
	}
	return false
}

// finish restores signals and runs the program.
func (s *steps) finish(path string, argv, env []string) {
	s.say("restore limits")
	s.keep = append(s.keep, &limit.Files)
	s.add(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_NOFILE, unsafe.Pointer(&limit.Files), 0)
	s.say("restore signals")
	for sig := 1; sig <= 64; sig++ {
		if sig == int(unix.SIGKILL) || sig == int(unix.SIGSTOP) {
			continue
		}
		if !ignored(sig) {
			var none [4]uint64
			act := &none
			s.keep = append(s.keep, act)
			s.add(unix.SYS_RT_SIGACTION, sig, unsafe.Pointer(act), 0, 8).orElse(goOn)
		}
	}
	s.add(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, s.mask(), 0, 8)
	s.say("run " + path)
	s.add(unix.SYS_EXECVE, path, vector(s, argv), vector(s, env))
}

func (s *steps) mask() unsafe.Pointer {
	var now unix.Sigset_t
	_ = unix.PthreadSigmask(unix.SIG_BLOCK, nil, &now)
	s.keep = append(s.keep, &now)
	return unsafe.Pointer(&now)
}

func vector(s *steps, list []string) unsafe.Pointer {
	v := make([]*byte, len(list)+1)
	for i, text := range list {
		b := append([]byte(text), 0)
		v[i] = &b[0]
	}
	s.keep = append(s.keep, v)
	return unsafe.Pointer(&v[0])
}

// readNames lists a directory with as few calls as can be.
func readNames(dir string) []string {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var list []string
	for len(list) < maxEntries {
		n, err := unix.ReadDirent(fd, direntRoom[:])
		if err != nil || n <= 0 {
			break
		}
		_, _, list = unix.ParseDirent(direntRoom[:n], -1, list)
	}
	return list
}

// direntRoom is where directories are read into, one after the other: new room for each
// would be most of the memory that a wall needs.
var direntRoom [16 << 10]byte
