//go:build !darwin && (!linux || !(amd64 || arm64))

package wall

import (
	"io"
	"os"
)

// Run says that there are no walls here.
func Run(*Plan, []string, io.Writer) (int, error) { return StatusNoWall, ErrUnsupported }

// Supervise does nothing here.
func Supervise(func(string, Settings) *Plan) error { return ErrUnsupported }

// Probe says what a wall would be made of.
func Probe([]string) Engine { return Engine{Why: ErrUnsupported.Error()} }

// Attempt tries nothing here.
func Attempt(string) int { return StatusNoWall }

func readNames(dir string) (list []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// Detach does nothing where there are no walls.
func Detach([]string) {}
