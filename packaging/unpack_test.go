package packaging_test

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// packaged is what every package installs, besides directories.
var packaged = []string{
	"usr/bin/longline",
	"usr/bin/longline-hook",
	"usr/bin/longline-wall",
	"usr/lib/systemd/system/longline-sync.service",
	"usr/lib/systemd/system/longline-sync.timer",
	"usr/share/bash-completion/completions/longline",
	"usr/share/doc/longline/copyright",
	"usr/share/doc/longline/examples/longline-sync.cron",
	"usr/share/fish/vendor_completions.d/longline.fish",
	"usr/share/man/man1/longline.1.gz",
	"usr/share/zsh/site-functions/_longline",
}

// entry is a file in a package.
type entry struct {
	name string
	mode fs.FileMode
	data []byte
}

// unpacked writes what a package holds below a root directory and tries it there.
func unpacked(t *testing.T, entries []entry) {
	t.Helper()
	root, home := t.TempDir(), t.TempDir()
	var names []string
	for _, e := range entries {
		name := strings.Trim(strings.TrimPrefix(e.name, "."), "/")
		path := filepath.Join(root, name)
		if !filepath.IsLocal(name) {
			t.Fatalf("%q would be outside the root", e.name)
		}
		if e.mode.IsDir() {
			if name == "etc/longline" {
				names = append(names, name)
			}
			continue
		}
		names = append(names, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, e.data, e.mode.Perm()); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	if want := append([]string{"etc/longline"}, packaged...); !slices.Equal(names, want) {
		t.Errorf("it holds %q, want %q", names, want)
	}
	works(t, home, filepath.Join(root, "usr/bin/longline"))
}

// TestApk unpacks the package for Alpine: three archives in one file, of which the last
// is installed. It has no scripts.
func TestApk(t *testing.T) {
	f, err := os.Open(one(t, filepath.Join(dist(t), "*_"+runtime.GOARCH+".apk")))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var entries []entry
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case h.Name == ".PKGINFO":
			if !strings.Contains(string(data), "pkgname = longline\n") {
				t.Errorf("it is %s", data)
			}
		case strings.HasPrefix(h.Name, "."):
			t.Errorf("it runs or adds something behind the user's back: %s", h.Name)
		default:
			if h.Uname+h.Gname != "rootroot" && h.Uid+h.Gid != 0 {
				t.Errorf("%s belongs to %s", h.Name, h.Uname)
			}
			entries = append(entries, entry{h.Name, h.FileInfo().Mode(), data})
		}
	}
	unpacked(t, entries)
}

// TestRpm unpacks the package for Fedora: a lead, two headers and a cpio archive.
func TestRpm(t *testing.T) {
	text, err := os.ReadFile(one(t, filepath.Join(dist(t), "*_"+runtime.GOARCH+".rpm")))
	if err != nil {
		t.Fatal(err)
	}
	rest, _ := header(t, text[96:], true)
	payload, tags := header(t, rest, false)
	for _, script := range []uint32{1023, 1024, 1025, 1026, 1151, 1152} { // %pre, %post, %preun, %postun, %pretrans, %posttrans
		if tags[script] {
			t.Errorf("it has a script, tag %d", script)
		}
	}
	z, err := gzip.NewReader(bytes.NewReader(payload))
	if err != nil {
		t.Fatal(err)
	}
	unpacked(t, cpio(t, bufio.NewReader(z)))
}

// header skips a header of an rpm and says which tags it has.
func header(t *testing.T, text []byte, padded bool) (rest []byte, tags map[uint32]bool) {
	t.Helper()
	if len(text) < 16 || !bytes.Equal(text[:3], []byte{0x8e, 0xad, 0xe8}) {
		t.Fatal("not a header of an rpm")
	}
	count, size := int(binary.BigEndian.Uint32(text[8:])), int(binary.BigEndian.Uint32(text[12:]))
	tags = map[uint32]bool{}
	for i := range count {
		tags[binary.BigEndian.Uint32(text[16+16*i:])] = true
	}
	end := 16 + 16*count + size
	if padded {
		end = (end + 7) &^ 7
	}
	return text[end:], tags
}

// cpio reads an archive in the "new ASCII" form.
func cpio(t *testing.T, r io.Reader) (entries []entry) {
	t.Helper()
	read := func(n int) []byte {
		data := make([]byte, n)
		if _, err := io.ReadFull(r, data); err != nil {
			t.Fatal(err)
		}
		return data
	}
	for {
		h := string(read(110))
		if h[:6] != "070701" {
			t.Fatalf("not a cpio header: %q", h[:6])
		}
		field := func(i int) int {
			n, err := strconv.ParseUint(h[6+8*i:14+8*i], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			return int(n)
		}
		mode, size, length := field(1), field(6), field(11)
		name := strings.TrimSuffix(string(read(length)), "\x00")
		read((4 - (110+length)%4) % 4)
		if name == "TRAILER!!!" {
			return entries
		}
		e := entry{name: name, mode: fs.FileMode(mode & 0o777), data: read(size)}
		read((4 - size%4) % 4)
		if mode&0o170000 == 0o040000 {
			e.mode |= fs.ModeDir
		}
		entries = append(entries, e)
	}
}

// TestArchives: all archives hold the same files in the same order, with the same owner and
// the commit's time. Otherwise the same commit would give other bytes.
func TestArchives(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(dist(t), "*.tar.gz"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	var first []string
	for _, name := range archives {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		walled := false
		for r := tar.NewReader(z); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Name == "longline-wall" { // walls are there on Linux
				walled = true
				continue
			}
			list = append(list, fmt.Sprint(h.Name, " ", h.FileInfo().Mode(), " ", h.Uname, " ", h.Gname, " ", h.ModTime.Unix()))
		}
		f.Close()
		if walled != strings.Contains(filepath.Base(name), "linux") {
			t.Errorf("%s: longline-wall is there: %t", filepath.Base(name), walled)
		}
		if first == nil {
			first = list
		}
		if !slices.Equal(list, first) {
			t.Errorf("%s holds\n%s\nand %s\n%s", filepath.Base(name), strings.Join(list, "\n"), filepath.Base(archives[0]), strings.Join(first, "\n"))
		}
	}
}
