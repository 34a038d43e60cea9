package config

import "syscall"

// BootID identifies the current boot of the machine.
func BootID() string {
	id, _ := syscall.Sysctl("kern.bootsessionuuid")
	return id
}
