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
	user := p.user()
	own := user.Written(roots, log)
	leaves := func() {
		for _, path := range user.Left(roots, own) {
			fmt.Fprintf(p.out, "left: %s\n", path)
		}
		if exe, err := config.Sibling(); err == nil {
			name := filepath.Base(exe)
			fmt.Fprintf(p.out, "left: %s, %s-hook and %s-wall, which is how longline was installed\n", exe, name, name)
		}
	}
	if len(own) == 0 {
		fmt.Fprintln(p.out, "nothing to remove: longline has written nothing here")
		leaves()
		return exitOK
	}
	for _, path := range own {
		fmt.Fprintf(p.out, "remove: %s\n", path)
	}
	switch {
	case s.print:
		leaves()
		return exitOK
	case !s.yes && !(screen.IsTerminal(p.in) && p.confirm("Remove these? They cannot be brought back.")):
		p.errorf("nothing was removed")
		p.hintf("say yes, or run it again with --yes")
		return exitFailed
	}
	status := exitOK
	for _, path := range own {
		if err := os.RemoveAll(path); err != nil {
			p.errorf("uninstall: %v", err)
			status = exitFailed
			continue
		}
		// A directory that was made for this alone goes as well, if it is empty.
		if dir := filepath.Dir(path); filepath.Base(dir) == "longline" || filepath.Base(dir) == "hooks-logs" {
			_ = os.Remove(dir)
		}
	}
	leaves()
	return status
}
