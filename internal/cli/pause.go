package cli

import (
	"fmt"
	"time"

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
	rest, status, done := p.parse(p.flagSet("pause"), args)
	switch {
	case done:
		return status
	case len(rest) > 1:
		return p.usageError("pause", "expected one duration, found %d arguments", len(rest))
	}
	now := time.Now()
	store := p.store(p.here())
	if len(rest) == 0 {
		if until, ok := store.Paused(now); ok {
			fmt.Fprintf(p.out, "paused until %s\n", until.Local().Format("15:04"))
		} else {
			fmt.Fprintln(p.out, "not paused")
		}
		return exitOK
	}
	// Ending a pause tightens; anybody may do that.
	if rest[0] != "off" && !p.byPerson("pause") {
		return exitFailed
	}
	cfg, err := p.load(place{})
	if err != nil {
		return p.configError(err)
	}
	if rest[0] == "off" {
		was, err := store.Resume()
		if err != nil {
			p.errorf("pause: %v", err)
			return exitFailed
		}
		if was {
			p.act(cfg, "resume", "")
		}
		fmt.Fprintln(p.out, "not paused")
		return exitOK
	}
	d, err := time.ParseDuration(rest[0])
	if err != nil || d < time.Minute || d > state.MaxPause {
		return p.usageError("pause", "%q is not a duration between 1m and %gh", rest[0], state.MaxPause.Hours())
	}
	until := now.Add(d)
	if err := store.Pause(now, until); err != nil {
		p.errorf("pause: %v", err)
		return exitFailed
	}
	p.act(cfg, "pause", until.Format(time.RFC3339))
	fmt.Fprintf(p.out, "paused until %s: questions are left to the agent, denials stay\n", until.Local().Format("15:04"))
	return exitOK
}
