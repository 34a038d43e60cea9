// Package packaging_test installs what a release is made of and tries it.
package packaging_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// dist is where make release-snapshot left its files.
func dist(t *testing.T) string {
	dir := os.Getenv("LONGLINE_DIST")
	if dir == "" {
		t.Skip("LONGLINE_DIST is not set; make release-snapshot sets it")
	}
	return dir
}

func one(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d files match %s, want 1: %v", len(found), pattern, err)
	}
	return found[0]
}

func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed", program)
	}
}

// run runs a command in a home directory of its own and returns its output and status.
func run(t *testing.T, home, dir string, argv ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "npm_config_cache=" + filepath.Join(home, ".npm"), "npm_config_update_notifier=false"}
	out, err := cmd.CombinedOutput()
	status := cmd.ProcessState.ExitCode()
	if err != nil && status < 0 {
		t.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, out)
	}
	return string(out), status
}

// works tries an installed longline: it denies, allows, says that no agent is wired, and
// knows the program that builds walls.
func works(t *testing.T, home string, longline ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(home, "walls.yaml"), []byte("version: 1\nwalls: on\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(home, "project") // for a home directory is never one
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"check", "rm -rf /"}, 20, "deny"},
		{[]string{"check", "ls"}, 0, "allow"},
		{[]string{"version"}, 0, "commit"},
		{[]string{"doctor"}, 1, ""},
		{[]string{"check", "--config", "walls.yaml", "--cwd", project, "make"}, 0, map[bool]string{true: "longline-wall make"}[runtime.GOOS == "linux"]},
	} {
		out, status := run(t, home, home, append(slices.Clone(longline), c.args...)...)
		if status != c.status || !strings.Contains(out, c.says) {
			t.Errorf("%v: status %d, want %d and %q\n%s", c.args, status, c.status, c.says, out)
		}
	}
}

// files lists what is below a directory.
func files(t *testing.T, dir string) []string {
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestDeb installs the package into a root directory of its own, tries it, removes
// it, and finds nothing left.
func TestDeb(t *testing.T) {
	dir := dist(t)
	need(t, "dpkg")
	root := t.TempDir()
	for _, d := range []string{"var/lib/dpkg/updates", "var/lib/dpkg/info", "var/lib/dpkg/triggers"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"status", "available"} {
		if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg", f), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := files(t, root)
	options := []string{"dpkg", "--root=" + root, "--force-not-root", "--force-script-chrootless", "--log=/dev/null"}
	home := t.TempDir()
	if out, status := run(t, home, home, append(options, "-i", one(t, filepath.Join(dir, "*_"+runtime.GOARCH+".deb")))...); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	for _, f := range []string{"usr/bin/longline", "usr/bin/longline-hook", "usr/bin/longline-wall", "usr/share/man/man1/longline.1.gz", "usr/share/bash-completion/completions/longline"} {
		if _, err := os.Stat(filepath.Join(root, f)); err != nil {
			t.Error(err)
		}
	}
	works(t, home, filepath.Join(root, "usr/bin/longline"))
	if out, status := run(t, home, home, append(options, "-P", "longline")...); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	for _, f := range files(t, root) {
		if !slices.Contains(before, f) && !strings.HasPrefix(f, "var/lib/dpkg/") {
			t.Errorf("%s is left", f)
		}
	}
}

// TestNpm packs the npm packages, installs them and runs the launcher.
func TestNpm(t *testing.T) {
	dir := dist(t)
	need(t, "npm")
	cpu := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	home, packed := t.TempDir(), t.TempDir()
	for _, name := range []string{"longline", "longline-" + runtime.GOOS + "-" + cpu} {
		if out, status := run(t, home, packed, "npm", "pack", filepath.Join(dir, "npm", name)); status != 0 {
			t.Fatalf("status %d\n%s", status, out)
		}
	}
	tarballs, err := filepath.Glob(filepath.Join(packed, "*.tgz"))
	if err != nil || len(tarballs) != 2 {
		t.Fatalf("%v, %v", tarballs, err)
	}
	project := t.TempDir()
	install := append([]string{"npm", "install", "--offline", "--omit=optional", "--no-audit", "--no-fund", "--ignore-scripts"}, tarballs...)
	if out, status := run(t, home, project, install...); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	works(t, home, filepath.Join(project, "node_modules/.bin/longline"))
	if out, status := run(t, home, project, "npm", "uninstall", "--offline", "longline", "longline-"+runtime.GOOS+"-"+cpu); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	if _, err := os.Lstat(filepath.Join(project, "node_modules/.bin/longline")); err == nil {
		t.Error("the launcher is left")
	}
}

// TestInstaller runs install.sh on the release, and on one whose archive was altered.
func TestInstaller(t *testing.T) {
	dir := dist(t)
	home := t.TempDir()
	script, err := filepath.Abs("../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(home, "bin")
	if out, status := run(t, home, home, "sh", script, "--from", dir, "--dir", bin); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	works(t, home, filepath.Join(bin, "longline"))

	altered := t.TempDir()
	archive := one(t, filepath.Join(dir, "longline_*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz"))
	for _, name := range []string{archive, filepath.Join(dir, "checksums.txt")} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == archive {
			text = append(bytes.Clone(text), 'x')
		}
		if err := os.WriteFile(filepath.Join(altered, filepath.Base(name)), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	none := filepath.Join(home, "none")
	if out, status := run(t, home, home, "sh", script, "--from", altered, "--dir", none); status != 1 || !strings.Contains(out, "not what checksums.txt says") {
		t.Errorf("status %d\n%s", status, out)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("an altered release was installed")
	}
}

// TestChecksums holds every archive and package against checksums.txt.
func TestChecksums(t *testing.T) {
	dir := dist(t)
	need(t, "sha256sum")
	home := t.TempDir()
	if out, status := run(t, home, dir, "sha256sum", "--check", "--strict", "checksums.txt"); status != 0 {
		t.Errorf("status %d\n%s", status, out)
	}
	for _, platform := range []string{"linux", "darwin", "freebsd", "openbsd", "netbsd"} {
		for _, arch := range []string{"amd64", "arm64"} {
			archive := one(t, filepath.Join(dir, "longline_*_"+platform+"_"+arch+".tar.gz"))
			if _, err := os.Stat(archive + ".spdx.json"); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestReproducible builds the hook in another directory and gets the same bytes.
func TestReproducible(t *testing.T) {
	dir := dist(t)
	need(t, "git")
	home := t.TempDir()
	if out, _ := run(t, home, "..", "git", "status", "--porcelain"); strings.TrimSpace(out) != "" {
		t.Skip("the tree has changes, which the linker records")
	}
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(t.TempDir(), "some/other/place")
	if out, status := run(t, home, home, "git", "clone", "--quiet", top, tree); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	again := filepath.Join(home, "longline-hook")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -buildid=", "-o", again, "./cmd/longline-hook")
	cmd.Dir, cmd.Env = tree, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	released := one(t, filepath.Join(dir, "longline-hook_"+runtime.GOOS+"_"+runtime.GOARCH+"*", "longline-hook"))
	a, err := os.ReadFile(again)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(released)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s is not what another directory gives: %d and %d bytes", released, len(b), len(a))
	}
}
