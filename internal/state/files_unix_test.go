//go:build unix

package state

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file is read to its end or to the bound, whatever was said about its size.
func TestReadsToTheEnd(t *testing.T) {
	text := strings.Repeat("0123456789", 300)
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, 2999, 3000, 3001, 9000} {
		for _, limit := range []int{100, 3000, 9000} {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := readAll(int(f.Fd()), size, limit); string(got) != text[:min(limit, len(text))] || err != nil {
				t.Errorf("of %d bytes, at most %d, %d are read, %v", size, limit, len(got), err)
			}
			f.Close()
		}
	}
}
