package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"longline/internal/bundle"
	"longline/internal/config"
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
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if len(rest) > 0 {
		return p.usageError("sync", "unexpected argument %q", rest[0])
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
	status = exitOK
	if r.Err != nil {
		status = exitFailed
	}
	if *asJSON {
		return p.ended(writeJSON(p.out, true, struct {
			Changed bool       `json:"changed"`
			Early   bool       `json:"early"`
			State   sync.State `json:"state"`
		}{r.Changed, r.Early, r.State}), status)
	}
	have := "no bundle is installed"
	if i := r.State.Installed; i != nil {
		have = fmt.Sprintf("%s %s is installed, valid until %s", i.Name, i.Version, i.NotAfter.Format(time.DateOnly))
	}
	switch {
	case r.Err != nil:
		p.errorf("sync: %v", r.Err)
		p.hintf("%s", have)
	case r.Early:
		fmt.Fprintf(p.out, "not before %s, because the last attempt has failed: %s\n%s\n", r.State.Next.Local().Format("15:04:05"), clean(r.State.Problem, ""), have)
	case r.Changed:
		fmt.Fprintf(p.out, "new: %s\n", have)
	default:
		fmt.Fprintf(p.out, "unchanged: %s\n", have)
	}
	return status
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

// bundle looks at the bundle: whether it is the one that was published, counts still,
// and whether a newer one can be had.
func (d *doctor) bundle() {
	settings, at, err := d.p.syncSettings()
	if err != nil {
		d.say("fail", "bundle", "cannot read the sync settings: "+err.Error(), "fix the file")
		return
	}
	if d.cfg != nil && d.cfg.Bundle != nil {
		b := d.cfg.Bundle
		switch left := time.Until(b.Until); {
		case b.Lost != "":
			d.say("fail", "bundle", "what "+b.Title()+" allows does not count: "+b.Lost+"; what it forbids does", "longline sync; if there is no newer one, publish one")
		case left < 7*24*time.Hour:
			d.say("warn", "bundle", b.Title()+" is in force, and expires on "+b.Until.UTC().Format(time.DateOnly), "publish a newer one")
		default:
			d.say("ok", "bundle", b.Title()+" is in force until "+b.Until.UTC().Format(time.DateOnly), "")
		}
		if settings == nil {
			d.say("fail", "bundle", "there is a bundle in "+filepath.Dir(b.Path)+" and no "+config.SyncFile+" with the keys that count", "write one, or remove the bundle")
		}
	}
	if settings == nil {
		return
	}
	state, err := sync.ReadState(at.Dir)
	switch {
	case err != nil:
		d.say("fail", "bundle", err.Error(), "remove the file, and run longline sync")
		return
	case state.Installed == nil:
		d.say("fail", "bundle", settings.Path+" names the bundle "+settings.Name+", and it was never installed", "longline sync")
	default:
		if err := sync.CheckInstalled(at.Dir, state, settings); err != nil {
			d.say("fail", "bundle", "the installed bundle cannot be trusted: "+err.Error(), "longline sync --now")
		} else {
			d.say("ok", "bundle", "signed with key "+state.Installed.Key+": "+state.Installed.Comment, "")
		}
	}
	switch {
	case state.Refused != "":
		d.say("fail", "bundle", state.Refused+"; the last good one stays", "publish another")
	case state.Problem != "":
		d.say("warn", "bundle", fmt.Sprintf("the last %s to fetch one failed: %s", count(state.Failures, "attempt"), state.Problem), "longline sync --now")
	}
	if !state.Tried.IsZero() && time.Since(state.Reached) > 3*24*time.Hour {
		d.say("warn", "bundle", "the source was last reached "+ago(time.Since(state.Reached)), "check the timer: systemctl status longline-sync.timer")
	} else if !state.Reached.IsZero() {
		d.say("ok", "bundle", "channel "+state.Channel+", last fetched from "+state.Source+" "+ago(time.Since(state.Reached)), "")
	}
}

// pinned are the keys that this machine has pinned, and the name of the bundle.
func (p *process) pinned() ([]bundle.Key, string, error) {
	s, _, err := p.syncSettings()
	if err != nil || s == nil {
		return nil, "", err
	}
	return s.Keys, s.Name, nil
}
