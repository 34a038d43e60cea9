package command

import "testing"

func TestInStandardDir(t *testing.T) {
	for dir, want := range map[string]bool{
		"/usr/bin":     true,
		"/usr/libexec": true,
		"/System/Library/CoreServices/RemoteManagement/ARDAgent.app/Contents/Resources": true,
		"/System/Library/../../tmp":        false,
		"/System/Volumes/Data/Users/me":    false,
		"/usr/libexec/git-core":            false,
		"/tmp":                             false,
		"/home/me/System/Library/Foo":      false,
		"/Applications/Xcode.app/Contents": false,
	} {
		if got := InStandardDir(dir); got != want {
			t.Errorf("InStandardDir(%q) is %v", dir, got)
		}
	}
}
