package config

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
)

// A compiled file is sealed with a key that only the user can read, so that a
// file which somebody prepared elsewhere, with the right text and other rules,
// does not count. The key lies beside what the user has told longline, where
// agents neither read nor write.

// seal is a keyed hash: SipHash-2-4 with an output of 128 bits. It is written
// here because the hash functions of crypto cost time at start.
func seal(key []byte, text string) [2]uint64 {
	k0, k1 := binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:])
	// The state is in variables of its own, which stay in registers: ten thousand rules
	// are two megabytes.
	v0, v1, v2, v3 := k0^0x736f6d6570736575, k1^0x646f72616e646f6d^0xee, k0^0x6c7967656e657261, k1^0x7465646279746573
	size := len(text)
	for ; len(text) >= 8; text = text[8:] {
		m := word(text)
		v3 ^= m
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		v0 ^= m
	}
	last := uint64(size) << 56
	for i := range len(text) {
		last |= uint64(text[i]) << (8 * i)
	}
	v3 ^= last
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0 ^= last
	v2 ^= 0xee
	var sum [2]uint64
	for i := range sum {
		for range 4 {
			v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		}
		sum[i] = v0 ^ v1 ^ v2 ^ v3
		v1 ^= 0xdd
	}
	return sum
}

func sipRound(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v3
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 += v3
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 += v1
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v2 = bits.RotateLeft64(v2, 32)
	return v0, v1, v2, v3
}

const keySize = 16

// readKey returns the key in a directory of state, or nil. One that others can
// read or write is none.
func readKey(dir string) []byte {
	if dir == "" {
		return nil
	}
	f, info, err := openOwned(below(dir, "key"), os.Geteuid())
	if err != nil {
		return nil
	}
	defer f.Close()
	key := make([]byte, keySize)
	if _, err := io.ReadFull(f, key); err != nil || info.Size() != keySize || !onWindows && info.Mode()&0o077 != 0 {
		return nil
	}
	return key
}

// makeKey returns the key, and makes one if there is none yet. Of two processes
// that do so at once, both get the key of one of them.
func makeKey(dir string) []byte {
	if key := readKey(dir); key != nil || dir == "" {
		return key
	}
	key := randomKey()
	if key == nil || os.MkdirAll(dir, 0o700) != nil {
		return nil
	}
	temporary, err := newFile(dir, ".key-*", key)
	if err != nil {
		return nil
	}
	defer os.Remove(temporary)
	path := filepath.Join(dir, "key")
	if err := os.Link(temporary, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil
	}
	if key := readKey(dir); key != nil {
		return key
	}
	// What is there cannot be a key: it was damaged, or others can read it.
	if os.Rename(temporary, path) != nil {
		return nil
	}
	return readKey(dir)
}

// newFile writes a new file that only the user can read, and returns its name.
func newFile(dir, pattern string, data []byte) (name string, err error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}
