// Longline-hook answers an agent's hook and does nothing else, so that it
// starts as fast as a program can.
package main

import (
	"os"

	"longline/internal/config"
	"longline/internal/hook"
)

func main() {
	os.Exit(hook.Main(os.Args[1:], config.Environ(os.Environ()), os.Stdin, os.Stdout, os.Stderr, config.Load))
}
