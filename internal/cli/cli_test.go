package cli

import (
	"io"
	"testing"

	"longline/internal/screen"
	"longline/internal/tool"
)

func TestColoursAreForTerminals(t *testing.T) {
	if (&process{out: io.Discard}).style().On {
		t.Error("colours on something that is no terminal")
	}
	if got := (screen.Style{On: true}).Decision(tool.Deny, "deny"); got != "\x1b[1;31mdeny\x1b[0m" {
		t.Errorf("got %q", got)
	}
}
