package sync

import "golang.org/x/sys/unix"

// systemID is the number that the system has for this machine.
func systemID() string {
	id, _ := unix.Sysctl("kern.uuid")
	return id
}
