package gitstore

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

func deflate(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// Whatever Go's compressor packs is unpacked, at every level.
func TestInflate(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for n := range 100 {
		data := make([]byte, random.IntN(1<<(n%18)))
		alphabet := 1 + random.IntN(256)
		for i := range data {
			if back := random.IntN(1 + i); i > 0 && random.IntN(4) == 0 {
				data[i] = data[back]
			} else {
				data[i] = byte(random.IntN(alphabet))
			}
		}
		for i := 0; n%3 == 0 && i+40 < len(data); i += 80 {
			copy(data[i+20:i+40], data[random.IntN(i+1):])
		}
		for _, level := range []int{flate.NoCompression, flate.BestSpeed, flate.DefaultCompression, flate.BestCompression, flate.HuffmanOnly} {
			packed := deflate(t, data, level)
			got, err := inflate(iotest.OneByteReader(bytes.NewReader(append(packed, "what follows"...))))
			if err != nil || !bytes.Equal(got, data) {
				t.Fatalf("%d bytes at level %d: %d bytes, %v", len(data), level, len(got), err)
			}
			for range 5 {
				broken := bytes.Clone(packed)
				broken[random.IntN(len(broken))] ^= 1 << random.IntN(8)
				sameInflated(t, broken)
				sameInflated(t, packed[:random.IntN(len(packed))])
			}
		}
	}
	if _, err := inflate(bytes.NewReader(deflate(t, make([]byte, maxObject+1), 9))); err != ErrTooMuch {
		t.Errorf("too much: %v", err)
	}
}

// sameInflated holds inflate against Go's own: where that gives a text, this gives the
// same or none; where that refuses, so does this.
func sameInflated(t *testing.T, packed []byte) {
	t.Helper()
	got, err := inflate(bytes.NewReader(packed))
	var want []byte
	z, wrong := zlib.NewReader(bytes.NewReader(packed))
	if wrong == nil {
		want, wrong = io.ReadAll(io.LimitReader(z, maxObject+1))
	}
	if err == nil && (wrong != nil || !bytes.Equal(got, want)) {
		t.Fatalf("%x: %d bytes; zlib says %d, %v", packed, len(got), len(want), wrong)
	}
}

func FuzzInflate(f *testing.F) {
	for _, text := range []string{"", "tree 0\x00", "blob 12\x00aaaaaaaaaaaa"} {
		f.Add(deflate(f, []byte(text), 9))
	}
	f.Fuzz(sameInflated)
}

func BenchmarkInflate(b *testing.B) {
	data := bytes.Repeat([]byte("100644 main.go\x00\x01\x02\xfe12345 a line of text that a file may have\n"), 5000)
	packed := deflate(b, data, 6)
	b.SetBytes(int64(len(data)))
	for range b.N {
		if _, err := inflate(bytes.NewReader(packed)); err != nil {
			b.Fatal(err)
		}
	}
}
