package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"longline/internal/install"
)

func adminCommand() subcommand {
	return subcommand{
		name: "admin", usage: "render --target AGENT,... [FLAGS]", flags: true,
		purpose: forSharePolicy, example: "admin render --target claude,codex", words: []string{"render"},
		short: "write managed settings for the agents of a fleet",
		help: `Targets: ` + strings.Join(install.Renders(), ", ") + `, or all of them. The files
are printed, or with --out written below a directory laid out like the machine's
root, ready to package or copy. Nothing on this machine changes.

The target mobileconfig is one configuration profile for macOS with the settings
of Claude Code and Codex, for Jamf, Intune and other device management.

  longline admin render --target claude,codex
  longline admin render --target mobileconfig --out fleet
  longline admin render --target all --os darwin --out fleet`,
		run: runAdmin,
	}
}

func runAdmin(p *process, args []string) int {
	flags := p.flagSet("admin")
	var (
		target  = choose(flags, new(string), "target", "for these agents: `AGENT,...`, all, or mobileconfig", append(install.Renders(), "all", install.ProfileTarget)...)
		system  = choose(flags, new(string), "os", "for machines that run `SYSTEM`: linux or darwin", "linux", "darwin")
		program = flags.String("program", "", "`PATH` of longline-hook; default /usr/bin/longline-hook, on darwin in /usr/local/bin")
		out     = flags.String("out", "", "write the files below `DIR`")
		observe = flags.Bool("observe", false, "judge and log, but never ask or deny")
		only    = flags.Bool("managed-only", false, "run no hooks but the administrator's (claude, codex)")
	)
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if len(rest) != 1 || rest[0] != "render" {
		return p.usageError("admin", "expected render")
	}
	if *target == "" {
		return p.usageError("admin", "render needs --target: all, or some of %s", strings.Join(install.Renders(), ", "))
	}
	fleet := install.Fleet{System: *system, Command: install.Command{Program: *program, Observe: *observe}, Only: *only}
	fleet.System = cmp.Or(fleet.System, systemFor(*target))
	fleet.Command.Program = cmp.Or(fleet.Command.Program, programOn(fleet.System))
	files, err := rendered(*target, fleet)
	if err != nil {
		return p.usageError("admin", "%v", err)
	}
	for _, f := range files {
		if *out == "" {
			fmt.Fprintf(p.out, "==> %s\n%s", f.Path, f.Text)
			continue
		}
		path, err := writeBelow(*out, f)
		if err != nil {
			return p.failed("admin", err)
		}
		fmt.Fprintln(p.out, path)
	}
	return exitOK
}

// writeBelow writes a rendered file below a directory.
func writeBelow(dir string, f install.File) (path string, err error) {
	path = filepath.Join(dir, filepath.FromSlash(f.Path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, f.Text, 0o644)
}

// programOn is where packages put longline-hook.
func programOn(system string) string {
	if system == "darwin" {
		return "/usr/local/bin/longline-hook"
	}
	return "/usr/bin/longline-hook"
}

// systemFor is the system that files are for if nobody says: the one of this machine, as
// far as there are files for it.
func systemFor(target string) string {
	if target == install.ProfileTarget || runtime.GOOS == "darwin" {
		return "darwin"
	}
	return "linux"
}

// rendered makes the files for a list of agents.
func rendered(targets string, fleet install.Fleet) (files []install.File, err error) {
	names := strings.Split(targets, ",")
	if slices.Contains(names, "all") {
		names = install.Renders()
	}
	for _, name := range names {
		var f install.File
		if name == install.ProfileTarget {
			f, err = install.Profile(fleet)
		} else {
			f, err = install.Render(name, fleet)
		}
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}
