//go:build !unix

package hook

import (
	"io/fs"

	"longline/internal/state"
)

func onDisk(fs.FileInfo) (state.Key, bool) { return state.Key{}, false }
