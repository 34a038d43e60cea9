package undo

import (
	"longline/internal/paths"
	"longline/internal/policy"
)

// Settings are the options of a project's store below the user's state. made says whether a path is in the
// zone of what builds make.
func Settings(state, root string, said policy.Undo, made func(path string) bool) Options {
	known, at := map[string]bool{}, root
	if path, ok := paths.FromWindows(root); ok && paths.OfWindows(root) {
		at = path
	}
	return Options{
		Dir: state + "/undo", Root: root, Days: said.Days, Size: int64(said.Size) * 1_000_000, Exclude: said.Exclude, Include: said.Include,
		Skip: func(name string) bool {
			is, ok := known[name]
			if !ok {
				is = made(at + "/" + name)
				known[name] = is
			}
			return is
		},
	}
}
