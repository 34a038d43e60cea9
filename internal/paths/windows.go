package paths

import (
	"runtime"
	"strings"
)

// Paths of Windows are judged as Git Bash writes them, with the drive as the first directory: C:\a\b is /c/a/b, and what is
// on another machine is below /unc. So there is one form of a path everywhere.

// OfWindows says whether a text is written as only a path of Windows is: with a drive, or with two backslashes in front.
// x://y is an address.
func OfWindows(text string) bool {
	return len(text) > 1 && text[1] == ':' && letter(text[0]) && (len(text) == 2 || text[2] == '\\' || text[2] == '/' && (len(text) == 3 || text[3] != '/')) ||
		strings.HasPrefix(text, `\\`) && len(text) > 2
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// FromWindows is a path of Windows in that form. It is not ok for one that does not say what it names: a short name,
// or a stream beside the content.
func FromWindows(text string) (path string, ok bool) {
	text = strings.ReplaceAll(text, `\`, "/")
	switch rest, long := strings.CutPrefix(text, "//?/"); {
	case long && len(rest) > 4 && strings.EqualFold(rest[:4], "unc/"):
		text = "//" + rest[4:]
	case long:
		text = rest
	case strings.HasPrefix(text, "//./"):
		text = "/dev/" + strings.ToLower(text[4:])
	}
	for _, drives := range [...]string{"/cygdrive/", "/proc/cygdrive/"} { // as Git Bash has them too
		if rest, ok := strings.CutPrefix(text, drives); ok && rest != "" && letter(rest[0]) && (len(rest) == 1 || rest[1] == '/') {
			text = "/" + rest
		}
	}
	if len(text) > 1 && text[1] == ':' && letter(text[0]) {
		if len(text) > 2 && text[2] != '/' {
			return "", false // seen from where that drive is now
		}
		text = "/" + strings.ToLower(text[:1]) + text[2:]
	} else if strings.HasPrefix(text, "//") {
		text = "/unc" + text[1:]
	}
	return Named(text)
}

// ToWindows is a path in that form as Windows takes it. It is not ok for one that lies on no drive.
func ToWindows(path string) (text string, ok bool) {
	switch {
	case strings.HasPrefix(path, "/unc/"):
		return `\\` + strings.ReplaceAll(path[len("/unc/"):], "/", `\`), true
	case len(path) == 2 && path[0] == '/' && letter(path[1]):
		return strings.ToUpper(path[1:]) + `:\`, true
	case len(path) > 2 && path[0] == '/' && letter(path[1]) && path[2] == '/':
		return strings.ToUpper(path[1:2]) + ":" + strings.ReplaceAll(path[2:], "/", `\`), true
	}
	return "", false
}

// Native is a path in that form as the system that this runs on takes it: on all but Windows as it is.
// One that lies on no drive is "".
func Native(path string) string {
	if runtime.GOOS != "windows" || !strings.HasPrefix(path, "/") {
		return path
	}
	text, _ := ToWindows(path)
	return text
}

// Named is a path with the names as Windows takes them: blanks and dots at the end of one do not count. It is not ok for one that
// does not say what it names.
func Named(text string) (path string, ok bool) {
	if strings.IndexByte(text, ':') >= 0 || short(text) {
		return "", false
	}
	if !strings.Contains(text, ". ") && !strings.Contains(text, "./") && !strings.Contains(text, " /") && !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, " ") {
		return text, true
	}
	names := strings.Split(text, "/")
	for i, name := range names {
		if cut := strings.TrimRight(name, ". "); cut != "" && name != "." && name != ".." {
			names[i] = cut
		}
	}
	return strings.Join(names, "/"), true
}

// short says whether a path may have a short name in it, as PROGRA~1.
func short(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		if text[i] == '~' && text[i+1] >= '0' && text[i+1] <= '9' && text[i-1] != '/' {
			return true
		}
	}
	return false
}
