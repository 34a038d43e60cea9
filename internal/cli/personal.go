package cli

import (
	"time"

	"longline/internal/audit"
	"longline/internal/config"
	"longline/internal/hook"
	"longline/internal/state"
)

// store is what the user has told longline, as seen from a directory.
func (p *process) store(dir string) state.Store { return hook.Store(p.env, dir) }

// act logs what a person told longline.
func (p *process) act(cfg *config.Config, what, subject string) {
	now := time.Now()
	if err := hook.LogOf(cfg).Append(now, audit.Act{Time: now, What: what, Dir: cfg.Dir, Subject: subject}); err != nil {
		p.errorf("this was not logged: %v", err)
	}
}
