package cli

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"

	"longline/internal/screen"
)

// paged runs a subcommand. If its output may be long, a person at a terminal reads it through $PAGER, or less, which
// ends at once if all fits a screen. --no-pager and PAGER=cat turn that off.
func (p *process) paged(c *subcommand, args []string) int {
	kept := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return c.long && arg == "--no-pager" })
	run := func() int { return c.run(p, kept) }
	pager, set := p.env.Get("PAGER")
	if !set {
		pager = "less"
	}
	out, _ := p.out.(*os.File)
	if !c.long || len(kept) < len(args) || slices.Contains(args, "-f") || pager == "cat" || !screen.IsTerminal(out) || p.atTerminal() != nil {
		return run()
	}
	return p.through(pager, out, run)
}

// through runs something whose output a pager shows on out.
func (p *process) through(pager string, out *os.File, run func() int) int {
	name, _, _ := strings.Cut(pager, " ")
	if _, err := exec.LookPath(name); err != nil {
		return run()
	}
	cmd := exec.Command("sh", "-c", "exec "+pager)
	cmd.Stdout, cmd.Stderr, cmd.Env = out, p.err, append([]string{"LESS=FRX"}, p.env...) // the user's LESS comes later and counts
	in, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return run()
	}
	signal.Ignore(os.Interrupt) // the pager answers it
	defer signal.Reset(os.Interrupt)
	p.out = pagedOut{in, out}
	status := run()
	p.out = out
	in.Close()
	cmd.Wait()
	return status
}

// pagedOut leads to a pager. What is written after the pager has ended is dropped.
type pagedOut struct {
	pager    io.Writer
	terminal *os.File
}

func (o pagedOut) Write(text []byte) (int, error) { o.pager.Write(text); return len(text), nil }
func (o pagedOut) Terminal() *os.File             { return o.terminal } // see [screen.IsTerminal]
