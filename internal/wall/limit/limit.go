//go:build unix

// Package limit knows how many files this process was to have open at most when it began.
// Package os raises that limit, and programs behind a wall are to find it as it was. It
// imports nothing that imports os: packages are initialised in the order of their paths,
// so that this one comes first.
package limit

import "syscall"

// Files is the limit as it was.
var Files syscall.Rlimit

func init() { _ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &Files) }
