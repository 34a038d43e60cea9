package veil

import "syscall"

// Result is how a program ended, and how often each secret was hidden.
type Result struct {
	Code   int
	Signal syscall.Signal // if one ended it
	Hidden map[string]int
}
