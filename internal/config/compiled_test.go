package config

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/policy"
	"longline/internal/rulesfile"
)

// The administrator's rules are compiled beside themselves, and what a user can
// write is not taken in their place.
func TestManagedRulesAreCompiledBesideThemselves(t *testing.T) {
	root := tree(t, "etc/rules.yaml="+rules("m"), "home/p/.git/")
	options := Options{Dir: root + "/home/p", Env: Env{"HOME=" + root + "/home"}, managed: root + "/etc"}
	if _, err := Load(options); !errors.Is(err, ErrNotCompiled) {
		t.Errorf("not compiled: %v", err)
	}
	options.Parse = rulesfile.ParseNamed
	if _, err := Load(options); err != nil {
		t.Fatal(err)
	}
	options.Parse = nil
	c, err := Load(options)
	if err != nil || ids(c) != "managed:m" {
		t.Fatalf("compiled: %v", err)
	}
	made, err := filepath.Glob(root + "/etc/compiled/*.bin")
	if err != nil || len(made) != 1 {
		t.Fatalf("compiled files: %q, %v", made, err)
	}
	if others, _ := filepath.Glob(root + "/home/.cache/longline/*"); len(others) > 0 {
		t.Errorf("in the user's cache: %q", others)
	}
	if err := os.Chmod(made[0], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(options); !errors.Is(err, ErrNotCompiled) {
		t.Errorf("writable by others: %v", err)
	}
	// The same in the user's cache does not count for the administrator.
	cache := root + "/home/.cache/longline"
	if err := os.MkdirAll(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(made[0], filepath.Join(cache, filepath.Base(made[0]))); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(cache, filepath.Base(made[0])), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(options); !errors.Is(err, ErrNotCompiled) {
		t.Errorf("from the user's cache: %v", err)
	}
}

// FuzzCompiled: damaged compiled files are refused or come back as they are.
func FuzzCompiled(f *testing.F) {
	c := compiled{maker: "m", name: "rules.yaml", text: "version: 1\n", included: []included{{"a", "b", "c", "d"}}, rules: "r"}
	f.Add(string(c.encode(publicKey[:])))
	f.Add(strings.Repeat("\xff", 64))
	f.Fuzz(func(t *testing.T, data string) {
		c, err := decodeCompiled(data)
		if err != nil {
			return
		}
		again, err := decodeCompiled(string(c.encode(publicKey[:])))
		if err != nil || again.rules != c.rules || again.text != c.text || len(again.included) != len(c.included) {
			t.Errorf("%q comes back as %+v, %v", data, again, err)
		}
	})
}

// FuzzDamagedRules: whatever happens to the bytes of compiled rules, what is read
// from them is what was compiled, or they are not used at all.
func FuzzDamagedRules(f *testing.F) {
	f.Add(uint16(0), uint16(1), []byte{})
	f.Add(uint16(40), uint16(1), []byte{0xff})
	f.Add(uint16(0), uint16(65535), []byte("longline"))
	f.Add(uint16(120), uint16(0), []byte{1, 2, 3})
	root := f.TempDir()
	s := shelf{dir: root, mode: 0o600, owner: os.Geteuid(), state: root}
	name, text := root+"/rules.yaml", []byte("version: 1\ninclude: more.yaml\nrules: [{id: mine, match: {command: ls}, decision: deny, reason: no}]\n")
	open := func(_, name string) (string, []byte, error) {
		return root + "/" + name, []byte("version: 1\nallowlists: {commands: [git status]}\n"), nil
	}
	c := compiled{name: name, text: string(text)}
	file, err := rulesfile.ParseNamed(name, text, func(from, name string) (string, []byte, error) {
		full, text, err := open(from, name)
		c.included = append(c.included, included{from, name, full, string(text)})
		return full, text, err
	})
	if err != nil {
		f.Fatal(err)
	}
	s.store(&c, file)
	good, err := os.ReadFile(s.path(name))
	if err == nil {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		f.Fatal(err)
	}
	source, info, err := openRegular(name, maxRules)
	if err != nil {
		f.Fatal(err)
	}
	defer source.Close()
	f.Fuzz(func(t *testing.T, at, cut uint16, put []byte) {
		from := int(at) % (len(good) + 1)
		to := min(len(good), from+int(cut))
		if err := os.WriteFile(s.path(name), slices.Concat(good[:from], put, good[to:]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := source.Seek(0, 0); err != nil {
			t.Fatal(err)
		}
		_, got, err := s.load(name, source, info, open)
		if err != nil {
			if !errors.Is(err, ErrNotCompiled) {
				t.Errorf("%v", err)
			}
			return
		}
		if !bytes.Equal(policy.Encode(got), policy.Encode(file)) {
			t.Errorf("%d bytes at %d replaced by %q: other rules are trusted", to-from, from, put)
		}
	})
}

// A compiled file counts only with the seal of the user's own key, and in the
// name of the very file it was made of.
func TestSeal(t *testing.T) {
	// From the reference implementation of SipHash-2-4 with 128 bits, for the key
	// 00 01 .. 0f and the texts "", 00, 00 01 .. 07 and 00 01 .. 0e.
	key := make([]byte, keySize)
	for i := range key {
		key[i] = byte(i)
	}
	for text, want := range map[string][2]uint64{"": {0xe6a825ba047f81a3, 0x930255c71472f66d}, "\x00": {0x44af996bd8c187da, 0x45fc229b11597634}, string(key[:8]): {0x61f55862baa9623b, 0xb49714f364e2830f}, string(key[:15]): {0x11a8b03399e99354, 0xd9c3cf970fec087e}} {
		if got := seal(key, text); got != want {
			t.Errorf("seal of %q is %x, want %x", text, got, want)
		}
	}
	mine, theirs := makeKey(t.TempDir()), makeKey(t.TempDir())
	if mine == nil || bytes.Equal(mine, theirs) {
		t.Fatalf("keys %x and %x", mine, theirs)
	}
	c := compiled{maker: "m", name: "rules.yaml", text: "version: 1\n", rules: "r"}
	if !sealed(string(c.encode(mine)), mine) {
		t.Error("a file with the user's seal does not count")
	}
	if sealed(string(c.encode(theirs)), mine) {
		t.Error("a file with another seal counts")
	}
}

func TestKeyThatOthersRead(t *testing.T) {
	dir := t.TempDir()
	first := makeKey(dir)
	if again := makeKey(dir); !bytes.Equal(first, again) {
		t.Errorf("the key changed from %x to %x", first, again)
	}
	if err := os.Chmod(filepath.Join(dir, "key"), 0o644); err != nil {
		t.Fatal(err)
	}
	if key := readKey(dir); key != nil {
		t.Errorf("a key that others can read counts: %x", key)
	}
	if next := makeKey(dir); next == nil || bytes.Equal(first, next) {
		t.Errorf("it was replaced by %x", next)
	}
}
