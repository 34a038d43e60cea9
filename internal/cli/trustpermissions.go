package cli

import (
	"fmt"
	"path/filepath"
	"time"

	"longline/internal/config"
	"longline/internal/screen"
	"longline/internal/state"
)

// maxShown is how many lines a person is asked to agree with at once.
const maxShown = 100

// trustPermissions shows the permissions in the project's own settings that nobody has
// confirmed, asks, and remembers them one by one, outside the project.
func (p *process) trustPermissions(cfg *config.Config, root string) int {
	waiting := cfg.Settings.Waiting()
	if len(waiting) == 0 {
		return exitOK
	}
	if len(waiting) > maxShown {
		p.errorf("trust: %s has %d permissions, too many to review; make it smaller", config.LocalSettings, len(waiting))
		return exitFailed
	}
	fmt.Fprintf(p.out, "%s has permissions that do not count yet:\n", config.LocalSettings)
	for _, e := range waiting {
		fmt.Fprintf(p.out, "  %s\n", screen.Clean(e.Words(), ""))
	}
	if !p.confirm(fmt.Sprintf("Let them count in %s?", screen.Clean(root, ""))) {
		fmt.Fprintln(p.out, "they do not count")
		return exitOK
	}
	store, repository := p.store(cfg.Dir), config.Repository(root)
	pin, _ := store.Pinned(repository, config.LocalSettings)
	for _, e := range waiting {
		pin.Content += e.Line() + "\n"
	}
	pin = state.Pin{Repository: repository, Name: config.LocalSettings, Content: pin.Content, Since: time.Now()}
	if err := store.Trust(pin); err != nil {
		return p.failed("trust", err)
	}
	p.act(cfg, "trust", filepath.Join(root, config.LocalSettings))
	fmt.Fprintf(p.out, "%s count from now on\n", screen.Count(len(waiting), "permission"))
	return exitOK
}
