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

func FuzzLinks(f *testing.F) {
	f.Add(tarOf(f, tar.FormatGNU))
	f.Add(tarOf(f, tar.FormatPAX))
	f.Add(zipOf(f, zip.Deflate))
	f.Add(gzipOf(f, tarOf(f, tar.FormatPAX)))
	f.Fuzz(func(t *testing.T, data []byte) { packed.Links(read(data)) })
}
