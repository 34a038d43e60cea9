//go:build unix

package config

import (
	"encoding/binary"
	"io/fs"
	"syscall"
	"time"
)

// OnDisk names a file as it lies on the disk: whatever writes to it changes its
// times, and nobody can set them all back. It also says when the file was last
// changed: a write within the clock's grain after that leaves the same name.
func OnDisk(info fs.FileInfo) (name []byte, last time.Time) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil, time.Time{}
	}
	name = make([]byte, 0, 5*8)
	for _, n := range [...]int64{int64(st.Dev), int64(st.Ino), st.Size, modified(st), changed(st)} {
		name = binary.LittleEndian.AppendUint64(name, uint64(n))
	}
	return name, time.Unix(0, changed(st))
}
