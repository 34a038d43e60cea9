package cli

import (
	"fmt"
	"time"

	"longline/internal/config"
	"longline/internal/state"
)

func pauseCommand() subcommand {
	return subcommand{
		name: "pause", usage: "[DURATION | off]", flags: true,
		purpose: forDecideInPerson, example: "pause 10m", words: []string{"off"},
		short: "stop asking for a while; denials stay",
		help: `Questions are left to the agent meanwhile, for at most eight hours. Without
DURATION it shows the current state.

  longline pause 10m
  longline pause off`,
		run: runPause,
	}
}

func runPause(p *process, args []string) int {
	rest, status, done := p.parseOne(p.flagSet("pause"), args, "duration")
	if done {
		return status
	}
	now := time.Now()
	store := p.store(p.here())
	if len(rest) == 0 {
		return p.showPause(store, now)
	}
	off := rest[0] == "off"
	// Ending a pause tightens; anybody may do that.
	if !off && !p.byPerson("pause") {
		return exitFailed
	}
	cfg, err := p.load(place{})
	if err != nil {
		return p.configError(err)
	}
	if off {
		return p.resume(cfg, store)
	}
	d, ok := pauseTime(rest[0])
	if !ok {
		return p.usageError("pause", "%q is not a duration between 1m and %gh", rest[0], state.MaxPause.Hours())
	}
	until := now.Add(d)
	if err := store.Pause(now, until); err != nil {
		return p.failed("pause", err)
	}
	p.act(cfg, "pause", until.Format(time.RFC3339))
	fmt.Fprintf(p.out, "paused until %s: questions are left to the agent, denials stay\n", until.Local().Format("15:04"))
	return exitOK
}

// pauseTime reads how long a pause is to be.
func pauseTime(text string) (time.Duration, bool) {
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= time.Minute && d <= state.MaxPause
}

// showPause says whether longline is paused.
func (p *process) showPause(store state.Store, now time.Time) int {
	if until, ok := store.Paused(now); ok {
		fmt.Fprintf(p.out, "paused until %s\n", until.Local().Format("15:04"))
	} else {
		fmt.Fprintln(p.out, "not paused")
	}
	return exitOK
}

// resume ends a pause.
func (p *process) resume(cfg *config.Config, store state.Store) int {
	was, err := store.Resume()
	if err != nil {
		return p.failed("pause", err)
	}
	if was {
		p.act(cfg, "resume", "")
	}
	fmt.Fprintln(p.out, "not paused")
	return exitOK
}
