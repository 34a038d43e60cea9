package wall

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// Calls that only old architectures have.
var (
	oldOpen     = []int{unix.SYS_OPEN}
	oldNaming   = []int{unix.SYS_CREAT, unix.SYS_MKDIR, unix.SYS_MKNOD, unix.SYS_SYMLINK, unix.SYS_LINK, unix.SYS_RENAME}
	oldRemoving = []int{unix.SYS_UNLINK, unix.SYS_RMDIR, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT}
)

// modern gives the call with directories that an old one stands for: its number and
// arguments.
func modern(nr int, a [6]uint64) (int, [6]uint64) {
	const here = uint64(0xffffffffffffff9c) // AT_FDCWD
	switch nr {
	case unix.SYS_OPEN:
		return unix.SYS_OPENAT, [6]uint64{here, a[0], a[1], a[2]}
	case unix.SYS_CREAT:
		return unix.SYS_OPENAT, [6]uint64{here, a[0], unix.O_CREAT | unix.O_WRONLY | unix.O_TRUNC, a[1]}
	case unix.SYS_MKDIR:
		return unix.SYS_MKDIRAT, [6]uint64{here, a[0], a[1]}
	case unix.SYS_MKNOD:
		return unix.SYS_MKNODAT, [6]uint64{here, a[0], a[1], a[2]}
	case unix.SYS_SYMLINK:
		return unix.SYS_SYMLINKAT, [6]uint64{a[0], here, a[1]}
	case unix.SYS_LINK:
		return unix.SYS_LINKAT, [6]uint64{here, a[0], here, a[1], 0}
	case unix.SYS_RENAME:
		return unix.SYS_RENAMEAT2, [6]uint64{here, a[0], here, a[1], 0}
	case unix.SYS_RENAMEAT:
		return unix.SYS_RENAMEAT2, [6]uint64{a[0], a[1], a[2], a[3], 0}
	case unix.SYS_UNLINK:
		return unix.SYS_UNLINKAT, [6]uint64{here, a[0], 0}
	case unix.SYS_FUTIMESAT:
		return unix.SYS_UTIMENSAT, a
	case unix.SYS_RMDIR:
		return unix.SYS_UNLINKAT, [6]uint64{here, a[0], unix.AT_REMOVEDIR}
	}
	return nr, a
}
