package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOperatorsOfNames has shells put names that patterns match through operators that take something away: what is left is what the
// reader holds it for.
func TestOperatorsOfNames(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for _, pattern := range []string{
		"src/*", "src/*.css", "src/?*", "src/*/", "src/*/*", "src/**", "src/**/*.css", "*/*", "*", "*/", "src/.*", "src/[a-d]*", "src/@(a|b)*", "src/{a,b}*", "./src/*", "src//*", "src/../src/*", "none/*", "none/*.css", "src/a*", "src/*.", "src/..*", "src.d/*", "src.d/*.css", "s*.d/*", "src.d/*/", "src/d/*", "src/d*/", "src/a?css", "'src/'*", `src/\[*`, "$PWD/src/*", "src/*b*",
	} {
		for _, op := range []string{
			"##*/", "#*/", "#src/", "#src", "#./", "#none/", "##src/", "#src/d/", "#s", "#src/a", "#'src/'", "#\"$d\"/", "#$d/", "%", "%%", "%.css", "%.*", "%%.*", "%/", "%/*", "%%/*", "%x", "%?", "%[x]", "%$none", "%%*", "%css", "%b*", "%%c*", "%%[./]*", "%%?d*",
		} {
			for _, use := range []string{`rm "@"`, `rm "dist/@"`, `rm "dist/@.x"`, `rm "x@"`, `y=@; rm "${y##*/}"`, `y=@; rm "dist/${y%.css}"`} {
				list = append(list, "d=src; for x in "+pattern+"; do "+strings.ReplaceAll(use, "@", "${x"+op+"}")+"; done")
			}
		}
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, name := range []string{"src/a.css", "src/.h.css", "src/-x.css", "src/b c.css", "src/d/e.css", "src.d/g.css", "src.d/h/i.x", "src/d/f", "src/d.", "src/...", "src/[", "src/a", "none.css", "s"} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	agreeIn(t, dir, list, true, "bash", "zsh")
	agreeIn(t, dir, list, false, "bash", "dash")
	t.Logf("%d scripts", len(list))
}
