package cli

import (
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
		short: "make the files by which an administrator puts longline into the agents of a fleet",
		help: `TARGET is one or more of ` + strings.Join(install.Renders(), ", ") + `, or all. The files are printed, or
with --out written below a directory as they lie on a machine, to be packed or
copied by whatever manages the machines. Nothing on this machine changes.

  longline admin render --target claude,codex
  longline admin render --target all --os darwin --program /usr/local/bin/longline-hook --out fleet`,
		run: runAdmin,
	}
}

func runAdmin(p *process, args []string) int {
	flags := p.flagSet("admin")
	var (
		target  = flags.String("target", "", "for the agents `AGENT,...`, or all")
		system  = flags.String("os", "", "for machines with `SYSTEM`: linux or darwin")
		program = flags.String("program", "", "longline-hook is at `PATH` there; else /usr/bin/longline-hook, and with darwin /usr/local/bin/longline-hook")
		out     = flags.String("out", "", "write the files below `DIR`")
		observe = flags.Bool("observe", false, "judge and log only, and object to nothing")
		only    = flags.Bool("managed-only", false, "no other hooks run, where the agent can be told so (claude, codex)")
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
	if fleet.System == "" {
		if fleet.System = runtime.GOOS; fleet.System != "darwin" {
			fleet.System = "linux"
		}
	}
	if fleet.Command.Program == "" {
		fleet.Command.Program = "/usr/bin/longline-hook"
		if fleet.System == "darwin" {
			fleet.Command.Program = "/usr/local/bin/longline-hook"
		}
	}
	names := strings.Split(*target, ",")
	if slices.Contains(names, "all") {
		names = install.Renders()
	}
	var files []install.File
	for _, name := range names {
		f, err := install.Render(name, fleet)
		if err != nil {
			return p.usageError("admin", "%v", err)
		}
		files = append(files, f)
	}
	for _, f := range files {
		if *out == "" {
			fmt.Fprintf(p.out, "==> %s\n%s", f.Path, f.Text)
			continue
		}
		path := filepath.Join(*out, filepath.FromSlash(f.Path))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, f.Text, 0o644)
		}
		if err != nil {
			p.errorf("admin: %v", err)
			return exitFailed
		}
		fmt.Fprintln(p.out, path)
	}
	return exitOK
}
