// Longline-wall runs a program behind a wall and does nothing else, so that it starts
// fast and takes little memory while the program runs.
package main

import (
	"os"

	"longline/internal/behind"
)

func main() {
	os.Exit(behind.Main(os.Args, os.Environ(), os.Stdout, os.Stderr))
}
