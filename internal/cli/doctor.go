package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"longline/internal/config"
	"longline/internal/examine"
	"longline/internal/install"
	"longline/internal/screen"
	"longline/internal/sync"
)

func doctorCommand() subcommand {
	return subcommand{
		name: "doctor", usage: "[--agent NAME,...] [--live] [--json]", flags: true,
		purpose: forGuardAgent, example: "doctor",
		short: "check that longline guards the agents on this machine",
		help: `Problems come first, each with its fix; then what is in order. --live starts the real
client with a command that longline denies, and looks for it in the audit log. It also
says if the command ran anyway. That costs one short prompt.

The exit status is 1 if anything is FAIL: an agent that does not call longline or
only observes, rules that do not load, hooks that are switched off.`,
		run: runDoctor,
	}
}

func runDoctor(p *process, args []string) int {
	flags := p.flagSet("doctor")
	agents := choose(flags, new(string), "agent", "only the agents `NAME,...`", install.Agents()...)
	live := flags.Bool("live", false, "start the real client and check that it calls longline")
	asJSON := flags.Bool("json", false, "print JSON")
	status, done := p.parseAlone(flags, args)
	if done {
		return status
	}
	place, err := p.user().Install(install.User)
	if err != nil {
		return p.usageError("doctor", "%v", err)
	}
	list := p.user().Found(place)
	if *agents != "" {
		list = strings.Split(*agents, ",")
		for _, a := range list {
			if !slices.Contains(install.Agents(), a) {
				return p.usageError("doctor", "unknown agent %q; expected one of %s", a, strings.Join(install.Agents(), ", "))
			}
		}
	}
	found := examine.Examine(p.machine(place, *live), list)
	status = statusIf(examine.Failed(found))
	if *asJSON {
		err = screen.WriteJSON(p.out, true, struct {
			OK       bool              `json:"ok"`
			Findings []examine.Symptom `json:"findings"`
		}{status == exitOK, found})
	} else {
		err = writeText(p, symptoms(p.style(), found))
	}
	return p.ended(err, status)
}

// machine is this machine, as this process sees it.
func (p *process) machine(at install.Place, live bool) examine.Machine {
	exe, err := os.Executable()
	if err != nil {
		exe = "" // which is told
	}
	return examine.Machine{
		Exe: exe, Env: p.env, Place: at, Project: p.named(""), Version: versionLine(), Live: live,
		Load: func() (*config.Config, error) { return p.load(place{}) }, ReadLog: readLog, Store: p.store,
		Tell: func(what string) { fmt.Fprintln(p.err, "longline: "+what) },
		Sync: func() (*sync.Settings, string, error) {
			settings, at, err := p.syncSettings()
			return settings, at.Dir, err
		},
	}
}

// symptoms prints what was found for people: first what is wrong, then the rest.
func symptoms(s screen.Style, found []examine.Symptom) string {
	const margin = "        "
	words := map[string]string{"ok": s.Paint("32", "ok  "), "note": s.Dim("note"), "warn": s.Paint("33", "warn"), "fail": s.Paint("1;31", "FAIL")}
	rank := func(f examine.Symptom) int { return max(slices.Index([]string{"", "warn", "fail"}, f.Level), 0) }
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b examine.Symptom) int { return rank(b) - rank(a) })
	wrong := slices.IndexFunc(found, func(f examine.Symptom) bool { return rank(f) == 0 })
	var b strings.Builder
	about := ""
	for i, f := range found {
		if i == wrong && i > 0 {
			about = ""
			b.WriteString("\n" + s.Bold("in order") + "\n")
		}
		if f.About != about {
			about = f.About
			fmt.Fprintf(&b, "%s\n", s.Bold(about))
		}
		what, quoted, _ := strings.Cut(f.What, "\n") // a place in a file, with a caret below it
		what, fix := margin+screen.Clean(what, "")+"\n", ""
		if f.Fix != "" {
			fix = margin + "fix: " + screen.Clean(f.Fix, "") + "\n"
		}
		if s.Fold {
			what, fix = screen.Filled(margin, margin, what), screen.Filled(margin, margin+"  ", fix)
		}
		b.WriteString("  " + words[f.Level] + "  " + strings.TrimPrefix(what, margin))
		for line := range strings.Lines(quoted) {
			b.WriteString(margin + screen.Clean(strings.TrimSuffix(line, "\n"), "\t") + "\n")
		}
		b.WriteString(fix)
	}
	return b.String()
}
