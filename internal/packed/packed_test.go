package packed_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"longline/internal/packed"
)

var (
	deep  = strings.Repeat("directory/", 20) + "l"
	links = []packed.Link{{"l", "../../docs"}, {"a/k", "/etc"}, {deep, "../x"}, {"long", strings.Repeat("../", 60) + "x"}}
)

func tarOf(t testing.TB, format tar.Format) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i, l := range links {
		for _, h := range []*tar.Header{
			{Typeflag: tar.TypeReg, Name: "f", Size: int64(i * 700), Mode: 0o644, Format: format},
			{Typeflag: tar.TypeSymlink, Name: l.Name, Linkname: l.Text, Format: format},
			{Typeflag: tar.TypeDir, Name: "d/", Mode: 0o755, Format: format},
		} {
			if err := w.WriteHeader(h); err != nil {
				t.Fatal(err)
			}
			w.Write(make([]byte, h.Size))
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t testing.TB, method uint16) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, l := range links {
		for _, h := range []*zip.FileHeader{{Name: l.Name + ".txt", Method: method}, {Name: l.Name, Method: method}} {
			if h.Name == l.Name {
				h.SetMode(os.ModeSymlink | 0o777)
			}
			f, err := w.CreateHeader(h)
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(f, l.Text)
		}
	}
	w.SetComment("a comment")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipOf(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name, w.Comment, w.Extra = "a.tar", "c", []byte("extra")
	w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(data []byte) packed.ReadAt {
	return func(offset int64, room []byte) (int, error) { return bytes.NewReader(data).ReadAt(room, offset) }
}

// TestLinks finds the links in archives that Go writes.
func TestLinks(t *testing.T) {
	for name, data := range map[string][]byte{
		"gnu": tarOf(t, tar.FormatGNU), "pax": tarOf(t, tar.FormatPAX), "gzip": gzipOf(t, tarOf(t, tar.FormatGNU)),
		"stored": zipOf(t, zip.Store), "deflated": zipOf(t, zip.Deflate),
	} {
		if got := packed.Links(read(data)); !slices.Equal(got, links) {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, data := range [][]byte{nil, []byte("PK\x03\x04"), []byte("text"), gzipOf(t, []byte("text"))} {
		if got := packed.Links(read(data)); got != nil {
			t.Errorf("%.9q: %q", data, got)
		}
	}
}

// TestMembers finds all names in archives that Go writes, and says whether a file holds the same.
func TestMembers(t *testing.T) {
	for name, data := range map[string][]byte{
		"gnu": tarOf(t, tar.FormatGNU), "pax": tarOf(t, tar.FormatPAX), "gzip": gzipOf(t, tarOf(t, tar.FormatGNU)), "stored": zipOf(t, zip.Store), "deflated": zipOf(t, zip.Deflate),
	} {
		list, whole := packed.Members(read(data))
		count, in := 3*len(links), func(i int) []byte { return make([]byte, i*700) }
		if data[0] == 'P' {
			count, in = 2*len(links), func(i int) []byte { return []byte(links[i].Text) }
		}
		if !whole || len(list) != count {
			t.Errorf("%s: %v, %d members", name, whole, len(list))
			continue
		}
		for i := range links {
			m, text := list[i*count/len(links)], in(i)
			other := append(bytes.Clone(text), 'y')
			if !m.Holds(read(text), 1<<20) || m.Holds(read(other), 1<<20) || len(text) > 0 && (m.Holds(read(other[1:]), 1<<20) || m.Holds(read(text), 1)) {
				t.Errorf("%s: what %s holds", name, m.Name)
			}
			if l := list[i*count/len(links)+1]; !l.IsLink || l.Link != links[i] || l.Holds(read(nil), 1<<20) {
				t.Errorf("%s: %q", name, l.Name)
			}
		}
		for _, cut := range []int{1, 2, 3} {
			if _, whole := packed.Members(read(data[:len(data)*cut/4])); whole && (cut < 3 || data[0] == 'P') {
				t.Errorf("%s: %d quarters of it are taken for all", name, cut)
			}
		}
	}
	var far bytes.Buffer
	w := zip.NewWriter(&far)
	if _, err := w.Create("\u00fcber"); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{nil, []byte("text"), gzipOf(t, []byte("text")), far.Bytes()} {
		if _, whole := packed.Members(read(data)); whole {
			t.Errorf("%.9q: taken for all", data)
		}
	}
}

func FuzzLinks(f *testing.F) {
	f.Add(tarOf(f, tar.FormatGNU))
	f.Add(tarOf(f, tar.FormatPAX))
	f.Add(zipOf(f, zip.Deflate))
	f.Add(gzipOf(f, tarOf(f, tar.FormatPAX)))
	f.Fuzz(func(t *testing.T, data []byte) {
		packed.Links(read(data))
		list, _ := packed.Members(read(data))
		for i := range list {
			list[i].Holds(read(data), 1<<20)
		}
	})
}
