//go:build !darwin

package config

import (
	"os"
	"strings"
)

// BootID identifies the current boot of the machine.
func BootID() string {
	text, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(text))
}
