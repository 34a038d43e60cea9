package cli

import (
	"time"

	"longline/internal/audit"
	"longline/internal/config"
	"longline/internal/history"
	"longline/internal/hook"
	"longline/internal/state"
	"longline/internal/userfiles"
)

// store is what the user has told longline, as seen from a directory.
func (p *process) store(dir string) state.Store { return hook.Store(p.env, dir, p.named("")) }

// logFiles opens the log that a configuration names.
func logFiles(cfg *config.Config) (*history.Files, error) {
	log := hook.LogOf(cfg)
	return history.Open(log.Path, log.Put)
}

// openLog opens one file if it is named, and the active log otherwise.
func openLog(cfg *config.Config, file string) (*history.Files, error) {
	if file != "" {
		return history.OpenOne(file)
	}
	return logFiles(cfg)
}

// readLog hands over every line of that log.
func readLog(cfg *config.Config, count *history.Count, do func(r *history.Record, line []byte) error) error {
	files, err := logFiles(cfg)
	if err != nil {
		return err
	}
	defer files.Close()
	return count.ReadFiles(files, do)
}

// act logs what a person told longline.
func (p *process) act(cfg *config.Config, what, subject string) {
	now := time.Now()
	if err := hook.LogOf(cfg).Append(now, audit.Act{Time: now, What: what, Dir: cfg.Dir, Subject: subject}); err != nil {
		p.errorf("could not log this: %v", err)
	}
}

// user is whose files are changed.
func (p *process) user() *userfiles.User {
	return &userfiles.User{Env: p.env, Dir: p.here(), Project: p.named("")}
}
