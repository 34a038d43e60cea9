package shell

import (
	"os/exec"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestNumbersThatZshReadsLate holds expressions that read and change one variable against both shells: what is believed to be known is
// what each of them makes of it.
func TestNumbersThatZshReadsLate(t *testing.T) {
	known := 0
	for _, shell := range []string{"bash", "zsh"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		for _, x := range []string{
			"i+i++", "i-i--", "i*++i", "(i)+i++", "i+(j=i++)", "i+=i++", "i+i+i++", "1+i+i++", "i++ + i", "-i+i++", "i,i++", "i**i++", "i+(i=5)", "j=i+i++", "i<i++", "i+j++", "j++ + i", "i+1", "i=i+1", "i++", "(i++)+1", "i==i++", "i*(i+=2)", "i-=i--",
		} {
			script := "i=1; j=4; echo $((" + x + "))"
			out, err := exec.Command(shell, "-c", script).Output()
			if err != nil {
				t.Fatal(shell, script, err)
			}
			invs := Resolve(script, "/srv", &tool.World{Home: "/home/dev", Zsh: shell == "zsh"}, command.Builtin()).Invocations
			w := invs[len(invs)-1].Words[1]
			if !w.IsKnown() {
				continue
			}
			if known++; w.Text != strings.TrimSpace(string(out)) {
				t.Errorf("%s in %s is %s, and believed to be %s", x, shell, strings.TrimSpace(string(out)), w.Text)
			}
		}
	}
	if known < 15 {
		t.Errorf("only %d are known", known)
	}
}
