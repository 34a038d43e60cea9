package main

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestDiffer holds a few hundred scripts against the shells that are installed;
// .ci/run and make differ try more.
func TestDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var shells []string
	for _, name := range []string{"bash", "zsh"} {
		if _, err := exec.LookPath(name); err == nil {
			shells = append(shells, name)
		}
	}
	if len(shells) == 0 || shells[0] != "bash" {
		t.Skip("bash is not installed")
	}
	out, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	found, err := differ(400, 1, 20*time.Second, shells, 1, out)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	if found > 0 {
		t.Errorf("%d scripts are allowed and do harm:\n%s", found, text)
	}
	t.Log(string(text))
}

// TestDifferFinds gives the checker a guard that allows everything: it must find
// a script whose end depends on a value, and one that has left the project.
func TestDifferFinds(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	root, err := tempRoot()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(root)
	r, err := newRig(root, []string{"bash"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := newChecker(r)
	if err != nil {
		t.Fatal(err)
	}
	c.always = true
	m := manner{shell: "bash", lang: "C.UTF-8"}
	for _, script := range []string{"x=a", "cd ..", "set -- a b", "false"} {
		f, err := c.check(m, []string{script})
		if err != nil {
			t.Fatal(err)
		}
		if f == nil {
			t.Errorf("%s: nothing is found", script)
		}
	}
	// A call of rm that stays in the build directory is no harm.
	did, err := c.run(m, "rm -rf build build/../build/x; cd build; rm x; cp ../a.txt new")
	if err != nil {
		t.Fatal(err)
	}
	if len(did.calls) != 2 || c.harms(did) {
		t.Errorf("harm in %v", did)
	}
	for _, script := range []string{
		"cd ..\nrm -rf build", "echo a > ../docs/precious.txt", "touch ../new", "mv ../docs build", "ln -s a ../l", "find ../docs -type f -delete", "mkdir ../docs/d",
		"cat ../.ssh/id_rsa", "cat ../.ssh/id_rsa >&2", "cp ../.ssh/id_rsa build",
	} {
		if did, err = c.run(m, script); err != nil || !c.harms(did) {
			t.Errorf("%s: no harm in %v: %v", script, did, err)
		}
		if f, err := c.aimed(m, []string{script}); err != nil || f == nil {
			t.Errorf("%s: it is not found: %v", script, err)
		}
	}
}
