//go:build unix && !darwin && !freebsd && !netbsd

package audit

import (
	"syscall"
	"time"
)

func modified(info *syscall.Stat_t) time.Time { return time.Unix(info.Mtim.Unix()) }
