package guard_test

import (
	"io/fs"
	"strings"
	"testing"

	"longline/internal/tool"
)

// A script on the disk is not what runs if an archive has been unpacked over it, whichever program unpacks it: nobody has looked into
// the archive.
func TestUnpackedCode(t *testing.T) {
	g := builtin(t)
	w := onDisk("scripts/ok.sh", "src/app.py", "x.zip", "x.tar", "x.jar", "x.7z", "x.cpio")
	w.ReadFile = func(name string) ([]byte, error) {
		switch name {
		case project + "/scripts/ok.sh":
			return []byte("#!/bin/sh\necho ok\n"), nil
		case project + "/src/app.py":
			return []byte("print(1)\n"), nil
		}
		return nil, fs.ErrNotExist
	}
	exists := w.Exists
	w.Exists = func(name string) bool { return name == project+"/scripts/ok.sh" || exists != nil && exists(name) }
	for _, unpack := range []string{
		"unzip -q x.zip -d %", "unzip -o x.zip -d %", "tar xf x.tar -C %", "bsdtar -xf x.tar -C %", "7z x x.7z -o% -y", "7za x -o% x.7z", "(cd % && jar xf ../x.jar)", "(cd % && cpio -id < ../x.cpio)", "(cd % && unzip ../x.zip)",
		"python3 -m zipfile -e x.zip %", "python3 -m tarfile -e x.tar %", "python -m zipfile --extract x.zip %", "uv run -m zipfile -e x.zip %", "uv run python -m tarfile -e x.tar %", ".venv/bin/python -m zipfile -e x.zip %",
		`python3 -c 'import shutil; shutil.unpack_archive("x.zip", "%")'`, `python3 -c 'import zipfile; zipfile.ZipFile("x.zip").extractall("%")'`, `python3 -c 'import tarfile; tarfile.open("x.tar").extractall("%")'`,
	} {
		for run, dir := range map[string]string{"bash scripts/ok.sh": "scripts", "./scripts/ok.sh": "scripts", ". scripts/ok.sh": "scripts", "python3 src/app.py": "src"} {
			call := attended(strings.ReplaceAll(unpack, "%", dir) + "; " + run)
			call.Edits = true
			if v, _ := g.Judge(call, w); v.Decision < tool.Ask {
				t.Errorf("%s: %s (%s)", call.Script, v.Decision, v.Reason)
			}
		}
		for _, next := range []string{"ls data", "bash scripts/ok.sh", "python3 src/app.py", "cat data/README.md"} {
			call := attended(strings.ReplaceAll(unpack, "%", "data") + "; " + next)
			call.Edits = true
			if v, _ := g.Judge(call, w); v.Rule == "written-code" {
				t.Errorf("%s: %s (%s)", call.Script, v.Decision, v.Reason)
			}
		}
	}
}
