package guard_test

import (
	"os/exec"
	"testing"

	"longline/internal/tool"
)

// TestMissingInZsh: a builtin that zsh does not have fills no array there, so what is made of the array is made of nothing as well.
func TestMissingInZsh(t *testing.T) {
	g := builtin(t)
	for _, name := range []string{"mapfile", "readarray"} {
		if zsh, err := exec.LookPath("zsh"); err == nil && exec.Command(zsh, "-f", "-c", "echo x | { "+name+" -t a; }").Run() == nil {
			t.Fatalf("zsh has %s", name)
		}
		for _, script := range []string{
			`echo build | { ` + name + ` -t a; rm -rf "${a[@]}/etc"; }`, `f() { ` + name + ` -t a; rm -rf "${a[*]}/etc"; }; f <<< build`, `echo build | (` + name + ` -t a; for i in "${a[@]}"; do d=$i; done; rm -rf "$d/etc")`,
			`printf 'build/a\nbuild/b\n' | { ` + name + ` -t a; set -- "${a[@]}" src; rm -rf "$2"; }`,
		} {
			w := world()
			w.Zsh = true
			if v, _ := g.Judge(attended(script), w); v.Decision < tool.Ask {
				t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
			}
		}
	}
}
