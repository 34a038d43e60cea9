//go:build !darwin && !windows

package config

import (
	"path/filepath"
	"strconv"
	"strings"
)

// userRecord is what the user database says of a user: the name and the home directory, or
// "". It is read here because package os/user is too large for the hook, and without cgo
// believes USER and HOME. Users whom only a directory service knows are not in it.
func userRecord(uid int) (name, home string) {
	text, err := readFile("/etc/passwd", maxFile)
	if err != nil {
		text = nil
	}
	id := strconv.Itoa(uid)
	for line := range strings.Lines(string(text)) {
		// name:password:uid:gid:comment:home:shell
		fields := strings.Split(strings.TrimRight(line, "\r\n"), ":")
		if len(fields) == 7 && fields[2] == id && filepath.IsAbs(fields[5]) {
			return fields[0], fields[5]
		}
	}
	if uid == 0 {
		return "root", "/root" // an image may be too small for a user database
	}
	return "", ""
}
