package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	f.Add(string(c.encode()))
	f.Add(strings.Repeat("\xff", 64))
	f.Fuzz(func(t *testing.T, data string) {
		c, err := decodeCompiled(data)
		if err != nil {
			return
		}
		again, err := decodeCompiled(string(c.encode()))
		if err != nil || again.rules != c.rules || again.text != c.text || len(again.included) != len(c.included) {
			t.Errorf("%q comes back as %+v, %v", data, again, err)
		}
	})
}
