//go:build race

package guard_test

// raced says that the race detector is on, which makes everything ten times slower
// and has nothing to find in what is pure.
const raced = true
