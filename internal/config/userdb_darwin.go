package config

import (
	"os/user"
	"strconv"
)

// userRecord is what the directory service says of a user, which package os/user asks here
// without cgo too: the name and the home directory, or "".
func userRecord(uid int) (name, home string) {
	u, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return "", ""
	}
	return u.Username, u.HomeDir
}
