package cli

import (
	"fmt"
	"os"
	"time"

	"longline/internal/config"
	"longline/internal/mask"
	"longline/internal/policy"
	"longline/internal/screen"
	"longline/internal/state"
	"longline/internal/tool"
)

func allowOnceCommand() subcommand {
	return subcommand{
		name: "allow-once", usage: "[ID] [--yes]", flags: true,
		purpose: forDecideInPerson, example: "allow-once k3v9qa2m",
		short: "let a command run once that longline asked about or denied",
		help: `The ID is the last word of the reason. It allows exactly that command in exactly
that directory, once, within an hour. Without ID it lists what can be allowed.

It does not lift the administrator's denials, or denials that protect longline or
the settings of an agent.

  longline allow-once k3v9qa2m`,
		run: runAllowOnce,
	}
}

func runAllowOnce(p *process, args []string) int {
	flags := p.flagSet("allow-once")
	yes := flags.Bool("yes", false, "do not ask again")
	rest, status, done := p.parseOne(flags, args, "id")
	if done {
		return status
	}
	now := time.Now()
	store := p.store(p.here())
	if len(rest) == 0 {
		return p.listHeld(store, now)
	}
	if !p.byPerson("allow-once") {
		return exitFailed
	}
	h, ok := store.Held(rest[0], now)
	if !ok {
		p.errorf("allow-once: there is no held command %q", rest[0])
		p.hintf("an id is valid for an hour and for one use; run \"longline allow-once\" for the list")
		return exitFailed
	}
	fmt.Fprintf(p.out, "%s in %s:\n\n  %s\n\n", screen.Clean(h.Tool, ""), screen.Clean(h.Dir, ""), screen.Clean(h.Subject, "\t"))
	if h.Content != "" {
		fmt.Fprintf(p.out, "  with just this:\n  %s\n\n", screen.Clean(h.Content, "\t"))
	}
	if !*yes && !p.confirm("Let it run once?") {
		p.errorf("allow-once: nothing is allowed")
		return exitFailed
	}
	if err := store.Grant(h, now); err != nil {
		return p.failed("allow-once", err)
	}
	if cfg, err := p.load(place{dir: h.Dir}); err == nil {
		p.act(cfg, "allow-once", h.ID+" "+loggable(cfg, h))
	}
	fmt.Fprintln(p.out, "allowed once, within the next hour; tell the agent to try again")
	return exitOK
}

// loggable is what a held call is about, as the log may hold it. A subject that
// is not a script reads as one without secrets.
func loggable(cfg *config.Config, h state.Held) string {
	_, invs := cfg.Judge(tool.Call{Tool: h.Tool, Dir: h.Dir, Script: h.Subject, Shell: true})
	// others: masked, as when nobody says.
	switch cfg.Guard.Policy.LogContent {
	case policy.LogStructure:
		return mask.Structure(invs)
	case policy.LogFull:
		return h.Subject
	}
	return mask.Script(h.Subject, invs)
}

func (p *process) listHeld(store state.Store, now time.Time) int {
	list := store.AllHeld(now)
	for _, h := range list {
		fmt.Fprintf(p.out, "%s  %s  %s\n", h.ID, h.Since.Local().Format("15:04"), screen.Clean(screen.Shorten(mask.Text(h.Subject), 100), ""))
	}
	if len(list) == 0 {
		fmt.Fprintln(p.out, "no command is blocked")
	}
	return exitOK
}

// here is the working directory, or "" if there is none.
func (p *process) here() string {
	dir, _ := os.Getwd()
	return dir
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
