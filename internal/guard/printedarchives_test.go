package guard_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrintedArchives has real programs print archives with a file of secrets in them, and without.
func TestPrintedArchives(t *testing.T) {
	runsPrograms(t)
	for _, program := range []string{"tar", "zip", "unzip"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	l := newLossy(t, `git init -q -b main .; mkdir -p app/config; echo API_KEY=hidden >app/config/.env; echo text >app/notes.txt; zip -qr s.zip app; tar czf s.tgz app; tar cf s.tar app; rm app/config/.env; zip -qr p.zip app; tar czf p.tgz app; tar cf p.tar app`)
	for _, way := range []string{
		"unzip -p AR.zip", "unzip -c AR.zip", "unzip -p AR", "unzip -p AR.zip '*env'", "unzip -p AR.zip 'app/*'", "unzip -qp AR.zip | head", "unzip -p AR.zip '*.txt'", "unzip -p AR.zip app/notes.txt", "tar xzOf AR.tgz", "tar xOf AR.tar app", "tar -xOf AR.tar app/config", "tar xzOf AR.tgz app/notes.txt", "tar xzf AR.tgz -O | grep KEY", "cat AR.tgz | tar xzOf -", "tar xOf - < AR.tar", "gunzip -c AR.tgz | tar xOf -", "tar xOf AR.tar app/notes.txt app/config", "tar xOf AR.tar --wildcards '*.txt'", "tar xOf AR.tar --wildcards '*v'", "cd app; tar xzOf ../AR.tgz", "unzip -l AR.zip", "tar tzf AR.tgz",
	} {
		for _, archive := range []string{"s", "p"} {
			script := strings.ReplaceAll(way, "AR", archive)
			out, _ := l.run(filepath.Join(l.root, "home"), script)
			shown := strings.Contains(string(out), "hidden")
			piped := strings.Contains(script, "- ") || strings.HasSuffix(script, "-") // which is asked about anyway
			if asks, why := l.asks(script); asks != shown && !(piped && asks) {
				t.Errorf("%s: asked: %t (%s), shown: %t", script, asks, why, shown)
			}
		}
	}
}
