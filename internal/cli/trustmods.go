package cli

import (
	"fmt"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/screen"
	"longline/internal/state"
)

// trustMods shows the mods that a project brings, asks about each, and remembers all that
// they hold.
func (p *process) trustMods(cfg *config.Config, root string) int {
	store, repository := p.store(cfg.Dir), config.Repository(root)
	for _, m := range cfg.Mods {
		if m.Trusted {
			continue
		}
		fmt.Fprintln(p.out, screen.Clean(m.Words(), ""))
		if m.Content == "" {
			p.errorf("trust: there are links or too many files in it, so it cannot be trusted")
			p.hintf("turn it off, or make it smaller")
			return exitFailed
		}
		pin, before := store.Pinned(repository, m.Name())
		lines := difference(pin.Content, m.Content)
		if before {
			fmt.Fprintf(p.out, "it has changed since it was trusted on %s:\n", pin.Since.Local().Format("2006-01-02"))
		}
		if n := len(lines); n > maxShown {
			lines = append(lines[:maxShown], fmt.Sprintf("and %d more lines; read them where they are", n-maxShown))
		}
		fmt.Fprintln(p.out, screen.Clean("  "+strings.Join(lines, "\n  "), "\n\t"))
		if !p.confirm("Let it run, though it can overrule longline?") {
			fmt.Fprintln(p.out, "every call asks")
			continue
		}
		pin = state.Pin{Repository: repository, Name: m.Name(), Content: m.Content, Since: time.Now()}
		if err := store.Trust(pin); err != nil {
			return p.failed("trust", err)
		}
		p.act(cfg, "trust", root+": "+m.Name())
	}
	return exitOK
}
