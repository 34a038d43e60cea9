package config

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"

	"longline/internal/disk"
	"longline/internal/tool"
)

// programEnd is how the names of programs end.
const programEnd = ".exe"

// userRecord is what the system says of the user who runs this: the name and the profile, which no variable changes.
func userRecord(int) (name, home string) {
	token := windows.GetCurrentProcessToken()
	home, err := token.GetUserProfileDirectory()
	if err != nil {
		return "", ""
	}
	return filepath.Base(home), home
}

// Environ is an environment in which HOME names the home directory as other programs find it: Windows itself sets no such variable.
func Environ(list []string) Env {
	env := Env(list)
	if env.path("HOME") != "" {
		return env
	}
	home := env.path("USERPROFILE")
	if home == "" {
		_, home = userRecord(0)
	}
	return append(env[:len(env):len(env)], "HOME="+home)
}

// managedDir is where the administrator of a machine puts rules: users cannot make a directory there.
func managedDir() string {
	dir, err := windows.GetSystemWindowsDirectory()
	if err != nil {
		dir = `C:\Windows`
	}
	return filepath.VolumeName(dir) + `\Program Files\longline`
}

// ownedBy says whether a file is the user's, and nobody else can have written it.
func ownedBy(f *os.File, _ fs.FileInfo, _ int) bool { return disk.Only(f) }

// ownerOf is what os.Geteuid says here: files have no such owner; see [ownedBy].
func ownerOf(fs.FileInfo) int { return -1 }

// randomKey is a new key, or nil if the system gives none.
func randomKey() []byte {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // it does not fail
	return key
}

// readlink follows junctions too, which lead to other directories as links do.
func readlink(path string) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "", err
	case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == 0:
		return "", tool.ErrNotLink
	}
	target, err := os.Readlink(path)
	if errors.Is(err, fs.ErrNotExist) { // it is there, and leads nowhere: a file that is kept elsewhere, for one
		err = tool.ErrNotLink
	}
	return target, err
}

func lstat(path string) glimpse {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return glimpse{path: path, kind: nothing}
	case err != nil:
		return glimpse{path: path, kind: unknown}
	}
	g := glimpse{path: path, kind: other, mode: uint32(info.Mode().Perm()), uid: ownerOf(info)}
	switch {
	case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		g.kind = link
	case info.IsDir():
		g.kind = directory
	}
	return g
}

// readAt reads a part of a regular file.
func readAt(path string, offset int64, room []byte) (int, error) {
	f, _, err := openRegular(path, 1<<50)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := f.ReadAt(room, offset)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func readFile(path string, limit int64) ([]byte, error) {
	f, _, err := openRegular(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = tooLong(path, limit)
	}
	return text, err
}

func mapped(f *os.File, size int64) (text string, release func(), err error) {
	data, err := io.ReadAll(io.LimitReader(f, size))
	return string(data), func() {}, err
}
