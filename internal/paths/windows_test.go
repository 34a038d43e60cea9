package paths

import "testing"

// TestToWindows: what Windows writes comes back as it was, and what lies on no drive is nowhere there.
func TestToWindows(t *testing.T) {
	for text, want := range map[string]string{
		`C:\Users\me\a b.txt`: `C:\Users\me\a b.txt`, "c:/x/y": `C:\x\y`, `D:\`: `D:\`, `\\host\share\a`: `\\host\share\a`, `\\?\C:\x`: `C:\x`,
		"/cygdrive/c/x": `C:\x`, "/proc/cygdrive/d": `D:\`, "/etc/passwd": "", "/tmp": "", "/dev/null": "", "a/b": "",
	} {
		path, ok := FromWindows(text)
		if !ok {
			t.Errorf("%s says nothing", text)
		}
		if got, _ := ToWindows(path); got != want {
			t.Errorf("%s: %s, then %q, want %q", text, path, got, want)
		}
	}
	for _, text := range []string{`C:x`, `C:\PROGRA~1`, `C:\a:b`} {
		if path, ok := FromWindows(text); ok {
			t.Errorf("%s is %s", text, path)
		}
	}
}
