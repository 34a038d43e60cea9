// Longline judges what an AI coding agent is about to do, before it does it.
package main

import (
	"os"

	"longline/internal/cli"
	"longline/internal/config"
)

func main() {
	os.Exit(cli.Main(os.Args, config.Environ(os.Environ()), os.Stdin, os.Stdout, os.Stderr))
}
