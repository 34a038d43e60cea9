package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// What is listed of a directory is what package os lists.
func TestEntries(t *testing.T) {
	byName := func(a, b tool.Entry) int { return cmp.Compare(a.Name, b.Name) }
	root := t.TempDir()
	for _, n := range []int{0, 1, 7, 200, 1000, maxEntries - 1, maxEntries, maxEntries + 1, maxEntries + 300} {
		dir := filepath.Join(root, fmt.Sprint(n))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			name := filepath.Join(dir, fmt.Sprintf("%d%s", i, []string{"", ".txt", " \n\t", "é\xff", strings.Repeat("x", 240)}[i%5]))
			var err error
			switch i % 7 {
			case 0:
				err = os.Mkdir(name, 0o755)
			case 1:
				err = os.Symlink("nowhere", name)
			default:
				err = os.WriteFile(name, nil, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		found, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var want []tool.Entry
		for _, e := range found {
			want = append(want, tool.Entry{Name: e.Name(), Link: e.Type()&fs.ModeSymlink != 0, Dir: e.IsDir()})
		}
		got, whole := entries(dir)
		if whole != (n < maxEntries) || len(got) != min(n, maxEntries) {
			t.Errorf("%d entries: %d are listed, whole: %v", n, len(got), whole)
		}
		slices.SortFunc(want, byName)
		for _, e := range got {
			if at, ok := slices.BinarySearchFunc(want, e, byName); !ok || want[at] != e {
				t.Errorf("%d entries: %+v is none of them", n, e)
			}
		}
	}
	for _, path := range []string{filepath.Join(root, "none"), filepath.Join(root, "7", "2 \n\t")} {
		if list, whole := entries(path); len(list) != 0 || whole {
			t.Errorf("%q: %v, whole: %v", path, list, whole)
		}
	}
}

// What is read of a file is what package os reads.
func TestReadAt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	text := []byte(strings.Repeat("0123456789", 50))
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, offset := range []int64{0, 1, 499, 500, 501} {
		for _, size := range []int{0, 1, 500, 501, 4096} {
			room := make([]byte, size)
			n, err := readAt(path, offset, room)
			want := text[min(int(offset), len(text)):]
			want = want[:min(len(want), size)]
			if string(room[:n]) != string(want) || (err == nil) != (n > 0 || size == 0) || err != nil && !errors.Is(err, io.EOF) {
				t.Errorf("%d bytes from %d: %d bytes, %v", size, offset, n, err)
			}
		}
	}
	for _, path := range []string{filepath.Dir(path), path + "x", "/dev/null"} {
		if n, err := readAt(path, 0, make([]byte, 8)); n > 0 || err == nil {
			t.Errorf("%s: %d bytes are read", path, n)
		}
	}
}
