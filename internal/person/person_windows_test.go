package person

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

// TestFromWindows: a process is known by the name of its program, and its parents are looked at up to one that has ended.
func TestFromWindows(t *testing.T) {
	p, err := fromWindows(os.Getpid())
	if err != nil || p.parent != os.Getppid() || !slices.ContainsFunc(p.names, func(name string) bool { return strings.HasPrefix(name, "person.test") }) {
		t.Errorf("%+v, %v", p, err)
	}
	wine := windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
	if line := commandLine(uint32(os.Getpid())); !wine && !strings.Contains(line, "test") { // wine tells none
		t.Errorf("the command line is %q", line)
	}
	if name, err := AgentAncestor(); name != "" || err != nil {
		t.Errorf("%q, %v", name, err)
	}
}
