package mask_test

import (
	"strings"
	"testing"
	"time"

	"longline/internal/bench/cpu"
	"longline/internal/mask"
)

// TestScriptIsReadOnce holds the cost of masking a reason to what the reason is: a script of
// a thousand lines may have a thousand of them.
func TestScriptIsReadOnce(t *testing.T) {
	script := "curl -u me:hunter2hunter2 https://example.com\n" + strings.Repeat("cp -r source/*.go $d/out\n", 2000)
	hide := mask.Reasons(script, read("curl -u me:hunter2hunter2 https://example.com"))
	if got := hide("Sends hunter2hunter2"); strings.Contains(got, "hunter2hunter2") {
		t.Fatalf("the reason is %q", got)
	}
	took := func(hide func(string) string) time.Duration {
		start := cpu.Used()
		for range 3000 {
			hide("Changes a path")
		}
		return cpu.Used() - start
	}
	// Of going through the script each time it takes three hundred times as long.
	if short, long := took(mask.Reasons("ls", nil)), took(hide); long > 30*short+50*time.Millisecond {
		t.Errorf("masking 3000 reasons takes %v, and %v if the script is short", long, short)
	}
}
