package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"

	"longline/internal/bundle"
	"longline/internal/config"
	"longline/internal/screen"
	"longline/internal/sync"
)

func syncCommand() subcommand {
	return subcommand{
		name: "sync", usage: "[--now] [--jitter TIME] [--json]", flags: true,
		purpose: forSharePolicy, example: "sync",
		short: "fetch the team's bundle and install it if it is valid and newer",
		help: `It reads /etc/longline/sync.yaml, or ~/.config/longline/sync.yaml if the first does
not exist:

  version: 1
  name: acme
  source: https://policy.example.com/longline/  # oci://HOST/NAME or /dir
  keys: [RWQ...]                                # two while you rotate keys
  canary: 5%                                    # or channel: stable or canary

A bundle that is unsigned, altered, expired, older than the last or fails its own
tests is refused, and the last good one stays. After a failure, later runs wait
longer and longer; --now does not wait. Run it from a timer; hooks never fetch
anything.`,
		run: runSync,
	}
}

func runSync(p *process, args []string) int {
	flags := p.flagSet("sync")
	now := flags.Bool("now", false, "do not wait after a failure")
	jitter := flags.Duration("jitter", 0, "wait a random time first, at most `TIME`, such as 10m")
	asJSON := flags.Bool("json", false, "print JSON")
	status, done := p.parseAlone(flags, args)
	if done {
		return status
	}
	settings, at, err := p.syncSettings()
	if err != nil {
		p.errorf("sync: %v", err)
		return exitUsage
	}
	if settings == nil {
		p.errorf("sync: there is no %s", config.SyncFile)
		p.hintf("run \"longline help sync\"")
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := sync.Run(ctx, sync.Options{
		Settings: settings, Dir: at.Dir, Admin: at.Admin, Version: version, Machine: sync.Machine(), Force: *now, Jitter: *jitter,
	})
	if r.Err == nil && r.State.Installed != nil {
		// Reading the rules once compiles them for the hook.
		if _, err := p.load(place{}); err != nil {
			p.errorf("sync: the rules do not load: %v", err)
			return exitFailed
		}
	}
	if errors.Is(r.Err, fs.ErrPermission) && at.Admin {
		p.errorf("sync: %v", r.Err)
		p.hintf("%s is the administrator's: run this as root", settings.Path)
		return exitFailed
	}
	status = statusIf(r.Err != nil)
	if *asJSON {
		return p.ended(screen.WriteJSON(p.out, true, struct {
			Changed bool       `json:"changed"`
			Early   bool       `json:"early"`
			State   sync.State `json:"state"`
		}{r.Changed, r.Early, r.State}), status)
	}
	p.synced(&r)
	return status
}

// synced says what came of it.
func (p *process) synced(r *sync.Result) {
	have := "no bundle is installed"
	if i := r.State.Installed; i != nil {
		have = fmt.Sprintf("%s %s is installed, valid until %s", i.Name, i.Version, i.NotAfter.Format(time.DateOnly))
	}
	switch {
	case r.Err != nil:
		p.errorf("sync: %v", r.Err)
		p.hintf("%s", have)
	case r.Early:
		fmt.Fprintf(p.out, "not before %s, because the last attempt has failed: %s\n%s\n", r.State.Next.Local().Format("15:04:05"), screen.Clean(r.State.Problem, ""), have)
	case r.Changed:
		fmt.Fprintf(p.out, "new: %s\n", have)
	default:
		fmt.Fprintf(p.out, "unchanged: %s\n", have)
	}
}

// syncSettings finds the settings that count, and the place for the bundle. Without
// any, they are nil.
func (p *process) syncSettings() (*sync.Settings, config.BundlePlace, error) {
	paths, places := config.BundleSettings(config.Options{Env: p.env})
	for i, path := range paths {
		text, err := readBounded(path, 64<<10)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, places[i], err
		}
		s, err := sync.ParseSettings(path, text)
		return s, places[i], err
	}
	return nil, config.BundlePlace{}, nil
}

// pinned are the keys that this machine has pinned, and the name of the bundle.
func (p *process) pinned() ([]bundle.Key, string, error) {
	s, _, err := p.syncSettings()
	if err != nil || s == nil {
		return nil, "", err
	}
	return s.Keys, s.Name, nil
}
