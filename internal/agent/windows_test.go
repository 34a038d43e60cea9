package agent

import (
	"testing"

	"longline/internal/strictjson"
	"longline/internal/tool"
)

// TestShellsOfWindows: a text is read in the language of the shell that runs it there, or not at all.
func TestShellsOfWindows(t *testing.T) {
	defer func(was bool) { onWindows = was }(onWindows)
	input, err := strictjson.Parse([]byte(`{"command":"dir"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		use     use
		windows bool
		dialect string
		fails   bool
	}{
		{shell, false, "", false},
		{bash, false, "", false},
		{native, false, "", false},
		{powershell, false, tool.PowerShell, false},
		{shell, true, "", true},
		{bash, true, "", false},
		{native, true, tool.PowerShell, false},
		{powershell, true, tool.PowerShell, false},
	} {
		onWindows = test.windows
		req := Request{Input: input}
		if err := req.apply(&toolUse{use: test.use, field: "command"}, place{}); (err != nil) != test.fails || err == nil && (req.Call.Dialect != test.dialect || !req.Call.Shell) {
			t.Errorf("%+v: %+v, %v", test, req.Call, err)
		}
	}
}

// TestPathsOfWindows: file tools name files with a drive, or from a directory with one.
func TestPathsOfWindows(t *testing.T) {
	at := place{dir: `C:\Users\me\project`, home: `C:\Users\me`}
	for name, want := range map[string]string{
		`src\a.go`: "/c/Users/me/project/src/a.go", `..\x`: "/c/Users/me/x", `D:\a\b`: "/d/a/b", "D:/a": "/d/a", "~/.ssh/id": "/c/Users/me/.ssh/id",
		`\\host\share\a`: "/unc/host/share/a", "a:b": "", `C:x`: "", `PROGRA~1\a`: "",
	} {
		got, ok := at.absolute(name)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v; want %q", name, got, ok, want)
		}
	}
	if got := at.here(); got != "/c/Users/me/project" {
		t.Errorf("here: %q", got)
	}
}
