package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"longline/internal/config"
	"longline/internal/screen"
)

// purge removes what longline has written for this user: state, compiled rules, the
// log, and its own files beside the rules. It says what it leaves.
func (s *setup) purge() int {
	p := s.p
	roots, _ := config.Where(p.env, p.here(), "")
	if roots.Home == "" {
		p.errorf("uninstall: there is no home directory to remove anything from")
		return exitFailed
	}
	// To read the rules may write their compiled form: what is there is looked at after.
	log := ""
	if cfg, err := p.load(place{}); err == nil {
		log = cfg.Log
	}
	own := p.user().Written(roots, log)
	if len(own) == 0 {
		fmt.Fprintln(p.out, "nothing to remove: longline has written nothing here")
		s.leaves(roots, own)
		return exitOK
	}
	for _, path := range own {
		fmt.Fprintf(p.out, "remove: %s\n", path)
	}
	switch {
	case s.print:
		s.leaves(roots, own)
		return exitOK
	case !s.yes && !p.confirmed("Remove these? They cannot be brought back."):
		p.errorf("nothing was removed")
		p.hintf("say yes, or run it again with --yes")
		return exitFailed
	}
	status := exitOK
	for _, path := range own {
		if err := removeOwn(path); err != nil {
			status = p.failed("uninstall", err)
		}
	}
	s.leaves(roots, own)
	return status
}

// confirmed asks, if there is a terminal to ask at.
func (p *process) confirmed(question string) bool {
	return screen.IsTerminal(p.in) && p.confirm(question)
}

// leaves says what stays when what longline has written is gone.
func (s *setup) leaves(roots config.Roots, own []string) {
	for _, path := range s.p.user().Left(roots, own) {
		fmt.Fprintf(s.p.out, "left: %s\n", path)
	}
	if exe, err := config.Sibling(); err == nil {
		name := filepath.Base(exe)
		fmt.Fprintf(s.p.out, "left: %s, %s-hook and %s-wall, which is how longline was installed\n", exe, name, name)
	}
}

// removeOwn removes something of longline's. A directory that was made for this alone
// goes as well, if it is empty.
func removeOwn(path string) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if dir := filepath.Dir(path); filepath.Base(dir) == "longline" || filepath.Base(dir) == "hooks-logs" {
		_ = os.Remove(dir)
	}
	return nil
}
