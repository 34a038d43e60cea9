//go:build darwin || freebsd || netbsd

package config

import "syscall"

// modified and changed are the times of a file, in nanoseconds.
func modified(info *syscall.Stat_t) int64 { return info.Mtimespec.Nano() }
func changed(info *syscall.Stat_t) int64  { return info.Ctimespec.Nano() }
